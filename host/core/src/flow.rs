//! The order of the steps; nothing else knows it.

mod run;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use ctxhost_protocol::envelope::{Agent, Budget, Level, Life, Model, PromptData, Request, Session, Visible};
use serde::Serialize;
use serde_json::Value;

pub use run::{RunError, tool_text};

use crate::{
    ask::{self, Answer, Loader, Question, Slot},
    compose::{self, Injection, Limit, Plan, QuarterOfCharacters},
    discover::{self, Candidate, State},
    finding::{Finding, FindingExt, Step},
    load::{Ground, HostListener, Loaded, SilentListener},
    session,
    settings::{Flags, Settings},
    surroundings::Surroundings,
    validate::{Contribution, Validators},
};

/// How long a host that ends waits for its providers to end, all of them together.
const END_WAIT: Duration = Duration::from_millis(250);

/// Makes a [`Host`].
pub struct Builder {
    surroundings: Surroundings,
    flags: Flags,
    cwd: PathBuf,
    listener: Arc<dyn HostListener>,
    ready: Vec<Loaded>,
    search: bool,
}

impl Builder {
    /// The working directory whose project settings hold; `/` where nothing is said.
    #[must_use]
    pub fn cwd(mut self, cwd: impl Into<PathBuf>) -> Self {
        self.cwd = cwd.into();
        self
    }

    /// What wins over every settings file.
    #[must_use]
    pub fn flags(mut self, flags: Flags) -> Self {
        self.flags = flags;
        self
    }

    /// Who hears what providers say unasked.
    #[must_use]
    pub fn listener(mut self, listener: Arc<dyn HostListener>) -> Self {
        self.listener = listener;
        self
    }

    /// Adds a provider that is already there, such as one inside this program.
    #[must_use]
    pub fn provider(mut self, loaded: Loaded) -> Self {
        self.ready.push(loaded);
        self
    }

    /// Looks for no library files: only what [`provider`](Self::provider) added is asked.
    #[must_use]
    pub fn without_search(mut self) -> Self {
        self.search = false;
        self
    }

    /// Reads the settings and finds the providers; runs no provider's code.
    pub fn build(self) -> Host {
        let (settings, mut findings) = Settings::read(&self.surroundings, &self.cwd, &self.flags);
        let mut candidates = Vec::new();
        if self.search {
            let (found, more) = discover::discover(&self.surroundings, &settings);
            candidates = found;
            findings.extend(more);
        }
        let mut slots: Vec<Arc<Slot>> =
            self.ready.into_iter().map(|loaded| Arc::new(Slot::of_loaded(loaded))).collect();
        let ready = candidates.iter().filter(|candidate| candidate.state == State::Ready);
        slots.extend(ready.map(|candidate| Arc::new(Slot::of_file(candidate.clone()))));
        let ground = Ground { clock: Arc::clone(&self.surroundings.clock), listener: self.listener };
        let loader =
            Arc::new(Loader { surroundings: self.surroundings, settings: Arc::new(settings), ground });
        Host { loader, slots, candidates, findings, validators: Arc::default(), told: Mutex::default() }
    }
}

/// Loads providers when they are first needed, asks them and composes what they say.
pub struct Host {
    loader: Arc<Loader>,
    slots: Vec<Arc<Slot>>,
    candidates: Vec<Candidate>,
    findings: Vec<Finding>,
    validators: Arc<Validators>,
    /// What loading had to tell outside a prompt, until somebody takes it.
    told: Mutex<Vec<Finding>>,
}

