//! What is written is read again, whatever is in it.

use proptest::prelude::*;

use super::*;
use crate::select::{inventory::Named, pair::Role};

/// Pieces that names and texts of a hostile project are made of.
const HOSTILE: &[&str] = &[
    "a",
    "Z9",
    "é",
    "日本",
    " ",
    "  ",
    "\n",
    "\r\n",
    "\t",
    "`",
    "``",
    "<!--",
    "-->",
    "<!",
    "--",
    "#",
    "# ",
    "## Files",
    "- ",
    " - ",
    " -",
    "-",
    "(",
    ")",
    "(entry)",
    "(2 files)",
    ", ",
    ",",
    "%",
    "%41",
    "%FF",
    "…",
    "… and 3 more",
    "L12",
    "function",
    "<!-- notes:begin -->",
    "<!-- notes:end -->",
    "\u{202E}",
    "\u{200B}",
    "\0",
    "\u{1b}[31m",
    "\\",
    "\"",
    "'",
    "/",
    ".",
    "..",
    "&",
    "]]>",
    "pi-map v1",
    "```\n",
];

fn hostile() -> impl Strategy<Value = String> {
    let pieces =
        prop::collection::vec(prop::sample::select(HOSTILE), 0..6).prop_map(|pieces| pieces.concat());
    prop_oneof![4 => pieces, 1 => any::<String>()]
}

fn symbol() -> impl Strategy<Value = Named> {
    (hostile(), hostile(), any::<bool>(), 0..200u32).prop_map(|(name, kind, public, line)| Named {
        name,
        kind,
        public,
        line,
    })
}

fn item() -> impl Strategy<Value = Item> {
    let role = prop::option::of(prop::sample::select(Role::ALL.to_vec()));
    let tags = prop::collection::vec(hostile(), 0..3);
    let symbols = prop::collection::vec(symbol(), 0..3);
    (prop::option::of(hostile()), role, 0..3u32, prop::option::of(hostile()), tags, symbols).prop_map(
        |(path, role, count, text, tags, symbols)| Item {
            path: path.unwrap_or_default(),
            role,
            count,
            text: text.unwrap_or_default(),
            tags,
            symbols,
        },
    )
}

/// Any page, of whatever strings.
pub(in crate::shape) fn any_page() -> impl Strategy<Value = Page> {
    let part = (prop::sample::select(Heading::ALL.to_vec()), prop::collection::vec(item(), 0..5), 0..3u32)
        .prop_map(|(heading, items, left_out)| Part { heading, items, left_out });
    (hostile(), hostile(), prop::collection::vec(part, 0..4)).prop_map(|(title, purpose, parts)| Page {
        title,
        purpose,
        parts,
    })
}

fn any_kind() -> impl Strategy<Value = Kind> {
    prop::sample::select(Kind::BOTH.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_page_is_read_as_it_was_written(page in any_page(), kind in any_kind()) {
        let written = as_written(&page);
        prop_assert_eq!(&as_written(&written), &written);
        let text = write(&page, kind);
        prop_assert_eq!(&write(&written, kind), &text);
        prop_assert_eq!(&parse(&text, kind), &written, "{}", text);
        prop_assert_eq!(parse(&text.replace('\n', "\r\n"), kind), written);
    }

    #[test]
    fn any_text_can_be_read(text in prop::collection::vec(hostile(), 0..30), kind in any_kind()) {
        let page = parse(&text.join("\n"), kind);
        prop_assert_eq!(&parse(&write(&page, kind), kind), &page);
    }
}

fn example() -> Page {
    let symbol = |name: &str, kind: &str, line| Named {
        name: name.to_owned(),
        kind: kind.to_owned(),
        public: true,
        line,
    };
    Page {
        title: "src/net".to_owned(),
        purpose: "Talks to the network.".to_owned(),
        parts: vec![
            Part {
                heading: Heading::Tags,
                items: vec![Item { tags: vec!["http".to_owned(), "c#".to_owned()], ..Item::default() }],
                left_out: 0,
            },
            Part {
                heading: Heading::Files,
                items: vec![
                    Item {
                        path: "src/net/client.rs".to_owned(),
                        role: Some(Role::Entry),
                        text: "The client - (really).".to_owned(),
                        symbols: vec![symbol("Client", "struct", 12), symbol("Client.connect", "fn", 40)],
                        ..Item::default()
                    },
                    Item {
                        path: "src/net/data/*.json".to_owned(),
                        role: Some(Role::Data),
                        count: 12,
                        tags: vec!["json".to_owned()],
                        ..Item::default()
                    },
                    Item { text: "(entry)".to_owned(), ..Item::default() },
                    Item { text: "cargo test runs all".to_owned(), ..Item::default() },
                ],
                left_out: 3,
            },
        ],
    }
}

#[test]
fn a_page_looks_like_this() {
    let text = "# Index: src/net\nTalks to the network.\n\n## Tags\n- #http #c#\n\n## Files\n\
        - `src/net/client.rs` (entry) - The client - (really). - `Client` struct L12, `Client.connect` fn L40\n\
        - `src/net/data/*.json` (data, 12 files, #json)\n\
        - - (entry)\n\
        - cargo test runs all\n\
        … and 3 more\n";
    assert_eq!(write(&example(), Kind::Index), text);
    assert_eq!(parse(text, Kind::Index), example());
}

#[test]
fn what_a_person_wrote_between_is_left_out_or_is_text() {
    let text = "# Index: x\n## Files\n- see `a` and `b`\n* star\nprose\n\n## Mine\n- `x`\n## Tests\n- `t/`\n";
    let page = parse(text, Kind::Index);
    let headings: Vec<Heading> = page.parts.iter().map(|part| part.heading).collect();
    assert_eq!(headings, [Heading::Files, Heading::Tests]);
    assert_eq!(page.parts[0].items[0].text, "see 'a' and 'b'");
    assert_eq!(page.parts[1].items[0].path, "t/");
    assert_eq!(parse("", Kind::Map), Page::default());
}
