//! Why things are as they are, in sentences for a person.

use crate::{
    select::{
        connect::{Connected, Scored},
        freshness::Freshness,
        snapshot::{Shows, Snapshot},
    },
    shape::{
        block::lines,
        database::table_name,
        glyphs::display_name,
        status::rule,
        words::{clipped, counted, plain},
    },
    source::liveness::Death,
};

/// How the session is connected, and why.
pub(crate) fn connection(connected: &Connected<'_>, candidates: usize) -> String {
    match connected {
        Connected::No => "no editor belongs to this directory; `list --all` shows the others".to_owned(),
        Connected::Waiting => {
            "the editor you chose is there, and its state cannot be read at the moment".to_owned()
        }
        Connected::Several => {
            format!(
                "{} belong to this directory equally; `connect PID` chooses one",
                counted(candidates as u64, "editor")
            )
        }
        Connected::Unwanted => "disconnected, as you chose; `connect` offers the editors again".to_owned(),
        Connected::To { scored: Scored { editor, belonging }, chosen } => {
            let evidence = belonging.as_ref().map(|belonging| belonging.evidence.as_str());
            let why = match (evidence, chosen) {
                (Some(evidence), false) => format!("it is the only one here, and {evidence}"),
                (Some(evidence), true) => format!("you chose it, and {evidence}"),
                (None, _) => "you chose it, though it is outside of this directory".to_owned(),
            };
            format!("{} {} is connected: {why}", display_name(&editor.state), editor.pid)
        }
    }
}

/// What an editor shows, and which rule keeps it out.
pub(crate) fn shows(snapshot: &Snapshot<'_>) -> String {
    let what = match snapshot.shows {
        Shows::Nothing(why) => return format!("nothing to inject: its buffer {why}"),
        Shows::File(file) => format!("file {}", clipped(&plain(&file.path), 200)),
        Shows::Table(database) => format!("table {}", table_name(database)),
    };
    match &snapshot.verdict.excluded {
        Some(hit) => format!("{what}, kept out by {}", rule(hit)),
        None if !snapshot.rules_known => format!("{what}, kept out because an ignore list cannot be read"),
        None => format!("{what}, which no rule keeps out"),
    }
}

/// What became of a selection, and why.
pub(crate) fn selection(snapshot: &Snapshot<'_>) -> String {
    let selection = snapshot.editor.state.active_buffer.selection.as_ref();
    let place =
        selection.and_then(lines).map(|(start, end)| format!("lines {start}-{end}, ")).unwrap_or_default();
    let what = match snapshot.freshness {
        Freshness::None => return "none".to_owned(),
        Freshness::Undated => "stale: the editor does not know when it was made".to_owned(),
        Freshness::Future { seconds } => {
            format!("stale: it claims to be made in {seconds:.0} s, so its time means nothing")
        }
        Freshness::Stale { age } => format!("stale: made {age:.1} s ago, and 60 s is the limit"),
        Freshness::Borrowed => "stale: its time is that of a selection in another file".to_owned(),
        Freshness::Fresh { age } => format!("fresh: made {age:.1} s ago"),
    };
    format!("{place}{what}")
}

/// Whether anything reaches the agent, and why not.
pub(crate) fn outcome(snapshot: &Snapshot<'_>) -> String {
    if snapshot.is_injected() {
        let selection = if snapshot.fresh_selection().is_some() { " with its selection" } else { "" };
        return format!("injected: yes{selection}");
    }
    let why = match (snapshot.shows, &snapshot.verdict.excluded) {
        (Shows::Nothing(why), _) => format!("its buffer {why}"),
        (_, Some(hit)) => format!("{} keeps it out", rule(hit)),
        (_, None) => "an ignore list cannot be read".to_owned(),
    };
    format!("injected: no, because {why}")
}

/// Why an editor counts as dead.
pub(crate) fn death(death: Death) -> String {
    match death {
        Death::NoProcess => "no process has this id".to_owned(),
        Death::Ended => "its process has ended".to_owned(),
        Death::Reused { seconds_later } => {
            format!("another process has this id since {} later", counted(seconds_later as u64, "second"))
        }
    }
}

/// Whether the built-in secret rules hold.
pub(crate) fn secret_rules(are_on: bool) -> String {
    match are_on {
        true => "built-in secret rules: on (an extension of the protocol; setting `secret_rules`)".to_owned(),
        false => "built-in secret rules: off (setting `secret_rules`)".to_owned(),
    }
}
