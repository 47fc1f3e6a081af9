use std::{fs, os::unix::fs::symlink};

use super::*;

/// What an editor in a directory shows.
fn seen(reported: &str, cwd: &str, project: &Directory) -> Subject {
    subject(reported, cwd, &Directory::new(cwd), project)
}

fn followed_links(path: &str) -> Option<String> {
    real(path, &mut { MOST_LOOKUPS })
}

fn looks(path: &str, cwd: &Directory, project: &Directory) -> Vec<View> {
    views(path, cwd, project).expect("it leads somewhere")
}

#[test]
fn pseudo_files_are_told_from_files() {
    for path in
        ["term://~//123:/bin/zsh", "oil:///home/u", "fugitive:///r/.git//0/x", "file:///x", "Git+ssh://x"]
    {
        assert!(is_pseudo(path), "{path}");
    }
    for path in ["/home/u/a://b", "notes/x.md", "://x", "1a://x", "C:/x", "a b://x"] {
        assert!(!is_pseudo(path), "{path}");
    }
}

#[test]
fn dots_are_taken_out_of_paths() {
    for (path, expected) in [
        ("/a/./b/../c", "/a/c"),
        ("/../a", "/a"),
        ("//a//b/", "/a/b"),
        ("/", "/"),
        ("./Notes/foo.md", "Notes/foo.md"),
        ("../x/../y", "../y"),
        ("/a/..foo", "/a/..foo"),
    ] {
        assert_eq!(without_dots(path), expected);
    }
}

#[test]
fn relative_files_resolve_against_an_absolute_directory_only() {
    let project = Directory::new("/none/p");
    let file = |reported: &str, cwd: &str| match seen(reported, cwd, &project) {
        Subject::File(file) => (file.path, file.views),
        other => panic!("{other:?}"),
    };
    let view = |in_project, path: &str| vec![View { in_project, path: path.to_owned() }];
    assert_eq!(
        file("Notes/foo.md", "/none/vault"),
        ("/none/vault/Notes/foo.md".into(), view(false, "Notes/foo.md"))
    );
    assert_eq!(file("./Notes/foo.md", "vault"), ("Notes/foo.md".into(), view(false, "Notes/foo.md")));
    assert_eq!(file("a", "/none/p/sub/"), ("/none/p/sub/a".into(), view(true, "sub/a")));
    assert_eq!(file("/none/other/a", "/none/vault"), ("/none/other/a".into(), view(false, "none/other/a")));
    assert_eq!(file("../p/.env", "/none/vault"), ("/none/p/.env".into(), view(true, ".env")));
}

#[test]
fn what_is_no_file_is_told_apart() {
    let cwd = Directory::new("/");
    assert_eq!(seen("", "/", &cwd), Subject::Unnamed);
    assert_eq!(seen("term://x", "/", &cwd), Subject::PseudoFile);
    assert_eq!(seen("/tmp", "/", &cwd), Subject::Folder);
    assert_eq!(seen("/none/whatever/", "/", &cwd), Subject::Folder);
}

#[test]
fn links_are_followed_as_far_as_the_path_exists() {
    let place = tempfile::tempdir().expect("a folder");
    let root = place.path().canonicalize().expect("it exists");
    let path = |name: &str| root.join(name).to_str().expect("it is text").to_owned();
    fs::create_dir_all(root.join("project/keys")).expect("folders");
    fs::write(root.join("project/keys/a.txt"), "").expect("a file");
    symlink(root.join("project"), root.join("alias")).expect("a link");
    symlink("keys/a.txt", root.join("project/plain.txt")).expect("a link");
    symlink(".env", root.join("project/dangling")).expect("a link");
    symlink("loop", root.join("project/loop")).expect("a link");

    assert_eq!(followed_links(&path("alias/new/file")), Some(path("project/new/file")));
    assert_eq!(followed_links(&path("alias/dangling")), Some(path("project/.env")));
    assert_eq!(followed_links(&path("project/loop")), None);
    assert_eq!(followed_links(&path("alias/../alias/plain.txt")), Some(path("project/keys/a.txt")));

    let inside = |path: &str| View { in_project: true, path: path.to_owned() };
    let project = Directory::new(&path("project"));
    let elsewhere = Directory::new("/none");
    // The same file by its own name and by its target's.
    assert_eq!(
        looks(&path("project/plain.txt"), &elsewhere, &project),
        [inside("plain.txt"), inside("keys/a.txt")]
    );
    // A parent is the session's directory by another name.
    assert_eq!(looks(&path("alias/keys/a.txt"), &elsewhere, &project), [inside("keys/a.txt")]);
    let alias = Directory::new(&path("alias"));
    assert_eq!(looks(&path("project/keys/a.txt"), &elsewhere, &alias), [inside("keys/a.txt")]);
    // Outside of the session's directory the editor's own is the base.
    let other = Directory::new(&path("other"));
    let view = View { in_project: false, path: "keys/a.txt".to_owned() };
    assert_eq!(looks(&path("project/keys/a.txt"), &project, &other), [view]);
}

