use super::{List, deciding_rule, without_trailing_spaces};

#[track_caller]
fn check(lists: &[&str], excluded: &[&str], others: &[&str]) {
    let lists: Vec<List> = lists.iter().map(|text| List::read("list", text)).collect();
    let lists: Vec<&List> = lists.iter().collect();
    let is_excluded = |path: &str| deciding_rule(&lists, path).is_some_and(|hit| !hit.negated);
    for path in excluded {
        assert!(is_excluded(path), "{path} should be excluded");
    }
    for path in others {
        assert!(!is_excluded(path), "{path} should not be excluded");
    }
}

#[test]
fn a_later_list_takes_back_what_an_earlier_one_excludes() {
    check(&["*.env\nkeys/", "!public.env\n!keys/a.txt"], &["x.env", "keys/a.txt"], &["public.env", "keys"]);
}

#[test]
fn an_excluded_folder_decides_for_everything_below_it() {
    check(
        &["secrets/\n!secrets/keep.txt"],
        &["secrets/keep.txt", "a/secrets/b/c"],
        &["secrets", "secret/keep.txt"],
    );
    check(&["/build\n"], &["build/a"], &["a/build"]);
}

#[test]
fn a_hit_says_where_the_rule_stands() {
    let list = List::read("rules", "\u{feff}# first\n\n*.log  \r\n!keep.log");
    let hit = deciding_rule(&[&list], "a/b.log").expect("it matches");
    assert_eq!(
        (hit.pattern.as_str(), hit.list.as_str(), hit.line, hit.negated),
        ("*.log", "rules", 3, false)
    );
    assert!(deciding_rule(&[&list], "keep.log").is_some_and(|hit| hit.negated && hit.line == 4));
}

#[test]
fn lines_that_are_no_pattern_are_named_and_match_nothing() {
    let list = List::read("rules", "ok\na[\n!b\\\n#[\n\n[[:nonsense:]]\n");
    assert_eq!(list.broken, [2, 3, 6]);
    check(&["a["], &[], &["a[", "a"]);
}

#[test]
fn a_line_that_is_too_long_is_no_pattern() {
    let list = List::read("rules", &format!("{}\n!{}\n", "?".repeat(4096), "*".repeat(4096)));
    assert_eq!((list.len(), list.broken), (1, vec![2]));
}

#[test]
fn without_negated_rules_their_places_are_kept() {
    let list = List::read("rules", "*.a\n!b/\n!c[\n").without_negated();
    assert_eq!((list.len(), list.broken), (1, vec![3]));
    let dropped: Vec<_> = list.dropped.iter().map(|hit| (hit.pattern.as_str(), hit.line)).collect();
    assert_eq!(dropped, [("!b/", 2)]);
}

#[test]
fn trailing_spaces_count_only_when_escaped() {
    for (line, kept) in
        [("a  ", "a"), ("a\\ ", "a\\ "), ("a\\  ", "a\\ "), ("a \\ b ", "a \\ b"), ("a\t", "a\t"), ("  ", "")]
    {
        assert_eq!(without_trailing_spaces(line), kept);
    }
}

#[test]
fn the_built_in_rules_keep_secrets_out_and_let_examples_through() {
    check(
        &[ctxhost_sdk::protocol::ide_context::SECRET_RULES],
        &[
            ".env",
            "app/.env.local",
            "prod.env",
            "tls/server.key",
            ".ssh/config",
            "home/u/.aws/credentials",
            "a/id_rsa",
        ],
        &[".env.example", "src/main.rs", "id_rsa.pub", "environment.ts", "keys.md", "example.env"],
    );
}
