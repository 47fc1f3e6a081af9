//! What a backend found, held against the files that are here: nothing it says is believed before.

use std::path::Path;

use ctxhost_sdk::protocol::codebase_index::{SearchHit, limits};

use super::{files, workspace::Repo};

/// A snippet has about fifteen lines; more is cut.
const LONGEST_SNIPPET: usize = 16 << 10;

/// A hit, and where it is here.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hit {
    /// As the backend said it, without what no document may carry.
    pub(crate) found: SearchHit,
    /// How a person here would name the file.
    pub(crate) shown: String,
    /// The file below the session's folder, when it is there.
    pub(crate) source: Option<String>,
    /// Whether the file here is another than the one that was indexed.
    pub(crate) stale: bool,
    /// Whether the file should be here and is not.
    pub(crate) gone: bool,
}

/// Looks at each hit's file. Hits that name no file are left out.
pub(crate) fn look(found: Vec<SearchHit>, repos: &[Repo], cwd: &Path) -> Vec<Hit> {
    let cwd = cwd.canonicalize().unwrap_or_else(|_| cwd.to_owned());
    found
        .into_iter()
        .take(limits::RESULTS as usize)
        .filter_map(sound)
        .map(|hit| place(hit, repos, &cwd))
        .collect()
}

fn place(found: SearchHit, repos: &[Repo], cwd: &Path) -> Hit {
    let ours = repos.iter().find(|repo| {
        repo.name == found.repo && found.reference.as_ref().is_none_or(|theirs| *theirs == repo.reference)
    });
    let Some(repo) = ours else {
        let shown = format!("{}/{}", found.repo, found.path);
        return Hit { found, shown, source: None, stale: false, gone: false };
    };
    let path = repo.root.join(&found.path);
    let gone = path.symlink_metadata().is_err();
    let stale = gone || files::stale(repo, &found);
    let below = path.strip_prefix(cwd).ok().and_then(Path::to_str).map(str::to_owned);
    let shown = below.clone().unwrap_or_else(|| path.to_string_lossy().into_owned());
    Hit { found, shown, source: below, stale, gone }
}

/// A hit that documents can carry: a path inside its repository, names on one line, a snippet of bounded length.
fn sound(mut hit: SearchHit) -> Option<SearchHit> {
    hit.lang = hit.lang.filter(|lang| is_name(lang));
    hit.reference = hit.reference.filter(|reference| is_name(reference));
    if hit.symbol.is_empty() {
        hit.symbol.clone_from(&hit.path);
    }
    hit.symbol = hit.symbol.chars().filter(|letter| !letter.is_control()).take(limits::NAME).collect();
    hit.snippet.truncate(hit.snippet.floor_char_boundary(LONGEST_SNIPPET));
    if hit.line_end < hit.line_start {
        hit.line_end = hit.line_start;
    }
    if hit.snippet_end < hit.snippet_start {
        hit.snippet_end = hit.snippet_start;
    }
    let is_sound =
        is_name(&hit.repo) && is_path(&hit.path) && !hit.symbol.is_empty() && hit.score.is_finite();
    is_sound.then_some(hit)
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().count() <= limits::NAME && !name.contains(char::is_control)
}

fn is_path(path: &str) -> bool {
    let parts = path.split('/').all(|part| !matches!(part, "" | "." | ".."));
    parts && path.chars().count() <= limits::PATH && !path.contains(['\0', '\n'])
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::select::root::hex;

    fn hit(repo: &str, path: &str) -> SearchHit {
        SearchHit {
            repo: repo.to_owned(),
            path: path.to_owned(),
            symbol: "f".to_owned(),
            snippet: "fn f() {}".to_owned(),
            ..SearchHit::default()
        }
    }

    #[test]
    fn hits_are_held_against_the_files_here() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        fs::create_dir(root.join("src")).unwrap();
        fs::write(root.join("src/a.rs"), "fn f() {}\n").unwrap();
        let repo = Repo { name: "a/b".to_owned(), root: root.clone(), reference: "0f".to_owned() };
        let check = |hit: SearchHit, shown: &str, source: Option<&str>, stale: bool, gone: bool| {
            let hits = look(vec![hit.clone()], std::slice::from_ref(&repo), &root.join("src"));
            let got = &hits[0];
            assert_eq!((got.shown.as_str(), got.source.as_deref()), (shown, source), "{hit:?}");
            assert_eq!((got.stale, got.gone), (stale, gone), "{hit:?}");
        };
        check(hit("a/b", "src/a.rs"), "a.rs", Some("a.rs"), false, false);
        let hash = hex(&<[u8; 32]>::from(<sha2::Sha256 as sha2::Digest>::digest(b"fn f() {}\n")));
        check(
            SearchHit { file_hash: Some(hash), ..hit("a/b", "src/a.rs") },
            "a.rs",
            Some("a.rs"),
            false,
            false,
        );
        let other = SearchHit { file_hash: Some("0".repeat(64)), ..hit("a/b", "src/a.rs") };
        check(other, "a.rs", Some("a.rs"), true, false);
        check(hit("a/b", "src/gone.rs"), "gone.rs", Some("gone.rs"), true, true);
        let above = root.join("c.rs").to_string_lossy().into_owned();
        check(hit("a/b", "c.rs"), &above, None, true, true);
        check(hit("x/y", "src/a.rs"), "x/y/src/a.rs", None, false, false);
        // Another checkout's file is not this one.
        let theirs = SearchHit { reference: Some("1e".to_owned()), ..hit("a/b", "src/a.rs") };
        check(theirs, "a/b/src/a.rs", None, false, false);
    }

    #[test]
    fn what_no_document_may_carry_is_left_out() {
        let kept = |hit: SearchHit| look(vec![hit], &[], Path::new("/"));
        for path in ["../a", "/etc/passwd", "a//b", "a/./b", "", "a\nb", "a/"] {
            assert!(kept(hit("r", path)).is_empty(), "{path:?}");
        }
        assert!(kept(hit("", "a")).is_empty() && kept(hit("a\u{1b}", "a")).is_empty());
        let odd = SearchHit {
            symbol: "a\u{1b}[1m".to_owned(),
            lang: Some(String::new()),
            snippet: "é".repeat(LONGEST_SNIPPET),
            line_start: Some(5),
            line_end: Some(2),
            ..hit("r", "a")
        };
        let found = kept(odd).remove(0).found;
        assert_eq!((found.symbol.as_str(), found.lang, found.line_end), ("a[1m", None, Some(5)));
        assert!(found.snippet.len() <= LONGEST_SNIPPET);
    }
}
