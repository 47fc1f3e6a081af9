//! The protocol's own Python client, which holds every message against the protocol's types.

use std::process::Command;

use serde_json::{Value, json};

use crate::{
    harness::root,
    serve::{record, recorded},
};

#[test]
fn the_protocols_own_client_understands_every_answer() {
    let python = root().join("target/agents/mcp-client/bin/python");
    assert!(python.is_file(), "{} is not there; run `.ci/agents`", python.display());
    let place = recorded("prompt = \"what each prompt has\"");
    let server = place.command(&["mcp"]);
    let mut client = Command::new(python);
    client.arg(root().join("tests/suites/mcp/client.py")).arg(server.get_program());
    client.env_clear().current_dir(place.path("work"));
    client.envs(server.get_envs().filter_map(|(name, value)| Some((name, value?))));
    // It has a limit of its own.
    let ran = client.output().expect("it runs");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let seen: Value = serde_json::from_slice(&ran.stdout).expect("one document");
    assert_eq!(seen["initialize"]["serverInfo"]["name"], "ctxhost");
    assert_eq!(seen["tools"], json!(["act", "ctxhost_inject"]));
    assert_eq!(seen["tools_later"], json!(["act", "act_0", "ctxhost_inject"]));
    assert_eq!(seen["notifications"], json!(["notifications/tools/list_changed"]));
    let first = |what: &str| seen["calls"][what]["content"][0].clone();
    assert_eq!(first("nothing"), json!({"type": "text", "text": "did nothing"}));
    assert_eq!(first("image"), json!({"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"}));
    assert_eq!(first("structured")["text"], "{\"answer\":42}");
    assert_eq!(seen["calls"]["both"].get("structuredContent"), None);
    for what in ["error", "fail"] {
        assert_eq!(seen["calls"][what]["isError"], true, "{what}");
    }
    assert!(seen["unknown"].as_str().is_some_and(|text| text.contains("`no_such`")), "{seen:#}");
    assert!(seen["given_up"].is_string(), "{seen:#}");
    assert!(record(&place).iter().any(|line| line["cancelled"] == true), "the provider was told");
    assert!(seen["inject"].as_str().is_some_and(|text| text.contains("what each prompt has")), "{seen:#}");
}
