use std::fs;

use tempfile::TempDir;

use super::*;
use ctxhost_code::project::Places;

use crate::provider::tools;

/// Asks about `two` and lets a file become another between the look and the reading; gives what is shown.
fn check(before: &str, after: &str, expected: &[&str]) {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("a.py");
    fs::write(&path, before).expect("a file");
    let code = Code::open(folder.path(), &Places { max_files: 9, ..Places::default() }).expect("a project");
    code.look(&|_| false);
    code.update(ctxhost_code::project::Pace::Now, &|| false, &mut |_, _| ());
    let (view, prompt, filter) = (code.view(), Prompt::read("what does `two` return?"), Filter::default());
    let ask = Ask { prompt: &prompt, recent: &[], filter: &filter, depth: 1, limit: SYMBOLS };
    let fits = pick::fits(&code, &view, &ask, &|| false, &|| false).expect("it is read");
    fs::write(&path, after).expect("a file");
    let previews: Vec<_> =
        fits.symbols.iter().filter_map(|fit| tools::preview(&code, &view, &prompt, fit)).collect();
    assert_eq!(previews.is_empty(), expected.is_empty(), "{previews:?}");
    let picked = pick::picked(&prompt, fits);
    assert_eq!(picked.files.len(), 1);
    let offered = sections(&code, &view, &prompt, &picked, 1_000);
    let bodies: Vec<_> = offered.sections.iter().map(|section| section.variants[0].body.as_str()).collect();
    assert_eq!(bodies.len(), expected.len(), "{bodies:?}");
    bodies.iter().zip(expected).for_each(|(body, part)| assert!(body.contains(part), "{body}"));
}

#[test]
fn a_file_that_changes_between_the_look_and_the_reading_is_not_cut_by_old_places() {
    let text = "def one():\n    return 1\n\n\ndef two():\n    return 2\n";
    check(text, text, &["return 2"]);
    check(text, &text.replace('2', "3"), &[]);
    check(text, &format!("import os\n\n\n{text}"), &[]);
    check(text, "", &[]);
}
