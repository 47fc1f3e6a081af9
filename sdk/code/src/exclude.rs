//! Keeps files of ours out of git, through the repository's own `info/exclude`, which nobody commits.

use std::{
    fs::{File, Permissions},
    io::{self, Read, Write},
    os::fd::OwnedFd,
    path::{Component, Path},
    process,
};

use rustix::{
    fs::{AtFlags, CWD, Mode, OFlags, mkdirat, openat, renameat, unlinkat},
    io::Errno,
};

use crate::walk::Repository;

/// An `info/exclude` larger than this is not one.
const LARGEST: u64 = 1024 * 1024;

/// How a folder is entered: without following a link, and where the system can, without the right to list it, which
/// the folders above a home need not give.
const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC).union(ENTER);
#[cfg(target_os = "linux")]
const ENTER: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
const ENTER: OFlags = OFlags::RDONLY;

/// Adds lines to `info/exclude` of the repository that a folder lies in, each once, as a whole or not at all; gives
/// whether anything was missing. All work trees of a repository share the file, and outside of one nothing is done.
///
/// A line counts as there when it stands there with or without a slash at its ends. No lock is taken: of two processes
/// that add different lines at once one may be in vain, and the next call sees what is missing.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # for made in ["objects", "refs"] { std::fs::create_dir_all(folder.path().join(".git").join(made))?; }
/// # std::fs::write(folder.path().join(".git/HEAD"), "ref: refs/heads/main\n")?;
/// use ctxhost_code::exclude;
///
/// assert!(exclude::add(folder.path(), &["notes/"])?);
/// assert!(!exclude::add(folder.path(), &["notes/"])?);
/// assert_eq!(std::fs::read_to_string(folder.path().join(".git/info/exclude"))?, "notes/\n");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// What the system said; also when the file or the folder `info` is a link, or the file no file or too large to be one.
pub fn add(folder: &Path, lines: &[&str]) -> io::Result<bool> {
    let around = folder.canonicalize().ok().and_then(|folder| Repository::around(&folder));
    let Some(repository) = around else { return Ok(false) };
    let folder = entered(&repository.common_folder)?;
    let info = child(&folder, "info")?;
    let (known, permissions) = match info.as_ref().map(read) {
        Some(Ok((known, file))) => (known, Some(file.metadata()?.permissions())),
        Some(Err(error)) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => (Vec::new(), None),
    };
    let Some(text) = with_lines(&known, lines) else { return Ok(false) };
    let info = info.map_or_else(|| made(&folder, "info"), Ok)?;
    let beside = format!("exclude.{}.new", process::id());
    let put = write(&info, &beside, &text, permissions)
        .and_then(|()| Ok(renameat(&info, &beside, &info, "exclude")?));
    if put.is_err() {
        let _ = unlinkat(&info, &beside, AtFlags::empty());
    }
    put?;
    Ok(true)
}

/// Enters a folder part by part: a link that came into its path since it was looked up leads nowhere.
fn entered(folder: &Path) -> io::Result<OwnedFd> {
    let mut entered = openat(CWD, "/", FOLDER, Mode::empty())?;
    for part in folder.components() {
        if let Component::Normal(name) = part {
            entered = openat(&entered, name, FOLDER, Mode::empty())?;
        }
    }
    Ok(entered)
}

/// Enters a folder in another; `None` when it is not there.
fn child(folder: &OwnedFd, name: &str) -> io::Result<Option<OwnedFd>> {
    match openat(folder, name, FOLDER, Mode::empty()) {
        Ok(child) => Ok(Some(child)),
        Err(Errno::NOENT) => Ok(None),
        Err(errno) => Err(errno.into()),
    }
}

fn made(folder: &OwnedFd, name: &str) -> io::Result<OwnedFd> {
    match mkdirat(folder, name, Mode::from_raw_mode(0o777)) {
        // Another process was faster.
        Err(Errno::EXIST) => {}
        made => made?,
    }
    child(folder, name)?.ok_or_else(|| io::ErrorKind::NotFound.into())
}

/// The text with the lines that are missing, in the file's own line ends; `None` when none is.
fn with_lines(known: &[u8], lines: &[&str]) -> Option<Vec<u8>> {
    fn bare(line: &str) -> &str {
        line.trim().trim_matches('/')
    }
    let text = String::from_utf8_lossy(known);
    let missing = |line: &&&str| !text.lines().any(|known| bare(known) == bare(line));
    let missing: Vec<_> = lines.iter().filter(missing).collect();
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut next = known.to_vec();
    if !known.is_empty() && !known.ends_with(b"\n") {
        next.extend(end.as_bytes());
    }
    for line in &missing {
        next.extend(line.as_bytes());
        next.extend(end.as_bytes());
    }
    (!missing.is_empty()).then_some(next)
}

fn write(info: &OwnedFd, name: &str, text: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut file = File::from(openat(info, name, flags, Mode::from_raw_mode(0o666))?);
    permissions.map_or(Ok(()), |permissions| file.set_permissions(permissions))?;
    file.write_all(text)
}

