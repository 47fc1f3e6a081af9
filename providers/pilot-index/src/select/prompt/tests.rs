use super::*;

fn words(text: &str) -> String {
    Prompt::read(text).words.iter().map(|word| word.text.clone()).collect::<Vec<_>>().join(" ")
}

#[test]
fn words_of_everyday_english_are_left_out_and_names_are_not() {
    for (text, expected) in [
        ("Please fix the parser, thanks!", "parser"),
        ("how do I use it with this?", ""),
        (
            "find the user file, set new value and return the error",
            "find user file set new valu return error",
        ),
        ("get the API of the test data", "api test data"),
        ("call `get` on `this`", "call get this"),
        ("what does get() do", "get"),
        ("why does Registry.add fail?", "registri add fail"),
        ("i.e. use it, e.g. to change this. Add more", ""),
        ("readTimeout of HTTPServer", "read timeout readtimeout http server httpserver"),
        ("größe der Straße", "gross der strass"),
        ("解析器が遅い", "解析 析器 器が が遅 遅い"),
        ("?!... --- ", ""),
    ] {
        assert_eq!(words(text), expected, "of {text:?}");
    }
}

#[test]
fn first_lines_and_repeated_words_weigh_more() {
    let prompt = Prompt::read("alpha\n\nbeta gamma gamma");
    let weight = |text: &str| prompt.words.iter().find(|word| word.text == text).map(|word| word.weight);
    assert_eq!((weight("alpha"), weight("beta")), (Some(2.0), Some(1.0)));
    assert!(weight("gamma") > weight("beta") && weight("gamma") < weight("alpha"));
}

#[test]
fn names_remember_whether_they_were_written_as_code() {
    let prompt = Prompt::read("rename parse_line, Registry and `add`; see run() or x");
    let names: Vec<(&str, bool)> = prompt.names.iter().map(|name| (name.text.as_str(), name.code)).collect();
    assert_eq!(
        names,
        [
            ("rename", false),
            ("parse_line", true),
            ("Registry", false),
            ("add", true),
            ("see", false),
            ("run", true)
        ]
        .into_iter()
        .filter(|(name, _)| *name != "see")
        .collect::<Vec<_>>()
    );
}

#[test]
fn names_with_owners_are_taken_whole() {
    for (text, expected) in [
        ("why does Registry.add fail", vec!["Registry.add"]),
        (
            "Registry::add and registry->drop_name, Shop#buy!",
            vec!["Registry.add", "registry.drop_name", "Shop.buy"],
        ),
        ("std::fs::read.", vec!["std.fs.read"]),
        ("a?.b, größe.über", vec!["a.b", "größe.über"]),
        ("in src/lib.rs it is 3.14. Then on", vec![]),
        ("one... two :: three #4", vec![]),
    ] {
        assert_eq!(Prompt::read(text).spelled, expected, "of {text:?}");
    }
    assert_eq!(Prompt::query("Registry").spelled, ["Registry"]);
    assert!(Prompt::query("parse the line").spelled.is_empty());
    assert!(Prompt::read("Registry").spelled.is_empty());
    let many = (0..1_000).map(|number| format!("a{number}.b")).collect::<Vec<_>>().join(" ");
    assert!(Prompt::read(&many).spelled.len() <= 64);
}

