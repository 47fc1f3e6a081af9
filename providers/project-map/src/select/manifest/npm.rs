//! `package.json` and what is like it.

use serde_json::{Map, Value};

use super::script;
use crate::select::{
    inventory::{Manifest, Script},
    names::resolve,
};

/// Packages that format, check or run tests.
const TOOLS: &[&str] = &[
    "eslint",
    "prettier",
    "@biomejs/biome",
    "oxlint",
    "stylelint",
    "typescript",
    "jest",
    "vitest",
    "mocha",
    "ava",
    "tap",
    "karma",
    "jasmine",
    "@playwright/test",
    "playwright",
    "cypress",
    "rollup",
    "webpack",
    "vite",
    "esbuild",
    "turbo",
    "nx",
    "lerna",
    "@changesets/cli",
    "husky",
    "lint-staged",
    "standard",
    "xo",
    "tsup",
    "svelte-check",
];

pub(super) fn package(dir: &str, text: &str) -> Option<Manifest> {
    let package: Map<String, Value> = serde_json::from_str(text).ok()?;
    let said = |key: &str| package.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let uses = |name: &&&str| {
        ["devDependencies", "dependencies"]
            .iter()
            .any(|key| package.get(*key).is_some_and(|of| of.get(**name).is_some()))
    };
    Some(Manifest {
        kind: "npm".to_owned(),
        name: said("name"),
        description: said("description"),
        scripts: scripts(package.get("scripts"), runner(&said("packageManager"))),
        entries: entries(dir, &package),
        members: members(dir, package.get("workspaces")),
        tools: TOOLS.iter().filter(uses).map(|name| (*name).to_owned()).collect(),
    })
}

fn runner(manager: &str) -> &'static str {
    match manager.split('@').next() {
        Some("pnpm") => "pnpm",
        Some("yarn") => "yarn",
        Some("bun") => "bun run",
        _ => "npm run",
    }
}

fn scripts(scripts: Option<&Value>, runner: &str) -> Vec<Script> {
    let names = scripts.and_then(Value::as_object).into_iter().flat_map(|scripts| scripts.keys());
    names.map(|name| script(name, format!("{runner} {name}"))).collect()
}

fn members(dir: &str, workspaces: Option<&Value>) -> Vec<String> {
    let list = workspaces.and_then(|of| of.as_array().or_else(|| of.get("packages")?.as_array()));
    list.into_iter().flatten().filter_map(Value::as_str).filter_map(|member| resolve(dir, member)).collect()
}

/// All paths that `main`, `module`, `bin` and `exports` name.
fn entries(dir: &str, package: &Map<String, Value>) -> Vec<String> {
    let mut named = Vec::new();
    for key in ["main", "module", "browser", "svelte", "bin", "exports"] {
        package.get(key).into_iter().for_each(|value| paths(value, 0, &mut named));
    }
    named
        .iter()
        .filter(|path| !path.contains('*') && !path.ends_with(".json"))
        .filter_map(|path| resolve(dir, path))
        .collect()
}

fn paths<'a>(value: &'a Value, depth: usize, named: &mut Vec<&'a str>) {
    match value {
        Value::String(path) => named.push(path),
        Value::Object(map) if depth < 6 => map
            .iter()
            .filter(|(key, _)| *key != "types")
            .for_each(|(_, value)| paths(value, depth + 1, named)),
        Value::Array(list) if depth < 6 => list.iter().for_each(|value| paths(value, depth + 1, named)),
        _ => {}
    }
}

/// `pnpm-workspace.yaml`: the list below `packages:`.
pub(super) fn pnpm(dir: &str, text: &str) -> Option<Manifest> {
    let mut lines = text.lines().skip_while(|line| line.trim_end() != "packages:");
    lines.next()?;
    let items = lines
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map_while(|line| line.strip_prefix("- "));
    let members =
        items.map(|item| item.trim().trim_matches(['"', '\''])).filter(|item| !item.starts_with('!'));
    let members = members.filter_map(|member| resolve(dir, member)).collect();
    Some(Manifest { kind: "pnpm".to_owned(), members, ..Manifest::default() })
}

pub(super) fn deno(_dir: &str, text: &str) -> Option<Manifest> {
    let config: Map<String, Value> = serde_json::from_str(text).ok()?;
    let names = config.get("tasks").and_then(Value::as_object).into_iter().flat_map(|tasks| tasks.keys());
    Some(Manifest {
        kind: "deno".to_owned(),
        name: config.get("name").and_then(Value::as_str).unwrap_or_default().to_owned(),
        scripts: names.map(|name| script(name, format!("deno task {name}"))).collect(),
        tools: vec!["deno fmt".to_owned(), "deno lint".to_owned()],
        ..Manifest::default()
    })
}

pub(super) fn composer(_dir: &str, text: &str) -> Option<Manifest> {
    let package: Map<String, Value> = serde_json::from_str(text).ok()?;
    let said = |key: &str| package.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let scripts = scripts(package.get("scripts"), "composer");
    Some(Manifest {
        kind: "composer".to_owned(),
        name: said("name"),
        description: said("description"),
        scripts,
        ..Manifest::default()
    })
}
