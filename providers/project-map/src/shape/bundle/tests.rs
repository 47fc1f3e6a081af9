use proptest::prelude::*;

use super::*;
use crate::select::{
    pair::{Page, Part},
    score,
};

fn named(name: &str, line: u32) -> Named {
    Named { name: name.to_owned(), kind: "function".to_owned(), public: true, line }
}

fn pair(dir: &str, purpose: &str, headings: &[(Heading, Vec<Item>)], map: &[(Heading, Vec<Item>)]) -> Pair {
    let page = |parts: &[(Heading, Vec<Item>)]| Page {
        title: dir.to_owned(),
        purpose: purpose.to_owned(),
        parts: parts
            .iter()
            .map(|(heading, items)| Part { heading: *heading, items: items.clone(), left_out: 0 })
            .collect(),
    };
    Pair { dir: dir.to_owned(), index: page(headings), map: page(map), ..Pair::default() }
}

fn item(path: &str, text: &str) -> Item {
    Item { path: path.to_owned(), text: text.to_owned(), ..Item::default() }
}

fn project() -> Vec<Pair> {
    let tls = Item {
        role: Some(Role::Source),
        symbols: vec![named("load_chain", 12), named("verify", 40)],
        ..item("src/net/tls.rs", "Checks certificates.")
    };
    let tags = Item { tags: vec!["tls".to_owned()], ..Item::default() };
    vec![
        pair(
            "",
            "Serves names.",
            &[(
                Heading::Routes,
                vec![Item { count: 2, ..item("src/net/", "Talks to the network.") }, item("docs/", "")],
            )],
            &[],
        ),
        pair(
            "src/net",
            "Talks to the network.",
            &[
                (Heading::Tags, vec![tags]),
                (Heading::Files, vec![tls, item("src/net/dns.rs", "Looks up names.")]),
                (Heading::Workflows, vec![item("", "to renew certificates: make certs")]),
            ],
            &[
                (Heading::DependsOn, vec![item("src/store/", "certificates in 3 files")]),
                (Heading::Conventions, vec![item("", "formatted by rustfmt")]),
            ],
        ),
    ]
}

fn made(pairs: &[Pair], query: &str, budget: u64, changed: &[String]) -> (String, Bundle) {
    let found = score::find(pairs, query);
    let path =
        |dir: &str, kind: Kind| format!("{dir}/{}", kind.file_name()).trim_start_matches('/').to_owned();
    bundle(&Ask {
        noted: &[],
        query,
        pairs,
        found: &found,
        changed,
        path: &path,
        is_there: &|_| true,
        complete: true,
        fresh: true,
        budget,
    })
}

#[test]
fn a_bundle_goes_from_indexes_to_files() {
    let (text, document) = made(&project(), "how are certificates checked", 4_000, &[]);
    assert_eq!(
        text,
        "\
# Context bundle
Query: how are certificates checked

## Indexes
### `src/net`: `src/net/.pi-map.index.md`
Talks to the network.
#### Tags
- #tls
#### Workflows
- to renew certificates: make certs

## Maps
### `src/net`
#### Depends on
- `src/store/` - certificates in 3 files

## Files
- `src/net/tls.rs` (source) - Checks certificates. - `load_chain` L12, `verify` L40

Index routes, map orients, source decides: read a file before you edit it or say what it does.
"
    );
    assert!(document.found && document.complete);
    assert_eq!(document.tokens, tokens::estimate(&text));
    assert_eq!(document.indexes[0].headings, ["Tags", "Workflows"]);
    assert_eq!(
        (document.maps[0].dir.as_str(), document.maps[0].path.as_str()),
        ("src/net", "src/net/.pi-map.md")
    );
    assert_eq!(
        (document.files[0].path.as_str(), document.files[0].dir.as_str()),
        ("src/net/tls.rs", "src/net")
    );
}

#[test]
fn nothing_is_said_and_routes_are_given() {
    let (text, document) = made(&project(), "quantum kubernetes", 4_000, &[]);
    assert_eq!(
        text,
        "\
# Context bundle
Query: quantum kubernetes

Nothing in the maps matches. The root's routes:
- `src/net/` - Talks to the network.
- `docs/`

Index routes, map orients, source decides: read a file before you edit it or say what it does.
"
    );
    assert!(!document.found && document.files.is_empty() && document.indexes.is_empty());
    assert_eq!(
        (document.routes.len(), document.routes[0].dir.as_str(), document.routes[0].files),
        (2, "src/net", 2)
    );
}

