//! A place of its own for each test, with exactly the libraries it wants.

use std::{
    ffi::OsStr,
    fs,
    io::{Read, Write as _},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

/// How long the program may run in any test. Nothing comes near; a hang is to fail its test and not to hold up CI.
const LONGEST_RUN: Duration = Duration::from_secs(120);

/// The folder of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace").to_owned()
}

/// A library among this crate's examples.
pub(crate) fn example(name: &str) -> PathBuf {
    let folder = deps().parent().expect("deps lies in a profile's folder").join("examples");
    library_in(&folder, name)
}

/// A program among this crate's examples.
pub(crate) fn example_program(name: &str) -> PathBuf {
    let program = deps().parent().expect("deps lies in a profile's folder").join("examples").join(name);
    assert!(program.is_file(), "{} is not built", program.display());
    program
}

/// The library of a provider of this workspace, as the test's own dependencies have it.
pub(crate) fn provider(name: &str) -> PathBuf {
    library_in(&deps(), &name.replace('-', "_"))
}

/// The library of grammars that providers share.
pub(crate) fn grammars() -> PathBuf {
    library_in(&deps(), "ctxhost_grammars")
}

/// The folder of the running test, where its dependencies are built.
fn deps() -> PathBuf {
    std::env::current_exe().expect("a test has a file").parent().expect("a file has a folder").to_owned()
}

