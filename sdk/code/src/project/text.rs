//! Reading a file for the index: how much of it, and only in the state that the snapshot knows.

use std::{
    fs::File,
    io::{self, Read},
};

use sha2::{Digest, Sha256};

use super::parse::Task;
use crate::{
    index::Hash,
    language::{self, Language},
    snapshot::Disk,
    symbols::BYTES_CAP,
    walk::{FileKind, Stat, kind_of},
};

/// The beginning, by which the kind and the language are told.
const HEAD: usize = 8 * 1024;
/// Of code: one byte more than symbols are looked for in, so that the extractor sees that it is too much.
const OF_CODE: usize = BYTES_CAP + 1;
/// Of prose and data: a book has about a megabyte, and a table of numbers is found by its first rows.
const OF_OTHERS: usize = 256 * 1024;
/// Of what machines packed or wrote for machines: enough to be found by what it is about.
const OF_FOREIGN: usize = 64 * 1024;

/// A file's text.
pub(super) struct Text {
    /// Empty for what is no text, or is kept by its path alone.
    pub(super) bytes: Vec<u8>,
    pub(super) language: Option<Language>,
    pub(super) kind: FileKind,
    /// Whether there is more than was read.
    pub(super) cut: bool,
}

/// Reads a file. `None` when it is not, or not any more, in the state that the snapshot knows: then the next look at the
/// files sees it as changed.
///
/// Of a file that was written within a tick of the look the system's word says too little: what is found in a text counts
/// by the hash, so the text has to have it. One that is read in part stays with that word.
///
/// # Errors
///
/// With what the system said.
pub(super) fn read(disk: &Disk, task: &Task<'_>, path_only: bool) -> io::Result<Option<Text>> {
    let Task { path, state, recent } = *task;
    let (mut file, stat) = disk.open(path)?;
    if stat != state.stat {
        return Ok(None);
    }
    if path_only {
        let (language, kind) = (language::detect(path, b""), kind_of(path, b""));
        return Ok(Some(Text { bytes: Vec::new(), language, kind, cut: false }));
    }
    let text = text(&mut file, path, stat.size)?;
    let doubt = recent && !text.cut && Hash::from(Sha256::digest(&text.bytes)) != state.hash;
    let same = !doubt && Stat::of(&file.metadata()?) == stat;
    Ok(same.then_some(text))
}

fn text(file: &mut File, path: &str, size: u64) -> io::Result<Text> {
    let mut bytes = Vec::with_capacity(size.min(OF_CODE as u64) as usize + 1);
    file.take(HEAD as u64).read_to_end(&mut bytes)?;
    let language = language::detect(path, &bytes);
    let kind = kind_of(path, &bytes);
    let most = most(kind, language);
    if most > bytes.len() {
        file.take((most - bytes.len()) as u64).read_to_end(&mut bytes)?;
    }
    bytes.truncate(most);
    let cut = size > bytes.len() as u64;
    Ok(Text { bytes, language, kind, cut })
}

fn most(kind: FileKind, language: Option<Language>) -> usize {
    let code = language.is_some_and(Language::is_code);
    match kind {
        FileKind { binary: true, .. } => 0,
        FileKind { minified: true, .. } => OF_FOREIGN,
        FileKind { generated: true, .. } if !code => OF_FOREIGN,
        _ if code => OF_CODE,
        _ => OF_OTHERS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::FileState;

    #[test]
    fn another_text_with_the_same_size_and_times_is_not_the_snapshots() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.py"), "two").unwrap();
        let disk = Disk::new(folder.path());
        let (_, stat) = disk.open("a.py").unwrap();
        for (known, recent, expected) in
            [("two", true, true), ("one", true, false), ("two", false, true), ("one", false, true)]
        {
            let state = FileState { stat, hash: Sha256::digest(known).into() };
            let read = read(&disk, &Task { path: "a.py", state: &state, recent }, false).unwrap();
            assert_eq!(read.is_some(), expected, "{known} {recent}");
        }
    }
}