impl Drop for Host {
    /// Ends every instance, each on a thread of its own: a provider that does not come to its end is left behind.
    fn drop(&mut self) {
        let (sender, receiver) = mpsc::channel();
        let mut ending = 0;
        for slot in self.slots.drain(..).filter(|slot| slot.may_hold_an_instance()) {
            let sender = sender.clone();
            let spawned = thread::Builder::new().name(format!("end {}", slot.id)).spawn(move || {
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
}

/// A prompt that context is wanted for.
#[derive(Clone, Debug, Default)]
pub struct Prompt {
    /// What the user wrote.
    pub text: String,
    /// The agent's working directory, absolute.
    pub cwd: PathBuf,
    /// The agent's name for the conversation; `None` for a new one that nobody will name again.
    pub session: Option<String>,
    /// How long the asking process lives.
    pub life: Life,
    /// The agent.
    pub agent: Agent,
    /// Ask only these; empty for all.
    pub only: Vec<String>,
    /// The most characters the agent takes, where it counts them.
    pub max_characters: Option<u64>,
    /// What the conversation shows, where the face can see it; else the host's own ledger decides.
    pub visible: Option<Vec<Visible>>,
}

impl Prompt {
    /// A prompt in a working directory, of an agent nobody knows.
    pub fn new(text: impl Into<String>, cwd: impl Into<PathBuf>) -> Self {
        Self { text: text.into(), cwd: cwd.into(), ..Self::default() }
    }

    /// Sets the size of the model's context window, in tokens.
    #[must_use]
    pub fn context_window(mut self, tokens: Option<u64>) -> Self {
        if let Some(tokens) = tokens {
            self.agent.model.get_or_insert_with(Model::default).context_window = Some(tokens);
        }
        self
    }
}

/// What a prompt came to.
#[derive(Debug, Default)]
pub struct Outcome {
    /// What the agent gets.
    pub injection: Injection,
    /// What the person is to be told now; in a named session each kind only once.
    pub findings: Vec<Finding>,
    /// Every provider that was asked, in the order of asking.
    pub trace: Vec<Trace>,
    /// Whether any provider failed, told or not.
    pub failed: bool,
}

/// What a prompt came to, not delivered yet.
pub struct Prepared {
    /// What it came to.
    pub outcome: Outcome,
    record: Option<session::Held>,
}

impl Prepared {
    /// Lets the session remember what was shown and told; the findings say what keeps it from that.
    pub fn delivered(self) -> Vec<Finding> {
        self.record.map(session::Held::save).unwrap_or_default()
    }
}

/// How one provider fared.
#[derive(Clone, Debug, Serialize)]
pub struct Trace {
    /// Who.
    pub provider: String,
    /// The last step it came to: `load`, `ask`, `validate` or `compose`.
    pub step: String,
    /// How long it took, loading included.
    pub elapsed: Duration,
    /// The provider's own document.
    pub data: Value,
    /// Why it came no further.
    pub finding: Option<Finding>,
}

impl Host {
    /// Starts making a host.
    pub fn builder(surroundings: Surroundings) -> Builder {
        Builder {
            surroundings,
            flags: Flags::default(),
            cwd: PathBuf::from("/"),
            listener: Arc::new(SilentListener),
            ready: Vec::new(),
            search: true,
        }
    }

    /// Every library that was found, used or not.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// What went wrong while the host was made.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Takes what loading providers for their commands and tools had to tell, such as settings that were refused.
    pub fn take_findings(&self) -> Vec<Finding> {
        std::mem::take(&mut *self.told.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn tell(&self, findings: Vec<Finding>) {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).extend(findings);
    }

    /// The settings that hold.
    pub fn settings(&self) -> &Settings {
        &self.loader.settings
    }

    /// The surroundings it was made in.
    pub fn surroundings(&self) -> &Surroundings {
        &self.loader.surroundings
    }

    /// Asks every provider about a prompt and composes what they say; a named session remembers it as shown.
    pub fn inject(&self, prompt: &Prompt) -> Outcome {
        let prepared = self.prepare(prompt);
        let mut outcome = prepared.outcome;
        outcome.findings.extend(prepared.record.map(session::Held::save).unwrap_or_default());
        outcome
    }

    /// As [`inject`](Self::inject), for a face that may fail to deliver: a session remembers it only once it is
    /// [delivered](Prepared::delivered).
    pub fn prepare(&self, prompt: &Prompt) -> Prepared {
        let state_dir = self.loader.surroundings.state_dir();
        let held = prompt.session.as_deref().map(|id| session::open(state_dir.as_deref(), id, self.now()));
        let (mut held, mut findings) =
            held.map_or((None, Vec::new()), |(held, findings)| (Some(held), findings));
        findings.extend(self.findings.iter().cloned());
        let ledger = held.as_ref().map(|held| &held.ledger);
        let visible = prompt
            .visible
            .clone()
            .or_else(|| ledger.map(|ledger| ledger.visible.clone()))
            .unwrap_or_default();
        let limit = self.limit(prompt);
        let data = PromptData {
            text: prompt.text.clone(),
            source: "user".to_owned(),
            first: ledger.is_none_or(|ledger| ledger.prompts == 0),
        };
        let request = self.request(prompt, "prompt", limit, &visible, &data);

        let (contributions, trace, more) = self.ask_all("prompt", &request, &prompt.only);
        findings.extend(more);
        let settings = &self.loader.settings;
        let plan = Plan {
            order: &settings.order,
            repeat: settings.repeat,
            limit,
            visible: &visible,
            estimator: &QuarterOfCharacters,
        };
        let injection = compose::compose(&contributions, &plan);

        let lost =
            |finding: &Finding| finding.level == Level::Error && finding.step.as_deref() == Some("discover");
        let failed = trace.iter().any(|trace| trace.finding.is_some()) || findings.iter().any(lost);
        if let Some(held) = held.as_mut() {
            held.ledger.record(&injection);
            findings = held.ledger.first_told(findings);
        }
        Prepared { outcome: Outcome { injection, findings, trace, failed }, record: held }
    }

    /// Tells the host that the agent has compacted a conversation: what it showed is gone.
    pub fn compacted(&self, session: &str) -> Vec<Finding> {
        let (mut held, mut findings) =
            session::open(self.loader.surroundings.state_dir().as_deref(), session, self.now());
        held.ledger.compacted();
        findings.extend(held.save());
        findings
    }

    /// The session of a command line: a working directory and perhaps an id.
    pub fn session(&self, cwd: &Path, id: Option<&str>) -> Session {
        Session {
            id: id.map(str::to_owned),
            cwd: cwd.to_string_lossy().into_owned(),
            trusted: self.loader.settings.trusted,
            life: Life::Once,
        }
    }

    fn now(&self) -> f64 {
        self.loader.surroundings.clock.unix_now()
    }

    fn limit(&self, prompt: &Prompt) -> Limit {
        let window = prompt.agent.model.as_ref().and_then(|model| model.context_window);
        Limit::of(window, prompt.agent.usage_tokens, self.loader.settings.max_tokens, prompt.max_characters)
    }

    fn request(
        &self,
        prompt: &Prompt,
        event: &str,
        limit: Limit,
        visible: &[Visible],
        data: &impl Serialize,
    ) -> Request {
        let session = Session { life: prompt.life, ..self.session(&prompt.cwd, prompt.session.as_deref()) };
        Request {
            v: ctxhost_protocol::envelope::VERSION,
            event: event.to_owned(),
            session,
            agent: prompt.agent.clone(),
            now: self.now(),
            budget: Budget { tokens: limit.tokens },
            visible: visible.to_vec(),
            data: serde_json::to_value(data).unwrap_or_default(),
        }
    }

    /// Asks, and validates; the schemas are compiled while the providers answer.
    fn ask_all(
        &self,
        event: &str,
        request: &Request,
        only: &[String],
    ) -> (Vec<Contribution>, Vec<Trace>, Vec<Finding>) {
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
            .filter(|slot| slot.wants(event) && (only.is_empty() || only.contains(&slot.id)))
            .cloned()
            .collect();
        let input = serde_json::to_vec(request).unwrap_or_default().into();
        let question = Question { op: "event", name: event.to_owned(), input };
        let answers = ask::ask(&asked, &question, &self.loader, || {
            for slot in &asked {
                if let Some(spec) = slot.spec() {
                    self.validators.prepare(&slot.id, &spec, slot.file());
                }
            }
        });
        let mut contributions = Vec::new();
        let mut trace = Vec::new();
        for answer in answers {
            let (contribution, row, more) = self.validate(answer, &asked);
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
            finding: None,
        };
        let loaded = asked.iter().find(|slot| slot.id == answer.provider).and_then(|slot| slot.peek());
        let (contribution, findings) = match (loaded, answer) {
            (Some(loaded), answer) if answer.reply.is_ok() => self.validators.validate(answer, &loaded),
            (_, answer) => (None, answer.findings.into_iter().chain(answer.reply.err()).collect()),
        };
        match &contribution {
            Some(contribution) => row.data = contribution.data().clone(),
            None => {
                row.finding = findings.last().cloned();
                row.step = row.finding.as_ref().and_then(|finding| finding.step.clone()).unwrap_or_default();
            }
        }
        (contribution, row, findings)
    }
}
