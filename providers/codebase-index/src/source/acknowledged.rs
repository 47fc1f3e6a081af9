//! What a backend has of a checkout: the root that it holds in full, and the files as they were taken, so that
//! those that go are taken back.

use std::path::{Path, PathBuf};

use ctxhost_sdk::protocol::codebase_index::FileHash;
use serde::{Deserialize, Serialize};

use super::private;
use crate::select::root::short;

/// 200,000 paths of 200 bytes, with their hashes.
const MOST_KEPT: u64 = 64 << 20;

/// So many pairs of a backend and a checkout are remembered.
const MOST_PAIRS: usize = 256;

/// What a backend holds of a checkout.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Held {
    /// The root of which every file has been taken.
    pub(crate) root: String,
    /// Its files as they were taken, sorted.
    pub(crate) files: Vec<FileHash>,
}

/// Where it is kept for one backend and one checkout.
#[derive(Clone, Debug)]
pub(crate) struct Place(Option<PathBuf>);

impl Place {
    /// Finds the place below the cache; without a cache nothing is remembered.
    pub(crate) fn new(cache: Option<&Path>, url: &str, repo: &str, reference: &str) -> Self {
        let name = short(format!("{url}\n{repo}\n{reference}").as_bytes(), 32);
        Self(cache.map(|cache| cache.join("acknowledged").join(name)))
    }

    /// Reads what is kept; anything unreadable is nothing.
    pub(crate) fn read(&self) -> Option<Held> {
        postcard::from_bytes(&private::read(self.0.as_deref()?, MOST_KEPT)?).ok()
    }

    /// Keeps it. When that fails, the next sync sends the list of files once more.
    pub(crate) fn write(&self, held: &Held) {
        let Some(file) = &self.0 else { return };
        let Ok(bytes) = postcard::to_allocvec(held) else { return };
        if private::write(file, &bytes).is_ok() {
            private::keep_newest(file.parent().unwrap_or(file), MOST_PAIRS);
        }
    }

    /// Forgets the root and keeps the files: what the backend has is in doubt.
    pub(crate) fn doubt(&self) {
        if let Some(held) = self.read().filter(|held| !held.root.is_empty()) {
            self.write(&Held { root: String::new(), ..held });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_backend_and_checkout_has_its_own() {
        let cache = tempfile::tempdir().unwrap();
        let place = |url: &str, reference: &str| Place::new(Some(cache.path()), url, "a/b", reference);
        let files = vec![FileHash { path: "a".into(), hash: "h".into() }];
        let held = Held { root: "r".into(), files: files.clone() };
        place("http://one", "1").write(&held);
        assert_eq!(place("http://one", "1").read(), Some(held));
        assert_eq!(place("http://two", "1").read(), None);
        assert_eq!(place("http://one", "2").read(), None);
        place("http://one", "1").doubt();
        assert_eq!(place("http://one", "1").read().unwrap(), Held { root: String::new(), files });
        assert_eq!(Place::new(None, "", "", "").read(), None);
    }
}
