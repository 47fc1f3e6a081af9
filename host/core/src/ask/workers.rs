//! Threads that a provider is asked on, kept for the next question.
//!
//! A thread that is stuck in foreign code is simply not idle any more: it blocks nobody but its own provider, and ends
//! when the foreign code does.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError, Weak, mpsc},
    thread,
};

/// How many idle threads a provider keeps; more are needed only while it is asked more at once.
const IDLE: usize = 2;

/// A job, and the way to send the next one to the thread that takes it.
///
/// A thread does not keep its own sender: when the provider is let go of, the last one is gone and the thread ends.
struct Message {
    job: Box<dyn FnOnce() + Send>,
    next: mpsc::Sender<Message>,
}

/// The idle threads of one provider.
#[derive(Default)]
pub(super) struct Workers(Arc<Mutex<Vec<mpsc::Sender<Message>>>>);

impl Workers {
    /// Runs a job on an idle thread, or on a new one.
    ///
    /// # Errors
    /// No thread could be started.
    pub(super) fn run(&self, name: &str, job: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let mut job: Box<dyn FnOnce() + Send> = Box::new(job);
        while let Some(idle) = self.pop() {
            match idle.send(Message { job, next: idle.clone() }) {
                Ok(()) => return Ok(()),
                // That thread is gone; the job comes back.
                Err(mpsc::SendError(back)) => job = back.job,
            }
        }
        let idle = Arc::downgrade(&self.0);
        let (next, receiver) = mpsc::channel();
        thread::Builder::new().name(format!("ask {name}")).spawn(move || {
            let mut message = Some(Message { job, next });
            while let Some(Message { job, next }) = message {
                job();
                if !offer(&idle, next) {
                    return;
                }
                message = receiver.recv().ok();
            }
        })?;
        Ok(())
    }

    fn pop(&self) -> Option<mpsc::Sender<Message>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }
}

/// Puts a thread among the idle ones; false when the provider is gone, or has enough of them.
///
/// The list is not held any longer than this: a thread that waits must not keep it alive.
fn offer(idle: &Weak<Mutex<Vec<mpsc::Sender<Message>>>>, next: mpsc::Sender<Message>) -> bool {
    let Some(idle) = idle.upgrade() else { return false };
    let mut idle = idle.lock().unwrap_or_else(PoisonError::into_inner);
    let wanted = idle.len() < IDLE;
    if wanted {
        idle.push(next);
    }
    wanted
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn name_of_thread(workers: &Workers) -> thread::ThreadId {
        let (sender, receiver) = mpsc::channel();
        workers.run("test", move || sender.send(thread::current().id()).unwrap()).unwrap();
        receiver.recv_timeout(Duration::from_secs(10)).unwrap()
    }

    #[test]
    fn a_thread_is_kept_and_a_stuck_one_blocks_nobody() {
        let workers = Workers::default();
        let first = name_of_thread(&workers);
        while workers.0.lock().unwrap().is_empty() {
            thread::yield_now();
        }
        assert_eq!(name_of_thread(&workers), first);
        let (release, stuck) = mpsc::channel::<()>();
        workers.run("test", move || assert!(stuck.recv().is_err())).unwrap();
        workers.run("test", || ()).unwrap();
        name_of_thread(&workers);
        drop(release);
    }

    /// Tells that its thread has ended.
    struct Ending(mpsc::Sender<()>);

    impl Drop for Ending {
        fn drop(&mut self) {
            self.0.send(()).unwrap();
        }
    }

    thread_local! {
        static ENDING: std::cell::RefCell<Option<Ending>> = const { std::cell::RefCell::new(None) };
    }

    #[test]
    fn threads_end_with_their_provider() {
        let workers = Workers::default();
        let (sender, ended) = mpsc::channel();
        workers.run("test", move || ENDING.set(Some(Ending(sender)))).unwrap();
        while workers.0.lock().unwrap().is_empty() {
            thread::yield_now();
        }
        assert!(ended.try_recv().is_err(), "it waits for the next question");
        drop(workers);
        ended.recv_timeout(Duration::from_secs(10)).unwrap();
    }
}
