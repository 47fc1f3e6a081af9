//! What a project formats, checks and tests itself with.

/// What a tool is for, by its name as manifests have it.
const TOOLS: &[(&str, &[&str])] = &[
    (
        "formatter",
        &["prettier", "black", "isort", "yapf", "deno fmt", "rustfmt", "spotless", "clang-format", "ktlint"],
    ),
    (
        "linter",
        &[
            "eslint",
            "oxlint",
            "stylelint",
            "ruff",
            "pylint",
            "flake8",
            "clippy",
            "deno lint",
            "standard",
            "xo",
            "checkstyle",
            "detekt",
            "pmd",
            "spotbugs",
            "bandit",
            "golangci-lint",
            "rubocop",
            "clang-tidy",
        ],
    ),
    ("formatter and linter", &["@biomejs/biome", "biome"]),
    ("type checker", &["typescript", "mypy", "pyright", "svelte-check"]),
    (
        "test runner",
        &[
            "jest",
            "vitest",
            "mocha",
            "ava",
            "tap",
            "karma",
            "jasmine",
            "pytest",
            "tox",
            "nox",
            "@playwright/test",
            "playwright",
            "cypress",
            "ctest",
            "surefire",
        ],
    ),
    ("coverage", &["coverage", "jacoco"]),
    ("bundler", &["rollup", "webpack", "vite", "esbuild", "tsup"]),
    ("release notes", &["@changesets/cli", "towncrier"]),
];

/// What a file sets up, by the beginning of its name.
const FILES: &[(&str, &str)] = &[
    ("rustfmt.toml", "formatter: rustfmt"),
    (".rustfmt.toml", "formatter: rustfmt"),
    ("clippy.toml", "linter: clippy"),
    (".clippy.toml", "linter: clippy"),
    (".eslintrc", "linter: eslint"),
    ("eslint.config.", "linter: eslint"),
    (".prettierrc", "formatter: prettier"),
    ("prettier.config.", "formatter: prettier"),
    (".oxlintrc", "linter: oxlint"),
    ("biome.json", "formatter and linter: biome"),
    (".stylelintrc", "linter: stylelint"),
    (".editorconfig", "editor settings: .editorconfig"),
    (".flake8", "linter: flake8"),
    ("ruff.toml", "linter: ruff"),
    (".ruff.toml", "linter: ruff"),
    ("mypy.ini", "type checker: mypy"),
    ("pytest.ini", "test runner: pytest"),
    ("tox.ini", "test runner: tox"),
    ("noxfile.py", "test runner: nox"),
    ("jest.config.", "test runner: jest"),
    ("vitest.config.", "test runner: vitest"),
    ("vitest.workspace.", "test runner: vitest"),
    ("playwright.config.", "test runner: playwright"),
    ("karma.conf.", "test runner: karma"),
    (".golangci.", "linter: golangci-lint"),
    (".clang-format", "formatter: clang-format"),
    (".clang-tidy", "linter: clang-tidy"),
    ("checkstyle.xml", "linter: checkstyle"),
    (".rubocop.yml", "linter: rubocop"),
    (".pre-commit-config.yaml", "checks before a commit: pre-commit"),
    ("tsconfig.json", "type checker: typescript"),
    (".gitlab-ci.yml", "CI: GitLab"),
    ("Jenkinsfile", "CI: Jenkins"),
    (".travis.yml", "CI: Travis"),
    ("azure-pipelines.yml", "CI: Azure Pipelines"),
    ("appveyor.yml", "CI: AppVeyor"),
    ("deny.toml", "dependencies checked: cargo-deny"),
];

/// What a tool that a manifest names is used as.
pub(crate) fn of_tool(tool: &str) -> Option<String> {
    TOOLS.iter().find(|(_, tools)| tools.contains(&tool)).map(|(what, _)| format!("{what}: {tool}"))
}

/// What a file with this path sets up.
pub(crate) fn of_file(path: &str) -> Option<&'static str> {
    let name = super::names::name(path);
    match path {
        ".circleci/config.yml" => Some("CI: CircleCI"),
        ".github/dependabot.yml" => Some("updates of dependencies: dependabot"),
        _ => FILES.iter().find(|(start, _)| name.starts_with(start)).map(|(_, what)| *what),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_and_files_say_what_is_used() {
        assert_eq!(of_tool("ruff").as_deref(), Some("linter: ruff"));
        assert_eq!(of_tool("left-pad"), None);
        assert_eq!(of_file("a/.eslintrc.json"), Some("linter: eslint"));
        assert_eq!(of_file("src/main.rs"), None);
    }
}
