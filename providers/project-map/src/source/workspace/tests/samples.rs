//! Small repositories of several languages, looked at from their files on.

use super::*;

/// The lines below a heading of a directory's pages.
fn lines(look: &Look, dir: &str, heading: Heading) -> Vec<String> {
    let pair = look.pairs.iter().find(|pair| pair.dir == dir).expect("a pair");
    let parts = |page: &Page| {
        page.parts
            .iter()
            .filter(|part| part.heading == heading)
            .flat_map(|part| part.items.clone())
            .collect::<Vec<_>>()
    };
    let items = parts(&pair.index).into_iter().chain(parts(&pair.map));
    items
        .map(|item| {
            let names: Vec<String> =
                item.symbols.iter().map(|symbol| format!("{}:{}", symbol.name, symbol.line)).collect();
            format!("{} {} {}", item.path, item.text, names.join(" ")).trim().to_owned()
        })
        .collect()
}

fn check(look: &Look, dir: &str, heading: Heading, expected: &[&str]) {
    assert_eq!(lines(look, dir, heading), expected, "{dir:?} {}", heading.text());
}

#[test]
fn python() {
    let look = Sample::new(&[
        ("pyproject.toml", "[project]\nname = \"shop\"\ndescription = \"Sells things.\"\n[tool.pytest]\n[tool.ruff]\n"),
        ("shop/__init__.py", "\"\"\"The shop itself.\"\"\"\nfrom .cart import Cart\n"),
        ("shop/cart.py", "import requests\nfrom shop.price import total\n\nclass Cart:\n    def add(self, thing):\n        return total(thing)\n"),
        ("shop/price.py", "def total(things):\n    return sum(things)\n\ndef _hidden():\n    pass\n"),
        ("tests/test_cart.py", "from shop.cart import Cart\n\ndef test_add():\n    pass\n"),
    ])
    .look();
    check(&look, "", Heading::Routes, &["shop/ The shop itself."]);
    check(&look, "", Heading::PublicSurface, &["shop/cart.py  Cart:4", "shop/price.py  total:1"]);
    check(
        &look,
        "",
        Heading::Conventions,
        &["pyproject.toml linter: ruff", "pyproject.toml test runner: pytest"],
    );
    check(&look, "shop", Heading::DependsOn, &["packages of others: requests (1)"]);
    check(&look, "shop", Heading::UsedBy, &["./ in 1 file"]);
    check(
        &look,
        "shop",
        Heading::Workflows,
        &["shop/cart.py to change cart, open shop/cart.py, then shop/price.py; tests in tests/test_cart.py"],
    );
}

#[test]
fn a_workspace_of_packages() {
    let look = Sample::new(&[
        ("package.json", "{\"name\":\"root\",\"workspaces\":[\"packages/*\"],\"scripts\":{\"test\":\"vitest\"},\"devDependencies\":{\"vitest\":\"1\"}}"),
        ("packages/core/package.json", "{\"name\":\"@shop/core\",\"description\":\"What it sells.\",\"main\":\"src/index.ts\"}"),
        ("packages/core/src/index.ts", "export { total } from './price';\nexport function open(): void {}\n"),
        ("packages/core/src/price.ts", "export function total(): number { return 1; }\n"),
        ("packages/web/package.json", "{\"name\":\"@shop/web\"}"),
        ("packages/web/src/app.tsx", "import { open } from '@shop/core';\nimport React from 'react';\nexport class App {}\n"),
        ("packages/web/src/app.test.tsx", "import { App } from './app';\n"),
    ])
    .look();
    check(&look, "packages", Heading::Routes, &["packages/core/ What it sells.", "packages/web/"]);
    check(&look, "packages/core", Heading::EntryPoints, &["packages/core/src/index.ts"]);
    check(&look, "packages/core", Heading::UsedBy, &["packages/web/ in 1 file"]);
    check(
        &look,
        "packages/web",
        Heading::DependsOn,
        &["packages/core/ imported by 1 file", "packages of others: react (1)"],
    );
    check(&look, "", Heading::Workflows, &["package.json to test: npm run test"]);
}

