//! Secrets that are known by what stands before them: `token=…`, `password is …`, `Bearer …`, the address of a webhook.

/// What names a secret, in small letters and without what joins words.
const NAMES: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "secret",
    "token",
    "apikey",
    "accesskey",
    "accountkey",
    "privatekey",
    "secretkey",
    "authkey",
    "signingkey",
    "encryptionkey",
    "licensekey",
    "masterkey",
    "sharedkey",
    "keyid",
    "signature",
    "credential",
    "credentials",
    "sig",
    "key",
];

/// Of these even a word without digits is one.
const PASSWORDS: usize = 5;

/// What says that something is given to a name.
const SIGNS: &[&str] = &["=", ":", " is ", " are ", " -> ", " => "];

/// What is said of a password without telling it.
const HARMLESS: &[&str] = &[
    "required",
    "optional",
    "empty",
    "wrong",
    "invalid",
    "correct",
    "incorrect",
    "valid",
    "secret",
    "missing",
    "unset",
    "set",
    "none",
    "null",
    "true",
    "false",
    "string",
    "weak",
    "strong",
    "safe",
    "unknown",
    "blank",
    "here",
    "there",
    "reset",
    "known",
    "needed",
    "hidden",
    "str",
    "text",
    "bytes",
    "value",
    "option",
    "yours",
    "it",
];

/// Hosts and paths behind which an address is a key.
const HOOKS: &[&str] = &[
    "hooks.slack.com/",
    "discord.com/api/webhooks/",
    "discordapp.com/api/webhooks/",
    "webhook.office.com/",
    "outlook.office.com/webhook/",
    "hooks.zapier.com/",
    "maker.ifttt.com/trigger/",
    "api.telegram.org/bot",
    "chat.googleapis.com/v1/spaces/",
    "logic.azure.com/",
    "hook.make.com/",
    "hook.integromat.com/",
    "open.feishu.cn/open-apis/bot/",
    "oapi.dingtalk.com/robot/",
    "qyapi.weixin.qq.com/cgi-bin/webhook/",
];

pub(super) fn is_secret(line: &str) -> bool {
    let low = line.to_ascii_lowercase();
    is_hook(&low) || has_scheme(line, &low) || is_named(line, &low)
}

fn is_hook(low: &str) -> bool {
    // Each begins with a host, whose end is quick to see.
    let hosts_end =
        low.match_indices('/').filter(|(at, _)| matches!(low.as_bytes()[..*at], [.., b'm' | b'g' | b'n']));
    hosts_end.into_iter().any(|(slash, _)| {
        HOOKS.iter().any(|hook| {
            let (host, path) = hook.split_at(hook.find('/').unwrap_or(hook.len()));
            let Some(rest) = low[slash..].strip_prefix(path).filter(|_| low[..slash].ends_with(host)) else {
                return false;
            };
            rest.find(|c: char| c.is_whitespace() || "\"'`<>)".contains(c)).unwrap_or(rest.len()) >= 6
        })
    })
}

/// `Bearer` or `Basic` and what follows them in a request.
fn has_scheme(line: &str, low: &str) -> bool {
    ["bearer ", "basic "].iter().any(|scheme| {
        let begins = low
            .match_indices(' ')
            .filter(|(space, _)| low[..=*space].ends_with(scheme))
            .map(|(space, _)| space + 1 - scheme.len());
        begins.into_iter().any(|at| {
            let value = value(&line[at + scheme.len()..]);
            let mixed = digit(value) && value.bytes().filter(u8::is_ascii_uppercase).count() > 1;
            let low = digit(value) && letters(value) && *scheme == "bearer ";
            !before(low_end(line, at)) && value.len() >= 12 && (mixed || low || value.ends_with('='))
        })
    })
}

fn low_end(line: &str, at: usize) -> Option<char> {
    line[..at].chars().next_back()
}

fn before(letter: Option<char>) -> bool {
    letter.is_some_and(char::is_alphanumeric)
}

/// A name of a secret, a sign that something is given to it, and what is given.
fn is_named(line: &str, low: &str) -> bool {
    let given = |(at, sign): (usize, &str)| {
        let (name, rest) = (low[..at].trim_end(), &line[at + sign.len()..]);
        let name = name.trim_end_matches(['"', '\'', '`', '*', ' ', ')', ']']);
        let strength = strength(name);
        strength.is_some_and(|strength| is_value(rest, sign, strength))
    };
    let signs = |(at, _): (usize, &str)| {
        let here = |sign: &&&str| low[at..].starts_with(**sign);
        SIGNS.iter().find(here).is_some_and(|sign| given((at, sign)))
    };
    low.match_indices(['=', ':', ' ']).any(signs)
}

/// The place in the list of names of the one that a text ends with.
fn strength(text: &str) -> Option<usize> {
    // A few letters suffice, and a line may be long.
    let end: Vec<char> = text.chars().rev().take(24).filter(|c| !"_- .".contains(*c)).collect();
    let end: String = end.into_iter().rev().collect();
    NAMES.iter().position(|name| end.ends_with(name))
}

fn is_value(rest: &str, sign: &str, strength: usize) -> bool {
    let rest = rest.trim_start_matches(['=', ':', '>', ' ', '"', '\'', '`', '*']);
    let value = value(rest);
    let length = value.len();
    if NAMES[strength] == "key" || NAMES[strength] == "sig" {
        return length >= 16 && digit(value) && letters(value) && !value.contains("://");
    }
    if length >= 6 && digit(value) && letters(value)
        || length >= 8 && value.bytes().all(|c| c.is_ascii_digit())
    {
        return true;
    }
    let low = value.to_ascii_lowercase();
    // A call, a placeholder, a variable of the same name, or a sentence without spaces.
    let stands_for = rest[length..].starts_with(['(', '[', '{', '<', '$']) || low.contains(NAMES[strength]);
    if stands_for || !value.is_ascii() {
        return false;
    }
    if length >= 24 && !value.contains("://") {
        return true;
    }
    let marks = ['"', '\'', '`', '*', '.', '!', ' ', ')', ';', ','];
    let last = rest[length..].trim_matches(marks).is_empty();
    let harmless = HARMLESS.contains(&low.as_str()) || low.ends_with("ed") || low.ends_with("ing");
    strength < PASSWORDS && length >= 4 && !harmless && (last || sign == "=")
}

/// What is given: a word, unless it stands for something else, as `$TOKEN` and `<TOKEN>` do.
fn value(rest: &str) -> &str {
    let ends = |c: char| c.is_whitespace() || "\"'`<>(){}[]$,;|&".contains(c);
    rest[..rest.find(ends).unwrap_or(rest.len())].trim_end_matches(['.', '!', '?', ':', '*'])
}

fn digit(value: &str) -> bool {
    value.bytes().any(|c| c.is_ascii_digit())
}

fn letters(value: &str) -> bool {
    value.bytes().any(|c| c.is_ascii_alphabetic())
}
