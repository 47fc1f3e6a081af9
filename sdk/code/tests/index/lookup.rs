//! What is asked for is found, and nothing else.

use crate::made::{VERSION, document, reference, symbol};
use ctxhost_code::{
    index::{Case, Reader, Writer},
    symbols::Kind,
};

/// Two segments, a changed file and a removed one.
fn reader() -> Reader {
    let mut writer = Writer::in_memory(VERSION);
    let user = symbol("User", "", Kind::Class);
    let add = symbol("add", "shop.Registry", Kind::Method);
    let other = symbol("add", "Cart", Kind::Method);
    let dotted = symbol("tool.poetry", "", Kind::Other);
    writer
        .add([
            document("a.rs", "struct User", &[user], &[]),
            document("b.rs", "old", &[symbol("Vanished", "", Kind::Class)], &[reference("User", None, 9)]),
            document("e.rs", "", &[], &[]),
            document("f.rs", "", &[], &[]),
            document("c.rs", "gone", &[symbol("userGone", "", Kind::Class)], &[reference("User", None, 9)]),
        ])
        .expect("memory");
    writer.commit().expect("memory");
    let uses = [reference("User", Some(0), 2), reference("user", Some(0), 3), reference("User", Some(1), 1)];
    writer.add([document("b.rs", "Registry::add", &[add, other, dotted], &uses)]).expect("memory");
    writer
        .add([document(
            "d.rs",
            "user",
            &[symbol("user", "", Kind::Variable), symbol("Ünder", "", Kind::Field)],
            &[],
        )])
        .expect("memory");
    writer.remove(["c.rs"]);
    writer.commit().expect("memory");
    writer.reader()
}

fn definitions(name: &str, case: Case) -> Vec<String> {
    let reader = reader();
    let found = reader.definitions(name, case).expect("sound");
    let line = |at: &ctxhost_code::index::Definition| {
        let symbol = reader.symbol(at.doc, at.symbol).expect("sound").expect("a symbol");
        assert_eq!((symbol.kind, symbol.visibility), (at.kind, at.visibility));
        format!("{} {}", reader.file(at.doc).expect("a file").path(), symbol.qualified())
    };
    let mut lines: Vec<String> = found.iter().map(line).collect();
    lines.sort();
    lines
}

#[test]
fn definitions_are_found_by_name_and_by_owner() {
    let check =
        |name, case, expected: &[&str]| assert_eq!(definitions(name, case), expected, "{name} {case:?}");
    check("User", Case::Exact, &["a.rs User"]);
    check("user", Case::Exact, &["d.rs user"]);
    check("USER", Case::Exact, &[]);
    check("USER", Case::Any, &["a.rs User", "d.rs user"]);
    check("ünder", Case::Any, &["d.rs Ünder"]);
    check("add", Case::Exact, &["b.rs Cart.add", "b.rs shop.Registry.add"]);
    check("Registry.add", Case::Exact, &["b.rs shop.Registry.add"]);
    check("shop::Registry::add", Case::Exact, &["b.rs shop.Registry.add"]);
    check("registry#ADD", Case::Any, &["b.rs shop.Registry.add"]);
    check("istry.add", Case::Exact, &[]);
    check("Tool.Poetry", Case::Any, &["b.rs tool.poetry"]);
    check("poetry", Case::Any, &[]);
    check("Vanished", Case::Any, &[]);
    check("userGone", Case::Any, &[]);
    check("", Case::Any, &[]);
    check(".", Case::Any, &[]);
}

#[test]
fn references_are_found_with_their_symbols_and_counts() {
    let reader = reader();
    let uses = |name, case| -> Vec<(Option<u32>, u32)> {
        let found = reader.references(name, case).expect("sound");
        found.iter().map(|found| (found.symbol, found.count)).collect()
    };
    assert_eq!(uses("User", Case::Exact), [(Some(0), 2), (Some(1), 1)]);
    assert_eq!(uses("User", Case::Any), [(Some(0), 2), (Some(0), 3), (Some(1), 1)]);
    assert_eq!(reader.name_frequency("User", Case::Any).expect("sound"), 1);
    assert_eq!(reader.name_frequency("nobody", Case::Any).expect("sound"), 0);
}

#[test]
fn names_are_found_by_their_beginning_and_by_a_part() {
    let reader = reader();
    assert_eq!(reader.names_with_prefix("US", 9).expect("sound"), ["user"]);
    assert_eq!(reader.names_with_prefix("", 3).expect("sound"), ["add", "tool.poetry", "user"]);
    assert_eq!(reader.names_with_prefix("ü", 9).expect("sound"), ["ünder"]);
    assert_eq!(reader.names_with_prefix("zzz", 9).expect("sound"), [""; 0]);
    assert_eq!(reader.names_containing("SE", 9).expect("sound"), ["user"]);
    assert_eq!(reader.names_containing("d", 9).expect("sound"), ["add", "ünder"]);
    assert_eq!(reader.names_containing("van", 9).expect("sound"), [""; 0]);
    assert_eq!(reader.names_containing("gone", 9).expect("sound"), [""; 0]);
    assert_eq!(reader.names_containing("r\nü", 9).expect("sound"), [""; 0]);
}

#[test]
fn what_a_definition_uses_and_a_file_imports_is_found() {
    let reader = reader();
    let doc = reader.find("b.rs").expect("a file").doc;
    let names = |symbol| -> Vec<String> {
        reader.references_of(doc, symbol).expect("sound").into_iter().map(|found| found.name).collect()
    };
    assert_eq!(names(Some(0)), ["User", "user"]);
    assert_eq!(names(Some(1)), ["User"]);
    assert_eq!(names(None), [""; 0]);
    assert_eq!(reader.imports(doc).expect("sound")[0].from, "std::fs");
}

#[test]
fn a_document_that_is_gone_is_not_shown() {
    let reader = reader();
    let paths: Vec<&str> = reader.files().map(|file| file.path()).collect();
    assert_eq!(paths, ["a.rs", "e.rs", "f.rs", "b.rs", "d.rs"]);
    // The old b.rs and c.rs are the second and fifth document of the first segment.
    assert_eq!(reader.files().map(|file| file.doc + 1).max(), Some(reader.bound()));
    assert_eq!(Reader::empty(VERSION).bound(), 0);
    for doc in [1, 4, 99, u32::MAX] {
        assert!(reader.file(doc).is_none());
        assert!(reader.extracted(doc).expect("sound").is_none());
        assert!(reader.symbols(doc).expect("sound").is_empty());
    }
}
