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

/// Keeps the user's first message and the last turns, as many as there may be and as fit; of the newest one, which stays
/// whatever fits, the newest calls of tools that fit, each with its results.
///
/// A turn begins at a message of the user, so what a tool answered stays with its call.
pub(crate) fn window(messages: &[Map<String, Value>], turns: usize, tokens: u64) -> Window {
    let messages: Vec<Message> = messages.iter().map(Message::read).collect();
    let starts: Vec<usize> = (0..messages.len()).filter(|at| messages[*at].starts_turn).collect();
    let (Some(first), Some(newest)) = (starts.first().copied(), starts.last().copied()) else {
        return everything(&messages);
    };
    // The host keeps its own messages, so they count.
    let always = |at: usize| at == first || messages[at].ours;
    let start = first_that_stays(&messages, &starts, &always, turns, tokens);
    let mut keep: BTreeSet<usize> = (start..messages.len()).collect();
    keep.extend((0..messages.len()).filter(|at| always(*at)));
    if start == first {
        // What stands before the user's first message is the agent's own.
        keep.extend(0..first);
    }
    shorten(&messages, newest, &mut keep, tokens);
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

/// Takes the oldest calls of the newest turn out with their results, as many as are too much. The last call stays, since its
/// results are what the model goes on from, and so does what a person said between them.
fn shorten(messages: &[Message], newest: usize, keep: &mut BTreeSet<usize>, tokens: u64) {
    let mut used: u64 = keep.iter().map(|at| messages[*at].tokens).sum();
    let mut answers: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, message) in messages.iter().enumerate().skip(newest) {
        message.answers.iter().for_each(|id| answers.entry(id).or_default().push(at));
    }
    let mut calls: Vec<usize> =
        (newest..messages.len()).filter(|at| !messages[*at].calls.is_empty()).collect();
    calls.pop();
    for call in calls {
        if used <= tokens {
            return;
        }
        let results = messages[call].calls.iter().filter_map(|id| answers.get(id.as_str())).flatten();
        let pair: BTreeSet<usize> = results.copied().chain([call]).collect();
        if pair.iter().any(|at| messages[*at].ours || messages[*at].interjects) {
            continue;
        }
        let gone = pair.iter().filter(|at| keep.remove(at));
        used = used.saturating_sub(gone.map(|at| messages[*at].tokens).sum());
    }
}

fn everything(messages: &[Message]) -> Window {
    Window {
        keep: (0..messages.len() as u64).collect(),
        tokens: messages.iter().map(|message| message.tokens).sum(),
        ..Window::default()
    }
}

/// Where the oldest turn begins that still fits beside what stays always.
fn first_that_stays(
    messages: &[Message],
    starts: &[usize],
    always: &dyn Fn(usize) -> bool,
    turns: usize,
    tokens: u64,
) -> usize {
    let sum = |range: std::ops::Range<usize>, counts: &dyn Fn(usize) -> bool| -> u64 {
        range.filter(|at| counts(*at)).map(|at| messages[at].tokens).sum()
    };
    let mut end = messages.len();
    let mut used = sum(0..end, always);
    let mut stays = end;
    for (number, start) in starts.iter().rev().enumerate() {
        used += sum(*start..end, &|at| !always(at));
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
