//! Holds a backend, ours or another, against the contract, check by check.
//!
//! Each check brings repositories of its own, under names that nobody has, and takes their files away again, so that a
//! backend in use can be held too. A check belongs to the *document* (what every backend of the contract promises) or to
//! its *completion* (what `SPEC.md` settles beyond it), so that who knows the document alone sees which failures are of
//! which. Nothing here knows how our own backend works inside: all that is asked goes over HTTP.

mod asker;
mod checks;
mod repo;
mod report;
mod token;

use std::{io::Write, path::PathBuf, time::Duration};

use serde::Serialize;

use self::asker::Asker;
pub use self::report::Report;
use crate::surroundings::Surroundings;

/// How long a backend that stores first and finds later has, until what was indexed must be found.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a check is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// The contract document.
    Document,
    /// What `SPEC.md` settles beyond it.
    Completion,
}

/// How a check ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// Its name.
    pub id: &'static str,
    /// What it is about.
    pub part: Part,
    /// What has to hold.
    pub says: &'static str,
    /// Whether it could not be asked, for want of a second login.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub skipped: bool,
    /// Why it does not hold, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// Where a backend is, and how to ask it.
#[derive(Clone)]
pub struct Target {
    /// Its address, without the base path.
    pub url: String,
    /// Below which path its data endpoints are.
    pub base_path: String,
    /// By which provider people log in.
    pub auth_provider: String,
    /// An access token.
    pub token: String,
    /// An access token of another organisation; without it nothing is asked about two of them.
    pub other_token: Option<String>,
    /// How long what was indexed may take until it is found.
    pub patience: Duration,
}

/// What the command line says.
#[derive(Clone, Debug, Default)]
pub struct Call {
    /// The address.
    pub url: String,
    /// A token.
    pub token: Option<String>,
    /// A file that holds one.
    pub token_file: Option<PathBuf>,
    /// A file that holds one of another organisation.
    pub other_token_file: Option<PathBuf>,
    /// Another base path than ours.
    pub base_path: Option<String>,
    /// Another provider than `github`.
    pub auth_provider: Option<String>,
    /// Whether a program reads the report.
    pub json: bool,
}

/// The names of all checks, in their order.
pub fn names() -> impl Iterator<Item = &'static str> {
    checks::ALL.iter().map(|check| check.id)
}

/// Runs all checks, or only the one of this name.
///
/// # Errors
/// When the address is none, or the system has no client for it.
pub async fn hold(target: &Target, only: Option<&str>) -> Result<Report, String> {
    let asker = Asker::new(target)?;
    let mut outcomes = Vec::new();
    for check in checks::ALL.iter().filter(|check| only.is_none_or(|only| only == check.id)) {
        let skipped = check.of_two && target.other_token.is_none();
        let fault = if skipped { None } else { (check.run)(&asker).await.err() };
        asker.clean().await;
        outcomes.push(Outcome { id: check.id, part: check.part, says: check.says, skipped, fault });
    }
    Ok(Report { url: target.url.clone(), outcomes })
}

/// Runs the checks, tells what holds, and gives the exit code: 0 when all hold, 1 when one does not, 2 when nothing could
/// be asked.
pub fn run(call: &Call, surroundings: &Surroundings) -> u8 {
    match report(call, surroundings) {
        Ok(report) => {
            let text = if call.json { report.json() } else { report.text() };
            // Nobody may be there to read.
            let _ = writeln!(std::io::stdout(), "{text}");
            u8::from(!report.holds())
        }
        Err(message) => {
            let _ = writeln!(std::io::stderr(), "ctxhost-index: {message}");
            2
        }
    }
}

fn report(call: &Call, surroundings: &Surroundings) -> Result<Report, String> {
    // A second time it is there already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let target = Target {
        url: call.url.trim_end_matches('/').to_owned(),
        base_path: call
            .base_path
            .clone()
            .unwrap_or_else(|| ctxhost_protocol::codebase_index::BASE_PATH.to_owned()),
        auth_provider: call.auth_provider.clone().unwrap_or_else(|| "github".to_owned()),
        token: token::find(call, surroundings)?,
        other_token: call.other_token_file.as_deref().map(token::read).transpose()?,
        patience: PATIENCE,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| format!("cannot start: {error}"))?.block_on(hold(&target, None))
}
