//! Which languages the library has: one line each, by id.

use std::ffi::c_void;

use tree_sitter_language::LanguageFn;

use crate::{Entry, GrammarFn, guard};

/// A language's id, its grammar, and whose query it shares if not its own.
macro_rules! entry {
    ($id:literal, $grammar:expr) => {
        entry!($id, $grammar, $id)
    };
    ($id:literal, guarded $grammar:expr) => {
        entry!(@ $id, $grammar, $id)
    };
    ($id:literal, $grammar:expr, $query:literal) => {
        entry!(@ $id, grammar($grammar), $query)
    };
    (@ $id:literal, $function:expr, $query:literal) => {{
        const QUERY: &str = include_str!(concat!("../queries/", $query, ".scm"));
        Entry {
            id: $id.as_ptr(),
            id_length: $id.len(),
            grammar: $function,
            query: QUERY.as_ptr(),
            query_length: QUERY.len(),
        }
    }};
}

pub(crate) static ENTRIES: &[Entry] = &[
    entry!("c", tree_sitter_c::LANGUAGE),
    entry!("cmake", tree_sitter_cmake::LANGUAGE),
    entry!("cpp", tree_sitter_cpp::LANGUAGE),
    entry!("csharp", tree_sitter_c_sharp::LANGUAGE),
    entry!("css", tree_sitter_css::LANGUAGE),
    entry!("dart", tree_sitter_dart::LANGUAGE),
    entry!("elixir", tree_sitter_elixir::LANGUAGE),
    entry!("erlang", tree_sitter_erlang::LANGUAGE),
    entry!("go", tree_sitter_go::LANGUAGE),
    entry!("graphql", tree_sitter_graphql::LANGUAGE),
    entry!("haskell", tree_sitter_haskell::LANGUAGE),
    entry!("html", tree_sitter_html::LANGUAGE),
    entry!("java", tree_sitter_java::LANGUAGE),
    entry!("javascript", tree_sitter_javascript::LANGUAGE),
    entry!("json", tree_sitter_json::LANGUAGE),
    entry!("json-with-comments", tree_sitter_json::LANGUAGE, "json"),
    entry!("jsx", tree_sitter_javascript::LANGUAGE, "javascript"),
    entry!("kotlin", tree_sitter_kotlin_ng::LANGUAGE),
    entry!("lua", tree_sitter_lua::LANGUAGE),
    entry!("makefile", tree_sitter_make::LANGUAGE),
    entry!("markdown", tree_sitter_md::LANGUAGE),
    entry!("nix", tree_sitter_nix::LANGUAGE),
    entry!("php", tree_sitter_php::LANGUAGE_PHP),
    entry!("powershell", tree_sitter_powershell::LANGUAGE),
    entry!("protobuf", tree_sitter_proto::LANGUAGE),
    entry!("python", guarded guard::PYTHON),
    entry!("r", tree_sitter_r::LANGUAGE),
    entry!("ruby", guarded guard::RUBY),
    entry!("rust", tree_sitter_rust::LANGUAGE),
    entry!("scala", tree_sitter_scala::LANGUAGE),
    entry!("shell", tree_sitter_bash::LANGUAGE),
    entry!("solidity", tree_sitter_solidity::LANGUAGE),
    entry!("sql", guarded guard::SQL),
    entry!("swift", tree_sitter_swift::LANGUAGE),
    entry!("toml", tree_sitter_toml_ng::LANGUAGE),
    entry!("tsx", tree_sitter_typescript::LANGUAGE_TSX, "typescript"),
    entry!("typescript", tree_sitter_typescript::LANGUAGE_TYPESCRIPT),
    entry!("zig", tree_sitter_zig::LANGUAGE),
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
