//! Which git repository a directory is in, read from git's own files and without git.

use std::path::{Path, PathBuf};

use crate::source::files::read_file;

/// The longest of git's pointer files that is read: a path and a few words.
const LONGEST_POINTER: u64 = 8 * 1024;

/// A worktree of a git repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Worktree {
    /// The folder that holds it.
    pub(crate) root: PathBuf,
    /// The folder that all worktrees of the repository share.
    pub(crate) shared: PathBuf,
}

/// Finds the worktree that a directory is in; `None` outside of git.
pub(crate) fn worktree(directory: &Path) -> Option<Worktree> {
    directory.ancestors().find_map(|root| {
        let git = root.join(".git");
        let git = if git.is_dir() {
            git
        } else {
            // A linked worktree and a submodule have a file that leads to their folder.
            root.join(pointer(&git)?.strip_prefix("gitdir:")?.trim_start())
        };
        let shared = pointer(&git.join("commondir")).map_or_else(|| git.clone(), |shared| git.join(shared));
        Some(Worktree { root: root.canonicalize().ok()?, shared: shared.canonicalize().ok()? })
    })
}

fn pointer(path: &Path) -> Option<String> {
    let bytes = read_file(path, LONGEST_POINTER).ok()??;
    Some(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn worktrees_share_a_folder_and_other_repositories_do_not() {
        let place = tempfile::tempdir().expect("a folder");
        let root = place.path().canonicalize().expect("it exists");
        let write = |path: &str, text: &str| {
            fs::create_dir_all(root.join(path).parent().expect("a parent")).expect("a folder");
            fs::write(root.join(path), text).expect("a file");
        };
        write("main/.git/HEAD", "ref: refs/heads/main\n");
        write("main/.git/worktrees/other/commondir", "../..\n");
        write("other/.git", &format!("gitdir: {}/main/.git/worktrees/other\n", root.display()));
        write("near/.git", "gitdir: ../main/.git/worktrees/other\n");
        write("main/src/deep/file", "");
        write("elsewhere/.git/HEAD", "");
        write("broken/.git", "nonsense\n");
        let found = |path: &str| worktree(&root.join(path));
        let shared = root.join("main/.git");
        let expected = |at: &str| Some(Worktree { root: root.join(at), shared: shared.clone() });
        assert_eq!(found("main"), expected("main"));
        assert_eq!(found("main/src/deep"), expected("main"));
        assert_eq!(found("other"), expected("other"));
        assert_eq!(found("near"), expected("near"));
        assert!(found("elsewhere").is_some_and(|found| found.shared != shared));
        assert!(found("broken").is_none_or(|found| found.shared != shared));
    }
}
