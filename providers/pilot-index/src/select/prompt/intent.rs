//! What a prompt wants done.

/// What a prompt wants done, as far as its words tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Intent {
    /// Something is to be changed.
    Action,
    /// Something new is to be made.
    Create,
    /// Something is to be understood.
    Read,
    /// Something is broken.
    Debug,
    /// Nothing tells.
    #[default]
    Unknown,
}

/// Only so much of a prompt is looked at: what is wanted is said early.
const WORDS_CAP: usize = 200;

const DEBUG: &[&str] = &[
    "bug",
    "bugs",
    "broken",
    "crash",
    "crashes",
    "crashing",
    "debug",
    "deadlock",
    "fail",
    "failing",
    "fails",
    "failure",
    "fix",
    "fixes",
    "flaky",
    "hang",
    "hangs",
    "leak",
    "panic",
    "panics",
    "regression",
    "segfault",
    "stacktrace",
    "traceback",
    "wrong",
];

const CREATE: &[&str] = &["build", "create", "generate", "implement", "introduce", "scaffold", "write"];

const ACTION: &[&str] = &[
    "add", "allow", "avoid", "change", "convert", "delete", "drop", "extend", "handle", "improve", "make",
    "migrate", "move", "optimize", "refactor", "remove", "rename", "replace", "rewrite", "simplify",
    "support", "update", "use",
];

const READ: &[&str] = &[
    "describe",
    "document",
    "explain",
    "find",
    "how",
    "list",
    "show",
    "summarize",
    "understand",
    "what",
    "where",
    "which",
    "who",
    "why",
];

impl Intent {
    /// Tells from the words; what is broken comes first, since a repair is asked for in every other way too.
    pub fn of(text: &str) -> Self {
        let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
        let mut found = [false; 4];
        for word in words.take(WORDS_CAP).map(str::to_ascii_lowercase) {
            for (found, list) in found.iter_mut().zip([DEBUG, CREATE, READ, ACTION]) {
                *found |= list.contains(&word.as_str());
            }
        }
        match found {
            [true, ..] => Self::Debug,
            [_, true, ..] => Self::Create,
            [_, _, true, _] => Self::Read,
            [.., true] => Self::Action,
            _ => Self::Unknown,
        }
    }
}
