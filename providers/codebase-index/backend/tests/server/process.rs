//! The program itself: what it writes, whom it refuses, how it ends.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

use ctxhost_protocol::codebase_index::Development;
use tempfile::TempDir;

/// A person's folders on a machine.
struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ctxhost-index"));
        command.args(arguments).env_clear().env("HOME", self.0.path());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("it runs")
    }

    fn development_file(&self) -> PathBuf {
        self.0.path().join(".local/state/ctxhost/providers/codebase-index/development.json")
    }

    fn development(&self) -> Development {
        let text = fs::read_to_string(self.development_file()).expect("a development file");
        serde_json::from_str(&text).expect("its JSON")
    }
}

/// A backend that runs, and is ended with the test.
struct Backend {
    child: Child,
    address: String,
}

impl Backend {
    fn start(home: &Home, arguments: &[&str]) -> Self {
        let mut command = home.command(&["serve", "--listen", "127.0.0.1:0"]);
        let mut child =
            command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("ctxhost-index listens on http://").expect(&line).to_owned();
        Self { child, address }
    }

    fn end(mut self, signal: &str) -> (Option<i32>, Duration) {
        let begun = Instant::now();
        let told = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(told.expect("kill runs").success());
        let status = self.child.wait().expect("it ends");
        (status.code(), begun.elapsed())
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a time-out");
        stream
    }

    /// The first line of the answer to a request without a body.
    fn get(&self, path: &str, token: &str) -> String {
        let mut stream = self.connect();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\r\n"
        )
        .expect("sent");
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).expect("a line");
        line.trim().to_owned()
    }
}

impl Drop for Backend {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").permissions().mode() & 0o777
}

fn error(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).expect("text");
    let said: Vec<&str> = text.lines().filter(|line| line.starts_with("ctxhost-index: ")).collect();
    assert_eq!(said.len(), 1, "one clear error: {text}");
    said[0].to_owned()
}

#[test]
fn without_settings_it_serves_its_owner_by_the_development_file() {
    let home = Home::new();
    let backend = Backend::start(&home, &[]);
    let development = home.development();
    assert_eq!(development.url, format!("http://{}", backend.address));
    assert_eq!((development.v, development.pid), (1, Some(backend.child.id())));
    assert_eq!(backend.get("/codebase-index/health", &development.token), "HTTP/1.1 200 OK");
    assert_eq!(backend.get("/codebase-index/health", "x"), "HTTP/1.1 401 Unauthorized");
    let file = home.development_file();
    assert_eq!((mode(&file), mode(file.parent().expect("a folder"))), (0o600, 0o700));
    let data = home.0.path().join(".local/share/ctxhost-index");
    assert_eq!(mode(&data), 0o700);
    for entry in fs::read_dir(&data).expect("a folder").flatten() {
        assert_eq!(mode(&entry.path()), 0o600, "{:?}", entry.path());
    }
    let token = String::from_utf8(home.run(&["token", "--user", "me"]).stdout).expect("text");
    assert_eq!(backend.get("/codebase-index/health", token.trim()), "HTTP/1.1 200 OK");
    let (code, _) = backend.end("-TERM");
    assert_eq!(code, Some(0));
    assert!(!home.development_file().exists(), "it is gone with its backend");
}

#[test]
fn the_development_file_goes_however_soon_the_end_comes() {
    let home = Home::new();
    for _ in 0..20 {
        let (code, took) = Backend::start(&home, &[]).end("-TERM");
        assert_eq!(code, Some(0));
        assert!(took < Duration::from_secs(5));
        assert!(!home.development_file().exists());
    }
}

