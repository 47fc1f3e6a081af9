//! Readers while a writer works.

use crate::made::{VERSION, document, exported};
use ctxhost_code::index::{Reader, Writer};
use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
};

/// Every commit changes all files at once: a reader that saw half of one would count otherwise.
#[test]
fn readers_see_whole_commits_while_segments_are_merged_away() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut writer, _) = Writer::open(folder.path(), VERSION);
    let (done, opened) = (AtomicBool::new(false), AtomicUsize::new(0));
    let read = || {
        let mut reader = Reader::empty(VERSION);
        while !done.load(Ordering::SeqCst) {
            reader = reader.refreshed(folder.path()).expect("an index at every moment");
            let files = reader.totals().files as usize;
            assert_eq!(reader.postings("alpha").expect("sound").len(), files);
            if files > 0 {
                assert_eq!(
                    reader.postings(&format!("round{}", reader.generation())).expect("sound").len(),
                    10
                );
            }
            opened.fetch_add(1, Ordering::SeqCst);
        }
    };
    thread::scope(|scope| {
        let readers = [scope.spawn(read), scope.spawn(read)];
        for round in 1..=60 {
            let text = format!("alpha round{round}");
            writer.add((0..10).map(|at| document(&format!("f{at}.rs"), &text, &[], &[]))).expect("a disk");
            writer.commit().expect("a disk");
            let before = opened.load(Ordering::SeqCst);
            while opened.load(Ordering::SeqCst) == before
                && readers.iter().all(|reader| !reader.is_finished())
            {
                thread::yield_now();
            }
        }
        done.store(true, Ordering::SeqCst);
    });
    assert_eq!(writer.reader().generation(), 60);
}

/// Threads share readers, and a writer moves to the thread that indexes.
#[test]
fn readers_and_writers_go_between_threads() {
    fn shared(_: &(impl Send + Sync + Clone + 'static)) {}
    fn sent(_: &(impl Send + 'static)) {}
    let writer = Writer::in_memory(VERSION);
    sent(&writer);
    shared(&writer.reader());
    assert_eq!(writer.reader().files().count(), 0);
}

#[test]
fn an_open_reader_keeps_what_it_saw() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut writer, _) = Writer::open(folder.path(), VERSION);
    writer.add([document("a.rs", "alpha", &[], &[])]).expect("a disk");
    writer.commit().expect("a disk");
    let reader = Reader::open(folder.path(), VERSION).expect("an index");
    let before = exported(&reader);
    writer.add([document("a.rs", "beta", &[], &[]), document("b.rs", "gamma", &[], &[])]).expect("a disk");
    writer.compact().expect("a disk");
    assert_eq!(exported(&reader), before);
    let after = reader.refreshed(folder.path()).expect("an index");
    assert_eq!(after.postings("beta").expect("sound").len(), 1);
    assert_eq!(after.generation(), reader.generation() + 1);
}
