//! Writing ctxhost into an agent's own settings, and taking it out again.
//!
//! An agent is a list of targets: files, and what of ours belongs into each. Everything is decided before the first
//! file is written; then all of it is written, or nothing.

mod agents;
pub(crate) mod document;
pub(crate) mod entries;
pub(crate) mod file;
pub(crate) mod json;
mod record;
#[cfg(test)]
mod tests;
mod text;
pub(crate) mod toml;

use std::path::{Path, PathBuf};

use ctxhost::{Surroundings, files::read_regular};

pub(crate) use agents::shape;
use entries::Wanted;
use file::{Change, Existing, left_alone};
use json::parse;
use record::Record;

use crate::{
    args::{AgentName, HookForm},
    exit::{Code, Failure},
};

/// What belongs into one file.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// Entries in a JSON file.
    Json(Wanted),
    /// The server's table in a TOML file.
    Toml(Vec<(&'static str, String)>),
    /// The whole file.
    Whole(&'static str),
    /// A file of ours that is no longer there in this version.
    Gone,
}

impl Content {
    /// Whether the file is ours alone, so that nothing about it needs to be remembered.
    fn is_own(&self) -> bool {
        matches!(self, Self::Whole(_) | Self::Gone)
    }
}

/// One file of an agent's, and what of ours belongs into it.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// The file.
    pub(crate) path: PathBuf,
    /// What belongs into it.
    pub(crate) content: Content,
    /// Whether it is the user's alone.
    pub(crate) private: bool,
    /// The project that it is shared with; a link of the project's must not lead out of it.
    pub(crate) project: Option<PathBuf>,
}

/// Where and how an agent gets it.
#[derive(Clone, Debug)]
pub(crate) struct Request<'a> {
    /// Which agent.
    pub(crate) agent: AgentName,
    /// The project's folder, where it is for a project.
    pub(crate) project: Option<&'a Path>,
    /// How a prompt is answered.
    pub(crate) hook: Option<HookForm>,
    /// Environment, home and the running program.
    pub(crate) surroundings: &'a Surroundings,
}

/// What is to be done to the files of an agent.
#[derive(Debug)]
pub(crate) struct Plan {
    steps: Vec<Step>,
}

/// What is to be done to one file, and to our record of it.
#[derive(Debug)]
struct Step {
    file: Change,
    record: Option<Change>,
}

impl Plan {
    /// What is to be done to the agent's own files.
    pub(crate) fn changes(&self) -> impl Iterator<Item = &Change> {
        self.steps.iter().map(|step| &step.file).filter(|change| change.is_any())
    }

    /// Does it, or nothing of it.
    ///
    /// # Errors
    /// A file could not be written.
    pub(crate) fn carry_out(self) -> Result<(), Failure> {
        let (mut changes, mut dropped) = (Vec::new(), Vec::new());
        for Step { file, record } in self.steps {
            // A record without its file says nothing false; a file without its record could not be given back.
            match record {
                Some(record) if record.after.is_some() => changes.push(record),
                record => dropped.extend(record),
            }
            changes.push(file);
        }
        changes.extend(dropped);
        file::write_all(&changes)
    }
}

/// What an installation changes.
///
/// # Errors
/// A file of the agent's must be left alone; then all are.
pub(crate) fn install(request: &Request<'_>) -> Result<Plan, Failure> {
    let targets = agents::targets(request, program(request)?)?;
    plan(request.surroundings, targets, |target, file, old| {
        let text = file.text()?.map(without_mark);
        let new = match &target.content {
            Content::Whole(content) => (*content).to_owned(),
            Content::Gone => return Ok((None, None)),
            Content::Json(wanted) => wanted
                .put_into(text.unwrap_or_default())
                .map_err(|why| unparsable(&target.path, "JSON", &why))?,
            Content::Toml(lines) => toml::put_into(text.unwrap_or_default(), lines)
                .map_err(|why| unparsable(&target.path, "TOML", &why))?,
        };
        let new = marked(file, new);
        if file.bytes.as_deref() == Some(new.as_bytes()) {
            return Ok((Some(new), None));
        }
        let record = match old {
            Some(old) if file.bytes.as_deref().is_some_and(|now| old.is_of(now)) => {
                old.rewritten(new.as_bytes())
            }
            // It was edited since, or has entries of ours that no record knows: this is what it is without them.
            _ => {
                let original = match file.text()? {
                    Some(_) => stripped(target, file, old.as_ref())?,
                    None => None,
                };
                let made = old.map_or_else(|| file.missing_dirs(), |old| old.made_dirs);
                Record::new(&file.target, original.as_deref(), new.as_bytes(), made)
            }
        };
        Ok((Some(new), Some(record)))
    })
}

