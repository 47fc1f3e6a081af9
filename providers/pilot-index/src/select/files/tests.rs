use super::*;
use crate::select::corpus::fake::Fake;

/// Twelve files of a shop, so that words are rarer than half of them.
const SHOP: &[(&str, &str)] = &[
    ("src/cart.rs", "/// A cart.\nstruct Cart {}\n\npub fn add_item(cart: Cart) { total(cart) }\n"),
    ("src/price.rs", "pub fn total(cart: Cart) { discount() }\n\nfn discount() { round() }\n"),
    ("src/round.rs", "pub fn round() { let half = 1; }\n"),
    ("src/stock.rs", "pub fn reserve_stock() { let warehouse = 1; }\n"),
    ("src/mail.rs", "pub fn send_mail() { let template = 1; }\n"),
    ("src/user.rs", "pub fn sign_in() { let password = 1; }\n"),
    ("src/log.rs", "pub fn write_log() { let level = 1; }\n"),
    ("tests/cart.rs", "fn adds_items() { add_item(cart) }\n"),
    ("tests/price.rs", "fn totals() { total(cart) }\n"),
    ("tests/stock_levels.rs", "fn reserves() { reserve_stock() }\n"),
    ("CHANGELOG.md", "add item cart total discount round reserve stock warehouse\n"),
    ("vendor/cart.rs", "pub fn add_item(cart: Cart) { total(cart) }\n"),
];

fn ranked(text: &str) -> Vec<String> {
    let shop = Fake::new(SHOP);
    let files = rank(&shop, &Prompt::read(text), &Filter::default(), 10).expect("memory does not fail");
    files.iter().map(|file| shop.path(file.doc)).collect()
}

#[test]
fn nothing_is_found_for_nothing() {
    for text in ["", "zzz qqq", "how do I do this and that?", "please continue, thanks", "fn", "pub let"] {
        assert_eq!(ranked(text), Vec::<String>::new(), "of {text:?}");
    }
}

#[test]
fn the_file_that_is_about_it_comes_first() {
    for (text, expected) in [
        ("reserve the stock", "src/stock.rs"),
        ("where do we compute the discount?", "src/price.rs"),
        ("passwords", "src/user.rs"),
        ("AddItem", "src/cart.rs"),
        ("the Warehouse", "src/stock.rs"),
    ] {
        assert_eq!(ranked(text).first().map(String::as_str), Some(expected), "of {text:?}");
    }
}

#[test]
fn tests_have_places_of_their_own_and_belong_to_what_they_test() {
    let files = ranked("total of the cart, add item, discount, round, stock");
    assert_eq!(files.iter().position(|path| path.starts_with("tests/")), Some(3));
    let shop = Fake::new(SHOP);
    let prompt = Prompt::read("cart items");
    let files = rank(&shop, &prompt, &Filter::default(), 10).expect("memory does not fail");
    let test = files.iter().find(|file| shop.path(file.doc) == "tests/cart.rs").expect("the cart's test");
    let (of, gain) = test.companion.expect("a companion");
    assert_eq!(shop.path(of), "src/cart.rs");
    assert!(gain > 0.0 && test.score > test.words);
}

#[test]
fn a_prompt_about_tests_finds_tests_first() {
    assert_eq!(ranked("the test of stock levels")[0], "tests/stock_levels.rs");
}

#[test]
fn prose_and_foreign_code_come_last() {
    let files = ranked("add item cart total");
    let at = |path: &str| files.iter().position(|found| found == path).expect("found");
    assert!(at("src/cart.rs") < at("CHANGELOG.md") && at("src/cart.rs") < at("vendor/cart.rs"));
    assert!(at("src/price.rs") < at("vendor/cart.rs"));
}

#[test]
fn named_files_come_first() {
    assert_eq!(ranked("reserve stock as in mail.rs")[0], "src/mail.rs");
    assert_eq!(ranked("/home/me/shop/src/log.rs:3: reserve stock")[0], "src/log.rs");
    assert_eq!(ranked("what is in log.rs?"), ["src/log.rs"]);
    // A name that several files go by says less than the words.
    assert_eq!(ranked("reserve stock in cart.rs")[0], "src/stock.rs");
    assert!(ranked("what is in src/?").len() == 7);
}

#[test]
fn filters_leave_out_before_the_cut() {
    let shop = Fake::new(SHOP);
    let prompt = Prompt::read("add item cart total");
    let filter = Filter { path: Some("vendor/".into()), ..Filter::default() };
    let files = rank(&shop, &prompt, &filter, 1).expect("memory does not fail");
    assert_eq!(files.iter().map(|file| shop.path(file.doc)).collect::<Vec<_>>(), ["vendor/cart.rs"]);
}

#[test]
fn the_order_does_not_depend_on_the_order_of_files() {
    let mut files = SHOP.to_vec();
    files.reverse();
    let (shop, turned) = (Fake::new(SHOP), Fake::new(&files));
    let prompt = Prompt::read("add item cart total discount");
    let paths = |shop: &Fake| {
        let files = rank(shop, &prompt, &Filter::default(), 20).expect("memory does not fail");
        files.iter().map(|file| shop.path(file.doc)).collect::<Vec<_>>()
    };
    assert_eq!(paths(&shop), paths(&turned));
}

#[test]
fn a_pasted_log_asks_for_a_bounded_number_of_words() {
    let shop = Fake::new(SHOP);
    let log = (0..20_000).map(|number| format!("entry{number}")).collect::<Vec<_>>().join(" ");
    rank(&shop, &Prompt::read(&log), &Filter::default(), 10).expect("memory does not fail");
    assert!(shop.asked.borrow().len() <= 256);
}
