//! What a file is written in.
//!
//! ```
//! use ctxhost_code::language::{self, Language};
//!
//! let tsx = language::detect("src/App.tsx", b"").expect("a known extension");
//! assert_eq!((tsx.id(), tsx.name(), tsx.fence()), ("tsx", "TSX", "tsx"));
//! assert!(tsx.is_code());
//!
//! // Where an extension has several owners, the text decides.
//! let header = b"#pragma once\nnamespace shop { class Cart; }\n";
//! assert_eq!(language::detect("cart.h", header), Language::of_id("cpp"));
//! assert_eq!(language::detect("bin/deploy", b"#!/usr/bin/env -S python3.11 -u\n"), Language::of_id("python"));
//! ```
//!
//! The languages come from a data file (`language/README.md` says whence); the rules are ours.

mod ambiguous;
mod detect;
mod head;
mod table;

use std::fmt;

pub use detect::{HEAD, detect};
use table::{Sort, table};

/// A language that is known by name.
///
/// The number inside is a place in this version's table: what is stored is [`Language::id`], which never changes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(u16);

impl Language {
    /// Gives the language with this id.
    pub fn of_id(id: &str) -> Option<Language> {
        table().of_id(id)
    }

    /// Gives the language that a person means by `name`: its id, its name, its fence, an alias such as `c++` or one of
    /// its extensions, in any case.
    ///
    /// ```
    /// use ctxhost_code::language::Language;
    ///
    /// assert_eq!(Language::named("C++"), Language::of_id("cpp"));
    /// assert_eq!(Language::named("rs"), Language::of_id("rust"));
    /// ```
    pub fn named(name: &str) -> Option<Language> {
        table().named(name)
    }

    /// Gives its id, such as `csharp`: lower-case, the same in every version.
    pub fn id(self) -> &'static str {
        table().row(self).id
    }

    /// Gives its name as people write it, such as `C#`.
    pub fn name(self) -> &'static str {
        table().row(self).name
    }

    /// Gives what the fence of a Markdown code block says, such as `cs`.
    pub fn fence(self) -> &'static str {
        table().row(self).fence
    }

    /// Says whether it is for programs, rather than for data, markup or prose. Languages that define what programs use,
    /// such as SQL and Protocol Buffers, count as code.
    pub fn is_code(self) -> bool {
        table().row(self).sort == Sort::Code
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Language({})", self.id())
    }
}

/// Gives every language, by id.
pub fn all() -> impl ExactSizeIterator<Item = Language> {
    (0..table().len()).map(Language)
}

#[cfg(test)]
mod tests;
