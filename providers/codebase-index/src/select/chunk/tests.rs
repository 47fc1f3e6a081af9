use std::path::PathBuf;

use ctxhost_code::{language::Language, symbols::Extractor};
use proptest::prelude::*;

use super::*;
use crate::source::tests::tree::grammars;

mod samples;

fn repo() -> Repo {
    Repo { name: "owner/name".into(), root: PathBuf::from("/"), reference: "0123456789abcdef".into() }
}

fn cut(path: &str, text: &str) -> Vec<Chunk> {
    cut_by(path, text, &extract(path, text))
}

fn extract(path: &str, text: &str) -> Extracted {
    let language = ctxhost_code::language::detect(path, text.as_bytes());
    Extractor::new(&grammars()).extract(language, text.as_bytes())
}

fn cut_by(path: &str, text: &str, extracted: &Extracted) -> Vec<Chunk> {
    let language = ctxhost_code::language::detect(path, text.as_bytes());
    let file = FileHash { path: path.into(), hash: "ab".repeat(32) };
    chunks(&repo(), &file, text, extracted, language)
}

/// The same definitions so many lines, and bytes, further down.
fn moved(mut extracted: Extracted, above: u32) -> Extracted {
    for symbol in &mut extracted.symbols {
        let span = &mut symbol.span;
        span.bytes = span.bytes.start + above..span.bytes.end + above;
        (span.first_line, span.last_line) = (span.first_line + above, span.last_line + above);
        symbol.signature_end += above;
        symbol.doc = symbol.doc.clone().map(|doc| doc.start + above..doc.end + above);
    }
    extracted
}

fn is_the_same_moved(before: Vec<Chunk>, mut after: Vec<Chunk>, above: u32) {
    for chunk in &mut after {
        chunk.line_start = chunk.line_start.map(|line| line - above);
        chunk.line_end = chunk.line_end.map(|line| line - above);
    }
    assert_eq!(before, after);
}

/// What each chunk is called and where it is.
fn listed(chunks: &[Chunk]) -> Vec<String> {
    let line =
        |chunk: &Chunk| format!("{} {}-{}", chunk.symbol, chunk.line_start.unwrap(), chunk.line_end.unwrap());
    chunks.iter().map(line).collect()
}

fn check(path: &str, text: &str, expected: &[&str]) {
    let chunks = cut(path, text);
    holds(text, &chunks);
    assert_eq!(listed(&chunks), expected, "{path}");
}

/// What holds for the chunks of any file.
fn holds(text: &str, chunks: &[Chunk]) {
    let lines: Vec<&str> = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let mut covered = vec![false; lines.len()];
    let mut symbols = std::collections::BTreeSet::new();
    let mut before = 0;
    for chunk in chunks {
        let (first, last) = (chunk.line_start.unwrap() as usize, chunk.line_end.unwrap() as usize);
        assert!(before < first && first <= last && last <= lines.len(), "{} {first}-{last}", chunk.symbol);
        before = last;
        assert_eq!(chunk.content, lines[first - 1..last].join("\n"), "{}", chunk.symbol);
        assert!(symbols.insert(&chunk.symbol), "{} is there twice", chunk.symbol);
        assert!(
            chunk.symbol.chars().count() <= LONGEST_SYMBOL + 12 && !chunk.symbol.contains(char::is_control)
        );
        assert_eq!(chunk.file_chunks, Some(chunks.len() as u32));
        assert!(
            chunk.content.chars().count() <= CAP + CAP / 4 || first == last,
            "{} is too long",
            chunk.symbol
        );
        covered[first - 1..last].fill(true);
    }
    for (line, text) in lines.iter().enumerate() {
        assert!(covered[line] || text.trim().is_empty(), "line {} is lost: {text:?}", line + 1);
    }
}

#[test]
fn methods_are_named_by_their_class() {
    check(
        "src/subscription.service.ts",
        samples::TYPESCRIPT,
        &[
            "subscription.service.ts#1 1-4",
            "Plan 6-9",
            "SubscriptionService 11-16",
            "SubscriptionService.constructor 18-18",
            "SubscriptionService.renew 20-27",
            "SubscriptionService.cancel 29-34",
            "isActive 36-39",
            "LIMIT 41-41",
        ],
    );
}

