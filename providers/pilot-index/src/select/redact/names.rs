//! Which names say that their value is a secret.

/// Words that say it by themselves.
const STRONG: &[&str] = &[
    "password",
    "passwd",
    "pwd",
    "passphrase",
    "passcode",
    "passwort",
    "pass",
    "secret",
    "secrets",
    "token",
    "apikey",
    "creds",
    "credential",
    "credentials",
    "accesskey",
    "secretkey",
    "privatekey",
    "authkey",
    "accountkey",
    "authtoken",
    "accesstoken",
    "clientsecret",
    "connectionstring",
    "sharedaccesskey",
];

/// Words that say it of a number, and of nothing else: a pin of a board has two digits, one of a connector is a name.
const NUMBERS: &[&str] = &["pin", "pincode", "otp", "totp", "cvv", "cvc", "tan"];

/// Words that say it in front of `key`.
const KEYS: &[&str] = &[
    "api",
    "access",
    "private",
    "secret",
    "auth",
    "account",
    "signing",
    "encryption",
    "master",
    "client",
    "deploy",
    "service",
    "license",
    "app",
    "application",
    "shared",
    "storage",
    "webhook",
    "admin",
    "hmac",
    "session",
    "ssh",
    "dsn",
];

/// Words behind it that turn the meaning: `token_count` counts, `password_file` is a place.
const HARMLESS: &[&str] = &[
    "count",
    "counts",
    "limit",
    "limits",
    "length",
    "len",
    "size",
    "type",
    "types",
    "name",
    "names",
    "file",
    "files",
    "path",
    "paths",
    "dir",
    "expiry",
    "expires",
    "ttl",
    "age",
    "field",
    "fields",
    "index",
    "policy",
    "strength",
    "reset",
    "budget",
    "estimate",
    "usage",
    "max",
    "min",
    "hint",
    "label",
    "prompt",
    "error",
    "errors",
    "validator",
    "validation",
    "regex",
    "pattern",
    "provider",
    "store",
    "class",
    "kind",
    "required",
    "enabled",
    "visible",
    "url",
    "uri",
    "endpoint",
    "stream",
    "tree",
    "list",
    "map",
    "set",
    "iter",
    "range",
    "span",
    "position",
    "offset",
    "column",
    "line",
    "bucket",
    "rate",
    "ring",
    "manager",
    "service",
    "version",
    "format",
    "env",
    "var",
];

/// Whether a value of this name is a secret.
pub(super) fn is_secret(name: &str) -> bool {
    let words = words(name);
    let strong = |at: usize| {
        let word = words[at].as_str();
        STRONG.contains(&word)
            || NUMBERS.contains(&word)
            || ["password", "passwd", "secret", "apikey", "token"]
                .iter()
                .any(|end| word.len() > end.len() && word.ends_with(end))
            || (word == "key" && at > 0 && KEYS.contains(&words[at - 1].as_str()))
    };
    let last = (0..words.len()).rev().find(|at| strong(*at));
    last.is_some_and(|at| !words[at + 1..].iter().any(|word| HARMLESS.contains(&word.as_str())))
}

/// Whether its values are chosen by people, so that a plain word may be one.
pub(super) fn is_password(name: &str) -> bool {
    let words = words(name);
    words.iter().any(|word| {
        ["password", "passwd", "pwd", "passphrase", "passcode", "secret", "passwort"]
            .iter()
            .any(|end| word.ends_with(end))
    })
}

/// Whether only a number of this name is a secret.
pub(super) fn is_number(name: &str) -> bool {
    words(name).last().is_some_and(|word| NUMBERS.contains(&word.as_str()))
}

/// The words of a name in lower case: parted at `_`, `-`, and where a capital begins one.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = '_';
    for character in name.chars().take(128) {
        if !character.is_ascii_alphanumeric() {
            before = '_';
            continue;
        }
        let begins = before == '_' || (character.is_ascii_uppercase() && !before.is_ascii_uppercase());
        if begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.push(character.to_ascii_lowercase());
        }
        before = character;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_told_from_names_of_other_things() {
        for name in [
            "password",
            "DB_PASSWORD",
            "dbPassword",
            "mypassword",
            "API_KEY",
            "apiKey",
            "x-api-key",
            "GITHUB_TOKEN",
            "accessToken",
            "client_secret",
            "SECRET_KEY_BASE",
            "AccountKey",
            "SharedAccessKey",
            "TOKEN_PROD",
            "pwd",
            "aws_secret_access_key",
            "PGPASSWORD",
            "signingKey",
            "SENTRY_DSN_KEY",
            "DD_API_KEY",
            "CARD_PIN",
            "passcode",
        ] {
            assert!(is_secret(name), "{name}");
        }
        for name in [
            "max_tokens",
            "tokens",
            "token_count",
            "maxRetrievedTokens",
            "tokenizer",
            "primary_key",
            "key",
            "keyboard",
            "password_file",
            "passwordStrength",
            "tokenType",
            "author",
            "compass",
            "passes",
            "foreignKey",
            "secretary",
            "token_stream",
            "cache_key",
            "SECRET_NAME",
            "pinned",
            "pin_count",
        ] {
            assert!(!is_secret(name), "{name}");
        }
    }
}
