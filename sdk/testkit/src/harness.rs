//! One provider behind the real C table, with a fake clock and everything it says caught.

use std::{
    collections::BTreeMap,
    fmt,
    marker::PhantomData,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use ctxhost::{
    Finding, Settings, Surroundings,
    ask::{Answer, REPLY_CAP},
    finding::FindingExt,
    load::{self, Call, CallError, Ground, HostListener, Loaded},
    validate::{Contribution, Validators},
};
use ctxhost_sdk::{
    Exported,
    prelude::*,
    protocol::envelope::{Agent, Budget, Life, Manifest, Notify, PromptData, Session},
    serde::{Serialize, de::DeserializeOwned},
    serde_json::{self, Value},
};

use crate::clock::FakeClock;

/// Why the provider's answer is not one.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// The call itself came back with a status.
    Call(CallError),
    /// The host would leave the answer out.
    Refused(Box<Finding>),
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(error) => write!(out, "{error}"),
            Self::Refused(finding) => out.write_str(&finding.line()),
        }
    }
}

impl std::error::Error for Failure {}

/// Prepares a [`Harness`].
pub struct HarnessBuilder<P> {
    surroundings: Surroundings,
    clock: Arc<FakeClock>,
    settings: Value,
    powers: bool,
    provider: PhantomData<fn() -> P>,
}

impl<P: Exported> HarnessBuilder<P> {
    /// Sets an environment variable; the provider sees it if its manifest asks for it.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl AsRef<Path>) -> Self {
        self.surroundings.env.insert(name.to_owned(), value.as_ref().to_string_lossy().into_owned());
        self
    }

    /// Sets the home folder.
    #[must_use]
    pub fn home(mut self, home: impl Into<PathBuf>) -> Self {
        self.surroundings.home = Some(home.into());
        self
    }

    /// Sets the base of the folders for what must be kept.
    #[must_use]
    pub fn state_dir(self, path: impl AsRef<Path>) -> Self {
        self.env("XDG_STATE_HOME", path)
    }

    /// Sets the base of the folders for what can be made again.
    #[must_use]
    pub fn cache_dir(self, path: impl AsRef<Path>) -> Self {
        self.env("XDG_CACHE_HOME", path)
    }

    /// Sets the provider's settings table.
    #[must_use]
    pub fn settings(mut self, settings: Value) -> Self {
        self.settings = settings;
        self
    }

    /// Sets the calendar, in unix seconds.
    #[must_use]
    pub fn now(self, unix: f64) -> Self {
        self.clock.set_unix(unix);
        self
    }

    /// Takes the powers its manifest asks for away, as from a provider that nobody granted any.
    #[must_use]
    pub fn without_powers(mut self) -> Self {
        self.powers = false;
        self
    }

    /// Makes the instance.
    ///
    /// # Errors
    /// The provider did not start; the finding says why.
    pub fn build(mut self) -> Result<Harness<P>, Failure> {
        ctxhost_sdk::keep_panics();
        let heard = Arc::new(Heard::default());
        self.surroundings.clock = Arc::clone(&self.clock) as Arc<dyn ctxhost::Clock>;
        let ground = Ground {
            clock: Arc::clone(&self.surroundings.clock),
            listener: Arc::clone(&heard) as Arc<dyn HostListener>,
        };
        let settings = Settings::with_provider_table(P::HEAD.id, self.settings);
        let (loaded, _) = load::start(
            ctxhost_sdk::table::<P>(),
            None,
            None,
            self.powers,
            &self.surroundings,
            &settings,
            &ground,
        );
        let loaded = loaded.map_err(|finding| Failure::Refused(Box::new(finding)))?;
        Ok(Harness {
            loaded,
            clock: self.clock,
            heard,
            validators: Validators::default(),
            provider: PhantomData,
        })
    }
}

/// One provider behind the real C table.
pub struct Harness<P> {
    loaded: Loaded,
    clock: Arc<FakeClock>,
    heard: Arc<Heard>,
    validators: Validators,
    provider: PhantomData<fn() -> P>,
}

