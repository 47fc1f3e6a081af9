//! What a search answers: a document, and a text for model and person.

use ctxhost_sdk::protocol::codebase_index::{Found, RankedHit, SearchResult};

use super::{
    sections::snippet,
    standing::{Standing, sentence},
};
use crate::source::hits::Hit;

/// A document carries so many notes.
const MOST_NOTES: usize = 64;

/// What came of a search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    pub(crate) mode: Option<String>,
    pub(crate) hits: Vec<Hit>,
    pub(crate) notes: Vec<String>,
}

impl Answer {
    /// The notes as a document carries them.
    pub(crate) fn notes(&self) -> Vec<String> {
        self.notes.iter().take(MOST_NOTES).map(|note| sentence(note)).collect()
    }

    /// A word, if it is one.
    pub(crate) fn mode(&self) -> Option<String> {
        self.mode.clone().filter(|mode| {
            let plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
            mode.len() <= 64 && mode.split('-').all(|part| !part.is_empty() && part.chars().all(plain))
        })
    }

    /// The hits as the provider's document has them.
    pub(crate) fn ranked(&self) -> Vec<RankedHit> {
        let ranked = |hit: &Hit| RankedHit {
            repo: hit.found.repo.clone(),
            path: hit.found.path.clone(),
            symbol: hit.found.symbol.clone(),
            lang: hit.found.lang.clone(),
            score: hit.found.score,
            line_start: hit.found.line_start,
            line_end: hit.found.line_end,
            stale: hit.stale,
        };
        self.hits.iter().map(ranked).collect()
    }
}

/// The document of `codebase_search`.
pub(crate) fn result(standing: &Standing, answer: &Answer) -> SearchResult {
    let found = |hit: &Hit| Found {
        repo: hit.found.repo.clone(),
        path: hit.found.path.clone(),
        symbol: hit.found.symbol.clone(),
        lang: hit.found.lang.clone(),
        snippet: hit.found.snippet.clone(),
        score: hit.found.score,
        line_start: hit.found.line_start,
        line_end: hit.found.line_end,
        snippet_start: hit.found.snippet_start,
        snippet_end: hit.found.snippet_end,
        stale: hit.stale,
    };
    let mut notes: Vec<String> = standing.reason.iter().cloned().collect();
    notes.extend(answer.notes());
    notes.truncate(MOST_NOTES);
    SearchResult {
        state: standing.state,
        mode: answer.mode(),
        results: answer.hits.iter().map(found).collect(),
        notes,
    }
}

/// The same to read.
pub(crate) fn text(result: &SearchResult, answer: &Answer) -> String {
    let mut text: String = answer.hits.iter().map(|hit| snippet(hit) + "\n").collect();
    if text.is_empty() && result.notes.is_empty() {
        text += "nothing was found\n";
    } else if text.is_empty() {
        text += "nothing was found:\n";
    }
    for note in &result.notes {
        text += &format!("note: {note}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use ctxhost_sdk::protocol::codebase_index::State;

    use super::*;

    #[test]
    fn a_search_without_hits_says_why() {
        let signed_out = Standing::without(State::SignedOut, "log in");
        let answer = Answer::default();
        let said = text(&result(&signed_out, &answer), &answer);
        assert_eq!(said, "nothing was found:\nnote: log in\n");
        let ready = Standing { state: State::Ready, ..Standing::default() };
        assert_eq!(text(&result(&ready, &answer), &answer), "nothing was found\n");
    }

    #[test]
    fn a_mode_that_is_no_word_is_left_out() {
        let check = |mode: &str, expected: Option<&str>| {
            let answer = Answer { mode: Some(mode.to_owned()), ..Answer::default() };
            assert_eq!(answer.mode().as_deref(), expected);
        };
        check("hybrid", Some("hybrid"));
        check("own-2", Some("own-2"));
        for wrong in ["", "A sentence.", "-", &"x".repeat(65)] {
            check(wrong, None);
        }
    }
}
