//! What git says has changed in the work tree.

use std::{
    io::{self, Read},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use ctxhost_code::walk;

/// Git needs a second for the largest repositories.
const PATIENCE: Duration = Duration::from_secs(20);
const NAP: Duration = Duration::from_millis(5);

/// A hundred thousand changed paths.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// Why git does not say what has changed; a sentence without its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GitProblem {
    #[error("the project is no git work tree")]
    NoRepository,
    #[error("git cannot be run: {0}")]
    Unrunnable(#[from] io::Error),
    #[error("`git status` said: {0}")]
    Failed(String),
    #[error("`git status` took longer than {} s", PATIENCE.as_secs())]
    TooSlow,
    #[error("the call was taken back")]
    Stopped,
}

/// The paths below the root that were added, changed, deleted, renamed (both names) or are new to git; sorted.
pub(crate) fn changed(root: &Path, stop: &dyn Fn() -> bool) -> Result<Vec<String>, GitProblem> {
    let top = walk::work_tree(root).ok_or(GitProblem::NoRepository)?;
    let root = root.canonicalize()?;
    let below = root.strip_prefix(&top).map_err(|_| GitProblem::NoRepository)?;
    let below = below.to_str().ok_or(GitProblem::NoRepository)?;
    let status = status(&root, stop)?;
    let prefix = if below.is_empty() { String::new() } else { format!("{below}/") };
    let mut paths: Vec<String> =
        paths(&status).into_iter().filter_map(|path| Some(path.strip_prefix(&prefix)?.to_owned())).collect();
    paths.sort();
    paths.dedup();
    Ok(paths)
}

fn status(root: &Path, stop: &dyn Fn() -> bool) -> Result<Vec<u8>, GitProblem> {
    let mut command = Command::new("git");
    // The repository's own configuration may name programs to ask; the list of changed files needs none of them.
    command.args(["-c", "core.fsmonitor=false", "status", "--porcelain=v2", "-z", "--untracked-files=all"]);
    command.args(["--renames", "--ignore-submodules=all", "--", "."]).current_dir(root);
    command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
    // A hook that runs us may have set these for another repository.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_NAMESPACE"] {
        command.env_remove(name);
    }
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (out, err) = (collected(child.stdout.take()), collected(child.stderr.take()));
    let ended = wait(&mut child, stop)?;
    let text = |from: mpsc::Receiver<Vec<u8>>| from.recv_timeout(PATIENCE).unwrap_or_default();
    if ended.success() {
        return Ok(text(out));
    }
    let said = String::from_utf8_lossy(&text(err)).lines().next().unwrap_or_default().to_owned();
    Err(GitProblem::Failed(crate::shape::plain::line(&said)))
}

/// Reads to the end on a thread of its own, so that git does not wait for us while we wait for it.
fn collected(from: Option<impl Read + Send + 'static>) -> mpsc::Receiver<Vec<u8>> {
    let (give, take) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut from) = from {
            let _ = from.by_ref().take(MOST_BYTES).read_to_end(&mut bytes);
            let _ = io::copy(&mut from, &mut io::sink());
        }
        let _ = give.send(bytes);
    });
    take
}

fn wait(child: &mut Child, stop: &dyn Fn() -> bool) -> Result<ExitStatus, GitProblem> {
    let start = Instant::now();
    let problem = loop {
        if stop() {
            break GitProblem::Stopped;
        }
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if start.elapsed() > PATIENCE {
            break GitProblem::TooSlow;
        }
        thread::sleep(NAP);
    };
    let _ = child.kill();
    let _ = child.wait();
    Err(problem)
}

/// The paths of a status in its second format; a name that is not UTF-8 has no map.
fn paths(status: &[u8]) -> Vec<String> {
    let mut records = status.split(|byte| *byte == 0);
    let mut paths = Vec::new();
    while let Some(record) = records.next() {
        // How many fields stand before the path.
        let before = match record.first() {
            Some(b'1') => 8,
            Some(b'2') => 9,
            Some(b'u') => 10,
            Some(b'?') => 1,
            _ => continue,
        };
        paths.extend(record.splitn(before + 1, |byte| *byte == b' ').nth(before));
        if record.first() == Some(&b'2') {
            // The name that it had before is a record of its own.
            paths.extend(records.next());
        }
    }
    let text = |path: &[u8]| str::from_utf8(path).ok().filter(|path| !path.is_empty()).map(str::to_owned);
    paths.into_iter().filter_map(text).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn git(folder: &Path, args: &[&str]) {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
        let output = Command::new("git").current_dir(folder).args(identity).args(args).output();
        let output = output.expect("git is there");
        assert!(output.status.success(), "{output:?}");
    }

    #[test]
    fn every_way_of_changing_a_file_is_seen() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("sub");
        fs::create_dir_all(root.join("dir")).expect("folders");
        git(folder.path(), &["init", "-q"]);
        for name in ["same", "changed", "gone", "dir/moved from", "staged"] {
            fs::write(root.join(name), format!("{name}\n").repeat(9)).expect("a file");
        }
        fs::write(folder.path().join("outside"), "").expect("a file");
        git(folder.path(), &["add", "."]);
        git(folder.path(), &["commit", "-qm", "one"]);
        assert_eq!(changed(&root, &|| false).expect("git answers"), [""; 0]);
        fs::write(root.join("changed"), "x").expect("a file");
        fs::write(root.join("staged"), "x").expect("a file");
        fs::write(root.join("dir/new\nline"), "x").expect("a file");
        fs::write(folder.path().join("outside"), "x").expect("a file");
        fs::remove_file(root.join("gone")).expect("it is ours");
        git(&root, &["mv", "dir/moved from", "dir/moved \u{e9} to"]);
        git(&root, &["add", "staged"]);
        let wanted = ["changed", "dir/moved from", "dir/moved \u{e9} to", "dir/new\nline", "gone", "staged"];
        assert_eq!(changed(&root, &|| false).expect("git answers"), wanted);
        assert!(matches!(changed(&root, &|| true), Err(GitProblem::Stopped)));
    }

    #[test]
    fn without_a_repository_it_is_said() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(matches!(changed(folder.path(), &|| false), Err(GitProblem::NoRepository)));
    }

    #[test]
    fn a_conflict_has_its_path_and_noise_has_none() {
        let status = b"# branch.oid x\0u UU N... 1 2 3 4 a b c the file\0? new one\0! ignored\0x\0\0";
        assert_eq!(paths(status), ["the file", "new one"]);
        assert_eq!(paths(b"2 R. N... 1 2 3 a b R100 to\0"), ["to"]);
    }
}
