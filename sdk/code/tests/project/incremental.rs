//! An index that followed many changes is the one that a single look would make.

use std::{ffi::OsStr, os::unix::ffi::OsStrExt, process::Command};

use ctxhost_code::finding::Problem;
use proptest::prelude::*;

use super::*;

const STEPS: usize = 500;
/// After so many steps each, what followed them is held against a fresh index, and another process takes over.
const COMPARED: usize = 10;
/// A run goes to another branch some sixty times; one with fewer than this would show little.
const LEAST_BRANCHES: usize = 25;

const FILES: [&str; 14] = [
    "a.rs",
    "b.py",
    "src/a.rs",
    "src/b.py",
    "src/deep/c.js",
    "src/deep/d.md",
    "lib/e.py",
    "lib/f.rs",
    "build/g.py",
    "build/h.rs",
    "notes.txt",
    "data.bin",
    "test/i.py",
    "x.unknown",
];
const FOLDERS: [&str; 6] = ["src", "lib", "build", "moved", "Src", "src/deep"];
/// The first two are as long as each other.
const TEXTS: [&str; 9] = [
    "fn one(two: u8) -> u8 { two }\n",
    "fn six(two: u8) -> u8 { two }\n",
    "/// Docs.\npub struct Three;\nimpl Three { fn four(&self) { one(4) } }\n",
    "def five(a):\n    \"\"\"Docs.\"\"\"\n    return one(a)\n",
    "class Six:\n    def seven(self): five(1)\n",
    "function eight() { return nine(); }\n",
    "# Ten\n\nProse about one and five.\n",
    "a\0binary\0thing",
    "",
];
const RULES: [&str; 4] = ["", "build/\n", "*.py\n!b.py\n", "/src\n"];
/// Names that are not UTF-8, of files and of a folder.
const BYTES: [&[u8]; 3] = [b"\xff.py", b"src/n\xf6tes.rs", b"d\xfe/inner.py"];

