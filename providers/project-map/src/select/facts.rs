//! What is known of a file, from its path and its text.

use ctxhost_code::{language::Language, symbols::Extracted};

use super::{
    inventory::{FileFacts, Hash, Manifest},
    line, manifest, purpose, symbols,
};
use crate::shape::forbidden;

/// So many imports are kept of a file, and so long ones.
const IMPORTS: usize = 64;
const IMPORT: usize = 200;

/// A file, read.
pub(crate) struct Read<'a> {
    pub(crate) path: &'a str,
    pub(crate) hash: Hash,
    pub(crate) bytes: u64,
    pub(crate) lines: u32,
    pub(crate) language: Option<Language>,
    pub(crate) test: bool,
    pub(crate) foreign: bool,
    /// Its beginning; of a manifest the whole.
    pub(crate) text: &'a str,
    pub(crate) extracted: &'a Extracted,
}

/// Gives what is known of a file that may be described.
pub(crate) fn of(read: &Read<'_>) -> FileFacts {
    let bare = bare(read.path, read.hash, read.bytes, read.language, read.test);
    let facts = FileFacts { lines: read.lines, foreign: read.foreign, ..bare };
    if read.foreign {
        return facts;
    }
    let definitions = u32::try_from(read.extracted.symbols.len()).unwrap_or(u32::MAX);
    let purpose = purpose::of(read.path, &facts.language, facts.code, read.text, &read.extracted.symbols);
    let purpose = if forbidden::found(&purpose).is_some() { String::new() } else { purpose };
    FileFacts {
        purpose,
        symbols: symbols_of(&facts, read.extracted),
        definitions,
        imports: imports(read.extracted),
        manifest: manifest_of(read.path, read.test, read.text),
        ..facts
    }
}

/// Gives what its path and its state say of a file, such as of one that holds secrets.
pub(crate) fn bare(path: &str, hash: Hash, bytes: u64, language: Option<Language>, test: bool) -> FileFacts {
    FileFacts {
        path: path.to_owned(),
        hash,
        bytes,
        language: language.map_or(String::new(), |language| language.id().to_owned()),
        code: language.is_some_and(Language::is_code),
        test,
        ..FileFacts::default()
    }
}

fn symbols_of(facts: &FileFacts, extracted: &Extracted) -> Vec<super::inventory::Named> {
    // Keys of data are no definitions, and headings are what a document is made of.
    if facts.code || facts.language == "markdown" {
        let mut symbols = symbols::choose(&facts.path, facts.code, facts.test, extracted);
        symbols.retain(|symbol| forbidden::found(&symbol.name).is_none());
        symbols
    } else {
        Vec::new()
    }
}

fn imports(extracted: &Extracted) -> Vec<String> {
    let mut imports: Vec<String> = extracted
        .imports
        .iter()
        .filter(|import| import.from.len() <= IMPORT)
        .map(|import| line::plain(&import.from, IMPORT))
        .filter(|from| !from.is_empty() && forbidden::found(from).is_none())
        .collect();
    imports.sort_unstable();
    imports.dedup();
    imports.truncate(IMPORTS);
    imports
}

/// A manifest below tests is one of their samples.
fn manifest_of(path: &str, test: bool, text: &str) -> Option<Manifest> {
    if test { None } else { manifest::read(path, text) }
}