impl<P: Exported> Harness<P> {
    /// An instance with no settings, in an empty environment.
    ///
    /// # Errors
    /// The provider did not start; the finding says why.
    pub fn new() -> Result<Self, Failure> {
        Self::builder().build()
    }

    /// Starts with an empty environment, no settings and a clock at 1,700,000,000.
    pub fn builder() -> HarnessBuilder<P> {
        HarnessBuilder {
            surroundings: Surroundings { env: BTreeMap::new(), ..Surroundings::empty() },
            clock: Arc::new(FakeClock::at(1_700_000_000.0)),
            settings: serde_json::json!({}),
            powers: true,
            provider: PhantomData,
        }
    }

    /// What the provider says it is and can do.
    pub fn manifest(&self) -> &Manifest {
        &self.loaded.manifest
    }

    /// The clock, to move it.
    pub fn clock(&self) -> &FakeClock {
        &self.clock
    }

    /// Sets the calendar, in unix seconds.
    pub fn set_now(&self, unix: f64) {
        self.clock.set_unix(unix);
    }

    /// A request as the host would make it, to be changed before it is asked.
    pub fn request(&self, event: &str, cwd: impl AsRef<Path>) -> Request {
        let data = match event {
            "prompt" => serde_json::to_value(PromptData {
                text: String::new(),
                source: "user".to_owned(),
                first: true,
            }),
            "session.start" => Ok(serde_json::json!({"reason": "startup"})),
            _ => Ok(serde_json::json!({})),
        };
        Request {
            v: 1,
            event: event.to_owned(),
            session: session(cwd.as_ref()),
            agent: Agent { name: "testkit".to_owned(), ..Agent::default() },
            now: ctxhost::Clock::unix_now(&*self.clock),
            budget: Budget { tokens: 100_000 },
            visible: Vec::new(),
            explain: false,
            data: data.unwrap_or_default(),
        }
    }

    /// Asks about a prompt.
    ///
    /// # Errors
    /// As [`event`](Self::event).
    pub fn prompt(&self, text: &str, cwd: impl AsRef<Path>) -> Result<Reply, Failure> {
        let mut request = self.request("prompt", cwd);
        request.data["text"] = Value::String(text.to_owned());
        self.event(&request)
    }

    /// Asks about any event, and validates the answer as the host does.
    ///
    /// # Errors
    /// The call failed, or the host would leave the answer out.
    pub fn event(&self, request: &Request) -> Result<Reply, Failure> {
        self.answered(request).map(|(_, reply)| reply)
    }

    /// The answer to an event, and what the host makes of it.
    pub(crate) fn answered(&self, request: &Request) -> Result<(Contribution, Reply), Failure> {
        let bytes = self.raw("event", request)?;
        let answer = Answer {
            provider: P::HEAD.id.to_owned(),
            reply: Ok(bytes.clone()),
            findings: Vec::new(),
            elapsed: Duration::ZERO,
        };
        let (contribution, findings) = self.validators.validate(answer, &self.loaded);
        match (contribution, serde_json::from_slice(&bytes)) {
            (Some(contribution), Ok(reply)) => Ok((contribution, reply)),
            _ => Err(Failure::Refused(Box::new(findings.last().cloned().unwrap_or_default()))),
        }
    }

    /// Runs a command.
    ///
    /// # Errors
    /// The call failed, or its answer is not one.
    pub fn command(&self, name: &str, args: &[&str], cwd: impl AsRef<Path>) -> Result<CommandReply, Failure> {
        self.command_in(name, args, session(cwd.as_ref()))
    }

