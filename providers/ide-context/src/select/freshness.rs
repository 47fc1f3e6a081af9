//! Whether a selection was meant for this prompt.

use ctxhost_sdk::protocol::ide_context::{SELECTION_FRESH_SECONDS, Selection, SelectionState};

/// What became of a selection, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Freshness {
    /// There is none, or it holds no text.
    None,
    /// Nobody knows when it was made.
    Undated,
    /// It claims to be made later than a clock can be wrong.
    Future {
        /// How far ahead.
        seconds: f64,
    },
    /// It was made too long ago.
    Stale {
        /// How long ago.
        age: f64,
    },
    /// Its time is that of a selection in another file of the editor.
    Borrowed,
    /// It was meant for this prompt.
    Fresh {
        /// How long ago it was made.
        age: f64,
    },
}

impl Freshness {
    /// Judges a selection by when the editor wrote it and by the request's time.
    pub(crate) fn of(selection: Option<&Selection>, written: f64, now: f64) -> Self {
        let Some(selection) = selection.filter(|selection| !selection.text.is_empty()) else {
            return Self::None;
        };
        let Some(selected_at) = selection.selected_at else { return Self::Undated };
        // A time that lies ahead is clamped to when the editor wrote it down, since nothing is selected later than that;
        // clamped to the present, it would be fresh for ever.
        let selected_at = if selected_at > now { selected_at.min(written) } else { selected_at };
        match now - selected_at {
            // Then both times lie ahead, by more than a clock is wrong: neither means anything.
            age if age < -SELECTION_FRESH_SECONDS => Self::Future { seconds: -age },
            age if age > SELECTION_FRESH_SECONDS => Self::Stale { age },
            age => Self::Fresh { age: age.max(0.0) },
        }
    }

    /// The spec's word for it.
    pub(crate) fn word(self) -> SelectionState {
        match self {
            Self::None => SelectionState::None,
            Self::Undated | Self::Future { .. } | Self::Stale { .. } | Self::Borrowed => {
                SelectionState::Stale
            }
            Self::Fresh { .. } => SelectionState::Fresh,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_is_fresh_and_more_is_stale() {
        let now = 1_700_000_000.0;
        for (selected_at, word) in [
            (Some(now), SelectionState::Fresh),
            (Some(now - 60.0), SelectionState::Fresh),
            (Some(now - 60.4), SelectionState::Stale),
            (Some(now - 61.0), SelectionState::Stale),
            (Some(now + 3.0), SelectionState::Fresh),
            (Some(now + 60.0), SelectionState::Fresh),
            (Some(now + 3600.0), SelectionState::Fresh),
            (Some(0.0), SelectionState::Stale),
            (None, SelectionState::Stale),
        ] {
            let selection = Selection { text: "x".to_owned(), selected_at, ..Selection::default() };
            assert_eq!(Freshness::of(Some(&selection), now, now).word(), word, "{selected_at:?}");
        }
        let ahead = Selection { text: "x".to_owned(), selected_at: Some(now + 3.0), ..Selection::default() };
        assert_eq!(Freshness::of(Some(&ahead), now, now), Freshness::Fresh { age: 0.0 });
        // The same file a minute later: a time that lies ahead is clamped to when it was written.
        let ahead = Selection { selected_at: Some(now + 3600.0), ..ahead };
        assert_eq!(Freshness::of(Some(&ahead), now, now + 61.0), Freshness::Stale { age: 61.0 });
        // A client that does not keep `timestamp` is judged by the selection's own time.
        let made = Selection { selected_at: Some(now - 5.0), ..ahead.clone() };
        assert_eq!(Freshness::of(Some(&made), 0.0, now), Freshness::Fresh { age: 5.0 });
        assert_eq!(Freshness::of(Some(&ahead), now + 3600.0, now), Freshness::Future { seconds: 3600.0 });
    }

    #[test]
    fn no_text_is_no_selection() {
        let selection = Selection { selected_at: Some(1.0), ..Selection::default() };
        assert_eq!(Freshness::of(Some(&selection), 1.0, 1.0), Freshness::None);
        assert_eq!(Freshness::of(None, 1.0, 1.0), Freshness::None);
    }
}
