//! What no artifact may hold: where things lie on this machine, and what looks like a secret.
//!
//! What is found wrongly costs a sentence; what is not found is told to a model. So a rule is rather too wide, as long as no
//! usual name falls under it.

mod own;
mod random;
mod said;

pub(crate) use own::Own;
use random::is_random;

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
    ("eyJ0eXAiOi", 40),
    ("gloas-", 20),
    ("gldt-", 20),
    ("glrt-", 20),
    ("xapp-", 20),
    ("xoxe-", 20),
    ("xoxe.", 20),
    ("xoxr-", 20),
    ("ya29.", 30),
    ("GOCSPX-", 24),
    ("SG.", 32),
    ("sk-ant-", 30),
    ("sk_test_", 20),
    ("rk_test_", 20),
    ("pk_live_", 20),
    ("whsec_", 24),
    ("shpat_", 32),
    ("shpss_", 32),
    ("shpca_", 32),
    ("sq0atp-", 24),
    ("sq0csp-", 24),
    ("EAACEdEose0cBA", 20),
    ("key-", 36),
    ("AGE-SECRET-KEY-", 50),
    ("dp.pt.", 40),
    ("dapi", 36),
    ("doo_v1_", 40),
    ("figd_", 30),
    ("fo1_", 40),
    ("glsa_", 36),
    ("glc_", 36),
    ("gsk_", 36),
    ("hvs.", 30),
    ("hvb.", 30),
    ("lin_api_", 36),
    ("NRAK-", 30),
    ("ntn_", 36),
    ("pul-", 40),
    ("r8_", 36),
    ("rubygems_", 40),
    ("sbp_", 40),
    ("secret_", 40),
    ("sgp_", 40),
    ("tfp_", 40),
    ("vercel_", 30),
    ("xkeysib-", 40),
];

/// The shortest token of a service.
const SHORTEST: usize = 20;

/// What is forbidden in a line, as a person is told.
pub(crate) fn found(line: &str) -> Option<&'static str> {
    let words = line.split(|c: char| {
        let ends = matches!(
            c,
            '"' | '\'' | '`' | '<' | '>' | '(' | ')' | '{' | '}' | '[' | ']' | '=' | ',' | ';' | '|'
        );
        ends || c.is_whitespace()
    });
    let private_key = line.contains("-----BEGIN") && line.contains("PRIVATE KEY");
    let mut found = (private_key || said::is_secret(line)).then_some(SECRET);
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
    let inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let token = |rest: &str, least: usize| {
        let length = rest.chars().take_while(|c| inside(*c)).count();
        length >= least && rest.chars().take(length).any(|c| c.is_ascii_digit())
    };
    // Every name in a map is asked about, so that each place is looked at once and not for each service.
    let known = |at: usize| {
        let rest = &word[at..];
        let starts = TOKENS.iter().filter(|(start, _)| rest.starts_with(start));
        starts
            .into_iter()
            .any(|(start, least)| token(&rest[start.len()..], least.saturating_sub(start.len())))
    };
    let bytes = word.as_bytes();
    let begins = |at: &usize| {
        bytes[*at].is_ascii_alphabetic() && (*at == 0 || !bytes[*at - 1].is_ascii_alphanumeric())
    };
    (0..bytes.len()).filter(begins).any(known) || is_aws_key(word) || has_password(word) || is_random(word)
}

const AWS: [&str; 4] = ["AKIA", "ASIA", "ABIA", "ACCA"];

/// `AKIA`, `ASIA` or the like and sixteen capitals and digits.
fn is_aws_key(word: &str) -> bool {
    let all = |key: &str| key.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    word.split(|c: char| !c.is_ascii_alphanumeric())
        .any(|part| part.len() == 20 && AWS.iter().any(|start| part.starts_with(start)) && all(part))
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
            "https://hooks.slack.com/services/T00000000/B00000000/abcdefghijklmnopqrstuvwx".to_owned(),
            "posts to https://discord.com/api/webhooks/123456/abc-DEF_ghi".to_owned(),
            "use token=s3cr3tvalue99 for it".to_owned(),
            "\"api_key\": \"a1b2c3d4e5\"".to_owned(),
            "send Bearer abcdEFGH12345678".to_owned(),
            "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==".to_owned(),
            "The admin password is hunter2secret".to_owned(),
            "the password is swordfish.".to_owned(),
            "PASSWORD=swordfish".to_owned(),
            "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".to_owned(),
            "AccountName=x;AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq=="
                .to_owned(),
            "q8Zr+K2vTx9LmP0w/Yb7NdJ4cHs6EgF1uA3oI5Rk".to_owned(),
            "aB3dE5gH7jK9mN1pQ3sT5".to_owned(),
            "x7k2m9q4w8e1r5t3y6u0i2o4p8a5s1".to_owned(),
            "key w0k3j5hs82mvn4x71qpz9t6ry5ub in lower case".to_owned(),
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
            "The token is read from the environment.",
            "Token: a lexical unit of the language.",
            "The password is hashed.",
            "Asks whether the password is required",
            "password: the user's password",
            "pass --token=<TOKEN> or token=$TOKEN",
            "key: value pairs; key=value",
            "The primary key is user_id",
            "Bearer authentication for HTTP",
            "Basic Authentication2 and Basic2",
            "TestParsesIPv6AddressWithPort8080",
            "HTTP2ToHTTP1Base64V2Converter",
            "Sha256ToBase64ViaUtf8Encoding",
            "sha256tobase64viautf8encodingv2",
            "test_x86_64_v2_aarch64_sse4_avx2",
            "tutorial001anpy310py39pydanticv1",
            "inputs=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "see https://github.com/a/b/commit/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
            "`Tokenizer.token` fn L12, `password` L3 - `secret` const L44",
            "`password`: 次のいくつかの章では、その例を紹介します。",
            "with `hashed_password=hashed_password` and #password = state(super.password)",
            "[7f5c07](https://github.com/BurntSushi/ripgrep/commit/7f5c07434be92103b5bf7e216b9c7494aed2d8cb):",
            "github.com/Sushi/ripgrep/blob/7f5c07434be92103b5bf7e216b9c7494aed2d8cb/packages/App",
            "v1.2.3-beta.4+build.5678901234567890",
        ] {
            assert_eq!(found(line), None, "{line}");
        }
    }
}
