//! Values behind a name that says that they are secret: `password: "two words"`, `TOKEN=…`, `--token …`, `.netrc`.

use super::{Found, names};

/// What stands for a type, nothing, or a placeholder, and not for a secret.
const NO_VALUES: &[&str] = &[
    "null",
    "none",
    "nil",
    "true",
    "false",
    "undefined",
    "string",
    "str",
    "text",
    "bytes",
    "number",
    "int",
    "integer",
    "bool",
    "boolean",
    "any",
    "object",
    "optional",
    "option",
    "required",
    "self",
    "this",
    "void",
    "char",
    "varchar",
    "input",
    "value",
    "unknown",
    "never",
    "usize",
    "secret",
    "password",
    "token",
    "redacted",
    "is",
    "was",
    "and",
    "or",
    "the",
    "a",
    "an",
    "not",
    "must",
    "should",
    "missing",
    "empty",
    "invalid",
    "wrong",
    "expired",
];

/// How long a value may be.
const LONGEST: usize = 4_096;

/// How much of a word decides whether it is a secret.
const DECIDES: usize = 256;

/// Finds such values.
pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !is_name(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && is_name(bytes[at]) {
            at += 1;
        }
        let name = &text[start..at];
        if name.len() > 128 || !names::is_secret(name) {
            continue;
        }
        if let Some((start, end)) = value_behind(text, start, at) {
            found.push(Found { start, end, name: "value" });
            at = end;
        }
    }
    logins(text, found);
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// The value that belongs to the name at `start..end`.
fn value_behind(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let name = &text[start..end];
    let mut at = end;
    while bytes.get(at).is_some_and(|byte| b"\"'`]".contains(byte)) {
        at += 1;
    }
    let spaced = skip_spaces(bytes, &mut at);
    match bytes.get(at) {
        Some(b':' | b'=') => {
            let sign = bytes[at];
            while bytes.get(at).is_some_and(|byte| b":=>~".contains(byte)) {
                at += 1;
            }
            let spaced = skip_spaces(bytes, &mut at) || spaced;
            let env = sign == b'=' && !spaced && is_env_line(text, start, name);
            written_value(text, name, sign, spaced, env, at)
        }
        // A flag of a command line.
        Some(_) if spaced && name.starts_with("--") => flag_value(text, name, at),
        _ => None,
    }
}

fn skip_spaces(bytes: &[u8], at: &mut usize) -> bool {
    let before = *at;
    while bytes.get(*at).is_some_and(|byte| b" \t".contains(byte)) {
        *at += 1;
    }
    *at > before
}

/// Whether the name stands at the start of a line, as in an environment file, in capitals.
fn is_env_line(text: &str, start: usize, name: &str) -> bool {
    // `export ` and some indentation; a line's start further away makes no environment line.
    let near = &text.as_bytes()[start.saturating_sub(40)..start];
    let line = near.iter().rposition(|byte| *byte == b'\n').map_or(near, |line| &near[line + 1..]);
    let at_start = line.len() < near.len() || start <= 40;
    let before = line.trim_ascii();
    let capitals = name.bytes().all(|byte| !byte.is_ascii_lowercase());
    capitals && at_start && (before.is_empty() || before == b"export")
}

fn written_value(
    text: &str,
    name: &str,
    sign: u8,
    spaced: bool,
    env: bool,
    at: usize,
) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    // A text may carry a letter in front of its quote, as in Python and Rust.
    let prefix = usize::from(
        bytes.get(at).is_some_and(u8::is_ascii_alphabetic)
            && bytes.get(at + 1).is_some_and(|byte| b"\"'".contains(byte)),
    );
    if let Some(quote) = bytes.get(at + prefix).filter(|byte| b"\"'`".contains(byte)) {
        let inner = at + prefix + 1;
        let end = closing(bytes, inner, *quote);
        let value = &text[inner..end];
        let secret = !is_placeholder(value) && (!names::is_number(name) || is_pin(value));
        return (end > inner && secret).then_some((inner, end));
    }
    let end = if env { line_end(text, at) } else { word_start(text, at) };
    let value = &text[at..end];
    // `token: str = "…"` says the type first.
    let mut behind = end;
    skip_spaces(bytes, &mut behind);
    if sign == b':'
        && bytes.get(behind) == Some(&b'=')
        && value.bytes().all(|byte| is_name(byte) || byte == b'&')
    {
        behind += 1;
        skip_spaces(bytes, &mut behind);
        return written_value(text, name, b'=', true, false, behind);
    }
    let certain = env || (sign == b'=' && !spaced);
    is_secret_value(name, value, certain).then(|| (at, if env { end } else { word_end(bytes, end) }))
}

