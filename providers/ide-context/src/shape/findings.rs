//! What a person is told about something that went wrong.

use ctxhost_sdk::protocol::envelope::{Finding, Level};

use crate::{
    error::ReadProblem,
    select::ignore::{Hit, List},
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
        findings.push(Finding {
            hint: Some(directory_hint(problem, place)),
            ..warning(
                "state-directory",
                &path,
                format!("no editor is read from {path}, because it {problem}"),
            )
        });
    }
    if look.cut {
        let message = format!("{path} holds more files than can be looked at in time, so some were left out");
        findings.push(warning("state-files-cut", &path, message));
    }
    let mut broken = look.files.iter().filter_map(|file| {
        let path = file.path.display().to_string();
        match &file.standing {
            Standing::Unreadable(problem) => Some(warning(
                "state-unreadable",
                &path,
                format!("{path} {problem}, so its editor is left out"),
            )),
            Standing::OffSpec(off_spec) => {
                let at = if off_spec.pointer.is_empty() {
                    String::new()
                } else {
                    format!(" at {}", off_spec.pointer)
                };
                let message = format!("{path} is off its spec{at}: {off_spec}; its editor is left out");
                let hint = Some("bring the editor's plugin up to date".to_owned());
                Some(Finding { hint, ..warning("state-off-spec", &off_spec.pointer, message) })
            }
            Standing::Dead(_) | Standing::Live(_) => None,
        }
    });
    findings.extend(broken.by_ref().take(MOST_FILES));
    let more = broken.count();
    if more > 0 {
        let message = format!("{more} more state files in {path} cannot be used");
        findings.push(warning("state-files-broken", &path, message));
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
    let hint = Some("make it a readable file of UTF-8 text, or remove it".to_owned());
    Finding { hint, ..warning("rules-unreadable", &path, message) }
}

/// Tells about lines of a list that are no valid pattern.
pub(crate) fn of_broken_lines(list: &List) -> Option<Finding> {
    let lines: Vec<String> = list.broken.iter().take(MOST_LINES).map(u64::to_string).collect();
    let more = list.broken.len().saturating_sub(lines.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let message = format!("{}: no valid pattern in line {}{more}", list.name, lines.join(", "));
    (!lines.is_empty()).then(|| warning("rules-invalid", &list.name, message))
}

/// Tells that a project's rule is not followed without the user's trust.
pub(crate) fn of_refused_rule(hit: &Hit) -> Finding {
    Finding {
        level: Level::Info,
        hint: Some("trust this folder, and it is followed".to_owned()),
        ..warning(
            "rules-untrusted",
            &hit.list,
            format!("{} would open a file that your own rules keep out, and is not followed", rule(hit)),
        )
    }
}

fn warning(code: &str, pointer: &str, message: String) -> Finding {
    Finding {
        level: Level::Warning,
        code: code.to_owned(),
        pointer: Some(pointer.to_owned()),
        message,
        ..Finding::default()
    }
}
