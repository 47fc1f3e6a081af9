//! Secrets that commands are given by a short flag: `mysql -p…`, `curl -u user:…`, `sshpass -p …`.

use super::{
    Found,
    assignments::{closing, is_placeholder},
};

/// How the value of a flag stands behind it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// In the same word.
    Glued,
    /// In the same word or the next one.
    Either,
}

/// Which part of the value is secret.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    /// What is behind the first of these.
    Behind(char),
}

/// Commands, by how their name begins, and the flag that gives them a secret.
const FLAGS: &[(&str, &str, Stands, Part)] = &[
    ("mysql", "-p", Stands::Glued, Part::Whole),
    ("mariadb", "-p", Stands::Glued, Part::Whole),
    ("sshpass", "-p", Stands::Either, Part::Whole),
    ("mongo", "-p", Stands::Either, Part::Whole),
    ("login", "-p", Stands::Either, Part::Whole),
    ("7z", "-p", Stands::Glued, Part::Whole),
    ("zip", "-P", Stands::Either, Part::Whole),
    ("unzip", "-P", Stands::Either, Part::Whole),
    ("sqlcmd", "-P", Stands::Either, Part::Whole),
    ("redis-cli", "-a", Stands::Either, Part::Whole),
    ("ldap", "-w", Stands::Either, Part::Whole),
    ("curl", "-u", Stands::Either, Part::Behind(':')),
    ("curl", "-U", Stands::Either, Part::Behind(':')),
    ("curl", "--user", Stands::Either, Part::Behind(':')),
    ("curl", "--proxy-user", Stands::Either, Part::Behind(':')),
    ("http", "-a", Stands::Either, Part::Behind(':')),
    ("xh", "-a", Stands::Either, Part::Behind(':')),
    ("smbclient", "-U", Stands::Either, Part::Behind('%')),
    ("rpcclient", "-U", Stands::Either, Part::Behind('%')),
];

/// Finds them.
pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    let mut line = 0;
    let mut command = None;
    for piece in text.split_inclusive('\n') {
        of_line(text, line..line + piece.len(), &mut command, found);
        line += piece.len();
        // A line may go on in the next one.
        if !piece.trim_end().ends_with('\\') {
            command = None;
        }
    }
}

fn of_line(
    text: &str,
    line: std::ops::Range<usize>,
    command: &mut Option<&'static str>,
    found: &mut Vec<Found>,
) {
    let mut at = line.start;
    while let Some(word) = text[at..line.end].split_whitespace().next() {
        let mut start = word.as_ptr() as usize - text.as_ptr() as usize;
        let end = start + word.len();
        at = end;
        start += word.len() - word.trim_start_matches(['`', '$', '(', '"', '\'']).len();
        let word = &text[start..end];
        if let Some((start, end)) = secret(text, start..end, line.end, *command) {
            found.push(Found { start, end, name: "argument" });
            at = end.max(at);
        } else if let Some(name) = named(word) {
            *command = Some(name);
        }
        if word.ends_with([';', '|', '&']) {
            *command = None;
        }
    }
}

/// The command of a word, as the rows have it.
fn named(word: &str) -> Option<&'static str> {
    let name = word.rsplit('/').next().unwrap_or(word);
    let rows = FLAGS.iter().map(|row| row.0);
    rows.filter(|row| name.starts_with(row) && !name.contains("://")).max_by_key(|row| row.len())
}

/// The secret of a word that is a flag.
fn secret(
    text: &str,
    word: std::ops::Range<usize>,
    line: usize,
    command: Option<&str>,
) -> Option<(usize, usize)> {
    let flag = &text[word.clone()];
    if !flag.starts_with('-') {
        return None;
    }
    // `-sSu` is `-s -S -u`.
    let joined = |row: &str| {
        row.len() == 2 && flag.len() <= 6 && flag.ends_with(&row[1..]) && !flag[1..].contains('-')
    };
    let rows = FLAGS.iter().filter(|row| command == Some(row.0));
    if let Some((_, _, _, part @ Part::Behind(_))) = rows.clone().find(|row| joined(row.1)) {
        return told(text, spaces(text, word.end, line), line, *part);
    }
    let rows = rows.filter(|row| flag.starts_with(row.1));
    let Some((_, name, stands, part)) = rows.max_by_key(|row| row.1.len()) else {
        return of_any_command(text, word, line);
    };
    let glued = word.start + name.len();
    // `--user-agent` is another flag than `--user`.
    if name.starts_with("--") && glued < word.end && !text[glued..].starts_with('=') {
        return None;
    }
    match (glued < word.end, stands) {
        (true, _) => told(text, glued + usize::from(text[glued..].starts_with('=')), line, *part),
        (false, Stands::Either) => told(text, spaces(text, glued, line), line, *part),
        (false, Stands::Glued) => None,
    }
}

/// Behind the spaces that stand here.
fn spaces(text: &str, at: usize, line: usize) -> usize {
    line - text[at..line].trim_start_matches([' ', '\t']).len()
}

/// The secret part of the value that begins here.
fn told(text: &str, at: usize, line: usize, part: Part) -> Option<(usize, usize)> {
    let (start, end) = value(text, at, line);
    let start = match part {
        Part::Whole => start,
        Part::Behind(sign) => start + text[start..end].find(sign)? + 1,
    };
    let value = &text[start..end];
    (value.len() >= 3 && !value.starts_with('-') && !is_placeholder(value)).then_some((start, end))
}

/// `-p…` and `-u name:…` of a command that is not known, where the value looks like a password and nothing else.
fn of_any_command(text: &str, word: std::ops::Range<usize>, line: usize) -> Option<(usize, usize)> {
    let flag = &text[word.clone()];
    let has = |text: &str, is: fn(&u8) -> bool| text.bytes().any(|byte| is(&byte));
    let (start, end) = if flag == "-u" || flag == "--user" {
        let (start, end) = value(text, spaces(text, word.end, line), line);
        (start + text[start..end].find(':')? + 1, end)
    } else {
        let (start, end) = value(text, word.start + flag.strip_prefix("-p").map(|_| 2)?, line);
        (text[start..end].len() >= 8 && has(&text[start..end], u8::is_ascii_uppercase))
            .then_some((start, end))?
    };
    let value = &text[start..end];
    let mixed = has(value, u8::is_ascii_digit) && has(value, u8::is_ascii_lowercase);
    let plain = value.contains(['/', ':', ',']) || is_placeholder(value);
    (mixed && value.len() >= 5 && !plain).then_some((start, end))
}

/// A value that begins here: up to its closing quote, else to the end of its word.
fn value(text: &str, at: usize, line: usize) -> (usize, usize) {
    let bytes = &text.as_bytes()[..line];
    match bytes.get(at) {
        Some(quote @ (b'"' | b'\'')) => (at + 1, closing(bytes, at + 1, *quote)),
        _ => {
            let stops = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`;|)".contains(byte);
            (at, at + bytes.iter().skip(at).take_while(|byte| !stops(byte)).count())
        }
    }
}