fn library_in(folder: &Path, name: &str) -> PathBuf {
    let file = folder.join(format!("{}{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX));
    assert!(file.is_file(), "{} is not built", file.display());
    file
}

/// A test's own folders: home, XDG, providers and a working directory.
pub(crate) struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    /// An empty place.
    pub(crate) fn new() -> Self {
        let folder =
            tempfile::Builder::new().prefix("t").tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        for name in ["home", "config/ctxhost", "data", "state", "cache", "run", "providers", "work"] {
            fs::create_dir_all(folder.path().join(name)).expect("a folder");
        }
        fs::set_permissions(folder.path().join("run"), fs::Permissions::from_mode(0o700))
            .expect("permissions");
        let place = Self { folder };
        place.config("");
        place
    }

    /// A place with these libraries among its providers.
    pub(crate) fn with(libraries: &[PathBuf]) -> Self {
        let place = Self::new();
        for library in libraries {
            place.install(library);
        }
        place
    }

    /// A path inside.
    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Links a library into the providers' folder, or copies it across file systems.
    pub(crate) fn install(&self, library: &Path) -> PathBuf {
        let target = self.path("providers").join(library.file_name().expect("a library has a name"));
        if fs::hard_link(library, &target).is_err() {
            fs::copy(library, &target).expect("the library can be copied");
        }
        target
    }

    /// Writes the user's settings.
    ///
    /// Where they say nothing of deadlines, a prompt has ten seconds: unoptimized code on a busy machine is not what
    /// these tests are about.
    pub(crate) fn config(&self, toml: &str) -> &Self {
        let deadlines = if toml.contains("[deadlines]") { "" } else { "\n[deadlines]\nprompt = 10000\n" };
        self.write("config/ctxhost/config.toml", format!("{toml}{deadlines}"));
        self
    }

    /// Writes a file inside.
    pub(crate) fn write(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder");
        fs::write(&path, content).expect("a file");
        path
    }

    /// Writes what the editor with this process id would.
    pub(crate) fn editor_state(&self, pid: u32, state: &str) -> PathBuf {
        let file = self.write(format!("run/pi-ide/{pid}.json"), state);
        fs::set_permissions(self.path("run/pi-ide"), fs::Permissions::from_mode(0o700)).expect("permissions");
        file
    }

    /// A command of the program, in this place and nothing else of the machine's.
    pub(crate) fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ctxhost-under-test"));
        command
            .args(arguments)
            .current_dir(self.path("work"))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.path("home"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("XDG_DATA_HOME", self.path("data"))
            .env("XDG_STATE_HOME", self.path("state"))
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env("XDG_RUNTIME_DIR", self.path("run"))
            .env("CTXHOST_PROVIDER_PATH", self.path("providers"));
        command
    }

    /// Runs the program and waits for it.
    #[track_caller]
    pub(crate) fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Ran {
        let mut command = self.command(arguments);
        Ran::of(command.stdin(Stdio::null()), None)
    }

    /// Runs the program with something on its standard input.
    #[track_caller]
    pub(crate) fn run_with_input<S: AsRef<OsStr>>(&self, arguments: &[S], input: &[u8]) -> Ran {
        let mut command = self.command(arguments);
        Ran::of(command.stdin(Stdio::piped()), Some(input))
    }

    /// The injection for a prompt as a document.
    pub(crate) fn inject(&self, more: &[&str]) -> Value {
        let mut arguments = vec!["inject", "--prompt", "hello", "--format", "json"];
        arguments.extend(more);
        self.run(&arguments).json()
    }
}

/// What a run of the program printed, and how it ended.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// What comes out of a pipe, read while the program runs, since one that is full holds it up.
struct Said {
    bytes: Arc<Mutex<Vec<u8>>>,
    end: mpsc::Receiver<()>,
}

impl Said {
    fn by(mut pipe: impl Read + Send + 'static) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (sender, end) = mpsc::channel();
        let read = Arc::clone(&bytes);
        thread::spawn(move || {
            let mut part = [0; 64 * 1024];
            while let Ok(length @ 1..) = pipe.read(&mut part) {
                read.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&part[..length]);
            }
            // The test may have given up.
            let _ = sender.send(());
        });
        Self { bytes, end }
    }

    /// Whether it has come to its end by then: a process that the program left behind may hold the pipe open.
    fn ends_by(&self, deadline: Instant) -> bool {
        self.end.recv_timeout(deadline.saturating_duration_since(Instant::now())).is_ok()
    }

    fn bytes(&self) -> Vec<u8> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Ran {
    /// Runs a command and waits for it.
    #[track_caller]
    pub(crate) fn of(command: &mut Command, input: Option<&[u8]>) -> Self {
        let deadline = Instant::now() + LONGEST_RUN;
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let out = Said::by(child.stdout.take().expect("a pipe"));
        let err = Said::by(child.stderr.take().expect("a pipe"));
        let writer = child.stdin.take().zip(input.map(<[u8]>::to_vec)).map(|(mut pipe, input)| {
            // The program may refuse what is too much before it has read all of it.
            thread::spawn(move || pipe.write_all(&input).is_ok() || input.len() > 64 * 1024)
        });
        let status = loop {
            match child.try_wait().expect("the program can be waited for") {
                None if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                ended => break ended,
            }
        };
        if status.is_none() {
            child.kill().expect("the program is ours");
            child.wait().expect("a killed program ends");
        }
        let ended = status.filter(|_| out.ends_by(deadline) && err.ends_by(deadline));
        let (out, err) = (out.bytes(), err.bytes());
        let Some(status) = ended else {
            let (out, err) = (String::from_utf8_lossy(&out), String::from_utf8_lossy(&err));
            panic!("{command:?} did not end within {LONGEST_RUN:?}; it printed {out:?}, and {err:?}");
        };
        let took_input = writer.is_none_or(|writer| writer.join().expect("writing does not panic"));
        assert!(took_input, "the program did not read");
        Self {
            code: status.code(),
            out: String::from_utf8(out).expect("UTF-8"),
            err: String::from_utf8(err).expect("UTF-8"),
        }
    }

    /// What it printed, as a document.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("{error} in {:?}, and {:?}", self.out, self.err))
    }

    /// Holds the exit code, and shows everything when it is another.
    #[track_caller]
    pub(crate) fn ends(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "printed {:?}, and {:?}", self.out, self.err);
        self
    }
}

/// The findings of an injection's document as `provider code`.
pub(crate) fn codes(injection: &Value) -> Vec<String> {
    let findings = injection["findings"].as_array().map(Vec::as_slice).unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    findings
        .iter()
        .map(|finding| format!("{} {}", text(&finding["provider"]), text(&finding["code"])))
        .collect()
}

/// The providers whose sections are in an injection's document, in order.
pub(crate) fn providers(injection: &Value) -> Vec<String> {
    let sections = injection["sections"].as_array().map(Vec::as_slice).unwrap_or_default();
    sections.iter().map(|section| section["provider"].as_str().unwrap_or("-").to_owned()).collect()
}
