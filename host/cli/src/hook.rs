//! The hooks of Claude Code and Codex: one event in the agent's JSON, one answer in the agent's JSON.
//!
//! `ctxhost hook` asks it in a process of its own, the MCP tool `ctxhost_inject` in one that is warm already.

mod transcript;
mod vocabulary;

use std::path::{Path, PathBuf};

use ctxhost::{
    Asking, Cancel, Event, Outcome, Prepared, Session, Surroundings,
    finding::{Finding, FindingExt as _, Level},
    flow::Decided,
    protocol::envelope::{
        Agent, CompactData, Model, Own, Phase, SessionEndData, SessionStartData, ToolAfterData,
        ToolBeforeData, TurnEndData,
    },
};
use serde_json::{Map, Value, json};

/// The longest text that either agent is given at once. From 10,000 on Claude Code shows a preview of 2 KB and Codex cuts
/// out the middle (tried with Claude Code 2.1.332 and Codex 0.171.0).
const LONGEST: u64 = 9_500;

/// How the tools of our MCP server are called at a hook.
const OWN_TOOLS: &str = "mcp__ctxhost__";

/// Whose hooks they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HookAgent {
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
}

impl HookAgent {
    /// The agent of a name.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        match name {
            "claude-code" => Some(Self::ClaudeCode),
            "codex" => Some(Self::Codex),
            _ => None,
        }
    }

    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
        }
    }

    /// What the host is told of it.
    pub(crate) fn describe(self, surroundings: &Surroundings, model: Option<&str>) -> Agent {
        let (variable, folder) = match self {
            Self::ClaudeCode => ("CLAUDE_CONFIG_DIR", ".claude"),
            Self::Codex => ("CODEX_HOME", ".codex"),
        };
        let config_dir = surroundings.var(variable).map(PathBuf::from);
        let config_dir = config_dir.or_else(|| surroundings.home.as_deref().map(|home| home.join(folder)));
        let can = ["inject.session", "inject.prompt", "block", "tools", "notify"];
        Agent {
            name: self.name().to_owned(),
            config_dir: config_dir.and_then(|folder| folder.to_str().map(str::to_owned)),
            model: model.map(|id| Model { id: id.to_owned(), context_window: None }),
            can: can.map(str::to_owned).to_vec(),
            ..Agent::default()
        }
    }

    fn asking(self, fields: &Fields<'_>, cancel: &Cancel) -> Asking {
        let turn = fields.text("prompt_id").or(fields.text("turn_id")).map(str::to_owned);
        let asking = Asking { turn, cancel: cancel.clone(), ..Asking::default() };
        match self {
            // It counts UTF-16 code units.
            Self::ClaudeCode => Asking { max_characters: Some(LONGEST), ..asking },
            // It counts UTF-8 bytes, of which a text never has fewer than characters.
            Self::Codex => Asking { max_bytes: Some(LONGEST), ..asking },
        }
    }
}

/// What an agent sends a hook.
pub(crate) struct Fields<'a>(pub(crate) &'a Map<String, Value>);

impl Fields<'_> {
    /// A text that is there and not empty.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
    }

    fn owned(&self, name: &str) -> String {
        self.text(name).unwrap_or_default().to_owned()
    }

    /// A value, also where it was handed through as its JSON text.
    fn value(&self, name: &str) -> Value {
        match self.0.get(name) {
            Some(Value::String(text)) => {
                serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone()))
            }
            Some(value) => value.clone(),
            None => Value::Null,
        }
    }

    /// The agent's working directory, where it is one that providers can be told of.
    pub(crate) fn cwd(&self) -> Option<&Path> {
        self.text("cwd").map(Path::new).filter(|cwd| cwd.is_absolute())
    }
}

/// An answer, and what is to be said once it is delivered.
pub(crate) struct Answer {
    /// The agent's own JSON; `{}` when there is nothing to say.
    pub(crate) document: Value,
    prepared: Option<Prepared>,
}

impl Answer {
    fn nothing() -> Self {
        Self { document: json!({}), prepared: None }
    }

    /// Lets the session remember what was delivered.
    pub(crate) fn delivered(self) -> Vec<Finding> {
        self.prepared.map(Prepared::delivered).unwrap_or_default()
    }
}

