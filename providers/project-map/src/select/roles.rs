//! What a file is to the project.

use super::{inventory::FileFacts, names, pair::Role};

/// Names of files in which programs begin, by the habits of their languages.
const ENTRIES: &[&str] = &[
    "main.rs",
    "main.go",
    "__main__.py",
    "manage.py",
    "main.c",
    "main.cc",
    "main.cpp",
    "Main.java",
    "main.swift",
    "Program.cs",
];

/// Beginnings and ends of the names of files that set up tools.
const CONFIG_STARTS: &[&str] = &[
    ".eslintrc",
    ".prettierrc",
    ".babelrc",
    ".stylelintrc",
    "tsconfig",
    "jsconfig",
    ".editorconfig",
    ".gitignore",
    ".gitattributes",
    ".gitmodules",
    ".dockerignore",
    ".npmignore",
    "Dockerfile",
    "docker-compose",
    "Jenkinsfile",
    ".env",
    ".clang-",
    ".pre-commit",
    ".rubocop",
    ".golangci",
    "requirements",
    ".nvmrc",
    ".node-version",
    ".tool-versions",
    "Gemfile",
    "Rakefile",
    "Procfile",
    "tox.ini",
    "mypy.ini",
    "pytest.ini",
    ".flake8",
    ".pylintrc",
    "settings.gradle",
    "gradle.properties",
    "Vagrantfile",
    "renovate.json",
    ".travis",
    "appveyor",
    "azure-pipelines",
    "rust-toolchain",
    "rustfmt",
    ".rustfmt",
    "clippy",
    "biome.json",
    "turbo.json",
    "nx.json",
    "lerna.json",
    "vercel.json",
    "netlify.toml",
    "mkdocs.yml",
    "meson.build",
];
const CONFIG_PARTS: &[&str] = &[".config.", ".conf.", "rc.json", "rc.js", "rc.cjs", "rc.yml"];
const CONFIG_ENDS: &[&str] = &["ignore", ".ini", ".cfg", ".conf", ".cmake", ".nix", ".editorconfig"];
const CONFIG_PLACES: &[&str] =
    &[".github/", ".circleci/", ".vscode/", ".cargo/", ".devcontainer/", ".changeset/", ".husky/"];

const PROSE: &[&str] =
    &["markdown", "mdx", "restructuredtext", "asciidoc", "text", "tex", "org", "rdoc", "textile"];
/// Endings of what programs show or pack, whatever a language may make of it.
const ASSETS: &[&str] = &[
    "svg", "png", "jpg", "jpeg", "gif", "webp", "avif", "ico", "icns", "bmp", "tiff", "woff", "woff2", "ttf",
    "otf", "eot", "pdf", "mp3", "mp4", "webm", "ogg", "wav", "mov", "zip", "tar", "gz", "bz2", "xz", "zst",
    "br", "lz4", "7z", "jar", "wasm", "bin", "csv", "parquet", "sqlite", "db",
];
const PAGES: &[&str] =
    &["html", "css", "scss", "less", "sass", "svelte", "vue", "astro", "handlebars", "twig", "pug", "ejs"];

/// `entry` says whether a manifest names it as a beginning.
pub(crate) fn role(file: &FileFacts, entry: bool) -> Role {
    let name = names::name(&file.path);
    if file.foreign {
        return of_foreign(file, name);
    }
    if file.code && !file.test && (entry || is_entry(&file.path)) {
        return Role::Entry;
    }
    if file.test && (file.code || PAGES.contains(&file.language.as_str())) {
        return Role::Test;
    }
    if file.manifest.is_some() || is_config(&file.path, name) {
        return Role::Config;
    }
    if file.code || PAGES.contains(&file.language.as_str()) {
        return Role::Source;
    }
    let shouts =
        name.len() > 3 && name.bytes().all(|byte| byte.is_ascii_uppercase() || b"-_.".contains(&byte));
    if is_prose(&file.language, names::extension(name)) || shouts { Role::Doc } else { Role::Data }
}

/// Pictures, fonts and archives are made by people as well, and a document with long lines is one all the same.
fn of_foreign(file: &FileFacts, name: &str) -> Role {
    let end = names::extension(name).to_lowercase();
    if is_prose(&file.language, &end) {
        return Role::Doc;
    }
    if ASSETS.contains(&end.as_str()) || file.language.is_empty() && !file.code && end != "lock" {
        return Role::Data;
    }
    Role::Generated
}

fn is_prose(language: &str, end: &str) -> bool {
    PROSE.contains(&language) || ["md", "txt", "rst", "adoc", "cff"].contains(&end)
}

fn is_entry(path: &str) -> bool {
    let name = names::name(path);
    let binary =
        names::name(names::dir(path)) == "bin" && (path.contains("src/bin/") || !path.contains("src/"));
    ENTRIES.contains(&name) || binary && !name.starts_with('.')
}

fn is_config(path: &str, name: &str) -> bool {
    CONFIG_STARTS.iter().any(|start| name.starts_with(start))
        || CONFIG_PARTS.iter().any(|part| name.contains(part))
        || CONFIG_ENDS.iter().any(|end| name.ends_with(end))
        || CONFIG_PLACES.iter().any(|place| path.starts_with(place)) && names::extension(name) != "md"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_a_role() {
        let check = |path: &str, language: &str, code: bool, expected: Role| {
            let test = ctxhost_code::walk::is_test(path);
            let file = FileFacts {
                path: path.into(),
                language: language.into(),
                code,
                test,
                ..FileFacts::default()
            };
            assert_eq!(role(&file, path == "lib/index.js"), expected, "{path}");
        };
        check("src/main.rs", "rust", true, Role::Entry);
        check("lib/index.js", "javascript", true, Role::Entry);
        check("src/bin/tool.rs", "rust", true, Role::Entry);
        check("src/a.rs", "rust", true, Role::Source);
        check("tests/main.rs", "rust", true, Role::Test);
        check("tests/a.json", "json", false, Role::Data);
        check("web/a.css", "css", false, Role::Source);
        for (path, language, expected) in [
            ("assets/logo.png", "", Role::Data),
            ("assets/logo.svg", "svg", Role::Data),
            ("fonts/a.woff2", "", Role::Data),
            ("CITATION.cff", "yaml", Role::Doc),
            ("docs/derived.md", "markdown", Role::Doc),
            ("Cargo.lock", "toml", Role::Generated),
            ("yarn.lock", "", Role::Generated),
            ("src/errors.js", "javascript", Role::Generated),
        ] {
            let (path, language) = (path.to_owned(), language.to_owned());
            let file = FileFacts { path, language, foreign: true, ..FileFacts::default() };
            assert_eq!(role(&file, false), expected, "{}", file.path);
        }
        check("README.md", "markdown", false, Role::Doc);
        check("LICENSE", "", false, Role::Doc);
        check("eslint.config.js", "javascript", true, Role::Config);
        check(".gitignore", "ignore-list", false, Role::Config);
        check(".github/dependabot.yml", "yaml", false, Role::Config);
        check("data/cities.csv", "csv", false, Role::Data);
        let foreign =
            FileFacts { path: "a.min.js".into(), code: true, foreign: true, ..FileFacts::default() };
        assert_eq!(role(&foreign, false), Role::Generated);
    }
}
