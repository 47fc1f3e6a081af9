//! From what is written to what it means; nothing is begun here.

use std::{
    fs,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    time::Duration,
};

use ctxhost_protocol::codebase_index::{BASE_PATH, DEVELOPMENT_FILE};
use url::Url;

use super::{Config, ConfigError, DEFAULT_PORT, Given, Written, WrittenAuth, WrittenGitHub};
use crate::{
    auth::{self, Dev, GitHub},
    embed, private,
    surroundings::Surroundings,
};

/// How long the provider of logins may take for one answer: a person waits.
const PATIENCE: Duration = Duration::from_secs(10);

impl Config {
    /// What these settings mean. Without any: loopback, one SQLite file of this user's, and the provider `dev`.
    ///
    /// # Errors
    /// When the file cannot be read, or a setting cannot be used.
    pub fn resolve(given: &Given, surroundings: &Surroundings) -> Result<Self, ConfigError> {
        let written = given.config.as_deref().map(read).transpose()?.unwrap_or_default();
        // Paths in a file are meant from where it lies.
        let beside = given.config.as_deref().and_then(Path::parent).map(Path::to_owned).unwrap_or_default();
        let listen = listen(given.listen.as_deref().or(written.listen.as_deref()))?;
        let database = given.database.clone().or_else(|| written.database.map(|path| beside.join(path)));
        let database = match database {
            Some(path) => path,
            None => default_database(surroundings)?,
        };
        let public = written.public_url.as_deref().map(|text| address("public_url", text)).transpose()?;
        let auth = authentication(written.auth, &beside, listen, public.as_ref())?;
        let development_file = auth.dev.as_ref().and_then(|_| surroundings.state_home()).map(|state| {
            state.join("ctxhost").join("providers").join("codebase-index").join(DEVELOPMENT_FILE)
        });
        Ok(Self {
            listen,
            database,
            base_path: base_path(written.base_path.as_deref().unwrap_or(BASE_PATH))?,
            https: public.is_some_and(|url| url.scheme() == "https"),
            max_in_flight: in_flight(written.max_in_flight)?,
            auth,
            embedder: written.embedder.map(|written| embedder(written, surroundings)).transpose()?,
            development_file,
        })
    }

    /// The folder of the index.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        match self.database.parent() {
            Some(folder) if folder != Path::new("") => folder.to_owned(),
            _ => PathBuf::from("."),
        }
    }
}

fn value(name: &'static str, fault: impl Into<String>, hint: &'static str) -> ConfigError {
    ConfigError::Value { name, fault: fault.into(), hint }
}

fn read(path: &Path) -> Result<Written, ConfigError> {
    let text =
        fs::read_to_string(path).map_err(|source| ConfigError::Read { path: path.to_owned(), source })?;
    toml::from_str(&text).map_err(|error| {
        let message = error.to_string().trim_end().to_owned();
        ConfigError::Parse { path: path.to_owned(), message }
    })
}

fn listen(text: Option<&str>) -> Result<SocketAddr, ConfigError> {
    let Some(text) = text else { return Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, DEFAULT_PORT))) };
    let text = text.replacen("localhost:", "127.0.0.1:", 1);
    text.parse().map_err(|_| {
        value("listen", format!("is {text:?}, which is no address"), "write one such as 127.0.0.1:7171")
    })
}

fn default_database(surroundings: &Surroundings) -> Result<PathBuf, ConfigError> {
    let hint = "give `--database FILE`, or set HOME";
    let home = surroundings.data_home().ok_or_else(|| value("database", "has no place to be", hint))?;
    Ok(home.join("ctxhost-index").join("index.sqlite"))
}

fn base_path(text: &str) -> Result<String, ConfigError> {
    let path = text.trim_end_matches('/');
    let plain = |part: &str| {
        !part.is_empty()
            && part != "."
            && part != ".."
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte))
    };
    let usable = path.is_empty() || path.strip_prefix('/').is_some_and(|rest| rest.split('/').all(plain));
    if !usable || path == "/auth" || path.starts_with("/auth/") {
        let hint = "write one such as /codebase-index; /auth is taken";
        return Err(value("base_path", format!("is {text:?}, which cannot be used"), hint));
    }
    Ok(path.to_owned())
}

