//! What an error says of how things stand.

use ctxhost_sdk::protocol::codebase_index::State;

use crate::{
    error::{AuthError, BackendError, SyncError},
    shape::standing::Standing,
};

/// How things stand when the backend answered with this.
pub(super) fn standing(error: &BackendError) -> Standing {
    let state = match error {
        BackendError::Setting(_) => State::Off,
        BackendError::Auth(AuthError::Unreachable(_)) => State::Offline,
        BackendError::Auth(_) | BackendError::Unauthorized(_) | BackendError::Forbidden(_) => {
            State::SignedOut
        }
        _ => State::Offline,
    };
    Standing::without(state, error.to_string())
}

/// The same of what ended a sync; `None` where only this sync is the matter.
pub(super) fn of_sync(error: &SyncError) -> Option<Standing> {
    match error {
        SyncError::Backend(error) if error.is_lasting() => Some(standing(error)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_has_its_state() {
        let check = |error: BackendError, state: State| {
            let standing = standing(&error);
            assert_eq!((standing.state, standing.reason), (state, Some(error.to_string())));
        };
        let text = || "why".to_owned();
        check(AuthError::LoginNeeded(text()).into(), State::SignedOut);
        check(AuthError::Development(text()).into(), State::SignedOut);
        check(AuthError::Unreachable(text()).into(), State::Offline);
        check(BackendError::Unauthorized(text()), State::SignedOut);
        check(BackendError::Forbidden(text()), State::SignedOut);
        check(BackendError::Setting(text()), State::Off);
        check(BackendError::Busy { status: 503, message: text() }, State::Offline);
        check(BackendError::Unreachable { url: text(), why: text() }, State::Offline);
    }
}
