//! A state directory that somebody wants to do harm with.
//!
//! Nothing here measures time: a call that hangs is ended by the test runner, and one that is slow by its deadline.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    os::unix::{
        fs::{PermissionsExt, chown, symlink},
        net::UnixListener,
    },
    process::Command,
    sync::Arc,
};

use ctxhost_sdk::{prelude::*, protocol::ide_context::Connection, serde_json};
use ctxhost_testkit::Call;
use rustix::process::geteuid;

use crate::support::{Place, ask, codes, contribution, fullest};

/// Asserts that the good editor is there, and gives the findings.
#[track_caller]
fn good_editor_is_there(place: &Place, good: u32) -> Vec<Finding> {
    let reply = ask(&place.harness(), place).expect("a reply");
    assert_eq!(contribution(&reply).editor.expect("it is connected").pid, u64::from(good));
    assert!(fullest(&reply).contains("good.txt"));
    let mut by_file = BTreeMap::new();
    for finding in &reply.findings {
        let file = finding.message.split(' ').next().expect("it begins with the file").to_owned();
        *by_file.entry(file).or_insert(0) += 1;
    }
    assert!(by_file.values().all(|count| *count == 1), "one finding a file: {by_file:?}");
    reply.findings
}

#[test]
fn files_that_are_no_files_cost_one_finding_each() {
    let mut place = Place::new();
    let good = place.editor("project/good.txt");
    let mut at = || {
        let pid = place.process();
        place.state_file(pid)
    };
    let (pipe, sparse, looped, dangling, folder, socket, device, foreign) =
        (at(), at(), at(), at(), at(), at(), at(), at());
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    File::create(&sparse).and_then(|file| file.set_len(2 << 30)).expect("a file of 2 GiB");
    symlink(looped.file_name().expect("a name"), &looped).expect("a link");
    symlink("nowhere", &dangling).expect("a link");
    fs::create_dir(&folder).expect("a folder");
    let _listener = UnixListener::bind(&socket).expect("a socket");
    symlink("/dev/zero", &device).expect("a link");
    fs::write(&foreign, place.state(1, "project", "project/a.txt").to_string()).expect("a file");
    let mut expected = 7;
    if geteuid().is_root() {
        chown(&foreign, Some(65534), Some(65534)).expect("a new owner");
        expected += 1;
    } else {
        fs::remove_file(&foreign).expect("it is ours");
    }
    let findings = good_editor_is_there(&place, good);
    assert_eq!(findings.len(), expected, "{findings:#?}");
    assert!(findings.iter().all(|finding| finding.code == "state-unreadable"));
    let told = |file: &std::path::Path| {
        let path = file.display().to_string();
        findings
            .iter()
            .find(|finding| finding.pointer.as_ref() == Some(&path))
            .map(|finding| finding.message.clone())
    };
    assert!(told(&sparse).is_some_and(|message| message.contains("is larger than 1024 KiB")));
    assert!(
        expected == 7 || told(&foreign).is_some_and(|message| message.contains("belongs to another user"))
    );
}

#[test]
fn names_that_are_no_process_id_are_not_looked_at() {
    let mut place = Place::new();
    let good = place.editor("project/good.txt");
    for name in
        ["99999999999999999999.json", "-1.json", "0.json", "x.json", "12.json.tmp", ".json", "1e3.json"]
    {
        fs::write(place.states().join(name), "{").expect("a file");
    }
    fs::create_dir(place.states().join("folder.json")).expect("a folder");
    assert_eq!(good_editor_is_there(&place, good), []);
}

#[test]
fn nonsense_costs_one_finding_a_file_and_never_the_good_editor() {
    let mut place = Place::new();
    let good = place.editor("project/good.txt");
    let state = place.state(1, "project", "project/a.txt").to_string();
    let deep = "[".repeat(100_000);
    let deep_inside =
        format!("{}\"x\":{}", &state[..state.len() - 1].replace("\"pid\"", "\"y\":1,\"pid\""), deep);
    let mut contents: Vec<String> = vec![
        String::new(),
        "\0".repeat(4096),
        deep,
        deep_inside,
        "{\"a\":".repeat(100_000),
        state.replace(":3", ":NaN"),
        state.replace(":3", ":Infinity"),
        state.replace(":3", ":1e999"),
        state.replace(":3", ":-3"),
        format!("{state}{state}"),
        format!("\u{feff}{state}"),
    ];
    contents.extend((1..state.len()).step_by(17).map(|length| state[..length].to_owned()));
    for content in &contents {
        let pid = place.process();
        place.put_bytes(pid, content);
    }
    let findings = good_editor_is_there(&place, good);
    let (single, summed): (Vec<_>, Vec<_>) =
        findings.iter().partition(|finding| finding.code == "state-off-spec");
    assert!(single.len() == 20 && summed.len() == 1, "{findings:#?}");
    assert!(summed[0].message.starts_with(&format!("{} more state files", contents.len() - 20)));
}

#[test]
fn a_wrong_type_in_any_field_costs_one_finding() {
    let whole: serde_json::Value = serde_json::from_str(
        &fs::read_to_string(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../protocol-specs/ide-context/v0.2/examples/valid/state/jetbrains-table-view.json"
        ))
        .expect("the spec has it"),
    )
    .expect("it is JSON");
    let mut place = Place::new();
    let good = place.editor("project/good.txt");
    let wrong = place.process();
    let harness = place.harness();
    let fields: Vec<String> = whole.as_object().expect("an object").keys().cloned().collect();
    for field in fields {
        for value in [json!([[]]), json!({"x": {}}), json!(-1.5), json!(true), json!("")] {
            let mut state = whole.clone();
            state[&field] = value.clone();
            place.put(wrong, &state);
            let reply = ask(&harness, &place).expect("a reply");
            assert_eq!(
                contribution(&reply).editor.expect("it is there").pid,
                u64::from(good),
                "{field} = {value}"
            );
            assert!(reply.findings.len() <= 1, "{field} = {value}");
        }
    }
}

