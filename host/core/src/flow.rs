//! The order of the steps; nothing else knows it.
//!
//! A [`Host`] has one workspace for each working directory, and a workspace has the providers; a [`Session`] is one
//! conversation in one of them, and every [`Event`] of it goes through the steps.

mod conversation;
mod outcome;
mod pending;
mod run;
mod session;
mod standing;
mod starts;
mod tools;
mod workspace;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use ctxhost_protocol::envelope::{
    Agent, CommandReply, CommandRequest, Event, Life, Manifest, Model, PromptData, ToolReply, ToolRequest,
    Visible,
};
use serde_json::Value;

pub use outcome::{Decided, Inserted, Outcome, Prepared, Rewritten, Trace};
pub use pending::Pending;
pub use run::{RunError, tool_text};
pub use session::{Opening, Session};
pub use starts::Starting;
pub use tools::{Offered, OfferedCommand, OfferedTool};

use crate::{
    ask::{Cancel, Slot},
    discover::Candidate,
    finding::Finding,
    load::{Ground, HostListener, Loaded, SilentListener},
    settings::{Flags, Settings},
    surroundings::Surroundings,
};
use workspace::{Foundation, Relay, Workspace};

/// How many working directories keep their providers although no session is in them: the ones of a few projects.
const IDLE_WORKSPACES: usize = 4;

/// Makes a [`Host`].
pub struct Builder {
    surroundings: Surroundings,
    flags: Flags,
    cwd: PathBuf,
    listener: Arc<dyn HostListener>,
    relay: Arc<Relay>,
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

    /// What a provider inside this program is made with, so that the host hears what it says unasked.
    pub fn ground(&self) -> Ground {
        Ground { clock: Arc::clone(&self.surroundings.clock), listener: Arc::clone(&self.relay) as _ }
    }

    /// Adds a provider that is already there, such as one inside this program, made with [`ground`](Self::ground).
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
        self.relay.tell(self.listener);
        let foundation = Foundation {
            surroundings: self.surroundings,
            flags: self.flags,
            relay: self.relay,
            ready: self.ready.into_iter().map(|loaded| Arc::new(Slot::of_loaded(loaded))).collect(),
            search: self.search,
            validators: Arc::default(),
        };
        let home = Arc::new(Workspace::open(&foundation, &self.cwd, false));
        Host { home, others: Mutex::default(), foundation }
    }
}

/// Loads providers when they are first needed, asks them and composes what they say.
pub struct Host {
    /// The working directory it was made for.
    home: Arc<Workspace>,
    /// Those that sessions were opened in besides, the latest last.
    others: Mutex<Vec<Arc<Workspace>>>,
    foundation: Foundation,
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
    /// The most characters the agent takes, in UTF-16 code units, where it counts them.
    pub max_characters: Option<u64>,
    /// What the conversation shows, where the face can see it; else the host's own ledger decides.
    pub visible: Option<Vec<Visible>>,
    /// Whether a person wants to see why: the trace has the providers' own documents and what they explain.
    pub documents: bool,
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

/// What a face knows beside the event.
#[derive(Clone, Debug, Default)]
pub struct Asking {
    /// What the conversation shows, where the face can see it; else the host's own ledger decides.
    pub visible: Option<Vec<Visible>>,
    /// The most characters the agent takes, in UTF-16 code units, where it counts them.
    pub max_characters: Option<u64>,
    /// The most UTF-8 bytes the agent takes, where it counts those.
    pub max_bytes: Option<u64>,
    /// Ask only these; empty for all.
    pub only: Vec<String>,
    /// Indices of messages that must stay in a rewritten conversation.
    pub pinned: Vec<u64>,
    /// Messages that stay together, such as a call and its result.
    pub together: Vec<Vec<u64>>,
    /// The agent's name for this turn; a prompt is answered once a turn, however many faces ask.
    pub turn: Option<String>,
    /// Whether there is nobody to tell findings to at this event: the next prompt has them.
    pub tell_later: bool,
    /// Whether a person wants to see why: the trace has the providers' own documents and what they explain.
    pub documents: bool,
    /// Takes the question back.
    pub cancel: Cancel,
}

impl Host {
    /// Starts making a host.
    pub fn builder(surroundings: Surroundings) -> Builder {
        Builder {
            surroundings,
            flags: Flags::default(),
            cwd: PathBuf::from("/"),
            listener: Arc::new(SilentListener),
            relay: Arc::default(),
            ready: Vec::new(),
            search: true,
        }
    }

    /// Every library that was found for its working directory, used or not.
    pub fn candidates(&self) -> &[Candidate] {
        &self.home.candidates
    }

    /// What went wrong while the host was made.
    pub fn findings(&self) -> &[Finding] {
        &self.home.findings
    }

