//! What the index costs on a real tree, on one core, beside what parsing costs.
//!
//! `index_cost build GRAMMARS TREE FOLDER EXTENSION [FILES]`, where `GRAMMARS` is the folder that the grammar library is
//! in; then in a fresh process `index_cost ask FOLDER WORD…`.

use ctxhost_code::{
    grammar::Grammars,
    index::{Case, Document, Reader, Writer, count},
    language,
    symbols::Extractor,
    words,
};
use std::{
    collections::BTreeSet,
    error::Error,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// How many documents are handed over at a time.
const BATCH: usize = 64;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["build", grammars, tree, folder, extension, rest @ ..] => {
            let most = rest.first().map_or(Ok(usize::MAX), |files| files.parse())?;
            build(Path::new(grammars), Path::new(tree), Path::new(folder), extension, most)
        }
        ["ask", folder, words @ ..] => ask(Path::new(folder), words),
        _ => Err("build GRAMMARS TREE FOLDER EXTENSION [FILES] | ask FOLDER WORD...".into()),
    }
}

#[derive(Default)]
struct Spent {
    reading: Duration,
    finding: Duration,
    counting: Duration,
    adding: Duration,
}

fn build(
    grammars: &Path,
    tree: &Path,
    folder: &Path,
    extension: &str,
    most: usize,
) -> Result<(), Box<dyn Error>> {
    let mut paths = Vec::new();
    walk(tree, extension, &mut paths)?;
    paths.sort();
    paths.truncate(most);
    let grammars = Grammars::new(vec![grammars.to_owned()]);
    let mut extractor = Extractor::new(&grammars);
    fs::create_dir_all(folder)?;
    let (mut writer, _) = Writer::open(folder, 1);
    let (mut spent, mut bytes) = (Spent::default(), 0);
    for batch in paths.chunks(BATCH) {
        let mut documents = Vec::new();
        for path in batch {
            let source = timed(&mut spent.reading, || fs::read(path))?;
            bytes += source.len();
            let path = path.strip_prefix(tree)?.to_string_lossy().into_owned();
            documents.push(document(&mut extractor, &path, &source, &mut spent));
        }
        timed(&mut spent.adding, || writer.add(documents))?;
    }
    let committing = Instant::now();
    writer.commit()?;
    println!("files {}, MB {}, words {:?}", paths.len(), bytes >> 20, writer.reader().totals().lengths);
    println!(
        "symbols {}, references {}",
        writer.reader().totals().symbols,
        writer.reader().totals().references
    );
    println!("read {:?}, find {:?}", spent.reading, spent.finding);
    println!("count {:?}, add {:?}, commit {:?}", spent.counting, spent.adding, committing.elapsed());
    size("after the commit", folder)?;
    let compacting = Instant::now();
    writer.compact()?;
    println!("compact {:?}", compacting.elapsed());
    size("after compacting", folder)?;
    edit(&mut writer, &mut extractor, tree, &paths[..paths.len().min(EDITS)])
}

/// How many files are edited one at a time.
const EDITS: usize = 40;

fn edit(
    writer: &mut Writer,
    extractor: &mut Extractor,
    tree: &Path,
    paths: &[PathBuf],
) -> Result<(), Box<dyn Error>> {
    let (mut all, mut longest) = (Duration::ZERO, Duration::ZERO);
    for path in paths {
        let mut source = fs::read(path)?;
        source.extend_from_slice(b"\nedited = 1\n");
        let path = path.strip_prefix(tree)?.to_string_lossy().into_owned();
        let document = document(extractor, &path, &source, &mut Spent::default());
        let start = Instant::now();
        writer.add([document])?;
        writer.commit()?;
        let reader = writer.reader();
        (all, longest) = (all + start.elapsed(), longest.max(start.elapsed()));
        assert!(
            reader.find(&path).is_some_and(|file| file.bytes() == source.len() as u64),
            "{path} was edited"
        );
    }
    println!("{} edits {all:?}, the longest {longest:?}", paths.len());
    Ok(())
}