    /// Runs a command in a session.
    ///
    /// # Errors
    /// As [`command`](Self::command).
    pub fn command_in(&self, name: &str, args: &[&str], session: Session) -> Result<CommandReply, Failure> {
        let request = CommandRequest {
            name: name.to_owned(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            session,
            agent: Agent::default(),
            now: ctxhost::Clock::unix_now(&*self.clock),
        };
        self.checked("command", "command-reply", &request)
    }

    /// Runs a tool.
    ///
    /// # Errors
    /// The call failed, or its answer is not one.
    pub fn tool(&self, name: &str, args: Value, cwd: impl AsRef<Path>) -> Result<ToolReply, Failure> {
        let request = ToolRequest {
            name: name.to_owned(),
            args,
            call_id: "1".to_owned(),
            session: session(cwd.as_ref()),
            agent: Agent::default(),
            now: ctxhost::Clock::unix_now(&*self.clock),
        };
        self.checked("tool", "tool-reply", &request)
    }

    /// Asks anything and returns the bytes, without validation; the call is given ten seconds of the fake clock.
    ///
    /// # Errors
    /// The call failed.
    pub fn raw(&self, op: &str, request: &impl Serialize) -> Result<Vec<u8>, Failure> {
        let deadline = ctxhost::Clock::now_ns(&*self.clock) + 10_000_000_000;
        self.raw_call(op, request, &Arc::new(Call::until(deadline)))
    }

    /// Asks anything with a call of the test's own, which it may cancel.
    ///
    /// # Errors
    /// The call failed.
    pub fn raw_call(&self, op: &str, request: &impl Serialize, call: &Arc<Call>) -> Result<Vec<u8>, Failure> {
        let input = serde_json::to_vec(request).unwrap_or_default();
        self.loaded.instance.call(op, &input, Arc::clone(call), REPLY_CAP).map_err(Failure::Call)
    }

    /// The log lines so far.
    pub fn logs(&self) -> Vec<(Level, String)> {
        lock(&self.heard.logs).clone()
    }

    /// Ends the instance and gives the log lines up to that, those of its end included.
    pub fn end(self) -> Vec<(Level, String)> {
        let heard = Arc::clone(&self.heard);
        drop(self);
        lock(&heard.logs).clone()
    }

    /// The notifications so far.
    pub fn notifications(&self) -> Vec<Notify> {
        lock(&self.heard.notifications).clone()
    }

    fn checked<T: DeserializeOwned>(
        &self,
        op: &str,
        schema: &str,
        request: &impl Serialize,
    ) -> Result<T, Failure> {
        let refused = |message: String| {
            Failure::Refused(Box::new(Finding { code: "off-spec".to_owned(), message, ..Finding::default() }))
        };
        let document: Value =
            serde_json::from_slice(&self.raw(op, request)?).map_err(|error| refused(error.to_string()))?;
        if let Some(Ok(faults)) = self.validators.faults("envelope/v1", schema, &document)
            && let Some(fault) = faults.first()
        {
            return Err(refused(format!("{} at {}", fault.message, fault.pointer)));
        }
        serde_json::from_value(document).map_err(|error| refused(error.to_string()))
    }
}

/// What is wrong with a document by a published spec's schema, such as `search-result` of `codebase-index/v1`; nothing when it
/// holds.
///
/// # Panics
/// There is no such spec or schema.
pub fn faults(spec: &str, schema: &str, document: &Value) -> Vec<String> {
    let faults = Validators::default().faults(spec, schema, document);
    let faults = faults.and_then(Result::ok).unwrap_or_else(|| panic!("{spec} has no schema {schema}"));
    faults.into_iter().map(|fault| format!("{} at {}", fault.message, fault.pointer)).collect()
}

fn session(cwd: &Path) -> Session {
    Session { id: None, cwd: cwd.to_string_lossy().into_owned(), trusted: true, life: Life::Long }
}

#[derive(Default)]
struct Heard {
    logs: Mutex<Vec<(Level, String)>>,
    notifications: Mutex<Vec<Notify>>,
}

impl HostListener for Heard {
    fn log(&self, _provider: &str, level: Level, text: &str) {
        lock(&self.logs).push((level, text.to_owned()));
    }

    fn notify(&self, _provider: &str, message: Notify) {
        lock(&self.notifications).push(message);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
