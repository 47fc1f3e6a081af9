//! What edits touch, in every form that agents write.

use ctxhost_sdk::prelude::json;

use super::*;

const TEXT: &str = "class A:\n    def one(self):\n        return 1\n\n    def two(self):\n        return 2\n\ndef free():\n    pass\n";

fn places() -> Vec<Place> {
    [("A", 1, 6), ("A.one", 2, 3), ("A.two", 5, 6), ("free", 8, 9)]
        .map(|(name, first, last)| Place { name: name.to_owned(), first, last })
        .to_vec()
}

fn check(input: Value, wrote: bool, expected: &[&str]) {
    let change = Change { input: &input, content: &[], details: None, wrote };
    assert_eq!(names(change, TEXT, &places(), |_| true), expected, "{input}");
}

#[test]
fn an_edit_gives_the_innermost_definitions_that_it_touched() {
    check(json!({"path": "a.py", "oldText": "x", "newText": "return 2"}), false, &["A.two"]);
    check(json!({"old_string": "x", "new_string": "        return 1\n"}), false, &["A.one"]);
    check(json!({"new_string": "return 1\n\n    def two"}), false, &["A", "A.one", "A.two"]);
    check(json!({"edits": [{"newText": "return 1"}, {"newText": "pass"}]}), false, &["A.one", "free"]);
}

#[test]
fn what_cannot_be_told_gives_nothing() {
    check(json!({"newText": "is not there"}), false, &[]);
    check(json!({"newText": ""}), false, &[]);
    check(json!({"newText": 7, "edits": {"a": 1}}), false, &[]);
    check(json!(null), false, &[]);
}

#[test]
fn a_written_file_gives_its_outermost_definitions() {
    check(json!({"content": TEXT}), true, &["A", "free"]);
}

#[test]
fn a_text_that_stands_in_several_definitions_gives_none() {
    check(json!({"new_string": "self"}), false, &[]);
    check(json!({"new_string": "    def "}), false, &[]);
    check(json!({"new_string": "return "}), false, &[]);
    check(json!({"new_string": "s"}), false, &[]);
    check(json!({"new_string": "one(self):\r\n        return"}), false, &["A.one"]);
    // Twice in the same one.
    check(json!({"new_string": "e"}), false, &[]);
    let text = "def f():\n    a = 1\n    b = 1\n";
    let places = [Place { name: "f".to_owned(), first: 1, last: 3 }];
    let input = json!({"new_string": "= 1"});
    let change = Change { input: &input, content: &[], details: None, wrote: false };
    assert_eq!(names(change, text, &places, |_| true), ["f"]);
}

fn touched_by(
    input: &Value,
    content: &[Map<String, Value>],
    details: &Value,
    wrote: bool,
    expected: &[&str],
) {
    let change = Change { input, content, details: details.as_object(), wrote };
    let is_same = |name: &str| name == "a.py" || name == "/p/a.py";
    assert_eq!(names(change, TEXT, &places(), is_same), expected, "{input} {content:?} {details}");
}

fn check_patch(hunks: Value, expected: &[&str]) {
    let piece = json!({"filePath": "/p/a.py", "structuredPatch": hunks});
    let content = [piece.as_object().expect("an object").clone()];
    for wrote in [false, true] {
        touched_by(&Value::Null, &content, &Value::Null, wrote, expected);
    }
}

fn hunk(start: u32, lines: &[&str]) -> Value {
    json!({"oldStart": start, "oldLines": 1, "newStart": start, "newLines": 1, "lines": lines})
}

#[test]
fn a_patch_gives_the_lines_that_it_added() {
    check_patch(
        json!([hunk(5, &["     def two(self):", "-        pass", "+        return 2", " "])]),
        &["A.two"],
    );
    check_patch(json!([hunk(3, &["+        return 1"]), hunk(9, &["+    pass"])]), &["A.one", "free"]);
    // The context around a change is no change.
    let lines = ["         return 1", " ", "-    def too(self):", "+    def two(self):", "         return 2"];
    check_patch(json!([hunk(3, &lines)]), &["A.two"]);
    check_patch(
        json!([hunk(8, &[" def free():", "+    pass\r", "\\ No newline at end of file"])]),
        &["free"],
    );
}

#[test]
fn what_a_patch_took_away_belonged_to_what_is_around_it() {
    check_patch(
        json!([hunk(5, &["     def two(self):", "-        x = 1", "         return 2"])]),
        &["A.two"],
    );
    check_patch(json!([hunk(3, &["         return 1", " ", "-    x = 1", "     def two(self):"])]), &["A"]);
    check_patch(json!([hunk(7, &[" ", "-x = 1", " def free():"])]), &[]);
    check_patch(json!([hunk(1, &["-import x", " class A:"])]), &[]);
}

