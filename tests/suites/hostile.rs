//! A state directory that somebody wants to do harm with, through the real program and by the real clock.
//!
//! A file counts only while a process with its id lives, so each of the bad ones gets a process of its own.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    os::unix::fs::{MetadataExt as _, symlink},
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::harness::{Place, Ran, codes, provider, providers, root};

/// How long one run may take. Unoptimized code on a busy machine is slow; that it comes to an end is the point, and a
/// provider's deadline is eight seconds here.
const LIMIT: Duration = Duration::from_secs(20);

/// How many files are told about one by one; the provider sums up the rest in one more finding.
const TOLD_SINGLY: usize = 20;

/// A place with one good editor, which is this process, and as many bad ones as a test asks for.
struct Hostile {
    place: Place,
    sleepers: Vec<Child>,
}

impl Drop for Hostile {
    fn drop(&mut self) {
        for sleeper in &mut self.sleepers {
            // It may have ended by itself in a test of many minutes.
            let _ = sleeper.kill();
            let _ = sleeper.wait();
        }
    }
}

impl Hostile {
    fn new() -> Self {
        let place = Place::with(&[provider("ide-context")]);
        place.config("[deadlines]\nprompt = 8000\n");
        place.write("work/good.txt", "good\n");
        let work = place.path("work").canonicalize().expect("the folder is there");
        let file = work.join("good.txt");
        let state = json!({
            "pid": std::process::id(), "cwd": work, "timestamp": 0, "app": "nvim",
            "active_buffer": {"file": file, "name": "good.txt", "cursor": {"line": 1, "column": 1}},
        });
        place.editor_state(std::process::id(), &state.to_string());
        Self { place, sleepers: Vec::new() }
    }

    /// The id of a new process that lives as long as the test.
    fn living(&mut self) -> u32 {
        let mut command = Command::new("sleep");
        let command = command.arg("300").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let sleeper = command.spawn().expect("sleep starts");
        let pid = sleeper.id();
        self.sleepers.push(sleeper);
        pid
    }

    fn file_of(&self, pid: u32) -> PathBuf {
        self.place.path(format!("run/pi-ide/{pid}.json"))
    }

    /// Where the state of one more living editor belongs.
    fn at(&mut self) -> PathBuf {
        let pid = self.living();
        self.file_of(pid)
    }

    /// A state of one more living editor, with whatever is in it.
    fn put(&mut self, content: impl AsRef<[u8]>) -> PathBuf {
        let file = self.at();
        fs::write(&file, content).expect("a file");
        file
    }

    #[track_caller]
    fn run(&self, arguments: &[&str]) -> Ran {
        let started = Instant::now();
        let ran = self.place.run(arguments);
        let took = started.elapsed();
        assert!(took < LIMIT, "{arguments:?} took {took:?}, and printed {:?}", ran.err);
        ran
    }

    /// Asks as an agent would, holds what must hold however bad the files are, and gives the findings.
    #[track_caller]
    fn good_editor_arrives(&self) -> Vec<Value> {
        let injection = self.run(&["inject", "--prompt", "hello", "--format", "json"]).ends(0).json();
        assert_eq!(providers(&injection), ["ide-context"], "{:?}", codes(&injection));
        let text = injection["text"].as_str().expect("a text");
        assert!(text.contains("good.txt"), "{text}");
        let findings = injection["findings"].as_array().expect("findings").clone();
        let mut by_file = BTreeMap::new();
        for finding in &findings {
            let message = finding["message"].as_str().expect("a message");
            // It begins with the file.
            *by_file.entry(message.split(' ').next().expect("a word").to_owned()).or_insert(0) += 1;
        }
        assert!(by_file.values().all(|count| *count == 1), "more than one finding a file: {by_file:?}");
        findings
    }

