//! What lies in the places: the library's table, and single grammars.

use std::{
    collections::BTreeMap,
    env::consts::{DLL_PREFIX, DLL_SUFFIX},
    path::{Path, PathBuf},
    sync::{LazyLock, Mutex, PoisonError},
};

use super::{Bounded, Compiled, Grammar, GrammarError, library, preflight};

/// The library's name without what the system puts around it.
const LIBRARY: &str = "ctxhost_grammars";

/// A larger query is not one: 1 MiB; ours have under 10 KB.
const QUERY_CAP: u64 = 1024 * 1024;

/// So many files of a place are looked at: a hundred times the languages that there are grammars for would be 4,000.
const FILES_CAP: usize = 4_000;

/// What was found.
#[derive(Default)]
pub(super) struct Found {
    sources: BTreeMap<String, Source>,
    pub(super) problems: Vec<GrammarError>,
}

enum Source {
    Table { path: PathBuf, entry: library::Entry },
    Single { path: PathBuf, query: PathBuf },
}

impl Source {
    fn path(&self) -> &Path {
        match self {
            Self::Table { path, .. } | Self::Single { path, .. } => path,
        }
    }
}

impl Found {
    pub(super) fn known(&self) -> impl Iterator<Item = (&str, &Path)> {
        self.sources.iter().map(|(id, source)| (id.as_str(), source.path()))
    }

    pub(super) fn open(&self, id: &str) -> Result<Option<&'static Grammar>, GrammarError> {
        self.sources.get(id).map(|source| open(id, source)).transpose()
    }
}

/// Looks into each place; the first that has a language keeps it.
pub(super) fn look(places: &[PathBuf]) -> Found {
    let mut found = Found::default();
    for place in places {
        singles(place, &mut found);
        let path = place.join(format!("{DLL_PREFIX}{LIBRARY}{DLL_SUFFIX}"));
        if !path.exists() {
            continue;
        }
        match preflight::check(&path).and_then(|()| library::table(&path)) {
            Ok(entries) => {
                for entry in entries {
                    let source = Source::Table { path: path.clone(), entry };
                    found.sources.entry(entry.id.to_owned()).or_insert(source);
                }
            }
            Err(problem) => found.problems.push(problem),
        }
    }
    found
}

fn singles(place: &Path, found: &mut Found) {
    let Ok(entries) = std::fs::read_dir(place) else { return };
    for entry in entries.take(FILES_CAP).flatten() {
        let path = entry.path();
        let Some(id) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(DLL_SUFFIX)) else {
            continue;
        };
        let query = path.with_file_name(format!("{id}.scm"));
        if is_id(id) && query.is_file() {
            let id = id.to_owned();
            found.sources.entry(id).or_insert(Source::Single { path, query });
        }
    }
}

fn is_id(text: &str) -> bool {
    text.len() <= 64
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

fn open(id: &str, source: &Source) -> Result<&'static Grammar, GrammarError> {
    // One grammar a process, however many projects are open: a compiled query takes up to some megabytes.
    type Opened = BTreeMap<(PathBuf, String), &'static Grammar>;
    static OPENED: LazyLock<Mutex<Opened>> = LazyLock::new(Mutex::default);
    let key = (source.path().to_owned(), id.to_owned());
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(grammar) = opened.get(&key) {
        return Ok(grammar);
    }
    let (language, query) = match source {
        Source::Table { path, entry } => (library::language(path, entry)?, entry.query.to_owned()),
        Source::Single { path, query } => {
            preflight::check(path)?;
            let text = preflight::read_text(query, QUERY_CAP)?;
            (library::single(path, id)?, text)
        }
    };
    let query = Compiled::new(&language, &query).map_err(|reason| GrammarError::Query {
        path: source.path().to_owned(),
        id: id.to_owned(),
        reason,
    })?;
    let bounded = Bounded::of(&language);
    let grammar: &'static Grammar = Box::leak(Box::new(Grammar { language, bounded, query }));
    opened.insert(key, grammar);
    Ok(grammar)
}
