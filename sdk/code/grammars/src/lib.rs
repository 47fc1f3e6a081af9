//! The grammars that providers share, each with the query that finds its symbols.
//!
//! One C function gives a table of all: `ctxhost_grammars_v1`. Its layout never changes; another one gets another name.
//! `ctxhost-code` opens the built library at run time, so that each grammar is on disk once for all providers.
//! A language is one line of `table.rs` and one file of `queries/`.

#![expect(unsafe_code, reason = "the table that a C function gives, and C functions of grammars")]

mod guard;
mod table;

use std::ffi::c_void;

/// Gives a grammar: tree-sitter's `tree_sitter_<language>`.
pub type GrammarFn = unsafe extern "C" fn() -> *const c_void;

/// A grammar of the table.
#[repr(C)]
#[derive(Debug)]
pub struct Entry {
    /// The language's id, such as `rust`, in UTF-8.
    pub id: *const u8,
    /// How many bytes the id has.
    pub id_length: usize,
    /// Gives the grammar.
    pub grammar: GrammarFn,
    /// The query that finds its symbols, in UTF-8.
    pub query: *const u8,
    /// How many bytes the query has.
    pub query_length: usize,
}

/// All grammars.
#[repr(C)]
#[derive(Debug)]
pub struct Table {
    /// How many bytes this struct has; a reader that expects another number leaves the library alone.
    pub table_size: usize,
    /// How many bytes an entry has.
    pub entry_size: usize,
    /// How many entries there are.
    pub count: usize,
    /// The first entry; the others follow it.
    pub entries: *const Entry,
}

// SAFETY: the table and what it points to are constants of this library and are never written.
unsafe impl Sync for Table {}
// SAFETY: as above.
unsafe impl Sync for Entry {}

static TABLE: Table = Table {
    table_size: size_of::<Table>(),
    entry_size: size_of::<Entry>(),
    count: table::ENTRIES.len(),
    entries: table::ENTRIES.as_ptr(),
};

/// Gives the table; it lives as long as the library is open.
// SAFETY: no other library of the project exports this name.
#[unsafe(no_mangle)]
pub extern "C" fn ctxhost_grammars_v1() -> *const Table {
    &raw const TABLE
}
