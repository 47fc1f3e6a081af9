//! One process: its files and lock, its port, what it does beside answering, and its end.

pub mod connections;
mod development;
mod upkeep;

use std::{
    fs::{File, TryLockError},
    io::{self, Read, Seek, Write},
    net::SocketAddr,
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
    sync::watch,
};

use self::development::DevelopmentFile;
use crate::{
    auth::{Auth, AuthError, OpenError, Rotation},
    config::{Config, ConfigError},
    embed::{self, Embedder},
    log::Log,
    private::{self, PrivateError},
    server::{self, App, Limits},
    store::{Sqlite, Store, StoreError},
    surroundings::Surroundings,
};

/// How long what blocks may go on after everything else has ended.
const LAST: Duration = Duration::from_millis(500);

/// Why the backend does not run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The settings are wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A file or folder cannot be used.
    #[error(transparent)]
    Private(#[from] PrivateError),
    /// Another process has the index.
    #[error("another ctxhost-index{who} has the index in {}; stop it, or choose another `--database`", folder.display())]
    Taken {
        /// The folder.
        folder: PathBuf,
        /// Its number, where it is known.
        who: String,
    },
    /// Nobody can listen there.
    #[error("cannot listen on {address}: {source}; choose another `--listen`, or stop who listens there")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why not.
        source: io::Error,
    },
    /// The index cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nobody can log in.
    #[error(transparent)]
    Auth(#[from] OpenError),
    /// There is no token.
    #[error("there is no token: {0}")]
    Token(AuthError),
    /// The system refuses what every process has.
    #[error("cannot start: {0}")]
    Process(io::Error),
}

impl ServeError {
    /// Whether nobody but us can do something about it.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        matches!(
            self,
            Self::Process(_) | Self::Store(StoreError::Engine(_)) | Self::Token(AuthError::Internal(_))
        )
    }
}

/// Takes the folder of the index for this process alone.
pub(crate) fn lock(config: &Config) -> Result<File, ServeError> {
    let folder = config.folder();
    private::folder(&folder)?;
    let path = folder.join("ctxhost-index.lock");
    let mut file = private::lockable(&path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut number = String::new();
            let _ = file.take(20).read_to_string(&mut number);
            let who = number.trim().parse::<u32>().map_or(String::new(), |pid| format!(" (process {pid})"));
            return Err(ServeError::Taken { folder, who });
        }
        Err(TryLockError::Error(source)) => return Err(PrivateError::Io { path, source }.into()),
    }
    // The number is for a message only.
    let _ =
        file.set_len(0).and_then(|()| file.rewind()).and_then(|()| write!(file, "{}", std::process::id()));
    Ok(file)
}

/// Opens keys and logins.
pub(crate) fn open_auth(
    config: &Config,
    rotation: Rotation,
    surroundings: &Surroundings,
) -> Result<Auth, ServeError> {
    // reqwest takes whichever is installed; a second time it is there already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let folder = config.folder();
    private::folder(&folder)?;
    Ok(Auth::open(&folder, config.auth.clone(), rotation, Arc::clone(&surroundings.clock))?)
}

/// Answers requests until the process is told to stop.
pub(crate) fn serve(config: &Config, surroundings: &Surroundings) -> Result<(), ServeError> {
    let log = Log::new(Box::new(io::stderr()), Arc::clone(&surroundings.clock));
    log_panics(&log);
    let _lock = lock(config)?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(ServeError::Process)?;
    let result = runtime.block_on(run(config, surroundings, log));
    runtime.shutdown_timeout(LAST);
    result
}

async fn run(config: &Config, surroundings: &Surroundings, log: Log) -> Result<(), ServeError> {
    let listen = |source| ServeError::Listen { address: config.listen, source };
    let mut interrupt = signal(SignalKind::interrupt()).map_err(ServeError::Process)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(ServeError::Process)?;
    let listener = TcpListener::bind(config.listen).await.map_err(listen)?;
    let address = listener.local_addr().map_err(listen)?;
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(&config.database)?);
    let auth = Arc::new(open_auth(config, Rotation::WhenDue, surroundings)?);
    let embedder = Embedder::new(config.embedder.clone())
        .map_err(|error| ServeError::Process(io::Error::other(error)))?;
    let embedder = Arc::new(embedder);
    let clock = Arc::clone(&surroundings.clock);
    let mut app = App::new(Arc::clone(&store), Arc::clone(&embedder), Arc::clone(&auth), clock, log.clone());
    app.base_path.clone_from(&config.base_path);
    app.secure_cookies = config.https;
    let defaults = Limits::default();
    let app = app.with(Limits { in_flight: config.max_in_flight.unwrap_or(defaults.in_flight), ..defaults });
    let limits = app.limits.clone();

    let (stop, stopped) = watch::channel(false);
    let development = match &config.development_file {
        Some(path) => Some(DevelopmentFile::write(path, address, &auth)?),
        None => None,
    };
    let embedding = embed::spawn_worker(
        Arc::clone(&store),
        embedder,
        Arc::clone(&app.wake),
        log.clone(),
        stopped.clone(),
    );
    let beside = upkeep::begin(
        store,
        auth,
        development,
        log.clone(),
        Arc::clone(&surroundings.clock),
        stopped.clone(),
    );
    announce(address, &log);
    let answering = tokio::spawn(connections::serve(listener, server::router(app), limits, stopped));
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    log.note("stop", "told to stop; requests in flight are answered");
    let _ = stop.send(true);
    // All end by themselves within the time of the limits.
    let _ = answering.await;
    let _ = beside.await;
    let _ = embedding.await;
    Ok(())
}

/// Says on standard output where it is: with port 0 nobody else knows.
fn announce(address: SocketAddr, log: &Log) {
    let mut out = io::stdout();
    let _ = writeln!(out, "ctxhost-index listens on http://{address}").and_then(|()| out.flush());
    log.note("start", &format!("listens on {address}"));
}

/// A panic is told by its place alone: what it says could quote code.
fn log_panics(log: &Log) {
    let log = log.clone();
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map_or_else(|| "somewhere".to_owned(), ToString::to_string);
        log.fault("panic", &place);
    }));
}
