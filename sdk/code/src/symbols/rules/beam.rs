//! Elixir and Erlang: the clauses of a function stand below each other; what is not offered is private.

use super::{DEFAULT, Rules};

pub(super) const ELIXIR: Rules = Rules { clauses: true, words: ELIXIR_WORDS, ..DEFAULT };

pub(super) const ERLANG: Rules = Rules { clauses: true, ..DEFAULT };

/// What looks like a call and belongs to the language.
const ELIXIR_WORDS: &[&str] = &[
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