#[test]
fn ten_thousand_files_hide_nobody() {
    let mut place = Place::new();
    let good = place.editor("project/good.txt");
    // Process ids of living processes are among them, and their states are off the spec.
    place.write("off-spec", "{}");
    for pid in (1..=10_000).filter(|pid| *pid != good) {
        fs::hard_link(place.path("off-spec"), place.state_file(pid)).expect("a name for it");
    }
    let reply = ask(&place.harness(), &place).expect("a reply");
    assert_eq!(contribution(&reply).editor.expect("it is connected").pid, u64::from(good));
    assert!(reply.findings.len() <= 22, "{:?}", codes(&reply));
    let doctor = place.harness().command("doctor", &[], place.path("project")).expect("a reply");
    let all = fs::read_dir(place.states()).expect("it is there").count();
    assert!(doctor.text.contains(&format!("holds {all} state files\n")), "{}", doctor.text);
    assert!(doctor.text.contains(&format!("… and {} more\n", all - 200)), "{}", doctor.text);
    let list = place.harness().command("list", &["--all"], place.path("project")).expect("a reply");
    assert!(list.text.contains(&good.to_string()));
}

#[test]
fn a_call_that_nobody_waits_for_ends() {
    let mut place = Place::new();
    place.editor("project/good.txt");
    let harness = place.harness();
    let request = harness.request("prompt", place.path("project"));
    let call = Arc::new(Call::until(u64::MAX));
    call.cancel();
    assert!(harness.raw_call("event", &request, &call).is_err());
}

#[test]
fn huge_values_in_every_text_still_make_a_reply() {
    let mut place = Place::new();
    let pid = place.process();
    let long = "\u{1}`*".repeat(20_000);
    let mut state = place.state(pid, "project", "project/a.txt");
    for field in ["app", "product"] {
        state[field] = json!(long);
    }
    state["argv"] = json!([long, long]);
    for field in ["name", "language"] {
        state["active_buffer"][field] = json!(long);
    }
    state["active_buffer"]["lines_total"] = json!(1e300);
    state["active_buffer"]["cursor"] = json!({"line": 1e300, "column": 2147483647u32});
    place.put(pid, &state);
    let harness = place.harness();
    let reply = ask(&harness, &place).expect("a reply");
    assert_eq!(reply.sections.len(), 1);
    for name in ["list", "doctor", "status", "connect"] {
        let reply = harness.command(name, &[], place.path("project")).expect("a reply");
        assert!(reply.text.len() < 20_000, "{name}: {}", reply.text.len());
    }
    // A name that no file can have is no file.
    state["active_buffer"]["file"] = json!(format!("/{long}"));
    place.put(pid, &state);
    assert!(ask(&harness, &place).expect("a reply").sections.is_empty());
}

#[test]
fn absurd_paths_cost_the_good_editor_nothing() {
    let mut place = Place::new();
    let good = place.editor("project/good.txt");
    let deep = place.text(&format!("deep{}", "/a".repeat(200)));
    fs::create_dir_all(&deep).expect("folders");
    let absurd = [
        json!({"file": "/a".repeat(2_040)}),
        json!({"file": "/a".repeat(400_000)}),
        json!({"cwd": "/a".repeat(400_000)}),
        json!({"cwd": "/a".repeat(2_040), "file": "a/".repeat(2_000)}),
        json!({"argv": vec!["/a".repeat(2_040); 240]}),
        json!({"argv": vec!["a".repeat(4_000); 240]}),
        json!({"argv": vec![&deep; 1_000], "cwd": &deep, "file": format!("{deep}/x")}),
    ];
    for fields in absurd {
        let pid = place.process();
        let mut state = place.state(pid, "elsewhere", "elsewhere/a.txt");
        for (name, value) in fields.as_object().expect("an object") {
            let at = if name == "file" { &mut state["active_buffer"] } else { &mut state };
            at[name] = value.clone();
        }
        place.put(pid, &state);
    }
    assert_eq!(good_editor_is_there(&place, good), []);
}

#[test]
fn a_directory_that_is_not_the_users_own_is_not_read() {
    let mut place = Place::new();
    place.editor("project/good.txt");
    let harness = place.harness();
    let check = |told: &str| {
        let reply = ask(&harness, &place).expect("a reply");
        assert_eq!(contribution(&reply).connection, Connection::None);
        assert_eq!(codes(&reply), ["state-directory"]);
        assert!(reply.findings[0].message.contains(told), "{}", reply.findings[0].message);
        assert!(reply.findings[0].hint.is_some());
    };
    fs::set_permissions(place.states(), fs::Permissions::from_mode(0o770)).expect("it is ours");
    check("has the mode 770");
    fs::set_permissions(place.states(), fs::Permissions::from_mode(0o700)).expect("it is ours");
    fs::rename(place.states(), place.path("moved")).expect("it is ours");
    symlink(place.path("moved"), place.states()).expect("a link");
    check("is a symbolic link");
    if geteuid().is_root() {
        fs::remove_file(place.states()).expect("it is ours");
        fs::rename(place.path("moved"), place.states()).expect("it is ours");
        chown(place.states(), Some(65534), Some(65534)).expect("a new owner");
        check("belongs to another user");
    }
}