#[test]
fn comments_attributes_and_decorators_belong_to_what_they_stand_above() {
    check(
        "src/registry.rs",
        samples::RUST,
        &[
            "registry.rs#1 1-6",
            "Registry 8-13",
            "Registry.new 15-19",
            "Registry.add 21-27",
            "Other.other 29-32",
        ],
    );
    check(
        "app.py",
        samples::PYTHON,
        &[
            "app.py#1 1-3",
            "VERSION 5-5",
            "NAMES 6-6",
            "Cart 8-12",
            "Cart.total 14-19",
            "Cart.clear 21-23",
            "load 25-30",
            "app.py#2 32-35",
        ],
    );
}

#[test]
fn prose_is_cut_at_its_headings() {
    check(
        "README.md",
        samples::MARKDOWN,
        &["Tool > Install 1-7", "Tool > Use 9-15", "Tool > Use > Flags 17-21", "Other 23-26"],
    );
    check(
        "notes.rst",
        "Top\n===\n\nText that is not slight, since it\nhas more than two\nlines.\n\nBelow\n-----\n\none\ntwo\nthree\n",
        &["Top 1-6", "Top > Below 8-13"],
    );
}

#[test]
fn other_text_is_cut_at_blank_lines() {
    let paragraph =
        |name: &str| format!("{}\n", format!("{name} = some value that is long enough\n").repeat(20));
    let text = ["alpha", "beta", "gamma", "delta"].map(paragraph).concat();
    check(
        "settings.ini",
        &text,
        &["settings.ini#1 1-20", "settings.ini#1~2 22-41", "settings.ini#1~3 43-83"],
    );
    check("LICENSE", "Some words.\n", &["LICENSE#1 1-1"]);
    check("empty.txt", "", &[]);
    check("blank.rs", "\n \n\t\n", &[]);
}

#[test]
fn a_long_function_is_cut_between_its_statements() {
    let block = |number: usize| {
        format!(
            "    let part_{number} = first(\n        {number},\n        \"{}\",\n    );\n\n",
            "x".repeat(60)
        )
    };
    let body: String = (0..40).map(block).collect();
    let text = format!("/// Does much.\nfn long() {{\n{body}}}\n\nfn short() {{}}\n");
    let chunks = cut("a.rs", &text);
    holds(&text, &chunks);
    assert!(chunks.len() > 3, "{:?}", listed(&chunks));
    assert_eq!(chunks[1].symbol, "long~2");
    for part in &chunks[1..chunks.len() - 1] {
        assert!(part.content.starts_with("    let part_"), "{}", part.content);
    }
    assert_eq!(chunks.last().unwrap().symbol, "short");
}

#[test]
fn a_long_function_is_cut_behind_its_documentation() {
    let doc = format!("/// {}\n", "What it does is said at length. ".repeat(2)).repeat(14);
    let body = "    call_something(with_a_value);\n".repeat(30);
    let text = format!("{doc}#[inline]\nfn told() {{\n{body}}}\n");
    check("a.rs", &text, &["told 1-14", "told~2 15-47"]);
}

#[test]
fn a_banner_is_no_chunk() {
    let text = "package a\n\nfunc B() {\n}\n\n/****/\n/* C */\n/****/\n\nfunc D() {\n}\n";
    check("a.go", text, &["B 1-8", "D 10-11"]);
}

#[test]
fn one_long_line_stays_whole() {
    let text = format!("a\n{}\nb\n", "x".repeat(5_000));
    let chunks = cut("a.txt", &text);
    holds(&text, &chunks);
    assert!(chunks.iter().any(|chunk| chunk.content.len() >= 5_000));
}

#[test]
fn carriage_returns_are_no_part_of_a_line() {
    let text = "fn a() {\r\n    1\r\n}\r\n\r\nfn b() {\r\n    2\r\n}\r\n";
    check("a.rs", text, &["a 1-3", "b 5-7"]);
    assert_eq!(cut("a.rs", text)[0].content, "fn a() {\n    1\n}");
}

#[test]
fn everything_that_is_sent_says_whose_it_is() {
    let chunk = cut("src/a.rs", "fn a() {}\n").remove(0);
    assert_eq!((&*chunk.repo, &*chunk.path, &*chunk.lang), ("owner/name", "src/a.rs", "rust"));
    assert_eq!(chunk.reference.as_deref(), Some("0123456789abcdef"));
    assert_eq!((chunk.file_hash.clone(), chunk.git_sha), (Some("ab".repeat(32)), chunk.file_hash));
    assert_eq!(cut("what", "some words")[0].lang, "text");
}

