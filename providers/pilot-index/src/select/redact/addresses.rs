//! Secrets in addresses: a password before the host, a key behind the question mark, tokens of known forms.

use super::Found;

/// Parameters of an address whose value lets its bearer in.
const PARAMETERS: &[&str] = &[
    "key",
    "api_key",
    "apikey",
    "api-key",
    "token",
    "access_token",
    "refresh_token",
    "id_token",
    "auth",
    "auth_token",
    "sig",
    "signature",
    "secret",
    "client_secret",
    "password",
    "passwd",
    "pwd",
    "code",
    "session",
    "sessionid",
    "jwt",
    "x-amz-signature",
    "x-amz-credential",
    "x-amz-security-token",
    "x-goog-signature",
    "x-goog-credential",
    "sas",
    "subscription-key",
    "private_token",
    "hash",
    "ticket",
    "assertion",
];

/// Finds them.
pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    userinfo(text, found);
    parameters(text, found);
    dotted(text, found);
}

/// `scheme://user:password@host`, and `scheme://token@host` where the name is as long as a token.
fn userinfo(text: &str, found: &mut Vec<Found>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(start) = text[at..].find("://").map(|start| at + start + 3) {
        let stops = |byte: &u8| byte.is_ascii_whitespace() || b"/?#\"'`<>|\\".contains(byte);
        let end = start + bytes[start..].iter().take_while(|byte| !stops(byte)).count();
        at = end.max(start);
        let Some(sign) = text[start..end].rfind('@').map(|sign| start + sign) else { continue };
        let secret = match text[start..sign].find(':') {
            Some(colon) => start + colon + 1..sign,
            None if sign - start >= 16 => start..sign,
            None => continue,
        };
        let known = text[start..sign].contains("[redacted:");
        if !secret.is_empty() && !known && !text[secret.clone()].starts_with(['$', '{', '<', '[', '%', '*']) {
            found.push(Found { start: secret.start, end: secret.end, name: "password-in-address" });
        }
    }
}

/// `?key=…&sig=…`.
fn parameters(text: &str, found: &mut Vec<Found>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(start) = text[at..].find(['?', '&']).map(|start| at + start + 1) {
        let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
        let end = start + bytes[start..].iter().take_while(is_name).count();
        at = end;
        if bytes.get(end) != Some(&b'=')
            || !PARAMETERS.contains(&text[start..end].to_ascii_lowercase().as_str())
        {
            continue;
        }
        let stops = |byte: &u8| byte.is_ascii_whitespace() || b"&#\"'`<>|)]},;".contains(byte);
        let value = end + 1 + bytes[end + 1..].iter().take_while(|byte| !stops(byte)).count();
        at = value;
        if value - end > 6 && !text[end + 1..].starts_with(['$', '{', '<', '[']) {
            found.push(Found { start: end + 1, end: value, name: "key-in-address" });
        }
    }
}

/// Tokens that are known by where their dots, colons and marks are, not by how they begin.
fn dotted(text: &str, found: &mut Vec<Found>) {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.:~".contains(&byte);
    let mut start = None;
    for (at, byte) in text.bytes().chain([b' ']).enumerate() {
        match (is_part(byte), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                if let Some(name) = known_form(&text[from..at]) {
                    found.push(Found { start: from, end: at, name });
                }
                start = None;
            }
            _ => {}
        }
    }
}

fn known_form(word: &str) -> Option<&'static str> {
    if word.len() < 30 || word.len() > 4_096 {
        return None;
    }
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let token = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    if let Some((bot, secret)) = word.split_once(':')
        && (8..=12).contains(&bot.len())
        && digits(bot)
        && secret.len() >= 30
        && token(secret)
    {
        return Some("telegram-token");
    }
    if let [id, time, sign] = word.split('.').collect::<Vec<_>>()[..]
        && (23..=28).contains(&id.len())
        && (5..=8).contains(&time.len())
        && sign.len() >= 27
        && [id, time, sign].iter().all(|part| token(part))
        && id.starts_with(['M', 'N', 'O'])
    {
        return Some("discord-token");
    }
    let (key, place) = word.rsplit_once('-')?;
    let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if key.len() == 32 && is_hex(key) && place.strip_prefix("us").is_some_and(digits) {
        return Some("mailchimp-key");
    }
    None.or_else(|| azure_secret(word))
}

/// Azure's client secrets carry `Q~` behind four characters.
fn azure_secret(word: &str) -> Option<&'static str> {
    let at = word.find("Q~")?;
    (at == 4 && word.len() >= 36).then_some("azure-secret")
}
