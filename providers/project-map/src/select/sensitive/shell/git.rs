//! What git writes in the files of the project.

use super::{Here, Write};

/// Options of git's own that a value follows.
const VALUES: [&str; 5] = ["-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"];

/// What it writes; where it names none, all files below where it runs.
pub(super) fn written(arguments: &[String], here: &Here<'_>) -> Vec<Write> {
    let (mut rest, mut base) = (arguments, here.base.to_owned());
    while let [flag, others @ ..] = rest {
        let value = flag == "-C" || VALUES.contains(&flag.as_str());
        if let (true, Some(dir)) = (flag == "-C", others.first()) {
            base = super::joined(&base, dir);
        }
        match flag.starts_with('-') {
            true => rest = others.get(usize::from(value)..).unwrap_or_default(),
            false => break,
        }
    }
    let Some((name, arguments)) = rest.split_first() else { return Vec::new() };
    let here = Here { base: &base };
    let has = |flags: &[&str]| arguments.iter().any(|word| flags.contains(&word.as_str()));
    let files = || arguments.iter().filter(|word| !word.starts_with('-'));
    let all = || vec![here.below()];
    match name.as_str() {
        "mv" if !has(&["-n", "--dry-run"]) => files().filter_map(|word| here.at(word)).collect(),
        "rm" if !has(&["--cached", "-n", "--dry-run"]) => {
            files().flat_map(|word| [here.there(word), here.whole(word)]).flatten().collect()
        }
        "restore" if !has(&["--staged", "-S"]) || has(&["--worktree", "-W"]) => {
            files().flat_map(|word| [here.at(word), here.whole(word)]).flatten().collect()
        }
        // Without it git keeps what was changed.
        "checkout" | "switch" if arguments.iter().any(|word| forces(word)) => all(),
        "checkout" => checked_out(arguments, &here),
        "reset" if has(&["--hard"]) => all(),
        "clean" if !has(&["-n", "--dry-run"]) => all(),
        "apply" if !has(&["--check", "--stat", "--numstat", "--summary", "--cached"]) => all(),
        "am" => all(),
        "stash" => {
            let kept = ["list", "show", "drop", "clear", "branch", "create", "store"];
            if arguments.first().is_some_and(|word| kept.contains(&word.as_str())) {
                Vec::new()
            } else {
                all()
            }
        }
        // Switching a branch puts aside and brings back what git keeps.
        _ => Vec::new(),
    }
}

/// `-f`, also among other letters.
fn forces(word: &str) -> bool {
    let letters =
        word.strip_prefix('-').filter(|letters| letters.chars().all(|letter| "qfdtm".contains(letter)));
    ["--force", "--discard-changes"].contains(&word) || letters.is_some_and(|letters| letters.contains('f'))
}

/// Behind `--` are paths; without it a word is one only where there is such a file, for else it is a branch.
fn checked_out(arguments: &[String], here: &Here<'_>) -> Vec<Write> {
    if let Some(at) = arguments.iter().position(|word| word == "--") {
        let paths = arguments[at + 1..].iter();
        return paths.flat_map(|word| [here.at(word), here.whole(word)]).flatten().collect();
    }
    if arguments.iter().any(|word| ["-b", "-B", "--orphan"].contains(&word.as_str())) {
        return Vec::new();
    }
    let paths = arguments.iter().filter(|word| !word.starts_with('-'));
    paths.flat_map(|word| [here.there(word), here.whole(word)]).flatten().collect()
}
