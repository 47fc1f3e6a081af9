//! What a conversation shows over several prompts, and after a compaction.

use serde_json::json;

use super::{run::each, with_editor, with_everything, with_log};
use crate::agents::{
    brief, editor_with, log,
    model::{Asked, Model, Turn},
};

#[test]
fn the_second_request_starts_with_all_of_the_first() {
    each(with_editor, |pi| {
        let model = Model::saying([Turn::text("one"), Turn::text("two"), Turn::text("three")]);
        let mut rpc = pi.rpc(&model, &[]);
        rpc.prompt("first");
        rpc.prompt("second");
        editor_with(pi.place, "another.rs");
        rpc.prompt("third");
        rpc.close();
        let asked = model.asked();
        assert_eq!(asked.len(), 3);
        for (earlier, later) in asked.iter().zip(&asked[1..]) {
            assert!(later.history().starts_with(earlier.history()), "{earlier}\nand then\n{later}");
            assert!(later.history().len() > earlier.history().len());
        }
        // What has not changed is not said again; what has is added, and takes the place of the older one.
        assert_eq!(asked[1].count("provider=\"ide-context\""), 1, "{}", asked[1]);
        assert_eq!(asked[2].count("provider=\"ide-context\""), 2, "{}", asked[2]);
        assert!(asked[2].only("another.rs").1.text.contains("supersedes=\""), "{}", asked[2]);
    });
}

#[test]
fn a_resumed_session_does_not_repeat_what_it_shows() {
    each(with_editor, |pi| {
        let model = Model::saying([]);
        pi.print(&model, "first", &[]);
        pi.print(&model, "second", &["--continue"]);
        let asked = model.last();
        asked.only("first");
        asked.only("second");
        assert_eq!(asked.count("provider=\"ide-context\""), 1, "{asked}");
    });
}

#[test]
fn after_a_compaction_everything_is_back_exactly_once() {
    let place = || with_everything("session = \"said when it began\"\nprompt = \"with the prompt\"\n");
    each(place, |pi| {
        let model = Model::saying([]);
        let mut rpc = pi.rpc(&model, &[]);
        rpc.prompt(&format!("first {}", "of many words ".repeat(400)));
        rpc.prompt("second");
        let once = |asked: &Asked| {
            assert_eq!(
                (asked.count("said when it began"), asked.count("with the prompt")),
                (1, 1),
                "{asked}"
            );
        };
        once(&model.last());
        rpc.request(json!({"type": "compact"}));
        assert!(model.summaries() > 0, "nothing was compacted");
        rpc.prompt("third");
        once(&model.last());
        rpc.prompt("fourth");
        once(&model.last());
        rpc.close();
    });
}

#[test]
fn there_is_one_host_whatever_happens_to_the_session() {
    each(with_editor, |pi| {
        let model = Model::saying([]);
        let mut rpc = pi.rpc(&model, &[]);
        rpc.prompt("first");
        pi.only_host();
        let file = rpc.request(json!({"type": "get_state"}))["sessionFile"].clone();
        rpc.request(json!({"type": "new_session"}));
        rpc.prompt("in a new one");
        model.last().only("opened.rs");
        pi.only_host();
        rpc.request(json!({"type": "switch_session", "sessionPath": file}));
        rpc.prompt("back in the first");
        assert_eq!(model.last().count("provider=\"ide-context\""), 1);
        pi.only_host();
        let entry = rpc.request(json!({"type": "get_fork_messages"}))["messages"][1]["entryId"].clone();
        rpc.request(json!({"type": "fork", "entryId": entry}));
        rpc.prompt("in a fork");
        assert_eq!(model.last().count("provider=\"ide-context\""), 1);
        pi.only_host();
        rpc.close();
    });
}

/// An extension with a command that reloads Pi, and a word when a session has started.
const RELOADS: &str = r#"export default function (pi) {
	pi.registerCommand("do-reload", { description: "Reloads Pi", handler: (_line, ctx) => ctx.reload() });
	pi.on("session_start", (event, ctx) => ctx.ui.notify(`started: ${event.reason}`, "info"));
}
"#;

