//! A library of somebody else's runs from a private copy named by its content.

use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use sha2::{Digest, Sha256};

use super::{
    INJECT, bodies, compile, inject, injected, is, only_finding, rogue, run_within_a_minute, text, until,
};
use crate::harness::{Place, codes, providers};

/// The folder of the copies.
fn copies(place: &Place) -> PathBuf {
    place.path("cache/ctxhost/libraries")
}

/// Where the copy of a library lies.
fn copy_of(place: &Place, library: &Path) -> PathBuf {
    let sum = Sha256::digest(fs::read(library).expect("a library"));
    let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
    copies(place).join(format!("{sum}.so"))
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).expect("it is there").permissions().mode() & 0o7777
}

/// A reply of the rogue's with this text.
fn says(body: &str) -> String {
    text(
        "REPLY",
        &format!(
            r#"{{"v":1,"spec":"envelope/v1","sections":[{{"key":"k","placement":"prompt","trust":"tool","variants":[{{"body":"{body}\n"}}]}}]}}"#
        ),
    )
}

#[test]
fn its_code_runs_from_the_copy() {
    let place = Place::new();
    let library = rogue(&place, &[is("WHEN_INVOKED", "tell_file")]);
    let copy = copy_of(&place, &library);
    assert_eq!(bodies(&inject(&place)), [format!("runs from {}\n", copy.display())]);
    assert_eq!(fs::read(&copy).expect("the copy"), fs::read(&library).expect("the library"));
    assert_eq!((mode(&copy), mode(&copies(&place))), (0o600, 0o700));
    // Nothing half-written lies beside it, and a second run makes nothing new.
    let names = || {
        let mut names: Vec<_> = fs::read_dir(copies(&place))
            .expect("a folder")
            .flatten()
            .map(|entry| entry.file_name())
            .collect();
        names.sort();
        names
    };
    let before = names();
    assert_eq!(before.len(), 2, "the copy and its remembered sum: {before:?}");
    assert_eq!(bodies(&inject(&place)), [format!("runs from {}\n", copy.display())]);
    assert_eq!(names(), before);
}

#[test]
fn a_library_of_the_programs_own_runs_in_place() {
    let place = Place::new();
    let library = rogue(&place, &[is("WHEN_INVOKED", "tell_file")]);
    let own = place.path("lib/ctxhost/providers/c-rogue.so");
    fs::create_dir_all(own.parent().expect("a folder")).expect("a folder");
    fs::rename(library, &own).expect("moved");
    let original = place.command(&INJECT);
    let program = place.path("bin/ctxhost");
    fs::create_dir(place.path("bin")).expect("a folder");
    fs::copy(original.get_program(), &program).expect("the program can be copied");
    let run = |path: Option<&Path>| {
        let mut command = Command::new(&program);
        let variables = original.get_envs().filter_map(|(name, value)| Some((name, value?)));
        command.args(original.get_args()).env_clear().envs(variables).env_remove("CTXHOST_PROVIDER_PATH");
        path.map(|path| command.env("CTXHOST_PROVIDER_PATH", path));
        injected(&run_within_a_minute(command))
    };
    // Found by itself, and named by the user: it is the program's own either way.
    for path in [None, own.parent()] {
        assert_eq!(bodies(&run(path)), [format!("runs from {}\n", own.display())], "{path:?}");
    }
    assert!(!copies(&place).exists(), "no copy is made");
}

#[test]
fn new_content_is_new_code() {
    let place = Place::new();
    let library = rogue(&place, &[says("old")]);
    assert_eq!(bodies(&inject(&place)), ["old\n"]);
    // In place, by the same name and of the same length.
    let newer = compile(&place, "rogue", "newer.so", &[says("new")]);
    fs::write(&library, fs::read(&newer).expect("a library")).expect("overwritten");
    assert_eq!(bodies(&inject(&place)), ["new\n"]);
    // By a rename, as a package manager does.
    let older = compile(&place, "rogue", "older.so", &[says("old")]);
    fs::rename(&older, &library).expect("renamed");
    assert_eq!(bodies(&inject(&place)), ["old\n"]);
    let kept = fs::read_dir(copies(&place)).expect("a folder").flatten();
    let kept = kept.filter(|entry| entry.path().extension().is_some_and(|kind| kind == "so")).count();
    assert_eq!(kept, 1, "a copy of content that the library no longer has is not kept");
}

#[test]
fn overwriting_a_library_disturbs_no_running_call() {
    let place = Place::new();
    let library = rogue(&place, &[is("WHEN_INVOKED", "wait_for_file")]);
    let (inside, go) = (place.path("inside"), place.path("go"));
    let mut command = place.command(&INJECT);
    command.env("ROGUE_FILE", &inside).env("ROGUE_GO", &go);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("the program starts");
    until(|| inside.exists());
    fs::write(&library, "overwritten in place, which would crash whoever runs it").expect("overwritten");
    fs::write(&go, "").expect("a file");
    let injection = injected(&child.wait_with_output().expect("the program ends"));
    assert_eq!(bodies(&injection), ["the rogue's text\n"]);
    assert!(codes(&injection).is_empty(), "{injection:#}");
}

