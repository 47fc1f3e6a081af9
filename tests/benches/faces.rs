//! What a prompt costs through the faces: a warm `ctxhost serve`, and one whole `ctxhost hook` process.
//!
//! `cargo bench -p ctxhost-tests --bench faces` prints two tables; times are those of the machine it runs on, and only
//! their ratios mean anything elsewhere.

use std::{
    fs::DirBuilder,
    hint::black_box,
    io::{BufRead as _, BufReader, Write as _},
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::Arc,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use ctxhost::{
    Settings, Surroundings,
    discover::{Candidate, Origin, State},
    load::{self, Call, Ground, Loaded, SilentListener, preflight},
};
use serde_json::{Value, json};

/// The sizes of what the five providers say, in bytes.
const SIZES: [usize; 5] = [200, 500, 1_000, 2_000, 4_000];

fn main() {
    // `cargo test --benches` only wants to know that this runs.
    let quick = !std::env::args().any(|argument| argument == "--bench");
    warm(if quick { 5 } else { 1_000 });
    processes(if quick { 1 } else { 60 });
}

/// A library as it is built for this run.
fn built(folder: &str, name: &str) -> PathBuf {
    let deps = std::env::current_exe().expect("a bench has a file").parent().expect("a folder").to_owned();
    let file = format!("{}{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let library = deps.parent().expect("a profile's folder").join(folder).join(file);
    assert!(
        library.is_file(),
        "{} is not built: run `cargo build --release -p ctxhost-tests --examples`",
        library.display()
    );
    library
}

/// The time below which a share of the rounds stay, in microseconds.
fn percentile(times: &mut [Duration], share: f64) -> f64 {
    times.sort_unstable();
    let index = (times.len() as f64 * share) as usize;
    times[index.min(times.len() - 1)].as_secs_f64() * 1e6
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let started = Instant::now();
    let result = black_box(work());
    (result, started.elapsed())
}

/// A folder with five copies of the prepared provider, each under an id of its own, and the settings of each.
fn five_providers(place: &Path) -> PathBuf {
    let providers = place.join("providers");
    DirBuilder::new().mode(0o700).create(&providers).expect("a folder");
    let library = std::fs::read(built("examples", "prepared")).expect("it is built");
    let mut settings = String::new();
    for (number, bytes) in SIZES.iter().enumerate() {
        // As long as `prepared`, so that it can stand in the note and in the manifest.
        let id = format!("prepare{number}");
        let mut copy = library.clone();
        let note = b"{\"id\":\"prepared\"";
        let places: Vec<usize> =
            (0..copy.len() - note.len()).filter(|at| copy[*at..].starts_with(note)).collect();
        assert!(!places.is_empty(), "the library says its id");
        for place in places {
            copy[place + 7..place + 15].copy_from_slice(id.as_bytes());
        }
        std::fs::write(providers.join(format!("lib{id}.so")), copy).expect("a file");
        settings.push_str(&format!("[providers.{id}]\nbytes = {bytes}\n"));
    }
    let config = place.join("config/ctxhost");
    DirBuilder::new().recursive(true).mode(0o700).create(&config).expect("a folder");
    std::fs::write(config.join("config.toml"), format!("repeat = \"always\"\n{settings}")).expect("a file");
    providers
}

/// The same five inside this process, for what they themselves take.
fn loaded() -> Vec<Loaded> {
    let path = built("examples", "prepared");
    let ground = Ground { clock: Surroundings::empty().clock, listener: Arc::new(SilentListener) };
    let load = |bytes: &usize| {
        let note = preflight::read_note(&path).expect("it has a note");
        let candidate = Candidate { path: path.clone(), note, origin: Origin::Bundled, state: State::Ready };
        let settings = Settings::with_provider_table("prepared", json!({ "bytes": bytes }));
        load::load(&candidate, &Surroundings::empty(), &settings, &ground).0.expect("it loads")
    };
    SIZES.iter().map(load).collect()
}

/// A running `ctxhost serve`.
struct Served {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    line: String,
}

impl Served {
    fn start(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let stdin = child.stdin.take().expect("a pipe");
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, stdin, stdout, line: String::new() }
    }

    /// One message there, one back.
    fn ask(&mut self, message: &str) -> &str {
        self.line.clear();
        self.stdin.write_all(message.as_bytes()).expect("it reads");
        self.stdout.read_line(&mut self.line).expect("it answers");
        &self.line
    }

    fn end(mut self) {
        drop(self.stdin);
        assert!(self.child.wait().expect("it ends").success());
    }
}

fn request(id: usize, method: &str, params: &Value) -> String {
    format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
}

/// Prompts through a warm `serve`, with five small providers.
fn warm(rounds: usize) {
    let place = tempfile::tempdir().expect("a folder");
    let providers = five_providers(place.path());
    let command = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ctxhost-under-test"));
        command.args(["serve", "--stdio"]).current_dir(place.path()).env_clear();
        command
            .env("HOME", place.path())
            .env("XDG_CONFIG_HOME", place.path().join("config"))
            .env("XDG_RUNTIME_DIR", place.path())
            .env("CTXHOST_PROVIDER_PATH", &providers);
        command
    };
    let agent =
        json!({"name": "bench", "can": ["inject.prompt"], "model": {"id": "m", "context_window": 1_000_000}});
    let mut table = Vec::new();
    for (name, conversation) in [("in memory", Value::Null), ("in a file", json!("one"))] {
        let mut served = Served::start(command());
        served.ask(&request(0, "hello", &json!({"v": 1, "agent": agent})));
        let params = json!({
            "event": "prompt", "session": {"id": conversation, "cwd": place.path()}, "visible": [],
            "data": {"text": "where is the invoice computed", "source": "user"},
        });
        for id in 0..20 {
            let answer: Value =
                serde_json::from_str(served.ask(&request(id, "event", &params))).expect("JSON");
            let sections = answer["result"]["injection"]["sections"].as_array().map(Vec::len);
            assert_eq!(sections, Some(SIZES.len()), "{answer:#}");
        }
        let mut times: Vec<Duration> =
            (0..rounds).map(|id| timed(|| served.ask(&request(id, "event", &params)).len()).1).collect();
        let mut nothing: Vec<Duration> = (0..rounds)
            .map(|id| timed(|| served.ask(&request(id, "cancel", &json!({"id": "none"}))).len()).1)
            .collect();
        served.end();
        table.push((
            name,
            percentile(&mut times, 0.5),
            percentile(&mut times, 0.99),
            percentile(&mut nothing, 0.5),
        ));
    }
    let five = loaded();
    let mut own: Vec<Duration> = (0..rounds)
        .map(|_| {
            let ask = |loaded: &Loaded| {
                let call = Arc::new(Call::until(u64::MAX));
                loaded.instance.call("event", b"{}", call, ctxhost::ask::REPLY_CAP).expect("an answer")
            };
            timed(|| five.iter().map(ask).map(|reply| reply.len()).sum::<usize>()).1
        })
        .collect();
    let own = percentile(&mut own, 0.5);
    println!(
        "a prompt through a warm `serve`, {} providers of {} to {} bytes, {rounds} rounds, in microseconds",
        SIZES.len(),
        SIZES[0],
        SIZES[4]
    );
    println!(
        "{:>10} {:>8} {:>8} {:>11} {:>10} {:>8}",
        "what shows", "p50", "p99", "empty trip", "providers", "host"
    );
    for (name, p50, p99, trip) in table {
        println!("{name:>10} {p50:>8.0} {p99:>8.0} {trip:>11.0} {own:>10.1} {:>8.0}", p50 - own);
    }
    println!("`host` is the median without the providers' own work, the pipes included");
}

