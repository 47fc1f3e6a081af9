//! Files that describe a package or how it is built: what they name, never what they set.

use super::{
    inventory::{Manifest, Script},
    line, names,
};
use crate::shape::forbidden;

mod build;
mod cargo;
mod ci;
mod npm;
mod python;

/// So many scripts and other names are kept of a manifest.
const SCRIPTS: usize = 40;
const NAMES: usize = 40;
const NAME: usize = 80;

/// Whether a file with this path is read whole, as a manifest.
pub(crate) fn is_manifest(path: &str) -> bool {
    reader(path).is_some()
}

/// Reads a manifest; `None` when it is none, or says nothing that is understood.
pub(crate) fn read(path: &str, text: &str) -> Option<Manifest> {
    reader(path).and_then(|reader| reader(names::dir(path), text)).map(tidy)
}

type Reader = fn(dir: &str, text: &str) -> Option<Manifest>;

fn reader(path: &str) -> Option<Reader> {
    let name = names::name(path);
    Some(match name {
        "Cargo.toml" => cargo::read,
        "package.json" => npm::package,
        "pnpm-workspace.yaml" => npm::pnpm,
        "deno.json" | "deno.jsonc" => npm::deno,
        "pyproject.toml" => python::pyproject,
        "setup.cfg" => python::setup_cfg,
        "setup.py" => python::setup_py,
        "go.mod" => build::go,
        "Makefile" | "GNUmakefile" | "makefile" => build::make,
        "justfile" | "Justfile" | ".justfile" => build::just,
        "pom.xml" => build::maven,
        "build.gradle" | "build.gradle.kts" => build::gradle,
        "CMakeLists.txt" => build::cmake,
        "composer.json" => npm::composer,
        ".gitlab-ci.yml" => ci::gitlab,
        _ if is_workflow(path) => ci::workflow,
        _ => return None,
    })
}

fn is_workflow(path: &str) -> bool {
    let below = path.strip_prefix(".github/workflows/").or_else(|| path.strip_prefix(".forgejo/workflows/"));
    below.is_some_and(|name| !name.contains('/') && (name.ends_with(".yml") || name.ends_with(".yaml")))
}

/// Makes lines of everything and keeps it within its bounds.
fn tidy(mut manifest: Manifest) -> Manifest {
    let allowed = |text: &str| forbidden::found(text).is_none();
    manifest.name = if allowed(&manifest.name) { line::plain(&manifest.name, NAME) } else { String::new() };
    let description = line::plain(&manifest.description, 4 * line::PURPOSE);
    let first = line::first_sentence(&description);
    manifest.description = if allowed(first) { line::plain(first, line::PURPOSE) } else { String::new() };
    manifest.scripts.retain(|script| is_word(&script.name) && allowed(&script.name) && allowed(&script.run));
    manifest.scripts.truncate(SCRIPTS);
    for list in [&mut manifest.entries, &mut manifest.members, &mut manifest.tools] {
        list.retain(|name| {
            !name.is_empty() && name.len() <= 2 * NAME && line::plain(name, 2 * NAME) == *name
        });
        list.sort_unstable();
        list.dedup();
        list.truncate(NAMES);
    }
    manifest
}

/// A name that a person types as it is.
fn is_word(name: &str) -> bool {
    let may = |letter: char| letter.is_alphanumeric() || "-_:./@+".contains(letter);
    !name.is_empty() && name.len() <= NAME && name.chars().all(may)
}

fn script(name: &str, run: String) -> Script {
    Script { name: name.to_owned(), run }
}

#[cfg(test)]
mod tests;
