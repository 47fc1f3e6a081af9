//! An index that followed many changes is the one that a single look would make.

use std::process::Command;

use proptest::prelude::*;

use super::*;

/// The steps of all cases together are 500.
const CASES: u32 = 5;
const STEPS: usize = 100;

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
const FOLDERS: [&str; 4] = ["src", "lib", "build", "moved"];
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

#[derive(Clone, Debug)]
enum Step {
    Write(usize, usize),
    Append(usize, usize),
    Delete(usize),
    Rename(usize, usize),
    RenameFolder(usize, usize),
    Rules(usize),
    Touch(usize),
    /// Commits everything on one of three branches and goes to another.
    Branch(usize),
    Track(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let (file, text) = (0..FILES.len(), 0..TEXTS.len());
    prop_oneof![
        6 => (file.clone(), text.clone()).prop_map(|(file, text)| Step::Write(file, text)),
        3 => (file.clone(), text).prop_map(|(file, text)| Step::Append(file, text)),
        3 => file.clone().prop_map(Step::Delete),
        3 => (file.clone(), file.clone()).prop_map(|(from, to)| Step::Rename(from, to)),
        1 => (0..FOLDERS.len(), 0..FOLDERS.len()).prop_map(|(from, to)| Step::RenameFolder(from, to)),
        1 => (0..RULES.len()).prop_map(Step::Rules),
        1 => file.clone().prop_map(Step::Touch),
        3 => (0..3_usize).prop_map(Step::Branch),
        1 => file.prop_map(Step::Track),
    ]
}

impl Step {
    fn take(&self, root: &Path) {
        let file = |at: &usize| root.join(FILES[*at]);
        // A step that does not apply, such as deleting what is not there, changes nothing.
        match self {
            Self::Write(at, text) => write(&file(at), TEXTS[*text]),
            Self::Append(at, text) => {
                let before = fs::read_to_string(file(at)).unwrap_or_default();
                write(&file(at), &(before + TEXTS[*text]));
            }
            Self::Delete(at) => drop(fs::remove_file(file(at))),
            Self::Rename(from, to) => {
                fs::create_dir_all(file(to).parent().unwrap()).unwrap();
                let _ = fs::rename(file(from), file(to));
            }
            Self::RenameFolder(from, to) => {
                drop(fs::rename(root.join(FOLDERS[*from]), root.join(FOLDERS[*to])))
            }
            Self::Rules(at) => write(&root.join(".gitignore"), RULES[*at]),
            Self::Touch(at) => {
                let touched = fs::File::options().append(true).open(file(at));
                drop(touched.map(|file| file.set_modified(SystemTime::UNIX_EPOCH).unwrap()));
            }
            Self::Branch(at) => {
                git(root, &["add", "-A"]);
                git(root, &["commit", "-q", "--allow-empty", "-m", "x"]);
                let branch = format!("branch{at}");
                let known = git(root, &["rev-parse", "-q", "--verify", &branch]);
                let arguments = if known {
                    vec!["checkout", "-q", "-f", &branch]
                } else {
                    vec!["checkout", "-qb", &branch]
                };
                assert!(git(root, &arguments));
            }
            Self::Track(at) => drop(git(root, &["add", "-f", FILES[*at]])),
        }
    }
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
    #![proptest_config(ProptestConfig { cases: CASES, max_shrink_iters: 40, ..ProptestConfig::default() })]

    #[test]
    fn an_index_that_followed_every_step_is_that_of_one_look(steps in proptest::collection::vec(step(), STEPS)) {
        let folder = tempfile::tempdir().unwrap();
        let (root, cache) = (folder.path().join("project"), folder.path().join("cache"));
        fs::create_dir(&root).unwrap();
        assert!(git(&root, &["init", "-q"]));
        let mut long_lived = project(&root, Some(cache.clone()));
        for (number, step) in steps.iter().enumerate() {
            step.take(&root);
            prop_assert_eq!(bring_up(&long_lived), []);
            let view = long_lived.view();
            prop_assert!(view.is_complete());
            if number % 10 == 9 {
                prop_assert_eq!(text(&view.reader), fresh(&root), "after step {}", number);
                // What the next process finds is the same.
                long_lived = project(&root, Some(cache.clone()));
            }
        }
    }
}
