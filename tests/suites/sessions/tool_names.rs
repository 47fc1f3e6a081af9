//! What an agent calls the tools of all providers.

use ctxhost::{
    Cancel, Opening, Session,
    flow::Offered,
    protocol::envelope::{Agent, AgentTools, Decision},
};
use ctxhost_sdk::prelude::*;

use super::scripted::*;

fn session_with(host: &ctxhost::Host, guarded: &[&str], taken: &[&str]) -> Session {
    let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let tools = AgentTools { guarded: own(guarded), taken: own(taken) };
    let opening = opening(&["inject.prompt", "block", "tools"]);
    host.session(Opening { agent: Agent { tools, ..opening.agent }, ..opening })
}

/// The tools as `agent's name = provider tool`.
fn names(offered: &Offered) -> Vec<String> {
    offered.tools.iter().map(|tool| format!("{} = {} {}", tool.name, tool.provider, tool.tool)).collect()
}

fn list(session: &Session) -> Offered {
    session.tools(&Cancel::default()).0
}

fn silent() -> std::sync::Arc<Script> {
    Script::new(|_, _| Ok(Reply::new()))
}

#[test]
fn names_are_kept_unless_they_are_guarded_taken_or_used() {
    let (alpha, beta) = (silent(), silent());
    alpha.list(&["read", "find", "map"]);
    beta.list(&["find", "read"]);
    let host = host_of_two(&alpha, &beta);
    let offered = list(&session_with(&host, &["read"], &["map"]));
    let expected = [
        "alpha_read = alpha read",
        "find = alpha find",
        "alpha_map = alpha map",
        "b_find = beta find",
        "b_read = beta read",
    ];
    assert_eq!(names(&offered), expected);
    let free = list(&session_with(&host, &[], &[]));
    assert_eq!(
        names(&free)[..3],
        ["read = alpha read", "find = alpha find", "map = alpha map"],
        "each agent has its own"
    );
}

#[test]
fn a_tool_without_a_free_name_is_left_out_and_told_of() {
    let alpha = silent();
    alpha.list(&["read", "map"]);
    let session = session_with(&host(&alpha), &["read"], &["alpha_read"]);
    let (offered, findings) = session.tools(&Cancel::default());
    assert_eq!(
        (names(&offered), codes(&findings)),
        (vec!["map = alpha map".to_owned()], vec!["alpha tool-name-taken".to_owned()])
    );
    assert!(session.tool("read", json!({}), "1", &Cancel::default()).is_err(), "that one is the agent's");
}

#[test]
fn a_tool_that_is_listed_twice_is_offered_once() {
    let alpha = silent();
    alpha.list(&["map", "map"]);
    let (offered, findings) = session_with(&host(&alpha), &[], &[]).tools(&Cancel::default());
    assert_eq!(names(&offered), ["map = alpha map"]);
    assert_eq!(codes(&findings), ["alpha duplicate-tool"]);
}

#[test]
fn a_tool_is_reached_by_the_agents_name_and_told_its_own() {
    let (alpha, beta) = (silent(), silent());
    alpha.list(&["find"]);
    beta.list(&["find"]);
    let session = session_with(&host_of_two(&alpha, &beta), &[], &[]);
    let text = |name: &str| {
        let reply = session.tool(name, json!({"q": name}), "1", &Cancel::default());
        ctxhost::flow::tool_text(&reply.unwrap_or_else(|error| panic!("{error}")))
    };
    assert_eq!((text("find"), text("b_find")), ("find of alpha".to_owned(), "find of beta".to_owned()));
    assert_eq!(beta.calls(), ["find {\"q\":\"b_find\"}"]);
    assert!(session.tool("no_such", json!({}), "1", &Cancel::default()).is_err());
}

