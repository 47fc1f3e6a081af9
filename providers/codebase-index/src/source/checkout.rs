//! Which checkout this is: an id of its own for every work tree, so that branches, clones and work trees of one repository do
//! not overwrite each other at the backend.

use std::{
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use super::private;
use crate::select::root::{hex, short};

/// As many hex digits an id has.
const DIGITS: usize = 16;

/// Gives the id of the work tree at a root; it is made at first and kept in the provider's state.
///
/// Without a state folder the id is made of what tells one folder from another on this machine, so that each run still has
/// the same.
pub(crate) fn reference(state: Option<&Path>, root: &Path) -> String {
    state.and_then(|state| kept(&place(state, root))).unwrap_or_else(|| made_of(root))
}

fn place(state: &Path, root: &Path) -> PathBuf {
    state.join("checkouts").join(short(root.as_os_str().as_encoded_bytes(), 32))
}

fn kept(file: &Path) -> Option<String> {
    if let Some(id) = read(file) {
        return Some(id);
    }
    let mut random = [0; DIGITS / 2];
    getrandom::fill(&mut random).ok()?;
    let id = hex(&random);
    match private::create(file, id.as_bytes()) {
        Ok(()) => Some(id),
        // Another process was first, or what is there is broken and makes room.
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => read(file).or_else(|| {
            private::write(file, id.as_bytes()).ok()?;
            Some(id)
        }),
        Err(_) => None,
    }
}

fn read(file: &Path) -> Option<String> {
    let id = String::from_utf8(private::read(file, 64)?).ok()?;
    let is_id = id.len() == DIGITS && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_id.then_some(id)
}

fn made_of(root: &Path) -> String {
    let (device, number) = root.metadata().map_or((0, 0), |folder| (folder.dev(), folder.ino()));
    let mut text = root.as_os_str().as_encoded_bytes().to_vec();
    text.extend(device.to_le_bytes());
    text.extend(number.to_le_bytes());
    short(&text, DIGITS)
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, thread};

    use super::*;

    #[test]
    fn an_id_is_made_once_for_each_root() {
        let place = tempfile::tempdir().unwrap();
        let state = place.path().join("state");
        let id = |root: &str| reference(Some(&state), &place.path().join(root));
        let ids: BTreeSet<_> = thread::scope(|scope| {
            (0..8)
                .map(|_| scope.spawn(|| id("a")))
                .collect::<Vec<_>>()
                .into_iter()
                .map(|one| one.join().unwrap())
                .collect()
        });
        assert_eq!(ids.len(), 1, "processes that begin at once agree");
        assert_ne!(id("a"), id("b"));
        assert!(id("a").len() == DIGITS && id("a").bytes().all(|byte| byte.is_ascii_hexdigit()));
    }

    #[test]
    fn a_broken_id_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let root = Path::new("/a");
        private::write(&place(folder.path(), root), b"nonsense").unwrap();
        let id = reference(Some(folder.path()), root);
        assert_eq!(reference(Some(folder.path()), root), id);
    }

    #[test]
    fn without_state_the_id_stays_the_same_for_a_folder() {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join("a")).unwrap();
        let id = reference(None, &place.path().join("a"));
        assert_eq!(reference(None, &place.path().join("a")), id);
        assert_ne!(reference(None, place.path()), id);
        assert_eq!(id.len(), DIGITS);
    }
}
