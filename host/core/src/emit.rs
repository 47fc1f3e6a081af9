//! Step 6: writes an injection as text or JSON.

use std::collections::BTreeMap;

use ctxhost_protocol::envelope::{Finding, Placement, Status, Trust};
use serde::Serialize;

use crate::compose::Injection;

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
