//! Lines that are no requests: each costs itself, and the stream goes on.

use serde_json::{Value, json};

use super::{
    client::{Client, LIMIT},
    recorded,
};

/// Writes a line and returns what comes back.
#[track_caller]
fn answer_to(client: &mut Client, line: impl AsRef<[u8]>) -> Value {
    client.write(line);
    client.next_within(LIMIT).expect("an answer")
}

#[test]
fn garbage_is_answered_and_the_stream_goes_on() {
    let place = recorded("");
    let mut client = Client::serve(&place);
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let deep_params = format!(
        r#"{{"jsonrpc":"2.0","id":5,"method":"tools","params":{}1{}}}"#,
        "{\"a\":".repeat(100_000),
        "}".repeat(100_000)
    );
    for (line, code) in [
        (&b"what is this"[..], -32700),
        (b"{", -32700),
        (b"\xff\xfe\x00", -32700),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\xc3\"}", -32700),
        (b"{\"a\":1}{\"a\":1}", -32700),
        (b"\0", -32700),
        (b"{\"jsonrpc\":\"2.0\",\"id\":NaN,\"method\":\"x\"}", -32700),
        (b"\xef\xbb\xbf{}", -32700),
        (deep.as_bytes(), -32700),
        (deep_params.as_bytes(), -32700),
        (b"null", -32600),
        (b"1", -32600),
        (b"\"hello\"", -32600),
        (b"{}", -32600),
        (b"[]", -32600),
        (br#"[{"jsonrpc":"2.0","id":1,"method":"hello"}]"#, -32600),
        (br#"{"jsonrpc":"2.0","id":null,"method":"tools"}"#, -32600),
        (br#"{"jsonrpc":"2.0","id":1.5,"method":"tools"}"#, -32600),
        (br#"{"jsonrpc":"2.0","id":1e300,"method":"tools"}"#, -32600),
        (br#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"tools"}"#, -32600),
        (br#"{"jsonrpc":"2.0","id":9007199254740992,"method":"tools"}"#, -32600),
        (br#"{"jsonrpc":"2.0","id":[1],"method":"tools"}"#, -32600),
        (br#"{"jsonrpc":"2.0","id":{},"method":"tools"}"#, -32600),
        (br#"{"jsonrpc":"2.0","id":true,"method":"tools"}"#, -32600),
    ] {
        let answer = answer_to(&mut client, line);
        let shown = String::from_utf8_lossy(&line[..line.len().min(80)]).into_owned();
        assert_eq!(
            (&answer["error"]["code"], &answer["id"]),
            (&json!(code), &Value::Null),
            "{shown}: {answer}"
        );
    }
    // These have an id to answer to.
    for line in [
        json!({"id": "a", "method": "tools"}),
        json!({"jsonrpc": "1.0", "id": "a", "method": "tools"}),
        json!({"jsonrpc": 2.0, "id": "a", "method": "tools"}),
        json!({"jsonrpc": "2.0", "id": "a"}),
        json!({"jsonrpc": "2.0", "id": "a", "method": 7}),
        json!({"jsonrpc": "2.0", "id": "a", "method": null}),
        json!({"jsonrpc": "2.0", "id": "a", "result": {}}),
    ] {
        let answer = answer_to(&mut client, line.to_string());
        assert_eq!(
            (&answer["error"]["code"], &answer["id"]),
            (&json!(-32600), &json!("a")),
            "{line}: {answer}"
        );
    }
    client.hello(json!({}));
    assert_eq!(client.end().well().err, "", "nobody is told of a client's mistakes on standard error");
}

#[test]
fn ids_come_back_as_they_are_and_a_whole_number_may_have_a_fraction() {
    let place = recorded("");
    let mut client = Client::serve(&place);
    const LARGEST: i64 = (1 << 53) - 1;
    for id in [
        json!(0),
        json!(-1),
        json!(LARGEST),
        json!(-LARGEST),
        json!(""),
        json!("1"),
        json!("ä\n\u{0}"),
        json!("x".repeat(70_000)),
    ] {
        client.request_as(&id, "no such", json!({}));
        assert_eq!(client.error_of(&id)["code"], -32601);
    }
    client.write(r#"{"jsonrpc":"2.0","id":7.0,"method":"no such"}"#);
    assert_eq!(client.error_of(&json!(7))["code"], -32601, "7.0 is 7");
    client.write(r#"{"jsonrpc":"2.0","id":3e2,"method":"no such"}"#);
    assert_eq!(client.error_of(&json!(300))["code"], -32601);
}

#[test]
fn empty_lines_and_line_ends_of_other_systems_are_nothing() {
    let place = recorded("");
    let mut client = Client::serve(&place);
    client.write("\n\n   \n\t\r\n\r");
    client
        .write("{\"jsonrpc\":\"2.0\",\"id\":\"r\",\"method\":\"hello\",\"params\":{\"v\":1,\"agent\":{}}}\r");
    let answer = client.next_within(LIMIT).expect("an answer");
    assert_eq!(answer["id"], "r", "nothing else was answered: {answer}");
    assert!(answer["result"].is_object(), "{answer}");
}

#[test]
fn a_huge_line_is_skipped_and_a_large_one_is_read() {
    let place = recorded("");
    let mut client = Client::serve(&place);
    const CAP: usize = 16 * 1024 * 1024;
    let line_of = |length: usize, id: &str| {
        let head = format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"no such","params":{{"x":""#);
        let tail = r#""}}"#;
        format!("{head}{}{tail}", "y".repeat(length - head.len() - tail.len()))
    };
    client.write(line_of(CAP, "fits"));
    assert_eq!(client.error_of(&json!("fits"))["code"], -32601);
    client.write(line_of(CAP + 1, "does not"));
    let answer = client.next_within(LIMIT).expect("an answer");
    assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32001), &Value::Null), "{answer}");
    client.write(vec![b'['; 100 * 1024 * 1024]);
    let answer = client.next_within(LIMIT).expect("an answer");
    assert_eq!(answer["error"]["code"], -32001, "{answer}");
    client.hello(json!({}));
    let memory = client.memory_kb();
    assert!(memory < 200 * 1024, "{memory} kB after lines of 16 and 100 MiB");
    client.end().well();
}

#[test]
fn notifications_are_done_without_an_answer_whatever_comes_of_them() {
    let place = recorded("");
    let mut client = Client::serve(&place);
    let session = super::session(&place);
    client.notify("no such", json!({}));
    client.notify("event", json!({"wrong": true}));
    client.notify("cancel", json!({"id": 12345}));
    client.notify("hello", json!({"v": 1, "agent": {}}));
    client.notify("event", super::prompt(&session, "told"));
    // What was sent without a name may be done later than what was sent after it.
    let until = std::time::Instant::now() + LIMIT;
    while super::events(&place) != ["prompt"] {
        assert!(std::time::Instant::now() < until, "{:?}", super::events(&place));
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(client.end().well().said.is_empty(), "nothing was answered");
}
