//! The file of logins: one entry for each backend.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use ctxhost_sdk::serde_json;
use serde::{Deserialize, Serialize};

use super::{Pair, Payload};
use crate::source::{own, private};

/// A login has some 2 KB.
const LARGEST: u64 = 1 << 20;

/// What is kept of a login.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Login {
    /// Empty when it is over.
    #[serde(default)]
    pub(crate) token: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) refresh_token: Option<String>,
    /// Whose it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) username: Option<String>,
    /// When the token ends, in seconds since 1970 by this machine's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ends: Option<f64>,
    /// Why the login is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) refused: Option<String>,
}

impl Login {
    /// Of tokens that came now. How long they hold is counted from now: a clock of the backend's that is wrong counts for
    /// nothing.
    pub(super) fn new(pair: &Pair, expires_in: Option<u64>, now: f64) -> Self {
        let payload = Payload::of(&pair.token);
        let said = expires_in.filter(|seconds| *seconds > 0).map(|seconds| seconds as f64);
        let holds = match (payload.holds, said) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        Self {
            token: pair.token.clone(),
            refresh_token: pair.refresh_token.clone(),
            username: payload.username,
            ends: holds.map(|holds| now + holds),
            refused: None,
        }
    }

    /// Without tokens, for this reason.
    pub(super) fn over(self, why: &str) -> Self {
        Self { username: self.username, refused: Some(why.to_owned()), ..Self::default() }
    }

    /// Whether its token ends in so many seconds; of a token that does not say nothing is assumed.
    pub(super) fn ends_within(&self, now: f64, seconds: f64) -> bool {
        self.ends.is_some_and(|ends| ends - now < seconds)
    }
}

#[derive(Default, Serialize, Deserialize)]
struct Document {
    v: u32,
    backends: BTreeMap<String, Login>,
}

/// The file.
pub(super) struct Logins(PathBuf);

impl Logins {
    pub(super) fn below(state: &Path) -> Self {
        Self(state.join("credentials.json"))
    }

    /// Reads the login at a backend.
    pub(super) fn read(&self, backend: &str) -> Result<Option<Login>, String> {
        Ok(self.document()?.backends.remove(backend))
    }

    /// Replaces it; the caller has the lock. A file that cannot be used is replaced as a whole.
    pub(super) fn write(&self, backend: &str, login: Option<&Login>) -> Result<(), String> {
        let mut document = self.document().unwrap_or_default();
        document.v = 1;
        match login {
            Some(login) => drop(document.backends.insert(backend.to_owned(), login.clone())),
            None => drop(document.backends.remove(backend)),
        }
        let bytes = serde_json::to_vec(&document).map_err(|error| error.to_string())?;
        private::write(&self.0, &bytes)
            .map_err(|error| format!("{} cannot be written: {error}", self.0.display()))
    }

    fn document(&self) -> Result<Document, String> {
        let wrong = |why: String| format!("{} {why}", self.0.display());
        let Some(bytes) = own::read(&self.0, LARGEST).map_err(wrong)? else { return Ok(Document::default()) };
        // The error of a parser quotes the text, and here that may be a token.
        serde_json::from_slice(&bytes).map_err(|_| wrong("is damaged; log in again".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use super::*;

    fn pair(token: &str) -> Pair {
        Pair { token: token.to_owned(), refresh_token: Some("r".to_owned()) }
    }

    #[test]
    fn each_backend_has_its_own_login_for_the_person_alone() {
        let state = tempfile::tempdir().unwrap();
        let logins = Logins::below(&state.path().join("deep"));
        assert!(logins.read("a").unwrap().is_none());
        logins.write("a", Some(&Login::new(&pair("one"), None, 0.0))).unwrap();
        logins.write("b", Some(&Login::new(&pair("two"), None, 0.0))).unwrap();
        logins.write("a", None).unwrap();
        assert!(logins.read("a").unwrap().is_none());
        assert_eq!(logins.read("b").unwrap().unwrap().token, "two");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&logins.0), mode(logins.0.parent().unwrap())), (0o600, 0o700));
    }

    #[test]
    fn a_damaged_file_is_said_without_its_content_and_replaced() {
        let state = tempfile::tempdir().unwrap();
        let logins = Logins::below(state.path());
        private::write(&logins.0, b"{\"v\": \"secret-token\"").unwrap();
        let why = logins.read("a").err().unwrap();
        assert!(why.contains("damaged") && !why.contains("secret"), "{why}");
        logins.write("a", Some(&Login::new(&pair("one"), None, 0.0))).unwrap();
        assert_eq!(logins.read("a").unwrap().unwrap().token, "one");
    }

    #[test]
    fn how_long_a_token_holds_is_counted_by_this_machine() {
        let check = |expires_in: Option<u64>, expected: Option<f64>| {
            // Made when the backend's clock said 1000000, for an hour.
            let payload = "eyJ1c2VybmFtZSI6ImFkYSIsImV4cCI6MTAwMzYwMCwiaWF0IjoxMDAwMDAwfQ";
            let login = Login::new(&pair(&format!("e30.{payload}.x")), expires_in, 5.0);
            assert_eq!((login.ends, login.username.as_deref()), (expected, Some("ada")));
        };
        check(None, Some(3_605.0));
        check(Some(60), Some(65.0));
        check(Some(9_000), Some(3_605.0));
        let opaque = Login::new(&pair("opaque"), Some(60), 5.0);
        assert!(opaque.ends_within(6.0, 60.0) && !opaque.ends_within(4.0, 60.0));
        let silent = Login::new(&pair("opaque"), None, 5.0);
        assert!(!silent.ends_within(1e12, 60.0));
    }
}