#[test]
fn a_request_in_flight_is_answered_before_the_end() {
    let home = Home::new();
    let backend = Backend::start(&home, &[]);
    let token = home.development().token;
    let mut stream = backend.connect();
    write!(
        stream,
        "POST /codebase-index/sync HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: 12\r\n\r\n{{\"repo"
    )
    .expect("sent");
    std::thread::sleep(Duration::from_millis(300));
    let ending = std::thread::spawn(move || backend.end("-INT"));
    std::thread::sleep(Duration::from_millis(300));
    stream.write_all(b"s\":[]}").expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains("\"changed\":[]"), "{answer}");
    let (code, took) = ending.join().expect("no panic");
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(10));
}

#[test]
fn a_second_one_on_the_same_index_or_port_says_so_in_one_line() {
    let home = Home::new();
    let backend = Backend::start(&home, &[]);
    let second = home.run(&["serve", "--listen", "127.0.0.1:0"]);
    let said = error(&second);
    assert_eq!(second.status.code(), Some(2));
    assert!(
        said.contains(&format!("process {}", backend.child.id())) && said.contains("--database"),
        "{said}"
    );
    let database = home.0.path().join("other/index.sqlite");
    let third =
        home.run(&["serve", "--listen", &backend.address, "--database", database.to_str().expect("text")]);
    let said = error(&third);
    assert_eq!(third.status.code(), Some(2));
    assert!(said.contains(&backend.address) && said.contains("--listen"), "{said}");
    // Neither took anything from the first one.
    assert_eq!(home.development().pid, Some(backend.child.id()));
    assert_eq!(backend.get("/codebase-index/health", &home.development().token), "HTTP/1.1 200 OK");
    let rotate = home.run(&["rotate-key"]);
    assert_eq!(rotate.status.code(), Some(2), "not under a backend that runs");
}

#[test]
fn a_killed_one_leaves_nothing_in_the_way() {
    let home = Home::new();
    let mut first = Backend::start(&home, &[]);
    let token = home.development().token;
    first.child.kill().expect("killed");
    first.child.wait().expect("it ends");
    let second = Backend::start(&home, &[]);
    assert_eq!(second.get("/codebase-index/health", &token), "HTTP/1.1 200 OK", "its keys are kept");
    assert_eq!(home.development().pid, Some(second.child.id()));
    assert_eq!(second.end("-TERM").0, Some(0));
    assert_eq!(home.run(&["rotate-key", "--forget"]).status.code(), Some(0));
    let third = Backend::start(&home, &[]);
    assert_eq!(third.get("/codebase-index/health", &token), "HTTP/1.1 401 Unauthorized");
}

#[test]
fn what_was_called_or_set_up_wrongly_ends_with_2_and_one_line() {
    let home = Home::new();
    let write = |name: &str, text: &str| {
        let path = home.0.path().join(name);
        fs::write(&path, text).expect("written");
        path.to_str().expect("text").to_owned()
    };
    let broken = write("broken.toml", "listen = [");
    let open = home.0.path().join("open");
    fs::create_dir(&open).expect("a folder");
    fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).expect("a mode");
    let open = open.join("i.sqlite");
    let foreign = write("index.sqlite", "this is no database, whatever its name says");
    for (arguments, named) in [
        (vec!["serve", "--listen", "0.0.0.0:0"], "auth.dev"),
        (vec!["serve", "--listen", "nowhere"], "`listen`"),
        (vec!["serve", "--config", &broken], "broken.toml"),
        (vec!["serve", "--config", "/none.toml"], "/none.toml"),
        (
            vec!["serve", "--listen", "127.0.0.1:0", "--database", open.to_str().expect("text")],
            "not for you alone",
        ),
        (vec!["serve", "--listen", "127.0.0.1:0", "--database", &foreign], "index"),
    ] {
        let output = home.run(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = error(&output);
        assert!(said.contains(named), "{said}");
    }
    for arguments in [&["serve", "--what"][..], &[], &["conformance"]] {
        assert_eq!(home.run(arguments).status.code(), Some(2), "{arguments:?}");
    }
    for arguments in [&["--help"][..], &["--version"], &["serve", "--help"]] {
        assert_eq!(home.run(arguments).status.code(), Some(0), "{arguments:?}");
    }
}
