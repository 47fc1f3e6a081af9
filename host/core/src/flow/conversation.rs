//! What becomes of an event in a conversation: asked about, put together, placed and remembered.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use ctxhost_protocol::envelope::{
    self, Agent, Budget, Event, Level, Life, Own, Phase, Placement, Request, Visible,
};

use super::{
    Asking, Decided, Inserted, Outcome, lock,
    outcome::{self, Can, Rewritten},
    standing::{Offering, Standing},
    starts::Starts,
    tools::{Listed, Names},
    workspace::Workspace,
};
use crate::{
    ask::Cancel,
    compose::{self, Injection, Limit, Plan, QuarterOfCharacters, TokenEstimator as _},
    finding::{Finding, FindingExt, Step},
    session::{self, Ledger},
    settings::Repeat,
    validate::Contribution,
};

/// What a conversation knows.
pub(super) struct Conversation {
    pub(super) workspace: Arc<Workspace>,
    pub(super) id: Option<String>,
    pub(super) life: Life,
    pub(super) agent: Mutex<Agent>,
    /// What it shows, where it has no name and therefore no file.
    pub(super) memory: Arc<session::Memory>,
    /// Sections that are offered again with each prompt, until the conversation shows them.
    pub(super) standing: Arc<Standing>,
    pub(super) starts: Arc<Starts>,
    pub(super) names: Mutex<Option<Named>>,
}

/// The agent's names of one list of tools.
pub(super) struct Named {
    revision: u64,
    agent: envelope::AgentTools,
    names: Arc<Names>,
}

