//! Which languages the library has: one line each, by id.

use std::ffi::c_void;

use tree_sitter_language::LanguageFn;

use crate::{Entry, GrammarFn};

macro_rules! entry {
    ($id:literal, $grammar:expr) => {{
        const QUERY: &str = include_str!(concat!("../queries/", $id, ".scm"));
        Entry {
            id: $id.as_ptr(),
            id_length: $id.len(),
            grammar: grammar($grammar),
            query: QUERY.as_ptr(),
            query_length: QUERY.len(),
        }
    }};
}

pub(crate) static ENTRIES: &[Entry] = &[
    entry!("javascript", tree_sitter_javascript::LANGUAGE),
    entry!("python", tree_sitter_python::LANGUAGE),
    entry!("rust", tree_sitter_rust::LANGUAGE),
];

const fn grammar(language: LanguageFn) -> GrammarFn {
    // SAFETY: both are pointers to a C function without arguments that gives a pointer, which is `()`'s in one and
    // `c_void`'s in the other.
    unsafe {
        std::mem::transmute::<unsafe extern "C" fn() -> *const (), unsafe extern "C" fn() -> *const c_void>(
            language.into_raw(),
        )
    }
}
