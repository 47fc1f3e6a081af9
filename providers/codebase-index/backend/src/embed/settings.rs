//! The table `[embedder]` of the settings, and what it means.

use std::{fmt, time::Duration};

use serde::Deserialize;
use url::{Host, Url};

use crate::surroundings::Environment;

/// How many texts go in one request when nothing is said.
const BATCH: usize = 32;
/// The most; OpenAI takes no more.
const MOST: usize = 2048;
/// The most numbers of a vector.
const LARGEST: u32 = 16_384;

/// What is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    url: String,
    model: String,
    api_key_env: Option<String>,
    batch: Option<usize>,
    dimensions: Option<u32>,
    #[serde(default)]
    query_prefix: String,
    #[serde(default)]
    passage_prefix: String,
    previous: Option<Box<Written>>,
}

/// What is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` {fault}; {hint}")]
pub struct SettingsError {
    /// The setting.
    pub name: &'static str,
    /// What is wrong.
    pub fault: String,
    /// What to do.
    pub hint: &'static str,
}

/// The model, and the one before it.
#[derive(Clone, Debug)]
pub struct Settings {
    /// By which texts are embedded.
    pub model: Model,
    /// Which answers until the other is ready.
    pub previous: Option<Model>,
}

/// A model on a server.
#[derive(Clone)]
pub struct Model {
    /// Where it is asked.
    pub url: Url,
    /// Its name there.
    pub name: String,
    /// What lets us in.
    pub api_key: Option<String>,
    /// The most texts of one request.
    pub batch: usize,
    /// How many numbers its vectors are to have, where it can be told.
    pub dimensions: Option<u32>,
    /// What stands before a question.
    pub query_prefix: String,
    /// What stands before a text that is to be found.
    pub passage_prefix: String,
    /// How long it may take.
    pub patience: Patience,
}

/// How long a model may take, and how often it is asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Until it has answered one request.
    pub answer: Duration,
    /// Before it is asked again after a failure that may pass; twice as long each time.
    pub pause: Duration,
    /// How often one request is sent at most.
    pub tries: u32,
    /// How long the worker waits after a failure at first.
    pub rest: Duration,
    /// And at most.
    pub longest_rest: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            // A batch takes a slow machine without a graphics card so long.
            answer: Duration::from_secs(120),
            pause: Duration::from_millis(500),
            tries: 3,
            rest: Duration::from_secs(1),
            longest_rest: Duration::from_secs(300),
        }
    }
}

impl fmt::Debug for Model {
    /// Leaves the key out, so that no log has it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Model")
            .field("url", &self.url.as_str())
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Written {
    /// What is meant.
    ///
    /// # Errors
    /// When a setting cannot be used.
    pub fn resolve(self, variable: &Environment) -> Result<Settings, SettingsError> {
        let mut written = self;
        let previous = written.previous.take().map(|previous| previous.model(variable)).transpose()?;
        Ok(Settings { model: written.model(variable)?, previous })
    }

    fn model(self, variable: &Environment) -> Result<Model, SettingsError> {
        if self.previous.is_some() {
            return Err(wrong("embedder.previous.previous", "is one too many", "name one earlier model"));
        }
        if self.model.trim().is_empty() {
            return Err(wrong("embedder.model", "is empty", "write the name that the server has for it"));
        }
        let batch = self.batch.unwrap_or(BATCH);
        if !(1..=MOST).contains(&batch) {
            return Err(wrong("embedder.batch", format!("is {batch}"), "choose from 1 to 2048"));
        }
        if let Some(dimensions) = self.dimensions.filter(|number| !(1..=LARGEST).contains(number)) {
            return Err(wrong("embedder.dimensions", format!("is {dimensions}"), "choose from 1 to 16384"));
        }
        Ok(Model {
            url: endpoint(&self.url)?,
            name: self.model,
            api_key: self.api_key_env.map(|name| key(&name, variable)).transpose()?,
            batch,
            dimensions: self.dimensions,
            query_prefix: self.query_prefix,
            passage_prefix: self.passage_prefix,
            patience: Patience::default(),
        })
    }
}

fn wrong(name: &'static str, fault: impl Into<String>, hint: &'static str) -> SettingsError {
    SettingsError { name, fault: fault.into(), hint }
}

/// The address of the endpoint: servers are named with it, with the version in front of it, or bare.
fn endpoint(text: &str) -> Result<Url, SettingsError> {
    let hint = "write one such as https://api.openai.com/v1, or http on this machine";
    let fault = || wrong("embedder.url", format!("is {text:?}, which cannot be used"), hint);
    let mut url = Url::parse(text).map_err(|_| fault())?;
    let local = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => return Err(fault()),
    };
    // Code and the key go there.
    if url.scheme() != "https" && !(url.scheme() == "http" && local) {
        return Err(wrong("embedder.url", format!("is {text:?}, where code would travel in the open"), hint));
    }
    if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
        return Err(fault());
    }
    let path = url.path().trim_end_matches('/');
    let path = match path {
        path if path.ends_with("/embeddings") => path.to_owned(),
        path if path.ends_with("/v1") => format!("{path}/embeddings"),
        path => format!("{path}/v1/embeddings"),
    };
    url.set_path(&path);
    Ok(url)
}

fn key(name: &str, variable: &Environment) -> Result<String, SettingsError> {
    let hint = "set it to the key, or leave the setting out";
    let key = variable(name).and_then(|key| key.into_string().ok()).map(|key| key.trim().to_owned());
    match key {
        Some(key) if !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic()) => Ok(key),
        Some(_) => Err(wrong("embedder.api_key_env", format!("names {name}, which holds no key"), hint)),
        None => Err(wrong("embedder.api_key_env", format!("names {name}, which is not set"), hint)),
    }
}

#[cfg(test)]
mod tests;
