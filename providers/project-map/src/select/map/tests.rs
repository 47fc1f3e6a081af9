use ctxhost_code::{language, symbols::Extracted, walk::is_test};
use ctxhost_sdk::protocol::project_map::Mode;
use proptest::prelude::*;

use super::*;
use crate::select::{
    facts::{self, Read},
    inventory::{FileFacts, Manifest, Named, Script},
    pair::{Heading, Page},
};

pub(crate) fn config(threshold: u32) -> Config {
    Config {
        ignore_patterns: vec!["node_modules".to_owned(), ".git".to_owned()],
        small_package_threshold: threshold,
        context_budget: 4_000,
        mode: Mode::Strong,
        tag_cap: 8,
        workflow_hint_cap: 5,
        context_budget_percent: 15,
        context_budget_max_tokens: 100_000,
        expansion_tokens: 4_000,
        commit_artifacts: false,
        artifact_dir: None,
        max_files: 200_000,
    }
}

/// A file as it would be read, without definitions.
fn file(path: &str, text: &str) -> FileFacts {
    let language = language::detect(path, text.as_bytes());
    facts::of(&Read {
        path,
        hash: [path.len() as u8; 32],
        bytes: text.len() as u64,
        lines: 1,
        language,
        test: is_test(path),
        foreign: false,
        text,
        extracted: &Extracted::default(),
    })
}

fn inventory(files: &[(&str, &str)]) -> Inventory {
    Inventory { files: files.iter().map(|(path, text)| file(path, text)).collect() }
}

/// The lines below a heading.
fn lines(page: &Page, heading: Heading) -> Vec<String> {
    let parts = page.parts.iter().filter(|part| part.heading == heading);
    parts
        .flat_map(|part| &part.items)
        .map(|item| format!("{} {}", item.path, item.text).trim().to_owned())
        .collect()
}

fn shop() -> Inventory {
    let mut shop = inventory(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n"),
        ("README.md", "# Shop\n\nSells things to people.\n"),
        ("rustfmt.toml", "max_width = 100"),
        ("crates/price/Cargo.toml", "[package]\nname = \"price\"\ndescription = \"What things cost.\"\n"),
        ("crates/price/src/lib.rs", "//! Prices of things.\n"),
        ("crates/price/src/tax.rs", "//! Taxes on prices.\n"),
        ("crates/price/tests/tax.rs", ""),
        ("crates/cart/Cargo.toml", "[package]\nname = \"cart\"\n"),
        ("crates/cart/src/main.rs", "//! Fills the cart.\n"),
        ("crates/cart/src/line.rs", ""),
        (".env", "TOKEN=abc"),
    ]);
    for file in &mut shop.files {
        file.imports = match file.path.as_str() {
            "crates/cart/src/main.rs" => vec!["price::tax::Tax".into(), "serde".into(), "crate::line".into()],
            "crates/price/src/lib.rs" => vec!["crate::tax".into()],
            _ => Vec::new(),
        };
        file.definitions = u32::from(file.code);
    }
    shop
}

#[test]
fn a_workspace_has_a_pair_for_each_crate() {
    let pairs = make(&shop(), &config(3));
    let dirs: Vec<&str> = pairs.iter().map(|pair| pair.dir.as_str()).collect();
    assert_eq!(dirs, ["", "crates", "crates/cart", "crates/price"]);
    assert_eq!(pairs.iter().map(|pair| pair.files).sum::<u32>(), 11);
    let [root, crates, cart, price] = &pairs[..] else { panic!("four pairs") };
    assert_eq!(root.index.purpose, "Sells things to people.");
    assert_eq!(lines(&root.index, Heading::Routes), ["crates/ Holds cart, price."]);
    assert_eq!(
        lines(&crates.index, Heading::Routes),
        ["crates/cart/ Fills the cart.", "crates/price/ What things cost."]
    );
    assert_eq!(lines(&cart.map, Heading::EntryPoints), ["crates/cart/src/main.rs Fills the cart."]);
    assert_eq!(
        lines(&cart.map, Heading::DependsOn),
        ["crates/price/ imported by 1 file", "packages of others: serde (1)"]
    );
    assert_eq!(lines(&price.map, Heading::UsedBy), ["crates/cart/ in 1 file"]);
    assert_eq!(
        lines(&price.index, Heading::Workflows),
        [
            "crates/price/Cargo.toml to test: cargo test -p price",
            "crates/price/Cargo.toml to build: cargo build -p price",
            "crates/price/src/tax.rs to change tax, open crates/price/src/tax.rs; tests in crates/price/tests/tax.rs",
        ]
    );
    assert_eq!(lines(&root.map, Heading::Conventions), ["rustfmt.toml formatter: rustfmt"]);
    assert_eq!(
        lines(&price.map, Heading::Folded),
        ["crates/price/src/ Prices of things.", "crates/price/tests/ Tests."]
    );
}

