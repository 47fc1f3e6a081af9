//! The commands that make maps and keep them, for people; the tools say the same to the model.

mod make;
mod offer;
mod patch;
mod validate;

use std::{fs::File, path::Path, time::SystemTime};

use ctxhost_sdk::{
    prelude::*,
    protocol::{project_map::PROJECT_FILE, tokens},
    serde_json::{Value, json},
};

pub(super) use offer::{commands, tools};

use super::{context, writing::Done};
use crate::{
    select::{
        pair::Kind,
        standing::{Standing, Stood},
    },
    settings::Config,
    shape::hint,
    source::{
        artifacts::Store,
        exclude,
        workspace::{Look, Workspace},
    },
};

/// What a command works on.
pub(super) struct On<'a> {
    pub(super) cx: &'a Cx<'a>,
    pub(super) root: &'a Path,
    /// Where the person stands, below the root.
    pub(super) from: &'a str,
    pub(super) workspace: &'a Workspace,
    pub(super) config: &'a Config,
    pub(super) now: SystemTime,
    /// Whether the user trusts the folder.
    pub(super) trusted: bool,
}

/// Runs a command; `findings` are about the settings.
pub(super) fn run(on: &On<'_>, name: &str, args: &[String], findings: &[Finding]) -> Result<CommandReply> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    if name == "context" {
        return context::command(on, &args);
    }
    let said = match (name, &args[..]) {
        ("init", []) => on.init(false),
        ("init", ["--write-config"]) => on.init(true),
        ("init", _) => CommandReply::usage("init [--write-config]"),
        ("reinit", []) => on.reinit(),
        ("reinit", _) => CommandReply::usage("reinit"),
        ("patch", ["--git"]) => on.patch_git(),
        ("patch", [_, ..]) if !args.iter().any(|arg| arg.starts_with('-')) => on.patch(&args),
        ("patch", ["--", files @ ..]) if !files.is_empty() => on.patch(files),
        ("patch", _) => CommandReply::usage("patch FILE... | patch --git"),
        ("validate", flags) => match validate::Wish::of(flags) {
            Some(wish) => on.validate(wish),
            None => CommandReply::usage("validate [--fix [--force]]"),
        },
        _ => return Err(Error::unknown("command", name)),
    };
    Ok(CommandReply { text: lines(said.text, &on.with_place(findings)), ..said })
}

/// What a person is told of a folder that is not read as a project.
pub(super) fn refused(why: &str) -> CommandReply {
    CommandReply::said(exit::FINDINGS, why)
}

/// Runs a tool.
pub(super) fn call(on: &On<'_>, name: &str, args: &Value, findings: &[Finding]) -> Result<ToolReply> {
    let flag = |name: &str| args.get(name).and_then(Value::as_bool).unwrap_or(false);
    if name == "project_map_context" {
        return context::call(on, args);
    }
    let said = match name {
        "project_map_init" => on.init(false),
        "project_map_patch" if flag("git") => on.patch_git(),
        "project_map_patch" => match files(args) {
            Some(files) => on.patch(&files),
            None => {
                return Ok(ToolReply::error(
                    "the argument `files` must be a list of paths, or `git` be true",
                ));
            }
        },
        "project_map_validate" => on.validate(validate::Wish { fix: flag("fix"), force: flag("force") }),
        _ => return Err(Error::unknown("tool", name)),
    };
    // Findings are an answer; what was asked wrongly is not.
    if said.exit > exit::FINDINGS {
        return Ok(ToolReply::error(lines(said.text, &on.place()).trim_end()));
    }
    let reply = ToolReply::text(lines(said.text, &on.with_place(findings)));
    Ok(match said.data {
        Some(data) => reply.structured(data),
        None => reply,
    })
}

fn files(args: &Value) -> Option<Vec<&str>> {
    let files: Vec<&str> = args.get("files")?.as_array()?.iter().map(Value::as_str).collect::<Option<_>>()?;
    (!files.is_empty()).then_some(files)
}

