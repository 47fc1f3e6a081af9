//! What the content of an index depends on besides the files.

use std::{fs, os::unix::fs::MetadataExt};

use crate::grammar::Grammars;

/// To be counted up when words, symbols or kinds of files are told otherwise within one version of the crate.
const FORM: u32 = 2;

/// Gives a number that is another one when the same files would give another index: with another version of the crate,
/// with other grammars, or with another rule for files that are kept by their path alone.
pub(super) fn of(grammars: &Grammars, rule: Option<&str>) -> u64 {
    let mut text = format!("{FORM} {} {rule:?}", env!("CARGO_PKG_VERSION"));
    for known in grammars.languages() {
        let stat = fs::metadata(&known.path).map(|stat| (stat.len(), stat.mtime(), stat.mtime_nsec()));
        text += &format!("\n{} {:?}", known.id, stat.ok());
    }
    // FNV-1a: it has to be the same in every build, which the hashes of the standard library are not.
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
