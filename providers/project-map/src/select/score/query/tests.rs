use super::*;

fn names(query: &Query) -> Vec<String> {
    query.names.iter().filter(|name| name.code).map(|name| name.text.clone()).collect()
}

fn paths(query: &Query) -> Vec<String> {
    let shown =
        |asked: &Asked| asked.line.map_or(asked.path.clone(), |line| format!("{}:{line}", asked.path));
    query.paths.iter().map(shown).collect()
}

/// Words, names written as code, and paths.
#[track_caller]
fn check(text: &str, words: &[&str], code: &[&str], asked: &[&str]) {
    let query = Query::read(text);
    assert_eq!(query.words, words, "words of {text:?}");
    assert_eq!(names(&query), code, "names of {text:?}");
    assert_eq!(paths(&query), asked, "paths of {text:?}");
}

#[test]
fn prose_has_words() {
    check("where does the did-you-mean hint come from?", &["mean", "hint"], &[], &[]);
    check("turn 10M into a number of bytes", &["turn", "10m", "number", "byte"], &[], &[]);
    check("what is it that they would do with us?", &[], &[], &[]);
    check(
        "wie groß ist die Prüfsumme der Datei",
        &["wie", "gross", "ist", "die", "prufsumm", "der", "datei"],
        &[],
        &[],
    );
    check("", &[], &[], &[]);
    check(" ?! … ``", &[], &[], &[]);
}

#[test]
fn names_keep_their_words() {
    check(
        "where is schedule_effect defined here?",
        &["schedul", "effect", "defin"],
        &["schedule_effect"],
        &[],
    );
    check("who calls readTimeout in all of it", &["call", "read", "timeout"], &["readTimeout"], &[]);
    check("what does `with` do in this place", &["with", "place"], &["with"], &[]);
    check(
        "is there a Registry.add somewhere else",
        &["registri", "add"],
        &["Registry.add"],
        &["registry.add"],
    );
}

#[test]
fn a_short_query_is_made_of_names() {
    check("use", &[], &["use"], &["use"]);
    check("searcher glue", &["searcher", "glue"], &["searcher", "glue"], &["searcher", "glue"]);
    check("$derived", &["deriv"], &["$derived"], &["$derived"]);
}

#[test]
fn paths_come_with_their_lines() {
    check(
        "what fails at src/net/tls.rs:12:5, if anything",
        &["fail", "src", "net", "tls", "rs"],
        &[],
        &["src/net/tls.rs:12"],
    );
    for (text, path) in [
        ("look at ./a/b/ now and then please", "a/b"),
        ("what about C:\\x or lib\\io.py?", "lib/io.py"),
        ("see the line in main.c#L40 of it", "main.c:40"),
        ("what of .gitignore and others there", ".gitignore"),
    ] {
        assert!(
            paths(&Query::read(text)).contains(&path.to_owned()),
            "{text}: {:?}",
            paths(&Query::read(text))
        );
    }
    assert!(Query::read("see https://example.org/a/b for more of it").paths.is_empty());
}

#[test]
fn quotations_are_kept() {
    assert_eq!(Query::read("where is \"No such file\" said").quoted, ["no such file"]);
    assert!(Query::read("an \"open quotation").quoted.is_empty());
    assert!(Query::read("one \"word\"").quoted.is_empty());
}

#[test]
fn words_are_looked_for_in_other_forms() {
    for (query, text, bits) in [
        ("file name", "filename", 0b11),
        ("memory map", "MemoryMap", 0b11),
        ("configuration of it", "cfg", 0b1),
        ("readTimeout", "read_timeouts", 0b11),
        ("readTimeout", "reads", 0b1),
        ("image", "Imagery", 0),
    ] {
        assert_eq!(Query::read(query).mask(text), bits, "{query} {text}");
    }
}

#[test]
fn a_query_says_what_it_does_not_mind() {
    for (query, tests, foreign) in [
        ("testing the parser", true, false),
        ("the parser's fixtures", false, true),
        ("the parser", false, false),
    ] {
        let query = Query::read(query);
        assert_eq!((query.tests, query.foreign), (tests, foreign), "{query:?}");
    }
}

#[test]
fn a_pasted_log_is_bounded() {
    let log: String = (0..20_000).map(|number| format!("error{number} a/b{number}.rs ")).collect();
    let query = Query::read(&log);
    assert!(
        query.words.len() <= MOST_WORDS && query.names.len() <= MOST_NAMES && query.paths.len() <= MOST_NAMES
    );
    assert!(query.lookup.len() < 20_000);
    Query::read(&"é".repeat(50_000));
    Query::read(&"\"".repeat(100_000));
}
