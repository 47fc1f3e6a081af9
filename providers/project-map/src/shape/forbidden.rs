//! What no artifact may hold: where things lie on this machine, and what looks like a secret.

/// Folders of one person or one machine.
const HOMES: &[&str] = &["/home/", "/Users/", "/root/", "/tmp/", "/private/", "/var/folders/", "file:///"];

/// How the tokens of well-known services begin, and how long they are at the least.
const TOKENS: &[(&str, usize)] = &[
    ("ghp_", 36),
    ("gho_", 36),
    ("ghu_", 36),
    ("ghs_", 36),
    ("ghr_", 36),
    ("github_pat_", 40),
    ("glpat-", 20),
    ("xoxa-", 20),
    ("xoxb-", 20),
    ("xoxp-", 20),
    ("xoxs-", 20),
    ("AIza", 35),
    ("sk-", 32),
    ("sk_live_", 20),
    ("rk_live_", 20),
    ("npm_", 36),
    ("pypi-", 40),
    ("hf_", 30),
    ("dop_v1_", 40),
    ("eyJhbGciOi", 40),
];

/// The shortest token of a service.
const SHORTEST: usize = 20;

/// What is forbidden in a line, as a person is told.
pub(crate) fn found(line: &str) -> Option<&'static str> {
    let words = line.split(|c: char| c.is_whitespace() || "\"'`<>(){}[]=,;|".contains(c));
    let private_key = line.contains("-----BEGIN") && line.contains("PRIVATE KEY");
    let mut found = private_key.then_some(SECRET);
    for word in words {
        found =
            found.or_else(|| is_secret(word).then_some(SECRET)).or_else(|| is_place(word).then_some(PLACE));
    }
    found
}

const SECRET: &str = "what looks like a secret";
const PLACE: &str = "an absolute path";

fn is_place(word: &str) -> bool {
    let named = |home: &str| word.strip_prefix(home).is_some_and(|rest| !rest.is_empty());
    let mut chars = word.chars();
    let drive = chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && chars.as_str().starts_with(":\\");
    drive || HOMES.iter().any(|home| named(home))
}

fn is_secret(word: &str) -> bool {
    if word.len() < SHORTEST {
        return has_password(word);
    }
    let inside = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    let token = |rest: &str, least: usize| {
        let length = rest.chars().take_while(|c| inside(*c)).count();
        length >= least && rest.chars().take(length).any(|c| c.is_ascii_digit())
    };
    let known = |(start, least): &(&str, usize)| {
        word.match_indices(start).any(|(at, _)| {
            let before = word[..at].chars().next_back();
            !before.is_some_and(|c| c.is_ascii_alphanumeric())
                && token(&word[at + start.len()..], least - start.len().min(*least))
        })
    };
    TOKENS.iter().any(known) || is_aws_key(word) || has_password(word)
}

/// `AKIA` or `ASIA` and sixteen capitals and digits.
fn is_aws_key(word: &str) -> bool {
    let all = |key: &str| key.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    word.split(|c: char| !c.is_ascii_alphanumeric())
        .any(|part| part.len() == 20 && (part.starts_with("AKIA") || part.starts_with("ASIA")) && all(part))
}

/// An address with a password in it, such as `postgres://me:secret@host`.
fn has_password(word: &str) -> bool {
    let authority = word.split_once("://").map(|(_, rest)| rest.split('/').next().unwrap_or_default());
    let user = authority.and_then(|authority| authority.rsplit_once('@')).map(|(user, _)| user);
    user.and_then(|user| user.split_once(':')).is_some_and(|(_, password)| !password.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_secrets_are_seen_and_what_is_like_them_is_not() {
        let digits = "0123456789".repeat(4);
        for line in [
            format!("uses ghp_{digits}"),
            format!("key=\"sk-proj-{digits}\""),
            "id AKIA0123456789ABCDEF here".to_owned(),
            "-----BEGIN RSA PRIVATE KEY-----".to_owned(),
            "see postgres://me:pass@host/db".to_owned(),
        ] {
            assert_eq!(found(&line), Some(SECRET), "{line}");
        }
        for line in ["in /home/me/x", "`/Users/me`", "path=/tmp/x", "C:\\Users\\me", "see file:///etc/passwd"]
        {
            assert_eq!(found(line), Some(PLACE), "{line}");
        }
        for line in [
            "reads /etc/passwd",
            "src/home/page.rs",
            "the /home/ folder",
            "see https://example.org/a:b@c",
            "sk-learn and hf_hub and npm_config_registry",
            "AKIA is a prefix",
            "ghp_short",
        ] {
            assert_eq!(found(line), None, "{line}");
        }
    }
}
