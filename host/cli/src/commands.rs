//! The commands, one file each, and what they share: a host for a working directory.

pub(crate) mod check;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod inject;
pub(crate) mod list;
pub(crate) mod run;
pub(crate) mod specs;
pub(crate) mod tool;

use std::{
    io::{Read, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use ctxhost::{
    Host, Outcome, Prompt, Surroundings,
    compose::neutralize::plain,
    load::HostListener,
    protocol::envelope::{Agent, Level, Life, Notify},
    settings::Flags,
};

use crate::{
    args::{PromptArgs, Scene},
    exit::Failure,
    internal,
};

/// The largest prompt that is read from standard input, in bytes.
const PROMPT_CAP: u64 = 1024 * 1024;

/// The working directory that a command takes place in, absolute.
fn working_directory(cwd: Option<&Path>) -> Result<PathBuf, Failure> {
    let here = std::env::current_dir()
        .map_err(|error| internal(format!("the current directory cannot be told: {error}")))?;
    let Some(cwd) = cwd else { return Ok(here) };
    let cwd = here.join(cwd);
    if cwd.is_dir() {
        Ok(cwd)
    } else {
        Err(Failure::usage(format!("--cwd: {} is not a folder; name one that exists", cwd.display())))
    }
}

/// A host for a command, with its working directory.
fn host(scene: &Scene, flags: Flags) -> Result<(Host, PathBuf), Failure> {
    if scene.now.is_some_and(|now| !now.is_finite()) {
        return Err(Failure::usage("--now: not a number of seconds"));
    }
    let cwd = working_directory(scene.cwd.as_deref())?;
    let listener = Arc::new(Terminal { verbose: scene.verbose });
    let host =
        Host::builder(Surroundings::of_process(scene.now)).cwd(&cwd).flags(flags).listener(listener).build();
    Ok((host, cwd))
}

/// Asks about the prompt of `inject` and `explain`; the host comes along, so that it ends after the printing.
fn ask(args: &PromptArgs, stdin: &mut dyn Read) -> Result<(Outcome, Host), Failure> {
    let flags = Flags { max_tokens: args.max_tokens, ..Flags::default() };
    let (host, cwd) = host(&args.scene, flags)?;
    let text = if args.prompt == "-" { read_prompt(stdin)? } else { args.prompt.clone() };
    let prompt = Prompt {
        session: args.scene.session.clone(),
        life: Life::Once,
        agent: Agent { name: "cli".to_owned(), can: vec!["inject.prompt".to_owned()], ..Agent::default() },
        only: args.provider.clone(),
        ..Prompt::new(text, cwd)
    };
    let outcome = host.inject(&prompt.context_window(args.context_window));
    Ok((outcome, host))
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
}

impl Terminal {
    fn line(&self, provider: &str, text: &str) {
        if self.verbose {
            // Nobody may be reading; a lost line of a log is no error.
            let _ = writeln!(std::io::stderr(), "{provider}: {}", plain(text).replace('\n', " "));
        }
    }
}

impl HostListener for Terminal {
    fn log(&self, provider: &str, _level: Level, text: &str) {
        self.line(provider, text);
    }

    fn notify(&self, provider: &str, message: Notify) {
        match message {
            Notify::Message { text, .. } | Notify::Log { text, .. } => self.line(provider, &text),
            Notify::Progress { done, total, text, .. } => {
                let total = total.map(|total| format!("/{total}")).unwrap_or_default();
                self.line(provider, &format!("{done}{total} {text}"));
            }
            _ => {}
        }
    }
}
