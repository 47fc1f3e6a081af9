use ctxhost_sdk::protocol::ide_context::{Buffer, Database};

use super::*;
use crate::source::paths::File;

#[track_caller]
fn check(app: &str, product: Option<&str>, language: Option<&str>, file: &str, nerd: &str, ascii: &str) {
    let state = State {
        app: app.to_owned(),
        product: product.map(str::to_owned),
        active_buffer: Buffer { language: language.map(str::to_owned), ..Buffer::default() },
        ..State::default()
    };
    let file = File { path: file.to_owned(), views: Vec::new() };
    let shows = Shows::File(&file);
    assert_eq!(connected(&state, shows, Glyphs::Nerd), nerd, "{app} {product:?} {language:?} {}", file.path);
    assert_eq!(
        connected(&state, shows, Glyphs::Ascii),
        ascii,
        "{app} {product:?} {language:?} {}",
        file.path
    );
}

#[test]
fn the_editor_is_shown_by_product_before_kind() {
    check("nvim", None, Some("typescript"), "/a.ts", "\u{E6AE}\u{E8CA}", "nvim:ts");
    check("vscode", None, Some("rust"), "/a.rs", "\u{E8DA}\u{E7A8}", "vscode:rs");
    check("obsidian", None, Some("markdown"), "/a.md", "\u{E73E}\u{E73E}", "obsidian:md");
    check("jetbrains", None, Some("java"), "/a", "\u{E808}\u{E738}", "jetbrains:java");
    check("jetbrains", Some("WebStorm"), Some("java"), "/a", "\u{E8E4}\u{E738}", "webstorm:java");
    check("jetbrains", Some("PyCharm Community Edition"), None, "/a.py", "\u{E877}\u{E73C}", "pycharm:py");
    check("jetbrains", Some("Riders of the Storm"), None, "/a.py", "\u{E808}\u{E73C}", "jetbrains:py");
    check("emacs", None, Some("c"), "/a", "\u{EAE3}\u{E771}", "emacs:c");
    check("é\n", None, Some("c"), "/a", "\u{EAE3}\u{E771}", "ide:c");
}

#[test]
fn every_product_has_a_glyph() {
    for (product, glyph) in [
        ("IntelliJ IDEA", '\u{E7B5}'),
        ("IntelliJ IDEA Ultimate", '\u{E7B5}'),
        ("WebStorm", '\u{E8E4}'),
        ("PyCharm", '\u{E877}'),
        ("CLion", '\u{E78E}'),
        ("Rider", '\u{E88F}'),
        ("GoLand", '\u{E7EF}'),
        ("PhpStorm", '\u{E862}'),
        ("RubyMine", '\u{E896}'),
        ("DataGrip", '\u{E7BD}'),
        ("Android Studio", '\u{E71A}'),
        ("RustRover", '\u{E7A8}'),
    ] {
        let state = State { app: "jetbrains".into(), product: Some(product.into()), ..State::default() };
        assert_eq!(connected(&state, Shows::Nothing(""), Glyphs::Nerd), glyph.to_string(), "{product}");
    }
}

#[test]
fn the_language_falls_back_to_the_ending() {
    for (language, file, glyph, name) in [
        (Some("typescriptreact"), "/a", '\u{E7BA}', "tsx"),
        (Some("javascriptreact"), "/a", '\u{E7BA}', "jsx"),
        (Some("JSON"), "/a", '\u{E80B}', "json"),
        (None, "/a/B.TSX", '\u{E7BA}', "tsx"),
        (Some("nobody-knows"), "/a.kt", '\u{E81B}', "kt"),
        (None, "/a/Dockerfile", '\u{E7B0}', "docker"),
        (Some("nobody-knows"), "/a", '\u{EB60}', "nobody-knows"),
        (Some("nobody-knows-it"), "/a.xyz", '\u{EB60}', "nobody-knows"),
        (None, "/a.xyz", '\u{EB60}', "file"),
        (Some(""), "/.ts", '\u{EB60}', "file"),
    ] {
        check("nvim", None, language, file, &format!("\u{E6AE}{glyph}"), &format!("nvim:{name}"));
    }
    for (name, mark) in LANGUAGES {
        check(
            "nvim",
            None,
            Some(name),
            "/a",
            &format!("\u{E6AE}{}", mark.glyph),
            &format!("nvim:{}", mark.ascii),
        );
    }
}

#[test]
fn what_is_no_file_has_no_language() {
    let state = State { app: "nvim".to_owned(), ..State::default() };
    assert_eq!(connected(&state, Shows::Nothing(""), Glyphs::Nerd), "\u{E6AE}");
    assert_eq!(connected(&state, Shows::Nothing(""), Glyphs::Ascii), "nvim");
    let database = Database::default();
    assert_eq!(connected(&state, Shows::Table(&database), Glyphs::Nerd), "\u{E6AE}\u{E706}");
    assert_eq!(connected(&state, Shows::Table(&database), Glyphs::Ascii), "nvim:sql");
    assert_eq!(disconnected(Glyphs::Nerd), "\u{EAE3}");
    assert_eq!(disconnected(Glyphs::Ascii), "ide");
}

#[test]
fn tables_are_in_plain_ascii_and_name_nothing_twice() {
    for table in [APPS, PRODUCTS, LANGUAGES, FILE_NAMES, ENDINGS] {
        for (index, (name, mark)) in table.iter().enumerate() {
            assert!(mark.ascii.is_ascii() && mark.ascii.len() <= LONGEST_NAME, "{name}");
            assert!(table[..index].iter().all(|(other, _)| other != name), "{name} stands there twice");
        }
    }
}
