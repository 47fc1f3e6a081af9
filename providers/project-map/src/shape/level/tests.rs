//! Levels: what each says, and that no budget is exceeded.

use proptest::prelude::*;

use super::*;
use crate::{
    select::{
        inventory::Named,
        pair::{Heading, Part, Role},
    },
    shape::page::tests::any_page,
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_text_exceeds_its_budget(page in any_page(), map in any::<bool>(), budget in 0..400u64) {
        let kind = Kind::BOTH[usize::from(map)];
        let (level, text) = fit(&page, kind, budget);
        prop_assert!(tokens::estimate(&text) <= budget);
        prop_assert!(text.is_empty() || text.ends_with('\n'));
        if level == Level::Full {
            prop_assert_eq!(text, super::text(&page, kind, Level::Full));
        } else {
            prop_assert!(super::text(&page, kind, Level::Full) != text);
        }
    }

    #[test]
    fn a_larger_budget_never_says_less(page in any_page(), budget in 0..300u64) {
        let (level, _) = fit(&page, Kind::Map, budget);
        let (more, _) = fit(&page, Kind::Map, budget + 20);
        prop_assert!(more <= level);
    }
}

fn page(items: u32) -> Page {
    let item = |number: u32| Item {
        path: format!("src/f{number}.rs"),
        role: Some(Role::Source),
        text: "Does one of many things that are done here.".to_owned(),
        symbols: vec![Named { name: "Thing".to_owned(), kind: "struct".to_owned(), public: true, line: 3 }],
        ..Item::default()
    };
    let part = |heading| Part { heading, items: (0..items).map(item).collect(), left_out: 0 };
    Page {
        title: "src".to_owned(),
        purpose: "Many things.".to_owned(),
        parts: vec![part(Heading::KeyFiles), part(Heading::Tests)],
    }
}

/// The level and the number of lines with symbols, with texts, and in all.
fn check(budget: u64, wanted: (Level, usize, usize, usize)) {
    let (level, text) = fit(&page(10), Kind::Map, budget);
    let lines = |with: &str| text.lines().filter(|line| line.contains(with)).count();
    assert_eq!((level, lines("Thing"), lines("Does"), lines("- `")), wanted, "{budget}\n{text}");
}

#[test]
fn the_first_items_are_said_more_fully_as_far_as_there_is_room() {
    check(1000, (Level::Full, 20, 20, 20));
    check(410, (Level::NoSymbols, 8, 20, 20));
    check(300, (Level::Names, 0, 13, 20));
    check(120, (Level::Counts, 0, 0, 15));
    check(30, (Level::Counts, 0, 0, 0));
}

#[test]
fn what_is_left_out_is_said() {
    let text = |budget| fit(&page(10), Kind::Map, budget).1;
    assert!(text(410).ends_with("… shortened: more symbols are left out\n"));
    assert!(text(300).ends_with("… shortened: more purposes, tags and symbols are left out\n"));
    assert!(text(120).contains("\n… and 3 more\n"), "{}", text(120));
    assert_eq!(text(30), "# Map: src\n\n## Key files\n… and 10 more\n\n## Tests\n… and 10 more\n");
    assert_eq!(text(14), "# Map: src\n… shortened: 2 parts are left out\n");
    assert_eq!(text(3), "# Map: src\n");
    assert_eq!(text(2), "");
}

#[test]
fn a_hint_for_work_keeps_its_text_or_is_counted() {
    let hint = |text: &str| Item { path: "Cargo.toml".to_owned(), text: text.to_owned(), ..Item::default() };
    let items = vec![hint("to test: cargo test"), hint("to build: cargo build")];
    let mut page = page(4);
    page.parts.push(Part { heading: Heading::Workflows, items, left_out: 0 });
    let names = text(&page, Kind::Index, Level::Names);
    assert!(names.contains("- `Cargo.toml` - to test: cargo test\n- `Cargo.toml` - to build"), "{names}");
    for budget in 0..400 {
        let (level, text) = fit(&page, Kind::Index, budget);
        assert!(!text.contains("- `Cargo.toml`\n"), "{budget} {level:?}\n{text}");
    }
}
