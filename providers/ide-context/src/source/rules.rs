//! The lists of ignore rules: built in, the user's, the project's. They are read again for every prompt.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

use ctxhost_sdk::protocol::ide_context::SECRET_RULES;

use crate::{error::ReadProblem, select::ignore::List, source::files::read_file};

/// The name of the built-in list, as the spec has it.
pub(crate) const BUILT_IN: &str = "built-in";

/// The largest list that is read. A person's list has a few lines, and each is held against every path of a prompt.
const LARGEST_LIST: u64 = 64 * 1024;

/// The lists that apply, in the order in which later ones win.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    /// The built-in secret rules, unless the user has switched them off.
    pub(crate) built_in: Option<&'static List>,
    /// The user's own list, in the agent's folder.
    pub(crate) global: Option<List>,
    /// The project's list.
    pub(crate) project: Option<List>,
}

/// Where the lists are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListPlaces {
    pub(crate) global: Option<PathBuf>,
    pub(crate) project: PathBuf,
}

/// A list that is there and cannot be read, so that nobody knows what it keeps out.
#[derive(Debug)]
pub(crate) struct UnreadableList {
    pub(crate) path: PathBuf,
    pub(crate) problem: ReadProblem,
}

impl ListPlaces {
    pub(crate) fn new(agent: Option<&Path>, cwd: &str) -> Self {
        Self {
            global: agent.map(|folder| folder.join("ide-context.ignore")),
            project: Path::new(cwd).join(".pi/ide-context.local.ignore"),
        }
    }

    /// Reads the lists.
    ///
    /// The project's comes with the project. Without the user's trust it can keep more files out, as any project file
    /// may narrow, but it takes nothing back, neither from the user's rules nor from its own.
    pub(crate) fn read(&self, secret_rules: bool, trusted: bool) -> Result<Lists, UnreadableList> {
        static SECRETS: OnceLock<List> = OnceLock::new();
        let project = list(&self.project)?;
        Ok(Lists {
            built_in: secret_rules.then(|| SECRETS.get_or_init(|| List::read(BUILT_IN, SECRET_RULES))),
            global: self.global.as_deref().map(list).transpose()?.flatten(),
            project: if trusted { project } else { project.map(List::without_negated) },
        })
    }
}

fn list(path: &Path) -> Result<Option<List>, UnreadableList> {
    let text = read_file(path, LARGEST_LIST).and_then(|bytes| match bytes.map(String::from_utf8) {
        None => Ok(None),
        Some(Ok(text)) => Ok(Some(text)),
        // Its rules could not match what they mean to: the paths of a state are text.
        Some(Err(_)) => Err(ReadProblem::NotText),
    });
    match text {
        Ok(text) => Ok(text.map(|text| List::read(path.to_string_lossy(), &text))),
        Err(problem) => Err(UnreadableList { path: path.to_owned(), problem }),
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink, process::Command};

    use super::*;

    #[test]
    fn a_missing_list_has_no_rules_and_an_unreadable_one_stops() {
        let place = tempfile::tempdir().expect("a folder");
        let root = place.path();
        let check = |name: &str, expected: Result<bool, &str>| {
            let found = list(&root.join(name)).map(|list| list.is_some());
            assert_eq!(
                found.map_err(|error| error.problem.to_string()),
                expected.map_err(str::to_owned),
                "{name}"
            );
        };
        fs::write(root.join("rules"), "*.log\n").expect("a file");
        fs::write(root.join("latin"), b"gr\xf6\xdfe\n").expect("a file");
        fs::create_dir(root.join("folder")).expect("a folder");
        symlink("rules", root.join("link")).expect("a link");
        symlink("nowhere", root.join("dangling")).expect("a link");
        let large = fs::File::create(root.join("large")).expect("a file");
        large.set_len(LARGEST_LIST + 1).expect("a length");
        assert!(Command::new("mkfifo").arg(root.join("pipe")).status().expect("mkfifo").success());
        check("missing", Ok(false));
        check("rules/below", Ok(false));
        check("rules", Ok(true));
        check("link", Ok(true));
        check("latin", Err("is not valid UTF-8"));
        check("folder", Err("is a folder"));
        check("pipe", Err("is a pipe"));
        check("dangling", Err("is a symbolic link that leads nowhere"));
        check("large", Err("is larger than 64 KiB"));
    }
}
