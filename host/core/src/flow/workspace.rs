//! The providers of one working directory, with the settings that hold there.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, Weak,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use ctxhost_protocol::envelope::{Level, Notify, Request};
use serde_json::Value;

use super::{Asking, Trace, lock, tools::Listed};
use crate::{
    ask::{self, Answer, Loader, Question, Slot},
    discover::{self, Candidate, State},
    finding::{Finding, FindingExt, Step},
    load::{Ground, HostListener},
    settings::{Flags, Settings},
    surroundings::Surroundings,
    validate::{Contribution, Validators},
};

/// How long a working directory that ends waits for its providers to end, all of them together.
const END_WAIT: Duration = Duration::from_millis(250);

/// How often a provider that was told to stop is looked after.
const STOP_LOOK: Duration = Duration::from_millis(2);

/// How many findings wait for somebody to tell them to.
const TOLD: usize = 256;

/// How many sections that were taken back are remembered one by one; a provider has a handful.
const TAKEN_BACK: usize = 4096;

/// The providers of one working directory.
pub(crate) struct Workspace {
    pub(super) cwd: PathBuf,
    pub(super) trusted: bool,
    pub(super) loader: Arc<Loader>,
    pub(super) slots: Vec<Arc<Slot>>,
    pub(super) candidates: Vec<Candidate>,
    pub(super) findings: Vec<Finding>,
    pub(super) validators: Arc<Validators>,
    /// What providers said unasked.
    pub(super) heard: Arc<Heard>,
    /// The tools of all providers by their own names, as they were last listed.
    pub(super) listed: Mutex<Option<Arc<Listed>>>,
    /// Held while they are listed.
    pub(super) listing: Mutex<()>,
    /// What loading had to tell outside a prompt, until somebody takes it.
    told: Mutex<Vec<Finding>>,
}

/// What every working directory of a host has in foundation.
pub(super) struct Foundation {
    pub(super) surroundings: Surroundings,
    pub(super) flags: Flags,
    pub(super) relay: Arc<Relay>,
    pub(super) ready: Vec<Arc<Slot>>,
    pub(super) search: bool,
    pub(super) validators: Arc<Validators>,
}

impl Workspace {
    /// Reads the settings and finds the providers; runs no provider's code.
    pub(super) fn open(foundation: &Foundation, cwd: &Path, trusted: bool) -> Self {
        let flags = Flags { trusted: trusted || foundation.flags.trusted, ..foundation.flags.clone() };
        let (settings, mut findings) = Settings::read(&foundation.surroundings, cwd, &flags);
        let mut candidates = Vec::new();
        if foundation.search {
            let (found, more) = discover::discover(&foundation.surroundings, &settings);
            candidates = found;
            findings.extend(more);
        }
        let mut slots = foundation.ready.clone();
        let found = candidates.iter().filter(|candidate| candidate.state == State::Ready);
        slots.extend(found.map(|candidate| Arc::new(Slot::of_file(candidate.clone()))));
        let heard = Arc::new(Heard { relay: Arc::clone(&foundation.relay), ..Heard::default() });
        foundation.relay.add(&heard);
        let ground =
            Ground { clock: Arc::clone(&foundation.surroundings.clock), listener: Arc::clone(&heard) as _ };
        let surroundings = foundation.surroundings.clone();
        let loader = Arc::new(Loader { surroundings, settings: Arc::new(settings), ground });
        Self {
            cwd: cwd.to_owned(),
            trusted,
            loader,
            slots,
            candidates,
            findings,
            validators: Arc::clone(&foundation.validators),
            heard,
            listed: Mutex::default(),
            listing: Mutex::default(),
            told: Mutex::default(),
        }
    }

    pub(super) fn now(&self) -> f64 {
        self.loader.surroundings.clock.unix_now()
    }

    pub(super) fn tell(&self, findings: Vec<Finding>) {
        keep_once(&mut lock(&self.told), findings);
    }

    pub(super) fn take_told(&self) -> Vec<Finding> {
        std::mem::take(&mut *lock(&self.told))
    }

