//! What is offered stays within its limit, whatever there is to say.

use proptest::prelude::*;

use super::*;
use crate::{
    select::pair::{Heading, Item, Page, Pair, Part},
    settings::Config,
    shape::{
        artifact,
        block::{Remark, Text},
        forbidden::Own,
    },
};

static NOWHERE: Own = Own::nowhere();
const HASH: &str = "0123456789abcdef0123456789abcdef";

fn page(name: &str, items: usize, words: usize) -> Page {
    let item = |number: usize| Item {
        path: format!("{name}/file-{number}.rs"),
        text: "word ".repeat(words),
        ..Item::default()
    };
    let part = Part { heading: Heading::Files, items: (0..items).map(item).collect(), left_out: 0 };
    Page { title: name.to_owned(), purpose: "日本 and more.".to_owned(), parts: vec![part] }
}

fn pair_of(dir: &str, items: usize, words: usize) -> Pair {
    let (index, map) = (page(dir, items, words), page(dir, items * 2, words));
    Pair { dir: dir.to_owned(), files: 1, index, map, ..Pair::default() }
}

fn halves(pair: &Pair) -> [Offer<'_>; 2] {
    Kind::BOTH.map(|kind| Offer {
        block: Block {
            dir: &pair.dir,
            kind,
            text: Text::Page(artifact::page(pair, kind)),
            notes: None,
            remark: Remark::None,
            hash: HASH,
            most: artifact::budget(&pair.dir, kind),
            own: &NOWHERE,
        },
        standing: spec::Standing::Fresh,
    })
}

/// Everything that is offered for a first prompt, as the provider puts it together.
fn all(pairs: &[Pair], config: &Config, window: Option<u64>, host: u64) -> (u64, Offered) {
    let limit = expand::limit(config, window, host);
    let mut offered = root(&halves(&pairs[0]), limit, true);
    let room = config.expansion_tokens.min(limit - offered.tokens);
    let order = expand::order(pairs, "", &[], &|| false);
    let taken = expand::take(pairs, &order, room, &|| false, &mut |at| pair_tokens(&halves(&pairs[at])));
    for (place, at) in taken.pairs.into_iter().enumerate() {
        let more = pair(&halves(&pairs[at]), place);
        offered.tokens += more.tokens;
        offered.sections.extend(more.sections);
    }
    (limit, offered)
}

fn largest(offered: &Offered) -> u64 {
    offered.sections.iter().map(|section| tokens::estimate(&section.variants[0].body)).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn what_is_offered_stays_within_the_limit(
        sizes in prop::collection::vec((0_usize..60, 0_usize..30), 1..12),
        host in prop_oneof![Just(0_u64), 0_u64..3_000, Just(1_000_000)],
        more in prop_oneof![Just(4_000_u64), 0_u64..50_000],
    ) {
        let pairs: Vec<Pair> = sizes
            .iter()
            .enumerate()
            .map(|(at, (items, words))| {
                let dir = if at == 0 { String::new() } else { format!("{}d{at}", "x/".repeat(at % 3)) };
                pair_of(&dir, *items, *words)
            })
            .collect();
        let config = Config { expansion_tokens: more, ..Config::default() };
        for window in [Some(8_000), Some(32_000), Some(128_000), Some(200_000), Some(1_000_000), None] {
            let (limit, offered) = all(&pairs, &config, window, host);
            let tags: u64 = offered.sections.iter().map(|section| framed(&section.key)).sum();
            prop_assert!(largest(&offered) + tags <= limit, "{} of {limit}", largest(&offered) + tags);
            prop_assert_eq!(largest(&offered) + tags, offered.tokens);
            if limit >= 400 {
                let keys: Vec<&str> = offered.sections.iter().take(2).map(|s| s.key.as_str()).collect();
                prop_assert_eq!(keys, ["index", "map"]);
            }
            for section in &offered.sections {
                prop_assert!(section.variants.windows(2).all(|two| two[0].tokens > two[1].tokens));
            }
        }
    }
}

#[test]
fn the_root_is_said_in_smaller_sizes_for_smaller_windows() {
    let pairs = [pair_of("", 60, 20), pair_of("a", 3, 3)];
    let check = |window: Option<u64>, keys: &[&str]| {
        let (_, offered) = all(&pairs, &Config::default(), window, 1_000_000);
        let found: Vec<&str> = offered.sections.iter().map(|section| section.key.as_str()).collect();
        assert_eq!(found, keys, "{window:?}");
        offered
    };
    let small = check(Some(8_000), &["index", "map"]);
    let large = check(None, &["index", "map", "pair/a"]);
    assert!(small.tokens > 1_000 && large.tokens > small.tokens);
    assert!(small.injected[0].level > spec::Level::Full && small.injected[0].tokens < 500);
    let sizes: Vec<usize> = large.sections.iter().map(|section| section.variants.len()).collect();
    assert_eq!(sizes, [3, 3, 3]);
    assert!(large.sections[2].variants[0].body.matches("<!-- pi-map:begin v=1 kind=").count() == 2);
}

#[test]
fn every_directory_has_a_key() {
    assert_eq!(key("src/a b"), "pair/src/a b");
    let long = key(&"d/".repeat(500));
    assert!(long.chars().count() <= 200 && long.starts_with("pair/…"), "{long}");
    assert_ne!(long, key(&format!("x/{}", "d/".repeat(500))));
    assert!(!key("a\nb\u{202E}c").contains(['\n', '\u{202E}']));
    assert!(title(&"x".repeat(500)).chars().count() <= 120);
}