/// A question on its way through the flow.
pub(super) struct Asked<'a> {
    pub(super) event: Event,
    pub(super) asking: &'a Asking,
    pub(super) visible: Vec<Visible>,
    pub(super) limit: Limit,
    pub(super) agent: Agent,
    pub(super) moment: u64,
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
    pub(super) fn envelope_session(&self) -> envelope::Session {
        envelope::Session {
            id: self.id.clone(),
            cwd: self.workspace.cwd.to_string_lossy().into_owned(),
            trusted: self.workspace.loader.settings.trusted,
            life: self.life,
        }
    }

    pub(super) fn limit(&self, agent: &Agent, asking: &Asking) -> Limit {
        let window = agent.model.as_ref().and_then(|model| model.context_window);
        let max_tokens = self.workspace.loader.settings.max_tokens;
        let limit = Limit::of(window, agent.usage_tokens, max_tokens);
        Limit { characters: asking.max_characters, bytes: asking.max_bytes, ..limit }
    }

    /// The ledger, under its lock.
    pub(super) fn hold(
        &self,
        patience: Duration,
        cancel: &Cancel,
        findings: &mut Vec<Finding>,
    ) -> session::Held {
        let wanted = || !cancel.is_cancelled();
        let Some(id) = &self.id else { return self.hold_in_memory(patience, &wanted, findings) };
        let state_dir = self.workspace.loader.surroundings.state_dir();
        let (held, more) = session::open(state_dir.as_deref(), id, self.workspace.now(), patience, &wanted);
        findings.extend(more);
        if held.has_no_place() {
            // At least this process remembers it.
            return self.hold_in_memory(patience, &wanted, findings);
        }
        held
    }

    fn hold_in_memory(
        &self,
        patience: Duration,
        wanted: &dyn Fn() -> bool,
        findings: &mut Vec<Finding>,
    ) -> session::Held {
        let (held, more) = self.memory.open(patience, wanted);
        findings.extend(more);
        held
    }

    /// Remembers at once that the agent compacts the conversation, or has.
    pub(super) fn compact(&self, phase: Phase) -> Vec<Finding> {
        let mut findings = Vec::new();
        // It holds whether or not anybody waits, so the ledger is waited for as long as a prompt may take.
        let mut held = self.hold(session::TURN_WAIT, &Cancel::default(), &mut findings);
        match phase {
            Phase::Before => held.ledger.compacting = true,
            Phase::After => held.ledger.compacted(),
        }
        findings.extend(held.save());
        findings
    }

    /// The ledger as it is, without waiting for whoever holds it.
    pub(super) fn snapshot(&self) -> Ledger {
        let state_dir = self.workspace.loader.surroundings.state_dir();
        let file = self.id.as_ref().and_then(|id| session::snapshot(state_dir.as_deref(), id));
        file.unwrap_or_else(|| self.memory.snapshot())
    }

    /// Fills in what the host knows better than the face.
    pub(super) fn completed(&self, mut event: Event, held: Option<&session::Held>) -> Event {
        match &mut event {
            Event::Prompt(data) => data.first = held.is_none_or(|held| held.ledger.prompts == 0),
            Event::ToolBefore(call) if call.own.is_none() => call.own = self.owner(&call.name, None),
            Event::ToolAfter(after) if after.call.own.is_none() => {
                after.call.own = self.owner(&after.call.name, None);
            }
            _ => {}
        }
        event
    }

    /// Asks and validates, and puts together what the replies come to; with what a prompt was offered from earlier.
    pub(super) fn ask(&self, asked: &Asked<'_>) -> (Outcome, Option<Offering>) {
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
                explain: asked.asking.documents,
                data: asked.event.data(),
            };
            self.workspace.ask_all(&request, asked.asking)
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
        contributions.sort_by(|a, b| {
            compose::place_of(a.provider(), order).cmp(&compose::place_of(b.provider(), order))
        });
        let can = asked.can();
        // A decision is about a tool call and a patch about its result; elsewhere they mean nothing.
        let is_tool_event = asked.is_tool_event();
        let is_result = matches!(asked.event, Event::ToolAfter(_));
        let mut outcome = Outcome {
            decision: if is_tool_event {
                outcome::decide(&contributions, asked.limit, &can, &mut findings)
            } else {
                None
            },
            result_patch: if is_result { outcome::patch(&contributions, &can, &mut findings) } else { None },
            mcp_servers: outcome::mcp_servers(&contributions, &can, &mut findings),
            failed: trace.iter().any(|trace| trace.finding.is_some()),
            trace,
            ..Outcome::default()
        };
        if let Event::ModelCall(data) = &asked.event {
            self.rewrite(asked, data.messages.len() as u64, &mut contributions, &mut outcome, &mut findings);
        }
        let offering = self.place(asked, contributions, &mut outcome, &mut findings);
        outcome.findings = findings;
        (outcome, offering)
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
        let mut places: Vec<u64> = insert.iter().map(|insert| insert.before).collect();
        places.sort_unstable();
        places.dedup();
        // Each place but the first has a wrapper of its own.
        let limit =
            places.iter().skip(1).fold(asked.limit, |limit, _| less(limit, &compose::WRAPPER.concat()));
        let plan = Plan { repeat: Repeat::Always, ..self.plan(&asked.visible, limit) };
        let whole = compose::compose(&[own.only(|section| named(&section.key))], &plan);
        let mut rewritten = Rewritten { keep, insert: Vec::new() };
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
        outcome.injection.dropped = whole.dropped;
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
    ) -> Option<Offering> {
        let can = asked.can();
        let is_call = |section: &envelope::Section| section.placement == Placement::Call;
        let tool_event = asked.is_tool_event();
        // Of an agent that says nothing of itself at least this is assumed.
        let takes_prompts = asked.agent.can.is_empty() || can.has("inject.prompt");
        let now = match &asked.event {
            Event::Prompt(_) => takes_prompts,
            Event::SessionStart(_) => can.has("inject.session"),
            // A process that ends with this event has no later prompt.
            Event::ToolBefore(_) | Event::ToolAfter(_) => self.life == Life::Once,
            _ => false,
        };
        // An agent that takes text neither with a call of the model nor with a tool gets it with the prompt.
        let splits_calls = tool_event || !now || can.has("inject.call") || can.has("block");
        if matches!(asked.event, Event::Prompt(_))
            && let Some(offering) = contributions.iter().find(|c| !takes_prompts && !c.sections().is_empty())
        {
            let why = "offered text for a prompt, which this agent takes only when a model asks for it";
            findings.push(Step::Compose.info("agent-cannot-inject.prompt", why).about(offering.provider()));
        }
        let mut offers = Vec::new();
        let offering = matches!(asked.event, Event::Prompt(_)).then(|| {
            let (standing, offering) = self.standing.beside(&contributions, &self.workspace.heard);
            offers.extend(standing);
            offering
        });
        offers.extend(contributions.iter().map(|c| c.only(|section| !(splits_calls && is_call(section)))));
        let calls: Vec<Contribution> = if splits_calls {
            contributions.iter().map(|c| c.only(is_call)).filter(|c| !c.sections().is_empty()).collect()
        } else {
            Vec::new()
        };
        if now {
            let limit = asked.limit.beside(beside_call(outcome));
            outcome.injection = compose::compose(&offers, &self.plan(&asked.visible, limit));
        }
        // What people see of each provider comes with every event.
        outcome.injection.status = compose::status(&contributions);
        if !calls.is_empty() {
            if can.has("inject.call") || can.has("block") {
                let inserted = outcome.messages.iter().flat_map(|rewritten| &rewritten.insert);
                let earlier: Vec<&Injection> =
                    inserted.map(|inserted| &inserted.injection).chain([&outcome.injection]).collect();
                let beside = asked.limit.beside(beside_call(outcome));
                let limit = earlier.iter().fold(beside, |limit, injection| less(limit, &injection.text));
                let shown: Vec<Visible> =
                    asked.visible.iter().cloned().chain(earlier.into_iter().flat_map(shown_by)).collect();
                let plan = Plan { repeat: Repeat::Always, ..self.plan(&shown, limit) };
                outcome.call = compose::compose(&calls, &plan);
            } else {
                let why =
                    "offered text for one call of the model, which this agent cannot take at this moment";
                findings.push(Step::Compose.info("agent-cannot-inject.call", why).about(calls[0].provider()));
            }
        }
        if matches!(asked.event, Event::SessionStart(_)) {
            // Whoever answers at a start says everything anew.
            self.standing.forget_those_of(&contributions);
        }
        let stands = |section: &envelope::Section| match section.placement {
            Placement::Session => true,
            Placement::Prompt => !now,
            Placement::Call => false,
        };
        self.standing.add(&contributions, asked.moment, stands);
        offering
    }

    /// Turns the outcome into what this agent can be given at this event, and remembers it for the time of delivery.
    pub(super) fn remember(
        &self,
        asked: &Asked<'_>,
        mut outcome: Outcome,
        held: Option<session::Held>,
        mut findings: Vec<Finding>,
    ) -> (Outcome, Option<session::Held>) {
        let can = asked.can();
        let calls_wait = !can.has("inject.call") && can.has("block");
        let mut to_wait = if calls_wait { std::mem::take(&mut outcome.call).text } else { String::new() };
        let takes_guidance =
            asked.is_tool_event() && !matches!(outcome.decision, Some(Decided::Block { .. }));
        if takes_guidance {
            // A tool call takes all of its text at one place.
            for text in [std::mem::take(&mut outcome.injection.text), std::mem::take(&mut to_wait)] {
                add_guidance(&mut outcome, &text);
            }
        } else if asked.is_tool_event() {
            // Beside a reason nothing is said, so nothing counts as shown.
            outcome.injection.text.clear();
            outcome.injection.sections.clear();
        }
        if asked.asking.tell_later {
            self.workspace.tell(std::mem::take(&mut findings));
        }
        let waiting = takes_guidance && calls_wait && !self.snapshot().waiting.is_empty();
        let shows = !outcome.injection.sections.is_empty();
        let mut held = held.or_else(|| {
            (shows || waiting || !to_wait.is_empty() || !findings.is_empty())
                .then(|| self.hold(session::LOCK_WAIT, &asked.asking.cancel, &mut findings))
        });
        if let Some(held) = &mut held {
            let is_ours = held.is_ours();
            let ledger = &mut held.ledger;
            match &asked.event {
                Event::Prompt(_) => {
                    ledger.record(&outcome.injection);
                    ledger.turn.clone_from(&asked.asking.turn);
                }
                _ => ledger.show(&outcome.injection),
            }
            if !to_wait.is_empty() {
                ledger.waiting = to_wait;
            }
            // What finds no room waits on, and so does what cannot be remembered as told.
            let room = asked.limit.beside(beside_call(&outcome)).beside(&outcome.call.text);
            if waiting && is_ours && room.has_room_for(&ledger.waiting) {
                add_guidance(&mut outcome, &std::mem::take(&mut ledger.waiting));
            }
            findings = ledger.first_told(findings);
        }
        let lost =
            |finding: &Finding| finding.level == Level::Error && finding.step.as_deref() == Some("discover");
        outcome.failed |= findings.iter().any(lost);
        outcome.findings = findings;
        (outcome, held)
    }

    /// The provider behind an agent's name for a tool; every provider is loaded for that only where it is given how
    /// the question can be taken back.
    pub(super) fn owner(&self, name: &str, list: Option<&Cancel>) -> Option<Own> {
        let listed = match list {
            Some(cancel) => {
                let (listed, findings) = self.workspace.list_tools(cancel);
                self.workspace.tell(findings);
                Some(listed)
            }
            None => self.workspace.last_listed(),
        };
        let (names, _) = self.names(&*listed?);
        names.owner(name).map(|(provider, tool)| Own { provider: provider.clone(), tool: tool.clone() })
    }

    /// What this agent calls the tools of a list; worked out once for each list and agent.
    pub(super) fn names(&self, listed: &Listed) -> (Arc<Names>, Vec<Finding>) {
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

/// What is left of a limit beside a text with all its tokens.
fn less(limit: Limit, text: &str) -> Limit {
    let beside = limit.beside(text);
    Limit { tokens: beside.tokens.saturating_sub(QuarterOfCharacters.estimate(text)), ..beside }
}

/// What the model is told beside a tool call, or instead of it.
fn beside_call(outcome: &Outcome) -> &str {
    match &outcome.decision {
        Some(Decided::Guidance(text) | Decided::Block { reason: text, .. }) => text,
        None => "",
    }
}

/// Adds a text to what the model is told beside a tool call; a blocked one has its reason and nothing else.
fn add_guidance(outcome: &mut Outcome, text: &str) {
    match &mut outcome.decision {
        _ if text.is_empty() => {}
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
