//! The digest by which a backend sees at once that nothing has changed.

use ctxhost_sdk::protocol::codebase_index::FileHash;
use sha2::{Digest, Sha256};

/// Gives the root of files: SHA-256, in hex, over their `path:hash` lines, joined by line feeds and sorted by the bytes of
/// their paths. The order in which they are given does not matter.
pub(crate) fn root(files: &[FileHash]) -> String {
    let mut sorted: Vec<&FileHash> = files.iter().collect();
    sorted.sort_unstable_by(|a, b| a.path.as_bytes().cmp(b.path.as_bytes()));
    let mut digest = Sha256::new();
    for (place, file) in sorted.into_iter().enumerate() {
        if place > 0 {
            digest.update(b"\n");
        }
        digest.update(&file.path);
        digest.update(b":");
        digest.update(&file.hash);
    }
    hex(&digest.finalize())
}

/// Writes bytes in lower-case hex.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| char::from(DIGITS[usize::from(value & 15)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect()
}

/// Gives the first bytes of a text's SHA-256 in hex, as a name for files and checkouts.
pub(crate) fn short(text: &[u8], digits: usize) -> String {
    let mut name = hex(&Sha256::digest(text));
    name.truncate(digits);
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, hash: &str) -> FileHash {
        FileHash { path: path.into(), hash: hash.into() }
    }

    #[test]
    fn the_root_is_that_of_lines_sorted_by_bytes() {
        // U+FF5E sorts before U+1F600 by bytes and behind it by UTF-16 units.
        let files = [file("b", "2"), file("\u{1f600}", "4"), file("a/b", "1"), file("\u{ff5e}", "3")];
        let lines = "a/b:1\nb:2\n\u{ff5e}:3\n\u{1f600}:4";
        assert_eq!(root(&files), hex(&Sha256::digest(lines)));
        assert_eq!(root(&[]), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    #[test]
    fn bytes_are_written_in_hex() {
        assert_eq!(hex(&[0, 0xab, 0x0f]), "00ab0f");
        assert_eq!(short(b"", 8), "e3b0c442");
    }
}
