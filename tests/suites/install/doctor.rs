//! `ctxhost doctor` proves that context arrives in an agent, and says what stops it.

use std::{fs, os::unix::fs::PermissionsExt as _, path::PathBuf, process::Stdio};

use serde_json::{Value, json};

use super::{AGENTS, Scene, link, read};
use crate::harness::{Place, Ran, example};

/// A program that stands in for ours: it answers as the test wants.
fn stand_in(scene: &Scene, script: &str) -> PathBuf {
    let program = scene.place.write("stand-in/ctxhost", format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("permissions");
    // What is installed names it from now on.
    for name in [
        ".claude/settings.json",
        ".claude.json",
        ".codex/hooks.json",
        ".codex/config.toml",
        ".pi/agent/ctxhost.json",
    ] {
        let file = scene.home(name);
        if file.is_file() {
            let text = read(&file);
            let new = text.replace(&scene.program.display().to_string(), &program.display().to_string());
            assert_ne!(new, text, "{name} names the program");
            fs::write(&file, new).expect("it can be written");
        }
    }
    program
}

/// A whole stand-in, with one answer for a prompt.
fn answering(answer: &str) -> String {
    let quoted = serde_json::to_string(answer).expect("JSON");
    format!(
        r#"case "$1" in
--version) echo "ctxhost {version}" ;;
hook) cat >/dev/null; printf '%s' '{answer}' ;;
mcp) while read -r line; do case "$line" in
    *'"initialize"'*) echo '{{"jsonrpc":"2.0","id":1,"result":{{"protocolVersion":"2025-06-18","capabilities":{{}},"serverInfo":{{"name":"x","version":"1"}}}}}}' ;;
    *'"tools/list"'*) echo '{{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}}'; echo '{{"jsonrpc":"2.0","id":2,"result":{{"tools":[{{"name":"ctxhost_inject"}}]}}}}' ;;
    *'"tools/call"'*) printf '%s\n' '{{"jsonrpc":"2.0","id":3,"result":{{"content":[{{"type":"text","text":{quoted}}}]}}}}' ;;
    esac; done ;;
esac"#,
        version = env!("CARGO_PKG_VERSION"),
    )
}

fn context(event: &str, text: &str) -> String {
    json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}).to_string()
}

/// What doctor says of one agent.
#[track_caller]
fn said(scene: &Scene, agent: &str) -> Value {
    let ran = scene.run(&["doctor", "--json"]);
    let document = ran.json();
    let report = document["agents"][agent].clone();
    let stopped = report["stops"].as_array().is_some_and(|stops| !stops.is_empty());
    assert!(!stopped || ran.code == Some(1), "what stops an agent is a finding: {report}");
    report
}

#[track_caller]
fn stops(scene: &Scene, agent: &str, why: &str) {
    let report = said(scene, agent);
    let stops = report["stops"].as_array().expect("stops");
    let is_said = stops.iter().any(|stop| stop.as_str().is_some_and(|stop| stop.contains(why)));
    assert!(is_said, "`{why}` is not in {report:#}");
}

#[track_caller]
fn notes(scene: &Scene, agent: &str, what: &str) {
    let report = said(scene, agent);
    let lines = report["lines"].as_array().expect("lines");
    let is_said = lines.iter().any(|line| line.as_str().is_some_and(|line| line.contains(what)));
    assert!(is_said, "`{what}` is not in {report:#}");
}

fn installed(agent: &str, more: &[&str]) -> Scene {
    let scene = Scene::new();
    let arguments: Vec<&str> = ["install", agent].into_iter().chain(more.iter().copied()).collect();
    scene.run(&arguments).ends(0);
    scene
}

/// A place in which nothing but agents can be a finding.
fn with_a_provider() -> Scene {
    let place = Place::with(&[example("good")]);
    let program = link(&place, "bin/ctxhost");
    Scene { place, program }
}

#[test]
fn without_an_agent_there_is_one_line() {
    let scene = with_a_provider();
    let ran = scene.run(&["doctor"]).ends(0);
    assert!(ran.out.contains("no agent is set up here; `ctxhost install claude-code`"), "{}", ran.out);
}

#[test]
fn an_agent_without_ctxhost_is_no_finding() {
    let scene = with_a_provider();
    fs::create_dir(scene.home(".codex")).expect("a folder");
    let ran = scene.run(&["doctor"]).ends(0);
    assert!(ran.out.contains("codex\nnot installed; `ctxhost install codex` does it"), "{}", ran.out);
}