#[test]
fn a_path_that_is_too_long_or_too_deep_costs_no_look_up() {
    let project = Directory::new("/none");
    for path in
        ["/a".repeat(2_040), "/a".repeat(500_000), "/a".repeat(257), format!("/{}", "a".repeat(4_095))]
    {
        let mut lookups = MOST_LOOKUPS;
        assert_eq!(Directory::within(&path, &mut lookups), Directory::default());
        assert_eq!(argument_directory(&path, "/", &mut lookups), None);
        assert_eq!(lookups, MOST_LOOKUPS);
        assert_eq!(seen(&path, "/none", &project), Subject::Impossible);
        assert_eq!(seen(&path[1..], "/none", &project), Subject::Impossible);
        // A relative file cannot be resolved against it.
        assert!(matches!(seen("a", &path, &project), Subject::File(file) if file.path == "a"));
    }
    // Behind the first name that is missing nothing is looked up.
    let mut lookups = MOST_LOOKUPS;
    let missing = format!("/tmp/none{}", "/a".repeat(250));
    assert_eq!(Directory::within(&missing, &mut lookups).real, Some(missing));
    assert_eq!(MOST_LOOKUPS - lookups, 2);
}

#[test]
fn links_cost_no_more_than_their_limit() {
    let place = tempfile::tempdir().expect("a folder");
    let root = place.path().canonicalize().expect("it exists");
    fs::create_dir(root.join("a")).expect("a folder");
    // Each leads through the one before it, by a long way round.
    symlink("a/../".repeat(100), root.join("l0")).expect("a link");
    for number in 1..30 {
        symlink(format!("l{}/{}", number - 1, "a/../".repeat(100)), root.join(format!("l{number}")))
            .expect("a link");
    }
    let path = format!("{}/l29/x", root.display());
    let mut lookups = MOST_LOOKUPS;
    assert_eq!((real(&path, &mut lookups), lookups), (None, 0));
    assert_eq!(seen(&path, "/", &Directory::new("/")), Subject::Impossible);
}

#[test]
fn of_many_arguments_the_first_are_looked_up_while_there_is_time() {
    let state = State { cwd: "/".to_owned(), argv: vec!["/tmp".to_owned(); 250], ..State::default() };
    let mut paths = Paths::of(&state);
    assert!(paths.find_arguments(&state, &|| Ok(true)).expect("it goes on"));
    assert_eq!(paths.arguments.len(), MOST_ARGUMENTS);
    let asked = std::cell::Cell::new(0);
    let go_on = || Ok(asked.replace(asked.get() + 1) < 2);
    let mut paths = Paths::of(&state);
    assert!(!paths.find_arguments(&state, &go_on).expect("it ends early"));
    assert_eq!(paths.arguments.len(), 32);
}

#[test]
fn going_up_from_behind_a_link_leads_where_the_system_says() {
    let place = tempfile::tempdir().expect("a folder");
    let root = place.path().canonicalize().expect("it exists");
    let path = |name: &str| root.join(name).to_str().expect("it is text").to_owned();
    fs::create_dir_all(root.join("project/sub")).expect("folders");
    fs::create_dir_all(root.join("other/deep")).expect("folders");
    for file in ["project/x", "other/x", "other/only"] {
        fs::write(root.join(file), "").expect("a file");
    }
    symlink(root.join("other/deep"), root.join("project/link")).expect("a link");
    let project = Directory::new(&path("project"));
    let file = |reported: &str| match seen(reported, &path("project"), &project) {
        Subject::File(file) => (file.path, file.views),
        other => panic!("{other:?}"),
    };
    let inside = |path: &str| View { in_project: true, path: path.to_owned() };
    let outside = |name: &str| View { in_project: false, path: path(name)[1..].to_owned() };
    for (reported, path, views) in [
        ("link/../x", path("project/link/../x"), vec![inside("x"), outside("other/x")]),
        ("link/../only", path("project/link/../only"), vec![inside("only"), outside("other/only")]),
        // The same file either way, and one that is not there.
        ("sub/../x", path("project/x"), vec![inside("x")]),
        ("link/../new", path("project/new"), vec![inside("new")]),
    ] {
        assert_eq!(file(reported), (path, views), "{reported}");
    }
}
