//! Who is logged in where: the tokens, kept for the person alone, and renewed once however many ask.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use super::{
    account::{Account, Refreshed, Revoked},
    backend::{Bearer, Token},
    calendar::Calendar,
    hold,
    stop::Stop,
};
use crate::error::AuthError;

mod kept;
mod payload;

pub(crate) use kept::Login;
use kept::Logins;
pub(crate) use payload::Payload;
#[cfg(test)]
pub(crate) use payload::decode;

/// A token that ends sooner is renewed first: a request must not arrive with one that has just ended.
const NEARLY_OVER: f64 = 60.0;

/// A process that refreshes has the lock for as long as a request may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// A pair of tokens as a login or a refresh gives it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) token: String,
    /// Absent where the backend gives none; the person then logs in again when the token ends.
    pub(crate) refresh_token: Option<String>,
}

impl std::fmt::Debug for Pair {
    /// Leaves the tokens out, so that no log has them.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Pair").finish_non_exhaustive()
    }
}

/// The login at one backend.
#[derive(Clone)]
pub(crate) struct Credentials(Arc<Inner>);

struct Inner {
    logins: Logins,
    lock: PathBuf,
    account: Account,
    calendar: Arc<Calendar>,
    /// Renewing goes on when nobody waits for it any more; whoever ends the program waits for this.
    renewing: Arc<tokio::sync::Mutex<()>>,
}

impl Credentials {
    /// Those of a backend, in `credentials.json` of the provider's state folder.
    pub(crate) fn new(
        state: &Path,
        account: Account,
        calendar: Arc<Calendar>,
        renewing: Arc<tokio::sync::Mutex<()>>,
    ) -> Self {
        let logins = Logins::below(state);
        Self(Arc::new(Inner { logins, lock: state.join("credentials.lock"), account, calendar, renewing }))
    }

    /// What is kept of the login, for people.
    ///
    /// # Errors
    /// The file cannot be used.
    pub(crate) fn login(&self) -> Result<Option<Login>, AuthError> {
        self.0.read()
    }

    /// Where people log in.
    pub(crate) fn account(&self) -> &Account {
        &self.0.account
    }

    /// Keeps what a login gave.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) async fn keep(&self, pair: &Pair, stop: &Stop) -> Result<Login, AuthError> {
        let _held = self.0.hold(stop).await?;
        let login = Login::new(pair, None, self.0.calendar.now());
        self.0.write(Some(&login))?;
        Ok(login)
    }

    /// Forgets the login, and ends it at the backend where that is offered; `None` when nobody was logged in.
    ///
    /// # Errors
    /// It cannot be removed.
    pub(crate) async fn forget(&self, stop: &Stop) -> Result<Option<Revoked>, AuthError> {
        let _held = self.0.hold(stop).await?;
        // A file that cannot be used goes as a whole.
        let login = self.0.read().unwrap_or_default();
        self.0.write(None)?;
        let Some(login) = login else { return Ok(None) };
        Ok(Some(match &login.refresh_token {
            Some(refresh_token) => self.0.account.revoke(refresh_token).await,
            None => Revoked::NotOffered,
        }))
    }

    /// Renews on a task of its own: a pair that the backend has given and nobody kept would end the login.
    async fn renewed(&self, old: &str) -> Result<String, AuthError> {
        let (inner, old) = (Arc::clone(&self.0), old.to_owned());
        let task = tokio::spawn(async move {
            let _alone = Arc::clone(&inner.renewing).lock_owned().await;
            inner.renew(&old).await
        });
        task.await.unwrap_or_else(|error| Err(AuthError::Unreachable(error.to_string())))
    }
}

impl Bearer for Credentials {
    fn token(&self) -> Token<'_> {
        Box::pin(async {
            let login = self.0.usable()?;
            let now = self.0.calendar.now();
            if login.refresh_token.is_none() || !login.ends_within(now, NEARLY_OVER) {
                return Ok(login.token);
            }
            match self.renewed(&login.token).await {
                // It holds for a moment yet, and the next request tries again.
                Err(AuthError::Unreachable(_)) if !login.ends_within(now, 0.0) => Ok(login.token),
                renewed => renewed,
            }
        })
    }

    fn renew<'a>(&'a self, refused: &'a str) -> Token<'a> {
        Box::pin(self.renewed(refused))
    }
}

impl Inner {
    fn read(&self) -> Result<Option<Login>, AuthError> {
        self.logins.read(self.account.name()).map_err(AuthError::Kept)
    }

    fn write(&self, login: Option<&Login>) -> Result<(), AuthError> {
        self.logins.write(self.account.name(), login).map_err(AuthError::Kept)
    }

    fn usable(&self) -> Result<Login, AuthError> {
        let nobody = || AuthError::LoginNeeded(format!("nobody has logged in to {}", self.account.name()));
        let login = self.read()?.ok_or_else(nobody)?;
        match login.refused {
            Some(why) => Err(AuthError::LoginNeeded(why)),
            None => Ok(login),
        }
    }

    async fn hold(&self, stop: &Stop) -> Result<std::fs::File, AuthError> {
        let busy = || AuthError::Unreachable("another process has been renewing it for long".to_owned());
        let held = hold::hold(&self.lock, PATIENCE, stop).await;
        held.map_err(|error| AuthError::Kept(format!("{}: {error}", self.lock.display())))?.ok_or_else(busy)
    }

    async fn renew(&self, old: &str) -> Result<String, AuthError> {
        let _held = self.hold(&Stop::default()).await?;
        let login = self.usable()?;
        if login.token != old {
            // Somebody else was first.
            return Ok(login.token);
        }
        let Some(refresh_token) = &login.refresh_token else {
            let why = "the token has ended, and the backend gives none to renew it".to_owned();
            return self.over(login, why);
        };
        match self.account.refresh(refresh_token).await? {
            Refreshed::Pair { token, refresh_token, expires_in } => {
                let pair = Pair { token, refresh_token: Some(refresh_token) };
                self.write(Some(&Login::new(&pair, Some(expires_in), self.calendar.now())))?;
                Ok(pair.token)
            }
            Refreshed::Refused(why) => {
                self.over(login, format!("the backend did not renew the login: {why}"))
            }
        }
    }

    /// Keeps why it is over in place of the tokens, so that nobody asks the backend again.
    fn over(&self, login: Login, why: String) -> Result<String, AuthError> {
        self.write(Some(&login.over(&why)))?;
        Err(AuthError::LoginNeeded(why))
    }
}

#[cfg(test)]
mod tests;
