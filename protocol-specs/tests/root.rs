//! The worked example of a root in `codebase-index/v1`, computed again.

use std::{fs, path::Path};

use ctxhost_protocol::catalogue;
use ctxhost_protocol::codebase_index::{FileHash, SPEC, SyncRequest};
use sha2::{Digest, Sha256};

#[test]
fn the_worked_example_is_its_own_hash() {
    let text = catalogue::find(SPEC).expect("it is published").text;
    let (_, rest) = text.split_once("```text root\n").expect("there is a worked example");
    let (lines, rest) = rest.split_once("\n```").expect("it ends");
    let root = rest.split('`').nth(1).expect("its hash follows in a code span");
    assert_eq!(hex(lines), root);
    // Its lines stand in the order that the page asks for.
    let paths: Vec<_> = lines.lines().map(|line| &line[..line.len() - 65]).collect();
    assert!(paths.is_sorted_by_key(|path| path.as_bytes()), "{paths:?}");
    assert!(paths.len() >= 4 && paths.iter().any(|path| !path.is_ascii()), "{paths:?}");
    // What has no files has the hash of nothing.
    assert!(text.contains(&hex("")), "SPEC.md does not say the root of no files");
}

#[test]
fn bytes_and_not_characters_order_the_paths() {
    // In UTF-16, where the document's client sorts, the second would come first.
    let [low, high] = ["\u{ff01}.ts", "\u{1f600}.ts"];
    assert!(low.encode_utf16().gt(high.encode_utf16()));
    let files = [high, low].map(|path| FileHash { path: path.into(), hash: hex("") });
    assert_eq!(root(&files), hex(&format!("{low}:{0}\n{high}:{0}", hex(""))));
}

#[test]
fn roots_in_examples_are_those_of_their_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(SPEC).join("examples/valid/sync-request");
    let mut checked = 0;
    for case in ["the-documents-own", "two-checkouts-and-a-root", "nothing-is-left"] {
        let text = fs::read_to_string(folder.join(format!("{case}.json"))).expect("the example is there");
        let request: SyncRequest = serde_json::from_str(&text).expect("it can be read");
        for repo in request.repos {
            let Some(files) = repo.files else { continue };
            assert_eq!(repo.root_hash, root(&files), "{case}: {}", repo.name);
            checked += 1;
        }
    }
    assert_eq!(checked, 4);
}

/// A root as the page describes it, in its shortest form.
fn root(files: &[FileHash]) -> String {
    let mut files: Vec<_> = files.iter().collect();
    files.sort_by(|one, other| one.path.as_bytes().cmp(other.path.as_bytes()));
    let lines: Vec<_> = files.iter().map(|file| format!("{}:{}", file.path, file.hash)).collect();
    hex(&lines.join("\n"))
}

fn hex(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