fn embedder(written: embed::Written, surroundings: &Surroundings) -> Result<embed::Settings, ConfigError> {
    let settings = written.resolve(&surroundings.variable);
    settings.map_err(|error| value(error.name, error.fault, error.hint))
}

fn in_flight(number: Option<usize>) -> Result<Option<usize>, ConfigError> {
    match number {
        Some(number) if !(1..=10_000).contains(&number) => {
            Err(value("max_in_flight", format!("is {number}"), "choose from 1 to 10000"))
        }
        other => Ok(other),
    }
}

fn address(name: &'static str, text: &str) -> Result<Url, ConfigError> {
    let hint = "write one with http or https, without user, query and fragment";
    let url = Url::parse(text).map_err(|_| value(name, format!("is {text:?}, which is no address"), hint))?;
    let bare = url.username().is_empty() && url.password().is_none();
    if !matches!(url.scheme(), "http" | "https") || !bare || url.query().is_some() || url.fragment().is_some()
    {
        return Err(value(name, format!("is {text:?}, which cannot be used"), hint));
    }
    Ok(url)
}

fn authentication(
    written: WrittenAuth,
    beside: &Path,
    listen: SocketAddr,
    public: Option<&Url>,
) -> Result<auth::Settings, ConfigError> {
    let local = match listen.ip() {
        IpAddr::V4(address) => address.is_loopback(),
        IpAddr::V6(address) => address.is_loopback(),
    };
    let dev = match (written.dev, &written.github) {
        (Some(dev), _) => Some(Dev { user: user(dev.user)?, login: dev.login.unwrap_or(false) }),
        (None, None) => Some(Dev { user: "dev".to_owned(), login: false }),
        (None, Some(_)) => None,
    };
    if dev.is_some() && !local {
        let fault = format!("is on, and {listen} is not on loopback");
        return Err(value("auth.dev", fault, "listen on 127.0.0.1, or set `auth.github` instead"));
    }
    let github = written.github.map(|github| github_of(github, beside, listen, public)).transpose()?;
    // Tokens outlive a change of the port.
    let issuer = public.map_or("ctxhost-index", |url| url.as_str()).to_owned();
    Ok(auth::Settings { issuer, dev, github })
}

fn user(name: Option<String>) -> Result<String, ConfigError> {
    let name = name.unwrap_or_else(|| "dev".to_owned());
    if name.is_empty() || name.len() > 256 || name.chars().any(char::is_control) {
        return Err(value("auth.dev.user", "is no name", "write a short one"));
    }
    Ok(name)
}

fn github_of(
    written: WrittenGitHub,
    beside: &Path,
    listen: SocketAddr,
    public: Option<&Url>,
) -> Result<GitHub, ConfigError> {
    let orgs: Vec<String> = written.orgs.iter().map(|org| org.trim().to_lowercase()).collect();
    if orgs.is_empty() || orgs.iter().any(String::is_empty) {
        return Err(value("auth.github.orgs", "names no organisation", "name those that may enter"));
    }
    let public = public.map_or_else(|| format!("http://{listen}"), |url| url.as_str().to_owned());
    let callback = format!("{}/auth/github/callback", public.trim_end_matches('/'));
    let or = |name, text: Option<String>, default: &str| address(name, text.as_deref().unwrap_or(default));
    Ok(GitHub {
        client_id: written.client_id,
        client_secret: secret(&beside.join(written.client_secret_file))?,
        orgs,
        authorize_url: or(
            "auth.github.authorize_url",
            written.authorize_url,
            "https://github.com/login/oauth/authorize",
        )?,
        token_url: or(
            "auth.github.token_url",
            written.token_url,
            "https://github.com/login/oauth/access_token",
        )?,
        api_url: or("auth.github.api_url", written.api_url, "https://api.github.com")?,
        callback_url: address("public_url", &callback)?,
        patience: PATIENCE,
    })
}

fn secret(path: &Path) -> Result<String, ConfigError> {
    let name = "auth.github.client_secret_file";
    let hint = "put the app's secret in a file of mode 0600";
    let text = private::read(path).map_err(|error| value(name, format!("cannot be used: {error}"), hint))?;
    let text =
        text.ok_or_else(|| value(name, format!("names {}, which is not there", path.display()), hint))?;
    match text.trim() {
        "" => Err(value(name, format!("names {}, which is empty", path.display()), hint)),
        secret => Ok(secret.to_owned()),
    }
}

#[cfg(test)]
mod tests;
