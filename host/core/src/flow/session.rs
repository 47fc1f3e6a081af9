//! One conversation of an agent: what happens in it goes through the flow, step by step.

use std::{
    path::PathBuf,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use ctxhost_protocol::envelope::{
    self, Agent, Budget, CommandReply, CommandRequest, Event, Level, Life, Model, Own, Phase, Placement,
    Request, ToolReply, ToolRequest, Visible,
};
use serde_json::Value;

use super::{
    Asking, Decided, Inserted, Outcome, Prepared, RunError,
    outcome::{self, Can, Rewritten},
    tools::{Names, Offered},
    workspace::Workspace,
};
use crate::{
    ask::Cancel,
    compose::{self, Injection, Limit, Plan, QuarterOfCharacters},
    finding::{Finding, FindingExt, Step},
    session::{self, Ledger},
    settings::Repeat,
    validate::Contribution,
};

/// How long a prompt waits in all for a `session.start` that is still running.
pub(super) const START_WAIT: Duration = Duration::from_secs(3);

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

struct Conversation {
    workspace: Arc<Workspace>,
    id: Option<String>,
    life: Life,
    agent: Mutex<Agent>,
    /// What it shows, where it has no name and therefore no file.
    memory: Arc<Mutex<Ledger>>,
    /// Sections that are offered again with each prompt, until the conversation shows them.
    standing: Mutex<Vec<Standing>>,
    starts: Starts,
    names: Mutex<Option<Named>>,
}

/// What one provider offered outside a prompt, or once for the whole conversation.
struct Standing {
    contribution: Contribution,
    moment: u64,
}

/// The agent's names of one list of tools.
struct Named {
    revision: u64,
    agent: envelope::AgentTools,
    names: Arc<Names>,
}

impl Session {
    pub(super) fn open(workspace: Arc<Workspace>, opening: Opening) -> Self {
        Self(Arc::new(Conversation {
            workspace,
            id: opening.id,
            life: opening.life,
            agent: Mutex::new(opening.agent),
            memory: Arc::default(),
            standing: Mutex::default(),
            starts: Starts::default(),
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
        let _starting = matches!(event, Event::SessionStart(_)).then(|| this.starts.begin());
        let mut findings = Vec::new();
        if matches!(event, Event::Prompt(_)) && !this.starts.wait(&asking.cancel) {
            let why =
                "the providers are still starting; this prompt goes without what they have to say at a start";
            findings.push(Step::Ask.info("starting", why));
        }
        let moment = this.workspace.heard.moment();
        let mut held =
            matches!(event, Event::Prompt(_) | Event::Compact(_)).then(|| this.hold(&mut findings));
        if let (Event::Prompt(_), Some(held)) = (&event, &held)
            && asking.turn.is_some()
            && asking.turn == held.ledger.turn
        {
            return Prepared { outcome: Outcome { findings, ..Outcome::default() }, held: None };
        }
        if let (Event::Compact(data), Some(held)) = (&event, &mut held) {
            match data.phase {
                Phase::Before => held.ledger.compacting = true,
                Phase::After => held.ledger.compacted(),
            }
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
        let settled = this.ask(&asked);
        if asking.cancel.is_cancelled() {
            return Prepared { outcome: settled, held: None };
        }
        findings.extend(settled.findings.iter().cloned());
        if matches!(asked.event, Event::Prompt(_) | Event::SessionStart(_)) {
            findings.extend(this.workspace.findings.iter().cloned());
        }
        this.remember(&asked, settled, held, findings)
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
        let owner = self.0.owner(name, true).ok_or_else(|| {
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

    /// Forgets what the conversation shows: the agent has compacted or cleared it.
    pub fn compacted(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut held = self.0.hold(&mut findings);
        held.ledger.compacted();
        findings.extend(held.save());
        findings
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
        self.0.owner(name, true)
    }

    /// Whether any provider asked for an event.
    pub fn wants(&self, event: &str) -> bool {
        self.0.workspace.slots.iter().any(|slot| slot.wants(event))
    }

    /// Takes what loading providers for their commands and tools had to tell, such as settings that were refused.
    pub fn take_findings(&self) -> Vec<Finding> {
        self.0.workspace.take_told()
    }
}

/// A question on its way through the flow.
struct Asked<'a> {
    event: Event,
    asking: &'a Asking,
    visible: Vec<Visible>,
    limit: Limit,
    agent: Agent,
    moment: u64,
}

impl Asked<'_> {
    fn can(&self) -> Can<'_> {
        Can(&self.agent.can)
    }

    fn is_tool_event(&self) -> bool {
        matches!(self.event, Event::ToolBefore(_) | Event::ToolAfter(_))
    }
}

impl Conversation {
    fn envelope_session(&self) -> envelope::Session {
        envelope::Session {
            id: self.id.clone(),
            cwd: self.workspace.cwd.to_string_lossy().into_owned(),
            trusted: self.workspace.loader.settings.trusted,
            life: self.life,
        }
    }

    fn limit(&self, agent: &Agent, asking: &Asking) -> Limit {
        let window = agent.model.as_ref().and_then(|model| model.context_window);
        let max_tokens = self.workspace.loader.settings.max_tokens;
        let limit = Limit::of(window, agent.usage_tokens, max_tokens);
        Limit { characters: asking.max_characters, bytes: asking.max_bytes, ..limit }
    }

    /// The ledger, under its lock.
    fn hold(&self, findings: &mut Vec<Finding>) -> session::Held {
        let Some(id) = &self.id else { return session::of_memory(&self.memory) };
        let state_dir = self.workspace.loader.surroundings.state_dir();
        let (held, more) = session::open(state_dir.as_deref(), id, self.workspace.now());
        findings.extend(more);
        held
    }

    /// The ledger as it is, without waiting for whoever holds it.
    fn snapshot(&self) -> Ledger {
        match &self.id {
            Some(id) => session::snapshot(self.workspace.loader.surroundings.state_dir().as_deref(), id),
            None => lock(&self.memory).clone(),
        }
    }

    /// Fills in what the host knows better than the face.
    fn completed(&self, mut event: Event, held: Option<&session::Held>) -> Event {
        match &mut event {
            Event::Prompt(data) => data.first = held.is_none_or(|held| held.ledger.prompts == 0),
            Event::ToolBefore(call) if call.own.is_none() => call.own = self.owner(&call.name, false),
            Event::ToolAfter(after) if after.call.own.is_none() => {
                after.call.own = self.owner(&after.call.name, false);
            }
            _ => {}
        }
        event
    }

    /// Asks and validates, and puts together what the replies come to.
    fn ask(&self, asked: &Asked<'_>) -> Outcome {
        let name = asked.event.name();
        let wanted = self.workspace.slots.iter().any(|slot| slot.wants(name));
        let (mut contributions, trace, mut findings) = if wanted || !asked.asking.only.is_empty() {
            let request = Request {
                v: envelope::VERSION,
                event: name.to_owned(),
                session: self.envelope_session(),
                agent: asked.agent.clone(),
                now: self.workspace.now(),
                budget: Budget { tokens: asked.limit.tokens },
                visible: asked.visible.clone(),
                data: asked.event.data(),
            };
            self.workspace.ask_all(&request, &asked.asking.only, &asked.asking.cancel)
        } else {
            Default::default()
        };
        if let Some(named) = &*lock(&self.names) {
            for contribution in &mut contributions {
                let provider = contribution.provider().to_owned();
                if named.names.renames(&provider) {
                    contribution.edit_texts(|text| named.names.apply(&provider, text).into_owned());
                }
            }
        }
        let order = &self.workspace.loader.settings.order;
        let rank = |provider: &str| order.iter().position(|id| id == provider).unwrap_or(order.len());
        contributions
            .sort_by(|a, b| (rank(a.provider()), a.provider()).cmp(&(rank(b.provider()), b.provider())));
        let can = asked.can();
        // A decision is about a tool call and a patch about its result; elsewhere they mean nothing.
        let is_tool_event = asked.is_tool_event();
        let is_result = matches!(asked.event, Event::ToolAfter(_));
        let mut outcome = Outcome {
            decision: if is_tool_event { outcome::decide(&contributions, &can, &mut findings) } else { None },
            result_patch: if is_result { outcome::patch(&contributions, &can, &mut findings) } else { None },
            mcp_servers: outcome::mcp_servers(&contributions, &can, &mut findings),
            failed: trace.iter().any(|trace| trace.finding.is_some()),
            trace,
            ..Outcome::default()
        };
        if let Event::ModelCall(data) = &asked.event {
            self.rewrite(asked, data.messages.len() as u64, &mut contributions, &mut outcome, &mut findings);
        }
        self.place(asked, contributions, &mut outcome, &mut findings);
        outcome.findings = findings;
        outcome
    }

    /// Puts sections between messages, as the one who may rewrite wants it; what was put is offered no more.
    fn rewrite(
        &self,
        asked: &Asked<'_>,
        messages: u64,
        contributions: &mut [Contribution],
        outcome: &mut Outcome,
        findings: &mut Vec<Finding>,
    ) {
        let rewriting = outcome::rewriting(contributions, messages, asked.asking, &asked.can(), findings);
        let Some((provider, keep, insert)) = rewriting else { return };
        let Some(own) = contributions.iter_mut().find(|contribution| contribution.provider() == provider)
        else {
            return;
        };
        let named = |key: &str| insert.iter().any(|insert| insert.key == key);
        let plan = Plan { repeat: Repeat::Always, ..self.plan(&asked.visible, asked.limit) };
        let whole = compose::compose(&[own.only(|section| named(&section.key))], &plan);
        let mut rewritten = Rewritten { keep, insert: Vec::new() };
        let mut places: Vec<u64> = insert.iter().map(|insert| insert.before).collect();
        places.sort_unstable();
        places.dedup();
        for before in places {
            let here = |key: &str| insert.iter().any(|insert| insert.before == before && insert.key == key);
            let first = rewritten.insert.is_empty() && asked.visible.is_empty();
            if let Some(injection) =
                compose::part(&whole, first, &QuarterOfCharacters, |placed| here(&placed.key))
            {
                rewritten.insert.push(Inserted { before, injection });
            }
        }
        own.retain(|section| !named(&section.key));
        outcome.messages = Some(rewritten);
    }

    fn plan<'a>(&'a self, visible: &'a [Visible], limit: Limit) -> Plan<'a> {
        let settings = &self.workspace.loader.settings;
        Plan {
            order: &settings.order,
            repeat: settings.repeat,
            limit,
            visible,
            estimator: &QuarterOfCharacters,
        }
    }

    /// Decides for each section when it is delivered: now, with the next call of the model, or with the next prompt.
    fn place(
        &self,
        asked: &Asked<'_>,
        contributions: Vec<Contribution>,
        outcome: &mut Outcome,
        findings: &mut Vec<Finding>,
    ) {
        let can = asked.can();
        let is_call = |section: &envelope::Section| section.placement == Placement::Call;
        let tool_event = asked.is_tool_event();
        let now = match &asked.event {
            Event::Prompt(_) => true,
            Event::SessionStart(_) => can.has("inject.session"),
            // A process that ends with this event has no later prompt.
            Event::ToolBefore(_) | Event::ToolAfter(_) => self.life == Life::Once,
            _ => false,
        };
        // An agent that takes text neither with a call of the model nor with a tool gets it with the prompt.
        let splits_calls = tool_event || !now || can.has("inject.call") || can.has("block");
        let mut offers = Vec::new();
        if matches!(asked.event, Event::Prompt(_)) {
            offers.extend(self.standing_beside(&contributions));
        }
        offers.extend(contributions.iter().map(|c| c.only(|section| !(splits_calls && is_call(section)))));
        let calls: Vec<Contribution> = if splits_calls {
            contributions.iter().map(|c| c.only(is_call)).filter(|c| !c.sections().is_empty()).collect()
        } else {
            Vec::new()
        };
        if now {
            let limit = asked.limit.beside(guidance(outcome));
            outcome.injection = compose::compose(&offers, &self.plan(&asked.visible, limit));
        }
        // What people see of each provider comes with every event.
        outcome.injection.status = compose::status(&contributions);
        if !calls.is_empty() {
            if can.has("inject.call") || can.has("block") {
                let beside = asked.limit.beside(&outcome.injection.text).beside(guidance(outcome));
                let limit =
                    Limit { tokens: beside.tokens.saturating_sub(outcome.injection.tokens), ..beside };
                let shown: Vec<Visible> =
                    asked.visible.iter().cloned().chain(shown_by(&outcome.injection)).collect();
                let plan = Plan { repeat: Repeat::Always, ..self.plan(&shown, limit) };
                outcome.call = compose::compose(&calls, &plan);
            } else {
                let why =
                    "offered text for one call of the model, which this agent cannot take at this moment";
                findings.push(Step::Compose.info("agent-cannot-inject.call", why).about(calls[0].provider()));
            }
        }
        self.stand(asked, contributions, now, outcome);
    }

    /// What stands from earlier and is neither taken back nor said anew by these.
    fn standing_beside(&self, fresh: &[Contribution]) -> Vec<Contribution> {
        let heard = &self.workspace.heard;
        let mut standing = lock(&self.standing);
        for standing in &mut *standing {
            let provider = standing.contribution.provider().to_owned();
            let said_anew = |key: &str| {
                let same = fresh.iter().filter(|contribution| contribution.provider() == provider);
                same.flat_map(Contribution::sections).any(|section| section.key == key)
            };
            let moment = standing.moment;
            standing.contribution.retain(|section| {
                !said_anew(&section.key) && !heard.is_taken_back(&provider, &section.key, moment)
            });
        }
        standing.retain(|standing| !standing.contribution.sections().is_empty());
        standing.iter().map(|standing| standing.contribution.clone()).collect()
    }

    /// Keeps what is to be offered with later prompts: what belongs to the whole conversation, and what could not be
    /// delivered at this event.
    fn stand(&self, asked: &Asked<'_>, contributions: Vec<Contribution>, now: bool, outcome: &Outcome) {
        let mut standing = lock(&self.standing);
        match &asked.event {
            // Whoever answers at a start says everything anew.
            Event::SessionStart(_) => standing.retain(|standing| {
                !contributions.iter().any(|fresh| fresh.provider() == standing.contribution.provider())
            }),
            Event::Prompt(_) => {
                let placed = &outcome.injection.sections;
                for standing in &mut *standing {
                    let provider = standing.contribution.provider().to_owned();
                    standing.contribution.retain(|section| {
                        section.placement == Placement::Session
                            || !placed
                                .iter()
                                .any(|placed| placed.provider == provider && placed.key == section.key)
                    });
                }
                standing.retain(|standing| !standing.contribution.sections().is_empty());
            }
            _ => {}
        }
        for contribution in contributions {
            let kept = contribution.only(|section| match section.placement {
                Placement::Session => true,
                Placement::Prompt => !now,
                Placement::Call => false,
            });
            if kept.sections().is_empty() {
                continue;
            }
            for earlier in &mut *standing {
                if earlier.contribution.provider() == kept.provider() {
                    earlier
                        .contribution
                        .retain(|section| !kept.sections().iter().any(|new| new.key == section.key));
                }
            }
            standing.push(Standing { contribution: kept, moment: asked.moment });
        }
    }

    /// Turns the outcome into what this agent can be given at this event, and remembers it for the time of delivery.
    fn remember(
        &self,
        asked: &Asked<'_>,
        mut outcome: Outcome,
        held: Option<session::Held>,
        findings: Vec<Finding>,
    ) -> Prepared {
        let can = asked.can();
        let tool_event = asked.is_tool_event();
        let calls_wait = !can.has("inject.call") && can.has("block");
        let waiting = tool_event && calls_wait && !self.snapshot().waiting.is_empty();
        let shows = !outcome.injection.sections.is_empty();
        let mut findings = findings;
        let mut held = held.or_else(|| {
            (shows || waiting || !findings.is_empty()).then(|| {
                let mut more = Vec::new();
                let held = self.hold(&mut more);
                findings.extend(more);
                held
            })
        });
        if let Some(held) = &mut held {
            let ledger = &mut held.ledger;
            match &asked.event {
                Event::Prompt(_) => {
                    ledger.record(&outcome.injection);
                    ledger.turn.clone_from(&asked.asking.turn);
                    if calls_wait && !outcome.call.text.is_empty() {
                        ledger.waiting = std::mem::take(&mut outcome.call.text);
                    }
                }
                _ => ledger.show(&outcome.injection),
            }
            if waiting {
                let text = std::mem::take(&mut ledger.waiting);
                add_guidance(&mut outcome, &text, asked.limit);
            }
            findings = ledger.first_told(findings);
        }
        if tool_event {
            for text in
                [std::mem::take(&mut outcome.injection.text), call_as_guidance(&mut outcome, calls_wait)]
            {
                add_guidance(&mut outcome, &text, asked.limit);
            }
        }
        let lost =
            |finding: &Finding| finding.level == Level::Error && finding.step.as_deref() == Some("discover");
        outcome.failed |= findings.iter().any(lost);
        outcome.findings = findings;
        Prepared { outcome, held }
    }

    /// The provider behind an agent's name for a tool; `list` says whether it is worth loading every provider.
    fn owner(&self, name: &str, list: bool) -> Option<Own> {
        let listed = if list {
            Some(self.workspace.list_tools(&Cancel::default()).0)
        } else {
            self.workspace.last_listed()
        };
        let (names, _) = self.names(&*listed?);
        names.owner(name).map(|(provider, tool)| Own { provider: provider.clone(), tool: tool.clone() })
    }

    /// What this agent calls the tools of a list; worked out once for each list and agent.
    fn names(&self, listed: &super::tools::Listed) -> (Arc<Names>, Vec<Finding>) {
        let agent = lock(&self.agent).tools.clone();
        let mut known = lock(&self.names);
        if let Some(named) = known.as_ref().filter(|n| n.revision == listed.revision() && n.agent == agent) {
            return (Arc::clone(&named.names), Vec::new());
        }
        let (names, findings) = Names::of(listed, &agent);
        let names = Arc::new(names);
        *known = Some(Named { revision: listed.revision(), agent, names: Arc::clone(&names) });
        (names, findings)
    }
}

/// Text for one call of the model, where the agent takes it only with a tool.
fn call_as_guidance(outcome: &mut Outcome, calls_wait: bool) -> String {
    if calls_wait { std::mem::take(&mut outcome.call.text) } else { String::new() }
}

/// What the model is told beside a tool call.
fn guidance(outcome: &Outcome) -> &str {
    match &outcome.decision {
        Some(Decided::Guidance(text)) => text,
        _ => "",
    }
}

/// Adds a text to what the model is told beside a tool call; a blocked one has its reason and nothing else.
fn add_guidance(outcome: &mut Outcome, text: &str, limit: Limit) {
    if text.is_empty() || !limit.beside(guidance(outcome)).has_room_for(text) {
        return;
    }
    match &mut outcome.decision {
        Some(Decided::Block { .. }) => {}
        Some(Decided::Guidance(guidance)) => guidance.push_str(text),
        none @ None => *none = Some(Decided::Guidance(text.to_owned())),
    }
}

fn shown_by(injection: &Injection) -> impl Iterator<Item = Visible> + '_ {
    injection.sections.iter().map(|placed| Visible {
        provider: placed.provider.clone(),
        key: placed.key.clone(),
        id: placed.id.clone(),
    })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The `session.start`s that are running.
#[derive(Default)]
struct Starts {
    running: Mutex<usize>,
    ended: Condvar,
}

struct Starting<'a>(&'a Starts);

impl Starts {
    fn begin(&self) -> Starting<'_> {
        *lock(&self.running) += 1;
        Starting(self)
    }

    /// Waits until none is running; false when that takes too long.
    fn wait(&self, cancel: &Cancel) -> bool {
        let until = Instant::now() + START_WAIT;
        let mut running = lock(&self.running);
        while *running > 0 {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || cancel.is_cancelled() {
                return false;
            }
            // A short nap, so that a question that is taken back does not wait on.
            let nap = left.min(Duration::from_millis(50));
            running = self.ended.wait_timeout(running, nap).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }
}

impl Drop for Starting<'_> {
    fn drop(&mut self) {
        *lock(&self.0.running) -= 1;
        self.0.ended.notify_all();
    }
}
