//! What of an agent's settings may be started to see whether context arrives.
//!
//! A repository's own files never choose a program, and `ctxhost` with other words is another program: it loads
//! providers, runs their commands, uninstalls. So only what `install` writes is started from a project's files.

use std::path::Path;

use super::agents::{Scene, Scope};
use crate::install::{entries, json::Json};

/// By these an entry changes what its program does, beyond its words: they would have to be applied for a proof.
pub(super) const CHANGES: [&str; 3] = ["env", "cwd", "shell"];

/// The MCP server as the settings have it.
pub(super) struct Server {
    /// The words that start it.
    pub(super) words: Vec<String>,
    /// The variables that it gets besides those that each gets.
    pub(super) passed: Option<Vec<String>>,
    /// Which of [`CHANGES`] its entry has.
    pub(super) changes: Vec<&'static str>,
}

/// A command that may be started; only this module makes one.
pub(super) struct Permitted {
    /// Its words, as the settings name them.
    words: Vec<String>,
    /// The line for the shell that it is, where the shell is to read it.
    line: Option<String>,
}

impl Permitted {
    /// The program that the settings name.
    pub(super) fn program(&self) -> &str {
        self.words.first().map(String::as_str).unwrap_or_default()
    }

    /// As a person reads it.
    pub(super) fn shown(&self) -> String {
        self.words.join(" ")
    }

    /// The words to start.
    pub(super) fn into_words(self) -> Vec<String> {
        match self.line {
            Some(line) => vec!["/bin/sh".to_owned(), "-c".to_owned(), line],
            None => self.words,
        }
    }
}

/// The command of a hook, if it may be started, and otherwise why it was not.
pub(super) fn hook(scene: &Scene<'_>, scope: &Scope, handler: &Json) -> Result<Permitted, String> {
    let words = entries::command(handler).unwrap_or_default();
    let changes: Vec<&str> = CHANGES.into_iter().filter(|name| handler.get(name).is_some()).collect();
    let wanted = ["hook", scene.agent.name()];
    judge(scene, scope, &words, &wanted, &changes)?;
    let is_named = words.first().is_some_and(|program| program == entries::NAME);
    // A line for the shell is for the shell, but for a program that is looked for, which is found without relative
    // folders; and for a project's, in which a shell may read more than the words that were judged.
    let line = handler
        .get("command")
        .and_then(Json::text)
        .filter(|_| handler.get("args").is_none() && !is_named && !scope.project);
    Ok(Permitted { line: line.map(str::to_owned), words })
}

/// The MCP server, if it may be started and called by this hook, and otherwise why it was not.
pub(super) fn tool(
    scene: &Scene<'_>,
    scope: &Scope,
    server: &Server,
    handler: &Json,
) -> Result<Permitted, String> {
    // The agent's own values go to the providers, and nothing that a project says in their place.
    let told =
        handler.get("input").map(Json::members).unwrap_or_default().iter().find(|(_, value)| {
            !value.text().is_some_and(|text| text.starts_with("${") && text.ends_with('}'))
        });
    match told {
        Some((name, _)) if scope.project => Err(format!(
            "the project's files have the tool {} called with `{name}` of their own, which was not run; {}",
            entries::INJECT,
            again(scene, scope)
        )),
        _ => self::server(scene, scope, server),
    }
}

/// The MCP server, if it may be started, and otherwise why it was not.
pub(super) fn server(scene: &Scene<'_>, scope: &Scope, server: &Server) -> Result<Permitted, String> {
    judge(scene, scope, &server.words, &["mcp"], &server.changes)?;
    Ok(Permitted { words: server.words.clone(), line: None })
}

fn judge(
    scene: &Scene<'_>,
    scope: &Scope,
    words: &[String],
    wanted: &[&str],
    changes: &[&str],
) -> Result<(), String> {
    let own = scene.surroundings.exe.as_deref().and_then(Path::to_str);
    let (program, rest) = words.split_first().map_or(("", words), |(program, rest)| (program.as_str(), rest));
    let again = again(scene, scope);
    let begins = rest.len() >= wanted.len() && rest.iter().zip(wanted).all(|(word, wanted)| word == wanted);
    let shown = words.join(" ");
    let right = wanted.join(" ");
    if !scope.project {
        // A user's own options may follow.
        return if begins {
            Ok(())
        } else {
            Err(format!("`{shown}` is not `{} {right}`, so it was not run; {again}", entries::NAME))
        };
    }
    if program != entries::NAME && Some(program) != own {
        return Err(format!("the project's files name the program {program}, which was not run; {again}"));
    }
    if !begins || rest.len() != wanted.len() {
        return Err(format!(
            "the project's files name the command `{shown}`, which was not run, since it is not `{} {right}`; {again}",
            entries::NAME
        ));
    }
    match changes.first() {
        Some(change) => Err(format!(
            "the project's files set `{change}` for `{shown}`, which was not run; take it out, or set it for yourself"
        )),
        None => Ok(()),
    }
}

fn again(scene: &Scene<'_>, scope: &Scope) -> String {
    let agent = scene.agent.name();
    let project = if scope.project { " --project" } else { "" };
    format!("`ctxhost install {agent}{project}` writes the entry anew")
}
