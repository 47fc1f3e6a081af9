//! Which messages of a conversation stay when it is rewritten: the user's first, and the last turns.

mod message;

use std::collections::{BTreeSet, HashMap};

use serde_json::{Map, Value};

use message::Message;

/// What stays, and where retrieved text goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Window {
    /// The messages that stay, by index.
    pub(crate) keep: Vec<u64>,
    /// The message that retrieved text goes in front of.
    pub(crate) before: u64,
    /// What the messages that stay take, in estimated tokens.
    pub(crate) tokens: u64,
    /// How many go.
    pub(crate) dropped: u64,
    /// The user's texts in the turns that stay, the newest first.
    pub(crate) asked: Vec<String>,
}

/// Keeps the last turns, as many as there may be and as fit; the newest one always.
///
/// A turn begins at a message of the user, so what a tool answered stays with its call.
pub(crate) fn window(messages: &[Map<String, Value>], turns: usize, tokens: u64) -> Window {
    let messages: Vec<Message> = messages.iter().map(Message::read).collect();
    let starts: Vec<usize> = (0..messages.len()).filter(|at| messages[*at].starts_turn).collect();
    let Some(first) = starts.first().copied() else { return everything(&messages) };
    let start = first_that_stays(&messages, &starts, turns, tokens);
    let mut keep: BTreeSet<usize> = (start..messages.len()).collect();
    if start > first {
        keep.insert(first);
    } else {
        // What stands before the user's first message is the agent's own.
        keep.extend(0..first);
    }
    // The host keeps its own messages, so they count.
    keep.extend((0..messages.len()).filter(|at| messages[*at].ours));
    keep_together(&messages, &mut keep);
    let asked = starts.iter().rev().filter(|at| keep.contains(at));
    Window {
        before: start as u64,
        tokens: keep.iter().map(|at| messages[*at].tokens).sum(),
        dropped: (messages.len() - keep.len()) as u64,
        asked: asked.map(|at| messages[*at].text.clone()).collect(),
        keep: keep.into_iter().map(|at| at as u64).collect(),
    }
}

fn everything(messages: &[Message]) -> Window {
    Window {
        keep: (0..messages.len() as u64).collect(),
        tokens: messages.iter().map(|message| message.tokens).sum(),
        ..Window::default()
    }
}

/// Where the oldest turn begins that still fits.
fn first_that_stays(messages: &[Message], starts: &[usize], turns: usize, tokens: u64) -> usize {
    let mut end = messages.len();
    let mut used = 0_u64;
    let mut stays = messages.len();
    for (number, start) in starts.iter().rev().enumerate() {
        used += messages[*start..end].iter().map(|message| message.tokens).sum::<u64>();
        if number >= turns.max(1) || (number > 0 && used > tokens) {
            break;
        }
        (stays, end) = (*start, *start);
    }
    stays
}

/// Adds the calls of kept results, and the results of kept calls.
fn keep_together(messages: &[Message], keep: &mut BTreeSet<usize>) {
    let mut callers: HashMap<&str, usize> = HashMap::new();
    let mut pairs = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        callers.extend(message.calls.iter().map(|id| (id.as_str(), at)));
        pairs.extend(message.answers.iter().filter_map(|id| Some((*callers.get(id.as_str())?, at))));
    }
    loop {
        let before = keep.len();
        for (call, answer) in &pairs {
            if keep.contains(call) || keep.contains(answer) {
                keep.extend([*call, *answer]);
            }
        }
        if keep.len() == before {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
