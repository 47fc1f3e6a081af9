//! Bytes that are not plain text with plain line ends.

use crate::{extract, names};

fn text(source: &[u8], id: &str, name: &str) -> String {
    let found = extract(id, source);
    let symbol = found.symbols.iter().find(|symbol| symbol.name == name).expect(name);
    let bytes = symbol.span.bytes.start as usize..symbol.span.bytes.end as usize;
    String::from_utf8_lossy(&source[bytes]).into_owned()
}

#[test]
fn a_byte_order_mark_moves_nothing() {
    let source = "\u{feff}/// Doc.\nfn add() {}\n";
    let found = extract("rust", source);
    assert_eq!(found.symbols[0].doc, Some(3..11));
    assert_eq!(text(source.as_bytes(), "rust", "add"), "fn add() {}");
}

#[test]
fn windows_line_ends_belong_to_nothing() {
    let source = "/// One.\r\n/// Two.\r\n#[inline]\r\nfn add() {\r\n}\r\n\r\nfn other() {}\r\n";
    let found = extract("rust", source);
    let add = &found.symbols[0];
    assert_eq!(add.doc, Some(0..18), "up to the last dot");
    assert_eq!((add.span.first_line, add.span.last_line), (3, 5));
    assert_eq!(text(source.as_bytes(), "rust", "add"), "#[inline]\r\nfn add() {\r\n}");
}

#[test]
fn bytes_that_are_no_utf_8_cost_only_the_names_that_they_are_in() {
    let source = b"// caf\xe9\nvoid add(void) { log(\"\xff\xfe\"); }\nint other;\n";
    let found = extract("c", source);
    assert_eq!(names(&found), ["add", "other"]);
    assert_eq!(text(source, "c", "other"), "int other;");
    assert!(found.references.iter().any(|one| one.name == "log"));
}

#[test]
fn names_may_have_letters_of_any_script() {
    let source = "class Größe:\n\tdef berechne_größe(self): return 価格(self)\n";
    let found = extract("python", source);
    assert_eq!(names(&found), ["Größe", "Größe.berechne_größe"]);
    assert!(found.references.iter().any(|one| one.name == "価格"));
}

#[test]
fn an_empty_file_has_nothing_and_is_whole() {
    for source in ["", "\n", "\u{feff}", "\0\0\0"] {
        let found = extract("rust", source);
        assert!(found.symbols.is_empty() && found.references.is_empty(), "{source:?}");
        assert_eq!(found.partial, None, "{source:?}");
    }
}

#[test]
fn a_file_that_does_not_parse_gives_what_can_be_told() {
    let found = extract("rust", "pub fn whole() {}\nfn broken( { let = ;\nfn other() {}\n");
    assert_eq!(found.symbols[0].name, "whole");
}
