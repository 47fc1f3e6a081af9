//! The code of a real repository in real agents: this project's own, cloned.

mod cold;
mod long_turn;

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::{
    claude, codex,
    model::{Asked, Model, Turn},
    pi,
    process::{NothingLeft, command, ctxhost},
};
use crate::harness::{Place, Ran, grammars, provider, root};

/// A question about this project, and the line that answers it.
const QUESTION: &str = "what decides at which place a provider comes, in place_of?";
const ANSWER: &str = "fn place_of<";
/// Where that line stands.
const FILE: &str = "host/core/src/compose.rs";

/// What an edit of the agent's adds, in a name that is nowhere else.
const ADDED: &str =
    "/// Says when the lantern turns.\npub fn lantern_turns_at(hour: u32) -> bool {\n    hour == 23\n}\n";
const ABOUT_ADDED: &str = "when does lantern_turns_at say yes?";

/// A place with the provider, whose working directory is a clone of this project that nobody has indexed.
fn cloned(how: &[&str]) -> Place {
    let place = Place::with(&[provider("pilot-index"), grammars()]);
    let mut clone = Command::new("git");
    clone.args(["clone", "--quiet", "--no-hardlinks"]).args(how).arg(root()).arg(place.path("work"));
    Ran::of(clone.stdin(Stdio::null()), None).ends(0);
    place
}

/// All of it, indexed, with time enough for everything.
pub(super) fn with_repository() -> Place {
    let place = cloned(&[]);
    place.config("[deadlines]\nprompt = 10000\n\"tool.after\" = 10000\n\"session.start\" = 60000\n");
    Ran::of(place.command(&["run", "pilot-index", "reindex"]).stdin(Stdio::null()), None).ends(0);
    place
}

/// The message of a request that has the defining snippet.
#[track_caller]
fn defining(asked: &Asked) -> &str {
    let said = asked.said.iter().find(|said| said.role != "call" && said.text.contains(ANSWER));
    let said = said.unwrap_or_else(|| panic!("no message has {ANSWER:?}:\n{asked}"));
    assert!(said.text.contains("<ctxhost-section provider=\"pilot-index\""), "{asked}");
    assert!(said.text.contains(FILE) && said.text.contains("```rust"), "{asked}");
    &said.text
}

