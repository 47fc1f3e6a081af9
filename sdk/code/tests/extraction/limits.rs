//! Files that are made to be hard: nothing overflows, hangs or grows without bound.

use ctxhost_code::{
    language::Language,
    symbols::{BYTES_CAP, Extractor, Method, NAME_CAP, NESTING_CAP, Partial, SYMBOLS_CAP},
};

use crate::{extract, grammars};

#[test]
fn one_line_of_100_mb_is_not_parsed() {
    let found = extract("javascript", vec![b'a'; 100_000_000]);
    assert_eq!(found.partial, Some(Partial::TooLarge));
    assert_eq!(extract("javascript", vec![b'a'; BYTES_CAP + 1]).partial, Some(Partial::TooLarge));
}

#[test]
fn brackets_10_000_deep_are_survived_in_every_language() {
    let grammars = grammars();
    let mut extractor = Extractor::new(&grammars);
    let nested = format!("{}{}", "(".repeat(10_000), ")".repeat(10_000));
    let open = "{[(".repeat(10_000);
    for known in grammars.languages() {
        let id = known.id.as_str();
        for source in [&nested, &open] {
            let found = extractor.extract(Language::of_id(id), source.as_bytes());
            assert_eq!((found.symbols.len(), found.partial), (0, Some(Partial::TooDeep)), "{id}");
        }
    }
}

#[test]
fn functions_deeper_than_people_nest_are_left_out() {
    let nested = |depth| format!("{}{}", "function f() { ".repeat(depth), "}".repeat(depth));
    let found = extract("javascript", nested(300));
    assert_eq!(found.partial, Some(Partial::TooDeep));
    assert_eq!(found.symbols.len(), NESTING_CAP);
    assert_eq!(extract("javascript", nested(NESTING_CAP)).partial, None);
    let found = extract("javascript", nested(10_000));
    assert_eq!((found.partial, found.method), (Some(Partial::TooDeep), Method::Family));
    assert!(
        found.symbols.len() <= SYMBOLS_CAP
            && found.symbols.iter().all(|one| one.owner.len() < 2 * NESTING_CAP)
    );
}

#[test]
fn more_definitions_than_a_file_may_have_are_cut() {
    let source: String = (0..SYMBOLS_CAP + 100).map(|index| format!("const A{index}: u8 = 0;\n")).collect();
    let found = extract("rust", source);
    assert_eq!(found.symbols.len(), SYMBOLS_CAP);
    assert_eq!(found.partial, Some(Partial::TooMany));
}

#[test]
fn long_names_are_left_out_and_not_repeated() {
    let long = "a".repeat(NAME_CAP + 1);
    let found = extract("python", format!("class {long}:\n    def inner(self): return {long}\n"));
    let names: Vec<&str> = found.symbols.iter().map(|symbol| symbol.name.as_str()).collect();
    assert_eq!(names, ["inner"]);
    assert!(found.references.iter().all(|one| one.name != long));
}

#[test]
fn a_hundred_thousand_names_in_one_declaration_take_no_time_each() {
    let names: Vec<String> = (0..100_000).map(|index| format!("a{index}")).collect();
    let names = names.join(",");
    let comments = "// Above.\n".repeat(10_000);
    let cut = |partial| matches!(partial, Some(Partial::TooMany | Partial::TooSlow));
    assert!(cut(extract("c", format!("{comments}int {names};")).partial));
    let comments = comments.replace("//", "#");
    assert!(cut(extract("python", format!("{comments}{names} = 1\n")).partial));
}

#[test]
fn blanks_and_comments_without_end_take_no_time_each() {
    let blanks = " ".repeat(500_000);
    let many = "let a = 1;".repeat(50_000);
    assert!(extract("javascript", format!("// Far above.\n{blanks}{many}")).symbols.len() == SYMBOLS_CAP);
    let comments = "/**/".repeat(100_000);
    let found = extract("c", format!("{comments} int a;"));
    assert_eq!(found.symbols.len(), 1);
}

#[test]
fn noise_in_every_language_gives_an_answer() {
    let grammars = grammars();
    let mut extractor = Extractor::new(&grammars);
    // A linear congruential sequence: the same noise on each run.
    let mut state = 1_u64;
    let mut noise = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u8
    };
    let bytes: Vec<u8> = (0..50_000).map(|_| noise()).collect();
    let marks: Vec<u8> =
        bytes.iter().map(|byte| b"(){}[]<>;:,.\"'`$#@!=+-*/ \nabfn"[*byte as usize % 30]).collect();
    for known in grammars.languages() {
        let id = known.id.as_str();
        for source in [&bytes, &marks] {
            let found = extractor.extract(Language::of_id(id), source);
            for symbol in &found.symbols {
                let bytes = &symbol.span.bytes;
                assert!(bytes.start <= symbol.signature_end && symbol.signature_end <= bytes.end, "{id}");
                assert!(bytes.end as usize <= source.len(), "{id}");
            }
        }
    }
}

#[test]
fn one_extractor_forgets_each_file() {
    let grammars = grammars();
    let mut extractor = Extractor::new(&grammars);
    let rust = Language::of_id("rust");
    let alone = extractor.extract(rust, b"fn one() { two() }");
    extractor.extract(Language::of_id("python"), "x = (".repeat(5_000).as_bytes());
    assert_eq!(extractor.extract(rust, b"fn one() { two() }"), alone);
}

#[test]
fn occurrences_are_the_lines_that_use_a_name() {
    let grammars = grammars();
    let rust = Language::of_id("rust").expect("a language");
    let source = b"fn log() {}\n// log\nfn a() { log(); log(); \"log\"; }\nuse b::log;\n";
    assert_eq!(Extractor::new(&grammars).occurrences(rust, source, "log"), [3, 4]);
}
