//! Providers' tools in Pi, what happens to calls of other tools, and slash commands.

use serde_json::{Value, json};

use super::{run::each, with_everything, with_log};
use crate::agents::{
    everything, log,
    model::{Model, Turn},
    process::ctxhost,
};

#[test]
fn a_tool_is_called_and_its_result_arrives() {
    each(
        || with_everything(""),
        |pi| {
            let call = Turn::text("").call("everything_echo", json!({"text": "heard it"}));
            let model = Model::saying([call, Turn::text("fine")]);
            assert_eq!(pi.print(&model, "echo", &[]).out.trim(), "fine");
            let asked = model.asked();
            assert!(asked[0].tools.contains(&"everything_echo".to_owned()), "{}", asked[0]);
            asked[0].only("Use everything_echo when an echo is asked for.");
            let (_, said) = asked[1].only("echo: heard it");
            assert_eq!(said.role, "tool", "{}", asked[1]);
            assert_eq!(asked[1].count("shown"), 0, "details are for people: {}", asked[1]);
            let entries = pi.session_entries();
            let result =
                entries.iter().find(|entry| entry["message"]["role"] == "toolResult").expect("a result");
            assert_eq!(result["message"]["details"]["shown"], "heard it", "{result}");
        },
    );
}

#[test]
fn a_found_tool_can_be_called_and_a_withdrawn_one_is_gone() {
    each(
        || with_everything(""),
        |pi| {
            let model = Model::saying([
                Turn::text("").call("everything_search", json!({})),
                Turn::text("found"),
                Turn::text("").call("everything_found", json!({})).call("everything_passing", json!({})),
                Turn::text("called"),
                Turn::text("gone"),
            ]);
            let mut rpc = pi.rpc(&model, &[]);
            rpc.prompt("search");
            rpc.prompt("call");
            rpc.prompt("what is left?");
            rpc.close();
            let asked = model.asked();
            assert_eq!(asked.len(), 5);
            let offers = |at: usize, tool: &str| asked[at].tools.iter().any(|name| name == tool);
            assert!(!offers(0, "everything_found") && offers(0, "everything_passing"), "{}", asked[0]);
            // Older ones go on with the tools that there were when the run began.
            assert_eq!(offers(1, "everything_found"), pi.is_newest(), "{}", asked[1]);
            assert!(offers(2, "everything_found"), "{}", asked[2]);
            asked[3].only("the found tool answers");
            asked[3].only("this was the last time");
            assert_eq!(offers(3, "everything_passing"), !pi.is_newest(), "{}", asked[3]);
            assert!(!offers(4, "everything_passing") && offers(4, "everything_found"), "{}", asked[4]);
        },
    );
}

#[test]
fn a_blocked_call_shows_the_reason() {
    each(
        || with_everything(""),
        |pi| {
            let path = pi.place.path("work/kept.txt");
            let call = json!({"path": path, "content": "everything:block"});
            let model = Model::saying([Turn::text("I will write.").call("write", call), Turn::text("well")]);
            pi.print(&model, "write", &[]);
            let asked = model.last();
            let (_, said) = asked.only("everything blocks write");
            assert_eq!(said.role, "tool", "{asked}");
            assert!(said.text.contains("kept.txt") && said.text.contains("\"I will write.\""), "{asked}");
            assert!(!path.exists(), "the blocked call happened");
        },
    );
}

#[test]
fn guidance_arrives_and_the_call_happens() {
    each(
        || with_everything(""),
        |pi| {
            let call = json!({"command": "echo everything:guide"});
            let model = Model::saying([Turn::text("").call("bash", call), Turn::text("well")]);
            pi.print(&model, "run", &[]);
            let asked = model.last();
            asked.only("everything would look first");
            assert!(
                asked.said.iter().any(|said| said.role == "tool" && said.text.contains("everything:guide")),
                "{asked}"
            );
        },
    );
}

#[test]
fn a_result_is_patched_for_the_model_and_for_people() {
    each(
        || with_everything(""),
        |pi| {
            let call = json!({"command": "echo everything:patch; echo out"});
            let model = Model::saying([Turn::text("").call("bash", call), Turn::text("well")]);
            pi.print(&model, "run", &[]);
            let asked = model.last();
            assert_eq!(asked.only("patched by everything").1.role, "tool", "{asked}");
            let entries = pi.session_entries();
            let result =
                entries.iter().find(|entry| entry["message"]["role"] == "toolResult").expect("a result");
            assert_eq!(result["message"]["details"]["patched"], true, "{result}");
        },
    );
}

