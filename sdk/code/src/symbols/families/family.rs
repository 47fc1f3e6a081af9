//! What is known of a family.

use crate::symbols::Kind;

/// A family: languages that write definitions alike.
pub(super) struct Family {
    /// The ids of its languages.
    pub(super) languages: &'static [&'static str],
    pub(super) lexis: Lexis,
    /// What may stand at the beginning of a line, the more special first.
    pub(super) patterns: &'static [&'static [Pattern]],
    pub(super) end: End,
    pub(super) visible: Visible,
    /// Whether `Sub` and `SUB` are the same.
    pub(super) any_case: bool,
    /// A line that begins so belongs to the definition below it.
    pub(super) attributes: &'static [&'static str],
    /// Whether a text that begins the body is its documentation.
    pub(super) docstring: bool,
    /// What a name may hold besides letters, digits and `_`.
    pub(super) joined: &'static str,
    /// How many definitions may stand in each other; what lies deeper is data.
    pub(super) levels: usize,
    /// Whether what a function defines is its own.
    pub(super) closed: bool,
    /// Whether neighbours of one name are one definition, such as the clauses of a predicate.
    pub(super) clauses: bool,
}

/// How comments and texts look.
pub(super) struct Lexis {
    /// What begins a comment that ends with its line.
    pub(super) line: &'static [&'static str],
    /// The same, at one column only, counted from 0.
    pub(super) line_at: &'static [(usize, &'static str)],
    /// What begins and ends a comment over several lines; `\n` stands for the beginning of a line.
    pub(super) block: &'static [(&'static str, &'static str)],
    /// The same for what is neither a comment nor looked into, such as an example.
    pub(super) opaque: &'static [(&'static str, &'static str)],
    /// What begins and ends a text.
    pub(super) quotes: &'static [u8],
    /// Those of them whose text may go on over lines.
    pub(super) long_quotes: &'static [u8],
    /// Whether `'` begins a text of one letter only, and may stand elsewhere too, as in a lifetime.
    pub(super) letters: bool,
    /// Whether three of a kind begin a text over lines.
    pub(super) triple: bool,
    /// Whether a backslash takes the meaning from what follows it.
    pub(super) backslash: bool,
}

/// A line that means something.
#[derive(Clone, Copy)]
pub(super) struct Pattern {
    pub(super) what: What,
    /// The expression, from the line's first sign on, or with `^` from its beginning. Groups: `name`; `owner`, what it belongs to; `public`,
    /// `private`, what makes it so; `level`, whose length is its level; `from`, what is imported.
    pub(super) regex: &'static str,
    /// Whether it ends with its line.
    pub(super) leaf: bool,
    /// Where headings are: how high it stands, 0 being the highest.
    pub(super) level: usize,
    /// Whether no word says that something is defined, so that a word of the language is no name.
    pub(super) bare: bool,
    /// What ends its body at the beginning of a line, where the rest of the family ends otherwise.
    pub(super) until: Option<&'static str>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Definition(Kind),
    Import,
    /// The line below is made of one sign: a heading.
    Underlined,
}

/// How the end of a body is told.
pub(super) enum End {
    /// A pair of signs is closed, and a body begins with one.
    Braces,
    /// The pair that the definition begins with is closed.
    Parentheses,
    /// A line that begins so, not deeper than the definition.
    Keyword(&'static str),
    /// The next line that is not deeper than the definition.
    Indentation,
    /// The next definition that does not stand below it.
    Next,
    /// A line that ends so.
    Terminator(&'static str),
}

/// Who may use what says nothing of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Visible {
    Everybody,
    /// Nobody else: others must be let in.
    Nobody,
    /// Everybody, but for names that begin with `_`.
    Plain,
    /// Everybody, but for names that begin with a small letter.
    Capital,
}

pub(super) const C_TEXT: Lexis = Lexis {
    line: &["//"],
    line_at: &[],
    block: &[("/*", "*/")],
    opaque: &[],
    quotes: b"\"",
    long_quotes: b"",
    letters: true,
    triple: false,
    backslash: true,
};

pub(super) const HASH_TEXT: Lexis =
    Lexis { line: &["#"], block: &[], quotes: b"\"'", letters: false, ..C_TEXT };

impl Family {
    /// What most families are like.
    pub(super) const PLAIN: Family = Family {
        languages: &[],
        lexis: C_TEXT,
        patterns: &[],
        end: End::Braces,
        visible: Visible::Everybody,
        any_case: false,
        attributes: &[],
        docstring: false,
        joined: "",
        levels: usize::MAX,
        closed: false,
        clauses: false,
    };
}

impl Pattern {
    /// Says that only the name is there, and no word in front of it.
    pub(super) const fn bare(self) -> Pattern {
        Pattern { bare: true, ..self }
    }

    /// Says what its body ends with.
    pub(super) const fn until(self, end: &'static str) -> Pattern {
        Pattern { until: Some(end), ..self }
    }
}

/// A definition with a body.
pub(super) const fn item(kind: Kind, regex: &'static str) -> Pattern {
    Pattern { what: What::Definition(kind), regex, leaf: false, level: 0, bare: false, until: None }
}

/// A definition of one line.
pub(super) const fn leaf(kind: Kind, regex: &'static str) -> Pattern {
    Pattern { leaf: true, ..item(kind, regex) }
}

/// A heading.
pub(super) const fn heading(level: usize, regex: &'static str) -> Pattern {
    Pattern { level, ..item(Kind::Other, regex) }
}

/// What the file wants from elsewhere.
pub(super) const fn import(regex: &'static str) -> Pattern {
    Pattern { what: What::Import, leaf: true, ..item(Kind::Other, regex) }
}

impl End {
    /// Says whether depth is a heading's level, not how far a line is moved in.
    pub(super) fn is_by_level(&self) -> bool {
        matches!(self, End::Next)
    }
}