#[test]
fn a_hash_covers_the_files_of_its_pair_alone() {
    let before = make(&shop(), &config(3));
    let mut changed = shop();
    changed.files[4].hash = [9; 32];
    let after = make(&changed, &config(3));
    let differ: Vec<&str> = before
        .iter()
        .zip(&after)
        .filter(|(a, b)| a.inputs != b.inputs)
        .map(|(pair, _)| pair.dir.as_str())
        .collect();
    assert_eq!(differ, ["crates/price"]);
}

#[test]
fn a_project_without_files_has_the_pair_of_its_root() {
    let pairs = make(&Inventory::default(), &config(10));
    assert_eq!((pairs.len(), pairs[0].dir.as_str(), pairs[0].files), (1, "", 0));
    assert_eq!(pairs[0].index.title, "project");
    assert!(pairs[0].index.parts.is_empty());
}

#[test]
fn caps_are_kept() {
    let caps = Config { tag_cap: 2, workflow_hint_cap: 1, ..config(3) };
    for pair in make(&shop(), &caps) {
        let items =
            pair.index.parts.iter().flat_map(|part| part.items.iter().map(move |item| (part.heading, item)));
        assert!(items.clone().all(|(_, item)| item.tags.len() <= 2));
        assert!(items.filter(|(heading, _)| *heading == Heading::Workflows).count() <= 1);
    }
}

#[test]
fn no_part_is_empty_and_headings_stand_in_order() {
    for pair in make(&shop(), &config(2)) {
        for page in [&pair.index, &pair.map] {
            assert!(page.parts.iter().all(|part| !part.items.is_empty()));
            assert!(page.parts.windows(2).all(|two| two[0].heading < two[1].heading), "{page:?}");
        }
    }
}

/// Sizes at which a step that looks at each pair of files would take minutes.
#[test]
fn many_files_in_one_directory_and_many_directories_take_no_longer_than_their_number() {
    let plain = |path: String| FileFacts {
        path,
        code: true,
        language: "python".into(),
        imports: vec!["a.b".into()],
        ..FileFacts::default()
    };
    let wide = Inventory { files: (0..50_000).map(|at| plain(format!("src/{at}_{}.py", at % 7))).collect() };
    assert_eq!(make(&wide, &config(10)).iter().map(|pair| pair.files).sum::<u32>(), 50_000);
    let deep = Inventory {
        files: (0..20_000).map(|at| plain(format!("d{}/e{}/f{at}/x.py", at % 100, at % 10_000))).collect(),
    };
    assert_eq!(make(&deep, &config(10)).iter().map(|pair| pair.files).sum::<u32>(), 20_000);
    let chain = Inventory { files: vec![plain(format!("{}x.py", "a/".repeat(2_000)))] };
    assert_eq!(make(&chain, &config(1)).len(), 2);
}