#[test]
fn a_slash_command_asks_and_answers() {
    each(
        || with_everything(""),
        |pi| {
            let model = Model::saying([]);
            let mut rpc = pi.rpc(&model, &[]);
            rpc.prompt("hello");
            rpc.send(&json!({"type": "prompt", "message": "/everything"}));
            let asks =
                rpc.wait("picker", |one| one["type"] == "extension_ui_request" && one["method"] == "select");
            assert!(asks["title"].as_str().is_some_and(|title| title.contains("which colour?")), "{asks}");
            let options = asks["options"].as_array().expect("options");
            assert_eq!(options.len(), 2, "{asks}");
            assert!(options[1].as_str().is_some_and(|option| option.contains("the colour green")), "{asks}");
            rpc.send(&json!({"type": "extension_ui_response", "id": asks["id"], "value": options[1]}));
            let says =
                rpc.wait("answer", |one| one["type"] == "extension_ui_request" && one["method"] == "notify");
            assert!(says["message"].as_str().is_some_and(|text| text.contains("it is green")), "{says}");
            rpc.close();
            assert_eq!(model.asked().len(), 1, "a command is not for the model");
        },
    );
}

#[test]
fn the_status_is_shown() {
    each(
        || with_everything(""),
        |pi| {
            let model = Model::saying([]);
            let mut rpc = pi.rpc(&model, &[]);
            rpc.prompt("hello");
            let pills = rpc.shown("setStatus");
            let texts: Vec<_> = pills.iter().filter_map(|pill| pill["statusText"].as_str()).collect();
            assert!(texts.iter().any(|text| text.contains("everything 1")), "{texts:?}");
            rpc.close();
        },
    );
}

#[test]
fn a_finding_is_shown_once() {
    each(
        || with_everything(""),
        |pi| {
            let model = Model::saying([]);
            let mut rpc = pi.rpc(&model, &[]);
            rpc.prompt("everything:finding");
            rpc.prompt("everything:finding again");
            let warnings = rpc.warnings();
            assert_eq!(warnings.len(), 1, "{warnings:?}");
            assert!(warnings[0].contains("everything has something to tell"), "{warnings:?}");
            rpc.prompt("everything:notify");
            let says = rpc.warnings().iter().filter(|text| text.contains("everything says so")).count();
            assert_eq!(says, 1, "{:?}", rpc.warnings());
            rpc.close();
        },
    );
}

#[test]
fn an_mcp_server_is_run_where_pi_can_and_its_provider_is_told() {
    let place = || {
        let place = with_log();
        let server = ctxhost(&place);
        let settings = format!(
            "log = '{}'\nmcp_server = ['{}', 'mcp']\n",
            place.path("log").display(),
            server.display()
        );
        place.config(&everything(&settings));
        place
    };
    each(place, |pi| {
        let tool = "mcp__more__everything_echo";
        let model =
            Model::saying([Turn::text("").call(tool, json!({"text": "over there"})), Turn::text("fine")]);
        let mut rpc = pi.rpc(&model, &[]);
        rpc.prompt("echo");
        let told = rpc.shown("notify").iter().filter(|one| one.to_string().contains("MCP server")).count();
        rpc.close();
        let results: Vec<_> = log(pi.place).into_iter().filter(|one| one["event"] == "mcp.result").collect();
        if pi.is_newest() {
            assert_eq!(results.len(), 1, "{results:#?}");
            let data = &results[0]["data"];
            assert_eq!((&data["name"], &data["ok"]), (&json!("more"), &json!(true)), "{data}");
        } else {
            assert_eq!(results, Vec::<Value>::new());
            assert_eq!(told, 1);
        }
        let asked = model.asked();
        assert_eq!(asked[0].tools.iter().any(|name| name == tool), pi.is_newest(), "{}", asked[0]);
        assert_eq!(asked[1].count("echo: over there"), usize::from(pi.is_newest()), "{}", asked[1]);
    });
}
