use super::*;
use crate::source::tests::tree::Workspace;

fn names(workspace: &Workspace, folder: &str) -> Vec<(String, PathBuf)> {
    let inside = |repo: Repo| (repo.name, repo.root.strip_prefix(workspace.path("")).unwrap().to_owned());
    workspace.repos(folder).into_iter().map(inside).collect()
}

fn check(workspace: &Workspace, folder: &str, expected: &[(&str, &str)]) {
    let expected: Vec<_> =
        expected.iter().map(|(name, root)| (name.to_string(), PathBuf::from(root))).collect();
    assert_eq!(names(workspace, folder), expected, "{folder}");
}

fn repository(workspace: &Workspace, folder: &str, origin: Option<&str>) {
    workspace.write(&format!("{folder}/src/a.rs"), "fn a() {}\n");
    workspace.git(folder, &["init", "-q"]);
    workspace.commit(folder);
    if let Some(origin) = origin {
        workspace.git(folder, &["remote", "add", "origin", origin]);
    }
}

#[test]
fn a_folder_in_a_work_tree_is_that_work_tree() {
    let workspace = Workspace::new();
    repository(&workspace, "work/tool", Some("git@host.example:team/tool.git"));
    workspace.write("work/tool/build/out.txt", "");
    for folder in ["work/tool", "work/tool/src"] {
        check(&workspace, folder, &[("team/tool", "work/tool")]);
    }
    let repo = workspace.repos("work/tool").remove(0);
    assert_eq!(repo.reference.len(), 16);
    assert_eq!(workspace.repos("work/tool/src"), [repo]);
}

#[test]
fn a_folder_of_work_trees_is_all_of_them() {
    let workspace = Workspace::new();
    repository(&workspace, "work/b", None);
    repository(&workspace, "work/a", Some("https://host.example/team/a"));
    repository(&workspace, "work/.hidden", None);
    repository(&workspace, "work/deep/c", None);
    workspace.write("work/plain/x.rs", "");
    std::os::unix::fs::symlink(workspace.path("work/deep/c"), workspace.path("work/link")).unwrap();
    check(&workspace, "work", &[("team/a", "work/a"), ("b", "work/b")]);
    check(&workspace, "work/plain", &[]);
    assert_eq!(repos(Path::new("/nowhere/at/all"), &workspace.limits(), None), (Vec::new(), Vec::new()));
}

#[test]
fn linked_work_trees_have_an_id_of_their_own() {
    let workspace = Workspace::new();
    repository(&workspace, "work/main", Some("https://host.example/team/tool"));
    let linked = workspace.path("work/a-branch");
    workspace.git("work/main", &["worktree", "add", "-q", linked.to_str().unwrap(), "-b", "branch"]);
    let found = workspace.repos("work");
    let suffix = short(linked.as_os_str().as_encoded_bytes(), 8);
    assert_eq!(found[0].name, format!("team/tool-{suffix}"), "the main work tree keeps the name");
    assert_eq!(found[1].name, "team/tool");
    assert_ne!(found[0].reference, found[1].reference);
    check(&workspace, "work/a-branch", &[("team/tool", "work/a-branch")]);
    // Files are those of its own index.
    workspace.write("work/a-branch/only.rs", "fn only() {}\n");
    workspace.git("work/a-branch", &["add", "-A"]);
    let listing =
        crate::source::files::list(&found[0], &workspace.limits(), None, &Default::default()).unwrap();
    assert_eq!(listing.files.len(), 2);
}

#[test]
fn submodules_are_repositories_of_their_own() {
    let workspace = Workspace::new();
    repository(&workspace, "lib", None);
    repository(&workspace, "work", Some("https://host.example/team/app"));
    let lib = workspace.path("lib");
    for name in ["third/lib", "third/other", "skipped/lib"] {
        workspace
            .git("work", &["submodule", "add", "-q", "--force", "--name", name, lib.to_str().unwrap(), name]);
    }
    workspace.git("work", &["submodule", "deinit", "-f", "third/other"]);
    check(&workspace, "work/third/lib", &[("lib", "work/third/lib")]);
    let limits = Limits { exclude: ctxhost_code::walk::Patterns::new(["skipped/"]), ..workspace.limits() };
    let (found, findings) = repos(&workspace.path("work"), &limits, None);
    let names: Vec<_> = found.iter().map(|repo| repo.name.as_str()).collect();
    assert_eq!((names, findings), (vec!["team/app", "lib"], Vec::new()));
}

#[test]
fn too_many_are_a_finding() {
    let workspace = Workspace::new();
    (0..5).for_each(|number| repository(&workspace, &format!("work/{number}"), None));
    let limits = Limits { most_repos: 3, ..workspace.limits() };
    let (found, findings) = repos(&workspace.path("work"), &limits, None);
    assert_eq!((found.len(), findings.len()), (3, 1));
    assert_eq!(findings[0].code, "too-many-repositories");
    assert!(findings[0].message.contains("5 repositories"), "{}", findings[0].message);
}

#[test]
fn nobody_means_the_whole_home_directory() {
    let workspace = Workspace::new();
    repository(&workspace, "home/project", None);
    for folder in ["home", ""] {
        let (found, findings) = repos(&workspace.path(folder), &workspace.limits(), None);
        assert_eq!((found.len(), findings[0].code.as_str()), (0, "workspace-too-wide"), "{folder}");
    }
    // A home directory under version control says nothing about the projects in it.
    workspace.git("home", &["init", "-q"]);
    workspace.write("home/.profile", "");
    workspace.git("home", &["add", ".profile"]);
    repository(&workspace, "home/all/one", None);
    check(&workspace, "home/all", &[("one", "home/all/one")]);
    check(&workspace, "home", &[("home", "home")]);
}
