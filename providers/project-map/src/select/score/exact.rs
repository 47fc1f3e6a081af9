//! What is found by its whole name: paths, their ends, definitions.

use ctxhost_sdk::protocol::project_map::Field;

use super::{
    corpus::{Entry, is_of},
    query::{Asked, Mask, Name, Query, fold},
};
use crate::select::inventory::Named;

/// A name that matches as a whole.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hit<'q> {
    pub(super) field: Field,
    /// The name, as it was looked for.
    pub(super) asked: &'q str,
    /// The query's words in it.
    pub(super) words: Mask,
    /// How near the name is, from 0 to 1.
    pub(super) near: f64,
    /// Whether it was written as a name: then nothing else comes near.
    pub(super) sure: bool,
}

/// The same letters in another case.
const OTHER_CASE: f64 = 0.9;
/// The same words joined in another way: `readTimeout` for `read_timeout`.
const OTHER_JOINTS: f64 = 0.8;
/// A directory of the path, not the file.
const INSIDE: f64 = 0.5;

/// Which names and paths of the query a file is, and the line that is asked for with it.
pub(super) fn file<'q>(query: &'q Query, entry: &Entry<'_>) -> (Vec<Hit<'q>>, Option<u32>) {
    let mut hits = Vec::new();
    let mut line = None;
    let path = entry.path.to_lowercase();
    for asked in &query.paths {
        let near = path_nearness(&asked.path, &path, entry.count > 1);
        if near > 0.0 {
            let words = query.mask(&asked.path);
            hits.push(Hit { field: Field::Path, asked: &asked.path, words, near, sure: near > INSIDE });
            line = line.or(asked.line.filter(|_| near > INSIDE));
        }
    }
    let stem = stem(entry.path);
    for name in &query.names {
        let near = nearness(name, stem);
        if near > 0.0 && !hits.iter().any(|hit| hit.near > INSIDE) {
            hits.push(of_name(name, Field::Path, near));
        }
    }
    (hits, line)
}

/// Which names of the query a directory is.
pub(super) fn dir<'q>(query: &'q Query, dir: &str) -> Vec<Hit<'q>> {
    let lower = dir.to_lowercase();
    let ends = |asked: &'q Asked| {
        let near = ends_with(&lower, &asked.path) && !asked.path.is_empty();
        near.then(|| Hit {
            field: Field::Path,
            asked: &asked.path,
            words: query.mask(&asked.path),
            near: 1.0,
            sure: asked.path.contains('/') || lower == asked.path,
        })
    };
    let last = dir.rsplit('/').next().unwrap_or(dir);
    let named = |name: &'q Name| {
        Some(nearness(name, last)).filter(|near| *near > 0.0).map(|near| of_name(name, Field::Path, near))
    };
    let mut hits: Vec<Hit<'q>> = query.paths.iter().filter_map(ends).collect();
    if hits.is_empty() {
        hits.extend(query.names.iter().filter_map(named));
    }
    hits
}

/// Which name of the query a definition has.
pub(super) fn symbol<'q>(query: &'q Query, symbol: &Named) -> Option<Hit<'q>> {
    let own = symbol.name.rsplit(['.', ':', '#']).next().unwrap_or(&symbol.name);
    let near = |name: &Name| nearness(name, own).max(nearness(name, &symbol.name));
    let best = query.names.iter().map(|name| (name, near(name))).filter(|(_, near)| *near > 0.0);
    // The first of the best: a later one has to be nearer.
    let (name, near) = best.reduce(|best, next| if value(next) > value(best) { next } else { best })?;
    Some(of_name(name, Field::Symbol, near))
}

fn value((name, near): (&Name, f64)) -> f64 {
    near + if name.code { 1.0 } else { 0.0 }
}

fn of_name<'q>(name: &'q Name, field: Field, near: f64) -> Hit<'q> {
    Hit { field, asked: &name.text, words: name.words, near, sure: name.code }
}

/// The name of a file without its extension.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.find('.') {
        Some(at) if at > 0 => &name[..at],
        _ => name,
    }
}

fn nearness(asked: &Name, name: &str) -> f64 {
    // Most names are far shorter or longer; that is quick to see.
    if name.len() < asked.folded.len() || name.len() > 2 * asked.text.len() + 8 {
        return 0.0;
    }
    if asked.text == name {
        1.0
    } else if asked.text.eq_ignore_ascii_case(name) {
        OTHER_CASE
    } else if first_letter(name) == asked.folded.chars().next() && fold(name) == asked.folded {
        OTHER_JOINTS
    } else {
        0.0
    }
}

fn first_letter(name: &str) -> Option<char> {
    name.chars().find(|c| c.is_alphanumeric() || *c == '$').and_then(|c| c.to_lowercase().next())
}

/// How near a path is to one that is asked for; both lower-cased.
fn path_nearness(asked: &str, path: &str, family: bool) -> f64 {
    if family {
        return if is_of(asked, path) { 1.0 } else { 0.0 };
    }
    if path == asked {
        return 1.0;
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    let bare = match name.rfind('.') {
        Some(at) if at > 0 => &path[..path.len() - name.len() + at],
        _ => path,
    };
    if ends_with(path, asked) || ends_with(bare, asked) {
        0.95
    } else if asked.contains('/') && inside(path, asked) {
        INSIDE
    } else {
        0.0
    }
}

fn ends_with(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|head| head.is_empty() || head.ends_with('/'))
}

/// Whether some directories of a path are these.
fn inside(path: &str, asked: &str) -> bool {
    path.match_indices(asked).any(|(at, _)| {
        let end = at + asked.len();
        (at == 0 || path[..at].ends_with('/')) && path[end..].starts_with('/')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_asked_for_in_part() {
        for (asked, path, near) in [
            ("src/net/tls.rs", "src/net/tls.rs", 1.0),
            ("net/tls.rs", "src/net/tls.rs", 0.95),
            ("net/tls", "src/net/tls.rs", 0.95),
            ("tls.rs", "src/net/tls.rs", 0.95),
            ("et/tls", "src/net/tls.rs", 0.0),
            ("src/net", "src/net/tls.rs", INSIDE),
            ("net", "src/net/tls.rs", 0.0),
            (".gitignore", ".gitignore", 1.0),
        ] {
            assert_eq!(path_nearness(asked, path, false), near, "{asked} {path}");
        }
        assert_eq!(path_nearness("a/one.txt", "a/*.txt", true), 1.0);
    }

    #[test]
    fn a_definition_is_asked_for_by_its_name() {
        for (query, name, near) in [
            ("readTimeout", "Server.readTimeout", Some(1.0)),
            ("Server.readTimeout", "Server.readTimeout", Some(1.0)),
            ("READTIMEOUT", "readTimeout", Some(OTHER_CASE)),
            ("read_timeout", "readTimeout", Some(OTHER_JOINTS)),
            ("timeout", "readTimeout", None),
            ("$derived", "$derived", Some(1.0)),
            ("where is rgtest! defined", "rgtest", Some(1.0)),
        ] {
            let query = Query::read(query);
            let named = Named { name: name.to_owned(), ..Named::default() };
            assert_eq!(symbol(&query, &named).map(|hit| hit.near), near, "{query:?} {name}");
        }
    }
}
