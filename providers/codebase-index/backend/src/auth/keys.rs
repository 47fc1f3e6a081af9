//! The keys that sign tokens, in one file for this user alone.
//!
//! The first one signs; the others only verify what they signed, until the last token of theirs has ended.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::REFRESH_SECONDS;
use crate::{
    hex,
    private::{self, PrivateError},
};

/// How long a key signs.
const KEY_SECONDS: i64 = 90 * 86_400;
/// A shorter secret could be guessed: HS256 wants as many bytes as its hash has.
const SHORTEST_SECRET: usize = 32;

/// Why there are no keys.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] PrivateError),
    /// The file holds no keys.
    #[error(
        "{} holds no usable keys ({fault}); move it away for new ones, which ends all logins", path.display()
    )]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: String,
    },
    /// The system gives no random bytes.
    #[error("the system gives no random bytes: {0}")]
    Random(#[from] getrandom::Error),
}

/// A key by which tokens are signed.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Key {
    /// Its name in the tokens.
    pub(super) kid: String,
    /// Hexadecimal digits.
    secret: String,
    made: i64,
    /// When another one took over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    replaced: Option<i64>,
}

impl Key {
    fn new(now: i64) -> Result<Self, getrandom::Error> {
        Ok(Self { kid: hex::random::<8>()?, secret: hex::random::<32>()?, made: now, replaced: None })
    }

    pub(super) fn secret(&self) -> Vec<u8> {
        hex::bytes(&self.secret).unwrap_or_default()
    }
}

/// The file.
#[derive(Serialize, Deserialize)]
struct Stored {
    v: u32,
    keys: Vec<Key>,
}

/// What becomes of the key that signs now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// It stays: another process may sign by it.
    Never,
    /// It is replaced when it is old.
    WhenDue,
    /// It is replaced, and verifies what it signed.
    Now,
    /// It is replaced and forgotten with all others: every login ends.
    Forget,
}

/// Reads the keys and rotates them; makes the first one where there is no file.
pub(super) fn open(path: &Path, rotation: Rotation, now: i64) -> Result<Vec<Key>, KeysError> {
    let before = private::read(path)?.map(|text| parse(path, &text)).transpose()?.unwrap_or_default();
    let keys = rotate(before.clone(), rotation, now)?;
    let names = |keys: &[Key]| keys.iter().map(|key| key.kid.clone()).collect::<Vec<_>>();
    if names(&keys) != names(&before) {
        let stored = Stored { v: 1, keys: keys.clone() };
        let text = serde_json::to_vec_pretty(&stored).expect("texts and numbers are JSON");
        private::write(path, &text)?;
    }
    Ok(keys)
}

fn parse(path: &Path, text: &str) -> Result<Vec<Key>, KeysError> {
    let fail = |fault: &str| KeysError::Content { path: path.to_owned(), fault: fault.to_owned() };
    // What serde says of a fault could quote a secret.
    let stored: Stored = serde_json::from_str(text).map_err(|_| fail("it is not what was written"))?;
    if stored.v != 1 {
        return Err(fail("it is of another version"));
    }
    if stored.keys.iter().any(|key| key.secret().len() < SHORTEST_SECRET) {
        return Err(fail("a secret is shorter than 32 bytes"));
    }
    Ok(stored.keys)
}

fn rotate(mut keys: Vec<Key>, rotation: Rotation, now: i64) -> Result<Vec<Key>, getrandom::Error> {
    if rotation == Rotation::Forget {
        keys.clear();
    }
    keys.retain(|key| key.replaced.is_none_or(|at| now < at.saturating_add(REFRESH_SECONDS + 86_400)));
    let due = keys.first().is_none_or(|key| match rotation {
        Rotation::Never => false,
        Rotation::WhenDue => now >= key.made.saturating_add(KEY_SECONDS),
        Rotation::Now | Rotation::Forget => true,
    });
    if due {
        if let Some(first) = keys.first_mut() {
            first.replaced = Some(now);
        }
        keys.insert(0, Key::new(now)?);
    }
    Ok(keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_700_000_000;

    fn names(keys: &[Key]) -> Vec<String> {
        keys.iter().map(|key| key.kid.clone()).collect()
    }

    #[test]
    fn a_key_signs_for_a_while_and_then_verifies_until_its_tokens_have_ended() {
        let temporary = tempfile::tempdir().expect("a folder");
        let path = temporary.path().join("keys.json");
        let open = |rotation, now| names(&open(&path, rotation, now).expect("keys"));
        let first = open(Rotation::WhenDue, NOW);
        assert_eq!(open(Rotation::WhenDue, NOW + KEY_SECONDS - 1), first, "it is kept");
        let second = open(Rotation::WhenDue, NOW + KEY_SECONDS);
        assert_eq!(second[1..], first[..], "the old one still verifies");
        let later = open(Rotation::WhenDue, NOW + KEY_SECONDS + REFRESH_SECONDS + 86_400);
        assert_eq!(later, second[..1], "nothing it signed holds any more");
        let third = open(Rotation::Now, NOW + KEY_SECONDS);
        assert_eq!((third.len(), &third[1]), (2, &later[0]));
        let last = open(Rotation::Forget, NOW + KEY_SECONDS);
        assert!(last.len() == 1 && !third.contains(&last[0]));
    }

    #[test]
    fn keys_that_are_broken_or_short_are_refused_without_being_quoted() {
        let temporary = tempfile::tempdir().expect("a folder");
        let path = temporary.path().join("keys.json");
        for (text, fault) in [
            ("{\"v\":1,\"keys\":\"5ec4e7\"}", "not what was written"),
            ("{\"v\":2,\"keys\":[]}", "another version"),
            (r#"{"v":1,"keys":[{"kid":"a","secret":"5ec4e7","made":1}]}"#, "shorter than 32 bytes"),
        ] {
            private::write(&path, text.as_bytes()).expect("written");
            let error = open(&path, Rotation::WhenDue, NOW).err().expect("refused").to_string();
            assert!(error.contains(fault) && !error.contains("5ec4e7"), "{error}");
        }
    }
}
