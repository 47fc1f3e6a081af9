//! Random trees with random rules, seen by git and by the walk.

use proptest::prelude::*;

use super::{Folder, git};

const FOLDERS: [&str; 7] = ["", "a/", "b/", "a/b/", "build/", "a/build/x/", "sp ace/"];
const NAMES: [&str; 12] = ["a", "b", "x.o", "y.o", "x.rs", ".h", "#c", "!n", "{a,b}", "sp ", "ü.o", "a[b"];
/// Put together they make every kind of line.
const PIECES: [&str; 30] = [
    "a",
    "b",
    "x",
    "build",
    "*",
    "**",
    "?",
    "/",
    "/",
    "/",
    ".o",
    ".rs",
    "!",
    "[ab]",
    "[!a]",
    "[a-x]",
    "[[:alpha:]]",
    "\\",
    " ",
    "#",
    "{a,b}",
    "ü",
    "[",
    "]",
    "*.o",
    "**/",
    "/**",
    "sp ace",
    "n",
    "\\ ",
];

/// Lines that mean something to the names above; random pieces alone seldom do.
const LINES: [&str; 22] = [
    "a", "b", "*", "*.o", "*.rs", "/a", "a/", "a/*", "a/b", "a/**", "**/b", "b/**/x.o", "build", "build/",
    "/build/*", "[ab]", "x.?", "sp ace/", "\\#c", ".h", "a/b/", "[!a]*",
];

fn line() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(PIECES.as_slice());
    let odd = proptest::collection::vec(piece, 1..5).prop_map(|pieces| pieces.concat());
    let plain = proptest::sample::select(LINES.as_slice()).prop_map(str::to_owned);
    let back = plain.clone().prop_map(|line| format!("!{line}"));
    prop_oneof![2 => odd, 3 => plain, 3 => back]
}

fn rules() -> impl Strategy<Value = String> {
    proptest::collection::vec(line(), 1..7).prop_map(|lines| lines.join("\n") + "\n")
}

fn path() -> impl Strategy<Value = String> {
    let folder = proptest::sample::select(FOLDERS.as_slice());
    (folder, proptest::sample::select(NAMES.as_slice())).prop_map(|(folder, name)| format!("{folder}{name}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn the_walk_shows_what_git_shows(
        files in proptest::collection::btree_map(path(), any::<u8>(), 1..25),
        ignore in proptest::collection::btree_map(proptest::sample::select(FOLDERS.as_slice()), rules(), 0..4),
        exclude in proptest::option::of(rules()),
        global in proptest::option::of(rules()),
    ) {
        let folder = Folder::repository();
        // Some names are folders to others.
        let made: Vec<_> = files.iter().filter(|(name, _)| try_write(&folder, name)).collect();
        let tracked: Vec<_> = made.iter().filter(|(_, chance)| **chance < 64).map(|(name, _)| name.as_str()).collect();
        if !tracked.is_empty() {
            git(folder.path(), &[&["--literal-pathspecs", "add", "-f", "--"], tracked.as_slice()].concat());
        }
        ignore.iter().for_each(|(place, rules)| {
            if std::fs::create_dir_all(folder.path().join(place)).is_ok() {
                folder.write(&format!("{place}.gitignore"), rules);
            }
        });
        if let Some(rules) = &exclude {
            folder.write(".git/info/exclude", rules);
        }
        if let Some(rules) = &global {
            folder.write("../home/.config/git/ignore", rules);
        }
        prop_assert_eq!(folder.walked(), folder.shown());
    }
}

fn try_write(folder: &Folder, name: &str) -> bool {
    let path = folder.path().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).is_ok() && std::fs::write(path, "").is_ok()
}

/// Each case runs git three times; more are asked for by the variable that proptest knows.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(64)
}
