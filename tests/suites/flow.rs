//! The whole flow through processes: what a person types, what is printed, how it ends.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::harness::{Place, codes, example, providers};

const INJECT: [&str; 5] = ["inject", "--prompt", "hello", "--format", "json"];

fn good(settings: &str) -> Place {
    let place = Place::with(&[example("good")]);
    place.config(&format!("[providers.good]\n{settings}\n"));
    place
}

#[test]
fn an_injection_has_the_documented_form() {
    let place = good("");
    let injection = place.run(&INJECT).ends(0).json();
    let keys: Vec<_> = injection.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(keys, ["dropped", "findings", "sections", "status", "text", "tokens", "v"]);
    let section = injection["sections"][0].as_object().expect("a section");
    assert_eq!(
        section.keys().map(String::as_str).collect::<Vec<_>>(),
        ["body", "id", "key", "placement", "provider", "tokens", "trust"]
    );
    assert_eq!(injection["status"], json!({"good": {"text": "good"}}));
    let text = injection["text"].as_str().expect("a text");
    assert_eq!(place.run(&["inject", "--prompt", "hello"]).ends(0).out, text);
    assert!(text.starts_with("<ctxhost v=\"1\">\n") && text.ends_with("</ctxhost>\n"));
    assert_eq!(place.run(&INJECT).json(), injection, "the same question gives the same bytes");
}

#[test]
fn without_providers_there_is_nothing_to_say_and_a_reason() {
    let place = Place::new();
    let ran = place.run(&INJECT).ends(0);
    assert_eq!(
        (ran.json()["text"].as_str(), codes(&ran.json())),
        (Some(""), vec!["- no-providers".to_owned()])
    );
    place.run(&["list"]).ends(3);
    let ran = place.run(&["inject", "--prompt", "hello"]).ends(0);
    assert_eq!(ran.out, "");
    assert!(ran.err.contains("no provider was found in"), "{}", ran.err);
}

#[test]
fn a_prompt_comes_from_standard_input_too() {
    let place = good("");
    assert_eq!(
        providers(
            &place.run_with_input(&["inject", "--prompt", "-", "--format", "json"], b"hello").ends(0).json()
        ),
        ["good"]
    );
    let large = vec![b'x'; 2 * 1024 * 1024];
    let ran = place.run_with_input(&["inject", "--prompt", "-"], &large);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

#[test]
fn wrong_calls_end_with_2_and_say_what_to_do() {
    let place = good("");
    for arguments in [
        vec!["inject"],
        vec!["inject", "--prompt", "x", "--cwd", "no/such/folder"],
        vec!["inject", "--prompt", "x", "--now", "NaN"],
        vec!["no-such-command"],
        vec!["tool", "good_echo", "--args", "{"],
        vec!["tool", "good_echo", "--args", "[]"],
        vec!["specs", "validate", "envelope/v1"],
    ] {
        let ran = place.run(&arguments);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments:?}: {}", ran.err);
        assert!(!ran.err.is_empty());
    }
}

#[test]
fn what_does_not_exist_ends_with_3() {
    let place = good("");
    for arguments in [
        vec!["run", "no-such"],
        vec!["run", "good", "no-such"],
        vec!["tool", "no-such"],
        vec!["check", "no-such"],
        vec!["specs", "show", "no-such/v1"],
    ] {
        let ran = place.run(&arguments);
        assert_eq!(ran.code, Some(3), "{arguments:?}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{arguments:?}: {}", ran.err);
    }
    let injection = place.inject(&["--provider", "no-such"]);
    assert_eq!((providers(&injection), codes(&injection)), (vec![], vec!["no-such not-found".to_owned()]));
}

