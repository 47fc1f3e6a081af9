use super::{bodies::Bodies, *};
use crate::select::corpus::fake::Fake;
use ctxhost_code::symbols::Kind;

const SHOP: &[(&str, &str)] = &[
    (
        "src/cart.rs",
        "/// Items that somebody wants to buy.\nstruct Cart {}\n\npub fn add_item(cart: Cart) {\n    total(cart)\n}\n\nfn \
         clear(cart: Cart) {\n    panic(\"the cart is locked\")\n}\n",
    ),
    (
        "src/price.rs",
        "/// Sums up.\npub fn total(cart: Cart) {\n    discount()\n}\n\nfn discount() {\n    round_half()\n}\n",
    ),
    ("src/round.rs", "pub fn round_half() {\n    let half = 1;\n}\n"),
    ("src/stock.rs", "pub fn reserve_stock() {\n    let warehouse = 1;\n}\n"),
    ("src/mail.rs", "pub fn send_mail() {\n    let template = 1;\n}\n"),
    ("src/user.rs", "pub fn sign_in() {\n    let password = 1;\n}\n"),
    ("src/log.rs", "pub fn write_log() {\n    let level = 1;\n}\n"),
    ("src/zip.rs", "pub fn compress() {\n    let ratio = 1;\n}\n"),
    ("tests/cart.rs", "fn adds_item() {\n    add_item(cart);\n    add_item(cart)\n}\n"),
];

fn found(text: &str, filter: &Filter, limit: usize) -> Vec<(String, RankedSymbol)> {
    let shop = Fake::new(SHOP);
    let prompt = Prompt::read(text);
    let files = files::rank(&shop, &prompt, filter, 30).expect("memory does not fail");
    let context = Context { recent: &[], filter, depth: 2, limit, stop: &|| false };
    let ranked = rank(&shop, &prompt, &files, &context).expect("memory does not fail");
    let name = |place: Place| {
        let extracted = shop.extracted(place.doc).expect("memory does not fail");
        extracted.symbols[place.symbol as usize].name.clone()
    };
    ranked.into_iter().map(|one| (name(one.place), one)).collect()
}

fn first(text: &str) -> String {
    found(text, &Filter::default(), 30).first().map(|(name, _)| name.clone()).unwrap_or_default()
}

#[test]
fn the_definition_that_is_asked_for_comes_first() {
    for (text, expected) in [
        ("add_item", "add_item"),
        ("addItem adds it twice", "add_item"),
        ("where is the discount computed", "discount"),
        ("clear the cart", "clear"),
        ("it panics with \"the cart is locked\"", "clear"),
        ("thread panicked at src/cart.rs:9:5", "clear"),
        ("zzz qqq", ""),
    ] {
        assert_eq!(first(text), expected, "of {text:?}");
    }
}

#[test]
fn references_are_followed_for_two_steps_and_shown() {
    let symbols = found("total", &Filter::default(), 30);
    let of = |name: &str| symbols.iter().find(|(found, _)| found == name).map(|(_, one)| one.clone());
    let (discount, round) = (of("discount").expect("one step"), of("round_half").expect("two steps"));
    assert!(discount.signals.reference > round.signals.reference && round.signals.reference > 0.0);
    assert_eq!(round.through, of("discount").map(|one| one.place));
    assert_eq!(round.signals.words, 0.0);
    let shop = Fake::new(SHOP);
    let prompt = Prompt::read("total");
    let filter = Filter::default();
    let files = files::rank(&shop, &prompt, &filter, 30).expect("memory does not fail");
    let near = Context { recent: &[], filter: &filter, depth: 0, limit: 30, stop: &|| false };
    let ranked = rank(&shop, &prompt, &files, &near).expect("memory does not fail");
    assert!(ranked.iter().all(|one| one.signals.reference == 0.0 && one.through.is_none()));
}

#[test]
fn filters_leave_out_before_the_cut() {
    let filter = Filter { kinds: vec![Kind::Struct], ..Filter::default() };
    let symbols = found("add item to the cart", &filter, 1);
    assert_eq!(symbols.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["Cart"]);
    let filter = Filter { path: Some("tests/*".into()), ..Filter::default() };
    let symbols = found("add item to the cart", &filter, 5);
    assert_eq!(symbols.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["adds_item"]);
}

#[test]
fn scores_are_the_sum_of_what_is_shown() {
    for (name, one) in found("clear the items of the Cart", &Filter::default(), 30) {
        let sum: f64 = one.signals.each().iter().map(|signal| signal.value * signal.weight).sum();
        assert!((sum - one.score).abs() < 1e-9, "{name}");
    }
}

#[test]
fn doc_comments_and_lately_edited_files_count() {
    let symbols = found("who wants to buy items of the cart", &Filter::default(), 30);
    let cart = symbols.iter().find(|(name, _)| name == "Cart").expect("the cart");
    assert!(cart.1.signals.doc > 0.0);
    let shop = Fake::new(SHOP);
    let (prompt, filter) = (Prompt::read("the cart"), Filter::default());
    let files = files::rank(&shop, &prompt, &filter, 30).expect("memory does not fail");
    let recent = ["src/price.rs".to_owned()];
    let context = Context { recent: &recent, filter: &filter, depth: 0, limit: 30, stop: &|| false };
    for one in rank(&shop, &prompt, &files, &context).expect("memory does not fail") {
        let expected = match shop.path(one.place.doc).as_str() {
            "src/price.rs" => 1.2,
            path if path.starts_with("src/") => 0.6,
            _ => 0.0,
        };
        assert_eq!(one.signals.proximity, expected);
    }
}

#[test]
fn a_file_that_shrank_is_no_trouble() {
    let symbols = vec![ctxhost_code::symbols::Symbol {
        name: "add".into(),
        owner: String::new(),
        kind: Kind::Function,
        visibility: ctxhost_code::symbols::Visibility::Public,
        span: ctxhost_code::symbols::Span { bytes: 5..500, first_line: 1, last_line: 9 },
        signature_end: 400,
        doc: Some(600..700),
    }];
    let prompt = Prompt::query("add");
    let bodies = Bodies::new(&prompt).count(&symbols, b"fn a add add");
    assert_eq!((bodies[0].counts.as_slice(), bodies[0].length), ([(0, 2)].as_slice(), 2));
    assert_eq!(Bodies::new(&prompt).count(&symbols, b"")[0], bodies::Body::default());
}

#[test]
fn inner_symbols_count_for_outer_ones_too() {
    let symbol = |bytes: std::ops::Range<u32>| ctxhost_code::symbols::Symbol {
        name: "a".into(),
        owner: String::new(),
        kind: Kind::Class,
        visibility: ctxhost_code::symbols::Visibility::Public,
        span: ctxhost_code::symbols::Span { bytes, first_line: 1, last_line: 1 },
        signature_end: 0,
        doc: None,
    };
    let text = b"alpha { alpha beta } alpha";
    let prompt = Prompt::read("alpha");
    let counts = Bodies::new(&prompt).count(&[symbol(0..26), symbol(8..18)], text);
    assert_eq!(
        counts.iter().map(|body| (body.counts.clone(), body.length)).collect::<Vec<_>>(),
        [(vec![(0, 3)], 4), (vec![(0, 1)], 2)]
    );
}
