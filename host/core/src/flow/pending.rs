//! An event whose outcome is waited for without holding a thread: a future that needs no runtime of any kind.

use std::{
    future::Future,
    io,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, Waker},
    thread,
};

use ctxhost_protocol::envelope::Event;

use super::{Asking, Outcome, Session};
use crate::ask::Cancel;

/// The outcome of an event that is being asked about; dropping it takes the question back.
pub struct Pending {
    shared: Arc<Mutex<Shared>>,
    cancel: Cancel,
}

#[derive(Default)]
struct Shared {
    outcome: Option<Outcome>,
    waker: Option<Waker>,
}

impl Session {
    /// As [`event`](Session::event), asked on a thread of its own and waited for with `.await` in any runtime.
    ///
    /// # Errors
    /// No thread could be started.
    pub fn event_async(&self, event: Event) -> io::Result<Pending> {
        let shared = Arc::<Mutex<Shared>>::default();
        let cancel = Cancel::default();
        let pending = Pending { shared: Arc::clone(&shared), cancel: cancel.clone() };
        let session = self.clone();
        thread::Builder::new().name("session event".to_owned()).spawn(move || {
            let asking = Asking { cancel: cancel.clone(), ..Asking::default() };
            let prepared = session.prepare(event, &asking);
            // Nobody is there to deliver to when the future was dropped.
            let outcome = if cancel.is_cancelled() { prepared.outcome } else { prepared.deliver() };
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            shared.outcome = Some(outcome);
            if let Some(waker) = shared.waker.take() {
                waker.wake();
            }
        })?;
        Ok(pending)
    }
}

impl Future for Pending {
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome> {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(outcome) = shared.outcome.take() {
            return Poll::Ready(outcome);
        }
        shared.waker = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