    /// What a person looks at when something is wrong works there too.
    #[track_caller]
    fn a_person_sees_the_good_editor(&self) {
        let listed = self.run(&["run", "ide-context", "list", "--all"]).ends(0).out;
        assert!(listed.contains(&std::process::id().to_string()), "{listed}");
        let doctor = self.run(&["doctor"]);
        assert!(matches!(doctor.code, Some(0 | 1)), "{:?}, {:?}: {}", doctor.code, doctor.err, doctor.out);
        assert!(doctor.out.contains("good.txt"), "{}", doctor.out);
    }
}

/// A state that satisfies the spec, of an editor in a directory above the project, where its launch arguments and its
/// file decide whether it belongs to it.
fn state_above(hostile: &Hostile) -> Value {
    let above = hostile.place.path("").canonicalize().expect("the folder is there");
    json!({
        "pid": 1, "cwd": above, "timestamp": 0, "app": "nvim", "argv": [],
        "active_buffer": {"file": "/nowhere/a.txt", "name": "a.txt"},
    })
}

#[test]
fn files_that_are_no_files_cost_one_finding_each() {
    let mut hostile = Hostile::new();
    let pipe = hostile.at();
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    let sparse = hostile.at();
    File::create(&sparse).and_then(|file| file.set_len(2 << 30)).expect("a file of 2 GiB without blocks");
    let looped = hostile.at();
    symlink(looped.file_name().expect("a name"), &looped).expect("a link");
    let (one, other) = (hostile.at(), hostile.at());
    symlink(&one, &other).expect("a link");
    symlink(&other, &one).expect("a link");
    let folder = hostile.at();
    fs::create_dir(&folder).expect("a folder");
    // Its process hardly lives; if it does, it costs what the other folder costs.
    let numbered = hostile.file_of(123);
    fs::create_dir_all(&numbered).expect("a folder");
    let mut bad = vec![pipe, sparse, looped, one, other, folder];
    let state = state_above(&hostile).to_string();
    let foreign = hostile.put(state);
    // Only root can make a file somebody else's, as CI is.
    if fs::metadata(&foreign).expect("it is there").uid() == 0 {
        let made = Command::new("chown").arg("65534:65534").arg(&foreign).status().expect("chown runs");
        assert!(made.success());
        bad.push(foreign);
    }
    let findings = hostile.good_editor_arrives();
    let told: Vec<&str> =
        findings.iter().map(|finding| finding["message"].as_str().expect("a message")).collect();
    for file in &bad {
        let name = file.display().to_string();
        assert!(told.iter().any(|message| message.starts_with(&name)), "{name} is not in {told:#?}");
    }
    assert!(told.len() <= bad.len() + 1, "{told:#?}");
    hostile.a_person_sees_the_good_editor();
}

#[test]
fn nonsense_costs_one_finding_a_file() {
    let mut hostile = Hostile::new();
    let state = state_above(&hostile).to_string();
    let open = state.strip_suffix('}').expect("an object").to_owned();
    let contents = [
        String::new(),
        "\0".repeat(4096),
        state[..state.len() / 2].to_owned(),
        state[..state.len() - 1].to_owned(),
        "[".repeat(100_000),
        "{\"a\":".repeat(100_000),
        // A field that the spec does not know may hold anything, but not this deep.
        format!("{open},\"x\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000)),
        state.replace("\"timestamp\":0", "\"timestamp\":NaN"),
        state.replace("\"timestamp\":0", "\"timestamp\":-Infinity"),
        state.replace("\"timestamp\":0", "\"timestamp\":1e999"),
        format!("{state}{state}"),
        "null".to_owned(),
    ];
    for content in &contents {
        hostile.put(content);
    }
    let findings = hostile.good_editor_arrives();
    assert_eq!(findings.len(), contents.len(), "{findings:#?}");
    hostile.a_person_sees_the_good_editor();
}

/// Where every value of a document stands.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                let pointer = format!("{at}/{name}");
                found.push(pointer.clone());
                pointers(inner, &pointer, found);
            }
        }
        Value::Array(items) => {
            for (number, inner) in items.iter().enumerate() {
                let pointer = format!("{at}/{number}");
                found.push(pointer.clone());
                pointers(inner, &pointer, found);
            }
        }
        _ => {}
    }
}

