//! What was chosen last, and why, for a person.

use ctxhost_sdk::protocol::pilot_index::{ChosenSymbol, Contribution, Mode, Signals};
use serde_json::Value;

/// The document of a reply as lines.
pub(crate) fn text(data: &Value) -> String {
    let Ok(said) = serde_json::from_value::<Contribution>(data.clone()) else { return format!("{data:#}\n") };
    let mode = match said.mode {
        Mode::Append => "append",
        Mode::Reconstruct => "reconstruct",
    };
    let mut lines = vec![format!("mode: {mode}")];
    if let Some(query) = &said.query {
        lines.push(format!("words: {}", query.words.join(" ")));
        if !query.names.is_empty() {
            lines.push(format!("names: {}", query.names.join(" ")));
        }
        let mentions: Vec<String> = query
            .mentions
            .iter()
            .map(|mention| {
                mention.line.map_or(mention.file.clone(), |line| format!("{}:{line}", mention.file))
            })
            .collect();
        if !mentions.is_empty() {
            lines.push(format!("files mentioned: {}", mentions.join(" ")));
        }
    }
    if let Some(budget) = said.budget {
        lines.push(format!(
            "tokens: {} of code and {} of memory within {}; messages: {} kept ({} tokens), {} dropped",
            budget.retrieved, budget.memory, budget.limit, budget.kept, budget.window, budget.dropped
        ));
    }
    if said.selection.is_empty() {
        lines.push("no code was chosen".to_owned());
    }
    for file in &said.selection {
        lines.push(format!("{} (words {:.2})", file.file, file.lexical));
        lines.extend(file.symbols.iter().map(symbol));
    }
    lines.extend(said.companions.iter().map(|companion| format!("beside it: {}", companion.file)));
    lines.extend(
        said.memory.iter().map(|episode| format!("memory: {} ({:.2})", episode.title, episode.score)),
    );
    lines.join("\n") + "\n"
}

fn symbol(symbol: &ChosenSymbol) -> String {
    let Signals { exact, fuzzy, kind, exported, proximity, doc, reference } = symbol.signals;
    format!(
        "  {} ({}) {}-{}: {:.2} = words {:.2} + exact {exact:.2} + fuzzy {fuzzy:.2} + kind {kind:.2} + exported {exported:.2} + proximity {proximity:.2} + doc {doc:.2} + reference {reference:.2}; {}",
        symbol.name,
        symbol.kind,
        symbol.lines.start,
        symbol.lines.end,
        symbol.score,
        symbol.lexical,
        symbol.reason
    )
}

#[cfg(test)]
mod tests {
    use ctxhost_sdk::prelude::json;

    use super::*;

    fn check(contribution: Contribution, expected: &str) {
        assert_eq!(text(&json!(contribution)).lines().next(), Some(expected));
    }

    #[test]
    fn the_mode_is_the_one_that_was_used() {
        check(Contribution::default(), "mode: append");
        // With a prompt nothing of the conversation is known yet.
        check(Contribution { mode: Mode::Reconstruct, ..Contribution::default() }, "mode: reconstruct");
    }
}
