//! The provider's own document: how things stand, for programs.

use ctxhost_sdk::{
    Result,
    protocol::ide_context::{Buffer, Connection, Contribution, Database, Editor, Rule, Selection, State},
    text::first_lines,
};
use serde_json::Value;

use crate::{
    select::{
        connect::{Connected, Scored},
        freshness::Freshness,
        ignore::Hit,
        snapshot::Snapshot,
    },
    shape::words::clipped,
};

/// The largest state that is passed on as the client wrote it. A reply may have 1 MiB, and its section needs room too.
const LARGEST_SNAPSHOT: usize = 320 * 1024;

/// How much of a text is kept in a state that is larger.
const LONGEST_TEXT: usize = 4_096;

/// Writes the document; `injects` says whether the snapshot was accepted for a prompt.
pub(crate) fn document(
    connected: &Connected<'_>,
    candidates: usize,
    snapshot: Option<&Snapshot<'_>>,
    injects: bool,
) -> Result<Value> {
    let contribution = Contribution {
        connection: match connected {
            Connected::No | Connected::Waiting => Connection::None,
            Connected::Several => Connection::Several,
            Connected::Unwanted => Connection::Disconnected,
            Connected::To { .. } => Connection::Connected,
        },
        editor: match connected {
            Connected::To { scored, chosen } => Some(editor(scored, *chosen)),
            _ => None,
        },
        snapshot: None,
        selection: snapshot
            .filter(|snapshot| snapshot.is_injected())
            .map_or(Freshness::None, |s| s.freshness)
            .word(),
        excluded: snapshot.and_then(|snapshot| snapshot.verdict.excluded.as_ref()).map(rule),
        candidates: candidates as u64,
    };
    let mut document = serde_json::to_value(contribution)?;
    if let Some(snapshot) = snapshot.filter(|snapshot| injects && snapshot.is_injected()) {
        document["snapshot"] = accepted(snapshot)?;
    }
    Ok(document)
}

fn editor(scored: &Scored<'_>, chosen: bool) -> Editor {
    let state = &scored.editor.state;
    Editor {
        pid: u64::from(scored.editor.pid),
        app: clipped(&state.app, LONGEST_TEXT),
        product: state.product.as_deref().map(|product| clipped(product, LONGEST_TEXT)),
        tier: scored.belonging.as_ref().map(|belonging| belonging.tier),
        evidence: scored.belonging.as_ref().map(|belonging| belonging.evidence.clone()),
        chosen,
    }
}

/// A rule as the spec writes it.
pub(crate) fn rule(hit: &Hit) -> Rule {
    Rule { pattern: clipped(&hit.pattern, LONGEST_TEXT), file: hit.list.clone(), line: hit.line }
}

/// The state as the client wrote it, or the same facts in less room.
fn accepted(snapshot: &Snapshot<'_>) -> Result<Value> {
    let document = &snapshot.editor.document;
    if serde_json::to_vec(document)?.len() <= LARGEST_SNAPSHOT {
        return Ok(document.clone());
    }
    let State { pid, cwd, timestamp, app, product, active_buffer: buffer, database, .. } =
        &snapshot.editor.state;
    let short = |text: &str| clipped(text, LONGEST_TEXT);
    let selection = buffer.selection.as_ref().map(|selection| Selection {
        text: first_lines(&selection.text, LONGEST_TEXT).0.to_owned(),
        ..selection.clone()
    });
    Ok(serde_json::to_value(State {
        pid: *pid,
        cwd: short(cwd),
        timestamp: *timestamp,
        app: short(app),
        product: product.as_deref().map(short),
        active_buffer: Buffer {
            file: buffer.file.as_deref().map(short),
            name: short(&buffer.name),
            language: buffer.language.as_deref().map(short),
            selection,
            ..buffer.clone()
        },
        database: database
            .as_ref()
            .map(|database| Database { table: short(&database.table), ..Database::default() }),
        ..State::default()
    })?)
}