/// Holds that a request begins with all of the one before; where it does not, what stands there in each is shown.
#[track_caller]
fn goes_on(earlier: &Asked, later: &Asked) {
    let (one, two) = (earlier.history(), later.history());
    let same = one.bytes().zip(two.bytes()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| {
        String::from_utf8_lossy(&text.as_bytes()[same.saturating_sub(200)..text.len().min(same + 400)])
            .into_owned()
    };
    assert!(
        same == one.len(),
        "from byte {same} of {}: {}\nand then\n{}",
        one.len(),
        around(one),
        around(two)
    );
}

#[track_caller]
fn answers_a_query(asked: &Asked) {
    let said = asked.said.iter().find(|said| said.role == "tool");
    let text = &said.unwrap_or_else(|| panic!("no result:\n{asked}")).text;
    assert!(text.contains(FILE) && text.contains("place_of"), "{text}");
}

fn query() -> Value {
    json!({"query": "place_of", "limit": 3})
}

#[test]
fn in_pi_the_defining_snippet_is_in_the_request_and_an_edit_is_known_with_the_next_prompt() {
    pi::run::each(with_repository, |pi| {
        let added = pi.place.path("work/host/core/src/lantern.rs");
        let model = Model::saying([
            Turn::text("").call("pilot_query", query()),
            Turn::text("").call("write", json!({"path": added, "content": ADDED})),
            Turn::text("written"),
            Turn::text("at night"),
        ]);
        let mut rpc = pi.rpc(&model, &[]);
        rpc.prompt(QUESTION);
        rpc.prompt(ABOUT_ADDED);
        assert_eq!(rpc.warnings(), Vec::<String>::new());
        rpc.close();
        let asked = model.asked();
        assert_eq!(asked.len(), 4);
        defining(&asked[0]);
        assert!(asked[0].tools.iter().any(|tool| tool == "pilot_query"), "{}", asked[0]);
        answers_a_query(&asked[1]);
        let said = asked[3].said.iter().filter(|said| said.role == "user");
        let knows = said.filter(|said| said.text.contains("pub fn lantern_turns_at")).count();
        assert!(knows >= 1, "the edit is not known:\n{}", asked[3]);
        asked.iter().zip(&asked[1..]).for_each(|(earlier, later)| goes_on(earlier, later));
    });
}

#[test]
fn in_claude_code_the_defining_snippet_is_in_the_request_and_an_edit_is_known_with_the_next_prompt() {
    for hook in ["command", "mcp-tool"] {
        let place = with_repository();
        let mut install = command(&place, &ctxhost(&place));
        Ran::of(install.args(["install", "claude-code", "--hook", hook]).stdin(Stdio::null()), None).ends(0);
        let _left = NothingLeft::of(&place);
        let added = place.path("work/host/core/src/lantern.rs");
        let model = Model::saying([
            Turn::text("").call("mcp__ctxhost__pilot_query", query()),
            Turn::text("").call("Write", json!({"file_path": added, "content": ADDED})),
            Turn::text("written"),
            Turn::text("at night"),
        ]);
        for (prompt, continues) in [(QUESTION, false), (ABOUT_ADDED, true)] {
            let mut run = claude::prompt(&place, &model, prompt, continues);
            Ran::of(run.stdin(Stdio::null()), None).ends(0);
        }
        let asked = model.asked();
        assert_eq!(asked.len(), 4, "by {hook}");
        defining(&asked[0]);
        answers_a_query(&asked[1]);
        let knows = asked[3].said.iter().filter(|said| said.role == "system");
        assert!(
            knows.clone().any(|said| said.text.contains("pub fn lantern_turns_at")),
            "the edit is not known:\n{}",
            asked[3]
        );
    }
}

/// Three definitions that look alike inside; the edit is in the last one.
const ALIKE: &str =
    "def first():\n    return None\n\ndef second():\n    return None\n\ndef third():\n    return 3\n";

/// A trusted folder with one file of them.
fn with_alikes() -> Place {
    let place = Place::with(&[provider("pilot-index"), grammars()]);
    place.write("work/.git/HEAD", "ref: refs/heads/main\n");
    place.write("work/m.py", ALIKE);
    let work = place.path("work").canonicalize().expect("the folder is there");
    place.config(&format!("trusted = [{work:?}]\n[deadlines]\nprompt = 10000\n\"tool.after\" = 10000\n"));
    place
}

/// What the only episode says that was touched.
#[track_caller]
fn touched(place: &Place) -> Value {
    let text = std::fs::read_to_string(place.path("work/.pilot/memories.jsonl")).expect("an episode");
    let episode: Value = serde_json::from_str(text.trim_end()).expect("one line of JSON");
    episode["symbols"].clone()
}

#[test]
fn in_pi_the_diff_of_an_edit_tells_the_memory_what_was_touched() {
    pi::run::each(with_alikes, |pi| {
        let edits = json!([{"oldText": "return 3", "newText": "return None"}]);
        let path = pi.place.path("work/m.py");
        let model = Model::saying([
            Turn::text("").call("edit", json!({"path": path, "edits": edits})),
            Turn::text("done"),
        ]);
        pi.print(&model, "let third give nothing", &[]);
        assert_eq!(touched(pi.place), json!(["third"]));
    });
}

#[test]
fn in_codex_the_patch_that_it_applies_tells_the_memory_what_was_touched() {
    let place = with_alikes();
    codex::configure_for(&place, codex::PATCHING);
    let mut install = command(&place, &ctxhost(&place));
    Ran::of(install.args(["install", "codex"]).stdin(Stdio::null()), None).ends(0);
    let _left = NothingLeft::of(&place);
    let patch = "*** Begin Patch\n*** Update File: m.py\n@@\n def third():\n-    return 3\n+    return None\n*** End Patch\n";
    let model = Model::saying([Turn::text("").call("apply_patch", json!(patch)), Turn::text("done")]);
    Ran::of(codex::prompt(&place, &model, "let third give nothing", false).stdin(Stdio::null()), None)
        .ends(0);
    assert_eq!(touched(&place), json!(["third"]));
}

/// The files that a long conversation reads, one in each turn, and what it asks about each.
const READ: [&str; 14] = [
    "host/core/src/ask.rs",
    "host/core/src/compose.rs",
    "host/core/src/discover.rs",
    "host/core/src/emit.rs",
    "host/core/src/flow.rs",
    "host/core/src/load.rs",
    "host/core/src/session.rs",
    "host/core/src/validate.rs",
    "host/cli/src/hook.rs",
    "host/cli/src/install.rs",
    "host/cli/src/mcp.rs",
    "host/cli/src/serve.rs",
    "host/cli/src/sessions.rs",
    "sdk/provider/src/export.rs",
];

/// What a long conversation costs: bytes sent, and of these how many each request shares with the one before.
#[derive(Debug, Default)]
struct Cost {
    requests: usize,
    sent: usize,
    shared: usize,
    longest: usize,
}

impl Cost {
    fn of(asked: &[Asked]) -> Self {
        let mut cost = Self { requests: asked.len(), ..Self::default() };
        for (at, one) in asked.iter().enumerate() {
            let history = one.history().as_bytes();
            cost.sent += history.len();
            cost.longest = cost.longest.max(history.len());
            if let Some(before) = at.checked_sub(1).map(|before| asked[before].history().as_bytes()) {
                cost.shared += history.iter().zip(before).take_while(|(a, b)| a == b).count();
            }
        }
        cost
    }
}

/// A conversation of fourteen turns, each of which reads a file and then says so.
fn long_conversation(pi: &pi::run::Pi<'_>, mode: &str) -> Vec<Asked> {
    pi.place.config(&format!(
        "[deadlines]\nprompt = 10000\nmodel_call = 10000\n[providers.pilot-index]\nmode = \"{mode}\"\npowers = [\"rewrite\"]\n"
    ));
    // Nothing is compacted: what is compared is what each mode does by itself.
    pi.place.write("home/.pi/agent/settings.json", json!({"compaction": {"enabled": false}}).to_string());
    let turns = READ.iter().flat_map(|file| {
        let path = pi.place.path("work").join(file);
        [Turn::text("").call("read", json!({"path": path})), Turn::text("read it")]
    });
    let model = Model::saying(turns);
    let mut rpc = pi.rpc(&model, &[]);
    for file in READ {
        let stem = file.rsplit('/').next().unwrap_or_default().trim_end_matches(".rs");
        rpc.prompt(&format!("how does {stem} handle errors of a provider, and where is it tested?"));
    }
    assert_eq!(rpc.warnings(), Vec::<String>::new());
    rpc.close();
    model.asked()
}

#[test]
fn appending_keeps_every_byte_that_was_sent_and_reconstructing_keeps_its_limit() {
    pi::run::newest(with_repository, |pi| {
        let appended = long_conversation(pi, "append");
        appended.iter().zip(&appended[1..]).for_each(|(earlier, later)| goes_on(earlier, later));
        let append = Cost::of(&appended);
        eprintln!("append      {append:?}");
        let reconstructed = long_conversation(pi, "reconstruct");
        let reconstruct = Cost::of(&reconstructed);
        eprintln!("reconstruct {reconstruct:?}");
        assert_eq!(append.requests, reconstruct.requests);
        let last = reconstructed.last().expect("requests");
        // 60,000 tokens of four characters, in the agent's own wrapping.
        assert!(last.history().len() < 60_000 * 4 * 3 / 2, "{} bytes", last.history().len());
        let (code, _) = (0..last.said.len())
            .map(|at| (at, &last.said[at]))
            .find(|(_, said)| said.text.contains("<ctxhost-section provider=\"pilot-index\""))
            .expect("code is in the conversation");
        let prompt = last.said.iter().rposition(|said| said.role == "user").expect("a prompt");
        assert!(code < prompt, "the code comes before the window:\n{last}");
        let results = |asked: &Asked| asked.said.iter().filter(|said| said.role == "tool").count();
        let kept = results(appended.last().expect("requests"));
        assert_eq!(kept, READ.len(), "everything stays when code is appended");
        assert!(results(last) <= 12, "more than twelve turns are kept:\n{last}");
    });
}