impl On<'_> {
    fn store(&self) -> Store {
        Store::at(self.root, self.config)
    }

    /// Waits until no other command writes these maps; a lock that cannot be had stops nobody.
    fn alone(&self) -> Option<File> {
        self.workspace.alone(&|| self.stopped())
    }

    /// Where the project begins, for somebody who stands below it.
    pub(super) fn place(&self) -> Option<Finding> {
        let up = hint::up(self.from)?;
        Some(Finding {
            level: Level::Info,
            code: "maps-above".to_owned(),
            message: format!("the maps are those of the project at `{up}`, where their paths begin"),
            hint: Some(format!("for maps of this folder alone put a `{PROJECT_FILE}` in it")),
            ..Finding::default()
        })
    }

    fn with_place(&self, findings: &[Finding]) -> Vec<Finding> {
        self.place().into_iter().chain(findings.iter().cloned()).collect()
    }

    fn stopped(&self) -> bool {
        self.cx.check().is_err()
    }

    fn progress(&self, done: usize, total: usize, what: &str) {
        self.cx.progress(done as u64, Some(total as u64), what);
    }

    /// Looks at all files; what was not seen as a whole is not written, since what is missing in it would be taken for
    /// gone.
    fn look(&self) -> Result<Look, CommandReply> {
        let mut progress = |done, total| self.progress(done, total, "reading files");
        let look = self.workspace.look_anew(self.config, self.now, &|_| self.stopped(), &mut progress);
        if look.complete {
            return Ok(look);
        }
        let text = "not all files could be looked at, and nothing was written: run it again".to_owned();
        Err(CommandReply::said(exit::FINDINGS, lines(text, &look.findings)))
    }

    /// Keeps the artifacts out of git before there are any.
    fn exclude(&self) -> Option<String> {
        let error = exclude::ensure(self.root, self.config).err()?;
        let names = Kind::BOTH.map(Kind::file_name).join("` and `");
        Some(format!("the maps could not be kept out of git: {error}; add `{names}` to your .gitignore"))
    }

    /// That maps were made with grammars that are not here, where there are such.
    fn read_otherwise(&self, stood: &[Stood<'_>]) -> Option<String> {
        let number = stood.iter().filter(|stood| stood.is_read_otherwise()).count();
        let lacks = (number > 0).then(|| self.workspace.lacks_grammars()).flatten()?;
        Some(hint::read_otherwise(number, &lacks))
    }

    /// What a command that writes came to.
    fn made(
        &self,
        what: &str,
        look: &Look,
        stood: &[Stood<'_>],
        done: &Done,
        more: Vec<String>,
    ) -> CommandReply {
        let sum = Sum::of(look, stood, done);
        let mut text = vec![format!("{what}: {}", sum.text())];
        text.extend(more);
        text.extend(done.trouble());
        let exit = if done.trouble().is_some() { exit::FINDINGS } else { exit::OK };
        CommandReply::said(exit, lines(text.join("\n"), &look.findings)).structured(sum.data())
    }
}

/// The figures of a set of maps.
struct Sum {
    pairs: usize,
    files: usize,
    tokens: u64,
    root_tokens: u64,
    written: usize,
    removed: usize,
    edited: usize,
}

impl Sum {
    fn of(look: &Look, stood: &[Stood<'_>], done: &Done) -> Self {
        let tokens = |root: bool| {
            let wanted = stood.iter().filter(|stood| !root || stood.dir.is_empty());
            wanted.filter_map(|stood| stood.wanted.as_deref()).map(tokens::estimate).sum()
        };
        let edited = stood.iter().filter(|stood| stood.standing == Standing::Edited).count();
        Self {
            pairs: look.pairs.len(),
            files: look.files,
            tokens: tokens(false),
            root_tokens: tokens(true),
            written: done.written.len(),
            removed: done.removed.len(),
            edited,
        }
    }

    fn text(&self) -> String {
        let removed = if self.removed > 0 { format!(", removed {}", self.removed) } else { String::new() };
        let Self { pairs, files, written, tokens, root_tokens, .. } = self;
        format!(
            "wrote {written} artifacts{removed}; {pairs} pairs over {files} files, about {tokens} tokens, \
             {root_tokens} of them the root's"
        )
    }

    fn data(&self) -> Value {
        json!({
            "pairs": self.pairs,
            "files": self.files,
            "tokens": self.tokens,
            "root_tokens": self.root_tokens,
            "written": self.written,
            "removed": self.removed,
            "edited": self.edited,
        })
    }
}

/// What the look for maps found and the look at the files does not say too: a directory that nobody may list is met by both.
fn unheard<'a>(findings: &'a [Finding], look: &'a Look) -> impl Iterator<Item = &'a Finding> {
    let said = |finding: &&Finding| look.findings.iter().any(|other| other.pointer == finding.pointer);
    findings.iter().filter(move |finding| finding.pointer.is_none() || !said(finding))
}

/// Artifacts of another set that are in the way.
fn elsewhere(store: &Store, stood: &[Stood<'_>]) -> Vec<String> {
    let said =
        |stood: &Stood<'_>| Some(format!("`{}` {}", store.path(stood.dir, stood.kind), stood.elsewhere()?));
    stood.iter().filter_map(said).collect()
}

/// A text with findings below it.
pub(super) fn lines<'a>(text: String, findings: impl IntoIterator<Item = &'a Finding>) -> String {
    findings.into_iter().fold(text.trim_end().to_owned() + "\n", |text, finding| {
        let hint = finding.hint.as_ref().map_or(String::new(), |hint| format!("; {hint}"));
        text + &finding.message + &hint + "\n"
    })
}
