//! The order of the steps; nothing else knows it.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, mpsc},
    thread,
    time::{Duration, Instant},
};

use ctxhost_protocol::envelope::{
    Agent, Budget, CommandReply, CommandRequest, Content, Life, Manifest, Model, PromptData, Request,
    Session, ToolReply, ToolRequest, Visible,
};
use serde::Serialize;
use serde_json::Value;

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
        let loader = Loader { surroundings: self.surroundings, settings: Arc::new(settings), ground };
        Host { loader, slots, candidates, findings, validators: Arc::default() }
    }
}

/// Loads providers when they are first needed, asks them and composes what they say.
pub struct Host {
    loader: Loader,
    slots: Vec<Arc<Slot>>,
    candidates: Vec<Candidate>,
    findings: Vec<Finding>,
    validators: Arc<Validators>,
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

/// A tool or command could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// Nobody has it.
    #[error("{0}")]
    NotFound(String),
    /// Several providers have it.
    #[error("`{name}` is a tool of {}; name one with --provider", providers.join(" and "))]
    Several {
        /// The tool.
        name: String,
        /// Whose.
        providers: Vec<String>,
    },
    /// The provider failed.
    #[error("{}", .0.line())]
    Failed(Box<Finding>),
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

    /// The settings that hold.
    pub fn settings(&self) -> &Settings {
        &self.loader.settings
    }

    /// The surroundings it was made in.
    pub fn surroundings(&self) -> &Surroundings {
        &self.loader.surroundings
    }

    /// The compiled schemas.
    pub fn validators(&self) -> &Validators {
        &self.validators
    }

    /// Asks every provider about a prompt and composes what they say.
    pub fn inject(&self, prompt: &Prompt) -> Outcome {
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

        let failed = trace.iter().any(|trace| trace.finding.is_some());
        if let Some(held) = held.as_mut() {
            held.ledger.record(&injection);
            findings = held.ledger.first_told(findings);
        }
        findings.extend(held.map(session::Held::save).unwrap_or_default());
        Outcome { injection, findings, trace, failed }
    }

    /// Tells the host that the agent has compacted a conversation: what it showed is gone.
    pub fn compacted(&self, session: &str) -> Vec<Finding> {
        let (mut held, mut findings) =
            session::open(self.loader.surroundings.state_dir().as_deref(), session, self.now());
        held.ledger.compacted();
        findings.extend(held.save());
        findings
    }

    /// Loads a provider by its id and returns what it is and can do.
    ///
    /// # Errors
    /// There is none of that id, or it cannot be loaded.
    pub fn manifest(&self, provider: &str) -> Result<Manifest, RunError> {
        let slot = self.slot(provider)?;
        self.loaded(&slot).map(|loaded| loaded.manifest.clone())
    }

    /// Loads every provider; those that cannot be loaded are findings.
    pub fn manifests(&self) -> (Vec<Manifest>, Vec<Finding>) {
        let mut manifests = Vec::new();
        let mut findings = Vec::new();
        for slot in &self.slots {
            match self.loaded(slot) {
                Ok(loaded) => manifests.push(loaded.manifest.clone()),
                Err(RunError::Failed(finding)) => findings.push(*finding),
                Err(_) => {}
            }
        }
        (manifests, findings)
    }

    /// Runs a provider's command.
    ///
    /// # Errors
    /// There is no such provider or command, or it failed.
    pub fn command(
        &self,
        provider: &str,
        name: &str,
        args: &[String],
        session: Session,
    ) -> Result<CommandReply, RunError> {
        let slot = self.slot(provider)?;
        let manifest = self.loaded(&slot)?.manifest.clone();
        if !manifest.commands.iter().any(|command| command.name == name) {
            let known: Vec<_> = manifest.commands.iter().map(|command| command.name.as_str()).collect();
            let known = if known.is_empty() {
                "it has none".to_owned()
            } else {
                format!("it has {}", known.join(", "))
            };
            return Err(RunError::NotFound(format!("{provider} has no command `{name}`; {known}")));
        }
        let request = CommandRequest {
            name: name.to_owned(),
            args: args.to_vec(),
            session,
            agent: Agent::default(),
            now: self.now(),
        };
        self.ask_one(&slot, "command", "command-reply", &request)
    }

