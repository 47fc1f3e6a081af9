//! What an agent gets for an editor's state, byte for byte; a change to a golden file explains itself in its commit.
//!
//! `CTXHOST_BLESS=1 cargo test -p ctxhost-tests --test suites golden` writes the files anew.

use std::fs;

use crate::harness::{Place, codes, provider, root};

/// The unix seconds of every case.
const NOW: &str = "1700000000";

/// Ids depend on the test's folder, so they are shown as one word.
fn without_ids(text: &str) -> String {
    let mut parts = text.split(" id=\"");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (id, rest) = part.split_once('"').expect("an attribute ends");
        assert!(id.len() == 12 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
        out.push_str(" id=\"…\"");
        out.push_str(rest);
    }
    out
}

#[test]
fn a_state_becomes_the_text_that_was_reviewed() {
    let folder = root().join("tests/golden");
    let mut cases: Vec<_> =
        fs::read_dir(&folder).expect("golden files").flatten().map(|entry| entry.path()).collect();
    cases.sort();
    assert!(cases.len() >= 4);
    for case in cases {
        let place = Place::with(&[provider("ide-context")]);
        let cwd = place.path("work").canonicalize().expect("a folder");
        let cwd = cwd.to_str().expect("UTF-8");
        let state = fs::read_to_string(case.join("state.json")).expect("a state").replace("{{cwd}}", cwd);
        place.editor_state(std::process::id(), &state);
        let injection = place.inject(&["--now", NOW]);
        assert_eq!(codes(&injection), Vec::<String>::new(), "{}", case.display());
        let text = without_ids(&injection["text"].as_str().expect("a text").replace(cwd, "{{cwd}}"));
        let golden = case.join("expected.txt");
        if std::env::var_os("CTXHOST_BLESS").is_some() {
            fs::write(&golden, &text).expect("a file");
        }
        assert_eq!(text, fs::read_to_string(&golden).unwrap_or_default(), "{}", case.display());
    }
}
