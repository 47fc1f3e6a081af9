//! Claude Code and Codex with our hooks: the same tests, since the same must hold.

use std::{process::Stdio, time::Duration};

use serde_json::json;

use super::{
    brief, claude, codex, editor, editor_with, everything, log,
    model::{Asked, Model, Turn},
    process::{NothingLeft, command, ctxhost},
};
use crate::harness::{Place, Ran, example, provider};

/// Which agent.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Claude,
    Codex,
}

/// Who answers a prompt: a process of its own, or the MCP server that runs already.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Command,
    Mcp,
}

/// What either agent writes where it cuts a text.
const CUT: [&str; 4] = ["persisted-output", "truncated output", "Output too large", "Full hook output saved"];

/// An agent with our hooks in a place.
struct Hooked<'a> {
    kind: Kind,
    way: Way,
    place: &'a Place,
    _left: NothingLeft,
}

/// Does the same with both agents and both ways to answer a prompt.
fn each(place: impl Fn() -> Place, test: impl Fn(&Hooked<'_>)) {
    for kind in [Kind::Claude, Kind::Codex] {
        each_way(kind, &place, &test);
    }
}

/// Does the same with both ways to answer a prompt.
fn each_way(kind: Kind, place: impl Fn() -> Place, test: impl Fn(&Hooked<'_>)) {
    for way in [Way::Command, Way::Mcp] {
        eprintln!("with {kind:?} by {way:?}:");
        let place = place();
        test(&Hooked::install(kind, way, &place));
    }
}

impl<'a> Hooked<'a> {
    fn install(kind: Kind, way: Way, place: &'a Place) -> Self {
        let agent = match kind {
            Kind::Claude => "claude-code",
            Kind::Codex => {
                codex::configure(place);
                "codex"
            }
        };
        let hook = match way {
            Way::Command => "command",
            Way::Mcp => "mcp-tool",
        };
        let mut install = command(place, &ctxhost(place));
        Ran::of(install.args(["install", agent, "--hook", hook]).stdin(Stdio::null()), None).ends(0);
        Self { kind, way, place, _left: NothingLeft::of(place) }
    }

    fn run(&self, model: &Model, prompt: &str, continues: bool) -> Ran {
        let run = match self.kind {
            Kind::Claude => claude::prompt,
            Kind::Codex => codex::prompt,
        };
        Ran::of(run(self.place, model, prompt, continues).stdin(Stdio::null()), None).ends(0)
    }

    /// Sends the first prompt of a conversation.
    #[track_caller]
    fn prompt(&self, model: &Model, prompt: &str) -> Ran {
        self.run(model, prompt, false)
    }

    /// Sends another prompt of the same conversation.
    #[track_caller]
    fn resume(&self, model: &Model, prompt: &str) -> Ran {
        self.run(model, prompt, true)
    }

    /// A turn that runs a line of shell.
    fn shell(&self, text: &str, line: &str) -> Turn {
        let (name, arguments) = match self.kind {
            Kind::Claude => claude::shell(line),
            Kind::Codex => codex::shell(line),
        };
        Turn::text(text).call(name, arguments)
    }

    /// Who a hook's text comes from, in this agent.
    fn role(&self) -> &'static str {
        match self.kind {
            Kind::Claude => "system",
            Kind::Codex => "developer",
        }
    }
}

fn with_editor() -> Place {
    let place = Place::with(&[provider("ide-context")]);
    editor(&place);
    place
}

fn with_everything(settings: &str) -> Place {
    let place = Place::with(&[example("everything")]);
    place.config(&everything(settings));
    place
}

#[track_caller]
fn not_cut(asked: &Asked) {
    for mark in CUT {
        assert_eq!(asked.count(mark), 0, "{mark:?} is in\n{asked}");
    }
}

#[test]
fn the_editor_is_in_the_request() {
    each(with_editor, |agent| {
        let model = Model::saying([Turn::text("hello")]);
        assert_eq!(agent.prompt(&model, "what is open?").out.trim(), "hello");
        let asked = model.last();
        let (_, said) = asked.only("opened.rs");
        assert_eq!(said.role, agent.role(), "{asked}");
        assert!(said.text.contains("<ctxhost-section provider=\"ide-context\""), "{asked}");
        not_cut(&asked);
    });
}

#[test]
fn what_has_not_changed_is_not_repeated_and_what_has_is_added() {
    each(with_editor, |agent| {
        let model = Model::saying([]);
        agent.prompt(&model, "first");
        agent.resume(&model, "second");
        let asked = model.last();
        assert!(asked.count("first") > 0 && asked.count("second") > 0, "{asked}");
        assert_eq!(asked.count("provider=\"ide-context\""), 1, "{asked}");
        editor_with(agent.place, "another.rs");
        agent.resume(&model, "third");
        let asked = model.last();
        assert_eq!(asked.count("provider=\"ide-context\""), 2, "{asked}");
        assert!(asked.only("another.rs").1.text.contains("supersedes=\""), "{asked}");
    });
}

#[test]
fn providers_are_told_what_happens() {
    let place = || {
        let place = with_everything("");
        place.config(&everything(&format!("log = '{}'", place.path("log").display())));
        place
    };
    each(place, |agent| {
        let model = Model::saying([agent.shell("I look.", "true"), agent.shell("And again.", "exit 3")]);
        agent.prompt(&model, "first");
        agent.resume(&model, "second");
        assert_eq!(model.asked().len(), 4, "the end of a turn is the end: nothing is asked again");
        let log = log(agent.place);
        let mut heard: Vec<String> = log.iter().map(brief).collect();
        // The MCP server has a start of its own, at any time.
        heard.retain(|what| what != "session.start startup");
        // Both call their shell so.
        let expected = [
            "prompt true",
            "tool.before Bash",
            "tool.after Bash",
            "tool.before Bash",
            "tool.after Bash",
            "turn.end",
            "session.end other",
            "session.start resume",
            "prompt false",
            "turn.end",
            "session.end other",
        ];
        assert_eq!(heard, expected);
        let of = |event: &str| log.iter().filter(|one| one["event"] == event).collect::<Vec<_>>();
        let (prompts, call) = (of("prompt"), of("tool.before")[0]);
        // Codex does not say which calls failed.
        let failed: Vec<bool> = of("tool.after").iter().map(|one| one["data"]["is_error"] == true).collect();
        assert_eq!(failed, [false, agent.kind == Kind::Claude]);
        let name = if agent.kind == Kind::Claude { "claude-code" } else { "codex" };
        assert_eq!(call["agent"]["name"], name);
        assert_eq!(call["session"]["life"], "once");
        assert_eq!(prompts[0]["session"]["id"], prompts[1]["session"]["id"]);
        assert_eq!(prompts[0]["session"]["id"], call["session"]["id"]);
        let life = if agent.way == Way::Command { "once" } else { "long" };
        assert_eq!(prompts[0]["session"]["life"], life);
        assert_eq!(prompts[0]["visible"], json!([]));
        assert_eq!(prompts[1]["visible"].as_array().map(Vec::len), Some(1));
    });
}

#[test]
fn a_large_section_comes_in_a_size_that_fits() {
    each(
        || with_everything(""),
        |agent| {
            for (word, size) in [("everything:large", "6000"), ("everything:wide", "6000")] {
                let model = Model::saying([]);
                agent.prompt(&model, word);
                let asked = model.last();
                not_cut(&asked);
                asked.only(&format!("in {size} bytes"));
                asked.only("the end of what is large");
                asked.only("everything is as it should be");
            }
        },
    );
}

#[test]
fn a_session_section_comes_once() {
    each(
        || with_everything("session = \"said when it began\"\n"),
        |agent| {
            let model = Model::saying([]);
            agent.prompt(&model, "first");
            assert_eq!(model.last().count("said when it began"), 1, "{}", model.last());
            agent.resume(&model, "second");
            let asked = model.last();
            assert_eq!(asked.count("said when it began"), 1, "{asked}");
            assert_eq!(asked.count("everything is as it should be"), 1, "{asked}");
        },
    );
}

#[test]
fn after_a_compaction_everything_is_back_exactly_once() {
    each(
        || with_everything("session = \"said when it began\"\n"),
        |agent| {
            let mut first = true;
            let full = agent.shell("I look.", "echo hello").tokens(codex::FULL + 1_000);
            let codex = agent.kind == Kind::Codex;
            let model = Model::answering(move |_| {
                // Codex compacts by itself, in the middle of a turn.
                if std::mem::take(&mut first) && codex { full.clone() } else { Turn::text("done") }
            });
            agent.prompt(&model, "first");
            if !codex {
                agent.resume(&model, "/compact");
            }
            assert!(model.summaries() > 0, "nothing was compacted");
            agent.resume(&model, "second");
            let asked = model.last();
            assert_eq!(asked.count("said when it began"), 1, "{asked}");
            assert_eq!(asked.count("everything is as it should be"), 1, "{asked}");
            agent.resume(&model, "third");
            let asked = model.last();
            assert_eq!(asked.count("said when it began"), 1, "{asked}");
            assert_eq!(asked.count("everything is as it should be"), 1, "{asked}");
        },
    );
}

#[test]
fn a_blocked_call_shows_the_reason() {
    each(
        || with_everything(""),
        |agent| {
            let file = agent.place.path("work/made.txt");
            let line = format!("touch '{}' # everything:block", file.display());
            let model = Model::saying([agent.shell("I will make it.", &line), Turn::text("well")]);
            assert_eq!(agent.prompt(&model, "make it").out.trim(), "well");
            let asked = model.last();
            let (_, said) = asked.only("everything blocks run");
            assert_eq!(said.role, "tool", "{asked}");
            assert!(said.text.contains("after \"I will make it.\""), "{asked}");
            assert!(!file.exists(), "the blocked call happened");
        },
    );
}

#[test]
fn guidance_arrives_and_the_call_happens() {
    each(
        || with_everything(""),
        |agent| {
            let model = Model::saying([agent.shell("", "echo everything:guide"), Turn::text("well")]);
            agent.prompt(&model, "run");
            let asked = model.last();
            let (_, said) = asked.only("everything would look first");
            assert_eq!(said.role, agent.role(), "{asked}");
            let done =
                asked.said.iter().any(|said| said.role == "tool" && said.text.contains("everything:guide"));
            assert!(done, "{asked}");
        },
    );
}

#[test]
fn a_tool_is_called_and_its_result_arrives() {
    each(
        || with_everything(""),
        |agent| {
            let tool = "mcp__ctxhost__everything_echo";
            let call = Turn::text("").call(tool, json!({"text": "heard it"}));
            let model = Model::saying([call, Turn::text("fine")]);
            assert_eq!(agent.prompt(&model, "echo").out.trim(), "fine");
            let asked = model.asked();
            // Claude Code only names the tools of MCP servers, until the model asks for them.
            let named = asked[0].tools.iter().any(|name| name == tool) || asked[0].count(tool) > 0;
            assert!(named, "{}", asked[0]);
            assert!(asked[0].body.contains("Use everything_echo when an echo is asked for."), "{}", asked[0]);
            let (_, said) = asked[1].only("echo: heard it");
            assert_eq!(said.role, "tool", "{}", asked[1]);
            assert!(!said.text.contains("shown"), "details are for people: {}", asked[1]);
        },
    );
}

/// Codex lists the tools of a server once.
#[test]
fn a_found_tool_can_be_called_in_claude_code() {
    each_way(
        Kind::Claude,
        || with_everything(""),
        |agent| {
            let model = Model::saying([
                Turn::text("").call("mcp__ctxhost__everything_search", json!({})),
                // Meanwhile the agent asks for the list anew.
                Turn::text("")
                    .call("mcp__ctxhost__everything_found", json!({}))
                    .after(Duration::from_secs(2)),
                Turn::text("fine"),
            ]);
            assert_eq!(agent.prompt(&model, "search").out.trim(), "fine");
            model.last().only("the found tool answers");
        },
    );
}

#[test]
fn whatever_fails_costs_its_section_and_never_the_prompt() {
    let place = || {
        let place = with_everything("");
        place.install(&example("good"));
        place.config("[deadlines]\nprompt = 2000\n");
        place
    };
    each(place, |agent| {
        for word in ["panic", "fail", "hang"] {
            let model = Model::saying([Turn::text("answered")]);
            let ran = agent.prompt(&model, &format!("everything:{word}"));
            assert_eq!(ran.out.trim(), "answered");
            let asked = model.last();
            asked.only("the good section");
            assert_eq!(asked.count("provider=\"everything\""), 0, "{asked}");
        }
        for word in ["abort", "kill"] {
            let model = Model::saying([Turn::text("answered")]);
            assert_eq!(agent.prompt(&model, &format!("everything:{word}")).out.trim(), "answered");
            assert_eq!(model.last().count("<ctxhost v="), 0);
        }
    });
}
