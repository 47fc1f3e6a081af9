//! What an event came to: the parts of the providers' replies that are not text, put together.

use std::{collections::BTreeSet, time::Duration};

use ctxhost_protocol::envelope::{Insert, McpServer, Messages, ResultPatch, Trust};
use serde::Serialize;
use serde_json::Value;

use super::{Asking, Session, standing::Offering};
use crate::{
    compose::{Injection, Limit, neutralize, utf16_length},
    finding::{Finding, FindingExt, Step},
    session,
    validate::Contribution,
};

/// The longest guidance to one tool call, in characters, of all providers together: some 2,000 tokens.
const GUIDANCE_CAP: usize = 8_000;

/// The longest reason for blocking a tool call, in characters.
const REASON_CAP: usize = 4_000;

/// What an event came to.
#[derive(Debug, Default)]
pub struct Outcome {
    /// What goes into the conversation to stay, and what people see of each provider.
    pub injection: Injection,
    /// What belongs to the next call of the model only; empty for agents that cannot take it there.
    pub call: Injection,
    /// What becomes of the tool call.
    pub decision: Option<Decided>,
    /// Which messages stay, and what goes between them.
    pub messages: Option<Rewritten>,
    /// What changes in the tool's result.
    pub result_patch: Option<ResultPatch>,
    /// The MCP servers that the agent is to run, or to run no longer, and whose each is.
    pub mcp_servers: Vec<(String, McpServer)>,
    /// What the person is to be told now; in a named session each kind only once.
    pub findings: Vec<Finding>,
    /// Every provider that was asked, in the order of asking.
    pub trace: Vec<Trace>,
    /// Whether any provider failed, told or not.
    pub failed: bool,
}

/// What becomes of a tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decided {
    /// It must not happen.
    Block {
        /// Why, for the model.
        reason: String,
        /// Who says so.
        provider: String,
    },
    /// It happens, with a hint for the model.
    Guidance(String),
}

/// What becomes of the conversation in one call of the model.
#[derive(Clone, Debug, Default)]
pub struct Rewritten {
    /// Indices of the messages that stay, ascending.
    pub keep: Vec<u64>,
    /// What goes between them.
    pub insert: Vec<Inserted>,
}

/// A text between messages.
#[derive(Clone, Debug, Default)]
pub struct Inserted {
    /// The index of the message that follows; the number of messages for the end.
    pub before: u64,
    /// The text with its sections.
    pub injection: Injection,
}

/// What an event came to, not delivered yet.
pub struct Prepared {
    /// What it came to.
    pub outcome: Outcome,
    pub(super) held: Option<session::Held>,
    /// What need not be offered any more once it is delivered, and whose conversation it is.
    pub(super) offered: Option<(Session, Offering)>,
}

impl Prepared {
    /// What there is nothing to remember of.
    pub(super) fn of(outcome: Outcome) -> Self {
        Self { outcome, held: None, offered: None }
    }

    /// Lets the session remember what was shown and told; the findings say what keeps it from that.
    pub fn delivered(self) -> Vec<Finding> {
        self.remember().1
    }

    /// The outcome, delivered; what keeps the session from remembering it is among its findings.
    pub fn deliver(self) -> Outcome {
        let (mut outcome, findings) = self.remember();
        outcome.findings.extend(findings);
        outcome
    }

    fn remember(self) -> (Outcome, Vec<Finding>) {
        if let Some((session, offering)) = &self.offered {
            session.settle(offering, &self.outcome.injection.sections);
        }
        (self.outcome, self.held.map(session::Held::save).unwrap_or_default())
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
    /// The provider's own document, where it was [asked for](Asking::documents).
    pub data: Value,
    /// Why it says what it says, under the same condition.
    pub explanation: Vec<String>,
    /// Why it came no further.
    pub finding: Option<Finding>,
}

/// Whether an agent can deliver something; what it cannot is said, once.
pub(super) struct Can<'a>(pub(super) &'a [String]);

