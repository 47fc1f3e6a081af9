//! The commands, one file each, and what they share: a host for a working directory.

pub(crate) mod check;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod hook;
pub(crate) mod inject;
pub(crate) mod install;
pub(crate) mod list;
pub(crate) mod mcp;
mod progress;
pub(crate) mod run;
pub(crate) mod serve;
pub(crate) mod specs;
pub(crate) mod tool;
pub(crate) mod uninstall;

use std::{
    io::Read,
    path::{Path, PathBuf},
    sync::Arc,
};

use ctxhost::{
    Finding, Host, Outcome, Prompt, Surroundings,
    flow::Prepared,
    load::HostListener,
    protocol::envelope::{Agent, Level, Life, Notify},
    settings::Flags,
};
use progress::Progress;

use crate::{
    args::{PromptArgs, Scene},
    exit::{Code, Failure},
    internal,
    output::log_line,
};

/// The largest prompt that is read from standard input, in bytes.
const PROMPT_CAP: u64 = 1024 * 1024;

/// The working directory that a command takes place in: where it really lies, since trust goes by that.
fn working_directory(cwd: Option<&Path>) -> Result<PathBuf, Failure> {
    let here = std::env::current_dir().map_err(|error| {
        internal(format!("the current directory cannot be told: {error}; change to another"))
    })?;
    let Some(cwd) = cwd else { return text_path(here) };
    let asked = here.join(cwd);
    match asked.canonicalize() {
        Ok(real) if real.is_dir() => text_path(real),
        _ => Err(Failure::usage(format!("--cwd: {} is not a folder; name one that exists", asked.display()))),
    }
}

/// Providers are told of folders in UTF-8, and another name would be another folder.
fn text_path(path: PathBuf) -> Result<PathBuf, Failure> {
    if path.to_str().is_some() {
        return Ok(path);
    }
    Err(Failure::usage(format!(
        "{}: the folder's name is not UTF-8; rename it, or work in another",
        path.display()
    )))
}

/// The exit code of a prompt.
fn verdict(args: &PromptArgs, outcome: &Outcome) -> Code {
    let missing = |id: &String| {
        let is = |finding: &Finding| finding.code == "not-found" && finding.provider.as_ref() == Some(id);
        outcome.findings.iter().any(is)
    };
    if !args.provider.is_empty() && args.provider.iter().all(missing) {
        return Code::NotFound;
    }
    if args.strict && outcome.failed { Code::ProviderFailed } else { Code::Ok }
}

/// A host for a command, with its working directory.
fn host(scene: &Scene, flags: Flags) -> Result<(Host, PathBuf), Failure> {
    host_with(scene, flags, Arc::new(Terminal { verbose: scene.verbose, progress: Progress::default() }))
}

/// As [`host`], with somebody else who hears what providers say unasked.
fn host_with(
    scene: &Scene,
    flags: Flags,
    listener: Arc<dyn HostListener>,
) -> Result<(Host, PathBuf), Failure> {
    if scene.now.is_some_and(|now| !now.is_finite()) {
        return Err(Failure::usage("--now: not a number of seconds; give unix seconds such as 1700000000"));
    }
    let cwd = working_directory(scene.cwd.as_deref())?;
    let host =
        Host::builder(Surroundings::of_process(scene.now)).cwd(&cwd).flags(flags).listener(listener).build();
    Ok((host, cwd))
}

/// The exit code of a server whose client is gone, or that could not answer it any more.
fn served(ended: std::io::Result<()>) -> Result<Code, Failure> {
    match ended {
        Ok(()) => Ok(Code::Ok),
        // The client is gone, which is how a client may end.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(Code::Ok),
        Err(error) => {
            let why = format!("an answer could not be written: {error}; start the host anew");
            Err(Failure::new(Code::Internal, why))
        }
    }
}

/// Asks about the prompt of `inject` and `explain`; the host comes along, so that it ends after the printing.
fn ask(args: &PromptArgs, documents: bool, stdin: &mut dyn Read) -> Result<(Prepared, Host), Failure> {
    let flags = Flags { max_tokens: args.max_tokens, ..Flags::default() };
    let (host, cwd) = host(&args.scene, flags)?;
    let text = if args.prompt == "-" { read_prompt(stdin)? } else { args.prompt.clone() };
    let prompt = Prompt {
        session: args.scene.session.clone(),
        life: Life::Once,
        agent: Agent { name: "cli".to_owned(), can: vec!["inject.prompt".to_owned()], ..Agent::default() },
        only: args.provider.clone(),
        documents,
        ..Prompt::new(text, cwd)
    };
    let prepared = host.prepare(&prompt.context_window(args.context_window));
    Ok((prepared, host))
}

fn read_prompt(stdin: &mut dyn Read) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    stdin
        .take(PROMPT_CAP + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::usage(format!("the prompt cannot be read from standard input: {error}")))?;
    if bytes.len() as u64 > PROMPT_CAP {
        return Err(Failure::usage(format!(
            "the prompt on standard input has more than {PROMPT_CAP} bytes; send less"
        )));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Hears what providers say while a command runs.
struct Terminal {
    verbose: bool,
    progress: Progress,
}

impl Terminal {
    fn line(&self, provider: &str, text: &str) {
        if self.verbose {
            self.progress.clear();
            log_line(provider, text);
        }
    }
}

impl HostListener for Terminal {
    fn log(&self, provider: &str, _level: Level, text: &str) {
        self.line(provider, text);
    }

    fn notify(&self, provider: &str, message: Notify) {
        match message {
            // It is for the person, who may have to do something before the command ends.
            Notify::Message { text, .. } => {
                self.progress.clear();
                log_line(provider, &text);
            }
            Notify::Log { text, .. } => self.line(provider, &text),
            Notify::Progress { done, total, text, .. } => {
                let of = total.map(|total| format!("/{total}")).unwrap_or_default();
                self.line(provider, &format!("{done}{of} {text}"));
                self.progress.show(done, total, &text);
            }
            _ => {}
        }
    }
}
