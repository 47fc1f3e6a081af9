//! `Cargo.toml`

use toml::{Table, Value};

use super::script;
use crate::select::{
    inventory::Manifest,
    names::{join, resolve},
};

pub(super) fn read(dir: &str, text: &str) -> Option<Manifest> {
    let table: Table = text.parse().ok()?;
    let package = table.get("package").and_then(Value::as_table);
    let said = |key: &str| {
        package.and_then(|package| package.get(key)).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let workspace = table.get("workspace").and_then(Value::as_table);
    let members = workspace.and_then(|workspace| workspace.get("members")).and_then(Value::as_array);
    let members = members
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .filter_map(|member| resolve(dir, member))
        .collect();
    let scripts = ["build", "test"].map(|name| script(name, format!("cargo {name}")));
    let lints =
        table.contains_key("lints") || workspace.is_some_and(|workspace| workspace.contains_key("lints"));
    Some(Manifest {
        kind: "cargo".to_owned(),
        name: said("name"),
        description: said("description"),
        scripts: scripts.to_vec(),
        entries: entries(dir, &table),
        members,
        tools: if lints { vec!["clippy".to_owned()] } else { Vec::new() },
    })
}

/// What Cargo takes when nothing is said is here too; whoever knows the files leaves out what is not there.
fn entries(dir: &str, table: &Table) -> Vec<String> {
    if !table.contains_key("package") {
        return Vec::new();
    }
    let named = |key: &str| table.get(key).and_then(Value::as_array).into_iter().flatten();
    let library = table.get("lib").into_iter();
    let paths = named("bin").chain(library).filter_map(|target| target.get("path")?.as_str());
    let stated = paths.filter_map(|path| resolve(dir, path));
    ["src/main.rs", "src/lib.rs"].iter().map(|path| join(dir, path)).chain(stated).collect()
}
