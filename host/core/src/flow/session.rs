//! One conversation of an agent: what happens in it goes through the flow, step by step.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
};

use ctxhost_protocol::envelope::{
    Agent, CommandReply, CommandRequest, Event, Life, Model, Own, Phase, ToolReply, ToolRequest,
};
use serde_json::Value;

use super::{
    Asking, Outcome, Prepared, RunError,
    conversation::{Asked, Conversation},
    lock,
    standing::Offering,
    starts::Starting,
    tools::Offered,
    workspace::Workspace,
};
use crate::{
    ask::Cancel,
    compose::Placed,
    finding::{Finding, Step},
    session::{LOCK_WAIT, TURN_WAIT},
};

/// What a conversation is opened with.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// The agent's name for the conversation; `None` for one that no other process will ever ask for.
    pub id: Option<String>,
    /// The agent's working directory, absolute.
    pub cwd: PathBuf,
    /// Whether the agent itself says that its user trusts the folder; the user's own setting counts as well.
    pub trusted: bool,
    /// How long the asking process lives.
    pub life: Life,
    /// The agent.
    pub agent: Agent,
}

impl Opening {
    /// A conversation without a name, in a working directory, of an agent that takes context with its prompts.
    pub fn new(cwd: impl Into<PathBuf>) -> Self {
        let agent = Agent { can: vec!["inject.prompt".to_owned()], ..Agent::default() };
        Self { cwd: cwd.into(), life: Life::Long, agent, ..Self::default() }
    }

    /// Sets the size of the model's context window, in tokens.
    #[must_use]
    pub fn context_window(mut self, tokens: u64) -> Self {
        self.agent.model.get_or_insert_with(Model::default).context_window = Some(tokens);
        self
    }
}

/// One conversation of an agent; clones are the same conversation, for use on several threads.
///
/// ```
/// use ctxhost::{Event, Host, Opening, Surroundings};
///
/// let host = Host::builder(Surroundings::empty()).build();
/// let session = host.session(Opening::new("/"));
/// let outcome = session.event(Event::prompt("hello"));
/// assert_eq!(outcome.injection.text, "", "nothing is installed in this empty environment");
/// ```
#[derive(Clone)]
pub struct Session(Arc<Conversation>);

impl Session {
    pub(super) fn open(workspace: Arc<Workspace>, opening: Opening) -> Self {
        Self(Arc::new(Conversation {
            workspace,
            id: opening.id,
            life: opening.life,
            agent: Mutex::new(opening.agent),
            memory: Arc::default(),
            standing: Arc::default(),
            starts: Arc::default(),
            names: Mutex::default(),
        }))
    }

    /// The same conversation under the name that its agent has for it, once that is known: what its start offered, and
    /// that it may still be running, are the same.
    pub fn under(&self, id: Option<String>, agent: Agent) -> Self {
        let this = &*self.0;
        Self(Arc::new(Conversation {
            workspace: Arc::clone(&this.workspace),
            id,
            life: this.life,
            agent: Mutex::new(agent),
            memory: Arc::default(),
            standing: Arc::clone(&this.standing),
            starts: Arc::clone(&this.starts),
            names: Mutex::default(),
        }))
    }

    /// Tells what is known of the agent from here on: its model, its use of the window, its tools.
    pub fn set_agent(&self, agent: Agent) {
        *lock(&self.0.agent) = agent;
    }

    /// The agent as last told.
    pub fn agent(&self) -> Agent {
        lock(&self.0.agent).clone()
    }

    /// Asks every provider that wants the event, and counts the outcome as delivered.
    pub fn event(&self, event: Event) -> Outcome {
        self.prepare(event, &Asking::default()).deliver()
    }

