//! What the paths in a state lead to: links, folders, and where a file lies for the ignore rules.

use std::{
    cell::OnceCell,
    collections::VecDeque,
    ffi::{OsStr, OsString},
    fs, io,
    path::{Component, Path, PathBuf},
};

use ctxhost_sdk::{Result, protocol::ide_context::State};

use crate::source::GoOn;

/// How many symbolic links a path may lead through; the system's own limit.
const MOST_LINKS: usize = 40;

/// The longest path that the system takes, with the byte that ends it.
const LONGEST_PATH: usize = 4096;

/// How many names a path may have; people's folders are a dozen deep, and each name costs a look-up.
const MOST_NAMES: usize = 256;

/// How many launch arguments are looked up; a person types a handful.
const MOST_ARGUMENTS: usize = 100;

/// How many names are looked up for one editor, links' targets too, so that no state costs the others their turn.
const MOST_LOOKUPS: usize = 1_024;

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
    /// The path: absolute and without `.` and `..`, or as reported where these lead through a link to another place, or
    /// where it cannot be resolved.
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
    /// Where the buffer's file or folder is, when the state has an absolute path for it.
    pub(crate) place: Option<Directory>,
    /// The launch arguments that are directories, once they were looked for.
    pub(crate) arguments: Vec<ArgumentDirectory>,
    /// What the buffer shows, once somebody has asked: it costs the most and matters for the connected editor only.
    subject: OnceCell<Subject>,
    /// How many names may still be looked up.
    lookups: usize,
}

impl Directory {
    pub(crate) fn new(path: &str) -> Self {
        Self::within(path, &mut { MOST_LOOKUPS })
    }

    /// The same with so many look-ups; of a path that is too long nothing is known.
    fn within(path: &str, lookups: &mut usize) -> Self {
        if !is_short(path) {
            return Self::default();
        }
        Self { path: without_dots(path), real: real(path, lookups) }
    }
}

impl Paths {
    /// Looks up where an editor is and where its file is.
    pub(crate) fn of(state: &State) -> Self {
        let mut lookups = MOST_LOOKUPS;
        let cwd = Directory::within(&state.cwd, &mut lookups);
        let reported = state.active_buffer.file.as_deref().unwrap_or_default();
        let place = reported.starts_with('/').then(|| Directory::within(reported, &mut lookups));
        Self { cwd, place, arguments: Vec::new(), subject: OnceCell::new(), lookups }
    }

    /// Looks for directories among the launch arguments; `false` when time was up before the last.
    pub(crate) fn find_arguments(&mut self, state: &State, go_on: &GoOn<'_>) -> Result<bool> {
        for (number, argument) in state.argv.iter().take(MOST_ARGUMENTS).enumerate() {
            // Asking about the time costs more than most look-ups.
            if number % 16 == 0 && !go_on()? {
                return Ok(false);
            }
            self.arguments.extend(argument_directory(argument, &self.cwd.path, &mut self.lookups));
        }
        Ok(true)
    }

    /// What the buffer shows.
    pub(crate) fn subject(&self, state: &State, project: &Directory) -> &Subject {
        self.subject.get_or_init(|| {
            let reported = state.active_buffer.file.as_deref().unwrap_or_default();
            subject(reported, &state.cwd, &self.cwd, project)
        })
    }
}

fn argument_directory(argument: &str, cwd: &str, lookups: &mut usize) -> Option<ArgumentDirectory> {
    if !is_short(argument) {
        return None;
    }
    let path = joined(argument, cwd).filter(|path| is_short(path))?;
    if !is_folder(&path) {
        return None;
    }
    Some(ArgumentDirectory { argument: argument.to_owned(), directory: Directory::within(&path, lookups) })
}

/// Whether a path is one that the system could take, and of no absurd depth.
fn is_short(path: &str) -> bool {
    path.len() < LONGEST_PATH && path.split('/').filter(|name| !name.is_empty()).count() <= MOST_NAMES
}

fn is_folder(path: &str) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_dir())
}

/// `written` is the editor's directory as it stands in the state.
fn subject(reported: &str, written: &str, cwd: &Directory, project: &Directory) -> Subject {
    if reported.is_empty() {
        return Subject::Unnamed;
    }
    if is_pseudo(reported) {
        return Subject::PseudoFile;
    }
    if !is_short(reported) || reported.contains('\0') {
        return Subject::Impossible;
    }
    // Of a directory that is too long nothing is known, so nothing resolves against it.
    let base = if is_short(written) { written } else { "" };
    let Some(whole) = joined(reported, base) else {
        let path = without_dots(reported);
        let views = vec![View { in_project: false, path: path.clone() }];
        return Subject::File(File { path, views });
    };
    if !is_short(&whole) {
        return Subject::Impossible;
    }
    let Some(file) = file(whole, cwd, project) else { return Subject::Impossible };
    if reported.ends_with('/') || is_folder(&file.path) {
        return Subject::Folder;
    }
    Subject::File(file)
}