#[test]
fn context_of_a_real_provider_arrives_in_each_agent() {
    for (agent, more) in [
        ("claude-code", &[][..]),
        ("claude-code", &["--hook", "command"]),
        ("codex", &[]),
        ("codex", &["--hook", "command"]),
        ("pi", &[]),
    ] {
        let scene = with_a_provider();
        let arguments: Vec<&str> = ["install", agent].into_iter().chain(more.iter().copied()).collect();
        scene.run(&arguments).ends(0);
        let before = scene.tree();
        let report = said(&scene, agent);
        assert_eq!(report["arrives"], true, "{agent} {more:?}: {report:#}");
        let context = report["context"].as_str().expect("a context");
        assert!(context.contains("<ctxhost-section"), "{agent} {more:?}: {report:#}");
        assert_eq!(
            said(&scene, agent)["context"],
            report["context"],
            "a proof leaves no trace in a conversation"
        );
        let state = |tree: &std::collections::BTreeMap<PathBuf, Option<Vec<u8>>>| {
            tree.keys().filter(|path| path.starts_with(scene.place.path("state"))).count()
        };
        assert_eq!(state(&scene.tree()), state(&before));
    }
}

#[test]
fn what_the_hook_answers_is_shown() {
    for more in [&[][..], &["--hook", "command"]] {
        let scene = installed("claude-code", more);
        stand_in(&scene, &answering(&context("UserPromptSubmit", "the context of now")));
        let report = said(&scene, "claude-code");
        assert_eq!(report["context"], "the context of now", "{report:#}");
        let text = scene.run(&["doctor"]).out;
        assert!(text.contains("injects 18 characters now:\n  | the context of now"), "{text}");
        stand_in_again(&scene, &answering("{}"));
        notes(&scene, "claude-code", "nothing is injected now");
    }
}

fn stand_in_again(scene: &Scene, script: &str) {
    let program = scene.place.path("stand-in/ctxhost");
    fs::write(program, format!("#!/bin/sh\n{script}\n")).expect("it can be written");
}

#[test]
fn an_answer_that_the_agent_would_not_take_stops_it() {
    for (agent, answer, why) in [
        ("claude-code", "not JSON".to_owned(), "its answer is not JSON"),
        ("claude-code", "[]".to_owned(), "its answer is not an object"),
        ("claude-code", context("SessionStart", "x"), "its answer is for another event"),
        ("claude-code", context("UserPromptSubmit", &"é".repeat(10_001)), "cuts off"),
        ("codex", context("UserPromptSubmit", &"é".repeat(5_001)), "cuts off"),
        ("codex", "{\"additionalContext\":\"x\"}".to_owned(), "which Codex does not take"),
    ] {
        for more in [&[][..], &["--hook", "command"]] {
            let scene = installed(agent, more);
            stand_in(&scene, &answering(&answer));
            stops(&scene, agent, why);
        }
    }
    let scene = installed("claude-code", &[]);
    stand_in(&scene, &answering(&context("UserPromptSubmit", &"é".repeat(9_900))));
    assert_eq!(said(&scene, "claude-code")["arrives"], true, "it counts as the agent does");
}

#[test]
fn a_program_that_is_not_ours_any_more_stops_it() {
    for agent in AGENTS {
        let scene = installed(agent, &[]);
        fs::remove_file(stand_in(&scene, "")).expect("it is there");
        stops(&scene, agent, "does not start");
        let program = stand_in_at(&scene);
        fs::set_permissions(&program, fs::Permissions::from_mode(0o644)).expect("permissions");
        stops(&scene, agent, "does not start");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("permissions");
        stops(&scene, agent, "ends with code 7");
    }
    let scene = installed("claude-code", &["--hook", "command"]);
    stand_in(&scene, &answering("{}").replace(env!("CARGO_PKG_VERSION"), "0.0.1"));
    notes(&scene, "claude-code", "is version 0.0.1, and this is");
}

fn stand_in_at(scene: &Scene) -> PathBuf {
    scene.place.write("stand-in/ctxhost", "#!/bin/sh\nexit 7\n")
}

#[test]
fn a_hook_that_hangs_costs_its_own_time() {
    let scene = installed("claude-code", &["--hook", "command"]);
    stand_in(&scene, "[ \"$1\" = --version ] && echo ctxhost 1 && exit\nsleep 600 & wait");
    let file = scene.home(".claude/settings.json");
    let text = read(&file).replace("\"timeout\": 25", "\"timeout\": 1");
    fs::write(&file, text).expect("it can be written");
    // It sleeps for longer than any run may take.
    stops(&scene, "claude-code", "does not answer within 1 s");
}

