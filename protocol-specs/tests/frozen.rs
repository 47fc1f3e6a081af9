//! A version that was released changes no more.
//!
//! `frozen.txt` holds one line for each version, `<spec>/<version> <sha256> <draft|released>`.

use std::fs;
use std::path::Path;

use ctxhost_protocol::catalogue;
use sha2::{Digest, Sha256};

use crate::folders::{entries, name};

#[test]
fn versions_are_as_they_were_frozen() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let frozen = fs::read_to_string(root.join("frozen.txt")).expect("frozen.txt is there");
    let mut faults = Vec::new();
    for spec in catalogue::specs() {
        let line = frozen.lines().find(|line| line.split(' ').next() == Some(spec.id()));
        faults.extend(fault(spec.id(), &hash(&root.join(spec.id())), line));
    }
    let listed: Vec<&str> = frozen.lines().filter_map(|line| line.split(' ').next()).collect();
    let published: Vec<&str> = catalogue::specs().iter().map(|spec| spec.id()).collect();
    if faults.is_empty() && listed != published {
        faults.push(format!("it lists {listed:?}, and published are {published:?}"));
    }
    assert!(faults.is_empty(), "frozen.txt:\n{}", faults.join("\n"));
}

#[test]
fn a_mismatch_says_what_to_do() {
    assert_eq!(fault("a/v1", "00", Some("a/v1 00 draft")), None);
    assert_eq!(fault("a/v1", "00", Some("a/v1 00 released")), None);
    let draft = fault("a/v1", "00", Some("a/v1 11 draft")).expect("a changed draft is a fault");
    assert!(draft.ends_with("write this line:\na/v1 00 draft"), "{draft}");
    let released = fault("a/v1", "00", Some("a/v1 11 released")).expect("a changed release is a fault");
    assert!(released.contains("new version folder") && !released.contains("00"), "{released}");
    let unlisted = fault("a/v1", "00", None).expect("an unlisted version is a fault");
    assert!(unlisted.ends_with("a/v1 00 draft"), "{unlisted}");
    let strange = fault("a/v1", "00", Some("a/v1 00 final"));
    assert!(strange.is_some(), "a word that is neither draft nor released went unseen");
}

/// Whether a version is written down as released.
pub(crate) fn is_released(spec: &str) -> bool {
    let frozen = include_str!("../frozen.txt");
    frozen.lines().any(|line| line.starts_with(&format!("{spec} ")) && line.ends_with(" released"))
}

fn fault(spec: &str, hash: &str, line: Option<&str>) -> Option<String> {
    let as_draft = format!("{spec} {hash} draft");
    match line {
        None => Some(format!("{spec} is not listed; write this line:\n{as_draft}")),
        Some(line) if line == as_draft || line == format!("{spec} {hash} released") => None,
        Some(line) if line.ends_with(" released") => Some(format!(
            "{spec} was released and has changed; take the change back and make it in a new version folder"
        )),
        Some(_) => Some(format!("{spec} has changed and is a draft; write this line:\n{as_draft}")),
    }
}

/// The hash over a version's SPEC.md, schemas and OpenAPI document: each file's name and content, ended by a zero byte, by name.
fn hash(folder: &Path) -> String {
    let counts = |name: &str| ["SPEC.md", "openapi.json"].contains(&name) || name.ends_with(".schema.json");
    let mut hash = Sha256::new();
    for file in entries(folder).iter().filter(|file| counts(&name(file))) {
        hash.update(name(file));
        hash.update([0]);
        hash.update(fs::read(file).expect("a spec's file can be read"));
        hash.update([0]);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