#[derive(Clone, Debug)]
enum Step {
    Write(usize, usize),
    Append(usize, usize),
    Delete(usize),
    Rename(usize, usize),
    /// Capital letters in a file's name, or small ones again.
    RenameCase(usize),
    RenameFolder(usize, usize),
    Rules(usize),
    Touch(usize),
    /// Writes, looks, and writes as many other bytes with the same time. New kernels give each write a ctime of its own;
    /// `snapshot::tests` has those that do not.
    Again(usize),
    /// A file becomes a folder with a file in it.
    IntoFolder(usize),
    /// A folder becomes a file.
    IntoFile(usize, usize),
    /// A file or a folder becomes a link to another one.
    IntoLink(usize, usize),
    /// A name that is not UTF-8 comes or goes.
    Bytes(usize),
    /// Commits everything on one of three branches and goes to another.
    Branch(usize),
    /// Goes back by a commit.
    Reset,
    Track(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let (file, text, folder) = (0..FILES.len(), 0..TEXTS.len(), 0..FOLDERS.len());
    prop_oneof![
        6 => (file.clone(), text.clone()).prop_map(|(file, text)| Step::Write(file, text)),
        3 => (file.clone(), text.clone()).prop_map(|(file, text)| Step::Append(file, text)),
        3 => file.clone().prop_map(Step::Delete),
        3 => (file.clone(), file.clone()).prop_map(|(from, to)| Step::Rename(from, to)),
        1 => file.clone().prop_map(Step::RenameCase),
        1 => (folder.clone(), folder.clone()).prop_map(|(from, to)| Step::RenameFolder(from, to)),
        1 => (0..RULES.len()).prop_map(Step::Rules),
        1 => file.clone().prop_map(Step::Touch),
        2 => file.clone().prop_map(Step::Again),
        1 => file.clone().prop_map(Step::IntoFolder),
        1 => (folder.clone(), text).prop_map(|(folder, text)| Step::IntoFile(folder, text)),
        1 => (0..FILES.len() + FOLDERS.len(), 0..FILES.len() + FOLDERS.len())
            .prop_map(|(at, to)| Step::IntoLink(at, to)),
        1 => (0..BYTES.len()).prop_map(Step::Bytes),
        4 => (0..3_usize).prop_map(Step::Branch),
        1 => Just(Step::Reset),
        1 => file.prop_map(Step::Track),
    ]
}

impl Step {
    /// A step that does not apply, such as deleting what is not there, changes nothing. Says whether it went to a branch.
    fn take(&self, root: &Path, project: &Project) -> bool {
        let file = |at: &usize| root.join(FILES[*at]);
        match self {
            Self::Write(at, text) => put(&file(at), TEXTS[*text]),
            Self::Append(at, text) => {
                let before = fs::read_to_string(file(at)).unwrap_or_default();
                put(&file(at), &(before + TEXTS[*text]));
            }
            Self::Delete(at) => drop(fs::remove_file(file(at))),
            Self::Rename(from, to) => rename(&file(from), &file(to)),
            Self::RenameCase(at) => {
                let (small, large) = (file(at), root.join(FILES[*at].to_uppercase()));
                if small.exists() { rename(&small, &large) } else { rename(&large, &small) }
            }
            Self::RenameFolder(from, to) => {
                drop(fs::rename(root.join(FOLDERS[*from]), root.join(FOLDERS[*to])))
            }
            Self::Rules(at) => put(&root.join(".gitignore"), RULES[*at]),
            Self::Touch(at) => set_time(&file(at), SystemTime::UNIX_EPOCH),
            Self::Again(at) => {
                put(&file(at), TEXTS[0]);
                project.sync(SystemTime::now());
                let time = fs::metadata(file(at)).and_then(|stat| stat.modified());
                put(&file(at), TEXTS[1]);
                time.map(|time| set_time(&file(at), time)).unwrap_or_default();
            }
            Self::IntoFolder(at) => {
                clear(&file(at));
                put(&file(at).join("inner.py"), TEXTS[3]);
            }
            Self::IntoFile(at, text) => {
                clear(&root.join(FOLDERS[*at]));
                put(&root.join(FOLDERS[*at]), TEXTS[*text]);
            }
            Self::IntoLink(at, to) => {
                let name = |at: usize| FILES.get(at).copied().unwrap_or_else(|| FOLDERS[at - FILES.len()]);
                let place = root.join(name(*at));
                clear(&place);
                drop(std::os::unix::fs::symlink(root.join(name(*to)), place));
            }
            Self::Bytes(at) => {
                let place = root.join(OsStr::from_bytes(BYTES[*at]));
                if fs::remove_file(&place).is_err() {
                    put(&place, TEXTS[0]);
                }
            }
            Self::Branch(at) => return branch(root, *at),
            Self::Reset => drop(git(root, &["reset", "-q", "--hard", "HEAD~1"])),
            Self::Track(at) => drop(git(root, &["add", "-f", FILES[*at]])),
        }
        false
    }
}

/// Writes where that is possible: what should be a folder may be a file or lead in a circle by now.
fn put(path: &Path, text: &str) {
    let _ = fs::create_dir_all(path.parent().unwrap()).and_then(|()| fs::write(path, text));
}

fn rename(from: &Path, to: &Path) {
    let _ = fs::create_dir_all(to.parent().unwrap()).and_then(|()| fs::rename(from, to));
}

/// Takes away what is there, whatever it is.
fn clear(path: &Path) {
    let folder = fs::symlink_metadata(path).is_ok_and(|stat| stat.is_dir());
    let _ = if folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}

fn set_time(path: &Path, time: SystemTime) {
    let opened = fs::File::options().append(true).open(path);
    let _ = opened.and_then(|file| file.set_modified(time));
}

/// Says whether git went there.
fn branch(root: &Path, at: usize) -> bool {
    git(root, &["add", "-A"]);
    git(root, &["commit", "-q", "--allow-empty", "-m", "x"]);
    let branch = format!("branch{at}");
    let known = git(root, &["rev-parse", "-q", "--verify", &branch]);
    git(root, &["checkout", "-q", if known { "-f" } else { "-b" }, &branch])
}

fn git(root: &Path, arguments: &[&str]) -> bool {
    let run = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@b"])
        .args(arguments)
        .current_dir(root)
        .env("HOME", root.parent().unwrap())
        .env_remove("XDG_CONFIG_HOME")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    run.status.success()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1, max_shrink_iters: 40, ..ProptestConfig::default() })]

    #[test]
    fn an_index_that_followed_every_step_is_that_of_one_look(steps in proptest::collection::vec(step(), STEPS)) {
        let folder = tempfile::tempdir().unwrap();
        let (root, cache) = (folder.path().join("project"), folder.path().join("cache"));
        fs::create_dir(&root).unwrap();
        assert!(git(&root, &["init", "-q"]));
        let mut long_lived = project(&root, Some(cache.clone()));
        let mut branches = 0;
        for (number, step) in steps.iter().enumerate() {
            branches += usize::from(step.take(&root, &long_lived));
            let findings = bring_up(&long_lived);
            prop_assert!(findings.iter().all(|finding| finding.problem == Problem::Name), "{:?}", findings);
            prop_assert!(long_lived.view().is_complete());
            if (number + 1) % COMPARED == 0 {
                let (expected, met) = looked_at_once(&root);
                prop_assert_eq!(&text(&long_lived.view().reader), &expected, "after step {}", number);
                prop_assert_eq!(findings, met, "after step {}", number);
                // What the next process finds is the same.
                long_lived = project(&root, Some(cache.clone()));
            }
        }
        prop_assert!(branches >= LEAST_BRANCHES, "only {} branches", branches);
    }
}
