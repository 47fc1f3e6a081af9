//! What went wrong with the files and the cache, as a person reads it.

use ctxhost_code::finding::{Finding as Met, Findings, Problem};
use ctxhost_sdk::prelude::{Finding, Level};

pub(super) fn all(findings: &Findings) -> Vec<Finding> {
    findings.iter().map(one).collect()
}

fn one(met: &Met) -> Finding {
    let (code, what) = words(met.problem);
    let place = if met.place.is_empty() { String::new() } else { format!(" ({})", met.place) };
    let more = if met.count > 1 { format!(", {} times", met.count) } else { String::new() };
    Finding {
        level: Level::Warning,
        code: code.to_owned(),
        pointer: Some(met.place.trim_end_matches('/').to_owned()).filter(|place| !place.is_empty()),
        message: format!("{what}{place}{more}: {}", met.detail),
        ..Finding::default()
    }
}

fn words(problem: Problem) -> (&'static str, &'static str) {
    match problem {
        Problem::Root => ("project-gone", "the project's folder is not there"),
        Problem::Folder => ("folder-unreadable", "a folder could not be listed and is not in the map"),
        Problem::File => ("file-unreadable", "a file could not be read and is not in the map"),
        Problem::Changing => ("file-changing", "a file kept changing while it was read"),
        Problem::Name => ("name-not-text", "a file whose name is not UTF-8 is not in the map"),
        Problem::Rules => ("ignore-rules", "an ignore file or a line in one was left out"),
        Problem::Tracked => ("git-index", "git's list of tracked files could not be read in full"),
        Problem::Unfinished => {
            ("look-unfinished", "there was no time to look at all files; the map may be older")
        }
        Problem::TooMany => ("too-many-files", "there are more files than are mapped"),
        Problem::Broken => ("cache-broken", "what was kept was broken and is made anew"),
        Problem::Cache => {
            ("cache-unwritable", "the cache cannot be written, so everything is made again each time")
        }
        Problem::Lock => ("cache-lock", "the cache's lock could not be had"),
        _ => ("files", "something went wrong with the files"),
    }
}