    /// Asks everybody who wants the event, and validates; the schemas are compiled while the providers answer.
    pub(super) fn ask_all(
        &self,
        request: &Request,
        asking: &Asking,
    ) -> (Vec<Contribution>, Vec<Trace>, Vec<Finding>) {
        let Asking { only, cancel, .. } = asking;
        let mut findings = Vec::new();
        for missing in only.iter().filter(|id| !self.slots.iter().any(|slot| slot.id == **id)) {
            findings.push(
                Step::Discover
                    .error("not-found", "no provider of this id was found")
                    .about(missing)
                    .hint("`ctxhost list` shows what was found"),
            );
        }
        let asked: Vec<Arc<Slot>> = self
            .slots
            .iter()
            .filter(|slot| slot.wants(&request.event) && (only.is_empty() || only.contains(&slot.id)))
            .cloned()
            .collect();
        if asked.is_empty() {
            return (Vec::new(), Vec::new(), findings);
        }
        let input = serde_json::to_vec(request).unwrap_or_default().into();
        let question = Question { op: "event", name: request.event.clone(), input };
        let answers = ask::ask(&asked, &question, &self.loader, cancel, || {
            for slot in &asked {
                if let Some(spec) = slot.spec() {
                    self.validators.prepare(&slot.id, &spec, slot.file());
                }
            }
        });
        let mut contributions = Vec::new();
        let mut trace = Vec::new();
        for answer in answers {
            let (contribution, mut row, more) = self.validate(answer, &asked);
            if let (true, Some(contribution)) = (asking.documents, &contribution) {
                row.data = contribution.data().clone();
                row.explanation = contribution.explanation().to_vec();
            }
            contributions.extend(contribution);
            trace.push(row);
            findings.extend(more);
        }
        (contributions, trace, findings)
    }

    fn validate(&self, answer: Answer, asked: &[Arc<Slot>]) -> (Option<Contribution>, Trace, Vec<Finding>) {
        let mut row = Trace {
            provider: answer.provider.clone(),
            step: "compose".to_owned(),
            elapsed: answer.elapsed,
            data: Value::Null,
            explanation: Vec::new(),
            finding: None,
        };
        let loaded = asked.iter().find(|slot| slot.id == answer.provider).and_then(|slot| slot.peek());
        let (contribution, findings) = match (loaded, answer) {
            (Some(loaded), answer) if answer.reply.is_ok() => self.validators.validate(answer, &loaded),
            (_, answer) => (None, answer.findings.into_iter().chain(answer.reply.err()).collect()),
        };
        if contribution.is_none() {
            row.finding = findings.last().cloned();
            row.step = row.finding.as_ref().and_then(|finding| finding.step.clone()).unwrap_or_default();
        }
        (contribution, row, findings)
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        // One that is shared with another working directory ends with the last of them, whichever that is.
        end(self.slots.drain(..));
    }
}

impl Drop for Foundation {
    fn drop(&mut self) {
        end(self.ready.drain(..));
    }
}

/// Ends instances, each on a thread of its own: a provider that does not come to its end is left behind.
fn end(slots: impl Iterator<Item = Arc<Slot>>) {
    let (sender, receiver) = mpsc::channel();
    let mut ending = 0;
    for slot in slots.filter(|slot| slot.may_hold_an_instance()) {
        let sender = sender.clone();
        let until = Instant::now() + END_WAIT;
        let spawned = thread::Builder::new().name(format!("end {}", slot.id)).spawn(move || {
            // A call that was told to stop may be about to: only after it is the instance ended, with all it has started.
            while slot.is_stopping() && Instant::now() < until {
                thread::sleep(STOP_LOOK);
            }
            drop(slot);
            // Whoever waited may have gone on.
            let _ = sender.send(());
        });
        ending += usize::from(spawned.is_ok());
    }
    let until = Instant::now() + END_WAIT;
    while ending > 0 && receiver.recv_timeout(until.saturating_duration_since(Instant::now())).is_ok() {
        ending -= 1;
    }
}

/// Hears what providers inside this program say, which belong to every working directory and are there before any of
/// them is.
#[derive(Default)]
pub(super) struct Relay {
    /// Who hears all that any provider says; there once the host is.
    listener: OnceLock<Arc<dyn HostListener>>,
    workspaces: Mutex<Vec<Weak<Heard>>>,
}

impl Relay {
    /// Says who hears all that any provider says.
    pub(super) fn tell(&self, listener: Arc<dyn HostListener>) {
        // There is one for each host, and it is told once.
        let _ = self.listener.set(listener);
    }

    fn add(&self, heard: &Arc<Heard>) {
        let mut workspaces = lock(&self.workspaces);
        workspaces.retain(|heard| heard.strong_count() > 0);
        workspaces.push(Arc::downgrade(heard));
    }

