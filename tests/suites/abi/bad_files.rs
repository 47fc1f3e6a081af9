//! Files that are no library, or not the whole of one: one clear finding each, and the host lives.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::Path,
    process::Command,
};

use serde_json::Value;

use super::{built, compile, copy_with, inject, only_finding, run_within_a_minute, text};
use crate::harness::{Place, codes, example, providers, root};

/// Holds that a good provider's section arrives, and what the one finding about each other file is.
#[track_caller]
fn check(place: &Place, expected: &[(&str, &str, &str)]) {
    let injection = inject(place);
    assert_eq!(providers(&injection), ["good"], "{injection:#}");
    let mut found: BTreeMap<String, &Value> = BTreeMap::new();
    for finding in injection["findings"].as_array().expect("a list") {
        let file = Path::new(finding["pointer"].as_str().expect("a place")).file_name().expect("a name");
        let other = found.insert(file.to_string_lossy().into_owned(), finding);
        assert!(other.is_none(), "two findings about {}: {injection:#}", file.display());
    }
    for (file, code, says) in expected {
        let finding = found.remove(*file).unwrap_or_else(|| panic!("no finding about {file}: {injection:#}"));
        assert_eq!(finding["code"], *code, "{file}: {finding:#}");
        assert!(finding["message"].as_str().is_some_and(|text| text.contains(says)), "{file}: {finding:#}");
        assert!(finding["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "{file}: {finding:#}");
    }
    assert!(found.is_empty(), "findings about nothing: {found:#?}");
}

fn providers_folder(place: &Place, name: &str) -> std::path::PathBuf {
    place.path("providers").join(name)
}

/// Lays a library down cut off at sixty lengths, at every one of its first bytes' borders and one byte short.
#[track_caller]
fn check_truncated(library: &Path) {
    let place = Place::with(&[example("good")]);
    let whole = fs::read(library).expect("a library");
    let lengths = (0..60).map(|part| whole.len() * part / 60).chain([1, 3, 4, 16, 63, 64, whole.len() - 1]);
    let mut names = Vec::new();
    for length in lengths {
        let name = format!("cut-{length}.so");
        fs::write(providers_folder(&place, &name), &whole[..length]).expect("a file");
        names.push(name);
    }
    names.sort();
    names.dedup();
    assert!(names.len() >= 66);
    let expected: Vec<_> =
        names.iter().map(|name| (name.as_str(), "library-damaged", "not a whole library file")).collect();
    check(&place, &expected);
}

#[test]
fn a_truncated_library_is_refused_at_every_length() {
    let place = Place::new();
    let stripped = place.path("stripped.so");
    built(Command::new("strip").arg("-o").arg(&stripped).arg(example("good")));
    check_truncated(&stripped);
    check_truncated(&compile(&place, "provider", "c-words.so", &[]));
}

#[test]
fn files_that_are_no_library_for_this_host() {
    let place = Place::with(&[example("good")]);
    let file = |name: &str| providers_folder(&place, name);
    let library = compile(&place, "provider", "c-words.so", &[]);
    // ELF: the machine stands at 18, the class at 4, the byte order at 5.
    copy_with(&library, &file("aarch64.so"), |bytes| bytes[18..20].copy_from_slice(&183u16.to_le_bytes()));
    copy_with(&library, &file("class-32.so"), |bytes| bytes[4] = 1);
    copy_with(&library, &file("big-endian.so"), |bytes| bytes[5] = 2);
    fs::write(file("random.so"), noise(1).take(65_536).collect::<Vec<u8>>()).expect("a file");
    fs::write(file("text.so"), "not a library at all\n".repeat(100)).expect("a file");
    fs::write(file("script.so"), "#!/bin/sh\nexit 0\n").expect("a file");
    copy_with(&library, &file("magic-only.so"), |bytes| bytes[4..].fill(0));
    let program = place.write("program.c", "int main(void) { return 0; }");
    built(Command::new("cc").arg("-no-pie").arg(&program).arg("-o").arg(file("program.so")));
    built(Command::new("cc").args(["-c", "-o"]).arg(file("object.so")).arg(&program));
    let ordinary = place.write("ordinary.c", "int ordinary(void) { return 7; }");
    built(Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(file("ordinary.so")).arg(&ordinary));
    check(
        &place,
        &[
            ("aarch64.so", "library-architecture", "built for Aarch64, and this host runs on X86_64"),
            ("class-32.so", "library-damaged", "not a whole library file"),
            ("big-endian.so", "library-damaged", "not a whole library file"),
            ("random.so", "library-damaged", "not a whole library file"),
            ("text.so", "library-damaged", "not a whole library file"),
            ("script.so", "library-damaged", "not a whole library file"),
            ("magic-only.so", "library-damaged", "not a whole library file"),
            ("program.so", "library-kind", "not a dynamic library"),
            ("object.so", "library-kind", "not a dynamic library"),
            ("ordinary.so", "library-no-note", "has no `.ctxhost` note"),
        ],
    );
}

#[test]
fn a_program_with_a_note_is_not_opened() {
    // A position-independent program looks like a library; the system's own loader tells them apart.
    let place = Place::with(&[example("good")]);
    let main = place.write("main.c", "int main(void) { return 0; }");
    built(
        Command::new("cc")
            .args(["-pie", "-fPIE", "-rdynamic", "-I"])
            .arg(root().join("sdk/abi"))
            .arg(root().join("tests/rogue/c/provider.c"))
            .arg(&main)
            .arg("-o")
            .arg(providers_folder(&place, "program.so")),
    );
    let injection = inject(&place);
    assert_eq!(providers(&injection), ["good"]);
    assert_eq!(codes(&injection), ["c-words open"], "{injection:#}");
    let message = only_finding(&injection)["message"].as_str().expect("a message");
    assert!(message.contains("cannot be opened: ") && message.contains("executable"), "{message}");
}

#[test]
fn things_that_are_no_file() {
    let place = Place::with(&[example("good")]);
    let file = |name: &str| providers_folder(&place, name);
    fs::create_dir(file("folder.so")).expect("a folder");
    built(Command::new("mkfifo").arg(file("pipe.so")));
    symlink(place.path("nothing"), file("dangling.so")).expect("a link");
    symlink("loop.so", file("loop.so")).expect("a link");
    symlink("/dev/zero", file("device.so")).expect("a link");
    check(
        &place,
        &[
            ("folder.so", "library-unreadable", "not a regular file"),
            ("pipe.so", "library-unreadable", "not a regular file"),
            ("dangling.so", "library-unreadable", "No such file"),
            ("loop.so", "library-unreadable", "symbolic link"),
            // Anybody may write to this device, which is looked at first.
            ("device.so", "library-writable", "anybody may write"),
        ],
    );
}

#[test]
fn huge_files_are_not_read() {
    let place = Place::with(&[example("good")]);
    let sparse = |name: &str, length: u64| {
        let file = fs::File::create(providers_folder(&place, name)).expect("a file");
        file.set_len(length).expect("a sparse file");
    };
    sparse("two-gigabytes.so", 2 << 30);
    sparse("half-a-gigabyte.so", 512 << 20);
    check(
        &place,
        &[
            ("two-gigabytes.so", "library-too-large", "larger than 512 MiB"),
            ("half-a-gigabyte.so", "library-damaged", "not a whole library file"),
        ],
    );
}

#[test]
fn what_anybody_may_write_to_is_not_run() {
    let place = Place::with(&[example("good")]);
    let library = compile(&place, "provider", "providers/c-words.so", &[]);
    fs::set_permissions(&library, fs::Permissions::from_mode(0o646)).expect("permissions");
    check(&place, &[("c-words.so", "library-writable", "anybody may write to this library")]);

    let place = Place::with(&[example("good")]);
    fs::set_permissions(place.path("providers"), fs::Permissions::from_mode(0o777)).expect("permissions");
    let injection = inject(&place);
    assert!(providers(&injection).is_empty(), "{injection:#}");
    assert_eq!(codes(&injection), ["- folder-unusable"], "{injection:#}");
    let message = only_finding(&injection)["message"].as_str().expect("a message");
    assert!(message.contains("anybody may write into this folder"), "{message}");
}

#[test]
fn a_file_that_may_not_be_read_is_told() {
    let place = Place::with(&[example("good")]);
    let library = compile(&place, "provider", "providers/c-words.so", &[]);
    fs::set_permissions(&library, fs::Permissions::from_mode(0o000)).expect("permissions");
    if fs::File::open(&library).is_ok() {
        // Root may read everything, so there is nothing to be told.
        assert_eq!(providers(&inject(&place)), ["c-words", "good"]);
    } else {
        check(&place, &[("c-words.so", "library-unreadable", "ermission denied")]);
    }
}

#[test]
fn a_damaged_head_never_ends_the_host() {
    // Only `list`, which opens nothing: a library with one wrong byte may crash whoever runs it.
    let place = Place::new();
    let library = compile(&place, "rogue", "c-rogue.so", &[text("REPLY", "none")]);
    let whole = fs::read(&library).expect("a library");
    let sections = u64::from_le_bytes(whole[40..48].try_into().expect("eight bytes"));
    let sections = usize::try_from(sections).expect("a place in the file");
    let mut noise = noise(2);
    let mut next = || usize::from(noise.next().expect("endless"));
    for number in 0..300 {
        let mut bytes = whole.clone();
        for _ in 0..1 + number % 4 {
            // The file's head, its program headers, or its section headers.
            let (start, length) = [(0, 64), (64, 560), (sections, whole.len() - sections)][next() % 3];
            let at = start + (next() * 256 + next()) % length;
            bytes[at] = u8::try_from(next()).expect("a byte");
        }
        fs::write(providers_folder(&place, &format!("{number:03}.so")), bytes).expect("a file");
    }
    let output = run_within_a_minute(place.command(&["list", "--json"]));
    assert!(matches!(output.status.code(), Some(0 | 3)), "{output:?}");
    let listed: Value = serde_json::from_slice(&output.stdout).expect("a document");
    let count = |name: &str| listed[name].as_array().map_or(0, Vec::len);
    assert_eq!(count("providers") + count("findings"), 300, "each file is listed or told about");
    assert!(count("findings") > 50, "some damage shows: {}", count("findings"));
}

/// The same bytes on every run.
fn noise(seed: u64) -> impl Iterator<Item = u8> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0]
    })
}