#[test]
fn a_wrong_type_in_any_field_costs_one_finding() {
    let mut hostile = Hostile::new();
    let examples = root().join("protocol-specs/ide-context/v0.2/examples/valid/state");
    let mut wrong = 0;
    for example in ["jetbrains-table-view.json", "vscode-selection.json"] {
        let text = fs::read_to_string(examples.join(example)).expect("the spec has it");
        let whole: Value = serde_json::from_str(&text).expect("it is JSON");
        let mut fields = Vec::new();
        pointers(&whole, "", &mut fields);
        assert!(fields.len() >= 10, "{fields:?}");
        for field in fields {
            let mut state = whole.clone();
            // No field of a state is a list of lists of objects.
            *state.pointer_mut(&field).expect("it has that field") = json!([[{}]]);
            hostile.put(state.to_string());
            wrong += 1;
        }
    }
    let findings = hostile.good_editor_arrives();
    assert_eq!(findings.len(), TOLD_SINGLY + 1, "{findings:#?}");
    let rest = findings.last().and_then(|finding| finding["message"].as_str()).expect("the last sums up");
    assert!(rest.starts_with(&format!("{} more state files", wrong - TOLD_SINGLY)), "{wrong}: {rest}");
    hostile.a_person_sees_the_good_editor();
}

#[test]
fn ten_thousand_files_hide_nobody() {
    let hostile = Hostile::new();
    // Some of the ids are living processes', whichever those are on this machine.
    let empty = hostile.place.write("empty-object", "{}");
    for pid in (1..=10_000).filter(|pid| *pid != std::process::id()) {
        fs::hard_link(&empty, hostile.file_of(pid)).expect("one more name for it");
    }
    let findings = hostile.good_editor_arrives();
    assert!(findings.len() <= TOLD_SINGLY + 1, "{findings:#?}");
    hostile.a_person_sees_the_good_editor();
}

/// A small state that is made to cost much must cost neither the good editor nor the time of the person.
#[track_caller]
fn a_state_like_this_harms_nobody(change: impl FnOnce(&mut Value)) {
    let mut hostile = Hostile::new();
    let mut state = state_above(&hostile);
    change(&mut state);
    let content = state.to_string();
    // A larger file is refused by its size alone, which would show nothing here.
    assert!(content.len() < 1024 * 1024, "{} bytes", content.len());
    hostile.put(content);
    let findings = hostile.good_editor_arrives();
    assert!(findings.len() <= 1, "{findings:#?}");
    hostile.a_person_sees_the_good_editor();
}

#[test]
fn a_file_of_two_thousand_folders_harms_nobody() {
    a_state_like_this_harms_nobody(|state| {
        state["active_buffer"]["file"] = json!("/a".repeat(2_040));
    });
}

#[test]
fn a_file_that_deep_inside_the_project_harms_nobody() {
    a_state_like_this_harms_nobody(|state| {
        // As deep as a path can be; the good editor is still the one whose directory is the project.
        let mut file = format!("{}/work", state["cwd"].as_str().expect("a directory"));
        while file.len() < 4_090 {
            file.push_str("/a");
        }
        state["active_buffer"]["file"] = json!(file);
    });
}

#[test]
fn a_directory_of_half_a_million_folders_harms_nobody() {
    a_state_like_this_harms_nobody(|state| state["cwd"] = json!("/a".repeat(500_000)));
}

#[test]
fn a_relative_file_in_a_directory_without_end_harms_nobody() {
    a_state_like_this_harms_nobody(|state| {
        state["cwd"] = json!("/a".repeat(250_000));
        state["active_buffer"]["file"] = json!("../".repeat(150_000));
    });
}

#[test]
fn arguments_that_are_all_long_paths_harm_nobody() {
    a_state_like_this_harms_nobody(|state| state["argv"] = json!(vec!["/a".repeat(2_040); 250]));
}
