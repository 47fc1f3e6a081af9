//! Whether what a query found is still there, and still says the same.

use std::path::Path;

use sha2::{Digest, Sha256};

use super::folder::Folder;
use crate::select::inventory::Hash;

/// How a file is, against what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Now {
    /// Not there, or nothing that may be looked at from here.
    Gone,
    /// Another content, or the content is not known.
    Changed,
    /// As it was.
    Same,
}

/// A file of which more would have to be read is judged by its length alone.
const MOST_READ: u64 = 512 * 1024;

/// So many words of a query are asked for on the disk.
const WORDS: usize = 16;

/// The words of a query that are paths of something that is there; `from` is where below the root somebody stands.
pub(crate) fn named(root: &Path, from: &str, query: &str) -> Vec<String> {
    let words = query.split_whitespace().take(WORDS).map(|word| {
        let word = word.trim_matches(|c: char| "'\"`()[]{}<>,;:?!".contains(c)).trim_end_matches('.');
        word.strip_prefix("./").unwrap_or(word).trim_end_matches('/')
    });
    let places = words.flat_map(|word| [word.to_owned(), format!("{from}/{word}")]);
    // A plain word may be a folder's name, and is meant as a word.
    places
        .filter(|path| path.contains(['/', '.']) && is_below(path))
        .filter(|path| root.join(path).symlink_metadata().is_ok())
        .collect()
}

fn is_below(path: &str) -> bool {
    !path.is_empty() && !path.split('/').any(|part| matches!(part, "" | "." | ".."))
}

/// Looks at a file below the root; nothing on the way may be a link. `known` is its content's hash and length.
pub(crate) fn now(root: &Path, path: &str, known: Option<(&Hash, u64)>) -> Now {
    if !is_below(path) {
        return Now::Gone;
    }
    let Ok(found) = root.join(path).symlink_metadata() else { return Now::Gone };
    let Some((hash, bytes)) = known else { return Now::Changed };
    if !found.is_file() || found.len() != bytes {
        return Now::Changed;
    }
    if bytes > MOST_READ {
        return Now::Same;
    }
    match content(root, path) {
        Some(content) if Hash::from(Sha256::digest(&content)) == *hash => Now::Same,
        _ => Now::Changed,
    }
}

fn content(root: &Path, path: &str) -> Option<Vec<u8>> {
    let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
    Folder::root(root).ok()?.below(dir).ok()??.read(name, MOST_READ).ok()?
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_held_against_what_is_known_of_it() {
        let root = tempfile::tempdir().expect("a folder");
        fs::create_dir(root.path().join("src")).expect("a folder");
        fs::write(root.path().join("src/a.rs"), "one").expect("a file");
        let hash = |text: &str| Hash::from(Sha256::digest(text));
        let check = |path: &str, text: &str, expected: Now| {
            let known = (&hash(text), text.len() as u64);
            assert_eq!(now(root.path(), path, Some(known)), expected, "{path} {text}");
        };
        check("src/a.rs", "one", Now::Same);
        check("src/a.rs", "two", Now::Changed);
        check("src/a.rs", "three", Now::Changed);
        check("src/b.rs", "one", Now::Gone);
        for outside in ["", "/etc/passwd", "../a", "src/../src/a.rs", "src//a.rs"] {
            check(outside, "one", Now::Gone);
        }
        assert_eq!(now(root.path(), "src/a.rs", None), Now::Changed);
        for (from, query, expected) in [
            ("", "src/a.rs", &["src/a.rs"][..]),
            ("", "what is in `./src/a.rs`?", &["src/a.rs"]),
            ("src", "a.rs", &["src/a.rs"]),
            ("", "src ../src /etc/passwd src//a.rs src/b.rs", &[]),
        ] {
            assert_eq!(named(root.path(), from, query), expected, "{query}");
        }
    }
}
