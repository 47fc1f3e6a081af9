//! The faults that running the original showed (`facts/pilot-index`, section 1), by their numbers: each is right here.

mod missing;

use ctxhost_code::symbols::{Kind, Visibility};

use crate::{extract, names};

/// Checks which names a text defines, and of what kind.
fn check(id: &str, source: &str, expected: &[(&str, Kind)]) {
    let found = extract(id, source);
    let kinds: Vec<(String, Kind)> =
        found.symbols.iter().map(|symbol| (symbol.qualified(), symbol.kind)).collect();
    let expected: Vec<(String, Kind)> =
        expected.iter().map(|(name, kind)| ((*name).to_owned(), *kind)).collect();
    assert_eq!(kinds, expected, "{source}");
}

fn doc(id: &str, source: &str, name: &str) -> Option<String> {
    let found = extract(id, source);
    let symbol = found.symbols.iter().find(|symbol| symbol.name == name).expect(name);
    let doc = symbol.doc.clone()?;
    Some(source[doc.start as usize..doc.end as usize].to_owned())
}

fn visibility(id: &str, source: &str, name: &str) -> Visibility {
    let found = extract(id, source);
    found.symbols.iter().find(|symbol| symbol.qualified() == name).expect(name).visibility
}

#[test]
fn fault_4_a_c_function_has_its_own_name_not_its_types() {
    check("c", "Point make(void) { return p; }", &[("make", Kind::Function)]);
    check("c", "static int add(int a, int b) { return a + b; }", &[("add", Kind::Function)]);
    check("c", "struct item **find(const char *name) { return 0; }", &[("find", Kind::Function)]);
    check("c", "unsigned long long big(void) { return 1; }", &[("big", Kind::Function)]);
    check("c", "static inline const Point *at(void);", &[("at", Kind::Function)]);
    check("cpp", "std::vector<int> make() { return {}; }", &[("make", Kind::Function)]);
    check("cpp", "Point &A::at(int i) { return p[i]; }", &[("A.at", Kind::Method)]);
}

#[test]
fn fault_4_a_function_that_is_handed_over_has_no_name() {
    check("javascript", "run(function (only) { return only; });", &[]);
    check("typescript", "list.map((first: number) => first);", &[]);
    check("javascript", "first => first;", &[]);
    check("python", "sorted(list, key=lambda first: first)\n", &[]);
}

#[test]
fn fault_4_a_parameter_names_no_function() {
    check("javascript", "const only = x => x;", &[("only", Kind::Function)]);
    check("javascript", "list.sort((first, second) => first - second);", &[]);
}

#[test]
fn fault_5_names_have_their_owners() {
    let cases = [
        ("rust", "struct Registry; impl Registry { fn add(&self) {} }"),
        ("python", "class Registry:\n    def add(self): pass\n"),
        ("javascript", "class Registry { add() {} }"),
        ("typescript", "class Registry { add(): void {} }"),
        ("go", "package a\ntype Registry int\nfunc (r *Registry) add() {}\n"),
        ("java", "class Registry { void add() {} }"),
        ("cpp", "struct Registry { void add(); };"),
        ("csharp", "class Registry { void add() {} }"),
        ("ruby", "class Registry\n  def add; end\nend\n"),
        ("php", "<?php class Registry { function add() {} }"),
        ("swift", "class Registry { func add() {} }"),
        ("kotlin", "class Registry {\n fun add() {}\n}\n"),
        ("scala", "class Registry { def add() = 1 }"),
        ("lua", "local Registry = {}\nfunction Registry.add() end\n"),
    ];
    for (id, source) in cases {
        let mut found = names(&extract(id, source));
        // An `impl` is listed under the name of its type.
        found.dedup();
        assert_eq!(found, ["Registry", "Registry.add"], "{id}");
    }
}

#[test]
fn fault_5_a_type_within_a_typedef_owns_its_fields() {
    let expected = ["Node", "Node", "Node.next"];
    let source = "typedef struct Node { struct Node *next; } Node;";
    assert_eq!(names(&extract("c", source)), expected);
    assert_eq!(names(&extract("cpp", source)), expected);
    let source = "typedef enum color { RED } color_t;";
    assert_eq!(names(&extract("c", source)), ["color_t", "color", "color.RED"]);
}

#[test]
fn fault_6_python_docstrings_attach() {
    let source = "def add(a):\n    \"\"\"Adds — one.\n\n    More.\n    \"\"\"\n    return a\n";
    assert_eq!(doc("python", source, "add").as_deref(), Some("Adds — one.\n\n    More.\n    "));
    let source = "class A:\n    'Holds.'\n    async def add(self):\n        r\"\"\"Adds.\"\"\"\n";
    assert_eq!(doc("python", source, "A").as_deref(), Some("Holds."));
    assert_eq!(doc("python", source, "add").as_deref(), Some("Adds."));
}

