//! Limits, orders and what finds room.

use super::*;

fn pair(dir: &str, purpose: &str) -> Pair {
    let page = Page { title: dir.to_owned(), purpose: purpose.to_owned(), parts: Vec::new() };
    Pair { dir: dir.to_owned(), files: 1, index: page.clone(), map: page, ..Pair::default() }
}

fn pairs(all: &[(&str, &str)]) -> Vec<Pair> {
    all.iter().map(|(dir, purpose)| pair(dir, purpose)).collect()
}

#[test]
fn the_smallest_limit_holds() {
    let config = Config::default();
    for (window, host, expected) in [
        (Some(8_000), 100_000, 1_200),
        (Some(32_000), 100_000, 4_800),
        (Some(128_000), 100_000, 19_200),
        (Some(200_000), 100_000, 30_000),
        (Some(1_000_000), 1_000_000, 100_000),
        (Some(666_667), 1_000_000, 100_000),
        (Some(u64::MAX), u64::MAX, 100_000),
        (None, 1_000_000, 100_000),
        (None, 9_000, 9_000),
        (Some(200_000), 2_000, 2_000),
        (Some(1_000), 100_000, FLOOR),
        (Some(0), 100, 100),
    ] {
        assert_eq!(limit(&config, window, host), expected, "{window:?} {host}");
    }
    let config = Config { context_budget_percent: 1, context_budget_max_tokens: 500, ..config };
    assert_eq!((limit(&config, Some(40_000), 9_000), limit(&config, Some(90_000), 9_000)), (400, 500));
    let config = Config { context_budget_percent: 0, context_budget_max_tokens: 10, ..config };
    assert_eq!(limit(&config, Some(90_000), 9_000), 10);
}

#[test]
fn two_texts_share_a_limit() {
    for (limit, wanted, expected) in [
        (1_000, [300, 600], 400),
        (1_000, [900, 900], 383),
        (1_000, [100, 2_000], 383),
        (1_000, [2_000, 150], 850),
        (150, [2_000, 2_000], 100),
        (90, [10, 10], 90),
        (0, [10, 10], 0),
    ] {
        assert_eq!(share(limit, [100, 50], wanted), expected, "{limit} {wanted:?}");
    }
}

#[test]
fn the_shallow_come_first_and_then_what_is_asked_about() {
    let all = pairs(&[
        ("", "All of it."),
        ("b", "Talks to the network."),
        ("b/c", "Retries over the network."),
        ("a", "Stores things."),
        ("z", "Stores sockets."),
    ]);
    let dirs = |prompt: &str, edited: &[&str]| -> Vec<&str> {
        let edited: Vec<String> = edited.iter().map(|path| (*path).to_owned()).collect();
        order(&all, prompt, &edited).into_iter().map(|at| all[at].dir.as_str()).collect()
    };
    assert_eq!(dirs("hello", &[]), ["a", "b", "z", "b/c"]);
    assert_eq!(dirs("Why does the network retry?", &[]), ["b", "a", "z", "b/c"]);
    assert_eq!(dirs("hello", &["z/x.rs"]), ["z", "a", "b", "b/c"]);
    assert_eq!(dirs("storing sockets", &["a/x.rs"]), ["z", "a", "b", "b/c"]);
}

#[test]
fn behind_one_that_does_not_fit_only_its_depth_is_tried() {
    let all = pairs(&[("", ""), ("a", ""), ("b", ""), ("c", ""), ("a/d", "")]);
    let taken = |tokens: [u64; 5], room: u64| -> Vec<&str> {
        let order = order(&all, "", &[]);
        let taken = take(&all, &order, room, &mut |at| tokens[at]);
        taken.into_iter().map(|at| all[at].dir.as_str()).collect()
    };
    assert_eq!(taken([0, 10, 10, 10, 10], 100), ["a", "b", "c", "a/d"]);
    assert_eq!(taken([0, 10, 90, 10, 10], 50), ["a", "c"]);
    assert_eq!(taken([0, 90, 90, 90, 1], 50), [""; 0]);
    assert_eq!(taken([0, 10, 10, 10, 90], 50), ["a", "b", "c"]);
    assert_eq!(taken([0, 0, 0, 0, 0], 0), [""; 0]);
}
