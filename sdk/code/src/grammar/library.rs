//! Opening a library of grammars: the only place of the crate that calls foreign code by address.
#![expect(unsafe_code, reason = "opening a library of grammars")]

use std::{ffi::c_void, path::Path, slice};

use libloading::Library;
use tree_sitter::{LANGUAGE_VERSION, Language, MIN_COMPATIBLE_LANGUAGE_VERSION};
use tree_sitter_language::LanguageFn;

use super::GrammarError;

/// The function that gives the table.
const TABLE_SYMBOL: &str = "ctxhost_grammars_v1";

/// More entries are not a table's: 4,096; there are not four hundred grammars in the world.
const ENTRIES_CAP: usize = 4_096;

/// Longer ids and queries are not ones: 64 bytes and 1 MiB.
const ID_CAP: usize = 64;
const QUERY_CAP: usize = 1024 * 1024;

type GrammarFn = unsafe extern "C" fn() -> *const c_void;

/// The table as `ctxhost-grammars` lays it out.
#[repr(C)]
struct RawTable {
    table_size: usize,
    entry_size: usize,
    count: usize,
    entries: *const RawEntry,
}

#[repr(C)]
struct RawEntry {
    id: *const u8,
    id_length: usize,
    grammar: Option<GrammarFn>,
    query: *const u8,
    query_length: usize,
}

/// A grammar of the table.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) id: &'static str,
    pub(super) query: &'static str,
    grammar: GrammarFn,
}

/// Opens the grammar library and reads its table.
pub(super) fn table(path: &Path) -> Result<Vec<Entry>, GrammarError> {
    let library = open(path)?;
    let table: unsafe extern "C" fn() -> *const RawTable = symbol(library, path, TABLE_SYMBOL)?;
    let layout = || GrammarError::Layout { path: path.to_owned() };
    // SAFETY: a library that exports this name promises the signature, and that what it points to stays as it is. The
    // first word is read before the rest is taken for what it should be.
    let table = unsafe {
        let table = table();
        if table.is_null() || !table.is_aligned() || (*table).table_size != size_of::<RawTable>() {
            return Err(layout());
        }
        &*table
    };
    let fits = table.entry_size == size_of::<RawEntry>() && table.count <= ENTRIES_CAP;
    if !fits || table.entries.is_null() {
        return Err(layout());
    }
    // SAFETY: the table says that so many entries of this size follow, and the library is never closed.
    let entries: &'static [RawEntry] = unsafe { slice::from_raw_parts(table.entries, table.count) };
    entries.iter().map(|entry| read(entry).ok_or_else(layout)).collect()
}

fn read(entry: &'static RawEntry) -> Option<Entry> {
    let id = text(entry.id, entry.id_length, ID_CAP)?;
    let query = text(entry.query, entry.query_length, QUERY_CAP)?;
    Some(Entry { id, query, grammar: entry.grammar? })
}

fn text(start: *const u8, length: usize, cap: usize) -> Option<&'static str> {
    if start.is_null() || length > cap {
        return None;
    }
    // SAFETY: the entry says that so many bytes stand there, and the library is never closed.
    std::str::from_utf8(unsafe { slice::from_raw_parts(start, length) }).ok()
}

/// Gives the grammar of an entry.
pub(super) fn language(path: &Path, entry: &Entry) -> Result<Language, GrammarError> {
    checked(path, entry.id, entry.grammar)
}

/// Opens a library of one grammar.
pub(super) fn single(path: &Path, id: &str) -> Result<Language, GrammarError> {
    let name = format!("tree_sitter_{}", id.replace('-', "_"));
    let grammar: GrammarFn = symbol(open(path)?, path, &name)?;
    checked(path, id, grammar)
}

fn checked(path: &Path, id: &str, grammar: GrammarFn) -> Result<Language, GrammarError> {
    // SAFETY: the function has the name and therefore the signature of a grammar's; such a grammar begins with its ABI
    // version in every version of tree-sitter.
    let found = unsafe {
        let grammar = grammar().cast::<u32>();
        if grammar.is_null() || !grammar.is_aligned() { 0 } else { *grammar as usize }
    };
    if !(MIN_COMPATIBLE_LANGUAGE_VERSION..=LANGUAGE_VERSION).contains(&found) {
        return Err(GrammarError::Abi { path: path.to_owned(), id: id.to_owned(), found });
    }
    // SAFETY: both types are pointers to a C function without arguments that gives a pointer.
    let grammar = unsafe { std::mem::transmute::<GrammarFn, unsafe extern "C" fn() -> *const ()>(grammar) };
    // SAFETY: it is a grammar's function, as above, with a version that this tree-sitter reads.
    Ok(Language::new(unsafe { LanguageFn::from_raw(grammar) }))
}

fn open(path: &Path) -> Result<&'static Library, GrammarError> {
    // SAFETY: opening runs what the library wants to run first. The file is whole and nobody else can write it
    // (`preflight`), and it lies in a folder that the user chose to run code from.
    let library = unsafe { Library::new(path) }.map_err(|error| GrammarError::Open {
        path: path.to_owned(),
        reason: std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string),
    })?;
    // Grammars and queries point into it for as long as the process lives.
    Ok(Box::leak(Box::new(library)))
}

fn symbol<T: Copy>(library: &'static Library, path: &Path, name: &str) -> Result<T, GrammarError> {
    // SAFETY: the caller asks for the type that the name stands for.
    let symbol = unsafe { library.get::<T>(name.as_bytes()) };
    symbol
        .map(|symbol| *symbol)
        .map_err(|_| GrammarError::NoSymbol { path: path.to_owned(), symbol: name.to_owned() })
}
