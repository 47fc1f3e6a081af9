//! The hash of what a pair is made from.

use sha2::{Digest, Sha256};

use super::inventory::{FileFacts, Hash};

/// Over path and hash of each file, which come sorted by path.
pub(crate) fn inputs<'a>(files: impl Iterator<Item = &'a FileFacts>) -> Hash {
    let mut hash = Sha256::new();
    for file in files {
        hash.update(&file.path);
        hash.update([0]);
        hash.update(file.hash);
    }
    hash.finalize().into()
}