#[test]
fn what_stands_in_settings_stops_it() {
    let scene = installed("claude-code", &[]);
    scene.place.write("work/.claude/settings.local.json", "{\"disableAllHooks\": true}");
    stops(&scene, "claude-code", "settings.local.json: disableAllHooks is true");
    scene.place.write("work/.claude/settings.local.json", "{\"disableAllHooks\": false}");
    assert_eq!(said(&scene, "claude-code")["stops"], json!([]));

    let scene = installed("claude-code", &[]);
    fs::remove_file(scene.home(".claude.json")).expect("it is there");
    stops(&scene, "claude-code", "the hook calls the MCP server `ctxhost`, which is not set up");

    let scene = installed("claude-code", &[]);
    fs::write(scene.home(".claude.json"), "{").expect("it can be written");
    stops(&scene, "claude-code", ".claude.json: Unterminated object");

    let scene = installed("codex", &[]);
    stops(&scene, "codex", "its hooks are not trusted; type /hooks in Codex");
    let config = scene.home(".codex/config.toml");
    fs::write(&config, format!("{}\n[features]\nhooks = false\n", read(&config))).expect("it can be written");
    stops(&scene, "codex", "features.hooks is false");
    let hooks = scene.home(".codex/hooks.json");
    fs::write(&hooks, format!("// mine\n{}", read(&hooks))).expect("it can be written");
    stops(&scene, "codex", "Codex reads strict JSON only");
    fs::write(&hooks, format!("\u{feff}{}", read(&hooks))).expect("it can be written");
    stops(&scene, "codex", "byte order mark");

    let scene = installed("pi", &[]);
    fs::remove_dir_all(scene.place.path("data/ctxhost/agents/pi")).expect("it is there");
    stops(&scene, "pi", "the extension is not there; `ctxhost install pi` writes it");
    let scene = installed("pi", &[]);
    scene.place.write("data/ctxhost/agents/pi/package.json", "{}");
    notes(&scene, "pi", "1 files of the extension are of another version");
}

#[test]
fn codex_itself_is_asked_what_it_trusts() {
    let scene = installed("codex", &["--hook", "command"]);
    let hooks = |trust: &str| {
        let path = scene.home(".codex/hooks.json");
        let program = scene.program.display();
        let hook = json!({
            "sourcePath": path, "eventName": "userPromptSubmit", "command": format!("{program} hook codex"),
            "enabled": true, "trustStatus": trust,
        });
        let other =
            json!({"sourcePath": path, "eventName": "stop", "command": "x", "trustStatus": "untrusted"});
        let list = json!({"id": 2, "result": {"data": [{"hooks": [other, hook]}]}});
        let script = format!(
            "#!/bin/sh\nwhile read -r line; do case \"$line\" in\n*'\"initialize\"'*) echo '{{\"id\":1,\"result\":{{}}}}' ;;\n\
             *hooks/list*) echo '{list}' ;;\nesac; done\n"
        );
        let codex = scene.place.write("bin/codex", script);
        fs::set_permissions(codex, fs::Permissions::from_mode(0o755)).expect("permissions");
        let path =
            format!("{}:{}", scene.place.path("bin").display(), std::env::var("PATH").expect("a PATH"));
        let mut command = scene.command(&scene.program, &["doctor", "--json"]);
        Ran::of(command.env("PATH", path).stdin(Stdio::null()), None).json()["agents"]["codex"].clone()
    };
    assert_eq!(hooks("trusted")["stops"], json!([]));
    let report = hooks("untrusted");
    let stop = report["stops"][0].as_str().expect("it is stopped");
    assert!(stop.contains("Codex skips the hooks of userPromptSubmit, which you have not trusted"), "{stop}");
}

/// A repository that others have written, and a program on the `PATH` that notes how it is started.
struct Repository {
    scene: Scene,
}

impl Repository {
    fn new() -> Self {
        let scene = Scene::new();
        let note = format!(
            "#!/bin/sh\necho \"$* $LD_PRELOAD $CTXHOST_PROVIDER_PATH\" >>'{}'\n",
            scene.place.path("started").display()
        );
        let program = scene
            .place
            .write("on-path/ctxhost", note + &answering(&context("UserPromptSubmit", "the context of now")));
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("permissions");
        for name in ["work/tools/ctxhost", "work/ctxhost"] {
            let trap = scene.place.write(name, "#!/bin/sh\ntouch ../sprung; touch sprung; echo ctxhost 1\n");
            fs::set_permissions(&trap, fs::Permissions::from_mode(0o755)).expect("permissions");
        }
        Self { scene }
    }

