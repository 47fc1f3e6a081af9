//! Tables of files and what is read from them.

use ctxhost_sdk::prelude::json;

use super::*;

/// The findings as code and place, and the file as it was read.
fn check(text: impl AsRef<[u8]>, expected: Value, findings: &[(&str, &str)]) {
    let text = text.as_ref();
    let (file, found) = project_file(text);
    let label = String::from_utf8_lossy(&text[..text.len().min(200)]);
    let expected: ProjectFile = serde_json::from_value(expected).expect("the expectation is read");
    assert_eq!(file, expected, "{label}");
    let told: Vec<(&str, &str)> = found
        .iter()
        .map(|finding| (finding.code.as_str(), finding.pointer.as_deref().unwrap_or_default()))
        .collect();
    assert_eq!(told, findings, "{label}");
    assert!(found.iter().all(|finding| finding.hint.is_some() && !finding.message.contains('\n')));
}

#[test]
fn every_key_is_read() {
    let all = json!({
        "ignorePatterns": ["dist"], "smallPackageThreshold": 3, "contextBudget": 5, "autoInjectPrompt": false,
        "tagCap": 7, "workflowHintCap": 9, "promptInjectionMode": "off", "contextBudgetPercent": 11,
        "contextBudgetMaxTokens": 13, "expansionTokens": 17, "commitArtifacts": true, "artifactDir": "maps"
    });
    assert_eq!(all.as_object().expect("an object").len(), ProjectFile::NAMES.len());
    check(all.to_string(), all.clone(), &[]);
    let nulls: serde_json::Map<_, _> =
        ProjectFile::NAMES.into_iter().map(|name| (name.to_owned(), Value::Null)).collect();
    check(Value::Object(nulls).to_string(), json!({}), &[]);
}

#[test]
fn how_an_editor_saves_it_does_not_matter() {
    check(
        "\u{feff}{\r\n\t\"tagCap\": 3.0,\r\n\"contextBudget\": 4e3}\r\n",
        json!({"tagCap": 3, "contextBudget": 4000}),
        &[],
    );
    check("  \n{}", json!({}), &[]);
    check(r#"{"tag\u0043ap": 3}"#, json!({"tagCap": 3}), &[]);
}

#[test]
fn what_is_no_settings_file_is_one_finding() {
    let deep = "[".repeat(100_000);
    let padded = format!("{{{}}}", " ".repeat(MOST_BYTES));
    let cases: [&[u8]; 14] = [
        b"",
        b" \n",
        b"{",
        b"{\"tagCap\": 3,}",
        b"// a comment\n{}",
        b"{} {}",
        b"[]",
        b"null",
        b"\"text\"",
        b"7",
        b"\xff\xfe{\0}\0",
        b"{\"artifactDir\": \"\xff\"}",
        deep.as_bytes(),
        padded.as_bytes(),
    ];
    for text in cases {
        check(text, json!({}), &[("settings-unreadable", "")]);
    }
    check(format!("{{\"x\": {deep}"), json!({}), &[("settings-unreadable", "")]);
}

#[test]
fn unknown_keys_are_one_finding() {
    check(
        r#"{"colour": 1, "tagCap": 3, "a/b~c": {"tagCap": 5}, "TagCap": 4}"#,
        json!({"tagCap": 3}),
        &[("unknown-setting", "/colour")],
    );
    let many: Vec<String> =
        (0..9).map(|number| format!("\"k{number}\\n\\u001b[31m{}\": 1", "x".repeat(90))).collect();
    let (_, findings) = project_file(format!("{{{}}}", many.join(",")).as_bytes());
    assert_eq!(findings.len(), 1);
    assert!(findings[0].message.ends_with("and 4 more") && findings[0].message.len() < 350, "{findings:?}");
    assert!(!findings[0].message.chars().any(char::is_control));
}

#[test]
fn of_a_key_that_stands_twice_the_last_one_counts() {
    check(r#"{"tagCap": 3, "tagCap": 4}"#, json!({"tagCap": 4}), &[("setting-twice", "/tagCap")]);
    check(
        r#"{"tagCap": 3, "contextBudget": 1, "tagCap": "x", "contextBudget": null}"#,
        json!({}),
        &[("setting-type", "/tagCap"), ("setting-twice", "/tagCap")],
    );
    check(r#"{"x": 1, "x": 2}"#, json!({}), &[("unknown-setting", "/x")]);
}

#[test]
fn a_wrong_type_costs_its_own_key() {
    let wrong = r#"{
        "ignorePatterns": "dist", "smallPackageThreshold": "10", "contextBudget": -1, "autoInjectPrompt": 1,
        "tagCap": 2.5, "workflowHintCap": [5], "promptInjectionMode": "Strong", "contextBudgetPercent": true,
        "contextBudgetMaxTokens": {}, "expansionTokens": 4000, "commitArtifacts": "yes", "artifactDir": 7
    }"#;
    let places: Vec<String> = ProjectFile::NAMES
        .iter()
        .filter(|name| **name != "expansionTokens")
        .map(|name| format!("/{name}"))
        .collect();
    let findings: Vec<_> = places.iter().map(|place| ("setting-type", place.as_str())).collect();
    check(wrong, json!({"expansionTokens": 4000}), &findings);
    check(
        r#"{"ignorePatterns": ["dist", 7, null, "out"]}"#,
        json!({"ignorePatterns": ["dist", "out"]}),
        &[("setting-type", "/ignorePatterns/1")],
    );
}

#[test]
fn a_number_that_is_too_large_is_the_largest() {
    let (file, findings) = project_file(br#"{"contextBudget": 1e300, "tagCap": 99999999999999999999999}"#);
    assert_eq!((file.context_budget, file.tag_cap), (Some(u64::MAX), Some(u64::MAX)));
    assert_eq!(findings, []);
}
