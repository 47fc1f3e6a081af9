//! Files that are not what was written: an error, and never a wrong answer.

use crate::made::{VERSION, document, exported, reference, symbol};
use ctxhost_code::{
    index::{IndexError, Reader, Writer, export},
    symbols::Kind,
};
use std::path::{Path, PathBuf};

fn make(folder: &Path) -> String {
    let (mut writer, _) = Writer::open(folder, VERSION);
    let symbols = [symbol("Alpha", "", Kind::Class), symbol("beta", "Alpha", Kind::Method)];
    let long: Vec<String> = (0..80).map(|at| format!("w{at}x")).collect();
    let documents = (0..140).map(|at| {
        let text = if at == 7 { long.join(" ") } else { "alpha".to_owned() };
        document(&format!("f{at}.rs"), &text, &symbols[..at % 3], &[reference("gamma", None, 1)])
    });
    writer.add(documents).expect("a disk");
    writer.commit().expect("a disk");
    exported(&writer.reader())
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

/// Reads all that there is; broken bytes may only give an error.
fn read(folder: &Path) -> Result<String, IndexError> {
    let reader = Reader::open(folder, VERSION)?;
    let mut text = Vec::new();
    export(&reader, &mut text)?;
    reader.each_defined_name(|_| {})?;
    Ok(String::from_utf8(text).expect("text"))
}

fn check(folder: &Path, path: &Path, bytes: &[u8], what: &str) {
    std::fs::write(path, bytes).expect("a disk");
    match read(folder) {
        Err(error) => assert!(error.needs_a_new_index(), "{what}: {error}"),
        Ok(_) => panic!("{what} went unnoticed"),
    }
}

/// The record of a document that is gone is not read, so its bytes do not matter; those of the list do.
#[test]
fn a_changed_byte_of_the_list_of_the_gone_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    make(folder.path());
    let (mut writer, _) = Writer::open(folder.path(), VERSION);
    writer.remove(["f3.rs", "f77.rs"]);
    writer.commit().expect("a disk");
    let path = folder.path().join("parts");
    let sound = std::fs::read(&path).expect("a file");
    for at in 0..sound.len() {
        let mut bytes = sound.clone();
        bytes[at] ^= 1;
        check(folder.path(), &path, &bytes, &format!("the list at {at}"));
    }
}

#[test]
fn a_changed_byte_anywhere_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    make(folder.path());
    for path in files(folder.path()) {
        let sound = std::fs::read(&path).expect("a file");
        // Every byte of the list, the frame and the tables' edges; every 23rd of the middle, to stay quick.
        for at in (0..sound.len()).filter(|at| at % 23 == 0 || at + 130 > sound.len() || *at < 60) {
            let mut bytes = sound.clone();
            bytes[at] ^= 1 << (at % 8);
            check(folder.path(), &path, &bytes, &format!("{path:?} at {at}"));
        }
        std::fs::write(&path, &sound).expect("a disk");
    }
}

#[test]
fn a_file_that_is_cut_off_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    make(folder.path());
    for path in files(folder.path()) {
        let sound = std::fs::read(&path).expect("a file");
        for length in (0..sound.len()).step_by(41).chain(sound.len().saturating_sub(30)..sound.len()) {
            check(folder.path(), &path, &sound[..length], &format!("{path:?} cut at {length}"));
        }
        std::fs::write(&path, &sound).expect("a disk");
    }
}

#[test]
fn a_broken_index_is_begun_again() {
    for at in 0..2 {
        let folder = tempfile::tempdir().expect("a folder");
        let text = make(folder.path());
        let path = &files(folder.path())[at];
        std::fs::write(path, "no index").expect("a disk");
        let (mut writer, problem) = Writer::open(folder.path(), VERSION);
        assert!(problem.is_some_and(|problem| problem.needs_a_new_index()));
        writer.commit().expect("a disk");
        assert_eq!(Reader::open(folder.path(), VERSION).expect("sound").totals().files, 0);
        drop(writer);
        assert_eq!(make(folder.path()), text);
        assert_eq!(read(folder.path()).expect("sound"), text);
    }
}

#[test]
fn a_segment_that_is_gone_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    make(folder.path());
    std::fs::remove_file(&files(folder.path())[0]).expect("a disk");
    assert!(read(folder.path()).is_err_and(|error| error.needs_a_new_index()));
}

#[test]
fn another_version_is_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    make(folder.path());
    assert!(matches!(Reader::open(folder.path(), VERSION + 1), Err(IndexError::Version)));
    let (writer, problem) = Writer::open(folder.path(), VERSION + 1);
    assert!(matches!(problem, Some(IndexError::Version)));
    assert_eq!(writer.reader().totals().files, 0);
}

#[test]
fn no_index_is_an_empty_one() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(Reader::open(folder.path(), VERSION).expect("nothing is wrong").totals().files, 0);
}
