//! Keeps the artifacts out of git, unless they shall be committed.

use std::{io, path::Path};

use ctxhost_code::{exclude, walk};

use super::folder::UNFINISHED;
use crate::{select::pair::Kind, settings::Config};

/// Adds what is missing to the repository's `info/exclude`; gives whether anything was. A project that is no repository
/// gets nothing.
pub(crate) fn ensure(root: &Path, config: &Config) -> io::Result<bool> {
    if config.commit_artifacts {
        return Ok(false);
    }
    let unfinished = format!(".pi-map.*{UNFINISHED}");
    let mut lines = Kind::BOTH.map(Kind::file_name).to_vec();
    lines.push(&unfinished);
    let folder = config.artifact_dir.as_deref().map(|dir| anchored(root, dir));
    lines.extend(folder.as_deref());
    exclude::add(root, &lines)
}

/// The pattern of one folder of the project, which may lie below the top of its repository.
fn anchored(root: &Path, dir: &str) -> String {
    let below = || {
        let (root, top) = (root.canonicalize().ok()?, walk::work_tree(root)?);
        Some(root.strip_prefix(top).ok()?.to_str()?.to_owned())
    };
    // What has a meaning in a pattern is taken by its word.
    let escaped = |text: &str| {
        text.chars().fold(String::new(), |mut text, c| {
            if "*?[\\".contains(c) {
                text.push('\\');
            }
            text.push(c);
            text
        })
    };
    match below().filter(|below| !below.is_empty()) {
        Some(below) => format!("/{}/{}/", escaped(&below), escaped(dir)),
        None => format!("/{}/", escaped(dir)),
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, process::Command};

    use super::*;

    fn git(folder: &Path, args: &[&str]) -> String {
        let output = Command::new("git").current_dir(folder).args(args).output().expect("git is there");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("a text")
    }

    #[test]
    fn git_sees_none_of_them_unless_asked_to() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("a[b]/project");
        fs::create_dir_all(root.join("src/maps")).expect("folders");
        git(folder.path(), &["init", "-q"]);
        for path in [".pi-map.md", "src/.pi-map.index.md", "src/.pi-map.md.1-0.new", "src/maps/x", "src/seen"]
        {
            fs::write(root.join(path), "").expect("a file");
        }
        let config = Config { artifact_dir: Some("src/maps".to_owned()), ..Config::default() };
        let committed = Config { commit_artifacts: true, ..config.clone() };
        assert!(!ensure(&root, &committed).expect("nothing to do"));
        assert!(ensure(&root, &config).expect("it is written"));
        assert!(!ensure(&root, &config).expect("it is there"));
        let seen = git(folder.path(), &["status", "--porcelain", "-uall"]);
        assert_eq!(seen, "?? a[b]/project/src/seen\n");
    }

    #[test]
    fn without_a_repository_nothing_is_made() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(!ensure(folder.path(), &Config::default()).expect("nothing to do"));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }
}
