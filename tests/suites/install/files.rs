//! Settings of somebody else's, as untidy as people's are.

/// The agent, the file below the home folder, and what is in it.
pub(super) const ALL: &[(&str, &str, &str)] = &[
    // Comments, a trailing comma, tabs, and a foreign hook on an event of ours.
    (
        "claude-code",
        ".claude/settings.json",
        "// my settings\n{\n\t\"model\": \"opus\", // the large one\n\t\"hooks\": {\n\t\t/* before\n\t\t   tools */\n\t\t\
         \"PreToolUse\": [\n\t\t\t{\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"guard.sh\"}]} // last\n\t\t],\n\t},\n}\n",
    ),
    // Odd indentation, line ends of another system, duplicate keys in a foreign part.
    (
        "claude-code",
        ".claude/settings.json",
        "{\r\n     \"env\" : {\"A\":\"1\",\"A\":\"2\"},\r\n  \"hooks\":{ \"UserPromptSubmit\":[{\"hooks\":[ {\"type\":\"command\",\r\n\
         \"command\":\"ctxhost-like hook x\"}]}\r\n],\r\n       \"Stop\":[]}\r\n   }",
    ),
    // Unicode, a byte order mark, no line end at the end.
    (
        "claude-code",
        ".claude/settings.json",
        "\u{feff}{\n   \"стиль\": \"köstlich 🦀\\u00e9\",\n   \"hooks\": {\n      \"SessionStart\": [\n         {\"hooks\": \
         [{\"type\": \"command\", \"command\": \"echo '日本'\"}]}\n      ]\n   }\n}",
    ),
    // All on one line.
    (
        "claude-code",
        ".claude/settings.json",
        "{\"hooks\":{\"PreToolUse\":[{\"matcher\":\"*\",\"hooks\":[{\"type\":\"command\",\"command\":\"a\"}]}],\"Notification\":[{\"hooks\":[]}]},\"x\":[1,2,3]}\n",
    ),
    ("claude-code", ".claude/settings.json", "  { }  \n\n"),
    // The agent's own large file, with servers of others, as it writes it.
    (
        "claude-code",
        ".claude.json",
        "{\n  \"numStartups\": 7,\n  \"mcpServers\": {\n    \"other\": {\n      \"command\": \"npx\",\n      \"args\": []\n    }\n  },\n  \"projects\": {}\n}",
    ),
    ("claude-code", ".claude.json", "{\"mcpServers\":{}}"),
    ("claude-code", ".claude.json", ""),
    ("claude-code", ".claude.json", "{\r\n\t\"mcpServers\": {\r\n\t\t// mine\r\n\t},\r\n}\r\n"),
    (
        "claude-code",
        ".claude.json",
        "{\n    \"mcpServers\": { \"ctxhost-like\": { \"command\": \"ctxhost\" } }\n}\n\n",
    ),
    // Strict JSON is what Codex reads; comments survive all the same.
    (
        "codex",
        ".codex/hooks.json",
        "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"^Bash$\",\n        \"hooks\": [\n          { \"type\": \"command\", \
         \"command\": \"guard\", \"timeout\": 3 }\n        ]\n      }\n    ]\n  }\n}\n",
    ),
    (
        "codex",
        ".codex/hooks.json",
        "{\"hooks\":{\"UserPromptSubmit\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"é; ctxhost hook codex\"}]}]}}",
    ),
    (
        "codex",
        ".codex/hooks.json",
        "{\r\n\t\"hooks\": {\r\n\t\t\"Stop\": [\r\n\t\t\t{ \"hooks\": [] }\r\n\t\t]\r\n\t}\r\n}\r\n",
    ),
    ("codex", ".codex/hooks.json", "{\n      \"note\": \"日本\",\n  \"hooks\": { }\n}"),
    (
        "codex",
        ".codex/hooks.json",
        "/* not read by Codex */ {\n \"hooks\": {\n  \"SessionEnd\": [ // here\n  ],\n },\n}\n",
    ),
    (
        "codex",
        ".codex/config.toml",
        "# mine\nmodel = \"o\"   # the one\n\n\n[mcp_servers.other]\ncommand = 'x'\n",
    ),
    ("codex", ".codex/config.toml", "model = \"é 🦀\"\r\n[mcp_servers]\r\n\tother.command = \"x\"\r\n\r\n"),
    (
        "codex",
        ".codex/config.toml",
        "a.b = 1\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"x\"",
    ),
    ("codex", ".codex/config.toml", "text = '''\n[mcp_servers.ctxhost]\ncommand = \"no\"\n'''\n"),
    ("codex", ".codex/config.toml", "   \n\n# nothing but this"),
    (
        "pi",
        ".pi/agent/settings.json",
        "{\n  \"packages\": [\n    \"npm:other\",\n    { \"source\": \"git:x\", \"extensions\": [] }\n  ],\n  \"theme\": \"dark\"\n}\n",
    ),
    ("pi", ".pi/agent/settings.json", "{\"packages\":[\"./ctxhost/agents/pi2\"]}"),
    ("pi", ".pi/agent/settings.json", "{\r\n\t\"theme\": \"größe 🦀\"\r\n}"),
    (
        "pi",
        ".pi/agent/settings.json",
        "\n{\n        \"packages\": [ // all\n          \"a\", // one\n        ],\n}\n",
    ),
    ("pi", ".pi/agent/settings.json", "{ \"packages\": [ ] }\n"),
];

/// Whether it has a place for entries that holds none, so that only the record knows how that looked.
pub(super) fn is_bare(text: &str) -> bool {
    let bare = ["{}", "{ }", "[]", "[ ]", "{\r\n\t\t//", "[ // here"];
    text.is_empty() || bare.iter().any(|bare| text.contains(bare))
}
