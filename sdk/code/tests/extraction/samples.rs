//! Each folder of `symbols/` holds a sample in one language and what is found in it.

use std::path::{Path, PathBuf};

use ctxhost_code::{language::Language, symbols::Extractor};

use crate::{grammars, listing};

fn check(folder: &Path) -> Result<(), String> {
    let id = folder.file_name().expect("a name").to_str().expect("ASCII");
    let files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    let sample =
        files.iter().find(|path| path.file_stem().is_some_and(|stem| stem == "sample")).expect("a sample");
    let source = std::fs::read(sample).expect("readable");
    let grammars = grammars();
    let found = Extractor::new(&grammars).extract(Language::of_id(id), &source);
    let listing = listing::of(&found, &source);
    let expected = std::fs::read_to_string(folder.join("expected.txt")).unwrap_or_default();
    if listing == expected {
        return Ok(());
    }
    Err(format!("{id}: problems {:?}\n{}", grammars.problems(), listing::difference(&expected, &listing)))
}

#[test]
fn every_sample_gives_what_its_folder_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/symbols");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(root).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    folders.sort();
    assert!(folders.len() >= 70, "the samples are there");
    let wrong: Vec<String> = folders.iter().filter_map(|folder| check(folder).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_grammar_of_the_library_opens_with_its_query() {
    let grammars = grammars();
    let known = grammars.languages();
    assert!(known.len() >= 38, "{known:?}");
    for language in &known {
        let opened = grammars.get(Language::of_id(&language.id).expect(&language.id));
        assert!(matches!(opened, Ok(Some(_))), "{}: {opened:?}", language.id);
    }
    assert!(grammars.problems().is_empty());
}
