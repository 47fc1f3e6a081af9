//! What a file of settings, the command line and the environment say, and what that means for one process.

mod resolve;

use std::{net::SocketAddr, path::PathBuf};

use serde::Deserialize;

use crate::{auth, embed};

/// The port when none is set.
pub const DEFAULT_PORT: u16 = 7171;

/// A file of settings, as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
    listen: Option<String>,
    database: Option<PathBuf>,
    base_path: Option<String>,
    public_url: Option<String>,
    max_in_flight: Option<usize>,
    #[serde(default)]
    auth: WrittenAuth,
    embedder: Option<embed::Written>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenAuth {
    dev: Option<WrittenDev>,
    github: Option<WrittenGitHub>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenDev {
    user: Option<String>,
    login: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenGitHub {
    client_id: String,
    client_secret_file: PathBuf,
    orgs: Vec<String>,
    authorize_url: Option<String>,
    token_url: Option<String>,
    api_url: Option<String>,
}

/// What the command line says.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The file of settings.
    pub config: Option<PathBuf>,
    /// Where to listen.
    pub listen: Option<String>,
    /// The file of the index.
    pub database: Option<PathBuf>,
}

/// What one process is to do.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen.
    pub listen: SocketAddr,
    /// The file of the index; keys and logins lie beside it.
    pub database: PathBuf,
    /// Below which path the data endpoints are.
    pub base_path: String,
    /// Whether browsers come by https.
    pub https: bool,
    /// How many data requests there may be at once.
    pub max_in_flight: Option<usize>,
    /// By whom people log in.
    pub auth: auth::Settings,
    /// What makes vectors.
    pub embedder: Option<embed::Settings>,
    /// Where the client of the same user looks for a development backend.
    pub development_file: Option<PathBuf>,
}

/// What is wrong with the settings.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the settings in {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The file is no settings.
    #[error("the settings in {} cannot be used: {message}", path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// What is wrong and where.
        message: String,
    },
    /// A setting cannot be used.
    #[error("`{name}` {fault}; {hint}")]
    Value {
        /// Its name.
        name: &'static str,
        /// What is wrong.
        fault: String,
        /// What to do.
        hint: &'static str,
    },
}
