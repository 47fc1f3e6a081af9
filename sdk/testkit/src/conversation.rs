//! A conversation as a scenario: what is asked and done in it step by step, and what it shows after that.
//!
//! What reaches a conversation is the host's to say: its own composing gives ids, leaves out what is shown already, and
//! holds the budget.

use std::{collections::BTreeMap, fs, time::Duration};

use ctxhost::{
    compose::{Injection, Limit, Placed, Plan, QuarterOfCharacters, compose},
    settings::Repeat,
};
use ctxhost_sdk::{
    Exported,
    prelude::Request,
    protocol::envelope::Visible,
    serde::Deserialize,
    serde_json::{self, Value, json},
};

use crate::{
    harness::Harness,
    scenario::{Stage, holds, merge},
};

/// The file whose presence makes a scenario a conversation.
pub(crate) const FILE: &str = "conversation.json";

/// What passes between two steps: more than any two calls that count as one, and than any two writes that count as one.
const BETWEEN: Duration = Duration::from_secs(1);

/// What happens next.
#[derive(Deserialize)]
#[serde(crate = "ctxhost_sdk::serde", rename_all = "lowercase")]
enum Step {
    Ask(Ask),
    Command(Command),
    Write(BTreeMap<String, Option<String>>),
    Lose(Vec<String>),
    Begin(Value),
}

/// An event is asked about, and its answer reaches the conversation.
#[derive(Deserialize)]
#[serde(crate = "ctxhost_sdk::serde", deny_unknown_fields)]
struct Ask {
    /// As in `request.json`.
    request: Value,
    /// As in `expected.json`.
    #[serde(default)]
    expected: Option<Value>,
    /// The sections that the conversation shows after this and did not show before, each with what it must hold.
    #[serde(default)]
    shown: Option<Value>,
    /// The most tokens that these take.
    #[serde(default)]
    within: Option<u64>,
}

/// A person runs a command.
#[derive(Deserialize)]
#[serde(crate = "ctxhost_sdk::serde", deny_unknown_fields)]
struct Command {
    name: String,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    expected: Option<Value>,
}

/// Plays all steps; an error names the one that differs.
pub(crate) fn run<P: Exported>(stage: &Stage<'_>) -> Result<(), String> {
    let steps: Vec<Value> =
        serde_json::from_value(stage.read(FILE)?).map_err(|error| format!("{FILE}: {error}"))?;
    let mut talk =
        Talk { stage, harness: stage.harness::<P>(stage.settings()?)?, visible: Vec::new(), first: true };
    for (number, step) in steps.into_iter().enumerate() {
        let at = |why: String| format!("step {}: {why}", number + 1);
        talk.harness.clock().advance(BETWEEN);
        let step = serde_json::from_value(step).map_err(|error| at(format!("{FILE}: {error}")))?;
        talk.goes_on(step).map_err(at)?;
    }
    Ok(())
}

struct Talk<'a, P> {
    stage: &'a Stage<'a>,
    harness: Harness<P>,
    visible: Vec<Visible>,
    first: bool,
}

impl<P: Exported> Talk<'_, P> {
    fn goes_on(&mut self, step: Step) -> Result<(), String> {
        match step {
            Step::Ask(ask) => self.asks(&ask),
            Step::Command(command) => self.runs(&command),
            Step::Write(files) => {
                files.iter().try_for_each(|(path, text)| self.writes(path, text.as_deref()))
            }
            Step::Lose(keys) => {
                self.visible.retain(|shown| !keys.contains(&shown.key));
                Ok(())
            }
            Step::Begin(settings) => {
                self.harness = self.stage.harness(Some(settings))?;
                (self.visible, self.first) = (Vec::new(), true);
                Ok(())
            }
        }
    }

    fn asks(&mut self, ask: &Ask) -> Result<(), String> {
        let request = self.request(&ask.request)?;
        let (contribution, reply) = self.harness.answered(&request).map_err(|failure| failure.to_string())?;
        let injection = compose(
            &[contribution],
            &Plan {
                order: &[],
                repeat: Repeat::OnChange,
                limit: Limit { tokens: request.budget.tokens, ..Limit::default() },
                visible: &self.visible,
                estimator: &QuarterOfCharacters,
            },
        );
        self.visible.extend(injection.sections.iter().map(|placed| Visible {
            provider: placed.provider.clone(),
            key: placed.key.clone(),
            id: placed.id.clone(),
        }));
        let reply = serde_json::to_value(reply).map_err(|error| error.to_string())?;
        ask.expected.as_ref().map_or(Ok(()), |expected| holds(&reply, expected))?;
        ask.shown.as_ref().map_or(Ok(()), |shown| {
            holds(&document(&injection), shown).map_err(|why| format!("shown: {why}"))
        })?;
        let tokens: u64 = injection.sections.iter().map(|placed| placed.tokens).sum();
        match ask.within {
            Some(most) if tokens > most => Err(format!("{tokens} tokens are shown, and {most} may be")),
            _ => Ok(()),
        }
    }

    /// The request, in a session of its own, with what the conversation shows.
    fn request(&mut self, given: &Value) -> Result<Request, String> {
        let mut filled = json!({"session": {"id": "scenario"}});
        match given.get("event").and_then(Value::as_str).unwrap_or("prompt") {
            "prompt" => filled["data"]["first"] = json!(std::mem::replace(&mut self.first, false)),
            // A summary takes the conversation's place.
            "compact" if given["data"]["phase"] == "after" => self.visible.clear(),
            _ => {}
        }
        filled["visible"] = serde_json::to_value(&self.visible).map_err(|error| error.to_string())?;
        merge(&mut filled, given);
        self.stage.request(&self.harness, FILE, &filled)
    }

    fn runs(&self, command: &Command) -> Result<(), String> {
        let args: Vec<&str> = command.args.iter().map(String::as_str).collect();
        let reply = self.harness.command(&command.name, &args, self.stage.root());
        let reply = serde_json::to_value(reply.map_err(|failure| failure.to_string())?);
        let reply = reply.map_err(|error| error.to_string())?;
        command.expected.as_ref().map_or(Ok(()), |expected| holds(&reply, expected))
    }

    /// Writes a file of the workspace, or removes it.
    fn writes(&self, path: &str, text: Option<&str>) -> Result<(), String> {
        let file = self.stage.root().join(path);
        let folder = file.parent().map_or(Ok(()), fs::create_dir_all);
        let done =
            folder.and_then(|()| text.map_or_else(|| fs::remove_file(&file), |text| fs::write(&file, text)));
        done.map_err(|error| format!("{path}: {error}"))
    }
}

/// What has reached the conversation.
fn document(injection: &Injection) -> Value {
    let section =
        |placed: &Placed| json!({"key": placed.key, "body": placed.body, "supersedes": placed.supersedes});
    injection.sections.iter().map(section).collect()
}
