//! The rules against git itself: generated rules and paths, asked of `git check-ignore` in one process.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
    thread,
};

use super::{List, deciding_rule};

/// How many folders with rules of their own there are, and how many paths are tried in each.
const FOLDERS: usize = 160;
const PATHS: usize = 14;

/// Pieces of names, some of which look like rules.
const NAMES: &[&str] = &[
    "a", "b", "ab", "abc", "foo", "bar", ".env", "a.txt", "b.log", "!x", "#h", "sp ", "a b", "B", "x[1]",
    "k\\z", "tail\\", "é", "7", "_", "a-b", "...", "..foo", "*", "?q", "$d", "tab\t",
];

/// Pieces of patterns.
const PIECES: &[&str] = &[
    "a",
    "b",
    "ab",
    "foo",
    "*",
    "*",
    "?",
    "**",
    "[ab]",
    "[!a]",
    "[^b]",
    "[a-c]",
    "[[:alpha:]]",
    "[[:digit:]_]",
    "[![:upper:]]",
    "\\ ",
    "\\#",
    "\\!",
    "\\*",
    "\\?",
    "\\[",
    ".",
    "txt",
    "log",
    "é",
    "x[1]",
    "[",
    "]",
    "\\",
    "[]a]",
    "[a-",
    "[[:bogus:]]",
    "[[:space:]]",
    "[[:punct:]]",
    "[\\]a]",
    "[--a]",
    "[a\\-c]",
    "[[:alpha:]-z]",
    "[[:]",
    " ",
    "!",
    "#",
    "$",
    "\\/",
];

/// A small generator of the same numbers on every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % end as u64) as usize
    }

    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn path(&mut self) -> String {
        let names = 1 + [0, 1, 1, 2, 2, 3][self.below(6)];
        (0..names).map(|_| self.pick(NAMES)).collect::<Vec<_>>().join("/")
    }

    fn rule(&mut self, paths: &[String]) -> String {
        let mut rule = String::new();
        if self.once_in(4) {
            rule.push('!');
        }
        if self.once_in(4) {
            rule.push('/');
        }
        if self.once_in(12) {
            rule.push_str(self.pick(&["\\#", "\\!", "\\a", "\\ "]));
        }
        rule.push_str(&if self.once_in(2) { self.free_pattern() } else { self.pattern_for(paths) });
        if self.once_in(4) {
            rule.push('/');
        }
        if self.once_in(8) {
            rule.push_str(self.pick(&[" ", "  ", "\\ ", " \\ ", "\t", "\\  ", " \t"]));
        }
        if self.once_in(12) {
            rule.push('\r');
        }
        rule
    }

    fn free_pattern(&mut self) -> String {
        let names = 1 + [0, 0, 0, 1, 1, 2, 3][self.below(7)];
        let name = |dice: &mut Self| match dice.below(6) {
            0 | 1 => dice.pick(NAMES).to_owned(),
            2 => dice.pick(&["**", "*", "*.txt", ".*", "**a", "a**", "***"]).to_owned(),
            _ => (0..=dice.below(3)).map(|_| dice.pick(PIECES)).collect(),
        };
        (0..names).map(|_| name(self)).collect::<Vec<_>>().join("/")
    }

    /// A pattern that is near to a path, so that about half of them match one.
    fn pattern_for(&mut self, paths: &[String]) -> String {
        let path = &paths[self.below(paths.len())];
        let names: Vec<&str> = path.split('/').collect();
        let first = if self.once_in(2) { self.below(names.len()) } else { 0 };
        let last = first + self.below(names.len() - first);
        let name = |dice: &mut Self, name: &str| match dice.below(8) {
            0 => "*".to_owned(),
            1 => "**".to_owned(),
            2 => "?".repeat(name.chars().count()),
            3 => format!("{}*", name.chars().next().unwrap_or('a')),
            4 => format!("*{}", name.chars().last().unwrap_or('a')),
            5 => format!("[{}x]*", name.chars().next().unwrap_or('a')),
            _ => name.to_owned(),
        };
        names[first..=last].iter().map(|part| name(self, part)).collect::<Vec<_>>().join("/")
    }
}

