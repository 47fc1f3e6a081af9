use ctxhost_sdk::protocol::project_map::Field;

use super::*;
use crate::select::pair::{Heading, Page, Part};

fn item(path: &str, text: &str, symbols: &[&str]) -> Item {
    let named = |(at, name): (usize, &&str)| Named {
        name: (*name).to_owned(),
        kind: "function".to_owned(),
        public: true,
        line: 10 * (at as u32 + 1),
    };
    let symbols = symbols.iter().enumerate().map(named).collect();
    Item { path: path.to_owned(), text: text.to_owned(), symbols, ..Item::default() }
}

fn of_role(role: Role, item: Item) -> Item {
    Item { role: Some(role), ..item }
}

fn pair(dir: &str, purpose: &str, tags: &[&str], files: Vec<Item>) -> Pair {
    let part = |heading, items| Part { heading, items, left_out: 0 };
    let tags = Item { tags: tags.iter().map(|tag| (*tag).to_owned()).collect(), ..Item::default() };
    let page = |parts| Page { title: dir.to_owned(), purpose: purpose.to_owned(), parts };
    let index = page(vec![part(Heading::Tags, vec![tags]), part(Heading::Files, files)]);
    Pair { dir: dir.to_owned(), index, map: page(Vec::new()), ..Pair::default() }
}

/// A project with a bit of everything.
fn project() -> Vec<Pair> {
    let mut root = pair(
        "",
        "Serves names.",
        &["names"],
        vec![
            of_role(Role::Doc, item("README.md", "How to begin.", &[])),
            item("build.rs", "Stamps the version.", &["stamp"]),
        ],
    );
    let hint =
        |path: &str, text: &str| Item { path: path.to_owned(), text: text.to_owned(), ..Item::default() };
    root.index.parts.push(Part {
        heading: Heading::Routes,
        items: vec![hint("src/net/", "Talks to the network."), hint("src/store/", "Keeps names on disk.")],
        left_out: 0,
    });
    root.index.parts.push(Part {
        heading: Heading::Workflows,
        items: vec![hint("", "to publish a release: cargo release")],
        left_out: 0,
    });
    let family =
        Item { count: 40, ..of_role(Role::Test, item("src/net/samples/*.pem", "certificates", &[])) };
    vec![
        root,
        pair(
            "src/net",
            "Talks to the network.",
            &["tls", "socket"],
            vec![
                item("src/net/tls.rs", "Checks certificates.", &["Store.verify", "load_chain"]),
                item("src/net/read_timeout.rs", "How long to wait.", &["ReadTimeout", "wait"]),
                item("src/net/retry.rs", "", &["retryAfter", "backoff"]),
                of_role(
                    Role::Test,
                    item("src/net/tls_test.rs", "", &["verifies_certificates", "certificate_chain"]),
                ),
                of_role(Role::Generated, item("src/net/codes.rs", "Codes of alerts.", &["alert"])),
                family,
            ],
        ),
        pair(
            "src/store",
            "Keeps names on disk.",
            &["disk"],
            vec![
                item("src/store/mod.rs", "Opens the store.", &["Store", "open"]),
                item("src/store/alert.rs", "Warns about a full disk.", &["Alert"]),
            ],
        ),
    ]
}

fn paths(found: &Found) -> Vec<&str> {
    found.files.iter().map(|file| file.path.as_str()).collect()
}

/// The first file that is found, and the directory.
#[track_caller]
fn check(query: &str, file: &str, dir: &str) {
    let pairs = project();
    let found = find(&pairs, query);
    assert_eq!(paths(&found).first().copied(), Some(file), "{query}: {:#?}", found.files);
    assert_eq!(found.dirs.first().map(|dir| dir.dir.as_str()), Some(dir), "{query}: {:?}", found.dirs);
}

#[test]
fn whole_names_go_first() {
    check("src/net/tls.rs", "src/net/tls.rs", "src/net");
    check("net/tls", "src/net/tls.rs", "src/net");
    check("tls.rs", "src/net/tls.rs", "src/net");
    check(
        "what is wrong at src/store/mod.rs:10 when the tls certificates load",
        "src/store/mod.rs",
        "src/store",
    );
    check("load_chain", "src/net/tls.rs", "src/net");
    check("LoadChain", "src/net/tls.rs", "src/net");
    check("Store.verify", "src/net/tls.rs", "src/net");
    check("Store", "src/store/mod.rs", "src/store");
    check("who uses retry_after when the network is down", "src/net/retry.rs", "src/net");
    check("readTimeout", "src/net/read_timeout.rs", "src/net");
}

#[test]
fn words_find_what_is_said() {
    check("how are certificates checked", "src/net/tls.rs", "src/net");
    check("waiting too long", "src/net/read_timeout.rs", "src/net");
    check("what warns about a full disk", "src/store/alert.rs", "src/store");
    check("stamping versions", "build.rs", "");
    check("how to begin", "README.md", "");
}

#[test]
fn directories_are_found_by_what_they_say() {
    let pairs = project();
    for (query, dir) in [
        ("socket", "src/net"),
        ("network", "src/net"),
        ("publishing a release", ""),
        ("src/store", "src/store"),
    ] {
        let found = find(&pairs, query);
        assert_eq!(found.dirs[0].dir, dir, "{query}: {:?}", found.dirs);
    }
}

#[test]
fn tests_and_generated_code_step_back_unless_they_are_named() {
    check("certificate chain", "src/net/tls.rs", "src/net");
    check("tests of the certificate chain", "src/net/tls_test.rs", "src/net");
    check("alert", "src/store/alert.rs", "src/store");
    check("codes.rs", "src/net/codes.rs", "src/net");
}