/// Answers one event.
pub(crate) fn answer(agent: HookAgent, fields: &Fields<'_>, session: &Session, cancel: &Cancel) -> Answer {
    let name = fields.text("hook_event_name").unwrap_or_default();
    let asking = agent.asking(fields, cancel);
    // The answer to an event at which the agent takes no text has no place for findings either.
    let quiet = |event: Event| {
        let asking = Asking { tell_later: true, ..asking.clone() };
        Answer { prepared: Some(session.prepare(event, &asking)), ..Answer::nothing() }
    };
    match name {
        "SessionStart" => {
            let reason = fields.owned("source");
            if matches!(reason.as_str(), "compact" | "clear") {
                // The summary is made: whatever the conversation showed is gone, and this is where it comes back.
                let data = CompactData { phase: Phase::After, reason: reason.clone() };
                quiet(Event::Compact(data)).delivered();
            }
            let event = Event::SessionStart(SessionStartData { reason });
            speak(name, session.prepare(event, &asking))
        }
        "UserPromptSubmit" => speak(name, session.prepare(Event::prompt(fields.owned("prompt")), &asking)),
        "PreToolUse" => {
            if !session.wants("tool.before") && !session.has_waiting_text() {
                return Answer::nothing();
            }
            let call = call(fields, session, agent, true);
            speak(name, session.prepare(Event::ToolBefore(call), &asking))
        }
        "PostToolUse" | "PostToolUseFailure" => {
            if !session.wants("tool.after") && !session.has_waiting_text() {
                return Answer::nothing();
            }
            let data = ToolAfterData {
                call: call(fields, session, agent, false),
                // Of a call that failed Claude Code sends what went wrong in place of a result.
                content: content(
                    ["tool_response", "error"]
                        .iter()
                        .find_map(|name| fields.0.get(*name))
                        .cloned()
                        .unwrap_or_default(),
                ),
                details: None,
                is_error: name == "PostToolUseFailure",
            };
            speak(name, session.prepare(Event::ToolAfter(data), &asking))
        }
        "PreCompact" => {
            let data = CompactData { phase: Phase::Before, reason: fields.owned("trigger") };
            quiet(Event::Compact(data))
        }
        // A start with the source `compact` has said so already, and what it delivered is there.
        "PostCompact" if !session.is_compacting() => Answer::nothing(),
        "PostCompact" => {
            let data = CompactData { phase: Phase::After, reason: fields.owned("trigger") };
            quiet(Event::Compact(data))
        }
        "Stop" => {
            let assistant_text = fields.text("last_assistant_message").map(str::to_owned);
            quiet(Event::TurnEnd(TurnEndData { assistant_text, usage: None }))
        }
        "SessionEnd" => {
            let data = SessionEndData { reason: fields.owned("reason") };
            quiet(Event::SessionEnd(data))
        }
        _ => Answer::nothing(),
    }
}

/// The answer to an event at which the agent takes text or a decision.
fn speak(event: &str, prepared: Prepared) -> Answer {
    let outcome = &prepared.outcome;
    let mut output = Map::new();
    match &outcome.decision {
        Some(Decided::Block { reason, .. }) if event == "PreToolUse" => {
            output.insert("permissionDecision".to_owned(), json!("deny"));
            output.insert("permissionDecisionReason".to_owned(), json!(reason));
        }
        // After the call nothing can be blocked any more.
        Some(Decided::Block { reason: text, .. } | Decided::Guidance(text)) => {
            output.insert("additionalContext".to_owned(), json!(text));
        }
        None if !outcome.injection.text.is_empty() => {
            output.insert("additionalContext".to_owned(), json!(outcome.injection.text));
        }
        None => {}
    }
    let mut document = Map::new();
    if !output.is_empty() {
        output.insert("hookEventName".to_owned(), json!(event));
        document.insert("hookSpecificOutput".to_owned(), Value::Object(output));
    }
    let told: Vec<String> = warnings(outcome).into_iter().chain(shown(outcome)).collect();
    if !told.is_empty() {
        document.insert("systemMessage".to_owned(), json!(told.join("\n")));
    }
    Answer { document: Value::Object(document), prepared: Some(prepared) }
}

/// What the person is told; both agents show it beside the conversation and not to the model.
pub(crate) fn warnings(outcome: &Outcome) -> Option<String> {
    let told = outcome.findings.iter().filter(|finding| finding.level < Level::Info);
    let lines: Vec<String> = told.take(5).map(|finding| format!("ctxhost: {}", finding.line())).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// What people are to see of sections themselves: neither agent shows a hook's text to anybody but the model, nor a quote
/// under a message, so that only what asks to be shown is worth a line of its own.
fn shown(outcome: &Outcome) -> impl Iterator<Item = String> + '_ {
    outcome.injection.sections.iter().filter_map(|section| {
        let person = section.person.as_ref().filter(|person| person.show)?;
        Some(format!("ctxhost: {}", person.quote.as_ref().unwrap_or(&section.title)))
    })
}

/// A tool call in the words of the envelope.
fn call(fields: &Fields<'_>, session: &Session, agent: HookAgent, before: bool) -> ToolBeforeData {
    let name = fields.text("tool_name").unwrap_or("unknown");
    let id = fields.text("tool_use_id").unwrap_or("unknown").to_owned();
    let input = fields.value("tool_input");
    let (kind, paths) = vocabulary::translate(name, &input);
    let own = name.strip_prefix(OWN_TOOLS).and_then(|own| session.own_tool(own));
    let assistant_text = fields.text("transcript_path").filter(|_| before).and_then(|path| {
        let path = Path::new(path);
        match agent {
            HookAgent::ClaudeCode => transcript::of_claude_code(path, &id),
            HookAgent::Codex => transcript::of_codex(path, &id),
        }
    });
    ToolBeforeData {
        id,
        name: own.as_ref().map_or(name, |own: &Own| own.tool.as_str()).to_owned(),
        kind,
        paths,
        input,
        own,
        parent_id: None,
        assistant_text,
    }
}

/// A tool's result as pieces: an agent's own shape, whichever it is.
fn content(response: Value) -> Vec<Map<String, Value>> {
    let text = |text: String| {
        let piece = json!({"type": "text", "text": text});
        piece.as_object().cloned().unwrap_or_default()
    };
    match response {
        Value::Null => Vec::new(),
        Value::String(words) => vec![text(words)],
        Value::Object(fields) => vec![fields],
        Value::Array(items) => items
            .into_iter()
            .map(|item| match item {
                Value::Object(fields) => fields,
                Value::String(words) => text(words),
                other => text(other.to_string()),
            })
            .collect(),
        other => vec![text(other.to_string())],
    }
}
