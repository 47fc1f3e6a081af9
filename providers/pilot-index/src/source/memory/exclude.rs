//! Keeps `.pilot/` out of git, through the repository's own `info/exclude`.

use std::{
    fs::{self, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use rustix::fs::OFlags;

const LINE: &str = ".pilot/";

/// An `info/exclude` larger than this, or a `.git` file, is not one.
const LARGEST: u64 = 1024 * 1024;

/// Adds the line to the repository that the folder belongs to, once; gives whether it did.
pub(crate) fn ensure(project: &Path) -> io::Result<bool> {
    let Some(git) = common_dir(project) else { return Ok(false) };
    let info = git.join("info");
    let file = info.join("exclude");
    let known = match read(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error),
    };
    if known.lines().any(|line| matches!(line.trim(), ".pilot/" | "/.pilot/" | ".pilot" | "/.pilot")) {
        return Ok(false);
    }
    fs::create_dir_all(&info)?;
    let begin = if known.is_empty() || known.ends_with('\n') { "" } else { "\n" };
    let mut file = options().append(true).create(true).open(&file)?;
    file.write_all(format!("{begin}{LINE}\n").as_bytes())?;
    Ok(true)
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    options.custom_flags(flags.bits() as i32);
    options
}

fn read(file: &Path) -> io::Result<String> {
    let mut text = Vec::new();
    options().read(true).open(file)?.take(LARGEST).read_to_end(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// The folder that all worktrees of the repository share; `None` outside of a repository.
fn common_dir(project: &Path) -> Option<PathBuf> {
    let (root, found) = project
        .ancestors()
        .find_map(|folder| Some((folder, folder.join(".git").symlink_metadata().ok()?)))?;
    let git = root.join(".git");
    let git = if found.is_file() {
        let text = read(&git).ok()?;
        root.join(text.strip_prefix("gitdir:")?.trim())
    } else {
        git
    };
    let common = match read(&git.join("commondir")) {
        Ok(text) => git.join(text.trim()),
        Err(_) => git,
    };
    // What a `.git` file names could be anything; a repository has these two.
    (common.join("HEAD").is_file() && common.join("objects").is_dir()).then_some(common)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Place(tempfile::TempDir);

    impl Place {
        fn new() -> Self {
            let place = Self(tempfile::tempdir().expect("a folder"));
            fs::create_dir_all(place.path("repo/.git/objects")).expect("folders");
            fs::write(place.path("repo/.git/HEAD"), "ref: refs/heads/main\n").expect("a file");
            place
        }

        fn path(&self, below: &str) -> PathBuf {
            self.0.path().join(below)
        }

        fn excluded(&self) -> String {
            fs::read_to_string(self.path("repo/.git/info/exclude")).unwrap_or_default()
        }
    }

    #[test]
    fn the_line_is_added_once_and_the_others_stay() {
        let place = Place::new();
        assert!(ensure(&place.path("repo")).expect("it is written"));
        assert!(!ensure(&place.path("repo")).expect("it is there"));
        assert_eq!(place.excluded(), ".pilot/\n");
        fs::write(place.path("repo/.git/info/exclude"), "# mine\n*.log").expect("a file");
        assert!(ensure(&place.path("repo")).expect("it is written"));
        assert_eq!(place.excluded(), "# mine\n*.log\n.pilot/\n");
        for known in ["/.pilot\n", "  .pilot/  \n", ".pilot"] {
            fs::write(place.path("repo/.git/info/exclude"), known).expect("a file");
            assert!(!ensure(&place.path("repo")).expect("it is there"), "{known}");
            assert_eq!(place.excluded(), known);
        }
    }

    #[test]
    fn a_folder_inside_and_a_worktree_belong_to_their_repository() {
        let place = Place::new();
        fs::create_dir_all(place.path("repo/a/b")).expect("folders");
        assert!(ensure(&place.path("repo/a/b")).expect("it is written"));
        fs::remove_dir_all(place.path("repo/.git/info")).expect("it is ours");

        fs::create_dir_all(place.path("repo/.git/worktrees/w")).expect("folders");
        fs::write(place.path("repo/.git/worktrees/w/commondir"), "../..\n").expect("a file");
        fs::create_dir_all(place.path("w")).expect("folders");
        let gitdir = format!("gitdir: {}\n", place.path("repo/.git/worktrees/w").display());
        fs::write(place.path("w/.git"), gitdir).expect("a file");
        assert!(ensure(&place.path("w")).expect("it is written"));
        assert_eq!(place.excluded(), ".pilot/\n");
        assert!(!place.path("repo/.git/worktrees/w/info").exists());
    }

    #[test]
    fn what_is_no_repository_gets_nothing() {
        let place = Place::new();
        fs::create_dir_all(place.path("plain/info")).expect("folders");
        fs::create_dir_all(place.path("lured")).expect("folders");
        fs::write(place.path("lured/.git"), format!("gitdir: {}\n", place.path("plain").display()))
            .expect("a file");
        assert!(!ensure(&place.path("lured")).expect("nothing to do"));
        assert!(!place.path("plain/info/exclude").exists());
        fs::write(place.path("lured/.git"), [0xFF, 0xFE]).expect("a file");
        assert!(!ensure(&place.path("lured")).expect("nothing to do"));
    }

    #[test]
    fn a_link_is_not_followed() {
        let place = Place::new();
        fs::create_dir_all(place.path("repo/.git/info")).expect("folders");
        fs::write(place.path("elsewhere"), "x\n").expect("a file");
        std::os::unix::fs::symlink(place.path("elsewhere"), place.path("repo/.git/info/exclude"))
            .expect("a link");
        assert!(ensure(&place.path("repo")).is_err());
        assert_eq!(fs::read_to_string(place.path("elsewhere")).expect("it is there"), "x\n");
    }
}