#[test]
fn a_family_stands_for_its_files() {
    let pairs = project();
    let found = find(&pairs, "src/net/samples/expired.pem");
    assert_eq!(paths(&found)[0], "src/net/samples/*.pem");
    assert_eq!(found.files[0].count, 40);
    // A file that is known by itself is found by itself, few of a kind.
    let more: Vec<FileFacts> = (0..40)
        .map(|number| FileFacts {
            path: format!("src/net/samples/expired{number}.pem"),
            ..FileFacts::default()
        })
        .collect();
    let found = find_with(&pairs, &[], &more, &NoTexts, "expired pem");
    assert_eq!(
        found.files.iter().filter(|file| file.path.contains("samples/expired")).count(),
        2,
        "{:?}",
        paths(&found)
    );
    let found = find_with(&pairs, &[], &more, &NoTexts, "samples/expired7.pem");
    assert_eq!(paths(&found)[0], "src/net/samples/expired7.pem");
}

#[test]
fn files_that_no_page_lists_are_found_too() {
    let pairs = project();
    let more = [FileFacts {
        path: "src/store/deep/journal.rs".to_owned(),
        purpose: "Replays what was written.".to_owned(),
        ..FileFacts::default()
    }];
    let found = find_with(&pairs, &[], &more, &NoTexts, "replay the journal");
    assert_eq!(paths(&found), ["src/store/deep/journal.rs"]);
    assert_eq!(pairs[found.files[0].pair].dir, "src/store");
}

#[test]
fn equal_ones_are_ordered_by_depth_and_path() {
    let files = ["b/z/twin.rs", "b/twin.rs", "a/twin.rs"].map(|path| item(path, "", &[]));
    let pairs = [pair("", "", &[], files.to_vec())];
    let found = find(&pairs, "where is the twin of it");
    assert_eq!(paths(&found), ["a/twin.rs", "b/twin.rs", "b/z/twin.rs"]);
    let mut turned = pairs.clone();
    turned[0].index.parts[1].items.reverse();
    assert_eq!(paths(&find(&turned, "where is the twin of it")), paths(&found));
}

#[test]
fn rare_words_weigh_more() {
    let mut files: Vec<Item> = (0..20).map(|at| item(&format!("parse_{at}.rs"), "", &[])).collect();
    files.push(item("glob.rs", "", &[]));
    let pairs = [pair("", "", &[], files)];
    assert_eq!(paths(&find(&pairs, "how to parse with a glob here"))[0], "glob.rs");
}

#[test]
fn what_is_not_there_is_not_found() {
    let pairs = project();
    let long = "zzqx ".repeat(20_000);
    for query in [
        "",
        "   ",
        "what is it that they would do?",
        "quantum kubernetes",
        "日本語の名前",
        "?!",
        long.as_str(),
    ] {
        let found = find(&pairs, query);
        assert!(found.is_empty() && found.symbols.is_empty(), "{query:.20}: {found:?}");
    }
    assert!(find(&[], "tls").is_empty());
    // One common word of many is no answer.
    assert!(
        find(&pairs, "quantum flux capacitor kubernetes helm chart names of the galaxy zoo").files.is_empty()
    );
}

#[test]
fn words_of_any_script_are_found() {
    let pairs =
        [pair("", "", &[], vec![item("docs/ja.md", "日本語の文書", &[]), item("größe.rs", "", &["größe"])])];
    assert_eq!(paths(&find(&pairs, "日本語"))[0], "docs/ja.md");
    assert_eq!(paths(&find(&pairs, "größe"))[0], "größe.rs");
}

#[test]
fn scores_say_where_they_come_from() {
    let pairs = project();
    let found = find(&pairs, "load_chain");
    let file = &found.files[0];
    assert_eq!((file.matched[0].field, file.matched[0].word.as_str()), (Field::Symbol, "load_chain"));
    assert!(file.matched.windows(2).all(|two| two[0].score >= two[1].score));
    assert_eq!(file.symbols[0].name, "load_chain");
    assert_eq!(
        (found.symbols[0].named.name.as_str(), found.symbols[0].file.as_str()),
        ("load_chain", "src/net/tls.rs")
    );
    assert_eq!(found.words, ["load", "chain"]);
}

#[test]
fn a_line_names_the_definition_around_it() {
    let pairs = project();
    let found = find(&pairs, "src/net/tls.rs:25");
    assert_eq!((found.files[0].line, found.files[0].symbols[0].name.as_str()), (Some(25), "load_chain"));
}

#[test]
fn a_huge_query_takes_bounded_time() {
    let pairs = project();
    let query: String = (0..20_000).map(|number| format!("tls{number} ")).collect();
    let start = std::time::Instant::now();
    find(&pairs, &query);
    assert!(start.elapsed().as_secs() < 5);
}

#[test]
fn an_index_of_tests_goes_behind_that_of_what_is_tested() {
    let mut pairs = project();
    let tests = item("tests/retry.rs", "Tests that a retry follows backoff.", &["retry_backoff"]);
    pairs.push(pair(
        "tests",
        "Tests retry and backoff.",
        &["retry", "backoff"],
        vec![of_role(Role::Test, tests)],
    ));
    let first = |query: &str| find(&pairs, query).dirs[0].dir.clone();
    assert_eq!(first("retry backoff"), "src/net");
    assert_eq!(first("tests of retry backoff"), "tests");
}