#[test]
fn changed_files_and_lines_are_marked() {
    let (text, _) = made(&project(), "src/net/tls.rs:41", 4_000, &["src/net/tls.rs".to_owned()]);
    assert!(
        text.contains("- `src/net/tls.rs` line 41 (source, changed since the map) - Checks certificates. - `verify` L40, `load_chain` L12\n"),
        "{text}"
    );
}

#[test]
fn what_is_gone_is_in_no_excerpt() {
    let pairs = project();
    let found = score::find(&pairs, "how are certificates checked");
    let shown = |gone: &'static str| {
        let ask = Ask {
            noted: &[],
            query: "how are certificates checked",
            pairs: &pairs,
            found: &found,
            changed: &[],
            path: &|_, kind| kind.file_name().to_owned(),
            is_there: &|path| path != gone,
            complete: true,
            fresh: true,
            budget: 4_000,
        };
        bundle(&ask).0
    };
    assert!(shown("").contains("- `src/store/`"), "{}", shown(""));
    assert!(!shown("src/store/").contains("src/store"), "{}", shown("src/store/"));
}

#[test]
fn a_small_budget_names_the_file() {
    let (text, _) = made(&project(), "how are certificates checked", 50, &[]);
    assert!(text.contains("`src/net/tls.rs`") && text.ends_with(TRUST), "{text}");
}

#[test]
fn what_pages_and_queries_say_breaks_out_of_nothing() {
    let mut pairs = project();
    pairs[1].index.parts[1]
        .items
        .push(item("src/net/`x`\n# y.rs", "<!-- pi --> certificates `and\n## Files"));
    let (text, _) = made(&pairs, "certificates <!-- `x`\n\n# Context bundle", 4_000, &[]);
    assert!(!text.contains("<!--") && text.matches("# Context bundle\n").count() == 2, "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("# ")).count(), 1, "{text}");
    assert_eq!(text.matches("\n## Files\n").count(), 1, "{text}");
}

/// Many directories with many files, all of which match something.
fn large(dirs: usize, files: usize, text: &str) -> Vec<Pair> {
    let files = |dir: &str| -> Vec<Item> {
        let one = |at: usize| Item {
            role: Some(Role::Source),
            symbols: vec![named(&format!("parse_{at}"), 3), named("certificate_of", 9)],
            tags: vec!["net".to_owned()],
            ..item(&format!("{dir}/file_{at}.rs"), text)
        };
        (0..files).map(one).collect()
    };
    let one = |at: usize| {
        let dir = format!("src/part_{at}");
        pair(
            &dir,
            text,
            &[(Heading::Files, files(&dir)), (Heading::Workflows, vec![item("", text)])],
            &[(Heading::KeyFiles, files(&dir)), (Heading::Conventions, vec![item("", text); 9])],
        )
    };
    let routes = (0..dirs).map(|at| item(&format!("src/part_{at}/"), text)).collect();
    [pair("", text, &[(Heading::Routes, routes)], &[])].into_iter().chain((0..dirs).map(one)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_bundle_is_over_its_budget(
        budget in 50_u64..6_000,
        dirs in 0_usize..6,
        files in 0_usize..30,
        text in ".{0,200}|certificates of the network( and more){0,30}|(日本語の証明書){1,40}",
        query in "certificate|parse_3|what.{0,40}certificates|zzzz|日本語|.{0,400}|src/part_1/file_2.rs:7",
    ) {
        let pairs = large(dirs, files, &text);
        let (text, document) = made(&pairs, &query, budget, &[]);
        prop_assert!(tokens::estimate(&text) <= budget, "{} of {budget}:\n{text}", tokens::estimate(&text));
        prop_assert!(text.ends_with(TRUST) || text.ends_with(TRUST_FULL));
        prop_assert_eq!(document.limit, budget);
    }
}

#[test]
fn room_is_used() {
    let pairs = large(6, 30, "certificates of the network and what they are for, in one long sentence");
    let (text, document) = made(&pairs, "certificates of the network", 1_500, &[]);
    assert!(document.tokens > 1_000, "{} tokens:\n{text}", document.tokens);
    assert_eq!((document.indexes.len(), document.maps.len(), document.files.len()), (3, 2, 12));
}