#[test]
fn a_session_repeats_only_what_changed() {
    let place = good("");
    let first = place.inject(&["--session", "s"]);
    let again = place.inject(&["--session", "s"]);
    assert_eq!((providers(&first), again["text"].as_str()), (vec!["good".to_owned()], Some("")));
    assert_eq!(again["dropped"][0]["reason"], "already shown in this conversation, unchanged");
    assert_eq!(providers(&place.inject(&["--session", "another"])), ["good"]);
    assert_eq!(providers(&place.inject(&[])), ["good"], "without a name each call is a new session");

    place.config("[providers.good]\ntext = \"another text\"\n");
    let changed = place.inject(&["--session", "s"]);
    let text = changed["text"].as_str().expect("a text");
    assert!(
        text.contains(&format!("supersedes=\"{}\"", first["sections"][0]["id"].as_str().expect("an id"))),
        "{text}"
    );

    place.config("repeat = \"always\"\n[providers.good]\ntext = \"another text\"\n");
    assert_eq!(providers(&place.inject(&["--session", "s"])), ["good"]);
}

#[test]
fn a_finding_is_shown_once_a_session() {
    let place = Place::with(&[example("good"), example("rogue")]);
    place.config("[providers.rogue]\nbehaviour = \"panic\"\n");
    assert_eq!(codes(&place.inject(&["--session", "s"])), ["rogue panic"]);
    assert_eq!(codes(&place.inject(&["--session", "s"])), Vec::<String>::new());
    place.run(&[&INJECT[..], &["--session", "s", "--strict"]].concat()).ends(4);
    assert_eq!(codes(&place.inject(&[])), ["rogue panic"]);
}

#[test]
fn two_runs_of_one_session_at_once_lose_nothing() {
    let place = good("");
    let children: Vec<_> = (0..6)
        .map(|_| {
            let arguments = [&INJECT[..], &["--session", "s"]].concat();
            place
                .command(&arguments)
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("it starts")
        })
        .collect();
    let shown = children
        .into_iter()
        .map(|child| child.wait_with_output().expect("it ends"))
        .filter(|output| {
            let injection: Value = serde_json::from_slice(&output.stdout).expect("a document");
            assert_eq!(codes(&injection), Vec::<String>::new());
            !providers(&injection).is_empty()
        })
        .count();
    assert_eq!(shown, 1, "exactly one of them shows the section");
}

#[test]
fn a_session_whose_state_cannot_be_written_goes_on() {
    let place = good("");
    std::fs::remove_dir(place.path("state")).expect("the folder is empty");
    place.write("state", "not a folder");
    let injection = place.inject(&["--session", "s"]);
    assert_eq!(providers(&injection), ["good"]);
    assert!(
        !codes(&injection).is_empty() && codes(&injection).iter().all(|code| code == "- session-state"),
        "{injection:#}"
    );
}

#[test]
fn a_budget_is_kept_and_explained() {
    let place = good("bytes = 8000");
    let injection = place.inject(&["--max-tokens", "300"]);
    assert!(injection["tokens"].as_u64().is_some_and(|tokens| tokens <= 300));
    assert_eq!(injection["dropped"][0]["key"], "good");
    assert!(injection["text"].as_str().expect("a text").contains("was left out"));
    let explained =
        place.run(&["explain", "--prompt", "x", "--context-window", "8000", "--json"]).ends(0).json();
    assert_eq!(explained["limit"]["bound"], "25 % of the model's window");
    let text = place.run(&["explain", "--prompt", "x", "--max-tokens", "300"]).ends(0).out;
    assert!(text.contains("dropped: needs about") && text.contains("the limit is max_tokens"), "{text}");
}

#[test]
fn explain_shows_the_step_that_failed() {
    let place = Place::with(&[example("good"), example("rogue")]);
    place.config("[providers.rogue]\nbehaviour = \"off-spec\"\n");
    let explained = place.run(&["explain", "--prompt", "x", "--json"]).ends(0).json();
    let step = |id: &str| {
        let rows = explained["providers"].as_array().expect("rows");
        rows.iter().find(|row| row["provider"] == id).expect("a row")["step"].as_str().map(str::to_owned)
    };
    assert_eq!((step("good"), step("rogue")), (Some("compose".to_owned()), Some("validate".to_owned())));
}