/// What decides about a path: the line, and whether it takes back.
type Decision = Option<(u64, bool)>;

struct Pair {
    rules: String,
    path: String,
    ours: Decision,
}

fn generate(root: &Path, seed: u64) -> (Vec<Pair>, Vec<u8>) {
    let mut dice = Dice(seed);
    let (mut pairs, mut asked) = (Vec::new(), Vec::new());
    for folder in 0..FOLDERS {
        let base = root.join(format!("f{folder}"));
        fs::create_dir(&base).expect("a folder");
        let paths: Vec<String> = (0..PATHS).map(|_| dice.path()).collect();
        let mut rules = if dice.once_in(20) { "\u{feff}".to_owned() } else { String::new() };
        for _ in 0..=dice.below(6) {
            rules += &dice.rule(&paths);
            rules.push('\n');
        }
        if dice.once_in(10) {
            rules.pop();
        }
        fs::write(base.join(".gitignore"), &rules).expect("a file");
        let list = List::read("rules", &rules);
        // The paths need not exist: git takes what is not there for a file, and what stands before it for folders.
        for path in paths {
            asked.extend_from_slice(format!("f{folder}/{path}\0").as_bytes());
            let ours = deciding_rule(&[&list], &path).map(|hit| (hit.line, hit.negated));
            pairs.push(Pair { rules: rules.clone(), path, ours });
        }
    }
    (pairs, asked)
}

fn git(root: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("git");
    // Nothing of the machine's own settings may add a rule.
    command.arg("-C").arg(root).args(["-c", "core.excludesFile=", "-c", "core.ignoreCase=false"]).args(args);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null").env_remove("GIT_DIR");
    command
}

fn ask_git(root: &Path, asked: Vec<u8>) -> Vec<Decision> {
    let mut child = git(root, &["check-ignore", "--no-index", "--stdin", "-z", "-n", "-v"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("git is there");
    let mut stdin = child.stdin.take().expect("it is piped");
    let writer = thread::spawn(move || stdin.write_all(&asked));
    let output = child.wait_with_output().expect("git answers").stdout;
    writer.join().expect("it ends").expect("git reads");
    let fields: Vec<&[u8]> = output.split(|byte| *byte == 0).collect();
    fields
        .chunks_exact(4)
        .map(|answer| {
            let line = std::str::from_utf8(answer[1]).expect("a number").parse().ok()?;
            Some((line, answer[2].starts_with(b"!")))
        })
        .collect()
}

#[test]
fn rules_agree_with_git() {
    let place = tempfile::tempdir().expect("a folder");
    let root = place.path();
    assert!(git(root, &["init", "-q"]).status().expect("git is there").success());
    let (pairs, asked) = generate(root, 20_260_923);
    let theirs = ask_git(root, asked);
    assert_eq!(pairs.len(), theirs.len(), "git answers for every path");
    let differences: Vec<String> = pairs
        .iter()
        .zip(&theirs)
        .filter(|(pair, git)| pair.ours != **git)
        .map(|(pair, git)| {
            format!("{:?}: git {git:?}, ours {:?}, rules {:?}", pair.path, pair.ours, pair.rules)
        })
        .collect();
    let ignored = theirs.iter().filter(|decision| matches!(decision, Some((_, false)))).count();
    let taken_back = theirs.iter().filter(|decision| matches!(decision, Some((_, true)))).count();
    // Straight to the stream, so that a run of all tests shows it.
    let _ = writeln!(
        std::io::stderr(),
        "{} rule/path pairs against git: {ignored} ignored, {taken_back} taken back, {} differences",
        pairs.len(),
        differences.len()
    );
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(pairs.len() >= 400, "there are enough pairs");
    assert!((pairs.len() / 4..=pairs.len() * 3 / 4).contains(&ignored), "both kinds are there in number");
}