/// One whole hook process with `ide-context`, against processes that do nothing.
fn processes(rounds: usize) {
    let place = tempfile::tempdir().expect("a folder");
    let (providers, states) = (place.path().join("providers"), place.path().join("pi-ide"));
    for folder in [&providers, &states] {
        DirBuilder::new().mode(0o700).create(folder).expect("a folder");
    }
    let library = built("deps", "ide_context");
    std::fs::copy(&library, providers.join(library.file_name().expect("a name"))).expect("it is built");
    std::fs::write(states.join(format!("{}.json", std::process::id())), state(place.path())).expect("a file");
    let run = |program: &str, arguments: &[&str], input: &str| {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(place.path()).env_clear();
        command
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", place.path())
            .env("XDG_RUNTIME_DIR", place.path())
            .env("CTXHOST_PROVIDER_PATH", &providers);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        // One that reads nothing may have ended already.
        let _ = child.stdin.take().map(|mut pipe| pipe.write_all(input.as_bytes()));
        child.wait_with_output().ok()
    };
    let program = env!("CARGO_BIN_EXE_ctxhost-under-test");
    let event = |session: usize| {
        json!({
            "session_id": format!("session {session}"), "transcript_path": place.path().join("none"),
            "cwd": place.path(), "prompt_id": "p", "permission_mode": "default",
            "hook_event_name": "UserPromptSubmit", "prompt": "where is it",
        })
        .to_string()
    };
    let shown = run(program, &["hook", "claude-code"], &event(rounds)).expect("it runs");
    assert!(String::from_utf8_lossy(&shown.stdout).contains("fn selected"), "{shown:?}");
    let has_node = run("node", &["-e", "0"], "").is_some_and(|ran| ran.status.success());
    let (mut hook, mut version, mut node) = (Vec::new(), Vec::new(), Vec::new());
    // In turns, so that whatever else the machine does weighs on all of them.
    for round in 0..rounds {
        hook.push(timed(|| run(program, &["hook", "claude-code"], &event(round))).1);
        version.push(timed(|| run(program, &["--version"], "")).1);
        if has_node {
            node.push(timed(|| run("node", &["-e", "0"], "")).1);
        }
    }
    println!("\nwhole processes, medians of {rounds} rounds, in milliseconds");
    let whole = percentile(&mut hook, 0.5) / 1e3;
    println!("{:>34} {whole:>7.1}", "`ctxhost hook`, with ide-context");
    let nothing = percentile(&mut version, 0.5) / 1e3;
    println!("{:>34} {nothing:>7.1}  hook / this {:>5.2}", "`ctxhost --version`", whole / nothing);
    if has_node {
        let node = percentile(&mut node, 0.5) / 1e3;
        println!("{:>34} {node:>7.1}  hook / this {:>5.2}", "`node -e 0`", whole / node);
    } else {
        println!("{:>34}    none", "`node -e 0`");
    }
}

/// What an editor would write, with a fresh selection of some forty lines.
fn state(cwd: &Path) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs();
    let at = |line: u64| json!({"line": line, "column": 1});
    let text = "    fn selected(&self) -> usize { self.items.len() }\n".repeat(40);
    json!({
        "pid": std::process::id(), "cwd": cwd, "timestamp": now, "app": "nvim",
        "active_buffer": {
            "file": cwd.join("main.rs"), "name": "main.rs", "language": "rust", "cursor": at(3), "modified": false,
            "lines_total": 60,
            "selection": {"start": at(1), "end": at(40), "text": text, "selected_at": now},
        },
    })
    .to_string()
}
