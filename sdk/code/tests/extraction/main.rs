//! What is found in files, from outside: samples of each language, faults of the program that came before, bytes that are
//! not plain text, and files that are made to be hard.

mod bombs;
mod bytes;
mod dropped;
mod faults;
mod limits;
mod listing;
mod loading;
mod samples;

use ctxhost_code::{
    grammar::Grammars,
    language::Language,
    symbols::{Extracted, Extractor},
};

/// The library is built beside the test, since `ctxhost-grammars` is a dev-dependency.
fn grammars() -> Grammars {
    let beside =
        std::env::current_exe().expect("a test has a path").parent().expect("in a folder").to_owned();
    Grammars::new(vec![beside])
}

fn extract(id: &str, source: impl AsRef<[u8]>) -> Extracted {
    let language = Language::of_id(id);
    assert!(language.is_some(), "{id} is a language");
    Extractor::new(&grammars()).extract(language, source.as_ref())
}

/// The names of all definitions with their owners, in order.
fn names(found: &Extracted) -> Vec<String> {
    found.symbols.iter().map(|symbol| symbol.qualified()).collect()
}
