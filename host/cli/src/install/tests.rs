//! Whatever a document looks like: what goes in comes out again, and nothing else moves.

use proptest::prelude::*;

use super::{
    document::at,
    entries::Wanted,
    json::{Json, parse},
    toml,
};

/// What is installed into the hooks of a generated document.
fn hooks() -> Wanted {
    let handler = |text: &str| Json::template(text);
    let command =
        r#"{"type": "command", "command": "/opt/ctxhost", "args": ["hook", "claude-code"], "timeout": 7}"#;
    let tool =
        r#"{"type": "mcp_tool", "server": "ctxhost", "tool": "ctxhost_inject", "input": {"a": "${b}"}}"#;
    Wanted::Hooks(vec![
        ("SessionStart".to_owned(), handler(command)),
        ("UserPromptSubmit".to_owned(), handler(tool)),
        ("PreToolUse".to_owned(), handler(command)),
    ])
}

fn all() -> Vec<Wanted> {
    vec![
        hooks(),
        Wanted::Server(Json::template(r#"{"command": "/opt/ctxhost", "args": ["mcp"]}"#)),
        Wanted::Package("/data/ctxhost/agents/pi".to_owned()),
        Wanted::Program("/opt/ctxhost".to_owned()),
    ]
}

/// What may stand between two tokens.
fn gap() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => Just(String::new()),
        4 => Just(" ".to_owned()),
        4 => Just("\n".to_owned()),
        2 => Just("\r\n\t".to_owned()),
        2 => Just("\n    ".to_owned()),
        1 => Just("\t".to_owned()),
        1 => Just(" /* é, \"}] */".to_owned()),
        1 => Just("/*\n*/".to_owned()),
        1 => Just("/**/".to_owned()),
        1 => Just(" // , ] }\n".to_owned()),
        1 => Just("// \"ü\r\n  ".to_owned()),
    ];
    prop::collection::vec(part, 0..3).prop_map(|parts| parts.concat())
}

fn separated(items: Vec<(String, String, String)>, last: String, comma: bool) -> String {
    let count = items.len();
    let item = |(number, (before, item, after)): (usize, (String, String, String))| {
        let comma = if number + 1 < count || comma { "," } else { "" };
        format!("{before}{item}{after}{comma}")
    };
    items.into_iter().enumerate().map(item).collect::<String>() + &last
}

fn list_of(item: BoxedStrategy<String>, least: usize) -> BoxedStrategy<String> {
    (prop::collection::vec((gap(), item, gap()), least..4), gap(), any::<bool>())
        .prop_map(|(items, last, comma)| {
            let comma = comma && !items.is_empty();
            format!("[{}]", separated(items, last, comma))
        })
        .boxed()
}

