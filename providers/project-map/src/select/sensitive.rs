//! Whether a tool's call changes what the maps speak of.
//!
//! What a program does that is called by name cannot be known; only commands that are known to write are looked at.

mod patch;
mod shell;

use ctxhost_sdk::{
    protocol::envelope::{ToolBeforeData, ToolKind},
    serde_json::Value,
};

use super::pair::Kind;

/// What a path is to the maps.
pub(crate) trait Ground {
    /// Whether something is mapped at this path or below, or would be if it were written. The path is below the root.
    fn is_mapped(&self, path: &str) -> bool;
    /// Whether something is mapped at this path or below now.
    fn is_there(&self, path: &str) -> bool;
    /// Whether writing here could switch off what holds a tool back: the root's artifacts, what they lie in, and the
    /// project's own settings.
    fn is_guard(&self, path: &str) -> bool;
}

/// Whether a call is sensitive: it edits, writes, moves or deletes what is mapped. `cwd` is where it runs, `root` where the
/// project begins; both absolute.
pub(crate) fn is_sensitive(call: &ToolBeforeData, root: &str, cwd: &str, ground: &dyn Ground) -> bool {
    if call.own.is_some() {
        return false;
    }
    let touches = |base: &str, path: &str| {
        below(root, base, path).is_some_and(|path| touches(ground, &path, Ground::is_mapped))
    };
    match call.kind {
        ToolKind::Edit | ToolKind::Write => {
            let mut paths: Vec<String> = call.paths.clone();
            // What else an edit writes may look like a patch.
            if paths.is_empty() || call.name.contains("patch") {
                texts(&call.input, &mut |text| paths.extend(patch::paths(text)));
            }
            // An edit of nobody knows what is one.
            paths.is_empty() || paths.iter().any(|path| touches(cwd, path))
        }
        ToolKind::Run => {
            let written = shell::written(&command(&call.input), cwd);
            written.iter().any(|write| match write {
                shell::Write::At { base, path } => touches(base, path),
                shell::Write::There { base, path } => {
                    below(root, base, path).is_some_and(|path| self::touches(ground, &path, Ground::is_there))
                }
                shell::Write::Rights { base, path } => {
                    below(root, base, path).is_some_and(|path| ground.is_guard(&path))
                }
                shell::Write::Below { base } => {
                    below(root, base, ".").is_some() || is_around(root, base, ".")
                }
                shell::Write::Whole { base, path } => is_around(root, base, path),
            })
        }
        _ => false,
    }
}

fn touches<'a>(ground: &'a dyn Ground, path: &str, is: fn(&(dyn Ground + 'a), &str) -> bool) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_artifact = Kind::BOTH.iter().any(|kind| kind.file_name() == name);
    ground.is_guard(path) || !is_artifact && is(ground, path)
}

/// A path below the root, empty for the root itself; `None` for what lies outside.
pub(crate) fn below(root: &str, base: &str, path: &str) -> Option<String> {
    let whole = resolved(base, path);
    let rest = whole.strip_prefix(root.trim_end_matches('/'))?;
    (rest.is_empty() || rest.starts_with('/')).then(|| rest.trim_start_matches('/').to_owned())
}

/// Whether a path is a directory that the project lies in.
fn is_around(root: &str, base: &str, path: &str) -> bool {
    below(&resolved(base, path), "/", root).is_some_and(|rest| !rest.is_empty())
}

/// A path without `.` and `..`, by its words alone.
fn resolved(base: &str, path: &str) -> String {
    let whole = if path.starts_with('/') { path.to_owned() } else { format!("{base}/{path}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// The command of a tool that runs one: a text, or a list of words.
fn command(input: &Value) -> String {
    let field = ["command", "cmd", "script", "code"].iter().find_map(|name| input.get(*name));
    match field.unwrap_or(input) {
        Value::String(text) => text.clone(),
        Value::Array(words) => match words.iter().filter_map(Value::as_str).collect::<Vec<_>>()[..] {
            // `bash -lc '…'`
            [shell, flag, text] if shell.ends_with("sh") && flag.starts_with('-') => text.to_owned(),
            ref words => words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
        },
        _ => String::new(),
    }
}

fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_./=+:,@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Gives every text of a document to `each`.
fn texts(value: &Value, each: &mut dyn FnMut(&str)) {
    match value {
        Value::String(text) => each(text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, each)),
        Value::Object(fields) => fields.values().for_each(|item| texts(item, each)),
        _ => {}
    }
}

#[cfg(test)]
mod tests;