#[test]
fn fault_6_all_lines_of_a_doc_comment_attach() {
    let source = "/// One.\n/// Two.\n///\n/// Three.\nfn add() {}\n";
    assert_eq!(doc("rust", source, "add").as_deref(), Some("/// One.\n/// Two.\n///\n/// Three."));
    let source = "// One.\n// Two.\nfunc add() {}\n";
    assert_eq!(doc("go", source, "add").as_deref(), Some("// One.\n// Two."));
    let source = "/**\n * One.\n * Two.\n */\nfunction add() {}\n";
    assert_eq!(doc("javascript", source, "add").as_deref(), Some("/**\n * One.\n * Two.\n */"));
}

#[test]
fn fault_6_a_comment_nearby_does_not_attach() {
    assert_eq!(doc("rust", "/// Of what was here.\n\nfn add() {}\n", "add"), None);
    assert_eq!(doc("c", "int a; // about a\nint add(void) { return a; }\n", "add"), None);
    assert_eq!(doc("javascript", "/** About this. */\nrun();\nfunction add() {}\n", "add"), None);
    assert_eq!(doc("python", "# About this.\nrun()\ndef add(): pass\n", "add"), None);
}

#[test]
fn fault_6_visibility_follows_the_language() {
    assert_eq!(visibility("rust", "pub fn add() {}", "add"), Visibility::Public);
    assert_eq!(visibility("rust", "fn add() {}", "add"), Visibility::Private);
    assert_eq!(visibility("rust", "pub(crate) fn add() {}", "add"), Visibility::Restricted);
    assert_eq!(visibility("go", "package a\nfunc Add() {}\n", "Add"), Visibility::Public);
    assert_eq!(visibility("go", "package a\nfunc add() {}\n", "add"), Visibility::Restricted);
    assert_eq!(visibility("python", "def _add(): pass\n", "_add"), Visibility::Private);
    assert_eq!(
        visibility("python", "__all__ = ['a']\ndef a(): pass\ndef b(): pass\n", "b"),
        Visibility::Restricted
    );
    assert_eq!(visibility("python", "__all__ = ['_a']\ndef _a(): pass\n", "_a"), Visibility::Public);
    assert_eq!(visibility("javascript", "function a() {}\nexport { a as b };\n", "a"), Visibility::Public);
    assert_eq!(
        visibility("javascript", "function a() {}\nmodule.exports = { a };\n", "a"),
        Visibility::Public
    );
    assert_eq!(visibility("javascript", "function a() {}\nexport default a;\n", "a"), Visibility::Public);
}

#[test]
fn fault_7_places_are_bytes_behind_accented_text() {
    let source = "// é è ü — 日本 🎉\nconst addTax = (price) => price;\n";
    let found = extract("javascript", source);
    let symbol = &found.symbols[0];
    let bytes = symbol.span.bytes.start as usize..symbol.span.bytes.end as usize;
    assert_eq!(&source[bytes], "const addTax = (price) => price");
    assert_eq!(&source[..symbol.signature_end as usize], "// é è ü — 日本 🎉\nconst addTax = (price) =>");
}

#[test]
fn fault_7_bodies_begin_and_end_where_they_do_in_every_encoding_of_lines() {
    for (id, before, body) in [
        ("python", "# é 日本 🎉\n", "def add_tax(price):\n    return price"),
        ("rust", "// é 日本 🎉\r\n", "fn add_tax(price: u8) -> u8 { price }"),
        ("java", "\u{feff}// é\n", "class Tax { int add() { return 1; } }"),
        ("go", "package a\n\n// é 🎉\n\n", "func addTax(price int) int { return price }"),
    ] {
        let source = format!("{before}{body}\n");
        let found = extract(id, &source);
        let bytes = &found.symbols[0].span.bytes;
        assert_eq!(&source[bytes.start as usize..bytes.end as usize], body, "{id}");
    }
}

#[test]
fn fault_8_imports_are_listed() {
    let from = |id, source: &str| -> Vec<String> {
        extract(id, source)
            .imports
            .into_iter()
            .map(|import| format!("{} {}", import.line, import.from))
            .collect()
    };
    assert_eq!(
        from("javascript", "\nimport { a } from './a.js';\nconst b = require('b');\n"),
        ["2 ./a.js", "3 b"]
    );
    assert_eq!(from("python", "import a.b, c as d\nfrom ..e import f\n"), ["1 a.b", "1 c", "2 ..e"]);
    assert_eq!(
        from("rust", "use std::{fs, io::{self, Read as R}};"),
        ["1 std::fs", "1 std::io", "1 std::io::Read"]
    );
    assert_eq!(from("c", "#include <a.h>\n#include \"b.h\"\n"), ["1 a.h", "2 b.h"]);
}

#[test]
fn lines_are_counted_from_1_and_the_last_is_included() {
    let found = extract("python", "\ndef add(a):\n    return a\n\n\nx = 1\n");
    let lines: Vec<(u32, u32)> =
        found.symbols.iter().map(|symbol| (symbol.span.first_line, symbol.span.last_line)).collect();
    assert_eq!(lines, [(2, 3), (6, 6)]);
}
