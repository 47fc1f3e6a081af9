//! What the host itself costs, step by step, with providers that answer at once with a prepared reply.
//!
//! `cargo bench -p ctxhost-tests --bench flow` prints a table; times are medians on the machine it runs on, and only
//! their ratios mean anything elsewhere.

use std::{
    fs::DirBuilder,
    hint::black_box,
    io::{Read as _, Write as _},
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use ctxhost::{
    Host, Prompt, Settings, Surroundings,
    ask::{self, Answer, Loader, Question, Slot},
    compose::{self, Limit, Plan, QuarterOfCharacters},
    discover::{Candidate, Origin, State},
    emit,
    load::{self, Call, Ground, Loaded, SilentListener, preflight},
    protocol::envelope::{Budget, Request},
    settings::Repeat,
    validate::{Contribution, Validators},
};
use serde_json::json;

fn main() {
    // `cargo test --benches` only wants to know that this runs.
    let quick = !std::env::args().any(|argument| argument == "--bench");
    let rounds = if quick { 3 } else { 2_000 };
    println!("medians of {rounds} rounds, in microseconds");
    steps(rounds);
    boundary(rounds * 50);
    loading(rounds / 10 + 1);
    process(rounds / 20 + 1);
}

/// The library `prepared` among this crate's examples.
fn library(name: &str) -> PathBuf {
    let deps = std::env::current_exe().expect("a bench has a file").parent().expect("a folder").to_owned();
    let file = format!("{}{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let library = deps.parent().expect("a profile's folder").join("examples").join(file);
    assert!(
        library.is_file(),
        "{} is not built: run `cargo build --release -p ctxhost-tests --examples`",
        library.display()
    );
    library
}

fn surroundings() -> Surroundings {
    Surroundings::empty()
}

fn ground() -> Ground {
    Ground { clock: surroundings().clock, listener: Arc::new(SilentListener) }
}

/// Instances of the prepared provider, under names of their own.
fn providers(count: usize, bytes: usize) -> Vec<Loaded> {
    let path = library("prepared");
    let note = preflight::read_note(&path).expect("it has a note");
    let candidate = Candidate { path, note, origin: Origin::Bundled, state: State::Ready };
    let settings = Settings::with_provider_table("prepared", json!({"bytes": bytes}));
    (0..count)
        .map(|number| {
            let (loaded, _) = load::load(&candidate, &surroundings(), &settings, &ground());
            let mut loaded = loaded.expect("it loads");
            loaded.manifest.id = format!("prepared-{number:02}");
            loaded
        })
        .collect()
}

fn median(rounds: usize, mut round: impl FnMut() -> Duration) -> f64 {
    for _ in 0..rounds / 10 + 1 {
        round();
    }
    let mut times: Vec<Duration> = (0..rounds).map(|_| round()).collect();
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e6
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let started = Instant::now();
    let result = black_box(work());
    (result, started.elapsed())
}

/// The steps of a prompt with 1, 5 and 20 providers.
fn steps(rounds: usize) {
    println!(
        "\n{:>9} {:>8} {:>8} {:>9} {:>8} {:>6} {:>10}",
        "providers", "reply", "ask", "validate", "compose", "emit", "inject"
    );
    for (count, bytes) in
        [(1, 1_000), (5, 1_000), (20, 1_000), (1, 100_000), (5, 100_000), (20, 100_000), (5, 4_000)]
    {
        let rounds = if bytes > 10_000 { rounds / 10 + 1 } else { rounds };
        let slots: Vec<Arc<Slot>> =
            providers(count, bytes).into_iter().map(|loaded| Arc::new(Slot::of_loaded(loaded))).collect();
        let loader = Arc::new(Loader {
            surroundings: surroundings(),
            settings: Arc::new(Settings::default()),
            ground: ground(),
        });
        let request = Request {
            event: "prompt".to_owned(),
            budget: Budget { tokens: 1_000_000 },
            ..Request::default()
        };
        let input: Arc<[u8]> = serde_json::to_vec(&request).expect("JSON").into();
        let question = Question { op: "event", name: "prompt".to_owned(), input };
        let validators = Validators::default();
        validators.prepare("prepared", "envelope/v1", None);
        let ask = || ask::ask(&slots, &question, &loader, &ctxhost::Cancel::default(), || ());
        let validate = |answers: Vec<Answer>| -> Vec<Contribution> {
            let loaded = |answer: &Answer| {
                slots.iter().find(|slot| slot.id == answer.provider).and_then(|slot| slot.peek())
            };
            answers
                .into_iter()
                .map(|answer| {
                    let loaded = loaded(&answer).expect("it is loaded");
                    validators.validate(answer, &loaded).0.expect("it is valid")
                })
                .collect()
        };
        let limit = Limit { tokens: 1_000_000, ..Limit::default() };
        let plan = Plan {
            order: &[],
            repeat: Repeat::OnChange,
            limit,
            visible: &[],
            estimator: &QuarterOfCharacters,
        };
        let contributions = validate(ask());
        let injection = compose::compose(&contributions, &plan);
        assert_eq!(injection.sections.len(), count);

        let asking = median(rounds, || timed(ask).1);
        let validating = median(rounds, || {
            let answers = ask();
            timed(|| validate(answers)).1
        });
        let composing = median(rounds, || timed(|| compose::compose(&contributions, &plan)).1);
        let emitting = median(rounds, || timed(|| serde_json::to_string(&emit::document(&injection, &[]))).1);
        let builder = Host::builder(surroundings()).without_search();
        let host = providers(count, bytes)
            .into_iter()
            .fold(builder, |builder, loaded| builder.provider(loaded))
            .build();
        let prompt = Prompt::new("where is the invoice computed", "/").context_window(Some(4_000_000));
        assert_eq!(host.inject(&prompt).injection.sections.len(), count);
        let whole = median(rounds, || timed(|| host.inject(&prompt)).1);
        println!(
            "{count:>9} {bytes:>8} {asking:>8.1} {validating:>9.1} {composing:>8.1} {emitting:>6.1} {whole:>10.1}"
        );
    }
    println!("the last row is the host's own share of a prompt; the aim is 150");
}

/// A call through the C table against the same bytes from a trait object.
fn boundary(rounds: usize) {
    trait Direct {
        fn answer(&self, input: &[u8]) -> Vec<u8>;
    }
    struct Prepared(Vec<u8>);
    impl Direct for Prepared {
        fn answer(&self, input: &[u8]) -> Vec<u8> {
            black_box(input);
            self.0.clone()
        }
    }
    println!("\n{:>9} {:>12} {:>12} {:>7}", "reply", "boundary ns", "direct ns", "ratio");
    for bytes in [1_000, 4_000, 100_000] {
        let loaded = providers(1, bytes).pop().expect("one");
        let call = || {
            loaded
                .instance
                .call("event", b"{}", Arc::new(Call::until(u64::MAX)), ask::REPLY_CAP)
                .expect("an answer")
        };
        let direct: Box<dyn Direct> = black_box(Box::new(Prepared(call())));
        // Batches, because one call is near the resolution of the clock.
        const BATCH: u32 = 20;
        let rounds = if bytes > 10_000 { rounds / 200 + 1 } else { rounds / 20 + 1 };
        let batch = |work: &dyn Fn() -> Vec<u8>| {
            median(rounds, || {
                timed(|| {
                    for _ in 0..BATCH {
                        black_box(work());
                    }
                })
                .1 / BATCH
            }) * 1e3
        };
        let through = batch(&call);
        let directly = batch(&|| direct.answer(b"{}"));
        println!("{bytes:>9} {through:>12.0} {directly:>12.0} {:>7.2}", through / directly);
    }
}

/// What it costs to get a provider ready, the library being open already.
fn loading(rounds: usize) {
    let path = library("prepared");
    let reading = median(rounds, || timed(|| preflight::read_note(&path).expect("a note")).1);
    let loading = median(rounds, || timed(|| providers(1, 1_000)).1);
    println!("\nread a note {reading:.0}; note, preflight, open again, create and destroy {loading:.0}");
}

/// Whole processes of the program with `ide-context` and an editor's state, against one that does nothing.
fn process(rounds: usize) {
    let place = tempfile::tempdir().expect("a folder");
    let providers = place.path().join("providers");
    let states = place.path().join("pi-ide");
    for folder in [&providers, &states] {
        DirBuilder::new().mode(0o700).create(folder).expect("a folder");
    }
    let file = format!("{}ide_context{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let built = std::env::current_exe().expect("a bench has a file").parent().expect("a folder").join(&file);
    std::fs::copy(built, providers.join(&file)).expect("the provider is built");
    std::fs::write(states.join(format!("{}.json", std::process::id())), state(place.path())).expect("a file");

    let command = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ctxhost-under-test"));
        command.args(arguments).current_dir(place.path()).env_clear();
        command
            .env("HOME", place.path())
            .env("XDG_RUNTIME_DIR", place.path())
            .env("CTXHOST_PROVIDER_PATH", &providers);
        command
    };
    let inject = ["inject", "--prompt", "hello"];
    let shown = command(&inject).output().expect("it runs");
    assert!(String::from_utf8_lossy(&shown.stdout).contains("fn selected"), "{shown:?}");
    let time = |arguments: &[&str]| {
        median(rounds, || timed(|| command(arguments).output().expect("it runs")).1) / 1e3
    };
    let (nothing, whole) = (time(&["--version"]), time(&inject));
    println!(
        "\na process that prints its version {nothing:.1} ms; a whole `inject` with ide-context {whole:.1} ms, the aim is 10; ratio {:.1}",
        whole / nothing
    );
    if let Some(peak) = peak_kb(command(&inject)) {
        println!("peak memory of a whole `inject` {:.1} MB, the aim is 15", peak as f64 / 1024.0);
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
            "file": cwd.join("main.rs"), "name": "main.rs", "language": "rust", "cursor": at(3), "modified": false, "lines_total": 60,
            "selection": {"start": at(1), "end": at(40), "text": text, "selected_at": now},
        },
    })
    .to_string()
}

/// The most memory a command takes, read while it waits to print its last bytes into a full pipe.
fn peak_kb(mut command: Command) -> Option<u64> {
    let (mut reader, mut writer) = std::io::pipe().ok()?;
    // What a pipe holds on Linux where nobody has changed it.
    writer.write_all(&[b' '; 64 * 1024]).ok()?;
    let mut child = command.stdout(writer).stderr(Stdio::null()).spawn().ok()?;
    drop(command);
    std::thread::sleep(Duration::from_millis(500));
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok();
    reader.read_to_end(&mut Vec::new()).ok()?;
    child.wait().ok()?;
    let line = status?.lines().find_map(|line| line.strip_prefix("VmHWM:").map(str::to_owned))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}
