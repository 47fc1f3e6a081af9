//! An event whose outcome is waited for without holding a thread: a future that needs no runtime of any kind.

use std::{
    future::Future,
    io,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
    thread,
};

use ctxhost_protocol::envelope::Event;

use super::{Asking, Outcome, Session, lock};
use crate::{
    ask::Cancel,
    finding::{FindingExt, Step},
};

/// The outcome of an event that is being asked about; dropping it takes the question back.
pub struct Pending {
    shared: Arc<Shared>,
    cancel: Cancel,
}

#[derive(Default)]
struct Shared(Mutex<State>);

#[derive(Default)]
struct State {
    outcome: Option<Outcome>,
    told: bool,
    waker: Option<Waker>,
}

impl Shared {
    fn tell(&self, outcome: Outcome) {
        let mut state = lock(&self.0);
        if !state.told {
            state.told = true;
            state.outcome = Some(outcome);
        }
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// Says so when the thread ends without an outcome, because something in it panicked: nobody must wait for ever.
struct Ending(Arc<Shared>);

impl Drop for Ending {
    fn drop(&mut self) {
        let finding = Step::Ask
            .error("thread", "the thread that asked ended without an answer")
            .hint("try again, and report it if it happens again");
        self.0.tell(Outcome { findings: vec![finding], failed: true, ..Outcome::default() });
    }
}

impl Session {
    /// As [`event`](Session::event), asked on a thread of its own and waited for with `.await` in any runtime.
    ///
    /// # Errors
    /// No thread could be started.
    pub fn event_async(&self, event: Event) -> io::Result<Pending> {
        let shared = Arc::<Shared>::default();
        let cancel = Cancel::default();
        let pending = Pending { shared: Arc::clone(&shared), cancel: cancel.clone() };
        let session = self.clone();
        let ending = Ending(shared);
        thread::Builder::new().name("session event".to_owned()).spawn(move || {
            let asking = Asking { cancel: cancel.clone(), ..Asking::default() };
            let prepared = session.prepare(event, &asking);
            // Nobody is there to deliver to when the future was dropped.
            let outcome = if cancel.is_cancelled() { prepared.outcome } else { prepared.deliver() };
            ending.0.tell(outcome);
        })?;
        Ok(pending)
    }
}

impl Future for Pending {
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome> {
        let mut state = lock(&self.shared.0);
        if let Some(outcome) = state.outcome.take() {
            return Poll::Ready(outcome);
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