#[test]
fn go_and_java_and_c() {
    let look = Sample::new(&[
        ("go.mod", "module example.com/shop\n"),
        ("main.go", "// Command shop sells things.\npackage main\n\nimport \"example.com/shop/price\"\n\nfunc main() { price.Total() }\n"),
        ("price/price.go", "// Package price knows what things cost.\npackage price\n\nfunc Total() int { return 1 }\n"),
        ("price/tax.go", "package price\n\nfunc Tax() int { return 1 }\n"),
        ("price/tax_test.go", "package price\n"),
        ("app/src/main/java/org/shop/Cart.java", "package org.shop;\n\nimport org.shop.price.Total;\n\n/** Holds things. */\npublic class Cart {}\n"),
        ("app/src/main/java/org/shop/price/Total.java", "package org.shop.price;\n\npublic class Total {}\n"),
        ("app/src/main/java/org/shop/price/Tax.java", "package org.shop.price;\n\npublic class Tax {}\n"),
        ("app/src/main/java/org/shop/price/Sum.java", "package org.shop.price;\n\npublic class Sum {}\n"),
        ("lib/sort.c", "/* Sorts numbers in place. */\n#include \"sort.h\"\n#include <stdio.h>\nint sort(int *n) { return 0; }\n"),
        ("lib/sort.h", "int sort(int *n);\n"),
        ("lib/main.c", "#include \"sort.h\"\nint main(void) { return 0; }\n"),
    ])
    .look();
    check(
        &look,
        "",
        Heading::Routes,
        &["app/src/main/java/org/shop/", "lib/", "price/ Package price knows what things cost."],
    );
    check(&look, "", Heading::DependsOn, &["price/ imported by 1 file"]);
    check(
        &look,
        "app/src/main/java/org/shop",
        Heading::DependsOn,
        &["app/src/main/java/org/shop/price/ imported by 1 file"],
    );
    check(&look, "lib", Heading::EntryPoints, &["lib/main.c"]);
    check(&look, "price", Heading::Tests, &["price/tax_test.go"]);
}

#[test]
fn rust_in_a_folder_that_is_no_repository() {
    let look = Sample::new(&[
        ("Cargo.toml", "[package]\nname = \"shop\"\n[lints.clippy]\n"),
        ("src/lib.rs", "//! A shop for things.\n\nmod price;\npub use crate::price::Total;\n"),
        ("src/price.rs", "//! What things cost.\n\n/// All of it.\npub struct Total(u32);\n"),
        ("src/main.rs", "use shop::Total;\n\nfn main() {}\n"),
    ])
    .look();
    check(&look, "", Heading::PublicSurface, &["src/price.rs  Total:4"]);
    check(&look, "", Heading::Conventions, &["Cargo.toml linter: clippy"]);
    check(&look, "src", Heading::EntryPoints, &["src/lib.rs A shop for things.", "src/main.rs"]);
    // What `src/lib.rs` is for was said, and it defines nothing.
    let key = ["src/main.rs  main:3", "src/price.rs What things cost. Total:4"];
    check(&look, "src", Heading::KeyFiles, &key);
}

#[test]
fn fixtures_are_one_line_whatever_they_hold() {
    let names: Vec<String> = (0..30).map(|at| format!("tests/samples/case-{at}/main.svelte")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "<p>hello</p>\n")).collect();
    files.extend([
        ("tests/run.py", "def test_all(): pass\n"),
        ("tests/util.py", "x = 1\n"),
        ("tests/z.py", "y = 1\n"),
    ]);
    let look = Sample::new(&files).look();
    assert_eq!(look.pairs.iter().map(|pair| pair.dir.as_str()).collect::<Vec<_>>(), ["", "tests"]);
    let family = "tests/samples/*/ samples for tests, in 30 directories (main.svelte)";
    assert!(
        lines(&look, "tests", Heading::Tests).contains(&family.to_owned()),
        "{:?}",
        lines(&look, "tests", Heading::Tests)
    );
}
