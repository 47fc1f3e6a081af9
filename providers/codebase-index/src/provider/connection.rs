//! The backend that is meant, and who has the token for it.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use crate::{
    error::BackendError,
    settings::Limits,
    source::{
        account::Account,
        backend::{Address, Backend, Bearer},
        calendar::Calendar,
        credentials::{Credentials, Payload},
        development::{self, DevelopmentToken},
        limits::Limits as Reading,
    },
};

/// A prompt does not wait longer for a connection.
const QUICK: Duration = Duration::from_secs(2);

/// A backend, and the ways to it.
pub(super) struct Connection {
    /// Where it is, for people.
    pub(super) url: String,
    /// Whether it is the development backend of this machine.
    pub(super) development: bool,
    /// For work that takes its time.
    pub(super) backend: Backend,
    /// For questions that somebody waits for: one try.
    pub(super) quick: Backend,
    /// The login; the development backend has none.
    pub(super) credentials: Option<Credentials>,
    /// Whose token it is, of a backend without a login.
    username: Option<String>,
    /// When it was last in vain to ask, and why.
    failed: Mutex<Option<(f64, String)>>,
}

/// Why there is no backend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NoBackend(pub(super) String);

/// How long after it was in vain a prompt does not ask again.
const PAUSE: f64 = 30.0;

impl Connection {
    /// Whose token it is.
    pub(super) fn username(&self) -> Option<String> {
        match &self.credentials {
            Some(credentials) => credentials.login().ok().flatten().and_then(|login| login.username),
            None => self.username.clone(),
        }
    }

    /// Remembers that the backend did not answer, or that it did.
    pub(super) fn note(&self, now: f64, failed: Option<String>) {
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = failed.map(|why| (now, why));
    }

    /// Why it makes no sense to ask again just now.
    pub(super) fn failed_lately(&self, now: f64) -> Option<String> {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        failed.filter(|(at, _)| (0.0..PAUSE).contains(&(now - at))).map(|(_, why)| why)
    }
}

/// Gives the connection that is meant now.
pub(super) struct Connections {
    state: Option<PathBuf>,
    calendar: Arc<Calendar>,
    renewing: Arc<tokio::sync::Mutex<()>>,
    last: Mutex<Option<Arc<Connection>>>,
}

impl Connections {
    pub(super) fn new(
        state: Option<PathBuf>,
        calendar: Arc<Calendar>,
        renewing: Arc<tokio::sync::Mutex<()>>,
    ) -> Self {
        Self { state, calendar, renewing, last: Mutex::default() }
    }

    /// The user's backend, or else the development backend of this machine; which one it is may change at any time.
    pub(super) fn now(&self, limits: &Limits) -> Result<Arc<Connection>, NoBackend> {
        let wrong = |error: BackendError| NoBackend(error.to_string());
        match &limits.url {
            Some(url) => self.reuse(url, false, || self.to(url, limits).map_err(wrong)),
            None => {
                let Some(state) = &self.state else { return Err(nothing()) };
                let file = development::read(state).map_err(NoBackend)?.ok_or_else(nothing)?;
                self.reuse(&file.url, true, || {
                    let bearer = DevelopmentToken { state: state.clone(), url: file.url.clone() };
                    let username = Payload::of(&file.token).username;
                    let address = address(&file.url, limits);
                    connect(address, Arc::new(bearer), limits, None, username).map_err(wrong)
                })
            }
        }
    }

    fn reuse(
        &self,
        url: &str,
        development: bool,
        make: impl FnOnce() -> Result<Connection, NoBackend>,
    ) -> Result<Arc<Connection>, NoBackend> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) =
            last.as_ref().filter(|known| known.url == url && known.development == development)
        {
            return Ok(Arc::clone(known));
        }
        let made = Arc::new(make()?);
        *last = Some(Arc::clone(&made));
        Ok(made)
    }

    fn to(&self, url: &str, limits: &Limits) -> Result<Connection, BackendError> {
        let address = address(url, limits);
        let account = Account::new(&address, &limits.auth_provider, &limits.reading)?;
        let Some(state) = &self.state else {
            return Err(BackendError::Setting("there is no state folder to keep a login in".to_owned()));
        };
        let (calendar, renewing) = (Arc::clone(&self.calendar), Arc::clone(&self.renewing));
        let credentials = Credentials::new(state, account, calendar, renewing);
        connect(address, Arc::new(credentials.clone()), limits, Some(credentials), None)
    }
}

fn nothing() -> NoBackend {
    NoBackend("no backend is set; start `ctxhost-index serve`, or set `url`".to_owned())
}

fn address(url: &str, limits: &Limits) -> Address {
    Address { url: url.to_owned(), base_path: limits.base_path.clone(), ca_file: limits.ca_file.clone() }
}

fn connect(
    address: Address,
    bearer: Arc<dyn Bearer>,
    limits: &Limits,
    credentials: Option<Credentials>,
    username: Option<String>,
) -> Result<Connection, BackendError> {
    let quick = Reading { attempts: 1, connect: QUICK, ..limits.reading.clone() };
    Ok(Connection {
        development: credentials.is_none(),
        backend: Backend::new(&address, Arc::clone(&bearer), &limits.reading)?,
        quick: Backend::new(&address, bearer, &quick)?,
        url: address.url,
        credentials,
        username,
        failed: Mutex::default(),
    })
}
