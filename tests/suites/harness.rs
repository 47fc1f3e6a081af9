//! A place of its own for each test, with exactly the libraries it wants.

use std::{
    ffi::OsStr,
    fs,
    io::Write as _,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::Value;

/// The folder of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace").to_owned()
}

/// A library among this crate's examples.
pub(crate) fn example(name: &str) -> PathBuf {
    let folder = deps().parent().expect("deps lies in a profile's folder").join("examples");
    library_in(&folder, name)
}

/// The library of a provider of this workspace, as the test's own dependencies have it.
pub(crate) fn provider(name: &str) -> PathBuf {
    library_in(&deps(), &name.replace('-', "_"))
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
    pub(crate) fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Ran {
        Ran::of(self.command(arguments).stdin(Stdio::null()).output().expect("the program starts"))
    }

    /// Runs the program with something on its standard input.
    pub(crate) fn run_with_input<S: AsRef<OsStr>>(&self, arguments: &[S], input: &[u8]) -> Ran {
        let mut command = self.command(arguments);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        // The program may refuse what is too much before it has read all of it.
        let written = child.stdin.take().expect("a pipe").write_all(input);
        assert!(written.is_ok() || input.len() > 64 * 1024, "the program did not read");
        Ran::of(child.wait_with_output().expect("the program ends"))
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

impl Ran {
    fn of(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
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
