//! Go: a capital makes public, everything else is the package's.

use super::{DEFAULT, Rules, Unmarked};
use crate::symbols::Visibility;

pub(super) const RULES: Rules = Rules { unmarked, words: PREDECLARED, ..DEFAULT };

/// The names that Go gives to every file; its grammar takes them for any other name.
const PREDECLARED: &[&str] = &[
    "_",
    "any",
    "append",
    "bool",
    "byte",
    "cap",
    "clear",
    "close",
    "comparable",
    "complex",
    "complex128",
    "complex64",
    "copy",
    "delete",
    "error",
    "false",
    "float32",
    "float64",
    "imag",
    "int",
    "int16",
    "int32",
    "int64",
    "int8",
    "iota",
    "len",
    "make",
    "max",
    "min",
    "new",
    "nil",
    "panic",
    "print",
    "println",
    "real",
    "recover",
    "rune",
    "string",
    "true",
    "uint",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "uintptr",
];

fn unmarked(one: &Unmarked<'_>) -> Visibility {
    let capital = one.name.chars().next().is_some_and(char::is_uppercase);
    if capital { Visibility::Public } else { Visibility::Restricted }
}
