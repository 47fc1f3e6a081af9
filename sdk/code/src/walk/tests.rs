use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

use super::{WalkSettings, Walked, Walker};
use crate::finding::{Findings, Problem};

mod random;
mod rules;

/// A folder with a home beside it.
pub(crate) struct Folder {
    path: PathBuf,
    around: TempDir,
}

impl Folder {
    pub(crate) fn new() -> Self {
        let around = TempDir::new().unwrap();
        let folder = Self { path: around.path().join("project"), around };
        fs::create_dir_all(folder.path()).unwrap();
        fs::create_dir_all(folder.home()).unwrap();
        folder
    }

    pub(crate) fn repository() -> Self {
        let folder = Self::new();
        git(folder.path(), &["init", "-q"]);
        folder
    }

    /// A folder with these files; those behind `+` are tracked, whatever the rules say.
    fn of(files: &[(&str, &str)]) -> Self {
        let folder = Self::repository();
        for (name, text) in files {
            let (name, tracked) = name.strip_prefix('+').map_or((*name, false), |name| (name, true));
            folder.write(name, text);
            if tracked {
                git(folder.path(), &["add", "-f", name]);
            }
        }
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.around.path().join("home")
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn settings(&self) -> WalkSettings {
        WalkSettings { home: Some(self.home()), ..WalkSettings::default() }
    }

    fn walk(&self, below: &str) -> Walked {
        Walker::new(self.path().join(below), self.settings()).walk()
    }

    pub(crate) fn walked(&self) -> Vec<String> {
        paths(&self.walk(""))
    }

    /// What git shows, without what is no file.
    fn shown(&self) -> Vec<String> {
        let listed = git(self.path(), &["ls-files", "-coz", "--exclude-standard"]);
        let mut names: Vec<_> =
            listed.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        names.retain(|name| fs::symlink_metadata(self.path().join(name)).is_ok_and(|stat| stat.is_file()));
        names.sort();
        names.dedup();
        names
    }
}

fn paths(walked: &Walked) -> Vec<String> {
    walked.files.iter().map(|file| file.path.clone()).collect()
}

/// Runs git without anybody's own configuration.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> String {
    let home = folder.ancestors().find(|above| above.join("home").is_dir()).unwrap().join("home");
    let run = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"])
        .args(arguments)
        .current_dir(folder)
        .env("HOME", home)
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(run.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).unwrap()
}

#[test]
fn a_root_that_is_not_there_is_a_finding() {
    let walked = Walker::new("/nowhere/at/all", WalkSettings::default()).walk();
    assert!(walked.files.is_empty() && walked.findings.of(Problem::Root).is_some());
}

#[test]
fn an_empty_folder_has_no_files_and_no_findings() {
    assert_eq!(Walker::new(Folder::new().path(), WalkSettings::default()).walk(), Walked::default());
}

#[test]
fn links_pipes_and_sockets_are_left_out() {
    let folder = Folder::of(&[("a/b", "")]);
    symlink("a", folder.path().join("folder")).unwrap();
    symlink("a/b", folder.path().join("file")).unwrap();
    symlink("..", folder.path().join("a/loop")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).unwrap();
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    assert_eq!(folder.walked(), ["a/b"]);
}

#[test]
fn a_pipe_named_like_an_ignore_file_does_not_hold_up() {
    let folder = Folder::of(&[("a", "")]);
    assert!(Command::new("mkfifo").arg(folder.path().join(".gitignore")).status().unwrap().success());
    assert!(Command::new("mkfifo").arg(folder.path().join(".ignore")).status().unwrap().success());
    assert_eq!(folder.walked(), ["a"]);
}

#[test]
fn a_name_that_is_no_text_is_a_finding() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let folder = Folder::of(&[("a", "")]);
    fs::write(folder.path().join(OsStr::from_bytes(b"\xff")), "").unwrap();
    let walked = folder.walk("");
    assert_eq!(paths(&walked), ["a"]);
    assert_eq!(walked.findings.of(Problem::Name).unwrap().count, 1);
}

#[test]
fn too_many_files_leave_the_same_ones_out_each_time() {
    let folder = Folder::new();
    (0..50).for_each(|n| folder.write(&format!("d{}/e/f{n}", n % 7), ""));
    (0..5).for_each(|n| folder.write(&format!("top{n}"), ""));
    let settings = WalkSettings { most_files: 20, ..folder.settings() };
    let first = Walker::new(folder.path(), settings.clone()).walk();
    assert_eq!(first.files.len(), 20);
    assert!(first.files.iter().filter(|file| file.path.starts_with("top")).count() == 5);
    assert!(first.findings.of(Problem::TooMany).is_some());
    (0..10).for_each(|_| assert_eq!(Walker::new(folder.path(), settings.clone()).walk(), first));
}