/// A file by its absolute path; `None` when nobody can open it, since its links lead in a circle or too far.
fn file(whole: String, cwd: &Directory, project: &Directory) -> Option<File> {
    let plain = without_dots(&whole);
    let mut views = views(&plain, cwd, project)?;
    // The system follows a link before it goes up from it, so `link/../x` can be another file than `x`.
    let goes_up = whole.split('/').any(|name| name == "..");
    if !goes_up || fs::symlink_metadata(&whole).is_err() {
        return Some(File { path: plain, views });
    }
    let opened = real(&whole, &mut { MOST_LOOKUPS })?;
    let is_another = real(&plain, &mut { MOST_LOOKUPS }).as_ref() != Some(&opened);
    add(&mut views, followed(&opened, cwd, project));
    Some(File { path: if is_another { whole } else { plain }, views })
}

/// Whether a scheme and `://` stand at the start, as in `term://`.
fn is_pseudo(path: &str) -> bool {
    path.split_once("://").is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|character| character.is_ascii_alphanumeric() || "+-.".contains(character))
    })
}

/// Makes a path absolute; `None` when the base is not absolute either.
fn joined(path: &str, base: &str) -> Option<String> {
    if path.starts_with('/') {
        return Some(path.to_owned());
    }
    base.starts_with('/').then(|| format!("{base}/{path}"))
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
fn real(path: &str, lookups: &mut usize) -> Option<String> {
    let real = walk(path, lookups, |_, _| ())?;
    Some(real.to_string_lossy().into_owned())
}

/// Follows an absolute path one name at a time and tells at the end of each where it really is; `None` for a path that
/// leads in a circle or takes too many look-ups.
fn walk(path: &str, lookups: &mut usize, mut passed: impl FnMut(usize, &Path)) -> Option<PathBuf> {
    if !path.starts_with('/') {
        return None;
    }
    let mut walker = Walker { real: PathBuf::from("/"), links: 0, is_there: true, lookups };
    let mut end = 0;
    for name in path.split('/') {
        end += name.len();
        walker.enter(name.as_ref())?;
        passed(end, &walker.real);
        end += 1;
    }
    Some(walker.real)
}

/// Somebody on the way along a path.
struct Walker<'a> {
    /// Where it has come to, without links.
    real: PathBuf,
    /// How many links it has followed.
    links: usize,
    /// Whether that place exists: behind the first name that does not, nothing does.
    is_there: bool,
    /// How many names it may still look up.
    lookups: &'a mut usize,
}

impl Walker<'_> {
    fn enter(&mut self, name: &OsStr) -> Option<()> {
        let mut rest = VecDeque::from([name.to_owned()]);
        while let Some(name) = rest.pop_front() {
            match name.to_str() {
                Some("" | ".") => continue,
                Some("..") => {
                    self.real.pop();
                    continue;
                }
                _ => self.real.push(name),
            }
            if !self.is_there {
                continue;
            }
            *self.lookups = self.lookups.checked_sub(1)?;
            match fs::read_link(&self.real) {
                Ok(target) => {
                    self.links += 1;
                    if self.links > MOST_LINKS {
                        return None;
                    }
                    self.real.pop();
                    if target.is_absolute() {
                        self.real = PathBuf::from("/");
                    }
                    for name in names(&target).rev() {
                        rest.push_front(name);
                    }
                }
                // That is what the system says of anything that is there and no link.
                Err(error) => self.is_there = error.kind() == io::ErrorKind::InvalidInput,
            }
        }
        Some(())
    }
}

fn names(path: &Path) -> impl DoubleEndedIterator<Item = OsString> {
    path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
    })
}

/// The ways in which the ignore rules look at a file: as it is called, and with its links followed.
fn views(path: &str, cwd: &Directory, project: &Directory) -> Option<Vec<View>> {
    let mut parents = Vec::new();
    let real = walk(path, &mut { MOST_LOOKUPS }, |end, real| {
        parents.push((end, real.to_string_lossy().into_owned()));
    })?;
    // The last is the file itself.
    parents.pop();
    let mut views = vec![view(path, |directory| inside_as_called(path, &parents, directory), cwd, project)];
    add(&mut views, followed(&real.to_string_lossy(), cwd, project));
    Some(views)
}

fn add(views: &mut Vec<View>, view: View) {
    if !views.contains(&view) {
        views.push(view);
    }
}

/// The way to look at a file by a path without links.
fn followed(real: &str, cwd: &Directory, project: &Directory) -> View {
    view(real, |directory| below(real, directory.real.as_deref()?), cwd, project)
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
///
/// `parents` are the ends of their paths within the file's, and where they really are.
fn inside_as_called(path: &str, parents: &[(usize, String)], directory: &Directory) -> Option<String> {
    below(path, &directory.path).or_else(|| {
        let wanted = directory.real.as_deref()?;
        let (end, _) = parents.iter().rev().find(|(_, real)| real == wanted)?;
        // At the root the end is in front of the slash.
        below(path, if *end == 0 { "/" } else { &path[..*end] })
    })
}

/// The rest of a path behind a directory, by whole names; nothing is below a directory that is not known.
fn below(path: &str, directory: &str) -> Option<String> {
    if !directory.starts_with('/') {
        return None;
    }
    let rest = path.strip_prefix(directory.trim_end_matches('/'))?.strip_prefix('/')?;
    (!rest.is_empty()).then(|| rest.to_owned())
}

#[cfg(test)]
mod tests;