#[test]
fn names_are_once_in_a_file() {
    let mut names = Names::default();
    let each = ["a", "a~2", "a", "a", " b \n c ", "\u{7}", ""].map(|name| names.once(name));
    assert_eq!(each, ["a", "a~2", "a~3", "a~4", "b c", "_", ""]);
    assert_eq!(names.once(&"é".repeat(400)).chars().count(), LONGEST_SYMBOL);
}

#[test]
fn two_definitions_on_one_line_lose_nothing() {
    for text in [
        "fn a() {} fn b() {}\nfn c() {}\n",
        "fn a() {\n} fn b() {\n    1\n}\n",
        "struct A; impl A { fn b() {} fn c() {} }\n",
        "mod a { pub fn b() {\n} pub fn c() {\n} }\n",
    ] {
        holds(text, &cut("a.rs", text));
    }
}

/// Lines from which texts are put together that are like code, and sometimes broken.
const LINES: &[&str] = &[
    "",
    "",
    "}",
    "{",
    "    }",
    "fn a() {",
    "    fn b(&self) -> u32 {",
    "        1",
    "impl A {",
    "/// Says what.",
    "#[test]",
    "struct A {",
    "    field: u32,",
    "mod m {",
    "use std::fs;",
    "const C: u32 = 1;",
    "class A {",
    "  b() {",
    "  static c = 1;",
    "export const f = async (x) => {",
    "export default class {",
    "@decorator",
    "def g(x):",
    "    \"\"\"Says what.\"\"\"",
    "    return x",
    "class B(A):",
    "# Title",
    "## Below",
    "===",
    "---",
    "```",
    "- item",
    "some words in a line",
    "// a comment",
    "/* one",
    "two */",
    "    let x = \"a\";",
    "func (r *R) Do() {",
    "type T struct {",
    "\tx int",
    "\u{e9}\u{1f600} \u{4e00}",
];

fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        20 => prop::sample::select(LINES).prop_map(str::to_owned),
        1 => (1..40_usize).prop_map(|times| "many words in one line ".repeat(times)),
        1 => prop::sample::select(LINES).prop_map(|line| format!("{line}\r")),
    ];
    prop::collection::vec(line, 0..120).prop_map(|lines| lines.join("\n"))
}

fn path() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "a.rs", "a.ts", "a.py", "a.go", "a.java", "a.md", "a.rst", "a.toml", "a.txt", "a.pl", "a",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_line_is_lost_and_no_name_is_there_twice(path in path(), text in text()) {
        let chunks = cut(path, &text);
        holds(&text, &chunks);
        prop_assert_eq!(&chunks, &cut(path, &text));
    }

    /// The definitions are moved by hand: what a parser makes of broken code depends on what is above it.
    #[test]
    fn lines_above_change_only_numbers(path in path(), text in text(), above in 1..30_u32) {
        let extracted = extract(path, &text);
        let before = cut_by(path, &text, &extracted);
        let below = format!("{}{text}", "\n".repeat(above as usize));
        is_the_same_moved(before, cut_by(path, &below, &moved(extracted, above)), above);
    }
}

#[test]
fn names_do_not_move_with_the_lines() {
    for (path, text) in [
        ("a.ts", samples::TYPESCRIPT),
        ("a.rs", samples::RUST),
        ("a.py", samples::PYTHON),
        ("a.md", samples::MARKDOWN),
    ] {
        is_the_same_moved(cut(path, text), cut(path, &format!("\n\n\n{text}")), 3);
        let before: Vec<_> = cut(path, text).into_iter().map(|chunk| chunk.symbol).collect();
        // A change inside of one definition leaves all names as they are.
        let longer = text.replacen("tax = 1", "tax = 1\n        more = 2", 1).replacen(
            "if (plan) {",
            "if (plan) {\n      log();",
            1,
        );
        let after: Vec<_> = cut(path, &longer).into_iter().map(|chunk| chunk.symbol).collect();
        assert_eq!(before, after, "{path}");
    }
}

#[test]
fn our_own_sources_hold_too() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut counts = (0, 0);
    let walked = ctxhost_code::walk::Walker::new(root.join("sdk"), Default::default()).walk();
    for file in walked.files.iter().filter(|file| file.stat.size < 100_000) {
        let Ok(text) = std::fs::read_to_string(root.join("sdk").join(&file.path)) else { continue };
        let chunks = cut(&file.path, &text);
        holds(&text, &chunks);
        counts = (counts.0 + 1, counts.1 + chunks.len());
    }
    assert!(counts.0 > 200 && counts.1 > 1_000, "{counts:?}");
    assert!(Language::of_id("rust").is_some());
}