#[test]
fn a_patch_whose_lines_have_moved_is_found_where_they_stand_once() {
    check_patch(json!([hunk(1, &["     def two(self):", "+        return 2"])]), &["A.two"]);
    check_patch(json!([hunk(900_000, &["+    pass"])]), &["free"]);
    check_patch(json!([hunk(1, &["     def three(self):", "+        return 3"])]), &[]);
    // An empty line stands in several places.
    check_patch(json!([hunk(1, &["+"])]), &[]);
}

#[test]
fn a_patch_that_is_none_gives_nothing() {
    for hunks in [
        json!([7]),
        json!([{"lines": "x"}]),
        json!([{"newStart": -1, "lines": ["+x"]}]),
        json!([{"newStart": 1, "lines": [3, "", "é", null]}]),
    ] {
        check_patch(hunks, &[]);
    }
}

fn check_details(details: Value, expected: &[&str]) {
    touched_by(&json!({"edits": [{"newText": "return 1"}]}), &[], &details, false, expected);
}

/// As Pi 0.74.2 wrote it, with the real numbers: a line before the change was taken away.
const NUMBERED: &str = "-1 import x\n 2 class A:\n 3     def one(self):\n   ...\n 6     def two(self):\n-7         pass\n+6         return 2\n 8 \n 9 def free():";

#[test]
fn the_diff_that_pi_shows_says_which_lines_it_is_about() {
    check_details(json!({"diff": NUMBERED, "firstChangedLine": 1}), &["A.two"]);
    check_details(json!({"diff": "+3         return 1\n    ...\n+9     pass"}), &["A.one", "free"]);
    // What cannot be read leaves it to the text of the edit.
    for details in [json!({}), json!({"diff": 7}), json!({"diff": "what\n + is\n+é 1\n+99999999999 x"})] {
        check_details(details, &["A.one"]);
    }
}

#[test]
fn a_unified_patch_says_it_for_each_file() {
    let patch =
        "--- a.py\n+++ a.py\n@@ -5,2 +5,2 @@\n     def two(self):\n-        pass\n+        return 2\n";
    check_details(json!({"patch": patch, "diff": "+9     pass"}), &["A.two"]);
    let two = format!("--- b.py\n+++ b.py\n@@ -1 +1 @@\n-++ x\n+++ a.py\n{patch}@@ -9,0 +9 @@\n+    pass\n");
    check_details(json!({"patch": two}), &["A.two", "free"]);
    check_details(json!({"patch": "+++ b.py\n@@ -1 +9 @@\n+    pass\n"}), &["A.one"]);
    // A head that promises more lines than follow takes what looks like heads for its own.
    check_details(json!({"patch": "@@ -1,9 +2,0 @@\n-x\n@@ what @@\n@@ -1 @@\n+++ \n"}), &[]);
}

fn check_input(patch: &str, expected: &[&str]) {
    let patch = format!("*** Begin Patch\n{patch}*** End Patch\n");
    for input in [json!(patch), json!({"command": patch}), json!({"input": patch})] {
        touched_by(&input, &[], &Value::Null, false, expected);
    }
}

#[test]
fn the_patch_that_codex_applies_names_lines_and_no_numbers() {
    check_input(
        "*** Update File: a.py\n@@\n     def two(self):\n-        pass\n+        return 2\n",
        &["A.two"],
    );
    check_input(
        "*** Update File: a.py\n     def one(self):\n+        return 1\n\n     def two(self):\n",
        &["A.one"],
    );
    check_input(
        "*** Update File: a.py\n@@ class A:\n@@     def two(self):\n-        pass\n+        return 2\n",
        &["A.two"],
    );
    check_input(
        "*** Update File: a.py\n@@\n+        return 1\n@@ def free():\n-    x\n+    pass\n*** End of File\n",
        &["A.one", "free"],
    );
    check_input("*** Update File: b.py\n*** Move to: a.py\n@@\n-x\n+    pass\n", &["free"]);
    check_input("*** Add File: a.py\n+class A:\n+    def one(self):\n", &["A", "free"]);
    check_input(
        "*** Update File: a.py\n@@\n     def two(self):\n-        x = 1\n         return 2\n",
        &["A.two"],
    );
}

#[test]
fn a_hunk_that_no_line_places_gives_nothing() {
    // Of two places none is named, or the named one is not there.
    check_input("*** Update File: a.py\n@@\n-x\n+\n", &[]);
    check_input("*** Update File: a.py\n@@ def three():\n-x\n+    pass\n", &[]);
    check_input("*** Update File: a.py\n@@\n-    pass\n", &[]);
    // Below the hunk before it, it is not.
    check_input("*** Update File: a.py\n@@\n+    pass\n@@\n+class A:\n", &["free"]);
}

#[test]
fn a_patch_of_other_files_is_none_of_this_one() {
    let patch =
        "*** Begin Patch\n*** Update File: b.py\n@@\n+    pass\n*** Delete File: c.py\n*** End Patch\n";
    let change = Change { input: &json!(patch), content: &[], details: None, wrote: false };
    assert!(names(change, TEXT, &places(), |name| name == "a.py").is_empty());
}
