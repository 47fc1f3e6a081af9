//! A real Neovim with our client, and what of it reaches a prompt.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::harness::{Place, Ran, codes, provider, providers, root};

/// How long a real editor may take to write its state; it is debounced by 200 ms, and CI machines are busy.
const PATIENCE: Duration = Duration::from_secs(20);

fn client() -> PathBuf {
    root().join("providers/ide-context/editors/neovim")
}

/// A headless editor in a place, ended when it goes out of scope.
struct Editor<'a> {
    place: &'a Place,
    child: Child,
    socket: PathBuf,
}

impl<'a> Editor<'a> {
    fn start(place: &'a Place, cwd: &Path, arguments: &[&str]) -> Self {
        let socket = place.path(format!("nvim-{}", fs::read_dir(place.path("")).expect("a folder").count()));
        let child = Command::new("nvim")
            .args(["--headless", "-i", "NONE", "-n", "--listen"])
            .arg(&socket)
            .arg("-u")
            .arg(place.write("init.vim", format!("set rtp^={}\nfiletype on\n", client().display())))
            .args(arguments)
            .current_dir(cwd)
            .env("HOME", place.path("home"))
            .env("XDG_RUNTIME_DIR", place.path("run"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("Neovim is installed: `apt-get install neovim`");
        let editor = Self { place, child, socket };
        editor.wait(|state| state["active_buffer"].is_object());
        editor
    }

    fn state_file(&self) -> PathBuf {
        self.place.path(format!("run/pi-ide/{}.json", self.child.id()))
    }

    fn state(&self) -> Option<Value> {
        serde_json::from_slice(&fs::read(self.state_file()).ok()?).ok()
    }

    /// Types keys, as a person would.
    fn keys(&self, keys: &str) {
        assert!(self.send(keys), "the editor takes {keys:?}");
    }

    /// Types keys that may end the editor, which then takes back no word that it got them.
    fn last_keys(&self, keys: &str) {
        self.send(keys);
    }

    fn send(&self, keys: &str) -> bool {
        let mut command = Command::new("nvim");
        command.arg("--server").arg(&self.socket).args(["--remote-send", keys]);
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.expect("Neovim is installed").success()
    }

    /// Waits until the state file says so.
    #[track_caller]
    fn wait(&self, says: impl Fn(&Value) -> bool) -> Value {
        let started = Instant::now();
        loop {
            let state = self.state();
            if let Some(state) = state.as_ref().filter(|state| says(state)) {
                return state.clone();
            }
            assert!(started.elapsed() < PATIENCE, "the editor's state is {state:#?}");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Editor<'_> {
    fn drop(&mut self) {
        // It may have ended already, as the test wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn place() -> Place {
    let place = Place::with(&[provider("ide-context")]);
    place.write("work/src/main.rs", "fn main() {\n    let größe = 1;\n    println!(\"{größe}\");\n}\n");
    place.write("elsewhere/other.rs", "// other\n");
    place
}

fn text(place: &Place, more: &[&str]) -> String {
    let mut arguments = vec!["inject", "--prompt", "hello"];
    arguments.extend(more);
    let Ran { out, err, .. } = place.run(&arguments).ends(0);
    assert_eq!(err, "", "nothing went wrong");
    out
}

fn selection_is(state: &Value, text: &str) -> bool {
    state["active_buffer"]["selection"]["text"] == text
}

#[test]
fn what_a_live_editor_shows_reaches_a_prompt() {
    let place = place();
    let editor = Editor::start(&place, &place.path("work"), &["src/main.rs"]);
    let file = place.path("work/src/main.rs").canonicalize().expect("the file is there");

    let opened = text(&place, &[]);
    for part in [
        format!("- **File**: `{}`", file.display()),
        "- **Language**: rust".into(),
        "- **Buffer**: 4 lines\n".into(),
    ] {
        assert!(opened.contains(&part), "{part:?} in {opened}");
    }
    assert!(
        opened.contains("- **Cursor**: line 1, column 1\n") && !opened.contains("**Selection**"),
        "{opened}"
    );

    editor.keys("2G9l");
    editor.wait(|state| state["active_buffer"]["cursor"]["line"] == 2);
    let moved = text(&place, &[]);
    assert!(moved.contains("- **Cursor**: line 2, column 10\n"), "{moved}");

    editor.keys("0wviw");
    editor.wait(|state| selection_is(state, "let"));
    let selecting = text(&place, &[]);
    assert!(selecting.contains("- **Selection**: lines 2-2\n\n```rust\nlet\n```\n"), "{selecting}");

    editor.keys("<Esc>wviw<Esc>");
    let state = editor.wait(|state| selection_is(state, "größe"));
    let selected = text(&place, &[]);
    assert!(selected.contains("```rust\ngröße\n```"), "{selected}");

    let at = state["active_buffer"]["selection"]["selected_at"].as_f64().expect("a time");
    let fresh = text(&place, &["--now", &format!("{}", at + 60.0)]);
    assert!(fresh.contains("größe"), "60 s is fresh: {fresh}");
    let stale = text(&place, &["--now", &format!("{}", at + 61.0)]);
    assert!(
        stale.contains("main.rs") && !stale.contains("größe") && !stale.contains("**Selection**"),
        "{stale}"
    );

    editor.keys("ix<Esc>");
    editor.wait(|state| state["active_buffer"]["modified"] == true);
    assert!(text(&place, &[]).contains("- **Buffer**: 4 lines (modified)"));

    editor.keys(":enew!<CR>");
    editor.wait(|state| state["active_buffer"]["file"].is_null());
    assert_eq!(text(&place, &[]), "", "a buffer without a file is no context");
}

#[test]
fn an_editor_that_quits_leaves_nothing() {
    let place = place();
    let mut editor = Editor::start(&place, &place.path("work"), &["src/main.rs"]);
    assert!(text(&place, &[]).contains("main.rs"));
    editor.last_keys(":qa!<CR>");
    assert!(editor.child.wait().expect("it ends").success());
    assert!(!editor.state_file().exists(), "the client removes its file");
    assert_eq!(text(&place, &[]), "");
}

#[test]
fn an_editor_that_is_killed_leaves_a_file_that_nobody_believes() {
    let place = place();
    let mut editor = Editor::start(&place, &place.path("work"), &["src/main.rs"]);
    assert!(text(&place, &[]).contains("main.rs"));
    editor.child.kill().expect("it runs");
    // Not waited for yet: its parent has not noticed, and it is dead all the same.
    let deadline = Instant::now() + PATIENCE;
    while text(&place, &[]).contains("main.rs") {
        assert!(Instant::now() < deadline, "a killed editor still shows");
    }
    editor.child.wait().expect("it ended");
    assert!(editor.state_file().exists());
    assert_eq!(text(&place, &[]), "");
    let doctor = place.run(&["doctor"]).ends(1).out;
    assert!(doctor.contains("dead") || doctor.contains("no process"), "{doctor}");
}

#[test]
fn a_change_of_directory_changes_whose_editor_it_is() {
    let place = place();
    let editor = Editor::start(&place, &place.path("elsewhere"), &["other.rs"]);
    assert_eq!(text(&place, &[]), "", "an editor of another project is not offered");
    let doctor = place.run(&["doctor"]).ends(1).out;
    assert!(doctor.contains("other.rs"), "doctor says what was not offered: {doctor}");
    editor.keys(&format!(":cd {}<CR>", place.path("work").display()));
    let work = place.path("work").canonicalize().expect("the folder is there");
    editor.wait(|state| state["cwd"] == work.to_string_lossy().as_ref());
    assert!(text(&place, &[]).contains("other.rs"), "its directory is this one now");
}

#[test]
fn two_editors_wait_for_a_choice() {
    let place = place();
    let first = Editor::start(&place, &place.path("work"), &["src/main.rs"]);
    let second = Editor::start(&place, &place.path("work"), &["notes.txt"]);
    assert_eq!(text(&place, &[]), "", "neither is chosen for the user");
    let listed = place.run(&["run", "ide-context", "list"]).ends(0).out;
    assert!(
        listed.contains(&first.child.id().to_string()) && listed.contains(&second.child.id().to_string()),
        "{listed}"
    );
    place.run(&["run", "ide-context", "connect", &second.child.id().to_string()]).ends(0);
    assert!(text(&place, &[]).contains("notes.txt"));
    place.run(&["run", "ide-context", "disconnect"]).ends(0);
    assert_eq!(text(&place, &[]), "");
}

#[test]
fn an_ignored_file_contributes_nothing() {
    let place = place();
    place.write("work/.env", "TOKEN=1\n");
    place.write("work/.pi/ide-context.local.ignore", "src/\n");
    let editor = Editor::start(&place, &place.path("work"), &["src/main.rs"]);
    let injection = place.inject(&[]);
    assert!(providers(&injection).is_empty() && codes(&injection).is_empty(), "{injection:#}");
    let doctor = place.run(&["doctor"]).ends(1).out;
    assert!(doctor.contains(".pi/ide-context.local.ignore:1)"), "the rule's file and line: {doctor}");
    editor.keys(":edit .env<CR>");
    editor.wait(|state| state["active_buffer"]["name"] == ".env");
    assert_eq!(text(&place, &[]), "", "a secret file is kept out by the built-in rules");
}

#[test]
fn the_clients_own_tests_pass() {
    let ran = Command::new("sh")
        .arg(client().join("tests/run.sh"))
        .env_remove("XDG_RUNTIME_DIR")
        .output()
        .expect("sh runs");
    let out = String::from_utf8_lossy(&ran.stdout);
    let summary = out.trim_end().lines().last().unwrap_or_default();
    assert!(
        ran.status.success() && summary.ends_with(", 0 failed"),
        "{out}{}",
        String::from_utf8_lossy(&ran.stderr)
    );
}