    /// Takes what loading providers for their commands and tools had to tell, such as settings that were refused.
    pub fn take_findings(&self) -> Vec<Finding> {
        self.home.take_told()
    }

    /// The settings that hold in its working directory.
    pub fn settings(&self) -> &Settings {
        &self.home.loader.settings
    }

    /// The surroundings it was made in.
    pub fn surroundings(&self) -> &Surroundings {
        &self.foundation.surroundings
    }

    /// Opens a conversation; runs no provider's code. Several may be open at once, in one or many working directories.
    ///
    /// Each working directory has its own settings and its own instances of the providers; they end with the last of
    /// its sessions, or somewhat later.
    pub fn session(&self, opening: Opening) -> Session {
        Session::open(self.workspace(&opening.cwd, opening.trusted), opening)
    }

    fn workspace(&self, cwd: &Path, trusted: bool) -> Arc<Workspace> {
        let is = |workspace: &Arc<Workspace>| workspace.cwd == cwd && workspace.trusted == trusted;
        if is(&self.home) {
            return Arc::clone(&self.home);
        }
        let mut ended = Vec::new();
        let mut others = lock(&self.others);
        let found = match others.iter().position(is) {
            Some(index) => others.remove(index),
            None => Arc::new(Workspace::open(&self.foundation, cwd, trusted)),
        };
        others.push(Arc::clone(&found));
        while let Some(index) = others.iter().position(|workspace| Arc::strong_count(workspace) == 1)
            && others.iter().filter(|workspace| Arc::strong_count(workspace) == 1).count() > IDLE_WORKSPACES
        {
            ended.push(others.remove(index));
        }
        drop(others);
        // Providers may take their time to end; nobody else waits for that.
        drop(ended);
        found
    }

    /// Asks every provider about a prompt and composes what they say; a named session remembers it as shown.
    pub fn inject(&self, prompt: &Prompt) -> Outcome {
        self.prepare(prompt).deliver()
    }

    /// As [`inject`](Self::inject), for a face that may fail to deliver: a session remembers it only once it is
    /// [delivered](Prepared::delivered).
    pub fn prepare(&self, prompt: &Prompt) -> Prepared {
        let session = self.session(Opening {
            id: prompt.session.clone(),
            cwd: prompt.cwd.clone(),
            trusted: false,
            life: prompt.life,
            agent: prompt.agent.clone(),
        });
        let data = PromptData { text: prompt.text.clone(), source: "user".to_owned(), first: true };
        let asking = Asking {
            visible: prompt.visible.clone(),
            max_characters: prompt.max_characters,
            only: prompt.only.clone(),
            documents: prompt.documents,
            ..Asking::default()
        };
        session.prepare(Event::Prompt(data), &asking)
    }

    /// Loads a provider by its id and returns what it is and can do.
    ///
    /// # Errors
    /// There is none of that id, or it cannot be loaded.
    pub fn manifest(&self, provider: &str) -> Result<Manifest, RunError> {
        self.home.manifest(provider)
    }

    /// Loads every provider; those that cannot be loaded are findings.
    pub fn manifests(&self) -> (Vec<Manifest>, Vec<Finding>) {
        self.home.manifests()
    }

    /// Runs a provider's command for a command line: a single question that belongs to no agent.
    ///
    /// # Errors
    /// There is no such provider or command, or it failed.
    pub fn command(
        &self,
        provider: &str,
        name: &str,
        args: &[String],
        session: Option<&str>,
    ) -> Result<CommandReply, RunError> {
        let request = CommandRequest {
            name: name.to_owned(),
            args: args.to_vec(),
            session: self.once(session),
            agent: Agent::default(),
            now: self.home.now(),
        };
        self.home.command(provider, &request, &Cancel::default())
    }

    /// Runs a tool by its own name, for a command line.
    ///
    /// # Errors
    /// Nobody or more than one provider has it, or it failed.
    pub fn tool(
        &self,
        name: &str,
        provider: Option<&str>,
        args: Value,
        session: Option<&str>,
    ) -> Result<ToolReply, RunError> {
        let owner = self.home.owner_of(name, provider)?;
        let request = ToolRequest {
            name: name.to_owned(),
            args,
            call_id: "1".to_owned(),
            session: self.once(session),
            agent: Agent::default(),
            now: self.home.now(),
        };
        self.home.tool(&owner, &request, &Cancel::default())
    }

    /// The session of a command line: its working directory and perhaps an id.
    fn once(&self, id: Option<&str>) -> ctxhost_protocol::envelope::Session {
        ctxhost_protocol::envelope::Session {
            id: id.map(str::to_owned),
            cwd: self.home.cwd.to_string_lossy().into_owned(),
            trusted: self.settings().trusted,
            life: Life::Once,
        }
    }
}

/// What a thread that panicked left behind is used as it is.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
