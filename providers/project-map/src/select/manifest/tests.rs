use super::*;

/// Compares what was read, in one line a manifest.
fn check(path: &str, text: &str, expected: &str) {
    let shown = read(path, text).map_or("none".to_owned(), |read| {
        let scripts: Vec<_> =
            read.scripts.iter().map(|script| format!("{}={}", script.name, script.run)).collect();
        format!(
            "{} {:?} {:?} scripts[{}] entries{:?} members{:?} tools{:?}",
            read.kind,
            read.name,
            read.description,
            scripts.join(", "),
            read.entries,
            read.members,
            read.tools
        )
    });
    assert_eq!(shown, expected, "{path}");
}

#[test]
fn each_kind_of_manifest_is_read() {
    check(
        "crates/a/Cargo.toml",
        "[package]\nname = \"a\"\ndescription = \"Does `a`.\"\n[[bin]]\nname = \"b\"\npath = \"bin/b.rs\"\n",
        "cargo \"a\" \"Does 'a'.\" scripts[build=cargo build, test=cargo test] \
         entries[\"crates/a/bin/b.rs\", \"crates/a/src/lib.rs\", \"crates/a/src/main.rs\"] members[] tools[]",
    );
    check(
        "Cargo.toml",
        "[workspace]\nmembers = [\"crates/*\"]\n[workspace.lints.clippy]\n",
        "cargo \"\" \"\" scripts[build=cargo build, test=cargo test] entries[] members[\"crates/*\"] tools[\"clippy\"]",
    );
    check(
        "package.json",
        r#"{"name":"web","packageManager":"pnpm@9","scripts":{"test":"x --token=SECRET","a b":"y"},
            "exports":{".":{"types":"./t.d.ts","default":"./src/index.js"}},"workspaces":["packages/*"],"devDependencies":{"eslint":"1"}}"#,
        "npm \"web\" \"\" scripts[test=pnpm test] entries[\"src/index.js\"] members[\"packages/*\"] tools[\"eslint\"]",
    );
    check(
        "pnpm-workspace.yaml",
        "# x\npackages:\n  - 'packages/*'\n  - \"!packages/old\"\nother: 1\n",
        "pnpm \"\" \"\" scripts[] entries[] members[\"packages/*\"] tools[]",
    );
    check(
        "pyproject.toml",
        "[project]\nname = \"api\"\ndescription = \"An API.\"\n[project.scripts]\nrun = \"a:b\"\n[tool.ruff]\n[tool.pytest.ini_options]\n",
        "python \"api\" \"An API.\" scripts[test=pytest, run=run] entries[] members[] tools[\"pytest\", \"ruff\"]",
    );
    check(
        "setup.cfg",
        "[metadata]\nname = a\n[flake8]\n[tool:pytest]\n",
        "python \"a\" \"\" scripts[] entries[] members[] tools[\"flake8\", \"pytest\"]",
    );
    check(
        "setup.py",
        "setup(\n    name='a',\n    version=x)\n",
        "python \"a\" \"\" scripts[] entries[] members[] tools[]",
    );
    check(
        "go.mod",
        "module example.com/shop\n\ngo 1.22\n",
        "go \"example.com/shop\" \"\" scripts[build=go build ./..., test=go test ./...] entries[] members[] tools[]",
    );
    check(
        "Makefile",
        "CC := gcc\nall: test\n\techo a:b\ntest lint: x.o\nx.o: x.c\n.PHONY: all\n",
        "make \"\" \"\" scripts[all=make all, test=make test, lint=make lint] entries[] members[] tools[]",
    );
    check(
        "justfile",
        "x := 'a'\n# c\ntest arg='1':\n  cargo test\n",
        "just \"\" \"\" scripts[test=just test] entries[] members[] tools[]",
    );
    check(
        "pom.xml",
        "<project><parent><artifactId>p</artifactId></parent><artifactId>a</artifactId><modules><module>core</module></modules></project>",
        "maven \"a\" \"\" scripts[build=mvn package, test=mvn test] entries[] members[\"core\"] tools[]",
    );
    check(
        "CMakeLists.txt",
        "project(shop VERSION 1)\nenable_testing()\n",
        "cmake \"shop\" \"\" scripts[] entries[] members[] tools[\"ctest\"]",
    );
    check(
        ".github/workflows/ci.yml",
        "name: CI\non: push\njobs:\n  test:\n    steps:\n      - run: x\n  # old:\n  lint:\n    runs-on: y\n",
        "github-actions \"CI\" \"\" scripts[test=, lint=] entries[] members[] tools[]",
    );
}

#[test]
fn what_is_broken_or_something_else_is_no_manifest() {
    check("package.json", "{", "none");
    check("Cargo.toml", "[[[", "none");
    check("src/main.rs", "", "none");
    check("sub/.github/workflows/x.yml", "", "none");
    check("go.mod", "go 1.22", "none");
}