    /// As [`event`](Self::event), for a face that may fail to deliver, or that knows more.
    ///
    /// It returns at the latest when the longest deadline of the event is over; a `prompt` waits up to 3 s more for a
    /// `session.start` that another thread has raised.
    pub fn prepare(&self, event: Event, asking: &Asking) -> Prepared {
        let this = &*self.0;
        let mut findings = Vec::new();
        if let Event::Compact(data) = &event {
            // A fact and no question: it holds whether or not anybody waits for the answers.
            findings.extend(this.compact(data.phase));
        }
        let nothing = |findings| Prepared::of(Outcome { findings, ..Outcome::default() });
        if asking.cancel.is_cancelled() {
            return nothing(findings);
        }
        let _starting = matches!(event, Event::SessionStart(_)).then(|| this.starts.begin());
        let is_prompt = matches!(event, Event::Prompt(_));
        if is_prompt && !this.starts.wait(&asking.cancel) {
            let why =
                "the providers are still starting; this prompt goes without what they have to say at a start";
            findings.push(Step::Ask.info("starting", why));
        }
        let moment = this.workspace.heard.moment();
        let patience = if asking.turn.is_some() { TURN_WAIT } else { LOCK_WAIT };
        let held = is_prompt.then(|| this.hold(patience, &asking.cancel, &mut findings));
        let answered = held.as_ref().is_some_and(|h| asking.turn.is_some() && asking.turn == h.ledger.turn);
        if answered || asking.cancel.is_cancelled() {
            return nothing(findings);
        }
        let visible = match (&asking.visible, &held) {
            (Some(visible), _) => visible.clone(),
            (None, Some(held)) => held.ledger.visible.clone(),
            (None, None) => this.snapshot().visible,
        };
        let agent = self.agent();
        let limit = this.limit(&agent, asking);
        let asked =
            Asked { event: this.completed(event, held.as_ref()), asking, visible, limit, agent, moment };
        let (settled, offering) = this.ask(&asked);
        if asking.cancel.is_cancelled() {
            return Prepared::of(settled);
        }
        findings.extend(settled.findings.iter().cloned());
        if matches!(asked.event, Event::Prompt(_) | Event::SessionStart(_)) {
            findings.extend(this.workspace.findings.iter().cloned());
        }
        if is_prompt {
            findings.extend(this.workspace.take_told());
        }
        let (outcome, held) = this.remember(&asked, settled, held, findings);
        Prepared { outcome, held, offered: offering.map(|offering| (self.clone(), offering)) }
    }

    /// What was offered and is delivered now need not be offered again.
    pub(super) fn settle(&self, offering: &Offering, placed: &[Placed]) {
        self.0.standing.settle(offering, placed);
    }

    /// The tools and commands as this agent sees them; loads every provider.
    pub fn tools(&self, cancel: &Cancel) -> (Offered, Vec<Finding>) {
        let (listed, mut findings) = self.0.workspace.list_tools(cancel);
        let (names, more) = self.0.names(&listed);
        findings.extend(more);
        let (tools, commands) = names.offered(&listed);
        let deadlines_ms = self.0.workspace.deadlines_ms();
        (Offered { revision: listed.revision(), tools, commands, deadlines_ms }, findings)
    }

    /// Runs a tool by the name that the agent has for it.
    ///
    /// # Errors
    /// No provider has it, or it failed.
    pub fn tool(
        &self,
        name: &str,
        args: Value,
        call_id: &str,
        cancel: &Cancel,
    ) -> Result<ToolReply, RunError> {
        let owner = self.0.owner(name, Some(cancel)).ok_or_else(|| {
            RunError::NotFound(format!("no provider has a tool `{name}`; ask for the list of tools again"))
        })?;
        let request = ToolRequest {
            name: owner.tool,
            args,
            call_id: call_id.to_owned(),
            session: self.0.envelope_session(),
            agent: self.agent(),
            now: self.0.workspace.now(),
        };
        self.0.workspace.tool(&owner.provider, &request, cancel)
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
        cancel: &Cancel,
    ) -> Result<CommandReply, RunError> {
        let request = CommandRequest {
            name: name.to_owned(),
            args: args.to_vec(),
            session: self.0.envelope_session(),
            agent: self.agent(),
            now: self.0.workspace.now(),
        };
        self.0.workspace.command(provider, &request, cancel)
    }

    /// Says that a `session.start` is about to be raised: a prompt that comes meanwhile waits for it, as long as what is
    /// returned is kept. For a face that takes events on several threads and must keep their order.
    pub fn begin_start(&self) -> Starting {
        self.0.starts.begin()
    }

    /// Forgets what the conversation shows: the agent has compacted or cleared it.
    pub fn compacted(&self) -> Vec<Finding> {
        self.0.compact(Phase::After)
    }

    /// Whether a compaction has been announced of which nobody has said that it happened.
    pub fn is_compacting(&self) -> bool {
        self.0.snapshot().compacting
    }

    /// Whether text for one call of the model waits for the next tool event.
    pub fn has_waiting_text(&self) -> bool {
        !self.0.snapshot().waiting.is_empty()
    }

    /// The provider and its own name of what the agent calls so; loads every provider.
    pub fn own_tool(&self, name: &str) -> Option<Own> {
        self.0.owner(name, Some(&Cancel::default()))
    }

    /// Whether any provider asked for an event.
    pub fn wants(&self, event: &str) -> bool {
        self.0.workspace.slots.iter().any(|slot| slot.wants(event))
    }

    /// Keeps findings for the next prompt, because there is nobody to tell them to now.
    pub fn tell_later(&self, findings: Vec<Finding>) {
        self.0.workspace.tell(findings);
    }

    /// Takes what loading providers for their commands and tools had to tell, such as settings that were refused.
    pub fn take_findings(&self) -> Vec<Finding> {
        self.0.workspace.take_told()
    }
}