fn any_file() -> impl Strategy<Value = FileFacts> {
    let step = prop::sample::select(vec![
        "src", "tests", "docs", "fixtures", "de", "fr", "en", "ja", "ko", "a", "b", "crates",
    ]);
    let name = prop::sample::select(vec![
        "mod.rs",
        "a.py",
        "b.test.ts",
        "README.md",
        "x.json",
        "Cargo.toml",
        "1.svelte",
        "2.svelte",
        "é.go",
    ]);
    let manifest = prop::option::of(Just(Manifest {
        kind: "cargo".into(),
        name: "a".into(),
        scripts: vec![Script { name: "test".into(), run: "cargo test".into() }],
        entries: vec!["src/mod.rs".into()],
        ..Manifest::default()
    }));
    (prop::collection::vec(step, 0..4), name, manifest, any::<u8>()).prop_map(
        |(steps, name, manifest, seed)| {
            let path = steps.iter().chain([&name]).copied().collect::<Vec<_>>().join("/");
            let mut facts = file(&path, "# a\n\nSome words about it.\n");
            facts.hash = [seed; 32];
            facts.manifest = manifest.filter(|_| name == "Cargo.toml");
            facts.imports = vec!["./a".into(), "a".into(), "crate::a".into(), "..a".into()];
            facts.definitions = u32::from(seed);
            facts
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_the_files_changes_nothing(
        mut files in prop::collection::vec(any_file(), 0..60),
        threshold in 0_u32..12,
        seed in any::<u64>(),
    ) {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files.dedup_by(|a, b| a.path == b.path);
        let sorted = make(&Inventory { files: files.clone() }, &config(threshold));
        let mixed = |at: usize| (at as u64).wrapping_mul(seed | 1).rotate_left(17);
        let mut places: Vec<usize> = (0..files.len()).collect();
        places.sort_by_key(|at| mixed(*at));
        let shuffled = Inventory { files: places.into_iter().map(|at| files[at].clone()).collect() };
        let again = make(&shuffled, &config(threshold));
        prop_assert_eq!(&sorted, &again);
        prop_assert_eq!(sorted.iter().map(|pair| pair.files as usize).sum::<usize>(), files.len());
        prop_assert!(sorted.windows(2).all(|two| two[0].dir < two[1].dir));
        prop_assert_eq!(sorted[0].dir.as_str(), "");
    }
}

/// Adds definitions to a file.
fn defines(inventory: &mut Inventory, path: &str, kind: &str, names: &[&str]) {
    let file = inventory.files.iter_mut().find(|file| file.path == path).expect("it is there");
    file.definitions = 40;
    file.symbols = (1..)
        .zip(names)
        .map(|(line, name)| Named { name: (*name).to_owned(), kind: kind.to_owned(), public: true, line })
        .collect();
}

#[test]
fn a_root_of_packages_offers_theirs_and_no_measurements() {
    let mut files = inventory(&[
        ("package.json", r#"{"name": "all", "workspaces": ["packages/*"]}"#),
        ("benchmarking/utils.js", ""),
        ("packages/shop/package.json", r#"{"name": "shop", "main": "src/index.js"}"#),
        ("packages/shop/src/index.js", ""),
        ("packages/shop/src/internal/loop.js", ""),
    ]);
    defines(&mut files, "benchmarking/utils.js", "function", &["fastest_test"]);
    defines(&mut files, "packages/shop/src/index.js", "function", &["sell"]);
    defines(&mut files, "packages/shop/src/internal/loop.js", "function", &["loop_on"]);
    let pairs = make(&files, &config(3));
    let offered = lines(&pairs[0].map, Heading::PublicSurface);
    assert_eq!(offered, ["packages/shop/src/index.js", "packages/shop/src/internal/loop.js"]);
}

#[test]
fn of_constants_a_handful_is_named() {
    let mut files =
        inventory(&[("Cargo.toml", "[package]\nname = \"x\"\n"), ("src/lib.rs", ""), ("src/flags.rs", "")]);
    let names = ["AAA", "BBB", "CCC", "DDD", "EEE", "FFF", "GGG", "HHH"];
    defines(&mut files, "src/flags.rs", "constant", &names);
    let pairs = make(&files, &config(3));
    let key = pairs[0].map.parts.iter().find(|part| part.heading == Heading::KeyFiles).expect("key files");
    let flags = key.items.iter().find(|item| item.path == "src/flags.rs").expect("it is one");
    assert_eq!((flags.symbols.len(), flags.text.as_str()), (6, "Constants, these and 34 more."));
}
