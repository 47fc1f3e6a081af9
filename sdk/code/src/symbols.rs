//! Definitions and references in one file.

mod documentation;
mod extractor;
pub mod families;
mod finds;
mod lines;
mod make;
pub(crate) mod parse;
mod regions;
mod rules;
mod uses;

use std::ops::Range;

pub use extractor::{Extractor, NAME_CAP, NESTING_CAP, REFERENCES_CAP, SYMBOLS_CAP};
pub use parse::BYTES_CAP;

/// What a definition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[non_exhaustive]
pub enum Kind {
    /// A function that belongs to no type.
    Function = 0,
    /// A function of a type, an accessor among them.
    Method = 1,
    /// What makes an instance.
    Constructor = 2,
    /// A class.
    Class = 3,
    /// A struct or a record.
    Struct = 4,
    /// A union.
    Union = 5,
    /// An enumeration.
    Enum = 6,
    /// One value of an enumeration.
    Variant = 7,
    /// An interface or a protocol.
    Interface = 8,
    /// A trait or a type class.
    Trait = 9,
    /// A name for a type.
    TypeAlias = 10,
    /// A constant.
    Constant = 11,
    /// A variable, a static among them.
    Variable = 12,
    /// A field or a property.
    Field = 13,
    /// A macro.
    Macro = 14,
    /// A module, a namespace or a package.
    Module = 15,
    /// Anything else that has a name, such as a heading, a rule, a target or a table.
    Other = 16,
}

impl Kind {
    /// All kinds, each at the place of its number.
    pub const ALL: [Self; 17] = [
        Self::Function,
        Self::Method,
        Self::Constructor,
        Self::Class,
        Self::Struct,
        Self::Union,
        Self::Enum,
        Self::Variant,
        Self::Interface,
        Self::Trait,
        Self::TypeAlias,
        Self::Constant,
        Self::Variable,
        Self::Field,
        Self::Macro,
        Self::Module,
        Self::Other,
    ];

    /// Gives what a kind is called in documents and to people.
    ///
    /// ```
    /// use ctxhost_code::symbols::Kind;
    /// assert_eq!(Kind::TypeAlias.word(), "typeAlias");
    /// assert_eq!(Kind::ALL.into_iter().find(|kind| kind.word() == "trait"), Some(Kind::Trait));
    /// ```
    pub const fn word(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Method => "method",
            Self::Constructor => "constructor",
            Self::Class => "class",
            Self::Struct => "struct",
            Self::Union => "union",
            Self::Enum => "enum",
            Self::Variant => "variant",
            Self::Interface => "interface",
            Self::Trait => "trait",
            Self::TypeAlias => "typeAlias",
            Self::Constant => "constant",
            Self::Variable => "variable",
            Self::Field => "field",
            Self::Macro => "macro",
            Self::Module => "module",
            Self::Other => "other",
        }
    }
}

/// Who may use a definition, by the rules of its language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Visibility {
    /// Only its own file, type or module.
    Private = 0,
    /// A part of the code base, such as Rust's `pub(crate)` or Java's package.
    Restricted = 1,
    /// Everybody.
    #[default]
    Public = 2,
}

/// Where something stands in a file: bytes counted from 0, lines from 1, the last line included.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The bytes.
    pub bytes: Range<u32>,
    /// The line that it begins in.
    pub first_line: u32,
    /// The line that it ends in.
    pub last_line: u32,
}

/// A definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its own name, such as `add`.
    pub name: String,
    /// What it belongs to, from the outside in and joined by dots, such as `Registry`; empty when it belongs to the file.
    pub owner: String,
    /// What it is.
    pub kind: Kind,
    /// Who may use it.
    pub visibility: Visibility,
    /// The whole definition, decorators and attributes included, its doc comment not.
    pub span: Span,
    /// Where its signature ends and its body begins, as a byte of the file; the span's end when it has no body.
    pub signature_end: u32,
    /// Its doc comment, as bytes of the file: the comment above it, or the docstring inside it.
    pub doc: Option<Range<u32>>,
}

impl Symbol {
    /// Gives the name with its owner in front, such as `Registry.add`.
    pub fn qualified(&self) -> String {
        if self.owner.is_empty() { self.name.clone() } else { format!("{}.{}", self.owner, self.name) }
    }
}

/// A name that is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The name, without what stands in front of it.
    pub name: String,
    /// The innermost definition that it is used in, as an index; `None` outside of all.
    pub symbol: Option<u32>,
    /// How often it is used there.
    pub count: u32,
}

/// What a file wants from elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The place as the file names it, such as `./registry`, `std::fs` or `a.b`.
    pub from: String,
    /// The line, counted from 1.
    pub line: u32,
}

/// How symbols were found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Method {
    /// Not at all: there is neither a grammar nor a family for this language.
    #[default]
    None = 0,
    /// By the regular expressions of a family of languages.
    Family = 1,
    /// By a grammar.
    Grammar = 2,
}

/// Why less was found than is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Partial {
    /// The file is larger than what is parsed.
    TooLarge = 1,
    /// The file is nested deeper than what is followed.
    TooDeep = 2,
    /// Parsing took longer than a file may take.
    TooSlow = 3,
    /// There are more symbols than a file may have.
    TooMany = 4,
    /// The language's grammar could not be used.
    Grammar = 5,
    /// Parsing needed more memory than a file may take.
    TooMuchMemory = 6,
}

/// What was found in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extracted {
    /// The definitions, by where they begin; an outer one before the inner ones.
    pub symbols: Vec<Symbol>,
    /// The names that are used, each once for each definition that uses it; by definition, then by name.
    pub references: Vec<Reference>,
    /// What it wants from elsewhere, by line.
    pub imports: Vec<Import>,
    /// How the symbols were found.
    pub method: Method,
    /// Why something may be missing.
    pub partial: Option<Partial>,
}
