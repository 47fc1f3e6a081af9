//! Step 3: puts the question to all providers at once, each with a deadline.
//!
//! Each provider is asked on a thread of its own, because foreign code may never return; whoever is late is left behind
//! and not asked until it is done, and the others' answers stand.

use std::{
    sync::{
        Arc, Mutex, OnceLock, PoisonError, Weak,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    time::Duration,
};

use ctxhost_abi::{NO_DEADLINE, Status};
use ctxhost_protocol::envelope::Manifest;

use crate::{
    discover::Candidate,
    finding::{Finding, FindingExt, REPORT, Step},
    load::{self, Call, CallError, Ground, Loaded},
    settings::Settings,
    surroundings::Surroundings,
};

/// The largest reply, in bytes.
pub const REPLY_CAP: usize = 1024 * 1024;

/// How often somebody who waits without a deadline looks around.
const IDLE: Duration = Duration::from_secs(60);

/// How long after its deadline a provider that stops by itself is still waited for.
const GRACE: Duration = Duration::from_millis(25);

/// How often a provider may be late, in one host, before it is not asked any more: each time costs a prompt its whole
/// deadline, and once may be a cold start or a busy machine.
const MOST_LATE: usize = 3;

mod cancel;
mod workers;

pub use cancel::Cancel;
use workers::Workers;

/// What a provider said, or why it said nothing.
#[derive(Debug)]
pub struct Answer {
    /// Who was asked.
    pub provider: String,
    /// The reply, JSON that nobody has looked at yet.
    pub reply: Result<Vec<u8>, Finding>,
    /// What else is to be told.
    pub findings: Vec<Finding>,
    /// How long it took, loading included.
    pub elapsed: Duration,
}

/// A provider's place in the host: found, and loaded when it is first asked.
pub struct Slot {
    /// Its id.
    pub id: String,
    source: Source,
    /// What loading came to; read without waiting, also while somebody else loads.
    loaded: OnceLock<Result<Arc<Loaded>, Finding>>,
    /// Held while it is loaded.
    loading: Mutex<()>,
    stuck: AtomicBool,
    /// How often it was late.
    times_late: AtomicUsize,
    /// Calls that were left behind because they were late.
    left_behind: Mutex<Vec<Weak<Call>>>,
    workers: Workers,
    /// Calls that were taken back while they ran.
    taken_back: Mutex<Vec<Weak<Call>>>,
}

enum Source {
    File(Box<Candidate>),
    Ready,
}

/// What loading needs.
#[derive(Clone)]
pub struct Loader {
    /// The surroundings of the process.
    pub surroundings: Surroundings,
    /// The settings that hold.
    pub settings: Arc<Settings>,
    /// What instances are made with.
    pub ground: Ground,
}

impl Slot {
    /// A place for a library file.
    pub fn of_file(candidate: Candidate) -> Self {
        Self {
            id: candidate.note.id.clone(),
            source: Source::File(Box::new(candidate)),
            loaded: OnceLock::new(),
            loading: Mutex::default(),
            stuck: AtomicBool::new(false),
            times_late: AtomicUsize::new(0),
            left_behind: Mutex::default(),
            workers: Workers::default(),
            taken_back: Mutex::default(),
        }
    }

    /// A place for a provider that is already there.
    pub fn of_loaded(loaded: Loaded) -> Self {
        let id = loaded.manifest.id.clone();
        Self {
            id,
            source: Source::Ready,
            loaded: OnceLock::from(Ok(Arc::new(loaded))),
            loading: Mutex::default(),
            stuck: AtomicBool::new(false),
            times_late: AtomicUsize::new(0),
            left_behind: Mutex::default(),
            workers: Workers::default(),
            taken_back: Mutex::default(),
        }
    }

    /// Whether it asked for an event, as far as can be told without running it.
    pub fn wants(&self, event: &str) -> bool {
        let named = |events: &[String]| events.iter().any(|wanted| wanted == event);
        match &self.source {
            // Once it is loaded it is known what it wants with its settings.
            Source::File(candidate) if self.peek().is_none() => named(&candidate.note.events),
            _ => self.peek().is_some_and(|loaded| named(&loaded.manifest.events)),
        }
    }

    /// The spec its replies satisfy, as far as can be told without running it.
    pub fn spec(&self) -> Option<String> {
        match &self.source {
            Source::File(candidate) => Some(candidate.note.spec.clone()),
            Source::Ready => self.peek().map(|loaded| loaded.manifest.spec.clone()),
        }
    }

    /// Its library file.
    pub fn file(&self) -> Option<&std::path::Path> {
        match &self.source {
            Source::File(candidate) => Some(&candidate.path),
            Source::Ready => None,
        }
    }

    /// Whether it is not to be asked: it was given up, or a question that it was late with is not answered yet.
    pub fn is_stuck(&self) -> bool {
        let running = |calls: &[Weak<Call>]| calls.iter().any(|call| call.strong_count() > 0);
        self.stuck.load(Ordering::Relaxed)
            || running(&self.left_behind.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Leaves a late call behind and says whether the provider is asked again, which it is once the call has returned.
    fn leave_behind(&self, call: &Arc<Call>) -> bool {
        call.cancel();
        let mut left_behind = self.left_behind.lock().unwrap_or_else(PoisonError::into_inner);
        left_behind.retain(|call| call.strong_count() > 0);
        left_behind.push(Arc::downgrade(call));
        drop(left_behind);
        let again = self.times_late.fetch_add(1, Ordering::Relaxed) + 1 < MOST_LATE;
        if !again {
            self.give_up();
        }
        again
    }

    /// Asks it nothing any more; its instance, if there is one, is left alone for good.
    fn give_up(&self) {
        self.stuck.store(true, Ordering::Relaxed);
        if let Some(loaded) = self.peek() {
            loaded.instance.give_up();
        }
    }

    /// Takes a call back: the provider is told, and whether it listens is seen at the next question.
    fn take_back(&self, call: &Arc<Call>) {
        call.cancel();
        self.taken_back.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(call));
    }

    /// Gives it up if a call that was taken back still runs long after its deadline: each one costs a thread.
    fn look_after(&self, now: u64) {
        let mut taken_back = self.taken_back.lock().unwrap_or_else(PoisonError::into_inner);
        taken_back.retain(|call| call.strong_count() > 0);
        let late = |call: Arc<Call>| call.deadline() != NO_DEADLINE && is_past(&call, now);
        if taken_back.iter().filter_map(Weak::upgrade).any(late) {
            self.give_up();
        }
    }

    /// Whether letting go of it may run the provider's code.
    pub(crate) fn may_hold_an_instance(&self) -> bool {
        self.loaded.get().map_or_else(|| self.loading.try_lock().is_err(), Result::is_ok)
    }

    /// Whether a call that was taken back is still running in it.
    pub(crate) fn is_stopping(&self) -> bool {
        let taken_back = self.taken_back.lock().unwrap_or_else(PoisonError::into_inner);
        taken_back.iter().any(|call| call.strong_count() > 0)
    }

    /// The provider, if it is loaded by now.
    pub fn peek(&self) -> Option<Arc<Loaded>> {
        self.loaded.get()?.as_ref().ok().cloned()
    }

    /// The provider, loaded now if it is not yet; a failure is remembered, and what else is to be told is told once.
    pub fn load(&self, loader: &Loader) -> (Result<Arc<Loaded>, Finding>, Vec<Finding>) {
        let _loading = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = self.loaded.get() {
            return (known.clone(), Vec::new());
        }
        let Source::File(candidate) = &self.source else {
            unreachable!("a ready provider is there from the start")
        };
        let (loaded, findings) =
            load::load(candidate, &loader.surroundings, &loader.settings, &loader.ground);
        let loaded = loaded.map(Arc::new);
        (self.loaded.get_or_init(|| loaded).clone(), findings)
    }
}

/// One question.
#[derive(Clone, Debug)]
pub struct Question {
    /// The op: `event`, `tool`, `command` or `tools`.
    pub op: &'static str,
    /// The name that deadlines go by: the event's, or the op.
    pub name: String,
    /// The request, JSON.
    pub input: Arc<[u8]>,
}

/// What comes back while questions are out.
enum News {
    /// One answered.
    Answer(usize, Box<Answer>),
    /// A thread ended without an answer.
    Lost(usize),
    /// Nobody wants the answers any more.
    Cancelled,
}

/// Sends what became of one question, also when its thread unwinds.
struct Sending {
    index: usize,
    sender: mpsc::Sender<News>,
    answered: bool,
}

impl Sending {
    fn answer(mut self, answer: Answer) {
        self.answered = true;
        // Whoever asked may have gone on; then nobody wants the answer.
        let _ = self.sender.send(News::Answer(self.index, Box::new(answer)));
    }
}

impl Drop for Sending {
    fn drop(&mut self) {
        if !self.answered {
            let _ = self.sender.send(News::Lost(self.index));
        }
    }
}

/// Asks every slot and waits for the last of them, or its deadline, or until it is cancelled.
///
/// `meanwhile` runs on this thread while the providers answer.
pub fn ask(
    slots: &[Arc<Slot>],
    question: &Question,
    loader: &Arc<Loader>,
    cancel: &Cancel,
    meanwhile: impl FnOnce(),
) -> Vec<Answer> {
    let clock = &loader.ground.clock;
    let started = clock.now_ns();
    let (sender, receiver) = mpsc::channel();
    let mut waiting: Vec<(usize, Arc<Call>)> = Vec::new();
    if cancel.is_cancelled() {
        return slots.iter().map(|slot| cancelled(slot, loader, started)).collect();
    }
    let mut answers: Vec<Option<Answer>> = slots.iter().map(|_| None).collect();
    for (index, slot) in slots.iter().enumerate() {
        let known = slot.peek();
        let manifest = known.as_ref().map(|loaded| &loaded.manifest);
        let call = Arc::new(Call::until(deadline(started, loader, manifest, &question.name)));
        let job = Job {
            slot: Arc::clone(slot),
            question: question.clone(),
            loader: Arc::clone(loader),
            call: Arc::clone(&call),
            started,
        };
        slot.look_after(started);
        if slot.is_stuck() {
            let why = "an earlier question is not answered yet, or several came late, so it is not asked";
            answers[index] = Some(
                job.answer(Err(Step::Ask.error("stuck", why).about(&slot.id).hint("start the host anew"))),
            );
            continue;
        }
        let sending = Sending { index, sender: sender.clone(), answered: false };
        let started_job = slot.workers.run(&slot.id, move || {
            let answer = job.run();
            // Let go of before the answer is there, so that a host that ends then ends the instance itself.
            drop(job);
            sending.answer(answer);
        });
        match started_job {
            Ok(()) => waiting.push((index, call)),
            Err(error) => {
                answers[index] =
                    Some(failed(slot, loader, started, &format!("no thread could be started: {error}")))
            }
        }
    }
    // A sender of its own keeps the channel open; a thread that is lost says so itself.
    let _watch = cancel.watch(move || {
        let _ = sender.send(News::Cancelled);
    });
    meanwhile();
    while let Some(next) = waiting.iter().map(|(_, call)| call.deadline()).min() {
        let patience = match next {
            NO_DEADLINE => IDLE,
            next => Duration::from_nanos(next.saturating_sub(clock.now_ns())) + GRACE,
        };
        match receiver.recv_timeout(patience) {
            Ok(News::Answer(index, answer)) => {
                waiting.retain(|(waiting, _)| *waiting != index);
                // One that was given up stays so, whether or not others are still waited for.
                if answers[index].is_none() {
                    answers[index] = Some(*answer);
                }
            }
            Ok(News::Lost(index)) => {
                waiting.retain(|(waiting, _)| *waiting != index);
                answers[index].get_or_insert_with(|| {
                    failed(&slots[index], loader, started, "its thread ended without an answer")
                });
            }
            Ok(News::Cancelled) => {
                for (index, call) in waiting.drain(..) {
                    // It is not given up: a provider that looks whether it is still wanted stops by itself.
                    slots[index].take_back(&call);
                    answers[index] = Some(cancelled(&slots[index], loader, started));
                }
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {
                let now = clock.now_ns();
                waiting.retain(|(index, call)| {
                    let late = call.deadline() != NO_DEADLINE && is_past(call, now);
                    if late {
                        let again = slots[*index].leave_behind(call);
                        answers[*index] = Some(late_answer(&slots[*index], loader, started, again));
                    }
                    !late
                });
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                for (index, _) in waiting.drain(..) {
                    answers[index] =
                        Some(failed(&slots[index], loader, started, "its thread ended without an answer"));
                }
            }
        }
    }
    answers.into_iter().flatten().collect()
}

/// Loads a provider on a thread of its own and waits for it within its deadline; with what else is to be told.
///
/// # Errors
/// It could not be loaded, or not in time.
pub fn load_within(slot: &Arc<Slot>, loader: &Arc<Loader>) -> (Result<Arc<Loaded>, Finding>, Vec<Finding>) {
    if let Some(loaded) = slot.peek() {
        return (Ok(loaded), Vec::new());
    }
    let question = Question { op: LOAD, name: LOAD.to_owned(), input: Arc::from([]) };
    let answer = ask(std::slice::from_ref(slot), &question, loader, &Cancel::default(), || ()).pop();
    let lost = || Step::Load.error("load", "was not loaded").about(&slot.id).hint("try again");
    match answer {
        Some(Answer { reply: Err(finding), findings, .. }) => (Err(finding), findings),
        Some(Answer { findings, .. }) => (slot.peek().ok_or_else(lost), findings),
        None => (Err(lost()), Vec::new()),
    }
}

/// The op that only loads; no provider sees it.
const LOAD: &str = "load";

struct Job {
    slot: Arc<Slot>,
    question: Question,
    loader: Arc<Loader>,
    call: Arc<Call>,
    started: u64,
}

impl Job {
    fn run(&self) -> Answer {
        let (loaded, findings) = self.slot.load(&self.loader);
        let reply = loaded.and_then(|loaded| {
            // Only now is it known whether the manifest asks for another deadline than the default.
            self.call.set_deadline(deadline(
                self.started,
                &self.loader,
                Some(&loaded.manifest),
                &self.question.name,
            ));
            if self.question.op == LOAD {
                return Ok(Vec::new());
            }
            loaded
                .instance
                .call(self.question.op, &self.question.input, Arc::clone(&self.call), REPLY_CAP)
                .map_err(|error| call_finding(&self.slot.id, &error))
        });
        Answer { findings, ..self.answer(reply) }
    }

    fn answer(&self, reply: Result<Vec<u8>, Finding>) -> Answer {
        answer(&self.slot, &self.loader, self.started, reply)
    }
}

fn answer(slot: &Slot, loader: &Loader, started: u64, reply: Result<Vec<u8>, Finding>) -> Answer {
    let elapsed = Duration::from_nanos(loader.ground.clock.now_ns().saturating_sub(started));
    Answer { provider: slot.id.clone(), reply, findings: Vec::new(), elapsed }
}

fn deadline(started: u64, loader: &Loader, manifest: Option<&Manifest>, name: &str) -> u64 {
    loader
        .settings
        .deadline_ms(manifest, name)
        .map_or(NO_DEADLINE, |ms| started.saturating_add(ms.saturating_mul(1_000_000)))
}

/// Whether a call's deadline and the time after it are over.
fn is_past(call: &Call, now: u64) -> bool {
    now.saturating_sub(u64::try_from(GRACE.as_nanos()).unwrap_or(0)) >= call.deadline()
}

fn late_answer(slot: &Slot, loader: &Loader, started: u64, again: bool) -> Answer {
    let waited = loader.ground.clock.now_ns().saturating_sub(started) / 1_000_000;
    let finding = Step::Ask
        .error("late", format!("did not answer in {waited} ms and was left out"))
        .about(&slot.id)
        .hint(if again {
            "it is asked again once it is done; give it more time with `[deadlines]` in your config.toml"
        } else {
            "it is not asked again until the host starts anew"
        });
    answer(slot, loader, started, Err(finding))
}

fn cancelled(slot: &Slot, loader: &Loader, started: u64) -> Answer {
    let finding =
        Step::Ask.info("cancelled", "was asked, and the answer was no longer wanted").about(&slot.id);
    answer(slot, loader, started, Err(finding))
}

fn failed(slot: &Slot, loader: &Loader, started: u64, why: &str) -> Answer {
    answer(
        slot,
        loader,
        started,
        Err(Step::Ask.error("thread", why).about(&slot.id).hint("end other programs, and try again")),
    )
}

fn call_finding(provider: &str, error: &CallError) -> Finding {
    let (code, hint) = match error {
        CallError::Status { status, .. } => match status {
            Status::BadInput => ("bad-input", "it may be made for another host; look for a newer one"),
            Status::Panic => ("panic", REPORT),
            Status::Deadline | Status::Cancelled => {
                ("late", "give it more time with `[deadlines]` in your config.toml, or switch it off")
            }
            Status::TooLarge => ("too-large", REPORT),
            Status::UnknownOp => ("unknown-op", "it may be made for another host; look for a newer one"),
            _ => ("failed", "see to what it says, or switch it off with `enabled = false`"),
        },
        CallError::Stuck => ("stuck", "start the host anew"),
        _ => ("abi", REPORT),
    };
    Step::Ask.error(code, error.to_string()).about(provider).hint(hint)
}
