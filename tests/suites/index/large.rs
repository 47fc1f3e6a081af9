//! A tree of many files, asked about by processes that live for one prompt each.

use std::{fmt::Write as _, fs};

use serde_json::{Value, json};

use super::{kept, name_of, with_provider};
use crate::harness::Place;

const FOLDERS: usize = 120;
const FILES: usize = 60_000;

/// What is looked for lies in the middle of the last folder.
const ANSWER: &str = "tree/part_119/answer.py";

/// Small files, each with a definition of its own.
fn tree(place: &Place) {
    for folder in 0..FOLDERS {
        fs::create_dir_all(place.path(format!("work/tree/part_{folder}"))).expect("a folder");
    }
    let mut text = String::new();
    for number in 0..FILES - 1 {
        text.clear();
        write!(text, "def {}(hour):\n    return hour == {number}\n", name_of(number))
            .expect("a text takes all");
        let path = place.path(format!("work/{}", path(number)));
        fs::write(path, &text).expect("a file");
    }
    place.write(
        format!("work/{ANSWER}"),
        "class Beacon:\n    def dims_at(self, hour):\n        return hour == 23\n",
    );
}

fn path(number: usize) -> String {
    format!("tree/part_{}/module_{number}.py", number % FOLDERS)
}

/// What Claude Code's hook is answered with, in a process of its own.
fn hook(place: &Place, turn: usize, prompt: &str) -> String {
    let event = json!({
        "session_id": "many", "transcript_path": place.path("transcript.jsonl"), "cwd": place.path("work"),
        "hook_event_name": "UserPromptSubmit", "prompt_id": turn.to_string(), "prompt": prompt,
    });
    let ran = place.run_with_input(&["hook", "claude-code"], event.to_string().as_bytes()).ends(0);
    let answer: Value = ran.json();
    assert_eq!((ran.err.as_str(), &answer["systemMessage"]), ("", &Value::Null), "{answer}");
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn many_files_are_answered_cold_and_each_run_goes_on_where_the_last_one_ended() {
    let place = with_provider();
    // The most that a prompt may have: unoptimized code, and a busy machine.
    place.config("[deadlines]\nprompt = 20000\n");
    tree(&place);
    let text = hook(&place, 0, "what does Beacon.dims_at do?");
    assert!(text.contains("def dims_at(self, hour)") && text.contains(ANSWER), "{text}");
    let indexed = || kept(&place.path("cache")).totals().files as usize;
    let mut done = indexed();
    for turn in 1.. {
        let number = turn * 2_777 % FILES;
        let (name, file) = (name_of(number), path(number));
        let text = hook(&place, turn, &format!("where is {name}?"));
        assert!(text.contains(&format!("def {name}(")) && text.contains(&file), "{text}");
        let before = std::mem::replace(&mut done, indexed());
        if before == FILES {
            break;
        }
        assert!(done > before, "{done} files after {before}");
    }
    // Everything is there, so that what is edited is all that the next run has to do.
    place.write(format!("work/{ANSWER}"), "def lights_beacon_at(hour):\n    return hour == 22\n");
    let text = hook(&place, FILES, "what does lights_beacon_at do?");
    assert!(text.contains("def lights_beacon_at(hour)") && text.contains(ANSWER), "{text}");
    assert_eq!(indexed(), FILES);
}
