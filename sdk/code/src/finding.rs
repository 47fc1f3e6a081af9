//! What a person should know about a look at a project: it goes on, but something was left out.

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Problem {
    /// The project's folder is not there or is no folder.
    Root,
    /// A folder could not be listed.
    Folder,
    /// A file could not be read.
    File,
    /// A file kept changing while it was read.
    Changing,
    /// A name is not UTF-8.
    Name,
    /// An ignore file or one of its lines was left out.
    Rules,
    /// Git's list of tracked files could not be read in full.
    Tracked,
    /// Time was over before all files had been looked at; what is known of the rest is from an earlier look.
    Unfinished,
    /// There are more files than are looked at.
    TooMany,
    /// What was kept in the cache was broken; it is made anew.
    Broken,
    /// The cache could not be written; everything goes on in memory.
    Cache,
    /// The lock that keeps writers apart could not be had.
    Lock,
}

impl Problem {
    /// Gives the code of a provider's finding about it: a person is told of one problem by one code, whoever tells it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Root => "project-gone",
            Self::Folder => "folder-unreadable",
            Self::File => "file-unreadable",
            Self::Changing => "file-changing",
            Self::Name => "name-not-text",
            Self::Rules => "ignore-rules",
            Self::Tracked => "git-index",
            Self::Unfinished => "look-unfinished",
            Self::TooMany => "too-many-files",
            Self::Broken => "cache-broken",
            Self::Cache => "cache-unwritable",
            Self::Lock => "cache-lock",
        }
    }

    /// Gives it in words, as a lower-case fragment; a provider that has more to say of one says it in its own.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Root => "the project's folder is not there",
            Self::Folder => "a folder could not be listed",
            Self::File => "a file could not be read",
            Self::Changing => "a file kept changing while it was read",
            Self::Name => "a name is not UTF-8",
            Self::Rules => "an ignore file or a line in one was left out",
            Self::Tracked => "git's list of tracked files could not be read in full",
            Self::Unfinished => "there was no time to look at all files",
            Self::TooMany => "there are more files than are looked at",
            Self::Broken => "what was kept was broken and is made anew",
            Self::Cache => "the cache cannot be written, so everything stays in memory",
            Self::Lock => "the cache's lock could not be had",
        }
    }
}

/// A problem, with the first place where it was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What went wrong.
    pub problem: Problem,
    /// Where it was met first; empty when it belongs to no place.
    pub place: String,
    /// What was said there, as a lower-case fragment.
    pub detail: String,
    /// How often it was met.
    pub count: u32,
}

impl Finding {
    /// Gives it in one line: what went wrong, such as [`Problem::words`], where, how often and what was said there.
    ///
    /// ```
    /// use ctxhost_code::finding::{Finding, Problem};
    /// let problem = Problem::File;
    /// let finding = Finding { problem, place: "a.rs".to_owned(), detail: "denied".to_owned(), count: 2 };
    /// assert_eq!(finding.told(problem.words()), "a file could not be read (a.rs), 2 times: denied");
    /// ```
    pub fn told(&self, what: &str) -> String {
        let place = if self.place.is_empty() { String::new() } else { format!(" ({})", self.place) };
        let more = if self.count > 1 { format!(", {} times", self.count) } else { String::new() };
        format!("{what}{place}{more}: {}", self.detail)
    }
}

/// Findings, at most one for each problem, so that a thousand unreadable files are one line to a person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings(Vec<Finding>);

impl Findings {
    /// Adds one; a problem that is there already is only counted.
    pub fn add(&mut self, problem: Problem, place: impl Into<String>, detail: impl Into<String>) {
        self.merge(Finding { problem, place: place.into(), detail: detail.into(), count: 1 });
    }

    /// Takes over those of another part.
    pub fn extend(&mut self, other: Findings) {
        other.0.into_iter().for_each(|finding| self.merge(finding));
    }

    /// Gives them, by problem.
    pub fn iter(&self) -> impl Iterator<Item = &Finding> {
        self.0.iter()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Gives the one about a problem.
    pub fn of(&self, problem: Problem) -> Option<&Finding> {
        self.0.iter().find(|finding| finding.problem == problem)
    }

    /// The smallest place wins, so that threads that finish in another order leave the same finding.
    fn merge(&mut self, finding: Finding) {
        match self.0.binary_search_by_key(&finding.problem, |known| known.problem) {
            Err(at) => self.0.insert(at, finding),
            Ok(at) => {
                let count = self.0[at].count.saturating_add(finding.count);
                if finding.place < self.0[at].place {
                    self.0[at] = finding;
                }
                self.0[at].count = count;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_told_once_with_its_first_place() {
        let mut findings = Findings::default();
        findings.add(Problem::File, "b", "denied");
        findings.add(Problem::File, "a", "gone");
        findings.add(Problem::Name, "c", "not UTF-8");
        let file = findings.of(Problem::File).unwrap();
        assert_eq!((file.place.as_str(), file.detail.as_str(), file.count), ("a", "gone", 2));
        assert_eq!(findings.iter().count(), 2);
    }
}
