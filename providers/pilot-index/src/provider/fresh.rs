//! A look at the project before anything is answered, and as much indexing as there is time for.

use std::{
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use ctxhost_code::project::{Outcome, Pace, View};
use ctxhost_sdk::{
    Clock, HostHandle,
    protocol::envelope::{Life, Session},
};

use super::workspaces::Workspace;
use crate::source::code::Code;

/// So many files that changed are indexed before the answer; more wait for the background.
const AT_ONCE: usize = 64;

/// The part of a call's time that the look at the files may take; the rest is for an answer from what is known.
pub(super) const LOOK: f64 = 0.4;

/// When the scan of what is not indexed ends. It begins after the look and reads the same files once more, so that a look
/// that takes all of its time must leave it some: the first prompt of a large repository has nothing else to answer from.
pub(super) const SCAN: f64 = 0.6;

/// When nothing more is parsed for an answer. Whoever is late is not asked again, so that ranking and writing, which are not
/// stopped, have time on a busy machine too.
pub(super) const PARSE: f64 = 0.75;

/// How long somebody else who indexes these files is waited for: a few files take some ten milliseconds.
const PATIENCE: Duration = Duration::from_millis(150);
const NAP: Duration = Duration::from_millis(3);

/// How long a tool that needs all of the index waits for it: 10,000 files take about as long.
const WHOLE: Duration = Duration::from_secs(10);

/// Looks at the files, and indexes what few of them changed.
pub(super) fn look(
    code: &Code,
    workspace: &Workspace,
    session: &Session,
    host: &HostHandle,
    clock: &Clock<'_, '_>,
) -> Arc<View> {
    // What was not looked at by then is looked at in the background, or by the next process.
    code.look(&|part| clock.used(part * LOOK));
    let mut view = code.view();
    if view.is_complete() {
        return view;
    }
    if view.pending().len() <= AT_ONCE {
        let start = Instant::now();
        loop {
            let outcome = code.update(Pace::Now, &|| clock.used(0.3), &mut |_, _| ());
            view = code.view();
            // The background, or another process, may be at it already.
            if view.is_complete()
                || outcome != Outcome::Elsewhere
                || start.elapsed() >= PATIENCE
                || clock.used(0.3)
            {
                break;
            }
            thread::sleep(NAP);
        }
    }
    if !view.is_complete() || !code.is_looked_through() {
        workspace.go_on(session, host);
    }
    view
}

/// Indexes for a part of the time that the call may take, in a process that ends with it; what is done is kept.
pub(super) fn rest(code: &Code, session: &Session, clock: &Clock<'_, '_>, part: f64) {
    if session.life == Life::Once && !code.view().is_complete() {
        code.update(Pace::Now, &|| clock.used(part), &mut |_, _| ());
    }
}

/// Indexes everything, or waits for whoever does, for some seconds.
pub(super) fn whole(code: &Code, clock: &Clock<'_, '_>) -> Arc<View> {
    let start = Instant::now();
    let over = || start.elapsed() >= WHOLE || clock.used(0.8);
    if !code.is_looked_through() {
        code.look(&|_| over());
    }
    loop {
        let outcome = code.update(Pace::Now, &over, &mut |_, _| ());
        let view = code.view();
        if view.is_complete() || outcome != Outcome::Elsewhere || over() {
            return view;
        }
        thread::sleep(NAP);
    }
}