impl Can<'_> {
    pub(super) fn has(&self, what: &str) -> bool {
        self.0.iter().any(|can| can == what)
    }

    fn lacks(&self, what: &str, provider: &str, sentence: &str, findings: &mut Vec<Finding>) -> bool {
        let lacks = !self.has(what);
        if lacks {
            let code = format!("agent-cannot-{what}");
            findings.push(Step::Compose.info(&code, sentence).about(provider));
        }
        lacks
    }
}

/// What all providers decide about a tool call: any block wins, and the first in order gives the reason.
pub(super) fn decide(
    contributions: &[Contribution],
    limit: Limit,
    can: &Can<'_>,
    findings: &mut Vec<Finding>,
) -> Option<Decided> {
    let mut hints: Vec<(&str, String)> = Vec::new();
    for contribution in contributions {
        let Some(decision) = contribution.decision() else { continue };
        let provider = contribution.provider();
        if decision.block {
            let reason = decision.reason.as_deref().filter(|reason| !reason.trim().is_empty());
            let reason = bounded(&clean(reason.unwrap_or("blocked without a reason")), REASON_CAP, limit);
            if can.lacks(
                "block",
                provider,
                "wanted to block a tool call, which this agent cannot; its reason became guidance",
                findings,
            ) {
                hints.push((provider, reason));
            } else {
                return Some(Decided::Block { reason, provider: provider.to_owned() });
            }
        } else if let Some(guidance) = decision.guidance.as_deref().filter(|text| !text.trim().is_empty()) {
            hints.push((provider, clean(guidance)));
        }
    }
    if hints.is_empty() {
        return None;
    }
    let mut text = String::new();
    for (provider, hint) in hints {
        let element =
            format!("<ctxhost-guidance provider=\"{provider}\">\n{}\n</ctxhost-guidance>\n", hint.trim_end());
        if utf16_length(&text) + utf16_length(&element) > GUIDANCE_CAP {
            let why = format!("guidance beyond {GUIDANCE_CAP} characters was left out");
            let finding = Step::Compose.warning("guidance-too-long", why).about(provider);
            findings.push(finding.hint("report it to whoever makes the provider"));
            continue;
        }
        if !limit.beside(&text).has_room_for(&element) {
            let why = "guidance was left out, because this agent takes less text at a tool call";
            findings.push(Step::Compose.warning("guidance-too-long", why).about(provider));
            continue;
        }
        text.push_str(&element);
    }
    (!text.is_empty()).then_some(Decided::Guidance(text))
}

fn clean(text: &str) -> String {
    // Guidance is the provider's own sentence, but it may quote a file.
    neutralize::neutralize(text, Trust::Workspace)
}

/// As much of a text as a cap and a limit leave.
fn bounded(text: &str, cap: usize, limit: Limit) -> String {
    let mut left = limit;
    let fits = |character: &char| {
        let character = character.encode_utf8(&mut [0; 4]).to_owned();
        let fits = left.has_room_for(&character);
        left = left.beside(&character);
        fits
    };
    text.chars().take(cap).take_while(fits).collect()
}

/// What changes in a tool's result: the first that changes its content does, and details are joined.
pub(super) fn patch(
    contributions: &[Contribution],
    can: &Can<'_>,
    findings: &mut Vec<Finding>,
) -> Option<ResultPatch> {
    let mut whole: Option<ResultPatch> = None;
    for contribution in contributions {
        let Some(patch) = contribution.result_patch() else { continue };
        if can.lacks(
            "patch",
            contribution.provider(),
            "wanted to change a tool's result, which this agent cannot",
            findings,
        ) {
            continue;
        }
        let whole = whole.get_or_insert_with(ResultPatch::default);
        match (&whole.content, &patch.content) {
            (None, Some(content)) => whole.content = Some(content.clone()),
            (Some(_), Some(_)) => findings.push(
                Step::Compose
                    .warning(
                        "second-patch",
                        "wanted to change a result that another provider has changed; it was left so",
                    )
                    .about(contribution.provider())
                    .hint("the setting `order` says who is first"),
            ),
            _ => {}
        }
        whole.is_error = whole.is_error.or(patch.is_error);
        match (&mut whole.details, &patch.details) {
            (Some(Value::Object(known)), Some(Value::Object(more))) => {
                for (key, value) in more {
                    known.entry(key.clone()).or_insert_with(|| value.clone());
                }
            }
            (details @ None, Some(more)) => *details = Some(more.clone()),
            _ => {}
        }
    }
    whole
}

