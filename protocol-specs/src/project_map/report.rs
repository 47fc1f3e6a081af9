//! What `validate` found.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Kind;
use crate::envelope::null_as_default;
use crate::number::{whole, whole_or_default};

/// What `validate` and `project_map_validate` answer, for a program (`report.schema.json`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// What was looked at.
    pub covered: Covered,
    /// What is wrong, by directory, artifact, line and code.
    #[serde(default, deserialize_with = "null_as_default")]
    pub findings: Vec<ReportFinding>,
    /// How many findings more there are than are listed.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub more_findings: u64,
    /// How many findings there are of each kind, listed or not.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub counts: BTreeMap<Code, u64>,
    /// How many of them were put right.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub fixed: u64,
    /// Whether every file of the project was looked at.
    #[serde(default, deserialize_with = "null_as_default")]
    pub complete: bool,
}

/// What was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Covered {
    /// Pairs that the project ought to have.
    #[serde(deserialize_with = "whole")]
    pub pairs: u64,
    /// Artifacts on disk.
    #[serde(deserialize_with = "whole")]
    pub artifacts: u64,
    /// Files that the pairs cover.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub files: u64,
}

/// Something that is wrong with an artifact.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportFinding {
    /// What kind of problem.
    pub code: Code,
    /// The directory of the pair, `.` for the root.
    pub dir: String,
    /// Which of the two artifacts.
    pub kind: Kind,
    /// The artifact's own path below the root.
    pub path: String,
    /// The line of it, where there is one to name.
    #[serde(default, deserialize_with = "whole")]
    pub line: Option<u64>,
    /// What is wrong, one sentence.
    pub message: String,
    /// Whether it was put right.
    #[serde(default, deserialize_with = "null_as_default")]
    pub fixed: bool,
}

/// What can be wrong with an artifact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// Something that it says is no longer so.
    #[default]
    Stale,
    /// Its directory ought to have it and has not.
    Missing,
    /// Its directory is gone, or is folded into another by now.
    Orphaned,
    /// Somebody changed it by hand outside of the notes.
    Edited,
    /// It is larger than its budget.
    OverBudget,
    /// It names a file or directory that is not there.
    DanglingLink,
    /// Its first line is not the header that it ought to be.
    BadHeader,
    /// It holds an absolute path, or what looks like a secret.
    ForbiddenContent,
}
