//! What of a turn becomes an episode.

use ctxhost_sdk::protocol::pilot_index::Episode;
use serde::{Deserialize, Serialize};

use super::words;
use crate::select::redact::redact;

/// How many of the user's last prompts an episode keeps.
const PROMPTS: usize = 2;
const TITLE: usize = 100;
const PROMPT: usize = 2_000;
const SUMMARY: usize = 500;
/// How many files an episode has, half of them edited and half written.
pub(super) const FILES: usize = 100;
pub(super) const SYMBOLS: usize = 50;
/// Longer names, in bytes, are left out, so that an episode stays a line that is read again.
const LONGEST_FILE: usize = 256;
const LONGEST_SYMBOL: usize = 200;
/// The document's figure.
pub(super) const TAGS: usize = 12;

/// What is known of a turn so far; texts in it have lost their secrets already.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Turn {
    prompts: Vec<String>,
    /// The episode of this turn, once something was edited.
    id: Option<String>,
    created_at: f64,
    edited: Vec<String>,
    wrote: Vec<String>,
    symbols: Vec<String>,
    summary: Option<String>,
}

impl Turn {
    /// A new turn begins: the prompt is kept, and what was edited before belongs to the turn before.
    pub(crate) fn prompt(&mut self, text: &str) {
        let mut prompts = std::mem::take(&mut self.prompts);
        prompts.push(clipped(&redact(text), PROMPT));
        let surplus = prompts.len().saturating_sub(PROMPTS);
        prompts.drain(..surplus);
        *self = Self { prompts, ..Self::default() };
    }

    /// Something was edited or written.
    pub(crate) fn touched(&mut self, file: &str, wrote: bool, symbols: &[String]) {
        let (list, other) =
            if wrote { (&mut self.wrote, &self.edited) } else { (&mut self.edited, &self.wrote) };
        if list.len() < FILES / 2
            && file.len() <= LONGEST_FILE
            && !list.iter().chain(other).any(|known| known == file)
        {
            list.push(file.to_owned());
        }
        for symbol in symbols {
            if self.symbols.len() < SYMBOLS
                && symbol.len() <= LONGEST_SYMBOL
                && !self.symbols.contains(symbol)
            {
                self.symbols.push(symbol.clone());
            }
        }
    }

    /// The model has said what it did.
    pub(crate) fn ended(&mut self, text: &str) {
        let text = clipped(redact(text).trim(), SUMMARY);
        self.summary = (!text.is_empty()).then_some(text);
    }

    /// Whether there is something to remember.
    pub(crate) fn has_edits(&self) -> bool {
        !self.edited.is_empty() || !self.wrote.is_empty()
    }

    /// The episode as the turn stands; it keeps its id for as long as the turn lasts.
    pub(crate) fn episode(&mut self, session: &str, now_ms: f64) -> Episode {
        let title = self.title();
        if self.id.is_none() {
            self.created_at = now_ms;
            let first = self.edited.iter().chain(&self.wrote).next().map_or("", String::as_str);
            self.id = Some(id(&[session, &title, first, &format!("{now_ms}")]));
        }
        let files: Vec<String> = self.edited.iter().chain(&self.wrote).map(|file| redact(file)).collect();
        Episode {
            id: self.id.clone().unwrap_or_default(),
            created_at: self.created_at,
            updated_at: Some(now_ms.max(self.created_at)),
            problem: (!self.prompts.is_empty()).then(|| self.prompts.join("\n\n")),
            summary: self.summary.clone(),
            root_cause: None,
            solution: Some(self.solution()),
            outcome: Some("success".to_owned()),
            tags: self.tags(&files),
            symbols: self.symbols.iter().map(|symbol| redact(symbol)).collect(),
            // The document's constant: nothing here can tell how good an edit was.
            confidence: 0.65,
            title,
            files,
            rest: Default::default(),
        }
    }

    fn title(&self) -> String {
        let line = self.prompts.last().and_then(|prompt| prompt.lines().find(|line| !line.trim().is_empty()));
        line.map_or_else(|| clipped(&self.solution(), TITLE), |line| clipped(line.trim(), TITLE))
    }

    fn solution(&self) -> String {
        let redacted = |files: &[String]| files.iter().map(|file| redact(file)).collect::<Vec<_>>();
        sentence([&redacted(&self.edited), &redacted(&self.wrote)])
    }

    /// Eight words of the prompt and the endings of the files, at most twelve: the document's figures.
    fn tags(&self, files: &[String]) -> Vec<String> {
        let prompt = self.prompts.last().map_or("", String::as_str);
        let mut tags: Vec<String> = Vec::new();
        tags.extend(words::names(&prompt.replace("[redacted:", "[")).into_iter().take(8));
        for file in files {
            let name = file.rsplit('/').next().unwrap_or_default();
            let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_lowercase());
            if let Some(ending) = ending.filter(|ending| !ending.is_empty() && ending.len() <= 16)
                && tags.len() < TAGS
                && !tags.contains(&ending)
            {
                tags.push(ending);
            }
        }
        tags
    }
}

