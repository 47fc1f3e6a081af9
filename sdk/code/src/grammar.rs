//! Grammars: the shared library that providers open, and others dropped into a folder.
//!
//! A *place* is a folder. The grammar library is looked for in each (`libctxhost_grammars.so` on Linux), and so are
//! single grammars: `<id>.so` that exports `tree_sitter_<id>`, with its query `<id>.scm` beside it. A single grammar
//! wins over the library's, an earlier place over a later one. Nothing is opened before a language is asked for, and
//! nothing is ever closed again.
//!
//! ```
//! use ctxhost_code::grammar::Grammars;
//!
//! let none = Grammars::new(vec!["/nowhere".into()]);
//! assert!(none.languages().is_empty());
//! assert!(none.problems().is_empty(), "a folder that is not there is not a problem");
//! ```

mod library;
mod places;
mod preflight;
mod query;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use crate::{language::Language, symbols::parse::Bounded};

pub use preflight::Rejected;
pub(crate) use query::{Compiled, Role};

/// A grammar with its query.
pub struct Grammar {
    pub(crate) language: tree_sitter::Language,
    /// The same to parse by within limits.
    pub(crate) bounded: Bounded,
    pub(crate) query: Compiled,
}

/// Why a grammar cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GrammarError {
    /// The file is not taken.
    #[error("{}: {reason}", path.display())]
    Rejected {
        /// The library.
        path: PathBuf,
        /// Why.
        reason: Rejected,
    },
    /// The system could not open the library.
    #[error("{}: cannot be opened: {reason}", path.display())]
    Open {
        /// The library.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The library lacks what it is opened for.
    #[error("{}: exports no `{symbol}`", path.display())]
    NoSymbol {
        /// The library.
        path: PathBuf,
        /// What it should export.
        symbol: String,
    },
    /// The library's table has another layout.
    #[error("{}: its table has another layout than this build reads", path.display())]
    Layout {
        /// The library.
        path: PathBuf,
    },
    /// The grammar was made for another tree-sitter.
    #[error("{}: the grammar `{id}` has ABI {found}, and 13 to 15 can be used", path.display())]
    Abi {
        /// The library.
        path: PathBuf,
        /// The language.
        id: String,
        /// What the grammar says.
        found: usize,
    },
    /// The query does not fit the grammar.
    #[error("{}: the query of `{id}` cannot be used: {reason}", path.display())]
    Query {
        /// The library.
        path: PathBuf,
        /// The language.
        id: String,
        /// Where and why.
        reason: String,
    },
}

/// A language that there is a grammar for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The language's id.
    pub id: String,
    /// The file that the grammar comes from.
    pub path: PathBuf,
}

/// The grammars of some places. A clone shares what is open.
#[derive(Clone)]
pub struct Grammars {
    inner: Arc<Inner>,
}

struct Inner {
    places: Vec<PathBuf>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    found: Option<places::Found>,
    opened: BTreeMap<String, Result<Option<&'static Grammar>, GrammarError>>,
}

impl Grammars {
    /// Takes the folders to look in, the most important first; opens nothing.
    pub fn new(places: Vec<PathBuf>) -> Grammars {
        Grammars { inner: Arc::new(Inner { places, state: Mutex::default() }) }
    }

    /// Gives a language's grammar, or `None` where there is none; opens it on first use.
    ///
    /// # Errors
    /// Why the grammar that is there cannot be used; the same each time.
    pub fn get(&self, language: Language) -> Result<Option<&'static Grammar>, GrammarError> {
        let id = language.id();
        self.with(|state, places| {
            if let Some(opened) = state.opened.get(id) {
                return opened.clone();
            }
            let opened = state.found.get_or_insert_with(|| places::look(places)).open(id);
            state.opened.insert(id.to_owned(), opened.clone());
            opened
        })
    }

    /// Lists the languages that there are grammars for, by id.
    pub fn languages(&self) -> Vec<Known> {
        self.with(|state, places| {
            let found = state.found.get_or_insert_with(|| places::look(places));
            found.known().map(|(id, path)| Known { id: id.to_owned(), path: path.to_owned() }).collect()
        })
    }

    /// Says what was wrong with what was looked at so far: a library that is not taken, a query that does not fit.
    pub fn problems(&self) -> Vec<GrammarError> {
        self.with(|state, _| {
            let files = state.found.iter().flat_map(|found| &found.problems);
            let grammars = state.opened.values().filter_map(|opened| opened.as_ref().err());
            files.chain(grammars).cloned().collect()
        })
    }

    fn with<T>(&self, act: impl FnOnce(&mut State, &[PathBuf]) -> T) -> T {
        let mut state = self.inner.state.lock().unwrap_or_else(PoisonError::into_inner);
        act(&mut state, &self.inner.places)
    }
}

impl std::fmt::Debug for Grammars {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Grammars").field("places", &self.inner.places).finish_non_exhaustive()
    }
}

impl Grammar {
    /// Gives the grammar itself, for programs that parse without extracting, such as a yardstick.
    pub fn language(&self) -> &tree_sitter::Language {
        &self.language
    }

    /// Gives its query itself.
    pub fn query(&self) -> &tree_sitter::Query {
        &self.query.query
    }
}

impl std::fmt::Debug for Grammar {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Grammar").finish_non_exhaustive()
    }
}

impl GrammarError {
    /// Gives the file that the problem is in.
    pub fn path(&self) -> &Path {
        match self {
            Self::Rejected { path, .. }
            | Self::Open { path, .. }
            | Self::NoSymbol { path, .. }
            | Self::Layout { path }
            | Self::Abi { path, .. }
            | Self::Query { path, .. } => path,
        }
    }
}