#[test]
fn explain_shows_a_providers_own_words_and_nobody_else_does() {
    let place = good("");
    let text = place.run(&["explain", "--prompt", "x"]).ends(0).out;
    assert!(text.contains("\ngood:\n  it always says so\n"), "{text}");
    let explained = place.run(&["explain", "--prompt", "x", "--json"]).ends(0).json();
    assert_eq!(explained["providers"][0]["explanation"].as_array().map(Vec::len), Some(1));
    let injected = place.run(&["inject", "--prompt", "x", "--format", "json"]).ends(0).out;
    assert!(!injected.contains("always says so"), "{injected}");
}

#[test]
fn tools_and_commands_are_reached_through_the_host() {
    let place = good("");
    assert_eq!(place.run(&["tool", "good_echo", "--args", r#"{"text": "hi\u001b[2J"}"#]).ends(0).out, "hi\n");
    assert_eq!(place.run(&["tool", "good_echo"]).ends(1).out, "`text` is missing\n");
    let whole = place.run(&["tool", "good_echo", "--args", r#"{"text": "hi"}"#, "--json"]).ends(0).json();
    assert_eq!(whole["content"], json!([{"type": "text", "text": "hi"}]));
    assert!(place.run(&["run", "good"]).ends(0).out.contains("pick  Shows a picker"));
    let ran = place.run(&["run", "good", "pick", "a", "--all", "-x"]).ends(0);
    let elsewhere = place.path("home").display().to_string();
    let ran_there = place.run(&["run", "good", "pick", "a", "--all", "--cwd", &elsewhere, "--json"]).ends(0);
    assert_eq!(ran_there.json()["text"], "args [\"a\", \"--all\"]", "the host's own options may come last");
    place.run(&["run", "good", "pick", "a", "--cwd"]).ends(2);
    place.run(&["run", "good", "pick", "a", "--cwd=no/such/folder"]).ends(2);
    let after = place.run(&["run", "good", "pick", "--json", "--", "--json", "--cwd"]).ends(0);
    assert_eq!(after.json()["text"], "args [\"--json\", \"--cwd\"]");
    assert!(
        ran.out.starts_with("args [\"a\", \"--all\", \"-x\"]") && ran.out.contains("ctxhost run good pick 1"),
        "{}",
        ran.out
    );
}

#[test]
fn a_provider_is_switched_off_by_the_user_and_by_the_project() {
    let place = good("enabled = false");
    assert!(providers(&place.inject(&[])).is_empty());
    assert!(place.run(&["list"]).ends(0).out.contains("switched off"));
    let place = good("");
    place.write("work/.ctxhost.toml", "[providers.good]\nenabled = false\n");
    assert!(providers(&place.inject(&[])).is_empty());
}

#[test]
fn a_project_file_sets_what_is_harmless_and_the_rest_is_refused() {
    let place = good("");
    place.write("work/.ctxhost.toml", "[providers.good]\ntext = \"from the project\"\nbytes = 100000\n");
    let injection = place.inject(&[]);
    assert_eq!(injection["sections"][0]["body"], "from the project\n");
    assert_eq!(codes(&injection), ["good project-refused"]);
}

#[test]
fn a_project_file_that_is_a_pipe_does_not_hang_anything() {
    let place = good("");
    let made = std::process::Command::new("mkfifo")
        .arg(place.path("work/.ctxhost.toml"))
        .status()
        .expect("mkfifo runs");
    assert!(made.success());
    let injection = place.inject(&[]);
    assert_eq!(
        (providers(&injection), codes(&injection)),
        (vec!["good".to_owned()], vec!["- settings-unreadable".to_owned()])
    );
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let place = good("bytes = 300000");
    let arguments = ["inject", "--prompt", "x", "--max-tokens", "90000"];
    let mut child = place
        .command(&arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn trust_goes_by_where_a_folder_really_lies() {
    let place = good("");
    let settings = "[providers.good]\nbytes = 100\ntext = \"theirs\"\n";
    place.write("evil/.ctxhost.toml", settings);
    place.write("work/inner/.ctxhost.toml", settings);
    std::os::unix::fs::symlink(place.path("evil"), place.path("work/link")).expect("a link");
    let work = place.path("work").display().to_string();
    // The rogue says what it is asked.
    let place_of = |cwd: &str| {
        let ran = place.run(&["inject", "--prompt", "x", "--format", "json", "--cwd", cwd]).ends(0);
        ran.json()["text"].as_str().expect("a text").contains("trusted true")
    };
    place.install(&example("rogue"));
    for (trusted, cwd, expected) in [
        (work.as_str(), "inner", true),
        (work.as_str(), "inner/..", true),
        (work.as_str(), "../evil", false),
        (work.as_str(), "inner/../../evil", false),
        (work.as_str(), "link", false),
        ("", ".", false),
        ("work", ".", false),
    ] {
        place.config(&format!("trusted = [\"{trusted}\"]\n[providers.rogue]\nbehaviour = \"sees\"\n"));
        assert_eq!(place_of(cwd), expected, "trusted {trusted:?}, working in {cwd:?}");
    }
}

#[test]
fn explaining_is_not_showing() {
    let place = good("");
    place.run(&["explain", "--prompt", "x", "--session", "s"]).ends(0);
    assert_eq!(providers(&place.inject(&["--session", "s"])), ["good"]);
}

#[test]
fn what_could_not_be_printed_was_not_shown() {
    let place = good("");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
    let arguments = [&INJECT[..], &["--session", "s"]].concat();
    let output = place.command(&arguments).stdin(Stdio::null()).stdout(full).output().expect("it runs");
    assert_eq!(output.status.code(), Some(70));
    assert!(String::from_utf8_lossy(&output.stderr).contains("could not be written"));
    assert_eq!(providers(&place.inject(&["--session", "s"])), ["good"]);
}

#[test]
fn strict_counts_a_library_that_cannot_be_taken() {
    let place = good("");
    let broken = place.path("providers/libbroken.so");
    std::fs::write(&broken, &std::fs::read(example("good")).expect("a library")[..5_000]).expect("a file");
    place.run(&INJECT).ends(0);
    place.run(&[&INJECT[..], &["--strict"]].concat()).ends(4);
    place.run(&[&INJECT[..], &["--provider", "no-such"]].concat()).ends(3);
    place.run(&[&INJECT[..], &["--provider", "no-such", "--provider", "good"]].concat()).ends(0);
}

#[test]
fn two_problems_of_one_kind_are_both_told() {
    let place = good("");
    let library = std::fs::read(example("good")).expect("a library");
    for name in ["one", "two"] {
        std::fs::write(place.path(format!("providers/lib{name}.so")), &library[..5_000]).expect("a file");
    }
    let told =
        |injection: &Value| codes(injection).iter().filter(|code| *code == "- library-damaged").count();
    assert_eq!(told(&place.inject(&["--session", "s"])), 2);
    assert_eq!(told(&place.inject(&["--session", "s"])), 0);
    std::fs::write(place.path("providers/libthree.so"), &library[..5_000]).expect("a file");
    assert_eq!(told(&place.inject(&["--session", "s"])), 1, "a new file is a new problem");
}

#[test]
fn the_environment_switches_a_provider_off() {
    let place = good("");
    let mut command = place.command(&INJECT);
    let output = command.env("CTXHOST_GOOD_ENABLED", "false").stdin(Stdio::null()).output().expect("it runs");
    assert!(providers(&serde_json::from_slice(&output.stdout).expect("a document")).is_empty());
}

#[test]
fn a_settings_file_full_of_faults_is_told_of_in_a_few_lines() {
    let place = good("");
    let faults: String = (0..5_000).map(|number| format!("no_such_{number} = 1\n")).collect();
    place.write("work/.ctxhost.toml", faults);
    let injection = place.inject(&[]);
    assert_eq!(codes(&injection).len(), 21);
    assert_eq!(providers(&injection), ["good"]);
}

#[test]
fn what_loading_has_to_tell_is_told_by_every_command() {
    let place = good("");
    place.write("work/.ctxhost.toml", "[providers.good]\nbytes = 5\n");
    for arguments in [vec!["run", "good", "pick"], vec!["tool", "good_echo", "--args", "{\"text\": \"x\"}"]] {
        let ran = place.run(&arguments).ends(0);
        assert!(ran.err.contains("may not set `bytes`"), "{arguments:?}: {}", ran.err);
    }
    assert!(place.run(&["doctor"]).ends(1).out.contains("may not set `bytes`"));
}

#[test]
fn a_status_of_any_length_fits_a_table() {
    let place = Place::with(&[example("rogue")]);
    place.config("[providers.rogue]\nbehaviour = \"long-status\"\n");
    let out = place.run(&["explain", "--prompt", "x"]).ends(0).out;
    assert!(
        out.contains("offered no section") && out.lines().all(|line| line.len() < 2_000),
        "{}",
        out.len()
    );
}

#[test]
fn a_tool_that_is_there_only_now_is_found() {
    let place = Place::with(&[example("good"), example("rogue")]);
    place.config("[providers.rogue]\nbehaviour = \"late-tool\"\n");
    assert_eq!(place.run(&["tool", "rogue_now"]).ends(0).out, "called\n");
}

#[test]
fn every_failure_says_what_to_do_next() {
    let behaviours = [
        "panic",
        "fail",
        "large",
        "off-spec",
        "foreign-spec",
        "hang",
        "panic-in-create",
        "block",
        "duplicate",
    ];
    for behaviour in behaviours {
        let place = Place::with(&[example("rogue")]);
        place
            .config(&format!("[providers.rogue]\nbehaviour = \"{behaviour}\"\n[deadlines]\nprompt = 1000\n"));
        let injection = place.inject(&[]);
        let findings = injection["findings"].as_array().expect("a list");
        assert!(!findings.is_empty(), "{behaviour}");
        assert!(findings.iter().all(|finding| finding["hint"].is_string()), "{behaviour}: {injection:#}");
    }
}

#[test]
fn many_threads_share_a_host_and_lose_nothing() {
    let place = Place::new();
    let mut surroundings = ctxhost::Surroundings::empty();
    let set = |surroundings: &mut ctxhost::Surroundings, name: &str, path: std::path::PathBuf| {
        surroundings.env.insert(name.to_owned(), path.to_string_lossy().into_owned());
    };
    place.install(&example("good"));
    set(&mut surroundings, "CTXHOST_PROVIDER_PATH", place.path("providers"));
    set(&mut surroundings, "XDG_CACHE_HOME", place.path("cache"));
    set(&mut surroundings, "XDG_CONFIG_HOME", place.path("config"));
    let host = ctxhost::Host::builder(surroundings).cwd(place.path("work")).build();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..50 {
                    let outcome = host.inject(&ctxhost::Prompt::new("hello", "/"));
                    assert_eq!((outcome.injection.sections.len(), outcome.findings), (1, vec![]));
                }
            });
        }
    });
}

#[test]
fn after_a_compaction_a_section_is_there_again_once() {
    let place = Place::new();
    place.install(&example("good"));
    let mut surroundings = ctxhost::Surroundings::empty();
    for (name, folder) in [
        ("CTXHOST_PROVIDER_PATH", "providers"),
        ("XDG_CACHE_HOME", "cache"),
        ("XDG_STATE_HOME", "state"),
        ("XDG_CONFIG_HOME", "config"),
    ] {
        surroundings.env.insert(name.to_owned(), place.path(folder).to_string_lossy().into_owned());
    }
    let host = ctxhost::Host::builder(surroundings).cwd(place.path("work")).build();
    let prompt = ctxhost::Prompt { session: Some("s".to_owned()), ..ctxhost::Prompt::new("hello", "/") };
    let shown = || host.inject(&prompt).injection.sections.len();
    assert_eq!((shown(), shown()), (1, 0));
    let session = host.session(ctxhost::Opening { id: Some("s".to_owned()), ..ctxhost::Opening::new("/") });
    assert_eq!(session.compacted(), []);
    assert_eq!((shown(), shown()), (1, 0));
    // A face that sees the conversation decides by what it sees.
    let seen = ctxhost::Prompt { visible: Some(Vec::new()), ..prompt.clone() };
    assert_eq!(host.inject(&seen).injection.sections.len(), 1);
}