/// How a solution names its files.
const VERBS: [&str; 2] = ["Edited ", "Wrote "];

fn sentence(files: [&[String]; 2]) -> String {
    let named = VERBS.iter().zip(files).filter(|(_, files)| !files.is_empty());
    let parts: Vec<String> = named.map(|(verb, files)| format!("{verb}{}", files.join(", "))).collect();
    clipped(&parts.join("; "), PROMPT)
}

/// One solution of two of the same turn; the newer one where the older one is not in these words.
pub(super) fn joined_solutions(old: Option<&str>, new: Option<&str>) -> Option<String> {
    let mut files = [Vec::new(), Vec::new()];
    for part in [old, new].into_iter().flatten().flat_map(|text| text.split("; ")) {
        let Some(verb) = VERBS.iter().position(|verb| part.starts_with(verb)) else {
            return new.map(str::to_owned);
        };
        for file in part[VERBS[verb].len()..].split(", ") {
            if !files.iter().flatten().any(|known| known == file) {
                files[verb].push(file.to_owned());
            }
        }
    }
    let joined = sentence([&files[0], &files[1]]);
    (!joined.is_empty()).then_some(joined)
}

/// FNV-1a over 64 bits: 32, as the document's implementation has, would let two of 500 episodes share an id too often.
fn id(parts: &[&str]) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in parts.iter().flat_map(|part| part.bytes().chain([b'|'])) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    format!("{hash:016x}")
}

/// The first characters of a text.
fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_becomes_one_episode_that_grows() {
        let mut turn = Turn::default();
        turn.prompt("Earlier question");
        turn.prompt("Repair cache eviction in lib/store.rs\nIt drops too much");
        assert!(!turn.has_edits());
        turn.touched("lib/store.rs", false, &["Store.evict".to_owned()]);
        let first = turn.episode("s", 1_000.0);
        turn.touched("lib/new.rs", true, &["New".to_owned(), "Store.evict".to_owned()]);
        turn.touched("lib/store.rs", true, &[]);
        turn.ended("  It keeps the newest now.  ");
        let second = turn.episode("s", 5_000.0);
        assert_eq!(first.id, second.id);
        assert_eq!((second.created_at, second.updated_at), (1_000.0, Some(5_000.0)));
        assert_eq!(second.title, "Repair cache eviction in lib/store.rs");
        assert_eq!(
            second.problem.as_deref(),
            Some("Earlier question\n\nRepair cache eviction in lib/store.rs\nIt drops too much")
        );
        assert_eq!(second.solution.as_deref(), Some("Edited lib/store.rs; Wrote lib/new.rs"));
        assert_eq!(second.summary.as_deref(), Some("It keeps the newest now."));
        assert_eq!(second.files, ["lib/store.rs", "lib/new.rs"]);
        assert_eq!(second.symbols, ["Store.evict", "New"]);
        assert_eq!(second.tags, ["repair", "cache", "eviction", "lib", "store", "drops", "rs"]);
        turn.prompt("Another thing");
        turn.touched("a.rs", false, &[]);
        assert_ne!(turn.episode("s", 6_000.0).id, second.id);
    }

    #[test]
    fn a_clock_that_goes_backwards_keeps_the_order_of_its_times() {
        let mut turn = Turn::default();
        turn.touched("a.rs", false, &[]);
        turn.episode("s", 9_000.0);
        let later = turn.episode("s", 1_000.0);
        assert_eq!((later.created_at, later.updated_at), (9_000.0, Some(9_000.0)));
        assert_eq!(later.title, "Edited a.rs");
    }

    #[test]
    fn secrets_reach_no_field() {
        let secret = ["gh", "p_abcdefghij0123456789"].concat();
        let mut turn = Turn::default();
        turn.prompt(&format!("use {secret} for it"));
        turn.touched(&format!("keys/{secret}.txt"), true, std::slice::from_ref(&secret));
        turn.ended(&format!("I used {secret}"));
        let line = serde_json::to_string(&turn.episode("s", 1.0)).expect("it is written");
        assert!(!line.contains("abcdefghij0123456789"), "{line}");
    }

    #[test]
    fn texts_have_an_end() {
        let mut turn = Turn::default();
        turn.prompt(&"ü".repeat(100_000));
        (0..200).for_each(|n| turn.touched(&format!("{n}.rs"), n % 2 == 0, &[format!("s{n}")]));
        (0..100)
            .for_each(|n| turn.touched(&format!("{n}{}", "/x".repeat(2_000)), false, &["y".repeat(5_000)]));
        turn.ended(&"ß ".repeat(100_000));
        let line = serde_json::to_string(&turn.episode("s", 1.0)).expect("it is written");
        assert!(line.len() < 16_000, "{}", line.len());
    }
}