#[test]
fn rules_made_to_take_long_end_the_walk_at_the_same_file() {
    let folder = Folder::new();
    folder.write(".gitignore", &("*a".repeat(500) + "b\n").repeat(10));
    (0..20).for_each(|n| folder.write(&format!("d{}/{}{n}", n % 3, "a".repeat(200)), ""));
    let root = folder.path().canonicalize().unwrap();
    let scope = super::scope::Scope::above(&root, &folder.settings(), &mut Findings::default());
    let within = |steps| {
        super::tree::files_within(
            &root,
            &scope,
            &folder.settings(),
            steps,
            super::tree::Stop { turn: 0, stop: &|| false },
        )
    };
    let (some, findings) = within(10_000_000);
    assert!(some.len() < 20 && findings.of(Problem::Rules).is_some(), "{} files", some.len());
    (0..3).for_each(|_| assert_eq!(within(10_000_000).0, some));
    let (all, findings) = within(u64::MAX);
    assert!(all.len() == 21 && findings.is_empty());
}

#[test]
fn a_deep_tree_ends_where_paths_do() {
    let folder = Folder::new();
    let mut path = folder.path().to_owned();
    while fs::create_dir(path.join("d".repeat(200))).is_ok() {
        path.push("d".repeat(200));
        let _ = fs::write(path.join("f"), "");
    }
    assert!(folder.walked().len() >= 15);
}

#[test]
fn a_folder_that_may_not_be_read_is_a_finding() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::of(&[("a", ""), ("shut/b", "")]);
    let shut = folder.path().join("shut");
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o000)).unwrap();
    let walked = folder.walk("");
    // Root may read everything.
    let free = fs::read_dir(&shut).is_ok();
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(walked.findings.of(Problem::Folder).is_none(), free);
    assert!(paths(&walked).contains(&"a".to_owned()));
}

#[test]
fn a_walk_that_is_stopped_says_so() {
    let folder = Folder::of(&[("a", ""), ("b/c", ""), ("d/e/f", "")]);
    let walker = Walker::new(folder.path(), folder.settings());
    let whole = walker.walk();
    let never = walker.walk_until(0, &|| true);
    assert!(never.files.is_empty() && never.findings.of(Problem::Unfinished).is_some());
    for calls in 0..6 {
        let asked = std::sync::atomic::AtomicUsize::new(0);
        let stop = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= calls;
        let part = walker.walk_until(calls as u64, &stop);
        assert!(part.files.iter().all(|file| whole.files.contains(file)));
        let unfinished = part.findings.of(Problem::Unfinished).is_some();
        assert!(unfinished || part == whole, "after {calls} calls: {part:?}");
    }
}

#[test]
fn what_lies_at_a_path_is_what_a_walk_finds_there() {
    let folder = Folder::of(&[
        (".gitignore", "*.log\n/out/\n"),
        ("a.rs", ""),
        ("a.log", ""),
        ("+kept.log", ""),
        ("src/b.rs", ""),
        ("src/b.log", ""),
        ("src/deep/.gitignore", "!c.log\nhidden\n"),
        ("src/deep/c.log", ""),
        ("src/deep/hidden/d.rs", ""),
        ("out/e.rs", ""),
        ("+out/tracked.rs", ""),
    ]);
    symlink(folder.path().join("src"), folder.path().join("link")).unwrap();
    let walker = Walker::new(folder.path(), folder.settings());
    let whole = walker.walk().files;
    let places = [
        "",
        "a.rs",
        "a.log",
        "kept.log",
        "src",
        "src/",
        "src/b.log",
        "src/deep",
        "src/deep/c.log",
        "src/deep/hidden",
    ];
    let others = [
        "src/deep/hidden/d.rs",
        "out",
        "out/e.rs",
        "out/tracked.rs",
        "link",
        "link/b.rs",
        ".git",
        ".git/HEAD",
        "gone",
    ];
    for path in places.into_iter().chain(others) {
        let at = path.trim_end_matches('/');
        let within = |file: &&super::Entry| {
            at.is_empty()
                || file.path == at
                || file.path.strip_prefix(at).is_some_and(|rest| rest.starts_with('/'))
        };
        let expected: Vec<_> = whole.iter().filter(within).cloned().collect();
        assert_eq!(walker.below(path).files, expected, "{path:?}");
    }
    for path in ["..", "../project/a.rs", "src/../a.rs", "./a.rs"] {
        assert_eq!(walker.below(path).files, [], "{path:?}");
    }
}
