use super::*;
use crate::select::{facts, manifest};

/// Files are `path`, or `path: text` for manifests; an import is resolved from the first file.
fn check(files: &[&str], import: &str, expected: &str) {
    let facts = files.iter().map(|file| {
        let (path, text) = file.split_once(": ").unwrap_or((file, ""));
        let language = ctxhost_code::language::detect(path, b"");
        FileFacts { manifest: manifest::read(path, text), ..facts::bare(path, [0; 32], 1, language, false) }
    });
    let facts: Vec<FileFacts> = facts.collect();
    let tree = Tree::new(&facts);
    let shown = match Resolver::new(&tree).resolve(&facts[0], import) {
        Target::File(at) => tree.file(at).path.clone(),
        Target::Dir(at) => format!("{}/", tree.at(at).path),
        Target::Outside(name) => format!("outside {name}"),
        Target::Nothing => "nothing".to_owned(),
    };
    assert_eq!(shown, expected, "{} imports {import}", files[0]);
}

#[test]
fn rust_paths_lead_to_modules_and_crates() {
    let files = [
        "crates/a/src/walk/tree.rs",
        "crates/a/src/walk.rs",
        "crates/a/src/walk/glob.rs",
        "crates/a/src/lib.rs",
        "crates/a/Cargo.toml: [package]\nname = \"my-a\"",
        "crates/b/Cargo.toml: [package]\nname = \"my-b\"",
        "crates/b/src/lib.rs",
        "crates/b/src/deep/mod.rs",
    ];
    check(&files, "crate::walk::Walker", "crates/a/src/walk.rs");
    check(&files, "crate::walk::glob::Glob", "crates/a/src/walk/glob.rs");
    check(&files, "super::glob", "crates/a/src/walk/glob.rs");
    check(&files, "my_b::deep::Thing", "crates/b/src/deep/mod.rs");
    check(&files, "my_b::Thing", "crates/b/src/lib.rs");
    check(&files, "std::fs", "nothing");
    check(&files, "serde::Serialize", "outside serde");
    check(&files, "Kind", "nothing");
}

#[test]
fn javascript_paths_lead_to_files_and_packages() {
    let files = [
        "packages/web/src/page/a.ts",
        "packages/web/src/page/b.svelte",
        "packages/web/src/lib/index.js",
        "packages/web/src/c.ts",
        "packages/core/package.json: {\"name\":\"@x/core\",\"main\":\"src/main.js\"}",
        "packages/core/src/main.js",
        "packages/core/src/sub.js",
    ];
    check(&files, "./b.svelte", "packages/web/src/page/b.svelte");
    check(&files, "../lib", "packages/web/src/lib/index.js");
    check(&files, "../c.js", "packages/web/src/c.ts");
    check(&files, "@x/core", "packages/core/src/main.js");
    check(&files, "@x/core/sub", "packages/core/src/sub.js");
    check(&files, "react-dom/server", "outside react-dom");
    check(&files, "@scope/name/x", "outside @scope/name");
    check(&files, "node:fs", "nothing");
    check(&files, "fs", "nothing");
    check(&files, "$lib/x", "nothing");
    check(&files, "../../../../../x", "nothing");
}

#[test]
fn python_paths_lead_to_modules_and_packages() {
    let files = [
        "src/shop/api/a.py",
        "src/shop/__init__.py",
        "src/shop/price.py",
        "src/shop/api/__init__.py",
        "tool.py",
    ];
    check(&files, "shop.price", "src/shop/price.py");
    check(&files, "shop", "src/shop/__init__.py");
    check(&files, "..price", "src/shop/price.py");
    check(&files, ".", "src/shop/api/__init__.py");
    check(&files, "tool", "tool.py");
    check(&files, "json", "nothing");
    check(&files, "pydantic.main", "outside pydantic");
}

#[test]
fn other_languages_have_their_ways() {
    let go = ["cmd/a.go", "go.mod: module example.com/shop", "price/p.go"];
    check(&go, "example.com/shop/price", "price/");
    check(&go, "fmt", "nothing");
    check(&go, "github.com/x/y/z", "outside github.com/x/y");
    let java = ["src/main/java/org/shop/A.java", "src/main/java/org/shop/price/B.java"];
    check(&java, "org.shop.price.B", "src/main/java/org/shop/price/B.java");
    check(&java, "java.util.List", "nothing");
    check(&java, "org.junit.Test", "outside org.junit");
    let c = ["src/a.c", "src/a.h", "include/shop/b.h"];
    check(&c, "a.h", "src/a.h");
    check(&c, "shop/b.h", "include/shop/b.h");
    check(&c, "stdio.h", "nothing");
    check(&c, "boost/x.hpp", "outside boost");
    check(&["lib/a.rb", "lib/b.rb"], "b", "lib/b.rb");
}
