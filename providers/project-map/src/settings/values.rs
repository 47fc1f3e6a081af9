//! What makes sense as a value, whoever wrote it.

use ctxhost_sdk::prelude::{Finding, Level};

/// A setting that is a number.
pub(crate) struct Number {
    pub(crate) name: &'static str,
    pub(crate) default: u64,
    pub(crate) least: u64,
    pub(crate) most: u64,
}

impl Number {
    /// The user's number or the default, brought back into what makes sense.
    pub(crate) fn of(&self, own: Option<u64>) -> u64 {
        own.unwrap_or(self.default).clamp(self.least, self.most)
    }
}

/// The largest number of tokens anybody may set: a model's whole window many times over.
const MOST_TOKENS: u64 = 10_000_000;

const fn number(name: &'static str, default: u64, least: u64, most: u64) -> Number {
    Number { name, default, least, most }
}

// The defaults are the document's own figures, but for the last two.
pub(crate) const THRESHOLD: Number = number("smallPackageThreshold", 10, 1, 1_000_000);
/// A bundle that says nothing but where to begin takes some 100 tokens.
pub(crate) const BUNDLE: Number = number("contextBudget", 4_000, 100, MOST_TOKENS);
pub(crate) const TAGS: Number = number("tagCap", 8, 0, 64);
pub(crate) const WORKFLOWS: Number = number("workflowHintCap", 5, 0, 64);
pub(crate) const PERCENT: Number = number("contextBudgetPercent", 15, 0, 100);
pub(crate) const CAP: Number = number("contextBudgetMaxTokens", 100_000, 0, MOST_TOKENS);
/// 15 % of a window of 200,000 tokens is much to pay in every session; the document's numbers stay the limit.
pub(crate) const EXPANSION: Number = number("expansionTokens", 4_000, 0, MOST_TOKENS);
/// As many as the code index takes.
pub(crate) const FILES: Number = number("max_files", 200_000, 0, 2_000_000);

/// The document's own `ignorePatterns`.
pub(crate) const IGNORED: [&str; 2] = ["node_modules", ".git"];

/// No list of patterns that somebody wrote is longer, and no pattern or folder is.
const MOST_PATTERNS: usize = 500;
const LONGEST: usize = 500;

/// The patterns that are some: a list only leaves out, so that none begins with `!`.
pub(crate) fn patterns(written: Option<&[String]>, findings: &mut Vec<Finding>) -> Option<Vec<String>> {
    let written = written?;
    let is_one = |pattern: &&String| {
        !pattern.trim().is_empty()
            && !pattern.starts_with('!')
            && pattern.chars().count() <= LONGEST
            && !pattern.chars().any(char::is_control)
    };
    let kept: Vec<String> = written.iter().filter(is_one).take(MOST_PATTERNS).cloned().collect();
    let lost = written.len() - kept.len();
    if lost > 0 {
        findings.push(Finding {
            hint: Some(
                "a pattern is one line that does not begin with `!`; there are at most 500".to_owned(),
            ),
            ..warning("setting-value", format!("{lost} of the `ignorePatterns` are none and were left out"))
        });
    }
    Some(kept)
}

/// A folder below the root, without needless parts; anything else is refused.
pub(crate) fn folder(written: Option<&str>, findings: &mut Vec<Finding>) -> Option<String> {
    let written = written?;
    match inside(written) {
        Ok(folder) => return Some(folder),
        Err(why) => findings.push(Finding {
            hint: Some("name a folder below the project's root, such as `.cache/project-map`".to_owned()),
            ..warning("setting-value", format!("`artifactDir` was left out: it {why}"))
        }),
    }
    None
}

fn inside(written: &str) -> Result<String, &'static str> {
    if written.starts_with(['/', '~']) || written.contains(['\\', ':']) {
        return Err("is no path relative to the project's root, with `/`");
    }
    if written.chars().count() > LONGEST || written.chars().any(char::is_control) {
        return Err("is no path of one line");
    }
    let parts: Vec<&str> = written.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.contains(&"..") {
        return Err("leads out of the project");
    }
    if parts.iter().any(|part| part.eq_ignore_ascii_case(".git")) {
        return Err("lies in git's own folder");
    }
    if parts.is_empty() {
        return Err("names no folder");
    }
    Ok(parts.join("/"))
}

/// One finding over all that a project asked for and may not have.
pub(crate) fn refused(names: &[&str], trusted: bool) -> Option<Finding> {
    if names.is_empty() {
        return None;
    }
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let hint = if trusted {
        "set it in your own config.toml instead"
    } else {
        "trust this folder in your own config.toml (`trusted = [\"…\"]`), or set it there"
    };
    let message = format!("a project's settings may only narrow yours; left out: {}", names.join(", "));
    Some(Finding { hint: Some(hint.to_owned()), ..warning("project-refused", message) })
}

pub(crate) fn warning(code: &str, message: String) -> Finding {
    Finding {
        level: Level::Warning,
        step: Some("settings".to_owned()),
        code: code.to_owned(),
        message,
        ..Finding::default()
    }
}
