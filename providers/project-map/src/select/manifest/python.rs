//! `pyproject.toml`, `setup.cfg`, `setup.py`

use toml::{Table, Value};

use super::script;
use crate::select::inventory::Manifest;

/// Tables below `tool` that format, check or run tests.
const TOOLS: &[&str] = &[
    "ruff",
    "black",
    "isort",
    "mypy",
    "pyright",
    "pytest",
    "coverage",
    "pylint",
    "flake8",
    "tox",
    "hatch",
    "pdm",
    "poetry",
    "setuptools",
    "uv",
    "nox",
    "bandit",
    "towncrier",
    "maturin",
    "yapf",
];

pub(super) fn pyproject(_dir: &str, text: &str) -> Option<Manifest> {
    let table: Table = text.parse().ok()?;
    let tool = table.get("tool").and_then(Value::as_table);
    let poetry = tool.and_then(|tool| tool.get("poetry")).and_then(Value::as_table);
    let project = table.get("project").and_then(Value::as_table).or(poetry);
    let said = |key: &str| {
        project.and_then(|project| project.get(key)).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let tools: Vec<String> = TOOLS
        .iter()
        .filter(|name| tool.is_some_and(|tool| tool.contains_key(**name)))
        .map(|name| (*name).to_owned())
        .collect();
    let tests = tools.iter().any(|tool| tool == "pytest").then(|| script("test", "pytest".to_owned()));
    let commands = project.and_then(|project| project.get("scripts")).and_then(Value::as_table);
    let commands = commands.into_iter().flat_map(Table::keys).map(|name| script(name, name.clone()));
    Some(Manifest {
        kind: "python".to_owned(),
        name: said("name"),
        description: said("description"),
        scripts: tests.into_iter().chain(commands).collect(),
        tools,
        ..Manifest::default()
    })
}

/// The keys of `[metadata]`, and the sections that belong to tools.
pub(super) fn setup_cfg(_dir: &str, text: &str) -> Option<Manifest> {
    let mut manifest = Manifest { kind: "python".to_owned(), ..Manifest::default() };
    let mut section = "";
    for line in text.lines().map(str::trim_end) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name;
            let tool = name.split(':').nth(usize::from(name.starts_with("tool:"))).unwrap_or_default();
            manifest.tools.extend(TOOLS.contains(&tool).then(|| tool.to_owned()));
        } else if let (Some((key, value)), "metadata") = (line.split_once('='), section) {
            match key.trim() {
                "name" => value.trim().clone_into(&mut manifest.name),
                "description" | "summary" => value.trim().clone_into(&mut manifest.description),
                _ => {}
            }
        }
    }
    Some(manifest)
}

/// The name, when it stands there as a text: the file is a program and is not run.
pub(super) fn setup_py(_dir: &str, text: &str) -> Option<Manifest> {
    let quoted = |key: &str| {
        let rest = text.lines().find_map(|line| line.trim().strip_prefix(key))?.trim_start();
        let quote = rest.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
        rest[1..].split(quote).next().map(str::to_owned)
    };
    let (name, description) =
        (quoted("name=").unwrap_or_default(), quoted("description=").unwrap_or_default());
    Some(Manifest { kind: "python".to_owned(), name, description, ..Manifest::default() })
}
