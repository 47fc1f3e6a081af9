//! The time of a call, in parts.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::cx::Cx;

/// Time that is left for putting the answer together.
const RESERVE: Duration = Duration::from_millis(60);

/// Says when a part of the time that a call had at first is used up.
///
/// Make it where the call begins and give each step its share, so that a step that is slow on a busy machine leaves time for
/// an answer from what is known by then.
///
/// ```
/// use ctxhost_sdk::{Clock, prelude::*};
///
/// fn answer(cx: &Cx<'_>, files: &[&str]) -> Reply {
///     let clock = Clock::new(cx);
///     // At most 40 % of the time; the rest is for ranking and writing.
///     let looked_at = files.iter().take_while(|_| !clock.used(0.4)).count();
///     let body = format!("{looked_at} files were looked at.\n");
///     Reply::new().section(Section::prompt("files", Trust::Workspace).body(body))
/// }
/// ```
#[derive(Clone, Copy)]
pub struct Clock<'a, 'b> {
    cx: &'a Cx<'b>,
    whole: Option<Duration>,
}

impl<'a, 'b> Clock<'a, 'b> {
    /// Counts from now to the call's deadline.
    pub fn new(cx: &'a Cx<'b>) -> Self {
        Self { cx, whole: cx.remaining() }
    }

    /// Whether so large a part of the time is used up, between 0 and 1, or the answer is no longer wanted.
    ///
    /// The last 60 ms are always left for putting the answer together, half of the time where there is less than twice as
    /// much. A call without a deadline has time until it is cancelled.
    pub fn used(&self, part: f64) -> bool {
        let Some(whole) = self.whole else { return self.cx.check().is_err() };
        let left = whole.mul_f64(1.0 - part.clamp(0.0, 1.0)).max(RESERVE.min(whole / 2));
        self.cx.remaining().is_some_and(|remaining| remaining <= left) || self.cx.check().is_err()
    }
}

/// The time of a request, such as [`Request::now`](ctxhost_protocol::envelope::Request::now), for what takes the system's
/// time. `unix` are seconds; what is no time is 1970.
///
/// ```
/// use std::time::{Duration, UNIX_EPOCH};
/// assert_eq!(ctxhost_sdk::system_time(1.5), UNIX_EPOCH + Duration::from_millis(1_500));
/// assert_eq!(ctxhost_sdk::system_time(-1.0), UNIX_EPOCH);
/// assert_eq!(ctxhost_sdk::system_time(1e19), UNIX_EPOCH);
/// ```
pub fn system_time(unix: f64) -> SystemTime {
    let since = Duration::try_from_secs_f64(unix).unwrap_or_default();
    UNIX_EPOCH.checked_add(since).unwrap_or(UNIX_EPOCH)
}
