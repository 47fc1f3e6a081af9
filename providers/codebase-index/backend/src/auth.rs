//! Who asks: logins, tokens, and the organisation in which a person works.
//!
//! A *provider* says who a person is: `github`, or `dev` for one person on their own machine. What they get is an access
//! token for an hour and a refresh token for thirty days, which is used once. Two that refresh with the same one within
//! ten seconds get the same successor, so that two processes of one client, or an answer that is lost, end no login;
//! after that its use ends the login, since someone else has it too.

mod accounts;
mod github;
mod keys;
mod logins;
mod redirect;
mod tokens;

use std::{
    collections::HashSet,
    path::Path,
    sync::{Arc, PoisonError, RwLock},
};

use ctxhost_protocol::codebase_index::RefreshReply;

pub use self::{
    accounts::AccountsError,
    github::GitHub,
    keys::{KeysError, Rotation},
};
use self::{
    accounts::{Accounts, Family, Worth},
    github::GitHubError,
    logins::Logins,
    redirect::Redirect,
    tokens::{Claims, Holder, TokenFault, Tokens, Typ},
};
use crate::{hex, surroundings::Clock};

/// How long an access token holds.
pub const ACCESS_SECONDS: i64 = 3600;
/// How long a refresh token holds.
pub const REFRESH_SECONDS: i64 = 30 * 86_400;
/// For how long a provider's word that a person belongs to an organisation is enough.
const CHECK_SECONDS: i64 = 600;
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

