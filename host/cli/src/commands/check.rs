//! `ctxhost check`: the conformance suite, every test in a child process with a time limit.

use std::{
    io::Read,
    os::unix::process::ExitStatusExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use ctxhost::{
    Host, Surroundings,
    conformance::{self, Subject, TESTS},
};
use serde_json::{Value, json};

use crate::{
    args::CheckArgs,
    exit::{Code, Failure},
    internal,
    output::Output,
};

/// How much of what a child printed is shown, in bytes.
const SHOWN: usize = 4 * 1024;

pub(crate) fn run(args: &CheckArgs, output: &mut Output<'_>) -> Result<Code, Failure> {
    if let Some(test) = &args.child {
        return child(&args.subject, test, output);
    }
    let path = subject(&args.subject)?;
    let wanted = |name: &str| args.only.as_deref().is_none_or(|part| name.contains(part));
    let tests: Vec<_> = TESTS.iter().filter(|test| wanted(test.name)).collect();
    if tests.is_empty() {
        let names: Vec<_> = TESTS.iter().map(|test| test.name).collect();
        return Err(Failure::not_found(format!("no test is called so; there is {}", names.join(", "))));
    }
    let mut results = Vec::new();
    for test in tests {
        let verdict = in_child(&path, test.name, Duration::from_secs(args.limit))?;
        if !args.json {
            match &verdict {
                Ok(()) => output.text(&format!("ok      {}: {}", test.name, test.summary)),
                Err(why) => output.foreign(&format!("FAILED  {}: {why}", test.name)),
            }
        }
        results.push((test.name, verdict));
    }
    let failed = results.iter().filter(|(_, verdict)| verdict.is_err()).count();
    if args.json {
        let rows: Vec<Value> = results
            .iter()
            .map(
                |(name, verdict)| json!({"test": name, "ok": verdict.is_ok(), "why": verdict.as_ref().err()}),
            )
            .collect();
        output.json(&json!({"v": 1, "file": path, "tests": rows, "failed": failed}));
    } else {
        output.text(&format!("{} passed, {failed} failed", results.len() - failed));
    }
    Ok(if failed == 0 { Code::Ok } else { Code::Findings })
}

/// A path as it is, or the file of a provider that is found.
fn subject(subject: &str) -> Result<PathBuf, Failure> {
    let path = Path::new(subject);
    // A word is an id first: a folder of that name is no library.
    if path.is_file() || subject.contains('/') {
        return path.canonicalize().map_err(|error| Failure::not_found(format!("{subject}: {error}")));
    }
    let host = Host::builder(Surroundings::of_process(None)).build();
    host.candidates()
        .iter()
        .find(|candidate| candidate.note.id == subject)
        .map(|candidate| candidate.path.clone())
        .ok_or_else(|| {
            Failure::not_found(format!(
                "`{subject}` is neither a file nor a provider that `ctxhost list` shows"
            ))
        })
}

/// Runs one test in this process, which its parent watches over.
fn child(path: &str, test: &str, output: &mut Output<'_>) -> Result<Code, Failure> {
    let test = conformance::find(test)
        .ok_or_else(|| Failure::usage("no such test; call `ctxhost check` without --child"))?;
    let place = tempfile::tempdir().map_err(internal)?;
    let mut surroundings = Surroundings::of_process(None);
    // The provider must not find, and cannot harm, what the user has.
    for (name, folder) in [
        ("XDG_STATE_HOME", "state"),
        ("XDG_CACHE_HOME", "cache"),
        ("XDG_RUNTIME_DIR", "run"),
        ("XDG_CONFIG_HOME", "config"),
    ] {
        surroundings.env.insert(name.to_owned(), place.path().join(folder).to_string_lossy().into_owned());
    }
    surroundings.home = Some(place.path().join("home"));
    let verdict = (test.run)(&Subject::File { path: PathBuf::from(path), surroundings });
    // The process is left without running destructors, so the folder is removed here.
    drop(place);
    match verdict {
        Ok(()) => Ok(Code::Ok),
        Err(why) => {
            output.foreign(&why);
            Ok(Code::Findings)
        }
    }
}

fn in_child(path: &Path, test: &str, limit: Duration) -> Result<Result<(), String>, Failure> {
    let program = std::env::current_exe()
        .map_err(|error| internal(format!("this program cannot be found: {error}")))?;
    let mut child = Command::new(program)
        .arg("check")
        .arg(path)
        .args(["--child", test])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| internal(format!("no child process could be started: {error}")))?;
    let said = Said::by(&mut child);
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(internal)? {
            let said = said.text();
            return Ok(match (status.code(), status.signal()) {
                (Some(0), _) if said.is_empty() => Ok(()),
                (Some(0), _) => Err(format!("passed, but the library printed: {said}")),
                (Some(1), _) => Err(said),
                (Some(code), _) => Err(format!("ended with code {code}: {said}")),
                (None, signal) => {
                    Err(format!("the process was ended by signal {}", signal.unwrap_or_default()))
                }
            });
        }
        if started.elapsed() > limit {
            // It may have ended in this very moment; then there is nobody to kill.
            let _ = child.kill();
            child.wait().map_err(internal)?;
            return Ok(Err(format!("did not end within {} s", limit.as_secs())));
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// What a child prints on both streams: read all the time, so that it never waits for a reader, and kept as far as it
/// is shown.
struct Said {
    kept: Arc<Mutex<Vec<u8>>>,
    readers: Vec<thread::JoinHandle<()>>,
}

impl Said {
    fn by(child: &mut Child) -> Self {
        let streams: [Option<Box<dyn Read + Send>>; 2] = [
            child.stdout.take().map(|stream| Box::new(stream) as _),
            child.stderr.take().map(|stream| Box::new(stream) as _),
        ];
        let kept = Arc::<Mutex<Vec<u8>>>::default();
        let read = |mut stream: Box<dyn Read + Send>| {
            let kept = Arc::clone(&kept);
            thread::spawn(move || {
                let mut piece = [0; 4096];
                // What cannot be read was not said.
                while let Ok(length @ 1..) = stream.read(&mut piece) {
                    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                    let room = SHOWN.saturating_sub(kept.len());
                    kept.extend_from_slice(&piece[..length.min(room)]);
                }
            })
        };
        let readers = streams.into_iter().flatten().map(read).collect();
        Self { kept, readers }
    }

    fn text(self) -> String {
        // A process that the library started may hold the streams open for ever.
        let until = Instant::now() + Duration::from_millis(200);
        while self.readers.iter().any(|reader| !reader.is_finished()) && Instant::now() < until {
            thread::sleep(Duration::from_millis(1));
        }
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept).trim().to_owned()
    }
}