#[test]
fn a_reload_replaces_the_host_and_repeats_nothing() {
    each(with_editor, |pi| {
        let extension = pi.place.write("reloads.ts", RELOADS);
        let model = Model::saying([]);
        let mut rpc = pi.rpc(&model, &["-e", extension.to_str().expect("UTF-8")]);
        rpc.prompt("first");
        let mut host = pi.only_host();
        for prompt in ["after one reload", "after another one"] {
            rpc.send(&json!({"type": "prompt", "message": "/do-reload"}));
            rpc.wait("start after the reload", |one| one["message"] == "started: reload");
            rpc.prompt(prompt);
            let next = pi.only_host();
            assert_ne!(next, host, "the host of the extension that is gone lives on");
            host = next;
            let asked = model.last();
            asked.only(prompt);
            asked.only("opened.rs");
            assert_eq!(asked.count("provider=\"ide-context\""), 1, "{asked}");
        }
        // The new one is asked, and says what is new.
        editor_with(pi.place, "another.rs");
        rpc.prompt("last");
        let asked = model.last();
        asked.only("another.rs");
        assert_eq!(asked.count("provider=\"ide-context\""), 2, "{asked}");
        assert_eq!(model.asked().len(), 4, "a command is not for the model");
        assert_eq!(rpc.warnings(), Vec::<String>::new());
        rpc.close();
    });
}

#[test]
fn messages_are_rewritten_for_one_call_only() {
    each(
        || with_everything("prompt = \"-\"\n"),
        |pi| {
            let model = Model::saying([]);
            let mut rpc = pi.rpc(&model, &[]);
            rpc.prompt("everything:forget this");
            rpc.prompt("plain");
            model.last().only("everything:forget this");
            rpc.prompt("everything:rewrite now");
            let asked = model.last();
            assert_eq!(asked.count("everything:forget"), 0, "{asked}");
            let (at, _) = asked.only("everything remembers this instead");
            assert_eq!(at + 1, asked.only("everything:rewrite now").0, "{asked}");
            rpc.close();
        },
    );
}

#[test]
fn a_quote_and_an_entry_are_stored_beside_the_message() {
    each(
        || with_everything(""),
        |pi| {
            let model = Model::saying([]);
            pi.print(&model, "everything:quote please", &[]);
            let entries = pi.session_entries();
            let of =
                |kind: &str| entries.iter().filter(|entry| entry["customType"] == kind).collect::<Vec<_>>();
            let quotes = of("ctxhost-quote");
            assert_eq!(quotes.len(), 1, "{entries:#?}");
            assert_eq!(quotes[0]["data"]["quotes"][0]["text"], "quoted by everything");
            let seen = of("everything.seen");
            assert_eq!(seen.len(), 1, "{entries:#?}");
            let prompt = entries.iter().find(|entry| entry["message"]["role"] == "user").expect("a prompt");
            assert_eq!(seen[0]["data"]["message"], prompt["id"]);
            assert_eq!(seen[0]["data"]["data"], json!({"prompt": 1}));
            assert_eq!(model.last().count("quoted by everything"), 0, "a quote is for people");
        },
    );
}

#[test]
fn providers_are_told_what_happens() {
    each(with_log, |pi| {
        let model = Model::saying([Turn::text("").call("bash", json!({"command": "true"}))]);
        let mut rpc = pi.rpc(&model, &[]);
        rpc.prompt(&format!("first {}", "of many words ".repeat(400)));
        rpc.prompt("second");
        rpc.request(json!({"type": "compact"}));
        rpc.request(json!({"type": "new_session"}));
        rpc.prompt("first of another");
        rpc.close();
        let log = log(pi.place);
        let mut heard: Vec<String> = log.iter().map(brief).collect();
        // Nobody waits for the answer to the end of a turn, so another event may overtake it.
        let ends = heard.iter().filter(|what| *what == "turn.end").count();
        assert_eq!(ends, 3, "{heard:?}");
        heard.retain(|what| what != "model_call" && what != "turn.end");
        let expected = [
            "session.start startup",
            "prompt true",
            "tool.before bash",
            "tool.after bash",
            "prompt false",
            "compact before",
            "compact after",
            "session.end new",
            "session.start new",
            "prompt true",
            "session.end quit",
        ];
        assert_eq!(heard, expected);
        let agent = &log[0]["agent"];
        assert_eq!((&agent["name"], &agent["model"]["id"]), (&json!("pi"), &json!("test-model")));
        assert_eq!(agent["model"]["context_window"], 200_000);
        assert_eq!(log[0]["session"]["life"], "long");
        let prompts: Vec<_> = log.iter().filter(|one| one["event"] == "prompt").collect();
        let sees = |at: usize| prompts[at]["visible"].as_array().map_or(0, Vec::len);
        assert_eq!((sees(0), sees(1), sees(2)), (0, 1, 0));
        assert_ne!(prompts[0]["session"]["id"], prompts[2]["session"]["id"]);
    });
}
