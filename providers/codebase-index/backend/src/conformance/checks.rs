//! All checks, in the order in which they are told.

mod guard;
mod index;
mod search;
mod standing;
mod sync;

use std::pin::Pin;

use super::{
    Part::{self, Completion, Document},
    asker::{Asker, Held},
};

type Running<'a> = Pin<Box<dyn Future<Output = Held> + Send + 'a>>;

/// Something that has to hold.
pub(super) struct Check {
    pub(super) id: &'static str,
    pub(super) part: Part,
    pub(super) says: &'static str,
    /// Whether it takes logins of two organisations.
    pub(super) of_two: bool,
    pub(super) run: for<'a> fn(&'a Asker) -> Running<'a>,
}

macro_rules! check {
    ($part:ident $id:literal $run:path, $says:literal) => {
        Check { id: $id, part: $part, says: $says, of_two: false, run: |asker| Box::pin($run(asker)) }
    };
}

pub(super) static ALL: &[Check] = &[
    check!(Document "token-is-needed" guard::token, "no data endpoint answers without a token that holds"),
    check!(Document "refusal-says-why" guard::says_why, "an answer that is no success has a plain text or a `message`"),
    check!(Document "refresh-is-guarded" guard::refresh, "a made-up refresh token is refused"),
    check!(Document "new-repository" sync::new, "a repository never seen returns all of its files"),
    check!(Document "sync-is-idempotent" sync::idempotent, "the same /sync twice gives the same answer"),
    check!(Document "unchanged-is-empty" sync::unchanged, "what is indexed and unchanged returns no file"),
    check!(Document "commit-is-enough" sync::commit, "so it does when `gitSha` was the commit's"),
    check!(Document "only-changes" sync::changes, "of a changed repository only changed files return"),
    check!(Document "removed-files" sync::removed, "a file that is gone is named in `removed`, and is not found"),
    check!(Document "repositories-apart" sync::apart, "two repositories of one request are told apart"),
    check!(Document "index-counts" index::counts, "/index says how many chunks it took, none too"),
    check!(Document "chunk-is-replaced" index::replaced, "a chunk sent again replaces the one of its (repo, path, symbol)"),
    check!(Document "file-is-replaced" index::file, "a file sent again replaces its earlier chunks"),
    check!(Document "remove-drops" index::removes, "`remove` drops the chunks of a file"),
    check!(Document "hit-shape" search::shape, "a hit has repo, path, symbol, language, lines, snippet and score"),
    check!(Document "snippet-is-short" search::snippet, "a snippet is about 15 lines of its chunk"),
    check!(Document "filter-repository" search::by_repo, "`repo` leaves other repositories out"),
    check!(Document "filter-language" search::by_lang, "`lang` leaves other languages out"),
    check!(Document "all-repositories" search::across, "without `repo` all repositories are searched"),
    check!(Document "limit" search::limit, "`limit` bounds the results, and is 10 where it is absent"),
    check!(Completion "null-is-absent" guard::null, "an optional field that is null is as if it were absent"),
    check!(Completion "unknown-fields" guard::unknown, "a field that nobody knows is ignored"),
    check!(Completion "bad-body" guard::bad, "what is no JSON, or not of its schema, is 400"),
    check!(Completion "media-type" guard::media, "a body that does not say it is JSON is 415"),
    check!(Completion "no-such-endpoint" guard::nowhere, "another path is 404, another method 405"),
    check!(Completion "refusal-has-code" guard::code, "a refusal is JSON with `message` and `code`"),
    check!(Completion "foreign-redirect" guard::redirect, "a login never sends tokens to another machine"),
    check!(Completion "health" guard::health, "/health says model and limits, to who has a token"),
    check!(Completion "root-only-unchanged" sync::root_unchanged, "a known root without files returns nothing"),
    check!(Completion "root-only-waiting" sync::root_waiting, "a known root returns the files that are still waited for"),
    check!(Completion "root-only-other" sync::root_other, "another root without files returns all known paths"),
    check!(Completion "root-only-unknown" sync::root_unknown, "an unknown repository without files is 422"),
    check!(Completion "no-files-left" sync::emptied, "`files: []` removes every file"),
    check!(Completion "sync-twice-in-one" sync::duplicates, "a repository or a path twice in one /sync is 400"),
    check!(Completion "nothing-to-index" index::empty, "`remove` of a listed path says that it has nothing to index"),
    check!(Completion "held-already" standing::held, "what another checkout brought is not asked for again"),
    check!(Completion "checkouts-apart" standing::apart, "two checkouts do not overwrite each other"),
    check!(Completion "views-choose" standing::views, "`views` choose the checkout; else the latest is searched"),
    check!(Completion "no-gap" standing::gap, "the old version is found until the new one is whole"),
    check!(Completion "file-in-parts" standing::parts, "a file is held once `fileChunks` chunks of it have come"),
    check!(Completion "same-chunk-twice" index::duplicate, "the same chunk twice in one request is 400"),
    check!(Completion "not-listed" index::not_listed, "a chunk without a hash, of a path that /sync did not list, is 422"),
    check!(Completion "too-much-at-once" index::limits, "more chunks or content than /health says is 413"),
    check!(Completion "best-first" search::order, "scores are from 0 to 1, the best first"),
    check!(Completion "best-lines" search::lines, "the snippet is the part that matches, with its own lines"),
    check!(Completion "file-hash" search::hash, "a hit says which version of its file was indexed"),
    check!(Completion "unknown-filters" search::unknown, "an unknown repository or language finds nothing"),
    check!(Completion "question-limits" search::range, "an empty or long question, or a limit out of range, is refused"),
    check!(Completion "mode" search::mode, "a reply says by what was searched"),
    Check {
        of_two: true,
        ..check!(Completion "organisations-apart" standing::organisations, "an organisation learns nothing of another's code, names and hashes")
    },
];
