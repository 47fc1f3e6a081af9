//! Secrets in headers: `Authorization`, `Cookie`, and a bearer's token wherever it stands.

use super::Found;

const SCHEMES: &[&str] = &[
    "bearer",
    "basic",
    "digest",
    "token",
    "apikey",
    "ssws",
    "negotiate",
    "aws4-hmac-sha256",
    "hawk",
    "key",
    "bot",
];

/// Finds them.
pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    let lower = text.to_ascii_lowercase();
    for header in ["authorization", "cookie"] {
        values(text, &lower, header, found);
    }
    for scheme in ["bearer ", "basic "] {
        bearers(text, &lower, scheme, found);
    }
}

/// The value of a header, up to the end of its line or its quote.
fn values(text: &str, lower: &str, header: &str, found: &mut Vec<Found>) {
    let mut at = 0;
    while let Some(behind) = lower[at..].find(header).map(|start| at + start + header.len()) {
        at = behind;
        let rest = &lower[behind..];
        let sign = rest.len() - rest.trim_start_matches(['"', '\'', ']', ' ']).len();
        if !rest[sign..].starts_with([':', '=']) {
            continue;
        }
        let start = behind + sign + 1;
        let start =
            start + (lower[start..].len() - lower[start..].trim_start_matches(['"', '\'', ' ']).len());
        let end = start + text[start..].find(['\n', '\r', '"', '\'', '`']).unwrap_or(text.len() - start);
        at = end;
        let value = &lower[start..end];
        let (first, rest) = value.split_once(' ').unwrap_or((value, ""));
        let counts = if header == "cookie" {
            value.split_once('=').is_some_and(|(name, _)| !name.trim().contains(' '))
        } else {
            SCHEMES.contains(&first) && rest.len() >= 4
        };
        if counts && !rest.starts_with(['$', '<', '{', '[']) {
            let skip = if header == "cookie" { 0 } else { first.len() + 1 };
            found.push(Found { start: start + skip, end, name: "header" });
        }
    }
}

/// A token behind a scheme, without the header's name.
fn bearers(text: &str, lower: &str, scheme: &str, found: &mut Vec<Found>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(start) = lower[at..].find(scheme).map(|start| at + start + scheme.len()) {
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(byte);
        let end = start + bytes[start..].iter().take_while(is_part).count();
        at = end.max(start);
        let token = &text[start..end];
        let digit = token.bytes().any(|byte| byte.is_ascii_digit());
        let mixed = token.bytes().skip(1).any(|byte| byte.is_ascii_uppercase());
        if token.len() >= 8 && (digit || token.len() >= 20 || (mixed && token.len() >= 12)) {
            found.push(Found { start, end, name: "bearer" });
        }
    }
}