    /// Runs a tool.
    ///
    /// # Errors
    /// Nobody or more than one provider has it, or it failed.
    pub fn tool(
        &self,
        name: &str,
        provider: Option<&str>,
        args: Value,
        session: Session,
    ) -> Result<ToolReply, RunError> {
        let slots = match provider {
            Some(provider) => vec![self.slot(provider)?],
            None => self.slots.clone(),
        };
        let mut owners = Vec::new();
        for slot in slots {
            match self.loaded(&slot) {
                Ok(loaded) if loaded.manifest.tools.iter().any(|tool| tool.name == name) => owners.push(slot),
                Err(error) if provider.is_some() => return Err(error),
                _ => {}
            }
        }
        let slot = match owners.as_slice() {
            [] => {
                return Err(RunError::NotFound(format!(
                    "no provider has a tool `{name}`; `ctxhost list` shows the providers"
                )));
            }
            [slot] => slot,
            several => {
                let providers = several.iter().map(|slot| slot.id.clone()).collect();
                return Err(RunError::Several { name: name.to_owned(), providers });
            }
        };
        let request = ToolRequest {
            name: name.to_owned(),
            args,
            call_id: "1".to_owned(),
            session,
            agent: Agent::default(),
            now: self.now(),
        };
        self.ask_one(slot, "tool", "tool-reply", &request)
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
            for spec in asked.iter().filter_map(|slot| slot.spec()) {
                self.validators.prepare(&spec);
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

    fn slot(&self, provider: &str) -> Result<Arc<Slot>, RunError> {
        self.slots.iter().find(|slot| slot.id == provider).cloned().ok_or_else(|| {
            let known: Vec<_> = self.slots.iter().map(|slot| slot.id.as_str()).collect();
            let known = if known.is_empty() {
                "none is installed".to_owned()
            } else {
                format!("there is {}", known.join(", "))
            };
            RunError::NotFound(format!("no provider `{provider}` was found; {known}"))
        })
    }

    /// Loads on a thread of its own, so that a constructor that hangs costs its deadline and not the program.
    fn loaded(&self, slot: &Arc<Slot>) -> Result<Arc<Loaded>, RunError> {
        ask::load_within(slot, &self.loader).map_err(|finding| RunError::Failed(Box::new(finding)))
    }

    fn ask_one<T: serde::de::DeserializeOwned>(
        &self,
        slot: &Arc<Slot>,
        op: &'static str,
        schema: &str,
        request: &impl Serialize,
    ) -> Result<T, RunError> {
        let failed = |finding: Finding| RunError::Failed(Box::new(finding.about(&slot.id)));
        let input = serde_json::to_vec(request).unwrap_or_default().into();
        let question = Question { op, name: op.to_owned(), input };
        let answer = ask::ask(std::slice::from_ref(slot), &question, &self.loader, || ()).pop();
        let bytes = answer.map(|answer| answer.reply).transpose().map_err(failed)?.unwrap_or_default();
        let document: Value = serde_json::from_slice(&bytes).map_err(|error| {
            failed(Step::Validate.error("not-json", format!("reply is not JSON: {error}")))
        })?;
        let faults = self.validators.faults(ctxhost_protocol::envelope::SPEC, schema, &document);
        if let Some(Ok(faults)) = faults
            && let Some(fault) = faults.first()
        {
            let why = format!("reply does not satisfy {schema} at {}: {}", fault.pointer, fault.message);
            return Err(failed(Step::Validate.error("off-spec", why).at(fault.pointer.clone())));
        }
        serde_json::from_value(document)
            .map_err(|error| failed(Step::Validate.error("off-spec", error.to_string())))
    }
}

/// The text of a tool's answer, for a terminal.
pub fn tool_text(reply: &ToolReply) -> String {
    let piece = |content: &Content| match content {
        Content::Text { text } => text.clone(),
        Content::Image { mime_type, data } => format!("[{mime_type}, {} bytes in base64]", data.len()),
    };
    reply.content.iter().map(piece).collect::<Vec<_>>().join("\n")
}
