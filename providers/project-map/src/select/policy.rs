//! What happens by itself: the whole policy as one function over how things stand.

use ctxhost_sdk::protocol::project_map::{Artifacts, Mode};

/// What a conversation shows of one half of the root's pair, by the host's word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Seen {
    /// Nothing.
    #[default]
    None,
    /// What it says now.
    Same,
    /// What it said earlier.
    Other,
    /// What it said at some time; nobody remembers, since another process offered it.
    Unknown,
}

/// What is happening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// Somebody writes to the agent, or a summary has taken a conversation's place.
    Prompt(Turn),
    /// A tool is about to run.
    Tool {
        /// Whether it changes what the maps speak of.
        sensitive: bool,
    },
}

/// What a prompt is like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Turn {
    /// Nothing of the root's pair was offered in this conversation yet.
    pub(crate) first: bool,
    /// It is about the project.
    pub(crate) relevant: bool,
    /// A summary has taken the conversation's place since the last one.
    pub(crate) after_compaction: bool,
}

/// What a face can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Face {
    /// Keep a tool from running.
    pub(crate) blocks: bool,
    /// See what the assistant wrote before it called the tool.
    pub(crate) sees_text: bool,
}

/// How things stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Situation {
    pub(crate) mode: Mode,
    pub(crate) artifacts: Artifacts,
    pub(crate) index: Seen,
    pub(crate) map: Seen,
    pub(crate) moment: Moment,
    /// Whether the hint was given in this conversation.
    pub(crate) hinted: bool,
    /// Whether the assistant has justified in this turn that it goes past a block.
    pub(crate) bypassed: bool,
    /// Whether the root's pair found no room when it was last wanted.
    pub(crate) no_room: bool,
    pub(crate) face: Face,
}

impl Situation {
    /// Whether the conversation shows the root's pair, whose texts carry protocol and trust sentence. A pair that has
    /// changed since counts: it is brought with the next prompt, and every edit changes it.
    pub(crate) fn has_protocol_path(&self) -> bool {
        self.index != Seen::None && self.map != Seen::None
    }

    fn shows_nothing(&self) -> bool {
        (self.index, self.map) == (Seen::None, Seen::None)
    }
}

/// What is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Action {
    /// Say that there are no maps yet.
    pub(crate) hint: bool,
    /// Offer the root's index.
    pub(crate) index: bool,
    /// Offer the root's map.
    pub(crate) map: bool,
    /// Offer these only where both take no more than half of what they may; else remind.
    pub(crate) if_small: bool,
    /// Offer further pairs behind them.
    pub(crate) expansion: bool,
    /// Say in one line that the map has changed.
    pub(crate) changed: bool,
    /// Remind of the maps in one line.
    pub(crate) reminder: bool,
    /// What becomes of the tool's call.
    pub(crate) call: Call,
}

/// What becomes of a tool's call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Call {
    /// It runs.
    #[default]
    Runs,
    /// It runs with a hint.
    Guided,
    /// It runs with a hint where it would be blocked, and a person is told why it is not.
    GuidedInstead(Lack),
    /// It does not run.
    Blocked,
    /// It runs because the assistant has said why.
    Bypassed,
}

/// Why nothing can be blocked here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lack {
    /// The face cannot keep a tool from running.
    Block,
    /// It cannot see the assistant's words, so that nobody could get past a block.
    Text,
    /// The root's pair finds no room, so that nothing would ever end the block.
    Room,
}

/// Decides.
pub(crate) fn decide(now: &Situation) -> Action {
    match (now.mode, now.artifacts, now.moment) {
        (Mode::Off, ..) | (_, Artifacts::None, Moment::Tool { .. }) => Action::default(),
        (_, Artifacts::None, Moment::Prompt(_)) => Action { hint: !now.hinted, ..Action::default() },
        (Mode::Advisory, _, Moment::Prompt(turn)) => advised(now, turn),
        (Mode::Strong | Mode::Strict, _, Moment::Prompt(turn)) => injected(now, turn),
        (Mode::Strong, _, Moment::Tool { sensitive: true }) if !now.has_protocol_path() => {
            Action { call: Call::Guided, ..Action::default() }
        }
        (Mode::Strict, _, Moment::Tool { sensitive: true }) if !now.has_protocol_path() => {
            Action { call: held(now), ..Action::default() }
        }
        (_, _, Moment::Tool { .. }) => Action::default(),
    }
}

fn advised(now: &Situation, turn: Turn) -> Action {
    if [now.index, now.map].contains(&Seen::Other) {
        return Action { changed: true, ..Action::default() };
    }
    if now.shows_nothing() && turn.first {
        return Action { index: true, map: true, if_small: true, ..Action::default() };
    }
    let reminder = !now.has_protocol_path() && turn.after_compaction || now.shows_nothing() && turn.relevant;
    Action { reminder, ..Action::default() }
}

fn injected(now: &Situation, turn: Turn) -> Action {
    if now.shows_nothing() {
        let wanted = turn.first || turn.relevant || turn.after_compaction;
        return Action { index: wanted, map: wanted, expansion: wanted, ..Action::default() };
    }
    Action { index: now.index != Seen::Same, map: now.map != Seen::Same, ..Action::default() }
}

fn held(now: &Situation) -> Call {
    match now.face {
        _ if now.bypassed => Call::Bypassed,
        Face { blocks: false, .. } => Call::GuidedInstead(Lack::Block),
        Face { sees_text: false, .. } => Call::GuidedInstead(Lack::Text),
        _ if now.no_room => Call::GuidedInstead(Lack::Room),
        Face { .. } => Call::Blocked,
    }
}

#[cfg(test)]
mod tests;