#[test]
fn backticks_hold_for_what_is_between_them_only() {
    let code = |text: &str| {
        let names = Prompt::read(text).names;
        names.iter().filter(|name| name.code).map(|name| name.text.clone()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(code("`alpha beta` gamma `delta` epsilon"), "alpha beta delta");
    assert_eq!(code("alpha `beta gamma"), "");
    assert_eq!(code("a lone ` here and `there` too"), "here and");
}

fn mentions(text: &str) -> Vec<(String, Option<u32>)> {
    Prompt::read(text).mentions.into_iter().map(|mention| (mention.path, mention.line)).collect()
}

#[test]
fn files_of_any_extension_and_lines_in_them_are_understood() {
    for (text, expected) in [
        ("in src/lib.rs:42:7 it fails", vec![("src/lib.rs", Some(42))]),
        ("see views.py and Main.kt.", vec![("views.py", None), ("Main.kt", None)]),
        ("  File \"app/models/user.py\", line 31, in save", vec![("app/models/user.py", Some(31))]),
        ("    at handle (/srv/app/lib/reply.js:120:13)", vec![("srv/app/lib/reply.js", Some(120))]),
        ("\tat com.acme.Shop.buy(Shop.java:88)", vec![("com.acme.Shop.buy", None), ("Shop.java", Some(88))]),
        ("--- a/x.c\n+++ b/x.c", vec![("a/x.c", None), ("b/x.c", None)]),
        ("https://example.org/a/b.html is no file", vec![]),
        ("main.go#L9", vec![("main.go", Some(9))]),
        (".\\src\\win\\io.cpp(77): error", vec![("src/win/io.cpp", Some(77))]),
        ("look into providers/pilot-index", vec![("providers/pilot-index", None)]),
        ("no. files here, 3.14 neither", vec![]),
    ] {
        let expected: Vec<(String, Option<u32>)> =
            expected.into_iter().map(|(path, line)| (path.to_owned(), line)).collect();
        assert_eq!(mentions(text), expected, "of {text:?}");
    }
}

#[test]
fn quotations_are_taken_whole() {
    for (text, expected) in [
        ("it says \"connection refused by peer\" now", vec!["connection refused by peer"]),
        ("it's the user's file", vec![]),
        ("“zu groß” und «trop grand»", vec!["zu groß", "trop grand"]),
        ("an open \"quotation", vec![]),
        ("\"x\" is short", vec![]),
    ] {
        assert_eq!(Prompt::read(text).quoted, expected, "of {text:?}");
    }
}

#[test]
fn intent_is_told_from_words() {
    for (text, expected) in [
        ("why does it crash?", Intent::Debug),
        ("create a cache", Intent::Create),
        ("where is the cache filled", Intent::Read),
        ("rename the cache", Intent::Action),
        ("the cache", Intent::Unknown),
    ] {
        assert_eq!(Prompt::read(text).intent, expected, "of {text:?}");
    }
}

#[test]
fn only_the_first_sentence_speaks_of_tests() {
    assert!(Prompt::read("Add a test for the parser").tests);
    assert!(!Prompt::read("Make the parser faster. Then run the tests").tests);
    assert!(!Prompt::read("Make the latest_test_run faster").tests);
}

#[test]
fn long_prompts_keep_their_beginning_and_end() {
    let text = format!("alpha {} omega", "päd ".repeat(100_000));
    assert_eq!(words(&text), "pad alpha omega");
    let many = (0..2_000).map(|number| format!("name{number}x")).collect::<Vec<_>>().join(" ");
    let prompt = Prompt::read(&many);
    assert_eq!((prompt.words.len(), prompt.names.len()), (WORDS_CAP, NAMES_CAP));
}

#[test]
fn short_queries_are_names() {
    let words = |prompt: Prompt| prompt.words.into_iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
    assert_eq!(words(Prompt::query("add")), "add");
    assert_eq!(words(Prompt::query("use after free")), "use after free");
    assert_eq!(words(Prompt::query("where do we use the cart")), "cart");
    assert_eq!(words(Prompt::read("add")), "");
}

#[test]
fn errands_alone_ask_for_nothing() {
    for text in ["ok thanks, please continue", "run the tests again", "commit and push", "try it and build"] {
        assert!(Prompt::read(text).is_empty(), "{text}");
    }
    for text in ["continue with the parser", "run `build`", "commit src/lib.rs", "why does push_back fail"] {
        assert!(!Prompt::read(text).is_empty(), "{text}");
    }
    assert_eq!(Prompt::query("commit").words[0].text, "commit");
}