#[test]
fn a_copy_that_is_not_whole_is_made_again() {
    let place = Place::new();
    let library = rogue(&place, &[]);
    let copy = copy_of(&place, &library);
    let whole = fs::read(&library).expect("a library");
    let arrives = || {
        let injection = inject(&place);
        assert_eq!(providers(&injection), ["c-rogue"], "{injection:#}");
        assert!(codes(&injection).is_empty(), "{injection:#}");
        assert_eq!(fs::read(&copy).expect("the copy"), whole);
        assert_eq!(mode(&copy), 0o600);
    };
    arrives();
    fs::write(&copy, &whole[..100]).expect("cut off");
    arrives();
    fs::write(&copy, [whole.as_slice(), b"more"].concat()).expect("longer");
    arrives();
    fs::remove_file(&copy).expect("removed");
    arrives();
    // A link is not followed, wherever it leads.
    fs::rename(&copy, place.path("elsewhere.so")).expect("moved");
    symlink(place.path("elsewhere.so"), &copy).expect("a link");
    arrives();
    assert!(fs::symlink_metadata(&copy).expect("the copy").is_file());
}

#[test]
fn a_remembered_sum_that_is_nonsense_is_forgotten() {
    let place = Place::new();
    let library = rogue(&place, &[]);
    inject(&place);
    let entries = fs::read_dir(copies(&place)).expect("a folder").flatten();
    let sum = entries.map(|entry| entry.path()).find(|path| path.extension().is_some_and(|end| end == "sum"));
    let sum = sum.expect("the sum is remembered");
    let good = fs::read_to_string(&sum).expect("text");
    let (known, _) = good.rsplit_once(' ').expect("a fingerprint and a sum");
    for nonsense in
        ["", "x", "\u{e9} \u{e9}", &format!("{known} ../../evil"), &format!("{known} {}", "0".repeat(64))]
    {
        fs::write(&sum, nonsense).expect("written");
        let injection = inject(&place);
        assert_eq!(providers(&injection), ["c-rogue"], "{nonsense:?}: {injection:#}");
        assert_eq!(fs::read_to_string(&sum).expect("text"), good, "{nonsense:?}");
    }
    assert!(copy_of(&place, &library).is_file());
}

/// One finding that says why there is no copy, and no crash.
#[track_caller]
fn no_copy(command: Command, says: &str) {
    let injection = injected(&run_within_a_minute(command));
    assert!(providers(&injection).is_empty(), "{injection:#}");
    assert_eq!(codes(&injection), ["c-rogue private-copy"], "{injection:#}");
    let finding = only_finding(&injection);
    let message = finding["message"].as_str().expect("a message");
    assert!(message.contains("cannot be copied to a private place") && message.contains(says), "{message}");
    assert!(finding["hint"].as_str().is_some_and(|hint| hint.contains("XDG_CACHE_HOME")), "{finding:#}");
}

#[test]
fn without_a_cache_there_is_one_finding() {
    let place = Place::new();
    rogue(&place, &[]);
    let mut nowhere = place.command(&INJECT);
    nowhere.env_remove("HOME").env_remove("XDG_CACHE_HOME");
    no_copy(nowhere, "neither XDG_CACHE_HOME nor HOME is set");

    let mut a_file = place.command(&INJECT);
    a_file.env("XDG_CACHE_HOME", place.write("file", "in the way"));
    no_copy(a_file, "Not a directory");

    // Nothing can be made there, not even by root.
    let mut read_only = place.command(&INJECT);
    read_only.env("XDG_CACHE_HOME", "/proc");
    no_copy(read_only, "");

    fs::create_dir_all(copies(&place)).expect("a folder");
    fs::set_permissions(copies(&place), fs::Permissions::from_mode(0o770)).expect("permissions");
    no_copy(place.command(&INJECT), "not a folder that only its owner may write to");

    fs::remove_dir(copies(&place)).expect("removed");
    fs::create_dir(place.path("theirs")).expect("a folder");
    symlink(place.path("theirs"), copies(&place)).expect("a link");
    no_copy(place.command(&INJECT), "not a folder that only its owner may write to");
}

#[test]
fn many_processes_may_start_on_an_empty_cache() {
    let place = Place::new();
    rogue(&place, &[]);
    for _ in 0..5 {
        let children: Vec<_> = (0..6)
            .map(|_| {
                let mut command = place.command(&INJECT);
                command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
                command.spawn().expect("the program starts")
            })
            .collect();
        for child in children {
            let injection = injected(&child.wait_with_output().expect("the program ends"));
            assert_eq!(providers(&injection), ["c-rogue"], "{injection:#}");
            assert!(codes(&injection).is_empty(), "{injection:#}");
        }
        fs::remove_dir_all(copies(&place)).expect("removed");
    }
}
