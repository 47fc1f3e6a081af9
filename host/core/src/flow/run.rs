//! Reaching one provider: its manifest, its commands and its tools.

use std::sync::Arc;

use ctxhost_protocol::envelope::{
    Agent, CommandReply, CommandRequest, Content, Manifest, Session, Tool, ToolReply, ToolRequest, ToolsReply,
};
use serde::Serialize;
use serde_json::Value;

use crate::{
    ask::{self, Question, Slot},
    finding::{Finding, FindingExt, REPORT, Step},
    flow::Host,
    load::Loaded,
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

impl Host {
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
                Ok(loaded) if self.has_tool(&slot, &loaded.manifest, name) => owners.push(slot),
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

    /// Whether a provider has a tool: by its manifest, or by the list it gives now.
    fn has_tool(&self, slot: &Arc<Slot>, manifest: &Manifest, name: &str) -> bool {
        let is = |tool: &Tool| tool.name == name;
        if manifest.tools.iter().any(is) {
            return true;
        }
        // One that does not know the op has the tools of its manifest.
        let now: Result<ToolsReply, _> = self.ask_one(slot, "tools", "tools-reply", &serde_json::json!({}));
        now.is_ok_and(|now| now.tools.iter().any(is))
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
    ) -> Result<T, RunError> {
        let failed = |finding: Finding| {
            let finding = if finding.hint.is_some() { finding } else { finding.hint(REPORT) };
            RunError::Failed(Box::new(finding.about(&slot.id)))
        };
        let input = serde_json::to_vec(request).unwrap_or_default().into();
        let question = Question { op, name: op.to_owned(), input };
        let answer = ask::ask(std::slice::from_ref(slot), &question, &self.loader, || ()).pop();
        let reply = answer.map(|answer| {
            self.tell(answer.findings);
            answer.reply
        });
        let bytes = reply.transpose().map_err(failed)?.unwrap_or_default();
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
