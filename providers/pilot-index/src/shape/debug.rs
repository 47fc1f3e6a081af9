//! What was chosen last, and why, for a person.

use ctxhost_sdk::protocol::pilot_index::{ChosenSymbol, Contribution, Mode, Recalled, Signals};
use serde_json::Value;

use crate::select::choice::Choice;

/// Choices as lines, each under a line that says where it was made.
pub(crate) fn choices(choices: &[Choice], now: f64) -> String {
    let one = |choice: &Choice| {
        let session: String = choice.session.chars().filter(|sign| !sign.is_control()).take(80).collect();
        let place =
            if session.is_empty() { "no conversation".to_owned() } else { format!("session {session}") };
        let agent = if choice.agent.is_empty() { String::new() } else { format!(" of {}", choice.agent) };
        format!("{place}{agent}, {}:\n{}", age(now - choice.at), lines(&choice.said))
    };
    choices.iter().map(one).collect::<Vec<String>>().join("\n")
}

fn age(seconds: f64) -> String {
    let of = |unit: f64, name: &str| {
        let number = (seconds / unit) as u64;
        format!("{number} {name}{} ago", if number == 1 { "" } else { "s" })
    };
    match seconds {
        ..60.0 => "just now".to_owned(),
        ..3_600.0 => of(60.0, "minute"),
        ..86_400.0 => of(3_600.0, "hour"),
        _ => of(86_400.0, "day"),
    }
}

/// The document of a reply as lines.
pub(crate) fn text(data: &Value) -> String {
    let said = serde_json::from_value::<Contribution>(data.clone());
    said.map_or_else(|_| format!("{data:#}\n"), |said| lines(&said))
}

fn lines(said: &Contribution) -> String {
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
        said.memory.iter().map(|episode| format!("memory: {} ({:.2})", name_of(episode), episode.score)),
    );
    lines.join("\n") + "\n"
}

/// Of what another process chose the title is not kept.
fn name_of(episode: &Recalled) -> &str {
    if episode.title.is_empty() { &episode.id } else { &episode.title }
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
    fn a_choice_says_where_and_when_it_was_made() {
        let check = |session: &str, agent: &str, now: f64, expected: &str| {
            let choice = Choice {
                session: session.to_owned(),
                agent: agent.to_owned(),
                at: 1_000.0,
                ..Choice::default()
            };
            assert_eq!(choices(&[choice], now).lines().next(), Some(expected));
        };
        check("chat\n1", "pi", 1_059.0, "session chat1 of pi, just now:");
        check("chat", "", 1_060.0, "session chat, 1 minute ago:");
        check("", "cli", 8_200.0, "no conversation of cli, 2 hours ago:");
        check("chat", "pi", 1_000.0 + 3.5 * 86_400.0, "session chat of pi, 3 days ago:");
        check("chat", "pi", 0.0, "session chat of pi, just now:");
    }

    #[test]
    fn the_mode_is_the_one_that_was_used() {
        check(Contribution::default(), "mode: append");
        // With a prompt nothing of the conversation is known yet.
        check(Contribution { mode: Mode::Reconstruct, ..Contribution::default() }, "mode: reconstruct");
    }
}