    /// What stands in its files for one agent.
    fn write(&self, agent: &str, hook: &str, server: &str) {
        let hooks = format!("{{\"hooks\": {{\"UserPromptSubmit\": [{{\"hooks\": [{hook}]}}]}}}}");
        let place = &self.scene.place;
        if agent == "codex" {
            place.write("work/.codex/hooks.json", hooks);
            place.write("work/.codex/config.toml", server);
        } else {
            place.write("work/.claude/settings.json", hooks);
            place.write("work/.mcp.json", server);
        }
    }

    fn said(&self, agent: &str) -> Value {
        let path = format!(
            "{}:{}",
            self.scene.place.path("on-path").display(),
            std::env::var("PATH").expect("a PATH")
        );
        let mut command = self.scene.command(&self.scene.program, &["doctor", "--json"]);
        command.env("CTXHOST_PROVIDER_PATH", "/of-the-user");
        Ran::of(command.env("PATH", path).stdin(Stdio::null()), None).json()["agents"][agent].clone()
    }

    /// How the program on the `PATH` was started, each time in a line.
    fn started(&self) -> Vec<String> {
        let text = fs::read_to_string(self.scene.place.path("started")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Holds that nothing is started, and that this is what is said of it.
    #[track_caller]
    fn starts_nothing(&self, agent: &str, what: &str, why: &str) {
        let report = self.said(agent);
        let stops = report["stops"].as_array().expect("stops");
        let is_said = |stop: &Value| {
            stop.as_str().is_some_and(|stop| stop.contains("which was not run") && stop.contains(why))
        };
        assert!(stops.iter().any(is_said), "{what}: `{why}` is not in {report:#}");
        assert_eq!(report["arrives"], false, "{what}: {report:#}");
        assert_eq!(self.started(), Vec::<String>::new(), "{what}");
        let sprung = [self.scene.place.path("sprung"), self.scene.place.path("work/sprung")];
        assert!(!sprung.iter().any(|file| file.exists()), "{what}");
    }
}

/// A server's entry as the agent has it.
fn server(agent: &str, command: &str, args: &[&str], more: [&str; 2]) -> String {
    let [in_json, in_toml] = more;
    if agent == "codex" {
        format!("[mcp_servers.ctxhost]\ncommand = {command:?}\nargs = {args:?}\n{in_toml}\n")
    } else {
        format!(
            "{{\"mcpServers\": {{\"ctxhost\": {{\"command\": {command:?}, \"args\": {args:?}{in_json}}}}}}}"
        )
    }
}

/// A hook that calls the tool, with this input.
fn tool(input: &str) -> String {
    format!(
        "{{\"type\": \"mcp_tool\", \"server\": \"ctxhost\", \"tool\": \"ctxhost_inject\", \"input\": {input}}}"
    )
}

#[test]
fn a_project_does_not_choose_what_doctor_runs() {
    let repository = Repository::new();
    let own = repository.scene.program.to_str().expect("UTF-8").to_owned();
    for agent in ["claude-code", "codex"] {
        let right = server(agent, "ctxhost", &["mcp"], [""; 2]);
        for (command, args, why) in [
            ("tools/ctxhost", &["mcp"][..], "the program tools/ctxhost"),
            ("./ctxhost", &["mcp"], "the program ./ctxhost"),
            ("sh", &["-c", "touch sprung"], "the program sh"),
            ("ctxhost", &["check", "./evil.so"], "`ctxhost check ./evil.so`"),
            ("ctxhost", &["run", "recorder", "say"], "`ctxhost run recorder say`"),
            ("ctxhost", &["uninstall", agent], "the command"),
            ("ctxhost", &["serve", "--stdio"], "the command"),
            ("ctxhost", &[], "the command"),
            ("ctxhost", &["mcp", "--cwd", "/"], "`ctxhost mcp --cwd /`"),
            ("ctxhost", &["--cwd", "/", "mcp"], "the command"),
            ("ctxhost", &["mcp", ""], "the command"),
            (&own, &["check", "./evil.so"], "check ./evil.so`"),
            (&own, &["uninstall", agent], "the command"),
        ] {
            repository.write(agent, &tool("{}"), &server(agent, command, args, [""; 2]));
            repository.starts_nothing(agent, &format!("{agent}: {command} {args:?}"), why);
        }
        for (name, in_json, in_toml) in [
            ("env", r#", "env": {"LD_PRELOAD": "./evil.so"}"#, "env = { LD_PRELOAD = \"./evil.so\" }"),
            (
                "env",
                r#", "env": {"CTXHOST_PROVIDER_PATH": "./evil"}"#,
                "[mcp_servers.ctxhost.env]\nCTXHOST_PROVIDER_PATH = \"./evil\"",
            ),
            ("env", r#", "env": {}"#, "env.LD_PRELOAD = \"./evil.so\""),
            ("cwd", r#", "cwd": "tools""#, "cwd = \"tools\""),
        ] {
            repository.write(agent, &tool("{}"), &server(agent, "ctxhost", &["mcp"], [in_json, in_toml]));
            repository.starts_nothing(agent, &format!("{agent}: {in_json}"), &format!("set `{name}`"));
        }
        repository.write(
            agent,
            &tool(r#"{"prompt": "${prompt}", "transcript_path": "/etc/passwd"}"#),
            &right,
        );
        let report = repository.said(agent);
        assert!(report["stops"].to_string().contains("`transcript_path` of their own"), "{report:#}");
        assert!(
            !repository.started().iter().any(|line| line.starts_with("mcp")),
            "{:?}",
            repository.started()
        );
        fs::remove_file(repository.scene.place.path("started")).expect("its version was asked");

        let other = if agent == "codex" { "claude-code" } else { "codex" };
        for (command, why) in [
            ("\"tools/ctxhost hook AGENT\"", "the program tools/ctxhost"),
            ("\"tools/ctxhost\", \"args\": [\"hook\", \"AGENT\"]", "the program tools/ctxhost"),
            ("\"LD_PRELOAD=./evil/ctxhost hook AGENT\"", "the program LD_PRELOAD=./evil/ctxhost"),
            ("\"ctxhost hook AGENT --cwd tools\"", "the command"),
            ("\"ctxhost hook OTHER\"", "the command"),
            ("\"ctxhost hook\"", "the command"),
            ("\"ctxhost\", \"args\": [\"hook\", \"AGENT\", \"--cwd\", \"/\"]", "the command"),
            // A shell would do what stands in the quotes.
            (r#""OWN hook AGENT \"$(touch sprung)\"""#, "the command"),
            (r#""OWN hook \"`touch sprung`AGENT\"""#, "the command"),
            ("\"ctxhost\", \"args\": [\"hook\", \"AGENT\"], \"env\": {\"LD_PRELOAD\": \"x\"}", "set `env`"),
            ("\"ctxhost\", \"args\": [\"hook\", \"AGENT\"], \"cwd\": \"tools\"", "set `cwd`"),
            ("\"ctxhost hook AGENT\", \"shell\": \"./sh\"", "set `shell`"),
        ] {
            let command = command.replace("AGENT", agent).replace("OTHER", other).replace("OWN", &own);
            repository.write(agent, &format!("{{\"type\": \"command\", \"command\": {command}}}"), "");
            repository.starts_nothing(agent, &format!("{agent}: {command}"), why);
        }

        // What `install` writes is run, with the user's own environment.
        let line = format!("ctxhost hook {agent}");
        let hook = format!("{{\"type\": \"command\", \"command\": {line:?}}}");
        let words =
            format!("{{\"type\": \"command\", \"command\": \"ctxhost\", \"args\": [\"hook\", {agent:?}]}}");
        let hooks = [(hook, format!("hook {agent}")), (words, format!("hook {agent}"))];
        for (hook, started) in
            hooks.into_iter().chain([(tool(r#"{"prompt": "${prompt}"}"#), "mcp".to_owned())])
        {
            repository.write(agent, &hook, &right);
            let report = repository.said(agent);
            assert_eq!(report["context"], "the context of now", "{report:#}");
            let lines = repository.started();
            // Codex hands its servers no such variable unless the entry names it.
            let lines_of = [format!("{started}  /of-the-user"), format!("{started}  ")];
            assert!(lines.iter().any(|line| lines_of.contains(line)), "{lines:?}");
            fs::remove_file(repository.scene.place.path("started")).expect("it was started");
        }
        repository.write(agent, "", "");
    }
}

#[test]
fn a_users_own_options_stay_and_other_commands_are_not_run() {
    for (agent, name) in [("claude-code", ".claude.json"), ("codex", ".codex/config.toml")] {
        let scene = installed(agent, &[]);
        stand_in(&scene, &answering(&context("UserPromptSubmit", "the context of now")));
        let file = scene.home(name);
        let text = read(&file);
        fs::write(&file, text.replace("\"mcp\"", "\"mcp\", \"--session\", \"mine\""))
            .expect("it can be written");
        assert_eq!(said(&scene, agent)["context"], "the context of now", "{agent}");
        fs::write(&file, text.replace("\"mcp\"", "\"check\", \"x.so\"")).expect("it can be written");
        stops(&scene, agent, "check x.so` is not `ctxhost mcp`, so it was not run");
        assert_eq!(said(&scene, agent)["arrives"], false, "{agent}");
    }
}
