//! What `status` and `sync` say.

use ctxhost_sdk::protocol::codebase_index::{Fate, ListedFile, StatusResult};

use super::standing::{count, line, word};
use crate::{select::filter::LeftOut, source::engine::RepoOutcome};

/// A document lists so many files.
const MOST_FILES: usize = 10_000;

/// A person reads so many errors of a repository.
const MOST_ERRORS: usize = 3;

/// Why a file is never sent, as a word.
pub(crate) fn reason(why: LeftOut) -> &'static str {
    match why {
        LeftOut::Secret => "secret",
        LeftOut::Link => "symlink",
        LeftOut::NotUtf8 | LeftOut::LineBreak => "name",
        LeftOut::Binary => "binary",
        LeftOut::TooLarge => "too-large",
        LeftOut::Minified => "minified",
        LeftOut::Settings => "settings",
        LeftOut::Ignored => "ignored",
        LeftOut::Unreadable => "unreadable",
        LeftOut::NoFile => "no-file",
    }
}

/// Puts files into a status, as many as a document has.
pub(crate) fn with_files(status: StatusResult, mut files: Vec<ListedFile>) -> StatusResult {
    // A name that no document carries is counted and not shown.
    let all = files.len();
    files.retain(|file| is_path(&file.path));
    files.sort_by(|a, b| (&a.repo, &a.path).cmp(&(&b.repo, &b.path)));
    files.truncate(MOST_FILES);
    StatusResult { more_files: (all - files.len()) as u64, files, ..status }
}

fn is_path(path: &str) -> bool {
    !path.contains(['\0', '\n'])
        && path.chars().count() <= ctxhost_sdk::protocol::codebase_index::limits::PATH
        && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// A status to read.
pub(crate) fn status(status: &StatusResult, now: f64) -> String {
    let mut lines = vec![format!("state: {}", word(status.state))];
    lines.extend(status.reason.iter().map(|reason| format!("  {reason}")));
    if let Some(backend) = &status.backend {
        let development = if backend.development { ", the development backend" } else { "" };
        lines.push(format!("backend: {}{development}", backend.url));
        lines.extend(backend.embedder.as_deref().map(|model| match model {
            "none" => "model: none, so words alone are searched".to_owned(),
            model => format!("model: {model}"),
        }));
        if backend.waiting > 0 {
            lines.push(format!("vectors: {} wait for theirs", count(backend.waiting, "chunk")));
        }
    }
    lines.extend(status.username.iter().map(|name| format!("user: {name}")));
    lines.extend(status.repos.iter().map(line));
    if let Some(at) = status.synced_at {
        lines.push(format!("last sync: {}, {} sent", ago(now - at), count(status.sent, "chunk")));
    }
    lines.extend(status.notes.iter().map(|note| format!("note: {note}")));
    lines.extend(status.files.iter().map(file));
    if status.more_files > 0 {
        lines.push(format!("and {} more", count(status.more_files, "file")));
    }
    lines.join("\n") + "\n"
}

fn file(file: &ListedFile) -> String {
    let fate = match (file.fate, &file.reason) {
        (Fate::Indexed, _) => "indexed".to_owned(),
        (Fate::Waiting, _) => "waiting".to_owned(),
        (Fate::LeftOut, Some(why)) => format!("never sent ({why})"),
        (Fate::LeftOut, None) => "never sent".to_owned(),
    };
    format!("{fate:<24} {}/{}", file.repo, file.path)
}

fn ago(seconds: f64) -> String {
    match seconds.max(0.0) as u64 {
        0..60 => "less than a minute ago".to_owned(),
        seconds @ 60..3_600 => format!("{} ago", count(seconds / 60, "minute")),
        seconds @ 3_600..172_800 => format!("{} ago", count(seconds / 3_600, "hour")),
        seconds => format!("{} ago", count(seconds / 86_400, "day")),
    }
}

/// What became of a repository.
pub(crate) fn synced(repo: &RepoOutcome) -> String {
    let mut line = format!("{}: {}", repo.name, count(repo.files as u64, "file"));
    line += &match (repo.sent_files, repo.removed) {
        (0, 0) if repo.error.is_none() && repo.failed.is_empty() => ", nothing to send".to_owned(),
        (sent, 0) => format!(", {sent} sent as {}", count(repo.chunks as u64, "chunk")),
        (sent, removed) => {
            format!(", {sent} sent as {}, {removed} taken back", count(repo.chunks as u64, "chunk"))
        }
    };
    if repo.left_out > 0 {
        line += &format!(", {} never sent", repo.left_out);
    }
    let mut lines = vec![line];
    let failed = repo.failed.iter().take(MOST_ERRORS).map(ToString::to_string);
    let mut errors: Vec<String> = failed.chain(repo.error.as_ref().map(ToString::to_string)).collect();
    errors.dedup();
    lines.extend(errors.iter().map(|error| format!("  {error}")));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use ctxhost_sdk::protocol::codebase_index::{BackendFacts, State};

    use super::*;
    use crate::error::BackendError;

    #[test]
    fn every_reason_is_a_word() {
        for number in 0.. {
            let Some(why) = LeftOut::of(number) else { break };
            assert!(reason(why).bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{why:?}");
        }
    }

    #[test]
    fn files_are_listed_by_name_with_their_fate() {
        let listed = |path: &str, fate, reason: Option<&str>| ListedFile {
            repo: "a/b".to_owned(),
            path: path.to_owned(),
            fate,
            reason: reason.map(str::to_owned),
        };
        let files = vec![
            listed("src/b.rs", Fate::Indexed, None),
            listed(".env", Fate::LeftOut, Some("secret")),
            listed("a\nb", Fate::LeftOut, Some("name")),
        ];
        let said = with_files(StatusResult { state: State::Ready, ..StatusResult::default() }, files);
        assert_eq!((said.files.len(), said.more_files), (2, 1));
        let expected = "state: ready\nnever sent (secret)      a/b/.env\nindexed                  a/b/src/b.rs\nand 1 file more\n";
        assert_eq!(status(&said, 0.0), expected);
    }

    #[test]
    fn a_status_says_what_is_known() {
        let backend = BackendFacts {
            url: "http://127.0.0.1:7171".to_owned(),
            development: true,
            embedder: Some("none".to_owned()),
            ..BackendFacts::default()
        };
        let said = StatusResult {
            state: State::Stale,
            reason: Some("3 files wait".to_owned()),
            backend: Some(backend),
            username: Some("ada".to_owned()),
            synced_at: Some(1_000.0),
            sent: 1,
            ..StatusResult::default()
        };
        assert_eq!(
            status(&said, 1_000.0 + 7_300.0),
            "state: stale\n  3 files wait\nbackend: http://127.0.0.1:7171, the development backend\n\
             model: none, so words alone are searched\nuser: ada\nlast sync: 2 hours ago, 1 chunk sent\n"
        );
    }

    #[test]
    fn a_sync_says_what_it_did_and_what_failed() {
        let repo = RepoOutcome { name: "a".to_owned(), files: 3, ..RepoOutcome::default() };
        assert_eq!(synced(&repo), "a: 3 files, nothing to send");
        let sent = RepoOutcome { sent_files: 2, chunks: 7, removed: 1, left_out: 4, ..repo };
        assert_eq!(synced(&sent), "a: 3 files, 2 sent as 7 chunks, 1 taken back, 4 never sent");
        let failed = RepoOutcome {
            failed: vec![BackendError::TooLarge("x".to_owned()); 9],
            removed: 0,
            left_out: 0,
            ..sent
        };
        assert_eq!(synced(&failed).lines().count(), 2, "one line for errors that are the same");
    }
}