fn flag_value(text: &str, name: &str, at: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    if let Some(quote) = bytes.get(at).filter(|byte| b"\"'".contains(byte)) {
        let end = closing(bytes, at + 1, *quote);
        return (end > at + 1 && !is_placeholder(&text[at + 1..end])).then_some((at + 1, end));
    }
    let end = word_start(text, at);
    let value = &text[at..end];
    let counts = !names::is_number(name) || is_pin(value);
    (counts && value.len() >= 4 && !value.starts_with('-') && !is_placeholder(value) && !is_plain(value))
        .then(|| (at, word_end(bytes, end)))
}

/// Where a quoted text ends: before its closing quote, else at the end of its line.
pub(super) fn closing(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start;
    while at < bytes.len() && at - start < LONGEST && bytes[at] != b'\n' {
        match bytes[at] {
            b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii) => at += 1,
            byte if byte == quote => break,
            _ => {}
        }
        at += 1;
    }
    while at < bytes.len() && (bytes[at] & 0xC0) == 0x80 {
        at += 1;
    }
    at.min(bytes.len())
}

fn word_end(bytes: &[u8], at: usize) -> usize {
    let stops = |byte: &u8| byte.is_ascii_whitespace() || b",;)]}\"'`<>|".contains(byte);
    at + bytes[at..].iter().take_while(|byte| !stops(byte)).count()
}

/// Where a word ends, or what decides of it: words without an end may follow each other without an end.
fn word_start(text: &str, at: usize) -> usize {
    word_end(&text.as_bytes()[..text.floor_char_boundary(at + DECIDES)], at)
}

fn line_end(text: &str, at: usize) -> usize {
    let line = text[at..].find(['\n', '\r']).map_or(text.len(), |end| at + end);
    at + text[at..line].find(" #").unwrap_or(line - at)
}

pub(super) fn is_placeholder(value: &str) -> bool {
    let value = value.trim();
    let opens = ["$", "<", "{", "%", "[redacted"].iter().any(|open| value.starts_with(open));
    value.is_empty() || opens || value.bytes().all(|byte| b"*x.X_-".contains(&byte))
}

/// A word of letters alone, as prose and code have them.
fn is_plain(value: &str) -> bool {
    value.chars().all(|character| character.is_alphabetic() || character == '_' || character == '-')
}

/// Whether an unquoted value is a secret; `certain` where only a value can stand.
fn is_secret_value(name: &str, value: &str, certain: bool) -> bool {
    let trimmed = value.trim_end_matches(['.', '?', '!', ':']);
    if names::is_number(name) {
        return is_pin(trimmed);
    }
    let lower = trimmed.to_ascii_lowercase();
    if trimmed.len() < 3 || is_placeholder(trimmed) || NO_VALUES.contains(&lower.as_str()) {
        return false;
    }
    let code = ["::", "(", "[", "->", "&", "*"].iter().any(|mark| trimmed.contains(mark));
    if (code && !certain) || trimmed.contains("::") || trimmed.ends_with('(') || is_member(trimmed) {
        return false;
    }
    let place = trimmed.starts_with(['/', '~', '.']);
    // `pwd` is also where a shell stands.
    if place && (!certain || name.eq_ignore_ascii_case("pwd")) {
        return false;
    }
    if trimmed.bytes().all(|byte| byte.is_ascii_digit()) {
        return names::is_password(name) && trimmed.len() >= 4 || trimmed.len() >= 12;
    }
    if is_plain(trimmed) {
        let lower_case = trimmed.chars().all(char::is_lowercase);
        return certain && trimmed.len() >= 4 || names::is_password(name) && lower_case;
    }
    true
}

/// A number that people type, or a device shows.
fn is_pin(value: &str) -> bool {
    (4..=12).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit())
}

/// A place in code, as `config.password` and `process.env.TOKEN` are.
pub(super) fn is_member(value: &str) -> bool {
    let is_identifier = |part: &str| {
        part.bytes().next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
            && part.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_')
    };
    let value = value.split(['(', '[', '?']).next().unwrap_or_default();
    value.contains('.') && value.split('.').all(is_identifier)
}

/// What `.netrc` and prose say: `login NAME password VALUE`, `password is VALUE`.
fn logins(text: &str, found: &mut Vec<Found>) {
    let mut before = ["", "", ""];
    for word in text.split_ascii_whitespace() {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        let in_netrc = before[2] == "password"
            && ["login", "machine", "account", "user"].contains(&before[0])
            && !is_placeholder(word);
        let said = ["is", "was"].contains(&before[2])
            && names::is_secret(before[1])
            && (!names::is_number(before[1]) || is_pin(word.trim_end_matches(['.', ','])))
            && !is_plain(word.trim_end_matches(['.', ',']))
            && !is_placeholder(word);
        if in_netrc || said {
            found.push(Found { start, end: start + word.len(), name: "value" });
        }
        before = [before[1], before[2], word];
    }
}
