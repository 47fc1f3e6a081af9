//! What went wrong with the files and the cache, as a person reads it.

use ctxhost_code::finding::{Finding as Met, Findings, Problem};
use ctxhost_sdk::prelude::{Finding, Level};

pub(super) fn all(findings: &Findings) -> Vec<Finding> {
    findings.iter().map(one).collect()
}

fn one(met: &Met) -> Finding {
    Finding {
        level: Level::Warning,
        code: met.problem.code().to_owned(),
        pointer: Some(met.place.trim_end_matches('/').to_owned()).filter(|place| !place.is_empty()),
        message: met.told(words(met.problem)),
        ..Finding::default()
    }
}

fn words(problem: Problem) -> &'static str {
    match problem {
        Problem::Folder => "a folder could not be listed and is not in the map",
        Problem::File => "a file could not be read and is not in the map",
        Problem::Name => "a file whose name is not UTF-8 is not in the map",
        Problem::Unfinished => "there was no time to look at all files; the map may be older",
        Problem::TooMany => "there are more files than are mapped",
        Problem::Cache => "the cache cannot be written, so everything is made again each time",
        other => other.words(),
    }
}