/// What an uninstallation changes.
///
/// # Errors
/// As [`install`].
pub(crate) fn uninstall(request: &Request<'_>) -> Result<Plan, Failure> {
    let mut targets = agents::targets(request, entries::NAME.to_owned())?;
    if request.project.is_some() {
        // Other projects may use the program's own files.
        targets.retain(|target| !target.content.is_own());
    }
    plan(request.surroundings, targets, |target, file, old| {
        let Some(bytes) = &file.bytes else { return Ok((None, None)) };
        if let Some(old) = old.as_ref().filter(|old| old.is_of(bytes)) {
            return Ok((old.existed.then(|| old.original.clone()), None));
        }
        Ok((stripped(target, file, old.as_ref())?, None))
    })
}

/// A file of an agent's, what belongs into it, and how it is.
pub(crate) type Seen = (Target, Result<Looked, Failure>);

/// The files of an agent as they are, each with what belongs into it, and whether anything of ours is there.
///
/// # Errors
/// There is no home folder.
pub(crate) fn look(request: &Request<'_>) -> Result<Vec<Seen>, Failure> {
    // Under whatever name this program runs, the entries that are there are to be found.
    let program = program(request).unwrap_or_else(|_| entries::NAME.to_owned());
    let targets = agents::targets(request, program)?;
    Ok(targets
        .into_iter()
        .map(|target| {
            let looked = look_at(&target);
            (target, looked)
        })
        .collect())
}

/// A file of an agent's as it is.
#[derive(Debug)]
pub(crate) struct Looked {
    /// What is in it, if it exists.
    pub(crate) text: Option<String>,
    /// Whether a byte order mark stands before that.
    pub(crate) is_marked: bool,
    /// Whether anything of ours is there.
    pub(crate) is_ours: bool,
    /// Whether it is what an installation would write now.
    pub(crate) is_current: bool,
}

fn look_at(target: &Target) -> Result<Looked, Failure> {
    let bytes = match read_regular(&target.path, file::FILE_CAP) {
        Ok(bytes) => bytes,
        Err(error) if error.is_absent() => {
            return Ok(Looked { text: None, is_marked: false, is_ours: false, is_current: false });
        }
        Err(error) => {
            return Err(Failure::new(
                Code::Findings,
                format!("{error}; make it an ordinary file that can be read"),
            ));
        }
    };
    let unusable =
        |why: &str| Failure::new(Code::Findings, format!("{}: {why}; mend the file", target.path.display()));
    let text = String::from_utf8(bytes).map_err(|_| unusable("it is not UTF-8"))?;
    let plain = without_mark(&text);
    let (is_ours, is_current) = match &target.content {
        Content::Json(wanted) => {
            let is_ours = !wanted.found(plain).map_err(|why| unusable(&why))?.is_empty();
            (is_ours, wanted.put_into(plain).is_ok_and(|new| new == plain))
        }
        Content::Toml(lines) => {
            let is_ours = toml::command(plain).map_err(|why| unusable(&why))?.is_some();
            (is_ours, toml::put_into(plain, lines).is_ok_and(|new| new == plain))
        }
        Content::Whole(content) => (true, *content == plain),
        Content::Gone => (true, false),
    };
    let is_marked = plain.len() < text.len();
    Ok(Looked { text: Some(plain.to_owned()), is_marked, is_ours, is_current })
}

/// A file without anything of ours; nothing where it was made for that alone.
fn stripped(target: &Target, file: &Existing, old: Option<&Record>) -> Result<Option<String>, Failure> {
    let Some(whole) = file.text()? else { return Ok(None) };
    let text = without_mark(whole);
    let left = match &target.content {
        // Nobody edits the program's own files.
        Content::Whole(_) | Content::Gone => return Ok(None),
        Content::Json(wanted) => {
            let original = old.filter(|old| old.existed).map(|old| without_mark(&old.original));
            let root = original.and_then(|original| parse(original).ok().flatten());
            let keep = |way: &[String]| {
                let way: Vec<&str> = way.iter().map(String::as_str).collect();
                root.as_ref().is_some_and(|root| document::at(root, &way).is_some())
            };
            wanted.take_from(text, &keep).map_err(|why| unparsable(&target.path, "JSON", &why))?
        }
        Content::Toml(_) => toml::take_from(text).map_err(|why| unparsable(&target.path, "TOML", &why))?,
    };
    let is_empty = matches!(left.trim(), "" | "{}");
    let made_for_us = old.is_some_and(|old| !old.existed);
    Ok((!(is_empty && made_for_us)).then(|| marked(file, left)))
}

