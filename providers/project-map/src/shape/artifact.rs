//! A whole artifact as its file has it: header, text, notes.

use ctxhost_sdk::protocol::tokens;

use super::{
    header::{GENERATION, Header, own_hash},
    level, notes,
};
use crate::select::pair::{Kind, Page, Pair};

/// The tokens of an artifact: enough for a directory's routes, and for the root's, which everybody reads.
pub(crate) fn budget(dir: &str, kind: Kind) -> u64 {
    match (dir.is_empty(), kind) {
        (false, Kind::Index) => 600,
        (true, Kind::Index) | (false, Kind::Map) => 1_500,
        (true, Kind::Map) => 3_000,
    }
}

/// What stands on disk for a pair.
pub(crate) fn file(pair: &Pair, kind: Kind, notes: Option<&str>) -> String {
    let body = body(pair, kind);
    let header = Header {
        kind,
        dir: pair.dir.clone(),
        generation: GENERATION,
        files: pair.files,
        patterns: pair.patterns,
        inputs: pair.inputs,
        own: own_hash(&body),
    };
    format!("{}\n{body}\n{}", header.write(), notes::region(notes.unwrap_or_default()))
}

/// A file's text with other notes in it; a text without a region has none.
pub(crate) fn with_notes(file: &str, notes: Option<&str>) -> String {
    // Nothing in our own text is a mark.
    let at = file.find(&format!("\n{}\n", notes::BEGIN));
    at.map_or_else(
        || file.to_owned(),
        |at| format!("{}{}", &file[..=at], notes::region(notes.unwrap_or_default())),
    )
}

/// The text between header and notes, within the artifact's budget.
pub(crate) fn body(pair: &Pair, kind: Kind) -> String {
    level::fit(page(pair, kind), kind, budget(&pair.dir, kind)).1
}

/// One of the two pages.
pub(crate) fn page(pair: &Pair, kind: Kind) -> &Page {
    match kind {
        Kind::Index => &pair.index,
        Kind::Map => &pair.map,
    }
}

/// What a file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Read {
    /// The whole text with plain line ends; git may have given it others.
    pub(crate) whole: String,
    /// The text without header and notes.
    pub(crate) body: String,
    pub(crate) header: Option<Header>,
    /// Whether the text is what was once written.
    pub(crate) intact: bool,
    /// The notes; `None` where there is no region.
    pub(crate) notes: Option<String>,
    /// Whether the marks of the notes are as they should be.
    pub(crate) sound: bool,
}

/// Reads a file's bytes. Those that are no text are not rewritten, and their notes not used: whoever does refuses them.
pub(crate) fn read(bytes: &[u8]) -> Read {
    let whole = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    let (first, rest) = whole.split_once('\n').unwrap_or((&whole, ""));
    let header = Header::read(first);
    let text = if header.is_some() { rest } else { &whole };
    let divided = notes::divide(text, header.as_ref().map(|header| &header.own));
    let intact = header.as_ref().is_some_and(|header| header.own == own_hash(&divided.body));
    let notes::Divided { body, notes, sound } = divided;
    Read { body, header, intact, notes, sound, whole }
}

/// By how much a text is larger than its artifact may be, as its tokens and what it may have.
pub(crate) fn excess(dir: &str, kind: Kind, body: &str) -> Option<(u64, u64)> {
    let (tokens, most) = (tokens::estimate(body.trim_end()), budget(dir, kind));
    (tokens > most).then_some((tokens, most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::pair::{Heading, Item, Part};

    fn pair() -> Pair {
        let items =
            vec![Item { path: "src/a.rs".to_owned(), text: "Does it.".to_owned(), ..Item::default() }];
        let page = Page {
            title: "src".to_owned(),
            purpose: "Things.".to_owned(),
            parts: vec![Part { heading: Heading::Files, items, left_out: 0 }],
        };
        Pair {
            dir: "src".to_owned(),
            files: 1,
            inputs: [1; 32],
            index: page.clone(),
            map: page,
            ..Pair::default()
        }
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        for notes in ["", "mine\n", "a\n\nb\n"] {
            for ends in ["\n", "\r\n"] {
                let text = file(&pair(), Kind::Map, Some(notes));
                let read = read(text.replace('\n', ends).as_bytes());
                assert!(read.intact && read.sound);
                assert_eq!(read.whole, text);
                assert_eq!(read.notes.as_deref(), Some(notes));
                assert_eq!(read.header.as_ref().map(|header| header.dir.as_str()), Some("src"));
                assert_eq!(crate::shape::page::parse(&read.body, Kind::Map), pair().map);
            }
        }
    }

    #[test]
    fn a_hand_in_the_text_is_seen_and_one_in_the_notes_is_not() {
        let text = file(&pair(), Kind::Index, None);
        let intact = |text: String| read(text.as_bytes()).intact;
        assert!(!intact(text.replace("Does it.", "Does that.")));
        assert!(!intact(text.clone() + "more\n"));
        assert!(intact(text.replace("<!-- notes:end", "mine\n<!-- notes:end")));
        assert!(!intact(text[..text.len() / 2 + 100].to_owned()));
        assert!(!intact(text.lines().skip(1).collect::<Vec<_>>().join("\n")));
        assert!(!read(b"\xff\xfe").intact && !read(b"").intact);
    }

    #[test]
    fn the_text_keeps_its_budget() {
        let mut large = pair();
        let item = |number: usize| Item {
            path: format!("src/file-{number}.rs"),
            text: "x".repeat(90),
            ..Item::default()
        };
        large.index.parts[0].items = (0..2000).map(item).collect();
        let body = body(&large, Kind::Index);
        assert_eq!(excess("src", Kind::Index, &body), None);
        assert!(tokens::estimate(&body) > 550);
    }
}
