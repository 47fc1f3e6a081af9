//! The development backend on this machine, which needs no login: it says in a file where it is and with which token.

use std::path::{Path, PathBuf};

use ctxhost_sdk::{
    protocol::codebase_index::{DEVELOPMENT_FILE, Development},
    serde_json,
};
use rustix::process::{Pid, test_kill_process};
use url::Url;

use super::{
    backend::{Bearer, Token, is_loopback},
    own,
};
use crate::error::AuthError;

/// The file has some 700 bytes.
const LARGEST: u64 = 64 << 10;

/// Reads the file in the provider's state folder; `None` where there is none, or its backend has ended without taking it away.
///
/// # Errors
/// Why the file that is there is not believed; one sentence.
pub(crate) fn read(state: &Path) -> Result<Option<Development>, String> {
    let path = state.join(DEVELOPMENT_FILE);
    let wrong = |why: &str| format!("{} {why}, so no development backend is used", path.display());
    let Some(bytes) = own::read(&path, LARGEST).map_err(|why| wrong(&why))? else { return Ok(None) };
    let file: Development =
        serde_json::from_slice(&bytes).map_err(|error| wrong(&format!("cannot be read ({error})")))?;
    if file.v != 1 {
        return Err(wrong("is of a later version"));
    }
    if !is_here(&file.url) {
        return Err(wrong("names a place that is not this machine"));
    }
    if !is_token(&file.token) {
        return Err(wrong("holds no token"));
    }
    Ok(file.pid.is_none_or(is_alive).then_some(file))
}

/// As the schema has it: plain HTTP on loopback, with a port and nothing more.
fn is_here(url: &str) -> bool {
    let Ok(parsed) = Url::parse(url) else { return false };
    let bare = parsed.username().is_empty() && parsed.password().is_none() && parsed.path() == "/";
    let ends = parsed.query().is_none() && parsed.fragment().is_none();
    parsed.scheme() == "http" && is_loopback(&parsed) && bare && ends
}

/// What can stand in a header, and is not absurdly long.
pub(crate) fn is_token(token: &str) -> bool {
    (1..=16_384).contains(&token.len()) && token.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Whether a process is there; of another user's it cannot be said more than that.
fn is_alive(pid: u32) -> bool {
    let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return false };
    !matches!(test_kill_process(pid), Err(rustix::io::Errno::SRCH))
}

/// Gives the file's token as it is now: the backend writes a new one before the old one ends.
pub(crate) struct DevelopmentToken {
    /// The provider's state folder.
    pub(crate) state: PathBuf,
    /// The backend that the token is for; it goes to no other.
    pub(crate) url: String,
}

impl DevelopmentToken {
    fn now(&self) -> Result<String, AuthError> {
        match read(&self.state).map_err(AuthError::Development)? {
            Some(file) if file.url == self.url => Ok(file.token),
            _ => Err(AuthError::Development("the development backend has ended".to_owned())),
        }
    }
}

impl Bearer for DevelopmentToken {
    fn token(&self) -> Token<'_> {
        Box::pin(async { self.now() })
    }

    fn renew<'a>(&'a self, refused: &'a str) -> Token<'a> {
        Box::pin(async move {
            let token = self.now()?;
            if token == refused {
                let why = "the development backend refuses the token that it wrote";
                return Err(AuthError::Development(why.to_owned()));
            }
            Ok(token)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use ctxhost_sdk::{prelude::json, serde_json::Value};

    use super::*;
    use crate::source::private;

    fn state(file: &Value) -> tempfile::TempDir {
        let state = tempfile::tempdir().unwrap();
        private::write(&state.path().join(DEVELOPMENT_FILE), file.to_string().as_bytes()).unwrap();
        state
    }

    fn check(file: &Value, expected: Result<bool, &str>) {
        let state = state(file);
        match (read(state.path()), expected) {
            (Ok(found), Ok(is_found)) => assert_eq!(found.is_some(), is_found, "{file}"),
            (Err(why), Err(part)) => assert!(why.contains(part), "{why}"),
            (got, expected) => panic!("{got:?} instead of {expected:?} for {file}"),
        }
    }

    #[test]
    fn a_backend_on_this_machine_is_found() {
        check(&json!({"v": 1, "url": "http://127.0.0.1:7171", "token": "t"}), Ok(true));
        check(
            &json!({"v": 1, "url": "http://[::1]:7171", "token": "t", "pid": std::process::id()}),
            Ok(true),
        );
        // No system gives this number to a process.
        check(
            &json!({"v": 1, "url": "http://localhost:7171", "token": "t", "pid": 2_147_483_646}),
            Ok(false),
        );
        assert_eq!(read(tempfile::tempdir().unwrap().path()), Ok(None));
    }

    #[test]
    fn what_is_not_on_this_machine_is_not_believed() {
        for url in [
            "http://127.0.0.1.example:7171",
            "http://10.0.0.1:7171",
            "https://127.0.0.1:7171",
            "http://user@127.0.0.1:7171",
            "http://127.0.0.1:7171/path",
            "http://127.0.0.1:7171?x",
            "file:///etc",
            "nonsense",
        ] {
            check(&json!({"v": 1, "url": url, "token": "t"}), Err("not this machine"));
        }
        check(&json!({"v": 2, "url": "http://127.0.0.1:1", "token": "t"}), Err("later version"));
        check(&json!({"v": 1, "url": "http://127.0.0.1:1", "token": "a\nb"}), Err("no token"));
        check(&json!([]), Err("cannot be read"));
    }

    #[test]
    fn a_file_that_others_may_write_is_not_believed() {
        let state = state(&json!({"v": 1, "url": "http://127.0.0.1:7171", "token": "t"}));
        let path = state.path().join(DEVELOPMENT_FILE);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(read(state.path()).unwrap_err().contains("chmod 600"));
    }

    #[tokio::test]
    async fn the_token_is_the_files_newest_and_goes_to_its_backend_alone() {
        let file = |token: &str| json!({"v": 1, "url": "http://127.0.0.1:7171", "token": token});
        let state = state(&file("one"));
        let bearer = |url: &str| DevelopmentToken { state: state.path().to_owned(), url: url.to_owned() };
        let ours = bearer("http://127.0.0.1:7171");
        assert_eq!(ours.token().await.as_deref(), Ok("one"));
        assert!(ours.renew("one").await.unwrap_err().to_string().contains("ctxhost-index serve"));
        private::write(&state.path().join(DEVELOPMENT_FILE), file("two").to_string().as_bytes()).unwrap();
        assert_eq!(ours.renew("one").await.as_deref(), Ok("two"));
        assert!(bearer("http://127.0.0.1:1").token().await.is_err());
    }
}