    fn pass_on(&self, provider: &str, message: Notify) {
        if let Some(listener) = self.listener.get() {
            listener.notify(provider, message);
        }
    }
}

impl HostListener for Relay {
    fn log(&self, provider: &str, level: Level, text: &str) {
        if let Some(listener) = self.listener.get() {
            listener.log(provider, level, text);
        }
    }

    fn notify(&self, provider: &str, message: Notify) {
        let workspaces = lock(&self.workspaces).clone();
        for heard in workspaces.iter().filter_map(Weak::upgrade) {
            heard.take_note(provider, &message);
        }
        self.pass_on(provider, message);
    }
}

/// Hears what the providers of one working directory say unasked, takes note of what concerns the host, and passes
/// everything on.
pub(super) struct Heard {
    relay: Arc<Relay>,
    /// Counts what was heard; a moment's number.
    moment: AtomicU64,
    /// The moment at which a list of tools was last said to be another one.
    tools: AtomicU64,
    /// The moments at which sections were taken back.
    taken_back: Mutex<BTreeMap<(String, String), u64>>,
    /// Everything offered up to this moment counts as taken back.
    all_taken_back: AtomicU64,
}

impl Default for Heard {
    fn default() -> Self {
        Self {
            relay: Arc::default(),
            moment: AtomicU64::new(1),
            tools: AtomicU64::default(),
            taken_back: Mutex::default(),
            all_taken_back: AtomicU64::default(),
        }
    }
}

impl Heard {
    /// The moment that has come.
    pub(super) fn moment(&self) -> u64 {
        self.moment.load(Ordering::SeqCst)
    }

    /// A moment that nobody else has.
    pub(super) fn next_moment(&self) -> u64 {
        self.moment.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// Whether the list of tools has changed since a moment.
    pub(super) fn tools_changed_since(&self, moment: u64) -> bool {
        self.tools.load(Ordering::SeqCst) > moment
    }

    /// Whether a section that was offered at a moment has been taken back since.
    pub(super) fn is_taken_back(&self, provider: &str, key: &str, offered: u64) -> bool {
        if self.all_taken_back.load(Ordering::SeqCst) > offered {
            return true;
        }
        let taken_back = self.taken_back();
        !taken_back.is_empty()
            && taken_back.get(&(provider.to_owned(), key.to_owned())).is_some_and(|moment| *moment > offered)
    }

    fn take_note(&self, provider: &str, message: &Notify) {
        match message {
            Notify::ToolsChanged => {
                let moment = self.next_moment();
                self.tools.fetch_max(moment, Ordering::SeqCst);
            }
            Notify::Invalidate { key } => {
                let moment = self.next_moment();
                let mut taken_back = self.taken_back();
                if taken_back.len() >= TAKEN_BACK {
                    taken_back.clear();
                    self.all_taken_back.fetch_max(moment, Ordering::SeqCst);
                }
                taken_back.insert((provider.to_owned(), key.clone()), moment);
            }
            _ => {}
        }
    }

    fn taken_back(&self) -> MutexGuard<'_, BTreeMap<(String, String), u64>> {
        lock(&self.taken_back)
    }
}

impl HostListener for Heard {
    fn log(&self, provider: &str, level: Level, text: &str) {
        self.relay.log(provider, level, text);
    }

    fn notify(&self, provider: &str, message: Notify) {
        self.take_note(provider, &message);
        self.relay.pass_on(provider, message);
    }
}

/// Keeps what is to be told later; what several events said alike is one thing to tell.
fn keep_once(told: &mut Vec<Finding>, findings: Vec<Finding>) {
    for finding in findings {
        // Somebody who never takes them need not have them all.
        if told.len() < TOLD && !told.contains(&finding) {
            told.push(finding);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Step;

    #[test]
    fn what_several_events_say_alike_waits_once() {
        let finding = |code: &str, text: &str| Step::Ask.error(code, text).about("p");
        let mut told = Vec::new();
        for _ in 0..3 {
            keep_once(&mut told, vec![finding("a", "one"), finding("a", "two"), finding("b", "one")]);
        }
        assert_eq!(told, [finding("a", "one"), finding("a", "two"), finding("b", "one")]);
        keep_once(&mut told, (0..2 * TOLD).map(|number| finding("c", &number.to_string())).collect());
        assert_eq!(told.len(), TOLD);
    }
}