/// Why nobody can log in at all.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There are no keys.
    #[error(transparent)]
    Keys(#[from] KeysError),
    /// There is no database of logins.
    #[error(transparent)]
    Accounts(#[from] AccountsError),
    /// A key cannot sign.
    #[error("the keys cannot sign: {0}")]
    Signing(#[from] jsonwebtoken::errors::Error),
    /// The provider cannot be asked.
    #[error("the provider of logins cannot be asked: {0}")]
    Http(#[from] reqwest::Error),
}

/// Why a request is not let in, or a login does not succeed.
#[derive(Debug, thiserror::Error)]
pub enum AuthError {
    /// There is no token.
    #[error("there is no token; send `Authorization: Bearer TOKEN`, and log in for one")]
    Missing,
    /// The token is none of ours, of another kind, or was ended.
    #[error("this token is not accepted; log in again")]
    Invalid,
    /// The token has ended.
    #[error("this token has ended; refresh it, and else log in again")]
    Expired,
    /// The person may not enter.
    #[error("{0}")]
    NotAllowed(String),
    /// There is no such provider.
    #[error("{0}")]
    NoProvider(String),
    /// A browser is not sent there.
    #[error("{0}")]
    Redirect(String),
    /// The request is wrong.
    #[error("{0}")]
    Bad(String),
    /// The provider does not answer as it should.
    #[error("{0}")]
    Upstream(String),
    /// Our own fault; nobody outside is told which.
    #[error("{0}")]
    Internal(String),
}

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Their name at the provider.
    pub username: String,
    /// The organisation in which they work.
    pub org: String,
}

/// What a browser brings back from a provider.
#[derive(Clone, Debug, Default)]
pub struct Returned {
    /// Which login it is.
    pub state: Option<String>,
    /// What proves it.
    pub code: Option<String>,
    /// Why there is no proof.
    pub error: Option<String>,
    /// What the browser kept.
    pub cookie: Option<String>,
}

/// Where a browser goes on, and what it is to keep on the way, under the name of the state.
#[derive(Clone, Debug)]
pub struct Onward {
    /// The address.
    pub location: String,
    /// State and cookie.
    pub keep: Option<(String, String)>,
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

    /// Begins a login. `local` says whether the request came to an address of this machine by name.
    ///
    /// # Errors
    /// When there is no such provider, or the client waits somewhere else than on its own machine.
    pub async fn start(&self, provider: &str, redirect_url: &str, local: bool) -> Result<Onward, AuthError> {
        match (provider, &self.settings.dev, &self.github) {
            ("dev", Some(dev), _) => {
                let redirect = Redirect::parse(redirect_url).map_err(redirect_fault)?;
                self.start_dev(dev, &redirect, local).await
            }
            ("github", _, Some(github)) => {
                let redirect = Redirect::parse(redirect_url).map_err(redirect_fault)?;
                let (location, state, verifier) = github.ask();
                let cookie = self.logins.begin(&state, redirect, verifier, self.now()).map_err(internal)?;
                Ok(Onward { location, keep: Some((state, cookie)) })
            }
            _ => Err(no_provider(provider)),
        }
    }

    async fn start_dev(&self, dev: &Dev, redirect: &Redirect, local: bool) -> Result<Onward, AuthError> {
        if !dev.login {
            let message = "`dev` lets no browser log in, since every user of this machine could; \
                           the client finds its token in the development file, or set `auth.dev.login`";
            return Err(AuthError::NoProvider(message.to_owned()));
        }
        if !local {
            // A page of another site whose name leads to this machine would read the tokens.
            let message = "log in by `dev` at 127.0.0.1, [::1] or localhost";
            return Err(AuthError::Bad(message.to_owned()));
        }
        let holder = Holder {
            username: dev.user.clone(),
            org: DEV_ORG.to_owned(),
            provider: "dev".to_owned(),
            family: id()?,
        };
        let location = self.enter(holder, None, redirect).await?;
        Ok(Onward { location, keep: None })
    }

    /// Ends a login: gives the address of the client, with the tokens.
    ///
    /// # Errors
    /// When this browser began no such login, the person refused or may not enter, or the provider fails.
    pub async fn callback(&self, provider: &str, returned: Returned) -> Result<String, AuthError> {
        let github = match (provider, &self.github) {
            ("github", Some(github)) => github,
            _ => return Err(no_provider(provider)),
        };
        let pending = returned
            .state
            .and_then(|state| self.logins.end(&state, returned.cookie.as_deref(), self.now()))
            .ok_or_else(|| {
                let message = "this browser has no such login under way, or it took longer than ten minutes, \
                               or it has ended; log in again";
                AuthError::Bad(message.to_owned())
            })?;
        match returned.error.as_deref() {
            Some("access_denied") => {
                let message = "you did not allow this backend to see who you are; log in again to allow it";
                return Err(AuthError::NotAllowed(message.to_owned()));
            }
            Some(_) => {
                let message = "the provider of the login refuses; tell whoever runs this backend";
                return Err(AuthError::Upstream(message.to_owned()));
            }
            None => {}
        }
        let code =
            returned.code.ok_or_else(|| AuthError::Bad("`code` is missing; log in again".to_owned()))?;
        let consent = github.exchange(code, pending.verifier).await?;
        let person = github.person(&consent).await?;
        let holder = Holder {
            username: person.username,
            org: person.org,
            provider: provider.to_owned(),
            family: id()?,
        };
        self.enter(holder, Some(consent), &pending.redirect).await
    }

    /// A new pair of tokens for a refresh token.
    ///
    /// # Errors
    /// When the token is none, was used or ended, the person may not enter any more, or the provider fails.
    pub async fn refresh(&self, provider: &str, token: &str) -> Result<RefreshReply, AuthError> {
        self.known(provider)?;
        let now = self.now();
        let claims = self.tokens.verify(token, Typ::Refresh, now)?;
        if claims.provider != provider {
            return Err(AuthError::Invalid);
        }
        self.may_enter(provider, &claims.org)?;
        let (family, hash) = (claims.fam.clone(), hex::hash(&[token.as_bytes()]));
        let worth = self.on_accounts(move |accounts| accounts.worth(&family, &hash, now)).await?;
        self.good(&claims, worth).await?;
        self.still_member(&claims).await?;
        let (family, jti, holder) = (claims.fam.clone(), tokens::following(&claims.jti), holder(&claims));
        let sign = |at| self.tokens.sign(&holder, Typ::Refresh, &jti, at);
        let next = sign(now);
        let next_hash = hex::hash(&[next.as_bytes()]);
        let worth = self
            .on_accounts(move |accounts| {
                accounts.renew(&family, &hash, now, |_| (next_hash, now + REFRESH_SECONDS))
            })
            .await?;
        let used = self.good(&claims, worth).await?;
        Ok(RefreshReply {
            access_token: self.tokens.sign(&holder, Typ::Access, &id()?, now),
            refresh_token: used.map_or(next, sign),
            expires_in: ACCESS_SECONDS.unsigned_abs(),
        })
    }

    /// Ends the login of a refresh token. One that is none, or has ended, is ended already.
    ///
    /// # Errors
    /// When there is no such provider, or the end cannot be kept.
    pub async fn revoke(&self, provider: &str, token: &str) -> Result<(), AuthError> {
        self.known(provider)?;
        match self.tokens.verify(token, Typ::Refresh, self.now()) {
            Ok(claims) if claims.provider == provider => self.end(&claims.fam).await,
            _ => Ok(()),
        }
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

    /// A person enters: gives the client's address with the first pair of tokens.
    async fn enter(
        &self,
        holder: Holder,
        consent: Option<String>,
        redirect: &Redirect,
    ) -> Result<String, AuthError> {
        let now = self.now();
        let refresh = self.tokens.sign(&holder, Typ::Refresh, &id()?, now);
        let access = self.tokens.sign(&holder, Typ::Access, &id()?, now);
        let hash = hex::hash(&[refresh.as_bytes()]);
        let family = Family { holder, consent, checked: now };
        self.on_accounts(move |accounts| accounts.begin(&family, &hash, now + REFRESH_SECONDS)).await?;
        Ok(redirect.with(&access, &refresh))
    }

    /// When a token that is still good was used first; the login ends when it was stolen.
    async fn good(&self, claims: &Claims, worth: Worth) -> Result<Option<i64>, AuthError> {
        match worth {
            Worth::Good(used) => Ok(used),
            Worth::Unknown => Err(AuthError::Invalid),
            Worth::Stolen => {
                self.end(&claims.fam).await?;
                Err(AuthError::Invalid)
            }
        }
    }

    /// Asks the provider whether the person still belongs to the organisation, unless it said so a moment ago.
    async fn still_member(&self, claims: &Claims) -> Result<(), AuthError> {
        let id = claims.fam.clone();
        let family =
            self.on_accounts(move |accounts| accounts.family(&id)).await?.ok_or(AuthError::Invalid)?;
        let (Some(github), Some(consent)) = (&self.github, &family.consent) else { return Ok(()) };
        let now = self.now();
        if now < family.checked + CHECK_SECONDS {
            return Ok(());
        }
        match github.person(consent).await {
            Ok(person) if person.orgs.contains(&family.holder.org) => {
                let id = claims.fam.clone();
                self.on_accounts(move |accounts| accounts.checked(&id, now)).await
            }
            Ok(_) => {
                self.end(&claims.fam).await?;
                Err(AuthError::NotAllowed(format!(
                    "{} is no longer in the organisation of this login; log in again",
                    family.holder.username
                )))
            }
            Err(GitHubError::Upstream(how)) => Err(GitHubError::Upstream(how).into()),
            Err(error) => {
                self.end(&claims.fam).await?;
                Err(error.into())
            }
        }
    }

    async fn end(&self, family: &str) -> Result<(), AuthError> {
        self.revoked.write().unwrap_or_else(PoisonError::into_inner).insert(family.to_owned());
        let (family, now) = (family.to_owned(), self.now());
        self.on_accounts(move |accounts| accounts.revoke(&family, now)).await
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

impl From<TokenFault> for AuthError {
    fn from(fault: TokenFault) -> Self {
        match fault {
            TokenFault::Invalid => Self::Invalid,
            TokenFault::Expired => Self::Expired,
        }
    }
}

impl From<GitHubError> for AuthError {
    fn from(error: GitHubError) -> Self {
        let message = error.to_string();
        match error {
            GitHubError::Outside(_) => Self::NotAllowed(message),
            GitHubError::Code => Self::Bad(message),
            GitHubError::Withdrawn => Self::Invalid,
            GitHubError::Upstream(_) => Self::Upstream(message),
        }
    }
}

/// The token of a header. The scheme's name has no case.
fn bearer(authorization: &str) -> Option<&str> {
    let (scheme, token) = authorization.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

fn holder(claims: &Claims) -> Holder {
    Holder {
        username: claims.username.clone(),
        org: claims.org.clone(),
        provider: claims.provider.clone(),
        family: claims.fam.clone(),
    }
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

fn redirect_fault(fault: redirect::RedirectFault) -> AuthError {
    AuthError::Redirect(fault.to_string())
}

#[expect(clippy::needless_pass_by_value, reason = "it stands behind map_err")]
fn internal(error: impl std::fmt::Display) -> AuthError {
    AuthError::Internal(error.to_string())
}
