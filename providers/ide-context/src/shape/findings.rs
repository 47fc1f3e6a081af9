//! What a person is told about something that went wrong.

use ctxhost_sdk::protocol::envelope::{Finding, Level};

use crate::{
    error::ReadProblem,
    select::ignore::List,
    settings::{Origin, StateDirectory},
    shape::{
        status::rule,
        words::{clipped, plain},
    },
    source::{Look, Standing, rules::UnreadableList},
};

/// How many state files are told about one by one; of a directory full of broken ones the first say enough.
const MOST_FILES: usize = 20;

/// How many lines of a list are named.
const MOST_LINES: usize = 10;

/// Tells about the state directory, with at most one finding for a file.
pub(crate) fn of_look(look: &Look, place: &StateDirectory) -> Vec<Finding> {
    let path = place.path.display().to_string();
    let mut findings = Vec::new();
    if let Some(problem) = &look.refused {
        let message = format!("no editor is read from {path}, because it {problem}");
        findings.push(warning("state-directory", &path, message, &directory_hint(problem, place)));
    }
    if look.cut {
        let message = format!("{path} holds more than can be looked at in time, so something was left out");
        let hint = format!("remove from {path} what editors that are gone have left behind");
        findings.push(warning("state-files-cut", &path, message, &hint));
    }
    let mut broken = look.files.iter().filter_map(|file| {
        let path = file.path.display().to_string();
        match &file.standing {
            Standing::Unreadable(problem) => Some(warning(
                "state-unreadable",
                &path,
                format!("{path} {problem}, so its editor is left out"),
                "remove it; a running editor writes a new one",
            )),
            Standing::OffSpec(off_spec) => {
                let at = if off_spec.pointer.is_empty() {
                    String::new()
                } else {
                    format!(" at {}", off_spec.pointer)
                };
                let message = format!("{path} is off its spec{at}: {off_spec}; its editor is left out");
                let hint = "bring the editor's plugin up to date";
                Some(warning("state-off-spec", &off_spec.pointer, message, hint))
            }
            Standing::Dead(_) | Standing::Live(_) => None,
        }
    });
    findings.extend(broken.by_ref().take(MOST_FILES));
    let more = broken.count();
    if more > 0 {
        let message = format!("{more} more state files in {path} cannot be used");
        let hint = "`ctxhost run ide-context doctor` says what is wrong with each";
        findings.push(warning("state-files-broken", &path, message, hint));
    }
    findings
}

fn directory_hint(problem: &ReadProblem, place: &StateDirectory) -> String {
    let path = place.path.display();
    match (problem, place.origin) {
        (ReadProblem::OpenToOthers { .. }, _) => format!("if it is yours: chmod 700 '{path}'"),
        (_, Origin::Fallback) => format!("remove {path}, or set XDG_RUNTIME_DIR to a folder of your own"),
        (_, Origin::Runtime | Origin::Setting) => format!("make {path} a folder of your own"),
    }
}

/// Tells that the editor a person chose is gone.
pub(crate) fn of_gone_choice(app: &str, pid: u32) -> Finding {
    Finding {
        level: Level::Info,
        code: "choice-gone".to_owned(),
        message: format!("{} {pid}, the editor you chose, is gone", clipped(&plain(app), 40)),
        hint: Some(
            "the only editor of this directory is connected by itself; of several, choose one".to_owned(),
        ),
        ..Finding::default()
    }
}

/// Tells about a list that cannot be read.
pub(crate) fn of_unreadable(unreadable: &UnreadableList) -> Finding {
    let path = unreadable.path.display().to_string();
    let message = format!("{path} {}, so nothing of the editor is shown to the agent", unreadable.problem);
    let hint = "make it a readable file of UTF-8 text, of at most 64 KiB, or remove it";
    warning("rules-unreadable", &path, message, hint)
}

/// Tells about lines of a list that are no valid pattern.
pub(crate) fn of_broken_lines(list: &List) -> Option<Finding> {
    let lines: Vec<String> = list.broken.iter().take(MOST_LINES).map(u64::to_string).collect();
    let more = list.broken.len().saturating_sub(lines.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let message = format!("{}: no valid pattern in line {}{more}", list.name, lines.join(", "));
    let hint =
        "correct these lines: a `[` needs its `]`, a `\\` something behind it, and 4 KiB is the longest";
    (!lines.is_empty()).then(|| warning("rules-invalid", &list.name, message, hint))
}

/// Tells that a project's rules that take something back are not followed without the user's trust.
pub(crate) fn of_dropped_rules(list: &List) -> Option<Finding> {
    let first = list.dropped.first()?;
    let (more, are) = match list.dropped.len() - 1 {
        0 => (String::new(), "is"),
        number => (format!(" and {number} more of its lines with `!`"), "are"),
    };
    let message = format!("{}{more} {are} not followed, since you do not trust this folder", rule(first));
    let hint = "trust this folder if the project may take back what the rules keep out";
    Some(Finding { level: Level::Info, ..warning("rules-untrusted", &list.name, message, hint) })
}

/// Every finding says what to do next.
fn warning(code: &str, pointer: &str, message: String, hint: &str) -> Finding {
    Finding {
        level: Level::Warning,
        code: code.to_owned(),
        pointer: Some(pointer.to_owned()),
        message,
        hint: Some(hint.to_owned()),
        ..Finding::default()
    }
}
