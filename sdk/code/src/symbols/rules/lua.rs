//! Lua: public unless local.

use super::{DEFAULT, Rules, dotted};

pub(super) const RULES: Rules = Rules { owner, words: &["self", "_G"], ..DEFAULT };

/// The usual name of the module that a file makes is no owner: the file is.
fn owner(text: &str) -> Option<String> {
    let words = dotted(text)?;
    let words = words.strip_prefix("M.").unwrap_or(&words);
    (words != "M" && words != "_G").then(|| words.to_owned())
}
