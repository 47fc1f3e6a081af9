//! What is remembered of a file that was edited, so that it can be given back as it was.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// What stood in a file before our entries did.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Record {
    v: u32,
    /// The file, where it really lies.
    pub(crate) path: PathBuf,
    /// Whether there was one.
    pub(crate) existed: bool,
    /// What was in it.
    pub(crate) original: String,
    /// The hash of what was written.
    written: String,
    /// The folders that were made for it, inner ones first.
    pub(crate) made_dirs: Vec<PathBuf>,
}

impl Record {
    /// A record of what is about to be written.
    pub(crate) fn new(path: &Path, original: Option<&str>, written: &[u8], made_dirs: Vec<PathBuf>) -> Self {
        Self {
            v: 1,
            path: path.to_owned(),
            existed: original.is_some(),
            original: original.unwrap_or_default().to_owned(),
            written: hash(written),
            made_dirs,
        }
    }

    /// The record after another write over the same original.
    pub(crate) fn rewritten(&self, written: &[u8]) -> Self {
        Self { written: hash(written), ..self.clone() }
    }

    /// Where the record of a file lies.
    pub(crate) fn place(state_dir: &Path, file: &Path) -> PathBuf {
        state_dir.join("installed").join(format!("{}.json", hash(file.as_os_str().as_encoded_bytes())))
    }

    /// A record as it was stored; one that cannot be read was none.
    pub(crate) fn parse(bytes: &[u8], file: &Path) -> Option<Self> {
        let record: Self = serde_json::from_slice(bytes).ok()?;
        (record.v == 1 && record.path == file).then_some(record)
    }

    /// As it is stored.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec_pretty(self).unwrap_or_default()
    }

    /// Whether a file is still what was written.
    pub(crate) fn is_of(&self, bytes: &[u8]) -> bool {
        self.written == hash(bytes)
    }
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
