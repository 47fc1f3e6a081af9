//! The thread that talks to the backend. What is begun there goes on when nobody waits for it any more.

use std::{
    future::Future,
    io,
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread::{self, JoinHandle},
    time::Duration,
};

use ctxhost_sdk::{Cx, Error, Result};
use tokio::{runtime::Handle, sync::oneshot, task::AbortHandle};

/// How often a waiting call looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(5);

/// How long the end waits for a login that is just being renewed: the backend may have taken the old token already.
const LAST: Duration = Duration::from_secs(2);

/// A runtime on a thread of its own, begun when it is first needed.
#[derive(Default)]
pub(crate) struct Net {
    running: Mutex<Option<Running>>,
    /// Held while a login is being renewed.
    renewing: Arc<tokio::sync::Mutex<()>>,
}

struct Running {
    handle: Handle,
    end: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

/// Ends work that nobody waits for.
struct Aborts(AbortHandle);

impl Drop for Aborts {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Net {
    /// What is held while a login is being renewed.
    pub(crate) fn renewing(&self) -> Arc<tokio::sync::Mutex<()>> {
        Arc::clone(&self.renewing)
    }

    /// Begins work, and leaves it.
    ///
    /// # Errors
    /// There is no thread to be had.
    pub(crate) fn begin(&self, work: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        drop(self.handle()?.spawn(work));
        Ok(())
    }

    /// Runs work and waits for it; `look` is called every few milliseconds meanwhile. It ends when the call is not wanted
    /// any more, or its time is over.
    ///
    /// # Errors
    /// The deadline, the cancellation, or that there is no thread.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        cx: &Cx<'_>,
        work: impl Future<Output = T> + Send + 'static,
        look: &mut dyn FnMut(),
    ) -> Result<T> {
        let (send, done) = mpsc::channel();
        let task = self.handle()?.spawn(async move {
            let _ = send.send(work.await);
        });
        let _aborts = Aborts(task.abort_handle());
        loop {
            match done.recv_timeout(LOOK) {
                Ok(result) => return Ok(result),
                Err(mpsc::RecvTimeoutError::Timeout) => look(),
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    return Err(Error::failed("talking to the backend ended unexpectedly"));
                }
            }
            cx.check()?;
        }
    }

    fn handle(&self) -> io::Result<Handle> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = &*running {
            return Ok(running.handle.clone());
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (end, ended) = oneshot::channel::<()>();
        let renewing = self.renewing();
        let thread = thread::Builder::new().name("codebase-index".to_owned()).spawn(move || {
            runtime.block_on(async {
                let _ = ended.await;
                let _ = tokio::time::timeout(LAST, renewing.lock()).await;
            });
            runtime.shutdown_background();
        })?;
        *running = Some(Running { handle: handle.clone(), end, thread });
        Ok(handle)
    }
}

impl Drop for Net {
    fn drop(&mut self) {
        let running = self.running.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        let Some(running) = running else { return };
        let _ = running.end.send(());
        // What it runs may own the last part of the provider, and a thread cannot wait for itself.
        if running.thread.thread().id() != thread::current().id() {
            let _ = running.thread.join();
        }
    }
}
