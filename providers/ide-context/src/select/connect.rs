//! Which editor a session is connected to: the user's choice, or else the only one in the best tier.

use crate::{
    select::tier::Belonging,
    source::{Editor, connection::Choice},
};

/// An editor and what it has to do with the session's directory.
#[derive(Clone, Debug)]
pub(crate) struct Scored<'a> {
    pub(crate) editor: &'a Editor,
    pub(crate) belonging: Option<Belonging>,
}

/// How a session is connected.
#[derive(Clone, Debug)]
pub(crate) enum Connected<'a> {
    /// No living editor belongs to the directory.
    No,
    /// The one the user chose cannot be read at this moment.
    Waiting,
    /// Several do, and the user has to choose.
    Several,
    /// The user wants none.
    Unwanted,
    /// To this one.
    To {
        scored: Scored<'a>,
        /// Whether the user chose it.
        chosen: bool,
    },
}

/// What has become of an editor that was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Lives,
    /// Its process is there, and its file cannot be read.
    Unreadable,
    Gone,
}

/// The best tier that is not empty.
pub(crate) fn best_tier(scored: &[Scored<'_>]) -> Option<u8> {
    scored.iter().filter_map(|scored| Some(scored.belonging.as_ref()?.tier)).min()
}

/// The editors in the best tier that is not empty; tiers never mix.
pub(crate) fn best<'a, 'b>(scored: &'b [Scored<'a>]) -> impl Iterator<Item = &'b Scored<'a>> {
    let tier = best_tier(scored);
    scored
        .iter()
        .filter(move |scored| scored.belonging.as_ref().is_some_and(|found| Some(found.tier) == tier))
}

/// Whether an editor is the one that was chosen, and not another with its process id.
pub(crate) fn is_chosen(editor: &Editor, choice: &Choice) -> bool {
    let Choice::Editor { pid, start, app } = choice else { return false };
    let same_process = match (editor.start, start) {
        (Some(now), Some(then)) => now == *then,
        // Without start times the kind of editor is all there is to tell.
        _ => editor.state.app.starts_with(app.as_str()),
    };
    editor.pid == *pid && same_process
}

/// Decides by the choice that counts, which the caller has found to be still valid.
pub(crate) fn decide<'a>(scored: &[Scored<'a>], choice: Option<(&Choice, Fate)>) -> Connected<'a> {
    match choice {
        Some((Choice::Nothing, _)) => return Connected::Unwanted,
        Some((Choice::Editor { .. }, Fate::Unreadable)) => return Connected::Waiting,
        Some((choice @ Choice::Editor { .. }, _)) => {
            if let Some(scored) = scored.iter().find(|scored| is_chosen(scored.editor, choice)) {
                return Connected::To { scored: scored.clone(), chosen: true };
            }
        }
        Some((Choice::Automatic, _)) | None => {}
    }
    let mut best = best(scored);
    match (best.next(), best.next()) {
        (None, _) => Connected::No,
        (Some(only), None) => Connected::To { scored: only.clone(), chosen: false },
        (Some(_), Some(_)) => Connected::Several,
    }
}