type Decided = (Option<String>, Option<Record>);

/// Looks at every file and decides about it.
fn plan(
    surroundings: &Surroundings,
    targets: Vec<Target>,
    decide: impl Fn(&Target, &Existing, Option<Record>) -> Result<Decided, Failure>,
) -> Result<Plan, Failure> {
    let state = surroundings.state_dir().ok_or_else(|| {
        Failure::usage("there is no folder to remember what was written; set HOME or XDG_STATE_HOME")
    })?;
    let mut plan = Plan { steps: Vec::new() };
    for target in targets {
        let file = Existing::read(&target.path)?;
        if let Some(project) = target.project.as_deref().filter(|project| !file.lies_in(project)) {
            let why = format!("it lies outside the project {}", project.display());
            return Err(left_alone(&target.path, &why, "replace the link"));
        }
        let own = target.content.is_own();
        let stored = Existing::read(&Record::place(&state, &file.target))?;
        let old = stored.bytes.as_deref().and_then(|bytes| Record::parse(bytes, &file.target));
        let (after, record) = decide(&target, &file, old.clone())?;
        let after = after.map(String::into_bytes);
        let is_any = file.bytes != after;
        // Folders that were made go with the file that they were made for.
        let remove_dirs = match (&after, &old) {
            (None, Some(old)) => old.made_dirs.clone(),
            (None, None) if own => own_dirs(&target.path),
            _ => Vec::new(),
        };
        // A record of a file that is gone has nothing to give back.
        let is_stale = after.is_none() && stored.bytes.is_some();
        let is_remembered = is_any && (record.is_some() || stored.bytes.is_some());
        let record = (!own && (is_remembered || is_stale)).then(|| {
            let after = record.map(|record| record.bytes());
            let remove_dirs = if after.is_none() { own_dirs(&stored.path) } else { Vec::new() };
            Change { file: stored, after, private: true, own: true, remove_dirs }
        });
        let file = Change { file, after, private: target.private, own, remove_dirs };
        plan.steps.push(Step { file, record });
    }
    Ok(plan)
}

/// The folders of ours above one of our own files, inner ones first.
fn own_dirs(path: &Path) -> Vec<PathBuf> {
    let above = path.ancestors().skip(1);
    above.take_while(|folder| folder.iter().any(|name| name == entries::NAME)).map(Path::to_owned).collect()
}

/// What keeps readers of strict JSON, as agents are, from reading a text that can be edited all the same.
///
/// # Errors
/// The text has comments or trailing commas.
pub(crate) fn strict(text: &str) -> Result<(), String> {
    let read = serde_json::from_str::<serde::de::IgnoredAny>(text);
    read.map(drop).map_err(|error| error.to_string())
}

const MARK: &str = "\u{feff}";

/// A text without the mark of its byte order, which its parsers do not want.
fn without_mark(text: &str) -> &str {
    text.strip_prefix(MARK).unwrap_or(text)
}

/// The mark again, where there was one.
fn marked(file: &Existing, text: String) -> String {
    let has = file.bytes.as_deref().is_some_and(|bytes| bytes.starts_with(MARK.as_bytes()));
    if has { format!("{MARK}{text}") } else { text }
}

fn unparsable(path: &Path, format: &str, why: &str) -> Failure {
    left_alone(path, &format!("as {format}: {why}"), "mend the file")
}

/// The program to name: its absolute path, under the name by which its entries are known again.
fn program(request: &Request<'_>) -> Result<String, Failure> {
    if request.project.is_some() {
        // A file that is shared must not hold somebody's path.
        return Ok(entries::NAME.to_owned());
    }
    let exe = request.surroundings.exe.as_deref().and_then(Path::to_str);
    let exe = exe.filter(|exe| Path::new(exe).is_absolute());
    let exe = exe.ok_or_else(|| {
        Failure::new(Code::Internal, "the running program has no path that could be written down")
    })?;
    if !entries::is_program(exe) {
        let message = format!(
            "{exe}: the program must be called `{}`, its hooks are recognized by that; rename it",
            entries::NAME
        );
        return Err(Failure::usage(message));
    }
    Ok(exe.to_owned())
}
