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
fn nothing_of_a_window_is_the_root_pair_alone_whether_or_not_it_is_known() {
    let config = Config { context_budget_percent: 0, ..Config::default() };
    for window in [Some(8_000), Some(1_000_000), None] {
        assert_eq!(limit(&config, window, 100_000), FLOOR, "{window:?}");
    }
    assert!(only_guaranteed(&config) && !only_guaranteed(&Config::default()));
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
        order(&all, prompt, &edited, &|| false).into_iter().map(|at| all[at].dir.as_str()).collect()
    };
    assert_eq!(dirs("hello", &[]), ["a", "b", "z", "b/c"]);
    assert_eq!(dirs("Why does the network retry?", &[]), ["b", "a", "z", "b/c"]);
    assert_eq!(dirs("Where are things?", &[]), ["a", "b", "z", "b/c"], "a word that is everywhere");
    assert_eq!(dirs("hello", &["b/c/x.rs"]), ["b", "a", "z", "b/c"]);
    assert_eq!(dirs("storing sockets", &["b/x.rs"]), ["z", "a", "b", "b/c"]);
    let hasty = order(&all, "sockets", &[], &|| true);
    assert_eq!(hasty.len(), 4, "what nobody could ask about is not left out");
}

#[test]
fn behind_one_that_does_not_fit_only_its_depth_is_tried() {
    let all = pairs(&[("", ""), ("a", ""), ("b", ""), ("c", ""), ("a/d", "")]);
    let taken = |tokens: [u64; 5], room: u64| -> Vec<&str> {
        let order = order(&all, "", &[], &|| false);
        let taken = take(&all, &order, room, &|| false, &mut |at| tokens[at]);
        taken.pairs.into_iter().map(|at| all[at].dir.as_str()).collect()
    };
    assert_eq!(taken([0, 10, 10, 10, 10], 100), ["a", "b", "c", "a/d"]);
    assert_eq!(taken([0, 10, 90, 10, 10], 50), ["a", "c"]);
    assert_eq!(taken([0, 90, 90, 90, 1], 50), [""; 0]);
    assert_eq!(taken([0, 10, 10, 10, 90], 50), ["a", "b", "c"]);
    assert_eq!(taken([0, 0, 0, 0, 0], 0), [""; 0]);
}

#[test]
fn without_time_no_more_is_tried() {
    let all = pairs(&[("", ""), ("a", ""), ("b", ""), ("c", "")]);
    let calls = std::cell::Cell::new(0);
    let over = || calls.replace(calls.get() + 1) == 2;
    let taken = take(&all, &[1, 2, 3], 100, &over, &mut |_| 1);
    assert_eq!(taken, Taken { pairs: vec![1, 2], cut: true });
}
