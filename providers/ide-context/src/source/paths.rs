//! What the paths in a state lead to: links, folders, and where a file lies for the ignore rules.

use std::{
    collections::VecDeque,
    ffi::OsString,
    fs,
    path::{Component, Path, PathBuf},
};

use ctxhost_sdk::protocol::ide_context::State;

/// How many symbolic links a path may lead through; the system's own limit.
const MOST_LINKS: usize = 40;

/// The longest path that the system takes.
const LONGEST_PATH: usize = 4096;

/// How many launch arguments are looked up; a person types a handful.
const MOST_ARGUMENTS: usize = 256;

/// A directory, as it is called and where it really is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Directory {
    /// The path, without `.`, `..` and slashes at the end.
    pub(crate) path: String,
    /// The same without symbolic links; `None` for a path that is not absolute or leads in a circle.
    pub(crate) real: Option<String>,
}

/// What the active buffer shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A file, which need not exist yet.
    File(File),
    /// A folder, as a file explorer shows it.
    Folder,
    /// Something with an address of its own, such as a terminal.
    PseudoFile,
    /// A name that no file can have.
    Impossible,
    /// A buffer without a name.
    Unnamed,
}

/// The file that a buffer shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct File {
    /// The path: absolute and without `.` and `..`, or as reported where it cannot be resolved.
    pub(crate) path: String,
    /// Where the ignore rules look for it.
    pub(crate) views: Vec<View>,
}

/// One way to look at a file's path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct View {
    /// Whether it is inside the session's directory, and the project's rules apply.
    pub(crate) in_project: bool,
    /// The path from the base, with `/`.
    pub(crate) path: String,
}

/// A launch argument that is an existing directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArgumentDirectory {
    pub(crate) argument: String,
    pub(crate) directory: Directory,
}

/// What the file system says about the paths in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Paths {
    pub(crate) cwd: Directory,
    pub(crate) subject: Subject,
    /// Where the buffer's file or folder is, when the state has an absolute path for it.
    pub(crate) place: Option<Directory>,
    pub(crate) arguments: Vec<ArgumentDirectory>,
}

impl Directory {
    pub(crate) fn new(path: &str) -> Self {
        Self { path: without_dots(path), real: real(path) }
    }
}

impl Paths {
    pub(crate) fn of(state: &State, project: &Directory) -> Self {
        let cwd = Directory::new(&state.cwd);
        let reported = state.active_buffer.file.as_deref().unwrap_or_default();
        let subject = subject(reported, &cwd, project);
        let place = reported.starts_with('/').then(|| Directory::new(reported));
        let arguments = state
            .argv
            .iter()
            .take(MOST_ARGUMENTS)
            .filter_map(|argument| {
                let directory = Directory::new(&absolute(argument, &cwd.path)?);
                fs::metadata(&directory.path)
                    .is_ok_and(|metadata| metadata.is_dir())
                    .then(|| ArgumentDirectory { argument: argument.clone(), directory })
            })
            .collect();
        Self { cwd, subject, place, arguments }
    }
}

fn subject(reported: &str, cwd: &Directory, project: &Directory) -> Subject {
    if reported.is_empty() {
        return Subject::Unnamed;
    }
    if is_pseudo(reported) {
        return Subject::PseudoFile;
    }
    if reported.len() >= LONGEST_PATH || reported.contains('\0') {
        return Subject::Impossible;
    }
    let Some(path) = absolute(reported, &cwd.path) else {
        let path = without_dots(reported);
        let views = vec![View { in_project: false, path: path.clone() }];
        return Subject::File(File { path, views });
    };
    if reported.ends_with('/') || fs::metadata(&path).is_ok_and(|metadata| metadata.is_dir()) {
        return Subject::Folder;
    }
    let views = views(&path, cwd, project);
    Subject::File(File { path, views })
}

/// Whether a scheme and `://` stand at the start, as in `term://`.
fn is_pseudo(path: &str) -> bool {
    path.split_once("://").is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|character| character.is_ascii_alphanumeric() || "+-.".contains(character))
    })
}

/// Makes a path absolute and takes `.` and `..` out; `None` when the base is not absolute either.
fn absolute(path: &str, base: &str) -> Option<String> {
    if path.starts_with('/') {
        return Some(without_dots(path));
    }
    base.starts_with('/').then(|| without_dots(&format!("{base}/{path}")))
}

fn without_dots(path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    let is_absolute = path.starts_with('/');
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." if names.last().is_some_and(|last| *last != "..") => {
                names.pop();
            }
            // Nothing is above the root.
            ".." if is_absolute => {}
            name => names.push(name),
        }
    }
    format!("{}{}", if is_absolute { "/" } else { "" }, names.join("/"))
}

/// An absolute path without symbolic links, as far as it exists; the rest stays as it is.
///
/// A file that the user is about to write can be behind a link as well as any other.
fn real(path: &str) -> Option<String> {
    if !path.starts_with('/') {
        return None;
    }
    let resolved = fs::canonicalize(path).ok().or_else(|| resolve(Path::new(path)))?;
    Some(resolved.to_string_lossy().into_owned())
}

fn resolve(path: &Path) -> Option<PathBuf> {
    let mut real = PathBuf::from("/");
    let mut links = 0;
    let mut rest: VecDeque<OsString> = names(path).collect();
    while let Some(name) = rest.pop_front() {
        if name == ".." {
            real.pop();
            continue;
        }
        real.push(name);
        if let Ok(target) = fs::read_link(&real) {
            links += 1;
            if links > MOST_LINKS {
                return None;
            }
            real.pop();
            if target.is_absolute() {
                real = PathBuf::from("/");
            }
            for name in names(&target).rev() {
                rest.push_front(name);
            }
        }
    }
    Some(real)
}

fn names(path: &Path) -> impl DoubleEndedIterator<Item = OsString> {
    path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
    })
}

/// The ways in which the ignore rules look at a file: as it is called, and with its links followed.
fn views(path: &str, cwd: &Directory, project: &Directory) -> Vec<View> {
    let called = view(path, |directory| inside_as_called(path, directory), cwd, project);
    let mut views = vec![called];
    if let Some(real) = real(path) {
        let followed = view(&real, |directory| below(&real, directory.real.as_deref()?), cwd, project);
        if followed != views[0] {
            views.push(followed);
        }
    }
    views
}

fn view(
    path: &str,
    inside: impl Fn(&Directory) -> Option<String>,
    cwd: &Directory,
    project: &Directory,
) -> View {
    if let Some(path) = inside(project) {
        return View { in_project: true, path };
    }
    let path = inside(cwd).unwrap_or_else(|| path.trim_start_matches('/').to_owned());
    View { in_project: false, path }
}

/// The path from a directory to a file as it is called, also when one of its parents is that directory by another name.
fn inside_as_called(path: &str, directory: &Directory) -> Option<String> {
    below(path, &directory.path).or_else(|| {
        let wanted = directory.real.as_deref()?;
        let parent = Path::new(path)
            .ancestors()
            .skip(1)
            .find(|parent| parent.to_str().and_then(real).as_deref() == Some(wanted))?;
        below(path, parent.to_str()?)
    })
}

/// The rest of a path behind a directory, by whole names.
fn below(path: &str, directory: &str) -> Option<String> {
    let rest = path.strip_prefix(directory.trim_end_matches('/'))?.strip_prefix('/')?;
    (!rest.is_empty()).then(|| rest.to_owned())
}

#[cfg(test)]
mod tests;
