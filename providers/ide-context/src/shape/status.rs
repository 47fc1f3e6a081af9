//! What a person sees of the connection all the time, and in a bubble.

use ctxhost_sdk::protocol::ide_context::State;

use crate::{
    select::{
        connect::Connected,
        freshness::Freshness,
        ignore::Hit,
        snapshot::{Shows, Snapshot},
    },
    settings::Glyphs,
    shape::{
        block::lines,
        database::table_name,
        glyphs,
        quote::buffer_name,
        words::{clipped, counted, plain},
    },
    source::rules::BUILT_IN,
};

/// The status and its bubble.
pub(crate) fn status(
    connected: &Connected<'_>,
    candidates: usize,
    snapshot: Option<&Snapshot<'_>>,
    glyphs: Glyphs,
) -> (String, String) {
    if let Some(snapshot) = snapshot {
        let text = glyphs::connected(&snapshot.editor.state, snapshot.shows, glyphs);
        return (text, format!("{}: {}", editor_name(snapshot), looks_at(snapshot)));
    }
    let detail = match connected {
        Connected::Several => format!("{} here: choose one", counted(candidates as u64, "editor")),
        Connected::Unwanted => "disconnected".to_owned(),
        Connected::Waiting => "the editor you chose cannot be read at the moment".to_owned(),
        Connected::No | Connected::To { .. } => "no editor here".to_owned(),
    };
    (glyphs::disconnected(glyphs), detail)
}

fn editor_name(snapshot: &Snapshot<'_>) -> String {
    format!("{} {}", glyphs::display_name(&snapshot.editor.state), snapshot.editor.pid)
}

/// What the user looks at, in a few words.
pub(crate) fn looks_at(snapshot: &Snapshot<'_>) -> String {
    let state = &snapshot.editor.state;
    match (snapshot.shows, &snapshot.verdict.excluded) {
        (Shows::Nothing(why), _) => format!("its buffer {why}"),
        (_, Some(hit)) => format!("{} is kept out by {}", buffer_name(state), rule(hit)),
        (_, None) if !snapshot.rules_known => {
            "nothing is shown, because an ignore list cannot be read".to_owned()
        }
        (Shows::Table(database), None) => format!("table {}", clipped(&table_name(database), 80)),
        (Shows::File(_), None) => match snapshot.freshness {
            Freshness::Fresh { .. } => selected(state),
            _ => format!("in {}", buffer_name(state)),
        },
    }
}

fn selected(state: &State) -> String {
    let name = buffer_name(state);
    match state.active_buffer.selection.as_ref().and_then(lines) {
        Some((start, end)) => {
            format!("{} selected in {name}", counted((end + 1).saturating_sub(start), "line"))
        }
        None => format!("selection in {name}"),
    }
}

/// A rule for a person: what it says and where it stands.
pub(crate) fn rule(hit: &Hit) -> String {
    let pattern = clipped(&plain(&hit.pattern), 80);
    if hit.list == BUILT_IN {
        format!("the built-in rule `{pattern}`")
    } else {
        format!("`{pattern}` ({}:{})", plain(&hit.list), hit.line)
    }
}
