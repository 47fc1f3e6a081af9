//! Step 6: writes an injection as text or JSON, and an outcome as `serve/v1` has it.

use std::collections::BTreeMap;

use ctxhost_protocol::{
    envelope::{Finding, Placement, Status, Trust, Visible},
    serve,
};
use serde::Serialize;

use crate::{
    compose::{Dropped, Injection, Placed},
    flow::{Decided, Offered, Outcome},
};

/// The injection as a document, the form of `ctxhost inject --format json`.
#[derive(Clone, Debug, Serialize)]
pub struct Document<'a> {
    /// The version of this form, 1.
    pub v: u32,
    /// The text for the agent; empty when there is nothing to say.
    pub text: &'a str,
    /// Its estimated tokens.
    pub tokens: u64,
    /// The sections in it, in order.
    pub sections: Vec<SectionRow<'a>>,
    /// The sections that are not in it.
    pub dropped: Vec<DroppedRow<'a>>,
    /// What people see of each provider.
    pub status: &'a BTreeMap<String, Status>,
    /// What went wrong.
    pub findings: &'a [Finding],
}

/// One section of a [`Document`].
#[derive(Clone, Debug, Serialize)]
pub struct SectionRow<'a> {
    /// Who offered it.
    pub provider: &'a str,
    /// Its key.
    pub key: &'a str,
    /// Where it belongs.
    pub placement: Placement,
    /// Where its text comes from.
    pub trust: Trust,
    /// The estimated tokens of its element.
    pub tokens: u64,
    /// The text that was chosen.
    pub body: &'a str,
    /// The id of its content.
    pub id: &'a str,
}

/// One section that is not in the injection.
#[derive(Clone, Debug, Serialize)]
pub struct DroppedRow<'a> {
    /// Who offered it.
    pub provider: &'a str,
    /// Its key.
    pub key: &'a str,
    /// Why, for a person.
    pub reason: String,
}

/// The injection as a document.
pub fn document<'a>(injection: &'a Injection, findings: &'a [Finding]) -> Document<'a> {
    let section = |placed: &'a crate::compose::Placed| SectionRow {
        provider: &placed.provider,
        key: &placed.key,
        placement: placed.placement,
        trust: placed.trust,
        tokens: placed.tokens,
        body: &placed.body,
        id: &placed.id,
    };
    let dropped = |dropped: &'a crate::compose::Dropped| DroppedRow {
        provider: &dropped.provider,
        key: &dropped.key,
        reason: dropped.reason.to_string(),
    };
    Document {
        v: 1,
        text: &injection.text,
        tokens: injection.tokens,
        sections: injection.sections.iter().map(section).collect(),
        dropped: injection.dropped.iter().map(dropped).collect(),
        status: &injection.status,
        findings,
    }
}

/// What an event came to, as `serve/v1` has it.
pub fn outcome(outcome: &Outcome) -> serve::OutcomeDocument {
    let server = |(provider, server): &(String, ctxhost_protocol::envelope::McpServer)| {
        serve::McpServerDocument { provider: provider.clone(), server: server.clone() }
    };
    serve::OutcomeDocument {
        injection: injection(&outcome.injection),
        call: (!outcome.call.text.is_empty()).then(|| serve::CallDocument {
            text: outcome.call.text.clone(),
            tokens: outcome.call.tokens,
            sections: outcome.call.sections.iter().map(section).collect(),
        }),
        decision: outcome.decision.as_ref().map(|decided| match decided {
            Decided::Block { reason, provider } => serve::DecisionDocument::block(provider, reason),
            Decided::Guidance(text) => serve::DecisionDocument::guidance(text),
        }),
        messages: outcome.messages.as_ref().map(|rewritten| serve::MessagesDocument {
            keep: rewritten.keep.clone(),
            insert: rewritten
                .insert
                .iter()
                .map(|inserted| serve::InsertDocument {
                    before: inserted.before,
                    text: inserted.injection.text.clone(),
                    sections: inserted.injection.sections.iter().map(visible).collect(),
                })
                .collect(),
        }),
        result_patch: outcome.result_patch.clone(),
        mcp_servers: outcome.mcp_servers.iter().map(server).collect(),
        status: outcome.injection.status.clone(),
        findings: outcome.findings.clone(),
        ..serve::OutcomeDocument::default()
    }
}

/// The injection of an outcome; `None` when nothing is said and nothing was left out.
fn injection(injection: &Injection) -> Option<serve::InjectionDocument> {
    if injection.text.is_empty() && injection.dropped.is_empty() {
        return None;
    }
    let dropped = |dropped: &Dropped| serve::DroppedDocument {
        provider: dropped.provider.clone(),
        key: dropped.key.clone(),
        reason: dropped.reason.to_string(),
    };
    Some(serve::InjectionDocument {
        text: injection.text.clone(),
        tokens: injection.tokens,
        sections: injection.sections.iter().map(section).collect(),
        dropped: injection.dropped.iter().map(dropped).collect(),
    })
}

fn section(placed: &Placed) -> serve::SectionDocument {
    serve::SectionDocument {
        provider: placed.provider.clone(),
        key: placed.key.clone(),
        title: (!placed.title.is_empty()).then(|| placed.title.clone()),
        placement: placed.placement,
        trust: placed.trust,
        tokens: placed.tokens,
        body: placed.body.clone(),
        id: placed.id.clone(),
        supersedes: placed.supersedes.clone(),
        person: placed.person.clone(),
    }
}

fn visible(placed: &Placed) -> Visible {
    Visible { provider: placed.provider.clone(), key: placed.key.clone(), id: placed.id.clone() }
}

/// The tools and commands that are offered to an agent, as `serve/v1` has them.
pub fn offered(offered: Offered, findings: Vec<Finding>) -> serve::ToolsResult {
    serve::ToolsResult {
        revision: offered.revision,
        tools: offered
            .tools
            .into_iter()
            .map(|tool| serve::OfferedTool {
                name: tool.name,
                provider: tool.provider,
                tool: tool.tool,
                description: tool.description,
                schema: tool.schema,
                guidelines: tool.guidelines,
                active: tool.active,
            })
            .collect(),
        commands: offered
            .commands
            .into_iter()
            .map(|offered| serve::OfferedCommand {
                provider: offered.provider,
                name: offered.command.name,
                slash: offered.command.slash,
                summary: offered.command.summary,
            })
            .collect(),
        deadlines_ms: offered.deadlines_ms,
        findings,
    }
}
