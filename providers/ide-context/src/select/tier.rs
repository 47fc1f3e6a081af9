//! Which tier an editor is in for a session's directory, and the evidence for it.

use crate::{
    shape::words::{clipped, plain},
    source::{
        Editor,
        paths::{Directory, Paths},
    },
};

/// How much of a launch argument an evidence quotes.
const LONGEST_ARGUMENT: usize = 100;

/// The best tier an editor can be in: its directory is the session's.
pub(crate) const SAME: u8 = 0;

/// The other tier: something of it is inside the session's directory.
pub(crate) const INSIDE: u8 = 1;

/// Why an editor belongs to a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Belonging {
    pub(crate) tier: u8,
    /// For a person.
    pub(crate) evidence: String,
}

/// How one path lies to the session's directory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lies {
    At,
    Inside,
    Elsewhere,
}

/// Scores an editor; `None` when nothing speaks for it.
pub(crate) fn belonging(editor: &Editor, project: &Directory) -> Option<Belonging> {
    let Paths { cwd, place, arguments, .. } = &editor.paths;
    let (at, by_link) = lies(cwd, project);
    let found = |tier, what: String, by_link: bool| {
        let link = if by_link { ", through a symbolic link" } else { "" };
        Some(Belonging { tier, evidence: format!("{what}{link}") })
    };
    match at {
        Lies::At => return found(SAME, "its directory is this directory".to_owned(), by_link),
        Lies::Inside => return found(INSIDE, "its directory is inside".to_owned(), by_link),
        Lies::Elsewhere => {}
    }
    // A relative file says nothing: it is below the editor's directory, which has been looked at.
    if let Some((Lies::Inside, by_link)) = place.as_ref().map(|place| lies(place, project)) {
        return found(INSIDE, "its file is inside".to_owned(), by_link);
    }
    arguments.iter().find_map(|argument| {
        let (what, by_link) = match lies(&argument.directory, project) {
            (Lies::At, by_link) => ("this directory", by_link),
            (Lies::Inside, by_link) => ("inside", by_link),
            (Lies::Elsewhere, _) => return None,
        };
        found(
            INSIDE,
            format!("its argument `{}` is {what}", clipped(&plain(&argument.argument), LONGEST_ARGUMENT)),
            by_link,
        )
    })
}

/// How a path lies to a directory, and whether only their real places say so.
///
/// The names alone come first, as the protocol compares them; the real places can only add to that.
fn lies(path: &Directory, project: &Directory) -> (Lies, bool) {
    // Of a path that is too long nothing is known, and it lies nowhere.
    if path.path.is_empty() || project.path.is_empty() {
        return (Lies::Elsewhere, false);
    }
    let called = compare(&path.path, &project.path);
    if called != Lies::Elsewhere {
        return (called, false);
    }
    match (&path.real, &project.real) {
        (Some(path), Some(project)) => (compare(path, project), true),
        _ => (Lies::Elsewhere, false),
    }
}

fn compare(path: &str, directory: &str) -> Lies {
    let (path, directory) = (path.trim_end_matches('/'), directory.trim_end_matches('/'));
    match path.strip_prefix(directory) {
        Some("") => Lies::At,
        Some(rest) if rest.starts_with('/') => Lies::Inside,
        _ => Lies::Elsewhere,
    }
}

#[cfg(test)]
mod tests;
