//! What the first lines of a text say about its language.

use std::borrow::Cow;

use super::{Language, table::table};

/// How many lines at each end an editor looks at for its settings: Vim's own default.
const MODELINES: usize = 5;

/// Names that editors use and the data file does not have.
const EDITOR_NAMES: &[(&str, &str)] = &[
    ("cperl", "perl"),
    ("conf-unix", "ini"),
    ("htmldjango", "jinja"),
    ("js2", "javascript"),
    ("latex", "tex"),
    ("plaintex", "tex"),
    ("shellscript", "shell"),
    ("spec", "rpm-spec"),
];

/// How a text of a language begins, whatever its name.
const BEGINNINGS: &[(&str, &str)] = &[
    ("<?php", "php"),
    ("<?hh", "hack"),
    ("<!doctype html", "html"),
    ("<html", "html"),
    ("<svg", "svg"),
    ("<?xml", "xml"),
    ("#compdef", "shell"),
    ("#autoload", "shell"),
    ("#lang racket", "racket"),
    ("%yaml", "yaml"),
    ("diff --git", "diff"),
    ("\\documentclass", "tex"),
];

/// Gives the first bytes as text: a byte order mark is taken off, UTF-16 is read as far as it is ASCII, and what is not
/// text is replaced.
pub(super) fn text(head: &[u8]) -> Cow<'_, str> {
    let plain =
        |bytes| std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed);
    match head {
        [0xef, 0xbb, 0xbf, rest @ ..] => plain(rest),
        [0xff, 0xfe, rest @ ..] | [0xfe, 0xff, rest @ ..] => {
            let ascii = rest.iter().copied().filter(|byte| *byte != 0 && byte.is_ascii());
            Cow::Owned(ascii.map(char::from).collect())
        }
        _ => plain(head),
    }
}

/// Gives the language that an editor is told by the text itself. The last lines count only where `whole` says that the
/// text ends there.
pub(super) fn modeline(text: &str, whole: bool) -> Option<Language> {
    let first = || text.lines().take(MODELINES);
    let last = || text.lines().rev().take(if whole { MODELINES } else { 0 });
    first().chain(last()).find_map(|line| named(emacs(line).or_else(|| vim(line))?))
}

/// `-*- mode: c++; tab-width: 2 -*-` or `-*- c++ -*-`.
fn emacs(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("-*-")?;
    let (settings, _) = rest.split_once("-*-")?;
    if !settings.contains(':') {
        return Some(settings.trim());
    }
    let pairs = settings.split(';').filter_map(|pair| pair.split_once(':'));
    pairs.into_iter().find(|(key, _)| key.trim().eq_ignore_ascii_case("mode")).map(|(_, mode)| mode.trim())
}

/// `vim: set ft=ruby:` or `vi:syntax=ruby`.
fn vim(line: &str) -> Option<&str> {
    let editor = ["vim", "vi", "ex"].into_iter().find_map(|editor| settings_of(editor, line))?;
    let settings = editor.split([' ', '\t', ':']);
    let kind = settings
        .filter_map(|each| each.split_once('='))
        .find(|(key, _)| matches!(*key, "ft" | "filetype" | "syn" | "syntax"));
    kind.map(|(_, value)| value.split('.').next().unwrap_or_default())
}

/// Gives what follows `editor:`, where that begins a word; Vim may have a version number before the colon.
fn settings_of<'a>(editor: &str, line: &'a str) -> Option<&'a str> {
    let at = line.find(editor)?;
    let begins_word = line[..at].chars().next_back().is_none_or(|before| !before.is_alphanumeric());
    let rest =
        line[at + editor.len()..].trim_start_matches(|c: char| c.is_ascii_digit() || "<=>".contains(c));
    rest.strip_prefix(':').filter(|_| begins_word)
}

fn named(name: &str) -> Option<Language> {
    let name = name.to_ascii_lowercase();
    let name = name.strip_suffix("-mode").unwrap_or(&name);
    let ours = EDITOR_NAMES.iter().find(|(theirs, _)| *theirs == name).map_or(name, |(_, id)| *id);
    // Plain text is what an editor says of everything that it has no mode for.
    table().with_alias(ours).filter(|language| language.id() != "text")
}

/// Gives the languages that the interpreter of the first line runs.
pub(super) fn interpreted(text: &str) -> &'static [Language] {
    let Some(mut name) = interpreter(text) else { return &[] };
    loop {
        let found = table().with_interpreter(name);
        let shorter = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(['.', '-']);
        if !found.is_empty() || shorter == name {
            return found;
        }
        name = shorter;
    }
}

fn interpreter(text: &str) -> Option<&str> {
    let mut lines = text.lines();
    let mut words = lines.next()?.strip_prefix("#!")?.split_ascii_whitespace();
    let mut name = base(words.next()?);
    if name == "env" {
        name = base(of_env(words)?);
    }
    let other = match name {
        "nix-shell" => lines.take(MODELINES).find_map(of_nix_shell),
        "sh" | "bash" | "dash" => lines.take(MODELINES).find_map(of_exec),
        _ => None,
    };
    Some(other.unwrap_or(name))
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Gives the program that `env` runs: its options and the variables that it sets are passed over.
fn of_env<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    while let Some(word) = words.next() {
        match word {
            "-u" | "--unset" | "-C" | "--chdir" => drop(words.next()),
            _ if word.starts_with("-S") && word.len() > 2 => return Some(&word[2..]),
            _ if word.starts_with("--split-string=") => return word.split_once('=').map(|(_, name)| name),
            _ if word.starts_with('-') || word.contains('=') => {}
            _ => return Some(word.trim_matches(['"', '\''])),
        }
    }
    None
}

/// `#! nix-shell -i python3 -p python3`.
fn of_nix_shell(line: &str) -> Option<&str> {
    let mut words = line.strip_prefix("#!")?.split_ascii_whitespace();
    words.by_ref().find(|word| *word == "-i")?;
    words.next().map(base)
}

/// `exec tclsh "$0" "$@"`: a shell script that hands itself to another interpreter.
fn of_exec(line: &str) -> Option<&str> {
    let program = line.strip_prefix("exec ").filter(|rest| rest.contains("$0"))?;
    program.split_ascii_whitespace().next().map(|word| base(word.trim_matches(['"', '\''])))
}

/// Gives the language that the very beginning shows.
pub(super) fn beginning(text: &str) -> Option<Language> {
    let start = text.trim_start();
    let begins = |with: &str| start.get(..with.len()).is_some_and(|it| it.eq_ignore_ascii_case(with));
    let (_, id) = BEGINNINGS.iter().find(|(with, _)| begins(with))?;
    let is_image = *id == "xml" && text.contains("<svg");
    table().of_id(if is_image { "svg" } else { id })
}
