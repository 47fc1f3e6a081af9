//! The section's text about a table view.
//!
//! Every list and text is clipped here again: the protocol's limits are a promise of the client's. Names, filter and
//! cell are data, so each stands in a code span or fence that it cannot end.

use ctxhost_sdk::{
    protocol::ide_context::{Cell, Database, ForeignKey},
    text::{fence, span},
};

use crate::shape::{
    block::HEADING,
    words::{clipped, plain, whole},
};

/// The protocol's limit for columns, and for those of a primary key as well.
const MOST_COLUMNS: usize = 40;

/// How many columns of one foreign key are shown.
const MOST_KEY_COLUMNS: usize = 8;

/// The protocol's limit for foreign keys.
const MOST_FOREIGN_KEYS: usize = 10;

/// How much of the filter and of the cell's value is shown; the protocol says "clipped" and gives no number.
const LONGEST_VALUE: usize = 500;

/// How much of a name is shown; databases allow at most so many characters.
const LONGEST_NAME: usize = 128;

/// The block in all its sizes, from the fullest to the smallest.
pub(crate) fn table_block(database: &Database) -> Vec<String> {
    let table = format!("{HEADING}- **Table**: {}\n", span(&table_name(database)));
    let keys = labelled("Primary key", names(&database.primary_key));
    let rest = [
        labelled(
            "Filter",
            database
                .filter
                .as_deref()
                .filter(|filter| !filter.is_empty())
                .map(|filter| span(&clipped(filter, LONGEST_VALUE))),
        ),
        labelled("Rows", database.row_count.map(|rows| whole(rows).to_string())),
    ]
    .concat();
    let columns = labelled("Columns", columns(database));
    let foreign_keys = labelled("Foreign keys", foreign_keys(&database.foreign_keys));
    let cell = database.cell.as_ref().map(cell).unwrap_or_default();
    let mut blocks = vec![format!("{table}{keys}{columns}{foreign_keys}{rest}{cell}")];
    let left_out: Vec<&str> = [("columns", &columns), ("foreign keys", &foreign_keys), ("cell", &cell)]
        .into_iter()
        .filter_map(|(what, text)| (!text.is_empty()).then_some(what))
        .collect();
    if !left_out.is_empty() {
        blocks.push(format!("{table}{keys}{rest}… (left out: {})\n", left_out.join(", ")));
    }
    blocks
}

/// `source / schema.table`, as far as they are known.
pub(crate) fn table_name(database: &Database) -> String {
    let part = |text: &Option<String>| text.as_deref().map(name).filter(|text| !text.is_empty());
    let schema = part(&database.schema).map(|schema| format!("{schema}.")).unwrap_or_default();
    let source = part(&database.data_source).map(|source| format!("{source} / ")).unwrap_or_default();
    format!("{source}{schema}{}", name(&database.table))
}

fn labelled(label: &str, text: Option<String>) -> String {
    text.map(|text| format!("- **{label}**: {text}\n")).unwrap_or_default()
}

fn name(text: &str) -> String {
    clipped(&plain(text), LONGEST_NAME)
}

fn names(names: &[String]) -> Option<String> {
    let shown = names.iter().take(MOST_COLUMNS).map(|text| span(&name(text)));
    listed(shown.collect(), names.len())
}

fn columns(database: &Database) -> Option<String> {
    let shown = database.columns.iter().take(MOST_COLUMNS).map(|column| {
        let kind = column.kind.as_deref().map(|kind| format!(" {}", name(kind))).unwrap_or_default();
        span(&format!("{}{kind}", name(&column.name)))
    });
    let total = database.columns_total.map_or(0, |total| usize::try_from(whole(total)).unwrap_or(usize::MAX));
    listed(shown.collect(), total.max(database.columns.len()))
}

fn foreign_keys(keys: &[ForeignKey]) -> Option<String> {
    let joined = |names: &[String]| {
        let more = if names.len() > MOST_KEY_COLUMNS { ", …" } else { "" };
        let shown: Vec<String> = names.iter().take(MOST_KEY_COLUMNS).map(|text| name(text)).collect();
        format!("{}{more}", shown.join(", "))
    };
    let shown = keys.iter().take(MOST_FOREIGN_KEYS).map(|key| {
        let on_delete = key.on_delete.as_deref().filter(|action| !action.is_empty());
        let on_delete = on_delete.map(|action| format!(" ON DELETE {}", name(action))).unwrap_or_default();
        let (here, there) = (joined(&key.columns), joined(&key.ref_columns));
        span(&format!("{here} -> {}({there}){on_delete}", name(&key.ref_table)))
    });
    listed(shown.collect(), keys.len())
}

/// A list with commas that says how many it leaves out; `None` for an empty one.
fn listed(shown: Vec<String>, total: usize) -> Option<String> {
    let more = total.saturating_sub(shown.len());
    match (shown.is_empty(), more) {
        (true, 0) => None,
        (true, more) => Some(format!("{more}")),
        (false, 0) => Some(shown.join(", ")),
        (false, more) => Some(format!("{}, … +{more} more", shown.join(", "))),
    }
}

fn cell(cell: &Cell) -> String {
    let row = cell.row.map(|row| format!("row {}", whole(row)));
    let column = cell.column.as_deref().map(|column| format!("column {}", span(&name(column))));
    let kind = cell.kind.as_deref().map(|kind| format!(" ({})", span(&name(kind)))).unwrap_or_default();
    let place = [row, column].into_iter().flatten().collect::<Vec<_>>().join(", ");
    let place = if place.is_empty() { "selected".to_owned() } else { place };
    match cell.value.as_deref() {
        // The word alone is SQL's NULL; a text that reads so stands in a code span.
        None => format!("- **Cell**: {place}{kind}: NULL\n"),
        Some(value) => {
            let value = clipped(value, LONGEST_VALUE);
            if value.contains(['\n', '\r']) || value.is_empty() {
                format!(
                    "- **Cell**: {place}{kind}:\n\n{}",
                    fence("", &value.replace("\r\n", "\n").replace('\r', "\n"))
                )
            } else {
                format!("- **Cell**: {place}{kind}: {}\n", span(&value))
            }
        }
    }
}

#[cfg(test)]
mod tests;