fn document(extractor: &mut Extractor, path: &str, source: &[u8], spent: &mut Spent) -> Document {
    let language = language::detect(path, &source[..source.len().min(language::HEAD)]);
    let extracted = timed(&mut spent.finding, || extractor.extract(language, source));
    timed(&mut spent.counting, || count(path, source, language, false, false, [0; 32], extracted))
}

fn timed<T>(sum: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    *sum += start.elapsed();
    done
}

fn walk(folder: &Path, extension: &str, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (kind, path) = (entry.file_type()?, entry.path());
        if kind.is_dir() {
            walk(&path, extension, paths)?;
        } else if kind.is_file() && path.extension().is_some_and(|found| found == extension) {
            paths.push(path);
        }
    }
    Ok(())
}

fn ask(folder: &Path, words: &[&str]) -> Result<(), Box<dyn Error>> {
    let opening = Instant::now();
    let reader = Reader::open(folder, 1)?;
    println!(
        "open {:?}: {} files, {} symbols",
        opening.elapsed(),
        reader.totals().files,
        reader.totals().symbols
    );
    let asking = Instant::now();
    let mut found = 0;
    for word in words {
        let mut split = Vec::new();
        words::split(word, &mut |word| split.push(word.to_owned()));
        for word in split {
            found += reader.postings(&word)?.len();
        }
    }
    println!("postings {:?}: {found} of {} words", asking.elapsed(), words.len());
    let asking = Instant::now();
    let (mut definitions, mut uses) = (0, 0);
    for word in words {
        definitions += reader.definitions(word, Case::Any)?.len();
        uses += reader.references(word, Case::Any)?.len();
    }
    println!("names {:?}: {definitions} definitions, {uses} uses", asking.elapsed());
    let asking = Instant::now();
    let containing = reader.names_containing(words.first().unwrap_or(&"get"), 100)?.len();
    println!("names that contain the first {:?}: {containing}", asking.elapsed());
    let asking = Instant::now();
    for word in words {
        reader.names_containing(word, 100)?;
        reader.names_with_prefix(word, 100)?;
    }
    println!("the same of all and their prefixes {:?}", asking.elapsed());
    let asking = Instant::now();
    let symbols: usize =
        reader.files().take(100).map(|file| reader.symbols(file.doc).map_or(0, |all| all.len())).sum();
    println!("{symbols} symbols of 100 files {:?}", asking.elapsed());
    follow(&reader)?;
    size("after asking", folder)
}

fn size(when: &str, folder: &Path) -> Result<(), Box<dyn Error>> {
    let sizes: Result<Vec<u64>, std::io::Error> =
        fs::read_dir(folder)?.map(|file| Ok(file?.metadata()?.len())).collect();
    let sizes = sizes?;
    let status = fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("VmHWM unknown");
    println!("{when}: {} files of {} KB, {peak}", sizes.len(), sizes.iter().sum::<u64>() >> 10);
    Ok(())
}

/// Asks for every name that the symbols of some files use, as one does who follows references.
fn follow(reader: &Reader) -> Result<(), Box<dyn Error>> {
    let docs: Vec<u32> =
        reader.files().filter(|file| file.symbols() > 10).take(30).map(|file| file.doc).collect();
    let mut names = BTreeSet::new();
    for doc in docs {
        let extracted = reader.extracted(doc)?.unwrap_or_default();
        names.extend(extracted.references.into_iter().map(|reference| reference.name));
    }
    let asking = Instant::now();
    let mut found = 0;
    for name in &names {
        found += reader.definitions(name, Case::Exact)?.len();
    }
    let defined = asking.elapsed();
    let mut files = 0;
    for name in &names {
        files += reader.name_frequency(name, Case::Exact)?;
    }
    println!(
        "{} names {defined:?}: {found} definitions; then {:?}: {files} files",
        names.len(),
        asking.elapsed() - defined
    );
    Ok(())
}