fn object_of(members: BoxedStrategy<Vec<(String, String)>>) -> BoxedStrategy<String> {
    let members = members.prop_flat_map(|members| {
        let gaps = prop::collection::vec((gap(), gap(), gap(), gap()), members.len());
        (Just(members), gaps, gap(), any::<bool>())
    });
    members
        .prop_map(|(members, gaps, last, comma)| {
            let comma = comma && !members.is_empty();
            let item =
                |((name, value), (before, a, b, after)): ((String, String), (_, String, String, _))| {
                    (before, format!("{name}{a}:{b}{value}"), after)
                };
            let items = members.into_iter().zip(gaps).map(item).collect();
            format!("{{{}}}", separated(items, last, comma))
        })
        .boxed()
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(r#""model""#.to_owned()),
        Just(r#""a, b""#.to_owned()),
        Just(r#""ключ 🗝""#.to_owned()),
        Just(r#""//no comment""#.to_owned()),
        Just(r#""\"}\u00e9""#.to_owned()),
    ]
}

fn value() -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        Just("1.50e+3".to_owned()),
        Just("true".to_owned()),
        Just("null".to_owned()),
        Just("[]".to_owned()),
        Just("{ }".to_owned()),
        Just(r#""a // b /* c""#.to_owned()),
        Just(r#""echo \"x\"; ctxhost hook codex""#.to_owned()),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let members = prop::collection::vec((name(), inner.clone()), 0..3).boxed();
        prop_oneof![list_of(inner.boxed(), 0), object_of(members)]
    })
    .boxed()
}

fn named(name: &'static str, value: BoxedStrategy<String>) -> BoxedStrategy<Vec<(String, String)>> {
    prop::option::of(value)
        .prop_map(move |value| value.into_iter().map(|value| (format!("\"{name}\""), value)).collect())
        .boxed()
}

fn together(parts: Vec<BoxedStrategy<Vec<(String, String)>>>) -> BoxedStrategy<Vec<(String, String)>> {
    (parts.prop_map(|parts| parts.concat()), any::<prop::sample::Index>())
        .prop_map(|(mut members, index)| {
            if !members.is_empty() {
                let middle = index.index(members.len());
                members.rotate_left(middle);
            }
            members
        })
        .boxed()
}

/// A group of somebody else's hooks.
fn group() -> BoxedStrategy<String> {
    let handlers = named("hooks", list_of(value(), 0));
    object_of(together(vec![prop::collection::vec((name(), value()), 0..2).boxed(), handlers]))
}

fn some(name: fn() -> &'static [&'static str]) -> BoxedStrategy<Vec<(String, String)>> {
    // An event without any group does not say whether it was there; the record does.
    let event = |name: &'static str| named(name, list_of(group(), 1));
    together(name().iter().map(|name| event(name)).collect())
        .prop_filter("hooks without an event do not say whether they were there", |events| !events.is_empty())
        .boxed()
}

/// A document of somebody else's, in which everything that ours goes into is absent or holds something.
fn document() -> BoxedStrategy<String> {
    let hooks = object_of(some(|| &["PreToolUse", "Stop", "SessionStart"]));
    let servers = object_of(prop::collection::vec((name(), value()), 1..3).boxed());
    let packages = list_of(Just(r#""npm:x""#.to_owned()).boxed(), 1);
    let root = object_of(together(vec![
        prop::collection::vec((name(), value()), 1..4).boxed(),
        named("hooks", hooks),
        named("mcpServers", servers),
        named("packages", packages),
    ]));
    (gap(), root, gap()).prop_map(|(before, root, after)| format!("{before}{root}{after}")).boxed()
}

/// Whether one text is what is left of another when parts are taken out.
fn is_left_of(text: &str, whole: &str) -> bool {
    let mut whole = whole.chars();
    text.chars().all(|character| whole.any(|other| other == character))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 384, ..ProptestConfig::default() })]

    #[test]
    fn what_goes_in_comes_out_without_a_trace(text in document()) {
        prop_assert!(parse(&text).is_ok(), "the test's own document is JSON: {text}");
        for wanted in all() {
            let with = wanted.put_into(&text).expect("it fits in");
            prop_assert!(parse(&with).is_ok(), "still JSON: {with}");
            prop_assert!(is_left_of(&text, &with), "{text} is in {with}");
            let found = wanted.found(&with).expect("JSON").len();
            prop_assert_eq!(found, if matches!(wanted, Wanted::Hooks(_)) { 3 } else { 1 });
            prop_assert_eq!(&wanted.put_into(&with).expect("it is in"), &with, "a second time changes nothing");
            prop_assert_eq!(&wanted.take_from(&with, &|_| false).expect("it comes out"), &text);
        }
    }

    #[test]
    fn what_somebody_adds_later_stays(text in document(), other in group()) {
        let other = Json::of(&parse(&other).expect("JSON").expect("a value"));
        let wanted = hooks();
        let with = wanted.put_into(&text).expect("it fits in");
        let entry = super::document::Entry::Element(&other);
        let edited = super::document::put(&with, &["hooks", "PreToolUse"], entry).expect("it fits in");
        let left = wanted.take_from(&edited, &|_| false).expect("it comes out");
        let expected = super::document::put(&text, &["hooks", "PreToolUse"], entry).expect("it fits in");
        let value = |text: &str| Json::of(&parse(text).expect("JSON").expect("a value")).value();
        prop_assert_eq!(value(&left), value(&expected));
    }
}

#[test]
fn a_document_says_what_stands_in_the_way() {
    for (text, why) in [
        ("[]", "not an object"),
        (r#"{"hooks": []}"#, "/hooks is not an object"),
        (r#"{"hooks": {"SessionStart": {}}}"#, "/hooks/SessionStart is not a list"),
        (r#"{"hooks": null}"#, "/hooks is not an object"),
        ("{", "Unterminated object"),
        ("{} {}", "more than one JSON value"),
        ("{'a': 1}", "ingle-quoted"),
    ] {
        let error = hooks().put_into(text).expect_err(text);
        assert!(error.to_lowercase().contains(&why.to_lowercase()), "{text}: {error}");
    }
}

#[test]
fn the_last_of_two_members_counts() {
    let text = r#"{"hooks": {"Stop": []}, "a": 1, "hooks": {"Stop": [1]}}"#;
    let with = hooks().put_into(text).expect("it fits in");
    let root = parse(&with).expect("JSON").expect("a value");
    assert!(at(&root, &["hooks", "SessionStart"]).is_some(), "{with}");
    assert!(with.starts_with(r#"{"hooks": {"Stop": []}, "a": 1,"#), "{with}");
    assert_eq!(hooks().take_from(&with, &|_| false).expect("it comes out"), text);
}

#[test]
fn an_entry_is_brought_up_to_date_and_keeps_what_a_user_tuned() {
    let old = r#"{
  "hooks": {
    "SessionStart": [{ "matcher": "startup", "hooks": [
      { "type": "command", "command": "echo", "timeout": 1 }, // theirs
      { "type": "command", "command": "/old/ctxhost", "args": ["hook", "claude-code"], "timeout": 99, "async": true }
    ] }],
    "UserPromptSubmit": [{ "hooks": [{ "type": "command", "command": "/old/ctxhost hook claude-code" }] }],
    "Stop": [{ "hooks": [{ "type": "command", "command": "/old/ctxhost hook claude-code" }] }]
  }
}
"#;
    let new = hooks().put_into(old).expect("it fits in");
    let root = Json::of(&parse(&new).expect("JSON").expect("a value")).value();
    let start = &root["hooks"]["SessionStart"];
    assert_eq!(start.as_array().map(Vec::len), Some(1), "{new}");
    assert_eq!(start[0]["matcher"], "startup");
    assert_eq!(start[0]["hooks"][0]["command"], "echo");
    assert_eq!(start[0]["hooks"][1]["command"], "/opt/ctxhost");
    assert_eq!(start[0]["hooks"][1]["timeout"], 99, "tuned by the user");
    assert_eq!(start[0]["hooks"][1]["async"], true, "added by the user");
    assert_eq!(root["hooks"]["UserPromptSubmit"][0]["hooks"][0]["type"], "mcp_tool");
    assert!(root["hooks"].get("Stop").is_none(), "no longer wanted: {new}");
    assert!(new.contains("// theirs"), "{new}");
    assert_eq!(hooks().put_into(&new).expect("it is in"), new);
    let left = hooks().take_from(&new, &|_| false).expect("it comes out");
    assert!(left.contains(r#"{ "type": "command", "command": "echo", "timeout": 1 } // theirs"#), "{left}");
    assert!(!left.contains("ctxhost"), "{left}");
}

fn table() -> Vec<(&'static str, String)> {
    vec![
        ("command", r#""/opt/ctxhost""#.to_owned()),
        ("args", r#"["mcp"]"#.to_owned()),
        ("tool_timeout_sec", "600".to_owned()),
    ]
}

#[test]
fn a_table_goes_in_and_comes_out_without_a_trace() {
    for text in [
        "",
        "\n",
        "a = 1",
        "a = 1\n",
        "a = 1\n\n\n",
        "a = 1\r\n\r\n[b]\r\nc = 2 # d\r\n",
        "# only a comment",
        "[mcp_servers.other]\ncommand = \"x\"\n",
        "[mcp_servers]\nother.command = \"x\"\n",
        "s = '''\n[mcp_servers.ctxhost]\n'''\n",
        "  [ mcp_servers . \"other\" ] # é\n\tcommand = \"x\"   \n[[list]]\nx = 1",
    ] {
        let with = toml::put_into(text, &table()).unwrap_or_else(|why| panic!("{text:?}: {why}"));
        assert!(with.starts_with(text), "{with:?}");
        assert_eq!(
            toml::command(&with).expect("TOML"),
            Some(vec!["/opt/ctxhost".to_owned(), "mcp".to_owned()])
        );
        assert_eq!(toml::put_into(&with, &table()).expect("it is in"), with, "a second time changes nothing");
        assert_eq!(toml::take_from(&with).expect("it comes out"), text);
    }
}

#[test]
fn a_table_is_brought_up_to_date_and_leaves_others_alone() {
    let old = "[mcp_servers.ctxhost] # mine\r\ncommand = '/old/ctxhost'\r\ntool_timeout_sec = 5 # patience\r\n\r\n\
               [mcp_servers.ctxhost.env]\r\nA = \"1\"\r\n\r\n# about b\r\n[b]\r\nc = 1\r\n";
    let new = toml::put_into(old, &table()).expect("it fits in");
    assert!(
        new.contains("command = \"/opt/ctxhost\"\r\ntool_timeout_sec = 5 # patience\r\nargs = [\"mcp\"]\r\n"),
        "{new}"
    );
    assert!(new.contains("[mcp_servers.ctxhost.env]\r\nA = \"1\"\r\n"), "{new}");
    let left = toml::take_from(&new).expect("it comes out");
    assert_eq!(left.trim_start(), "# about b\r\n[b]\r\nc = 1\r\n");
}

#[test]
fn a_table_in_another_form_is_left_alone() {
    for text in [
        "mcp_servers = {}",
        "mcp_servers = 1",
        "mcp_servers = { ctxhost = { command = \"x\" } }",
        "[mcp_servers]\nctxhost = { command = \"x\" }",
        "a = ",
    ] {
        assert!(toml::put_into(text, &table()).is_err(), "{text}");
    }
}
