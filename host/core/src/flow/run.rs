//! Reaching one provider: its manifest, its commands and its tools.

use std::sync::Arc;

use ctxhost_protocol::envelope::{CommandReply, CommandRequest, Content, Manifest, ToolReply, ToolRequest};
use serde::Serialize;
use serde_json::Value;

use super::workspace::Workspace;
use crate::{
    ask::{self, Cancel, Question, Slot},
    finding::{Finding, FindingExt, REPORT, Step},
    load::Loaded,
    validate::Validators,
};

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

impl Workspace {
    pub(super) fn manifest(&self, provider: &str) -> Result<Manifest, RunError> {
        let slot = self.slot(provider)?;
        self.loaded(&slot).map(|loaded| loaded.manifest.clone())
    }

    pub(super) fn manifests(&self) -> (Vec<Manifest>, Vec<Finding>) {
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

    pub(super) fn command(
        &self,
        provider: &str,
        request: &CommandRequest,
        cancel: &Cancel,
    ) -> Result<CommandReply, RunError> {
        let slot = self.slot(provider)?;
        let manifest = self.loaded(&slot)?.manifest.clone();
        let name = &request.name;
        if !manifest.commands.iter().any(|command| command.name == *name) {
            let known: Vec<_> = manifest.commands.iter().map(|command| command.name.as_str()).collect();
            let known = if known.is_empty() {
                "it has none".to_owned()
            } else {
                format!("it has {}", known.join(", "))
            };
            return Err(RunError::NotFound(format!("{provider} has no command `{name}`; {known}")));
        }
        self.ask_one(&slot, "command", "command-reply", request, cancel)
    }

    /// Runs a tool by the provider's own name for it.
    pub(super) fn tool(
        &self,
        provider: &str,
        request: &ToolRequest,
        cancel: &Cancel,
    ) -> Result<ToolReply, RunError> {
        self.ask_one(&self.slot(provider)?, "tool", "tool-reply", request, cancel)
    }

    /// The one provider that has a tool of this name of its own.
    pub(super) fn owner_of(&self, name: &str, provider: Option<&str>) -> Result<String, RunError> {
        let slots = match provider {
            Some(provider) => {
                let slot = self.slot(provider)?;
                // One that was named and cannot be loaded says why.
                self.loaded(&slot)?;
                vec![slot]
            }
            None => self.slots.clone(),
        };
        let (providers, findings) = self.tools_of(&slots, &Cancel::default());
        self.tell(findings);
        let owning =
            providers.into_iter().filter(|provider| provider.tools.iter().any(|tool| tool.name == name));
        let owners: Vec<String> = owning.map(|provider| provider.id).collect();
        match owners.as_slice() {
            [] => Err(RunError::NotFound(format!(
                "no provider has a tool `{name}`; `ctxhost list` shows the providers"
            ))),
            [owner] => Ok(owner.clone()),
            several => Err(RunError::Several { name: name.to_owned(), providers: several.to_vec() }),
        }
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
        let (loaded, findings) = ask::load_within(slot, &self.loader);
        self.tell(findings);
        loaded.map_err(|finding| RunError::Failed(Box::new(finding)))
    }

    fn ask_one<T: serde::de::DeserializeOwned>(
        &self,
        slot: &Arc<Slot>,
        op: &'static str,
        schema: &str,
        request: &impl Serialize,
        cancel: &Cancel,
    ) -> Result<T, RunError> {
        let failed = |finding: Finding| {
            let finding = if finding.hint.is_some() { finding } else { finding.hint(REPORT) };
            RunError::Failed(Box::new(finding.about(&slot.id)))
        };
        let input = serde_json::to_vec(request).unwrap_or_default().into();
        let question = Question { op, name: op.to_owned(), input };
        let answer = ask::ask(std::slice::from_ref(slot), &question, &self.loader, cancel, || ()).pop();
        let reply = answer.map(|answer| {
            self.tell(answer.findings);
            answer.reply
        });
        let bytes = reply.transpose().map_err(failed)?.unwrap_or_default();
        parse_reply(&self.validators, schema, &bytes).map_err(failed)
    }
}

/// Reads a reply that is no event's: JSON that satisfies one of the envelope's schemas.
pub(super) fn parse_reply<T: serde::de::DeserializeOwned>(
    validators: &Validators,
    schema: &str,
    bytes: &[u8],
) -> Result<T, Finding> {
    let document: Value = serde_json::from_slice(bytes)
        .map_err(|error| Step::Validate.error("not-json", format!("reply is not JSON: {error}")))?;
    let faults = validators.faults(ctxhost_protocol::envelope::SPEC, schema, &document);
    if let Some(Ok(faults)) = faults
        && let Some(fault) = faults.first()
    {
        let why = format!("reply does not satisfy {schema} at {}: {}", fault.pointer, fault.message);
        return Err(Step::Validate.error("off-spec", why).at(fault.pointer.clone()));
    }
    serde_json::from_value(document).map_err(|error| Step::Validate.error("off-spec", error.to_string()))
}

/// The text of a tool's answer, for a terminal.
pub fn tool_text(reply: &ToolReply) -> String {
    let piece = |content: &Content| match content {
        Content::Text { text } => text.clone(),
        Content::Image { mime_type, data } => format!("[{mime_type}, {} bytes in base64]", data.len()),
    };
    reply.content.iter().map(piece).collect::<Vec<_>>().join("\n")
}
