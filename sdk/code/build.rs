//! Builds the C part of the parsing with a limit, against the headers of the tree-sitter that is linked.

use std::env;

fn main() {
    const SOURCE: &str = "src/symbols/parse/bounded.c";
    println!("cargo:rerun-if-changed={SOURCE}");
    let headers = env::var("DEP_TREE_SITTER_INCLUDE").expect("tree-sitter says where its headers are");
    cc::Build::new()
        .std("c11")
        .flag_if_supported("-fvisibility=hidden")
        .extra_warnings(true)
        .include(headers)
        .file(SOURCE)
        .compile("ctxhost-bounded");
}
