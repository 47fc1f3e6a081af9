//! Whatever was added, changed, removed and merged: the index is that of the files that are there.

use crate::made::{VERSION, any_document, document, exported, reference, symbol};
use ctxhost_code::{
    index::{Case, Document, Reader, Writer},
    symbols::Kind,
};
use proptest::prelude::*;
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
enum Change {
    Add(Vec<Document>),
    Remove(String),
    Commit,
    Compact,
    Reopen,
}

fn any_change() -> impl Strategy<Value = Change> {
    prop_oneof![
        6 => prop::collection::vec(any_document(), 1..4).prop_map(Change::Add),
        2 => "[a-d]{1,2}/[a-c]\\.rs".prop_map(Change::Remove),
        6 => Just(Change::Commit),
        1 => Just(Change::Compact),
        1 => Just(Change::Reopen),
    ]
}

fn open(folder: &std::path::Path) -> Writer {
    let (writer, problem) = Writer::open(folder, VERSION);
    assert!(problem.is_none(), "{problem:?}");
    writer
}

fn fresh(files: &BTreeMap<String, Document>) -> Reader {
    let mut writer = Writer::in_memory(VERSION);
    writer.add(files.values().cloned()).expect("memory");
    writer.commit().expect("memory");
    writer.reader()
}

fn check_totals(found: &Reader, files: &BTreeMap<String, Document>) {
    assert_eq!(found.totals().files as usize, files.len());
    let symbols: usize = files.values().map(|document| document.extracted.symbols.len()).sum();
    assert_eq!(found.totals().symbols, symbols as u64);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_changed_index_equals_a_fresh_one(changes in prop::collection::vec(any_change(), 1..40)) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut writer = open(folder.path());
        let mut files = BTreeMap::new();
        for change in changes {
            match change {
                Change::Add(documents) => {
                    files.extend(documents.iter().map(|document| (document.path.clone(), document.clone())));
                    writer.add(documents).expect("a disk");
                }
                Change::Remove(path) => {
                    files.remove(&path);
                    writer.remove([path.as_str()]);
                }
                Change::Commit => writer.commit().expect("a disk"),
                Change::Compact => writer.compact().expect("a disk"),
                Change::Reopen => {
                    writer.commit().expect("a disk");
                    drop(writer);
                    writer = open(folder.path());
                }
            }
        }
        writer.commit().expect("a disk");
        let (found, fresh) = (Reader::open(folder.path(), VERSION).expect("an index"), fresh(&files));
        check_totals(&found, &files);
        prop_assert_eq!(found.totals(), fresh.totals());
        prop_assert_eq!(found.average_lengths(), fresh.average_lengths());
        prop_assert_eq!(exported(&found), exported(&fresh));
        prop_assert_eq!(exported(&found), exported(&writer.reader()));
        for document in files.values() {
            let file = found.find(&document.path).expect("it was added");
            let extracted = found.extracted(file.doc).expect("a sound index");
            prop_assert_eq!(extracted.as_ref(), Some(&document.extracted));
            prop_assert_eq!((file.lengths(), *file.hash(), file.language()), (document.lengths, document.hash, document.language));
            for term in &document.terms {
                let postings = found.postings(&term.text).expect("a sound index");
                let posting = postings.iter().find(|posting| posting.doc == file.doc);
                prop_assert_eq!(posting.map(|posting| posting.counts), Some(term.counts));
            }
        }
    }
}

/// One file at a time, as edits come: the folder holds a few segments, and no file that nothing names.
#[test]
fn many_small_commits_leave_few_segments() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut writer = open(folder.path());
    for at in 0..100 {
        writer
            .add([document(&format!("f{}.rs", at % 40), &format!("word{at} alpha"), &[], &[])])
            .expect("a disk");
        writer.commit().expect("a disk");
    }
    let files = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert!(files <= 9, "{files} files");
    let reader = Reader::open(folder.path(), VERSION).expect("an index");
    assert_eq!(reader.postings("alpha").expect("sound").len(), 40);
    writer.compact().expect("a disk");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 2);
    assert_eq!(exported(&reader), exported(&Reader::open(folder.path(), VERSION).expect("an index")));
}

/// Postings of hundreds of documents lie outside of their block, and a merge moves their documents.
#[test]
fn long_postings_are_merged() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut writer = open(folder.path());
    let mut files = BTreeMap::new();
    let used = [reference("everywhere", None, 1), reference("Everywhere", Some(0), 2)];
    for round in 0..4 {
        for at in 0..300 {
            let text = "alpha ".repeat(at % 40 + 1) + &format!("round{round} beta{at}");
            let path = format!("f{}.rs", at + round * 200);
            let document = document(&path, &text, &[symbol("same", "", Kind::Class)], &used);
            files.insert(path, document.clone());
            writer.add([document]).expect("a disk");
        }
        writer.commit().expect("a disk");
    }
    let found = Reader::open(folder.path(), VERSION).expect("an index");
    assert_eq!(found.postings("alpha").expect("sound").len(), 900);
    assert_eq!(exported(&found), exported(&fresh(&files)));
    writer.compact().expect("a disk");
    let merged = found.refreshed(folder.path()).expect("an index");
    assert_eq!(exported(&merged), exported(&found));
    assert_eq!(merged.definitions("same", Case::Any).expect("sound").len(), 900);
    assert_eq!(merged.references("everywhere", Case::Any).expect("sound").len(), 1800);
}

#[test]
fn a_frequency_counts_living_documents_only() {
    let mut writer = Writer::in_memory(VERSION);
    let documents = (0..10).map(|at| document(&format!("f{at}.rs"), "alpha beta", &[], &[]));
    writer.add(documents).expect("memory");
    writer.commit().expect("memory");
    writer.add([document("f3.rs", "beta", &[], &[])]).expect("memory");
    writer.remove(["f4.rs", "missing.rs"]);
    writer.commit().expect("memory");
    let reader = writer.reader();
    assert_eq!(reader.postings("alpha").expect("sound").len(), 8);
    assert_eq!(reader.postings("beta").expect("sound").len(), 9);
    assert_eq!(reader.totals().files, 9);
    assert!(reader.find("f4.rs").is_none());
}