fn read(info: &OwnedFd) -> io::Result<(Vec<u8>, File)> {
    // Not blocking, because opening a pipe waits for whoever is at its other end.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(openat(info, "exclude", flags, Mode::empty())?);
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let mut text = Vec::new();
    (&file).take(LARGEST + 1).read_to_end(&mut text)?;
    if text.len() as u64 > LARGEST { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok((text, file)) }
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        os::unix::fs::{PermissionsExt, symlink},
        path::PathBuf,
    };

    use super::*;

    const LINES: &[&str] = &[".pilot/", "maps.md"];

    struct Place(tempfile::TempDir);

    impl Place {
        fn new() -> Self {
            let place = Self(tempfile::tempdir().expect("a folder"));
            for folder in ["objects", "refs", "info"] {
                fs::create_dir_all(place.path("repo/.git").join(folder)).expect("folders");
            }
            fs::write(place.path("repo/.git/HEAD"), "ref: refs/heads/main\n").expect("a file");
            place
        }

        fn path(&self, below: &str) -> PathBuf {
            self.0.path().join(below)
        }

        fn exclude(&self) -> PathBuf {
            self.path("repo/.git/info/exclude")
        }
    }

    #[test]
    fn a_line_is_added_once_and_the_others_stay() {
        for (before, after) in [
            ("", ".pilot/\nmaps.md\n"),
            ("# mine\n*.log", "# mine\n*.log\n.pilot/\nmaps.md\n"),
            ("a\r\nb", "a\r\nb\r\n.pilot/\r\nmaps.md\r\n"),
            ("/maps.md\n", "/maps.md\n.pilot/\n"),
            ("  .pilot/  \n", "  .pilot/  \nmaps.md\n"),
            ("/.pilot\r\n/maps.md", "/.pilot\r\n/maps.md"),
            ("#.pilot/\n!maps.md\n", "#.pilot/\n!maps.md\n.pilot/\nmaps.md\n"),
        ] {
            let place = Place::new();
            fs::write(place.exclude(), before).expect("a file");
            assert_eq!(
                add(&place.path("repo"), LINES).expect("it is written"),
                before != after,
                "{before:?}"
            );
            assert!(!add(&place.path("repo"), LINES).expect("it is there"));
            assert_eq!(fs::read_to_string(place.exclude()).expect("a file"), after);
            assert_eq!(fs::read_dir(place.path("repo/.git/info")).expect("a folder").count(), 1);
        }
    }

    #[test]
    fn bytes_and_permissions_stay() {
        let place = Place::new();
        fs::write(place.exclude(), b"\xff\xfe\n").expect("a file");
        fs::set_permissions(place.exclude(), fs::Permissions::from_mode(0o640)).expect("it is ours");
        assert!(add(&place.path("repo"), &["a"]).expect("it is written"));
        assert_eq!(fs::read(place.exclude()).expect("a file"), b"\xff\xfe\na\n");
        let mode = place.exclude().metadata().expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }

    #[test]
    fn a_folder_inside_and_a_worktree_belong_to_their_repository() {
        let place = Place::new();
        fs::create_dir_all(place.path("repo/a/b")).expect("folders");
        assert!(add(&place.path("repo/a/b"), LINES).expect("it is written"));
        fs::remove_dir_all(place.path("repo/.git/info")).expect("it is ours");

        fs::create_dir_all(place.path("repo/.git/worktrees/w")).expect("folders");
        fs::write(place.path("repo/.git/worktrees/w/commondir"), "../..\n").expect("a file");
        fs::write(place.path("repo/.git/worktrees/w/HEAD"), "ref: refs/heads/w\n").expect("a file");
        fs::create_dir_all(place.path("w")).expect("folders");
        let gitdir = format!("gitdir: {}\n", place.path("repo/.git/worktrees/w").display());
        fs::write(place.path("w/.git"), gitdir).expect("a file");
        assert!(add(&place.path("w"), LINES).expect("it is written"));
        assert_eq!(fs::read_to_string(place.exclude()).expect("a file"), ".pilot/\nmaps.md\n");
        assert!(!place.path("repo/.git/worktrees/w/info").exists());
    }

    #[test]
    fn what_is_no_repository_gets_nothing() {
        let place = Place::new();
        fs::create_dir_all(place.path("plain/info")).expect("folders");
        fs::create_dir_all(place.path("lured")).expect("folders");
        fs::write(place.path("lured/.git"), format!("gitdir: {}\n", place.path("plain").display()))
            .expect("a file");
        assert!(!add(&place.path("lured"), LINES).expect("nothing to do"));
        assert!(!place.path("plain/info/exclude").exists());
        fs::write(place.path("lured/.git"), [0xFF, 0xFE]).expect("a file");
        assert!(!add(&place.path("lured"), LINES).expect("nothing to do"));
        assert!(!add(&place.path("gone"), LINES).expect("nothing to do"));
    }

    #[test]
    fn a_link_leads_no_write_outside() {
        let place = Place::new();
        fs::create_dir(place.path("outside")).expect("a folder");
        fs::remove_dir(place.path("repo/.git/info")).expect("it is ours");
        symlink(place.path("outside"), place.path("repo/.git/info")).expect("a link");
        assert!(add(&place.path("repo"), LINES).is_err());
        assert_eq!(fs::read_dir(place.path("outside")).expect("a folder").count(), 0);
    }

    #[test]
    fn what_stands_in_the_way_is_left_alone() {
        let place = Place::new();
        fs::write(place.path("elsewhere"), "x\n").expect("a file");
        symlink(place.path("elsewhere"), place.exclude()).expect("a link");
        assert!(add(&place.path("repo"), LINES).is_err());
        assert_eq!(fs::read_to_string(place.path("elsewhere")).expect("it is there"), "x\n");

        fs::remove_file(place.exclude()).expect("it is ours");
        let large = File::create(place.exclude()).expect("a file");
        large.set_len(LARGEST + 1).expect("it is ours");
        assert!(add(&place.path("repo"), LINES).is_err());
        assert_eq!(place.exclude().metadata().expect("a file").len(), LARGEST + 1);
    }
}
