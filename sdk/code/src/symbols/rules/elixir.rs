//! Elixir: the clauses of a function stand below each other.

use super::{DEFAULT, Rules};

pub(super) const RULES: Rules = Rules { clauses: true, words: WORDS, ..DEFAULT };

/// What looks like a call and belongs to the language.
const WORDS: &[&str] = &[
    "__MODULE__",
    "alias",
    "case",
    "cond",
    "def",
    "defdelegate",
    "defguard",
    "defguardp",
    "defimpl",
    "defmacro",
    "defmacrop",
    "defmodule",
    "defp",
    "defprotocol",
    "defstruct",
    "doc",
    "else",
    "for",
    "if",
    "impl",
    "import",
    "moduledoc",
    "opaque",
    "quote",
    "require",
    "spec",
    "try",
    "type",
    "typep",
    "unless",
    "unquote",
    "use",
    "when",
    "with",
];
