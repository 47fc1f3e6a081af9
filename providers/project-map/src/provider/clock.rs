//! Says when a part of a call's time is used up.

use std::time::Duration;

use ctxhost_sdk::Cx;

/// Time that is left for putting the answer together.
const RESERVE: Duration = Duration::from_millis(60);

/// The time of a call.
pub(super) struct Clock<'a, 'b> {
    cx: &'a Cx<'b>,
    whole: Option<Duration>,
}

impl<'a, 'b> Clock<'a, 'b> {
    pub(super) fn new(cx: &'a Cx<'b>) -> Self {
        Self { cx, whole: cx.remaining() }
    }

    /// Whether this part of the time that the call had at first is used up, or the answer is no longer wanted.
    pub(super) fn used(&self, part: f64) -> bool {
        let Some(whole) = self.whole else { return self.cx.check().is_err() };
        let left = whole.mul_f64(1.0 - part).max(RESERVE.min(whole / 2));
        self.cx.remaining().is_some_and(|remaining| remaining <= left) || self.cx.check().is_err()
    }
}