#[test]
fn every_text_names_a_tool_as_the_agent_does_and_only_whole_words() {
    let text = "Use `read`, then read again; re-read reads, read_all and alpha_read stay.";
    let said = |text: &str| {
        text.contains("Use `alpha_read`, then alpha_read again; re-read reads, read_all and alpha_read stay.")
    };
    let alpha = Script::new(move |_, request| {
        let decision = match request.data["name"].as_str() {
            Some("block") => Some(Decision { block: true, reason: Some(text.to_owned()), guidance: None }),
            Some("guide") => Some(Decision { block: false, reason: None, guidance: Some(text.to_owned()) }),
            _ => None,
        };
        let reply = Reply { decision, ..Reply::new() };
        Ok(if request.event == "prompt" {
            reply.section(Section::prompt("s", Trust::Workspace).body(text))
        } else {
            reply
        })
    });
    let tool = |name: &str| Tool {
        description: text.to_owned(),
        guidelines: vec![text.to_owned()],
        ..ctxhost_sdk::tool(name, "", json!({"type": "object"}))
    };
    alpha.list_tools(vec![tool("read"), tool("map")]);
    let session = session_with(&host(&alpha), &["read"], &[]);
    let offered = list(&session);
    for tool in &offered.tools {
        assert!(said(&tool.description) && said(&tool.guidelines[0]), "{tool:?}");
    }
    assert!(offered.tools[0].description.starts_with('('), "{}", offered.tools[0].description);
    let prompt = session.event(prompt(""));
    assert!(said(&prompt.injection.text), "{}", prompt.injection.text);
    let guided = session.event(before("guide"));
    assert!(said(guidance(&guided)), "{guided:?}");
    let blocked = session.event(before("block"));
    let Some(ctxhost::flow::Decided::Block { reason, .. }) = &blocked.decision else { panic!("{blocked:?}") };
    assert!(said(reason), "{reason}");
}

#[test]
fn a_renamed_name_is_not_renamed_again() {
    // `find` becomes `alpha_find`, and the tool that is called so itself becomes another.
    let text = "find and alpha_find";
    let alpha = Script::to("prompt", sections(&[section("s", Placement::Prompt, text)]));
    alpha.list(&["find", "alpha_find"]);
    let session = session_with(&host(&alpha), &["find"], &[]);
    assert_eq!(names(&list(&session)), ["alpha_find = alpha find", "alpha_alpha_find = alpha alpha_find"]);
    let injection = session.event(prompt("")).injection;
    assert!(injection.text.contains("\nalpha_find and alpha_alpha_find\n"), "{}", injection.text);
}

#[test]
fn a_list_that_changed_has_a_higher_revision_and_one_that_did_not_has_none() {
    let alpha = silent();
    alpha.list(&["one"]);
    let session = session_with(&host(&alpha), &[], &[]);
    let first = list(&session);
    alpha.list(&["two"]);
    assert_eq!(list(&session), first, "nobody said that it is another");
    alpha.notify(&Notify::ToolsChanged);
    let second = list(&session);
    assert_eq!(names(&second), ["two = alpha two"]);
    assert!(second.revision > first.revision);
    assert_eq!(list(&session), second);
}

#[test]
fn a_list_that_was_cut_short_is_forgotten() {
    let alpha = silent();
    alpha.list(&["one"]);
    let session = session_with(&host(&alpha), &[], &[]);
    let cancelled = Cancel::default();
    cancelled.cancel();
    session.tools(&cancelled);
    assert_eq!(names(&list(&session)), ["one = alpha one"]);
    assert!(session.tool("one", json!({}), "1", &Cancel::default()).is_ok());
}

#[test]
fn a_tool_event_says_whose_tool_it_is_once_the_agent_knows_the_list() {
    let (alpha, beta) = (silent(), silent());
    alpha.list(&["find"]);
    beta.list(&["find"]);
    let session = session_with(&host_of_two(&alpha, &beta), &[], &[]);
    session.event(before("b_find"));
    assert_eq!(alpha.last().data["own"], json!(null), "nobody has the list yet");
    list(&session);
    session.event(before("b_find"));
    assert_eq!(alpha.last().data["own"], json!({"provider": "beta", "tool": "find"}));
    session.event(after("find"));
    assert_eq!(beta.last().data["own"], json!({"provider": "alpha", "tool": "find"}));
    session.event(after("read"));
    assert_eq!(beta.last().data["own"], json!(null));
}

#[test]
fn a_provider_that_does_not_know_the_question_has_its_manifests_tools() {
    let (alpha, beta) = (silent(), silent());
    beta.list(&[]);
    let (offered, findings) = session_with(&host_of_two(&alpha, &beta), &[], &[]).tools(&Cancel::default());
    assert_eq!(
        (names(&offered), codes(&findings)),
        (vec!["of_manifest = alpha of_manifest".to_owned()], vec![])
    );
}

#[test]
fn deadlines_are_those_of_events_that_somebody_wants() {
    let gamma = with::<2>(builder(None), &silent()).build();
    let offered = list(&session_with(&gamma, &[], &[]));
    assert_eq!(offered.deadlines_ms.into_iter().collect::<Vec<_>>(), [("prompt".to_owned(), 4_000)]);
    let offered = list(&session_with(&host(&silent()), &[], &[]));
    assert_eq!(offered.deadlines_ms.len(), EVENTS.len());
    assert_eq!(offered.deadlines_ms["tool.before"], 5_000, "the cap holds");
}
