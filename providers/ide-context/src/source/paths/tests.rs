use std::{fs, os::unix::fs::symlink};

use super::*;

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
    let file = |reported: &str, cwd: &str| match subject(reported, &Directory::new(cwd), &project) {
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
    assert_eq!(subject("", &cwd, &cwd), Subject::Unnamed);
    assert_eq!(subject("term://x", &cwd, &cwd), Subject::PseudoFile);
    assert_eq!(subject("/tmp", &cwd, &cwd), Subject::Folder);
    assert_eq!(subject("/none/whatever/", &cwd, &cwd), Subject::Folder);
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

    assert_eq!(real(&path("alias/new/file")), Some(path("project/new/file")));
    assert_eq!(real(&path("alias/dangling")), Some(path("project/.env")));
    assert_eq!(real(&path("project/loop")), None);
    assert_eq!(real(&path("alias/../alias/plain.txt")), Some(path("project/keys/a.txt")));

    let inside = |path: &str| View { in_project: true, path: path.to_owned() };
    let project = Directory::new(&path("project"));
    let elsewhere = Directory::new("/none");
    // The same file by its own name and by its target's.
    assert_eq!(
        views(&path("project/plain.txt"), &elsewhere, &project),
        [inside("plain.txt"), inside("keys/a.txt")]
    );
    // A parent is the session's directory by another name.
    assert_eq!(views(&path("alias/keys/a.txt"), &elsewhere, &project), [inside("keys/a.txt")]);
    let alias = Directory::new(&path("alias"));
    assert_eq!(views(&path("project/keys/a.txt"), &elsewhere, &alias), [inside("keys/a.txt")]);
    // Outside of the session's directory the editor's own is the base.
    let other = Directory::new(&path("other"));
    let view = View { in_project: false, path: "keys/a.txt".to_owned() };
    assert_eq!(views(&path("project/keys/a.txt"), &project, &other), [view]);
}
