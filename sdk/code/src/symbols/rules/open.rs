//! Languages in which everybody may use everything, and whose grammars take words for names.

use super::{DEFAULT, Rules};

pub(super) const SHELL: Rules = Rules { words: SHELL_WORDS, ..DEFAULT };
pub(super) const POWERSHELL: Rules = Rules { named_like_type: true, words: POWERSHELL_WORDS, ..DEFAULT };
pub(super) const R: Rules = Rules { words: R_WORDS, ..DEFAULT };
pub(super) const CMAKE: Rules = Rules { words: CMAKE_WORDS, ..DEFAULT };

/// Commands that are a part of the shell.
const SHELL_WORDS: &[&str] = &[
    "alias", "break", "cd", "continue", "declare", "echo", "eval", "exec", "exit", "export", "false",
    "getopts", "local", "popd", "printf", "pushd", "read", "readonly", "return", "set", "shift", "source",
    "test", "trap", "true", "typeset", "unset", "wait",
];

const POWERSHELL_WORDS: &[&str] =
    &["$_", "$false", "$null", "$this", "$true", "Import-Module", "new", "using"];

const R_WORDS: &[&str] = &[
    "c",
    "function",
    "library",
    "list",
    "require",
    "return",
    "self",
    "setClass",
    "setMethod",
    "source",
    "stop",
];

const CMAKE_WORDS: &[&str] = &[
    "add_custom_target",
    "add_executable",
    "add_library",
    "add_subdirectory",
    "add_test",
    "cmake_minimum_required",
    "else",
    "elseif",
    "endforeach",
    "endif",
    "find_package",
    "foreach",
    "if",
    "include",
    "message",
    "option",
    "project",
    "return",
    "set",
];
