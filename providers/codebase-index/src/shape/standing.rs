//! How things stand, in a line, in a document and for people.

use ctxhost_sdk::protocol::codebase_index::{Contribution, RepoStanding, State};
use serde::{Deserialize, Serialize};

/// A reason's characters in a document.
const LONGEST: usize = 1_000;

/// What is known of a workspace and its backend.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Standing {
    /// How things stand.
    pub(crate) state: State,
    /// Why, and what to do.
    pub(crate) reason: Option<String>,
    /// The repositories, as the last sync left them.
    pub(crate) repos: Vec<RepoStanding>,
    /// How many chunks it sent.
    pub(crate) sent: u64,
    /// How many files are left to send.
    pub(crate) waiting: u64,
    /// When it ended, in seconds since 1970.
    pub(crate) synced_at: Option<f64>,
    /// How many files of how many are sent, while it goes on.
    pub(crate) progress: Option<(u64, u64)>,
}

impl Standing {
    /// One in which nothing can be found.
    pub(crate) fn without(state: State, reason: impl Into<String>) -> Self {
        Self { state, reason: Some(sentence(&reason.into())), ..Self::default() }
    }

    /// The same with another state and reason.
    #[must_use]
    pub(crate) fn but(self, state: State, reason: Option<String>) -> Self {
        Self { state, reason: reason.map(|reason| sentence(&reason)), ..self }
    }

    /// Whether a backend answers.
    pub(crate) fn answers(&self) -> bool {
        !matches!(self.state, State::Off | State::SignedOut | State::Offline)
    }

    /// The provider's document, without hits.
    pub(crate) fn contribution(&self) -> Contribution {
        Contribution {
            state: self.state,
            reason: self.reason.clone(),
            repos: self.repos.clone(),
            sent: self.sent,
            waiting: self.waiting,
            synced_at: self.synced_at,
            ..Contribution::default()
        }
    }

    /// What is seen all the time.
    pub(crate) fn pill(&self) -> String {
        match (self.state, self.progress) {
            (State::Syncing, Some((done, total))) if total > 0 => format!("codebase: syncing {done}/{total}"),
            (state, _) => format!("codebase: {}", word(state)),
        }
    }

    /// What a bubble shows.
    pub(crate) fn detail(&self) -> Option<String> {
        let mut lines: Vec<String> = self.reason.iter().cloned().collect();
        lines.extend(self.repos.iter().map(line));
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// A repository on a line.
pub(crate) fn line(repo: &RepoStanding) -> String {
    let mut said = format!("{}: {}", repo.name, count(repo.files, "file"));
    if repo.waiting > 0 {
        said += &format!(", {} waiting", repo.waiting);
    }
    if repo.left_out > 0 {
        said += &format!(", {} never sent", repo.left_out);
    }
    said
}

/// `1 file`, `2 files`.
pub(crate) fn count(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// A state's word in documents.
pub(crate) fn word(state: State) -> &'static str {
    match state {
        State::Off => "off",
        State::SignedOut => "signed-out",
        State::Offline => "offline",
        State::Syncing => "syncing",
        State::Ready => "ready",
        State::Stale => "stale",
    }
}

/// A sentence as documents carry it.
pub(crate) fn sentence(text: &str) -> String {
    let plain = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
    let text: String = plain.take(LONGEST).collect();
    if text.trim().is_empty() { "it does not say why".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pill_says_what_the_specification_says() {
        let check = |state: State, progress: Option<(u64, u64)>, expected: &str| {
            assert_eq!(Standing { state, progress, ..Standing::default() }.pill(), expected);
        };
        check(State::Off, None, "codebase: off");
        check(State::SignedOut, None, "codebase: signed-out");
        check(State::Syncing, Some((3, 10)), "codebase: syncing 3/10");
        check(State::Syncing, Some((0, 0)), "codebase: syncing");
        check(State::Ready, Some((10, 10)), "codebase: ready");
    }

    #[test]
    fn the_detail_has_the_reason_and_a_line_for_each_repository() {
        let repo = |name: &str, files, waiting, left_out| RepoStanding {
            name: name.to_owned(),
            files,
            waiting,
            left_out,
            ..RepoStanding::default()
        };
        let standing = Standing {
            reason: Some("why".to_owned()),
            repos: vec![repo("a/b", 1, 0, 0), repo("c", 12, 3, 4)],
            ..Standing::default()
        };
        assert_eq!(standing.detail().unwrap(), "why\na/b: 1 file\nc: 12 files, 3 waiting, 4 never sent");
        assert_eq!(Standing::default().detail(), None);
    }

    #[test]
    fn a_reason_is_one_sentence_that_a_document_carries() {
        assert_eq!(sentence("a\nb\u{1b}"), "a b ");
        assert_eq!(sentence(""), "it does not say why");
        assert_eq!(sentence(&"x".repeat(5_000)).len(), LONGEST);
    }
}
