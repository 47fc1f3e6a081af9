//! Who asks: logins, tokens, and the organisation in which a person works.
//!
//! A *provider* says who a person is: `github`, or `dev` for one person on their own machine. What they get is an access
//! token for an hour and a refresh token for thirty days, which is used once. Two that refresh with the same one within
//! ten seconds get the same successor, so that two processes of one client, or an answer that is lost, end no login;
//! after that its use ends the login, since someone else has it too.

mod accounts;
mod entry;
mod error;
mod github;
mod keys;
mod logins;
mod redirect;
mod renewal;
mod tokens;

use std::{
    collections::HashSet,
    path::Path,
    sync::{Arc, PoisonError, RwLock},
};

use self::{
    accounts::Accounts,
    logins::Logins,
    tokens::{Holder, Tokens, Typ},
};
pub use self::{
    accounts::AccountsError,
    entry::{Onward, Returned},
    error::{AuthError, OpenError},
    github::GitHub,
    keys::{KeysError, Rotation},
};
use crate::{hex, surroundings::Clock};

/// How long an access token holds.
pub const ACCESS_SECONDS: i64 = 3600;
/// How long a refresh token holds.
pub const REFRESH_SECONDS: i64 = 30 * 86_400;
/// The organisation of whoever logs in by `dev`.
pub const DEV_ORG: &str = "local";
/// The file of keys in the folder of the index.
const KEYS_FILE: &str = "keys.json";
/// The file of logins there.
const ACCOUNTS_FILE: &str = "accounts.sqlite";

/// The provider for one person on their own machine.
#[derive(Clone, Debug)]
pub struct Dev {
    /// Whose name tokens carry.
    pub user: String,
    /// Whether a browser gets a token too. Every user of this machine can reach a port on loopback, so it is off unless
    /// its owner says that nobody else is there; the development file needs no browser.
    pub login: bool,
}

/// By whom people log in.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Who signs: what tokens name as their issuer.
    pub issuer: String,
    /// The provider `dev`, where it is on.
    pub dev: Option<Dev>,
    /// The provider `github`, where it is on.
    pub github: Option<GitHub>,
}

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Their name at the provider.
    pub username: String,
    /// The organisation in which they work.
    pub org: String,
}

/// Logs in, lets in, keeps out.
pub struct Auth {
    settings: Settings,
    tokens: Tokens,
    accounts: Arc<Accounts>,
    logins: Logins,
    github: Option<github::Client>,
    /// The logins that were ended while an access token of theirs may be about.
    revoked: RwLock<HashSet<String>>,
    clock: Clock,
}

impl Auth {
    /// Opens keys and logins in the folder of the index.
    ///
    /// # Errors
    /// When one of the files cannot be used.
    pub fn open(
        folder: &Path,
        settings: Settings,
        rotation: Rotation,
        clock: Clock,
    ) -> Result<Self, OpenError> {
        let now = clock();
        let keys = keys::open(&folder.join(KEYS_FILE), rotation, now)?;
        let accounts = Accounts::open(&folder.join(ACCOUNTS_FILE))?;
        let revoked = accounts.revoked(now)?.into_iter().collect();
        let tokens = Tokens::new(settings.issuer.clone(), &keys)?;
        let github = settings.github.clone().map(github::Client::new).transpose()?;
        let (accounts, revoked) = (Arc::new(accounts), RwLock::new(revoked));
        Ok(Self { settings, tokens, accounts, logins: Logins::default(), github, revoked, clock })
    }

    /// Replaces the keys of that folder; for a backend that is not running.
    ///
    /// # Errors
    /// When the file cannot be used.
    pub fn rotate(folder: &Path, rotation: Rotation, clock: &Clock) -> Result<(), OpenError> {
        keys::open(&folder.join(KEYS_FILE), rotation, clock())?;
        Ok(())
    }

    /// A token for whoever owns this process, without a login.
    ///
    /// # Errors
    /// When the provider `dev` is not on, or the system has no random bytes.
    pub fn development_token(&self, user: Option<&str>) -> Result<String, AuthError> {
        let dev = self.settings.dev.as_ref().ok_or_else(|| no_provider("dev"))?;
        let holder = Holder {
            username: user.unwrap_or(&dev.user).to_owned(),
            org: DEV_ORG.to_owned(),
            provider: "dev".to_owned(),
            family: String::new(),
        };
        Ok(self.tokens.sign(&holder, Typ::Access, &id()?, self.now()))
    }

    /// Who asks, by the token of a request.
    ///
    /// # Errors
    /// When there is no token that holds, or it is of an organisation that may not enter any more.
    pub fn caller(&self, authorization: Option<&str>) -> Result<Caller, AuthError> {
        let token = bearer(authorization.ok_or(AuthError::Missing)?).ok_or(AuthError::Missing)?;
        let claims = self.tokens.verify(token, Typ::Access, self.now())?;
        if self.revoked.read().unwrap_or_else(PoisonError::into_inner).contains(&claims.fam) {
            return Err(AuthError::Invalid);
        }
        self.may_enter(&claims.provider, &claims.org)?;
        Ok(Caller { username: claims.username, org: claims.org })
    }

    /// Forgets logins of which no token holds any more; to be called now and then.
    ///
    /// # Errors
    /// When the database fails.
    pub fn prune(&self) -> Result<(), AccountsError> {
        let now = self.now();
        self.accounts.prune(now)?;
        let revoked = self.accounts.revoked(now)?.into_iter().collect();
        *self.revoked.write().unwrap_or_else(PoisonError::into_inner) = revoked;
        Ok(())
    }

    fn may_enter(&self, provider: &str, org: &str) -> Result<(), AuthError> {
        let may = match provider {
            "dev" => self.settings.dev.is_some() && org == DEV_ORG,
            "github" => {
                self.settings.github.as_ref().is_some_and(|one| one.orgs.iter().any(|may| may == org))
            }
            _ => false,
        };
        let message = "the organisation of this token may not enter here any more; log in again";
        if may { Ok(()) } else { Err(AuthError::NotAllowed(message.to_owned())) }
    }

    fn known(&self, provider: &str) -> Result<(), AuthError> {
        match provider {
            "dev" if self.settings.dev.is_some() => Ok(()),
            "github" if self.github.is_some() => Ok(()),
            _ => Err(no_provider(provider)),
        }
    }

    fn now(&self) -> i64 {
        (self.clock)()
    }

    /// The database blocks.
    async fn on_accounts<T: Send + 'static>(
        &self,
        what: impl FnOnce(&Accounts) -> Result<T, AccountsError> + Send + 'static,
    ) -> Result<T, AuthError> {
        let accounts = Arc::clone(&self.accounts);
        let done = tokio::task::spawn_blocking(move || what(&accounts)).await;
        done.map_err(internal)?.map_err(internal)
    }
}

/// The token of a header. The scheme's name has no case.
fn bearer(authorization: &str) -> Option<&str> {
    let (scheme, token) = authorization.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

fn id() -> Result<String, AuthError> {
    hex::random::<16>().map_err(internal)
}

fn no_provider(name: &str) -> AuthError {
    // What was asked for may hold anything and be of any length.
    let known =
        name.len() <= 64 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    let name = if known { format!("{name:?}") } else { "of this name".to_owned() };
    AuthError::NoProvider(format!(
        "there is no provider {name} here; ask whoever runs this backend for its name"
    ))
}

fn internal(error: impl std::fmt::Display) -> AuthError {
    AuthError::Internal(error.to_string())
}
