use std::{fs, os::unix::fs::symlink, path::Path};

use ctxhost_sdk::protocol::ide_context::{Buffer, State};

use super::*;

fn editor(cwd: &str, file: Option<&str>, argv: &[&str]) -> Editor {
    let state = State {
        cwd: cwd.to_owned(),
        argv: argv.iter().map(|argument| (*argument).to_owned()).collect(),
        active_buffer: Buffer { file: file.map(str::to_owned), ..Buffer::default() },
        ..State::default()
    };
    let mut paths = Paths::of(&state);
    assert!(paths.find_arguments(&state, &|| Ok(true)).expect("time goes on"));
    Editor { pid: 1, start: None, state, document: serde_json::Value::Null, paths }
}

/// The editor's directory, its file, its arguments as written, and what follows.
type Case<'a> = (&'a str, Option<&'a str>, &'a [&'a str], Option<(u8, &'a str)>);

/// The session's directory is `<root>/p`; paths in the cases are relative to the root, which is put in front.
#[test]
fn tiers_follow_the_protocol() {
    let place = tempfile::tempdir().expect("a folder");
    let root = place.path().canonicalize().expect("it exists");
    for folder in ["p/sub", "p/..foo", "pq", "other"] {
        fs::create_dir_all(root.join(folder)).expect("a folder");
    }
    fs::write(root.join("p/a.txt"), "").expect("a file");
    symlink(root.join("p"), root.join("alias")).expect("a link");
    let at = |path: &str| {
        if Path::new(path).is_absolute() || path.is_empty() {
            path.to_owned()
        } else {
            format!("{}/{path}", root.display())
        }
    };
    let same = Some((SAME, "its directory is this directory"));
    let directory_inside = Some((INSIDE, "its directory is inside"));
    let file_inside = Some((INSIDE, "its file is inside"));
    let none = None;
    let cases: &[Case<'_>] = &[
        ("p", None, &[], same),
        ("p/", None, &[], same),
        ("p//", None, &[], same),
        ("p/sub", None, &[], directory_inside),
        ("p/..foo", None, &[], directory_inside),
        ("pq", None, &[], none),
        ("", None, &[], none),
        ("/", None, &[], none),
        // A directory above is no evidence.
        (".", None, &[], none),
        (".", Some("other/a.txt"), &[], none),
        (".", Some("p/a.txt"), &[], file_inside),
        (".", Some("p/not-yet-written.txt"), &[], file_inside),
        (".", Some("p/..foo/x"), &[], file_inside),
        (".", Some("p/../other/x"), &[], none),
        (".", Some("pq/a.txt"), &[], none),
        ("other", Some("/p/a.txt"), &[], none),
        (".", None, &["p"], Some((INSIDE, "its argument `p` is this directory"))),
        (".", None, &["p/"], Some((INSIDE, "its argument `p/` is this directory"))),
        (".", None, &["-c", "x", "./p/sub"], Some((INSIDE, "its argument `./p/sub` is inside"))),
        (".", None, &["p/a.txt"], none),
        (".", None, &["p/missing"], none),
        (".", None, &["other", "pq"], none),
        // Links can only add evidence.
        ("alias", None, &[], Some((SAME, "its directory is this directory, through a symbolic link"))),
        ("alias/sub", None, &[], Some((INSIDE, "its directory is inside, through a symbolic link"))),
        ("other", Some("alias/a.txt"), &[], Some((INSIDE, "its file is inside, through a symbolic link"))),
        (
            "other",
            None,
            &["../alias"],
            Some((INSIDE, "its argument `../alias` is this directory, through a symbolic link")),
        ),
    ];
    let project = Directory::new(&at("p"));
    for (cwd, file, argv, expected) in cases {
        let cwd = if *cwd == "." { root.display().to_string() } else { at(cwd) };
        let found = belonging(&editor(&cwd, file.map(at).as_deref(), argv), &project);
        let found = found.as_ref().map(|found| (found.tier, found.evidence.as_str()));
        assert_eq!(found, *expected, "{cwd} {file:?} {argv:?}");
    }
    // The session's directory by another name.
    let alias = Directory::new(&at("alias"));
    let found = belonging(&editor(&at("p"), None, &[]), &alias).expect("it is the same");
    assert_eq!(
        (found.tier, found.evidence.as_str()),
        (SAME, "its directory is this directory, through a symbolic link")
    );
}

#[test]
fn a_relative_file_is_no_evidence_and_neither_is_a_pseudo_file() {
    let project = Directory::new("/none/vault/p");
    for file in ["p/a.md", "term:///none/vault/p/x", ""] {
        assert_eq!(belonging(&editor("/none/vault", Some(file), &[]), &project), None, "{file}");
    }
    // The name of a vault instead of its place.
    assert_eq!(belonging(&editor("vault", Some("p/a.md"), &["."]), &project), None);
}

#[test]
fn everything_is_inside_the_root() {
    let root = Directory::new("/");
    assert_eq!(belonging(&editor("/", None, &[]), &root).expect("it is the same").tier, SAME);
    assert_eq!(belonging(&editor("/none", None, &[]), &root).expect("it is inside").tier, INSIDE);
}
