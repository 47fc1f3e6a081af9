//! Why a living editor is not offered to a session.

use crate::{select::connect::Scored, source::worktree::Worktree};

/// The tier of an editor in another worktree of the same repository: an extension that is only ever listed. Such an
/// editor shows other versions of the same files, so nothing connects to it by itself.
pub(crate) const WORKTREE: u8 = 2;

/// Why an editor is not offered, and the tier to show for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotOffered {
    pub(crate) tier: Option<u8>,
    /// For a person.
    pub(crate) reason: String,
}

/// Says why an editor is not offered; `None` for one in the best tier.
///
/// `here` and `there` are the worktrees that the session and the editor are in.
pub(crate) fn not_offered(
    scored: &Scored<'_>,
    best: Option<u8>,
    project: &str,
    (here, there): (Option<&Worktree>, Option<&Worktree>),
) -> Option<NotOffered> {
    let refused = |tier, reason: &str| Some(NotOffered { tier, reason: reason.to_owned() });
    if let Some(belonging) = &scored.belonging {
        return if Some(belonging.tier) == best {
            None
        } else {
            refused(Some(belonging.tier), "an editor whose directory is exactly this one comes first")
        };
    }
    let cwd = scored.editor.paths.cwd.path.as_str();
    match (here, there) {
        _ if cwd.is_empty() => refused(None, "it does not say which directory it is in"),
        _ if is_above(cwd, project) => {
            refused(None, "its directory is above this one, which alone is no evidence")
        }
        (Some(here), Some(there)) if here == there => refused(None, "it is elsewhere in the same repository"),
        (Some(here), Some(there)) if here.shared == there.shared => {
            refused(Some(WORKTREE), "it is in another worktree of the same repository")
        }
        _ => refused(None, "it is in another directory"),
    }
}

fn is_above(directory: &str, path: &str) -> bool {
    path.strip_prefix(directory.trim_end_matches('/')).is_some_and(|rest| rest.starts_with('/'))
}