/// The MCP servers of all providers.
pub(super) fn mcp_servers(
    contributions: &[Contribution],
    can: &Can<'_>,
    findings: &mut Vec<Finding>,
) -> Vec<(String, McpServer)> {
    let mut servers = Vec::new();
    for contribution in contributions {
        let Some(server) = contribution.mcp_server() else { continue };
        if !can.lacks(
            "mcp",
            contribution.provider(),
            "wanted the agent to run an MCP server, which it cannot",
            findings,
        ) {
            servers.push((contribution.provider().to_owned(), server.clone()));
        }
    }
    servers
}

/// The one rewriting that holds, whose it is, and what the agent's own rules add to it: what is pinned stays, and
/// messages that belong together stay together.
pub(super) fn rewriting(
    contributions: &[Contribution],
    messages: u64,
    asking: &Asking,
    can: &Can<'_>,
    findings: &mut Vec<Finding>,
) -> Option<(String, Vec<u64>, Vec<Insert>)> {
    let mut chosen: Option<(&str, &Messages)> = None;
    for contribution in contributions {
        let Some(wanted) = contribution.messages() else { continue };
        let provider = contribution.provider();
        if let Some((first, _)) = chosen {
            let why = format!("wanted to rewrite the conversation, which {first} does");
            findings.push(
                Step::Compose.warning("second-rewrite", why).about(provider).hint("switch one of them off"),
            );
        } else if !can.lacks(
            "rewrite",
            provider,
            "wanted to rewrite the conversation, which this agent cannot",
            findings,
        ) {
            chosen = Some((provider, wanted));
        }
    }
    let (provider, wanted) = chosen?;
    let within = |index: &u64| *index < messages;
    let mut keep: BTreeSet<u64> = wanted.keep.iter().copied().filter(within).collect();
    let mut off = wanted.keep.len() - keep.len();
    keep.extend(asking.pinned.iter().copied().filter(within));
    // Groups may share messages, so one more may follow from another.
    loop {
        let before = keep.len();
        for group in &asking.together {
            if group.iter().any(|index| keep.contains(index)) {
                keep.extend(group.iter().copied().filter(within));
            }
        }
        if keep.len() == before {
            break;
        }
    }
    let own = contributions.iter().find(|contribution| contribution.provider() == provider)?.sections();
    let mut named = BTreeSet::new();
    let mut insert = Vec::new();
    for wanted in &wanted.insert {
        let is_there = wanted.before <= messages && own.iter().any(|section| section.key == wanted.key);
        if is_there && named.insert(wanted.key.as_str()) {
            let before = in_front_of_group(wanted.before, &asking.together);
            insert.push(Insert { before, key: wanted.key.clone() });
        } else {
            off += 1;
        }
    }
    if off > 0 {
        let why =
            format!("named {off} messages or sections that are not there, or twice; they were left out");
        findings.push(
            Step::Compose
                .warning("no-such-message", why)
                .about(provider)
                .hint("report it to whoever makes the provider"),
        );
    }
    Some((provider.to_owned(), keep.into_iter().collect(), insert))
}

/// The next place at or before this one that is inside no group: a model refuses a call that something parts from its
/// result.
fn in_front_of_group(mut place: u64, together: &[Vec<u64>]) -> u64 {
    let starts_before = |place: u64| {
        let spans = together.iter().filter_map(|group| group.iter().min().zip(group.iter().max()));
        let mut around = spans.filter(|(first, last)| **first < place && place <= **last);
        around.next().map(|(first, _)| *first)
    };
    while let Some(first) = starts_before(place) {
        place = first;
    }
    place
}
