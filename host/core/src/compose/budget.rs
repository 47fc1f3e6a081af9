//! Which size of each section fits.
//!
//! Every section first gets its smallest size in priority order, then a fuller one in priority order; nothing is cut.

use super::{Offer, Plan, Reason, TokenEstimator, covered::Covers, element, note};

/// An injection for a model whose window nobody knows is at most this large: the largest number that a provider's own
/// document names, project-map's 100,000 tokens.
const UNKNOWN_WINDOW: u64 = 100_000;

/// What stays free in a window for the model's own answer, in tokens.
const RESERVE: u64 = 16_000;

/// The limit of an injection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limit {
    /// Estimated tokens.
    pub tokens: u64,
    /// UTF-16 code units, where the agent counts characters: so do those that count, which are written in JavaScript.
    pub characters: Option<u64>,
    /// UTF-8 bytes, where the agent counts those.
    pub bytes: Option<u64>,
    /// What set `tokens`.
    pub bound: Bound,
}

/// What set a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// The size for a model whose window nobody knows.
    #[default]
    UnknownWindow,
    /// The setting `max_tokens`.
    MaxTokens,
    /// A quarter of the model's window.
    WindowShare,
    /// What is left of the window, less the reserve for the answer.
    WindowLeft,
}

impl std::fmt::Display for Bound {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::UnknownWindow => "the default for a model whose window is not known",
            Self::MaxTokens => "max_tokens",
            Self::WindowShare => "25 % of the model's window",
            Self::WindowLeft => "what is left of the model's window, less 16,000",
        })
    }
}

impl Limit {
    /// The smallest of all limits that hold.
    pub fn of(window: Option<u64>, used: Option<u64>, max_tokens: Option<u64>) -> Self {
        let share = window.map(|window| (window / 4, Bound::WindowShare));
        let left = window
            .zip(used)
            .map(|(window, used)| (window.saturating_sub(used).saturating_sub(RESERVE), Bound::WindowLeft));
        let setting = max_tokens.map(|tokens| (tokens, Bound::MaxTokens));
        let unknown = if window.is_none() { Some((UNKNOWN_WINDOW, Bound::UnknownWindow)) } else { None };
        let smallest =
            [setting, share, left, unknown].into_iter().flatten().min_by_key(|(tokens, _)| *tokens);
        let (tokens, bound) = smallest.unwrap_or((UNKNOWN_WINDOW, Bound::UnknownWindow));
        Self { tokens, characters: None, bytes: None, bound }
    }

    /// What is left of it beside a text.
    pub fn beside(self, text: &str) -> Self {
        let less = |all: u64, used: usize| all.saturating_sub(used as u64);
        Self {
            characters: self.characters.map(|all| less(all, utf16_length(text))),
            bytes: self.bytes.map(|all| less(all, text.len())),
            ..self
        }
    }

    /// Whether a text keeps it, whatever its tokens are.
    pub fn has_room_for(self, text: &str) -> bool {
        self.characters.is_none_or(|all| utf16_length(text) as u64 <= all)
            && self.bytes.is_none_or(|all| text.len() as u64 <= all)
    }
}

/// What becomes of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// This size of it, 0 being the fullest.
    Variant(usize),
    /// It is not there.
    Left {
        /// Why.
        reason: Reason,
        /// Whether there is room for the line that says so.
        noted: bool,
    },
}

#[derive(Clone, Copy)]
struct Size {
    tokens: u64,
    characters: u64,
    bytes: u64,
}

impl Size {
    fn of(text: &str, estimator: &dyn TokenEstimator) -> Self {
        let characters = utf16_length(text);
        Self { tokens: estimator.estimate(text), characters: characters as u64, bytes: text.len() as u64 }
    }

    fn and(self, other: Self) -> Self {
        Self {
            tokens: self.tokens + other.tokens,
            characters: self.characters + other.characters,
            bytes: self.bytes + other.bytes,
        }
    }
}

/// The length of a text in UTF-16 code units.
pub(crate) fn utf16_length(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.encode_utf16().count() }
}

/// What is still free; counted piece by piece, which is never less than the whole counts.
struct Room {
    tokens: u64,
    characters: u64,
    bytes: u64,
}

impl Room {
    fn fits(&self, size: Size) -> bool {
        size.tokens <= self.tokens && size.characters <= self.characters && size.bytes <= self.bytes
    }

    fn take(&mut self, size: Size) -> bool {
        let fits = self.fits(size);
        if fits {
            self.tokens -= size.tokens;
            self.characters -= size.characters;
            self.bytes -= size.bytes;
        }
        fits
    }

    fn give_back(&mut self, size: Size) {
        self.tokens += size.tokens;
        self.characters += size.characters;
        self.bytes += size.bytes;
    }
}

/// Chooses a size for every offer; the result is in the offers' order.
pub(super) fn choose(offers: &[Offer], covers: &Covers, frame: &[&str], plan: &Plan<'_>) -> Vec<Choice> {
    let measure = |text: &str| Size::of(text, plan.estimator);
    let mut room = Room {
        tokens: plan.limit.tokens,
        characters: plan.limit.characters.unwrap_or(u64::MAX),
        bytes: plan.limit.bytes.unwrap_or(u64::MAX),
    };
    let framed = frame.iter().all(|part| room.take(measure(part)));
    let sizes: Vec<Vec<Size>> = offers
        .iter()
        .map(|offer| {
            let frame = measure(&element(&offer.head(), ""));
            offer.bodies.iter().map(|body| frame.and(measure(body))).collect()
        })
        .collect();
    let mut by_priority: Vec<usize> = (0..offers.len()).collect();
    by_priority.sort_by_key(|index| std::cmp::Reverse(offers[*index].priority));

    let mut choices: Vec<Choice> = Vec::with_capacity(offers.len());
    choices.resize(offers.len(), Choice::Variant(0));
    for &index in &by_priority {
        let offer = &offers[index];
        choices[index] = if let Some(by) = covers.of(index) {
            let by = &offers[by];
            let reason = Reason::Covered { provider: by.provider.clone(), key: by.key.clone() };
            left(offer, reason, framed, &mut room, measure)
        } else {
            let smallest = offer.bodies.len() - 1;
            let size = sizes[index][smallest];
            if framed && room.take(size) {
                Choice::Variant(smallest)
            } else {
                let reason =
                    Reason::Budget { needs: size.tokens, left: if framed { room.tokens } else { 0 } };
                left(offer, reason, framed, &mut room, measure)
            }
        };
    }
    for &index in &by_priority {
        if let Choice::Variant(current) = choices[index] {
            room.give_back(sizes[index][current]);
            let fullest = (0..=current).find(|variant| room.fits(sizes[index][*variant])).unwrap_or(current);
            room.take(sizes[index][fullest]);
            choices[index] = Choice::Variant(fullest);
        }
    }
    choices
}

fn left(
    offer: &Offer,
    reason: Reason,
    framed: bool,
    room: &mut Room,
    measure: impl Fn(&str) -> Size,
) -> Choice {
    let noted = framed && room.take(measure(&note(offer, &reason)));
    Choice::Left { reason, noted }
}
