//! What people see all the time.

use ctxhost_sdk::protocol::pilot_index::{Index, Method};

/// What besides the index is worth to be seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    /// Whether retrieval is switched on.
    pub(crate) enabled: bool,
    /// What the memory does, in a few words.
    pub(crate) memory: String,
    /// What is wrong with the index.
    pub(crate) problems: Vec<String>,
}

/// The document's footer text, and what a bubble shows.
pub(crate) fn status(index: &Index, standing: &Standing) -> (String, String) {
    let loading = !index.complete && index.files == 0;
    let text = if loading { "pilot: loading...".to_owned() } else { format!("pilot:{}s", index.symbols) };
    (text, detail(index, standing).join("\n"))
}

fn detail(index: &Index, standing: &Standing) -> Vec<String> {
    let mut lines = vec![format!("{} files, {} definitions", index.files, index.symbols)];
    if !index.complete && index.total == 0 {
        lines.push("the files are being looked at".to_owned());
    } else if !index.complete {
        lines.push(format!("indexing: {} of {} files", index.indexed, index.total));
    }
    if !standing.enabled {
        lines.push("retrieval is switched off; index-status switches it on".to_owned());
    }
    if !standing.memory.is_empty() {
        lines.push(format!("memory: {}", standing.memory));
    }
    lines.extend(without_grammar(index));
    lines.extend(standing.problems.iter().cloned());
    lines
}

/// Which languages are not parsed, and what is done instead.
pub(crate) fn without_grammar(index: &Index) -> Vec<String> {
    let of = |method: Method| {
        let names: Vec<&str> =
            index.languages.iter().filter(|l| l.method == method).map(|l| l.id.as_str()).take(12).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let family =
        of(Method::Family).map(|names| format!("definitions by patterns, without a grammar: {names}"));
    let none = of(Method::None).map(|names| format!("found by words alone: {names}"));
    family.into_iter().chain(none).collect()
}

#[cfg(test)]
mod tests {
    use ctxhost_sdk::protocol::pilot_index::LanguageState;

    use super::*;

    fn check(index: &Index, enabled: bool, text: &str, detail: &str) {
        let standing = Standing { enabled, memory: "3 episodes".to_owned(), problems: Vec::new() };
        assert_eq!(status(index, &standing), (text.to_owned(), detail.to_owned()));
    }

    #[test]
    fn the_footer_says_what_the_document_says() {
        check(
            &Index::default(),
            true,
            "pilot: loading...",
            "0 files, 0 definitions\nthe files are being looked at\nmemory: 3 episodes",
        );
        let whole = Index { files: 2, symbols: 7, complete: true, ..Index::default() };
        check(&whole, true, "pilot:7s", "2 files, 7 definitions\nmemory: 3 episodes");
        check(
            &whole,
            false,
            "pilot:7s",
            "2 files, 7 definitions\nretrieval is switched off; index-status switches it on\nmemory: 3 episodes",
        );
        let empty = Index { complete: true, ..Index::default() };
        check(&empty, true, "pilot:0s", "0 files, 0 definitions\nmemory: 3 episodes");
    }

    #[test]
    fn languages_that_are_not_parsed_are_named() {
        let language =
            |id: &str, method| LanguageState { id: id.to_owned(), method, ..LanguageState::default() };
        let index = Index {
            languages: vec![
                language("ada", Method::Family),
                language("rust", Method::Grammar),
                language("text", Method::None),
            ],
            ..Index::default()
        };
        assert_eq!(
            without_grammar(&index),
            ["definitions by patterns, without a grammar: ada", "found by words alone: text"]
        );
    }
}
