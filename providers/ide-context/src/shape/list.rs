//! A list of editors, for a person and for a program.

use serde_json::{Value, json};

use crate::{
    select::{connect::Scored, offer::NotOffered},
    shape::{
        glyphs::display_name,
        quote::buffer_name,
        words::{age, aligned, clipped, directory, launch_label},
    },
};

/// How much of a text from an editor a program is given.
const LONGEST_TEXT: usize = 4_096;

/// How many launch arguments a program is given.
const MOST_ARGUMENTS: usize = 64;

/// One editor in a list.
#[derive(Clone, Debug)]
pub(crate) struct Row<'a> {
    pub(crate) scored: Scored<'a>,
    /// Whether the session is connected to it.
    pub(crate) connected: bool,
    /// Why it is not offered.
    pub(crate) not_offered: Option<NotOffered>,
}

/// What a list is made with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading<'a> {
    pub(crate) home: Option<&'a str>,
    pub(crate) now: f64,
}

/// Puts the editor that wrote last on top.
pub(crate) fn sort(rows: &mut [Row<'_>]) {
    rows.sort_by(|one, other| {
        let written = |row: &Row<'_>| row.scored.editor.state.timestamp;
        written(other).total_cmp(&written(one)).then(one.scored.editor.pid.cmp(&other.scored.editor.pid))
    });
}

/// The rows as aligned lines; with `why`, a last column says why each is offered or not.
pub(crate) fn lines(rows: &[Row<'_>], reading: Reading<'_>, why: bool) -> Vec<String> {
    let cells: Vec<Vec<String>> = rows.iter().map(|row| cells(row, reading, why)).collect();
    aligned(&cells)
}

/// The same with a line above that names the columns.
pub(crate) fn table(rows: &[Row<'_>], reading: Reading<'_>, why: bool) -> Vec<String> {
    let head = ["", "PID", "EDITOR", "DIRECTORY", "STARTED WITH", "BUFFER", "ACTIVE"];
    let head = head.into_iter().chain(why.then_some("WHY")).map(str::to_owned).collect();
    let cells: Vec<Vec<String>> =
        std::iter::once(head).chain(rows.iter().map(|row| cells(row, reading, why))).collect();
    aligned(&cells)
}

fn cells(row: &Row<'_>, reading: Reading<'_>, why: bool) -> Vec<String> {
    let editor = row.scored.editor;
    let state = &editor.state;
    let mut cells = vec![
        if row.connected { "✓" } else { "" }.to_owned(),
        editor.pid.to_string(),
        display_name(state),
        directory(&state.cwd, reading.home),
        launch_label(&state.argv, &state.cwd, reading.home),
        clipped(&buffer_name(state), 40),
        age(reading.now - state.timestamp),
    ];
    if why {
        cells.push(reason(row));
    }
    cells
}

/// Why an editor is offered, or why it is not.
pub(crate) fn reason(row: &Row<'_>) -> String {
    match (&row.not_offered, &row.scored.belonging) {
        (Some(not_offered), _) => format!("not offered: {}", not_offered.reason),
        (None, Some(belonging)) => belonging.evidence.clone(),
        (None, None) => String::new(),
    }
}

/// An editor for a program.
pub(crate) fn json(row: &Row<'_>) -> Value {
    let editor = row.scored.editor;
    let state = &editor.state;
    let belonging = row.scored.belonging.as_ref();
    let short = |text: &str| clipped(text, LONGEST_TEXT);
    json!({
        "pid": editor.pid,
        "app": short(&state.app),
        "product": state.product.as_deref().map(short),
        "cwd": short(&state.cwd),
        "argv": state.argv.iter().take(MOST_ARGUMENTS).map(|argument| short(argument)).collect::<Vec<_>>(),
        "buffer": buffer_name(state),
        "timestamp": state.timestamp,
        "tier": row.not_offered.as_ref().map_or(belonging.map(|belonging| belonging.tier), |not| not.tier),
        "evidence": belonging.map(|belonging| &belonging.evidence),
        "offered": row.not_offered.is_none(),
        "reason": row.not_offered.as_ref().map(|not_offered| &not_offered.reason),
        "connected": row.connected,
    })
}
