//! What is wrong with the index, in words and codes for a person.

use ctxhost_code::{
    finding::{Finding, Problem},
    index::PartialTotals,
    project::View,
    symbols::Partial,
};
use ctxhost_sdk::prelude::Level;

use super::{Code, lock};

/// So many problems with grammars are told; each file of a broken folder of grammars would be one.
const GRAMMARS: usize = 3;

/// Something that a person should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trouble {
    pub(crate) level: Level,
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

impl Code {
    /// What is wrong with the files, the index and the grammars, and which files are only known in part.
    pub(crate) fn problems(&self, view: &View) -> Vec<Trouble> {
        let warning = |code, message| Trouble { level: Level::Warning, code, message };
        let found = lock(&self.problems).clone();
        let files = found.iter().map(|finding| warning(finding.problem.code(), told(finding)));
        let unusable = self.grammars.problems();
        let grammars =
            unusable.iter().take(GRAMMARS).map(|problem| warning("grammar-unusable", problem.to_string()));
        // That a language's files are known in part by an unusable grammar is the same matter, said once.
        let same = |of: &&PartialTotals| of.reason == Partial::Grammar && !unusable.is_empty();
        let partial = view.reader.totals().partial.iter().filter(|of| !same(of)).map(in_part);
        files.chain(grammars).chain(partial).collect()
    }
}

/// Files of which something is missing: no fault, and still nothing to be silent about.
fn in_part(partial: &PartialTotals) -> Trouble {
    let (code, what) = match partial.reason {
        Partial::TooLarge => ("partial-too-large", "too large to be read whole"),
        Partial::TooDeep => ("partial-too-deep", "nested too deep to be followed"),
        Partial::TooSlow => ("partial-too-slow", "took too long to parse"),
        Partial::TooMany => ("partial-too-many", "more definitions than are kept of a file"),
        Partial::TooMuchMemory => ("partial-too-much-memory", "took too much memory to parse"),
        Partial::Grammar => ("partial-grammar", "the grammar of the language could not be used"),
    };
    let files =
        if partial.files == 1 { "1 file is".to_owned() } else { format!("{} files are", partial.files) };
    let message = format!("{files} found by a part only ({}): {what}", partial.first);
    Trouble { level: Level::Info, code, message }
}

/// A finding in one sentence.
fn told(finding: &Finding) -> String {
    let what = match finding.problem {
        // How much is left differs from look to look, and would make each a new thing to say.
        Problem::Unfinished => {
            return "the look at the files was not finished in time; what is shown may be older".to_owned();
        }
        Problem::TooMany => "there are more files than are indexed",
        Problem::Broken => "what was kept of the index was broken and is made anew",
        Problem::Cache => "the cache cannot be written, so the index is kept in memory",
        other => other.words(),
    };
    finding.told(what)
}
