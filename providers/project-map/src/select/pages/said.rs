//! What a directory is for, and what a package offers: said by the files in it.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::Whole;
use crate::select::{
    inventory::{FileFacts, Named},
    names::{self, name},
    pair::Role,
};

/// What a directory of this name is for, where nothing in it says so.
const BY_NAME: &[(&[&str], &str)] = &[
    (&["tests", "test", "__tests__", "spec", "specs"], "Tests."),
    (&["e2e"], "End-to-end tests."),
    (&["docs", "doc", "documentation"], "Documentation."),
    (&["examples", "example", "samples", "demo", "demos"], "Examples."),
    (&["scripts", "script"], "Scripts."),
    (&["tools"], "Tools."),
    (&["benches", "bench", "benchmarks", "benchmarking"], "Benchmarks."),
    (&[".github"], "Workflows and settings for GitHub."),
    (&["ci", ".ci"], "Continuous integration."),
    (&["fixtures", "testdata"], "Data for tests."),
    (&["fuzz"], "Fuzz tests."),
    (&["assets", "static", "public"], "Static files."),
    (&["migrations"], "Migrations."),
    (&["locales", "i18n"], "Translations."),
    (&["vendor", "third_party"], "Code of others."),
    (&["types"], "Type definitions."),
];

/// Files whose module comment is about their directory.
const FACES: &[&str] = &["mod.rs", "lib.rs", "__init__.py", "doc.go", "package-info.java"];

impl<'a> Whole<'a> {
    /// What a directory is for; empty when nothing says it.
    pub(super) fn purpose(&self, dir: u32) -> String {
        let at = self.tree.at(dir);
        let said = |path: &dyn Fn(&str) -> bool| {
            let files = at.files.iter().map(|file| self.tree.file(*file));
            let said =
                files.filter(|file| path(name(&file.path)) && !file.purpose.is_empty() && !file.foreign);
            said.map(|file| file.purpose.clone()).next()
        };
        let manifests = self.manifests.get(at.path).into_iter().flatten();
        let described =
            manifests.map(|(_, manifest)| manifest.description.clone()).find(|text| !text.is_empty());
        let readme = || said(&|name| names::stem(name).eq_ignore_ascii_case("readme"));
        let face = || said(&|name| FACES.contains(&name) || names::stem(name) == "index");
        // A module whose file lies beside its directory, and a package whose only directory is `src`.
        let beside = || (!at.path.is_empty()).then(|| self.said_beside(at.path)).flatten();
        let inside = || self.said_inside(dir);
        let own = name(at.path).to_lowercase();
        let by_name = || {
            BY_NAME
                .iter()
                .find(|(names, _)| names.contains(&own.as_str()))
                .map(|(_, text)| (*text).to_owned())
        };
        let go = || said(&|name| name.ends_with(".go") && names::stem(name) == own);
        described
            .or_else(readme)
            .or_else(face)
            .or_else(go)
            .or_else(beside)
            .or_else(inside)
            .or_else(by_name)
            .unwrap_or_default()
    }

    fn said_beside(&self, path: &str) -> Option<String> {
        let above = self.tree.dirs.get(self.home_of(names::dir(path))? as usize)?;
        let module = format!("{}.rs", name(path));
        let file =
            above.files.iter().map(|file| self.tree.file(*file)).find(|file| name(&file.path) == module)?;
        (!file.purpose.is_empty()).then(|| file.purpose.clone())
    }

    fn home_of(&self, path: &str) -> Option<u32> {
        // The directory of the pair that covers it is above it: going down by name finds it.
        let mut at = 0;
        for step in path.split('/').filter(|step| !step.is_empty()) {
            let children = &self.tree.at(at).dirs;
            let found = children.binary_search_by(|child| name(self.tree.at(*child).path).cmp(step)).ok()?;
            at = children[found];
        }
        Some(at)
    }

    fn said_inside(&self, dir: u32) -> Option<String> {
        let at = self.tree.at(dir);
        let source = at.dirs.iter().find(|child| name(self.tree.at(**child).path) == "src")?;
        let files = self.tree.at(*source).files.iter().map(|file| self.tree.file(*file));
        let faces = |file: &&FileFacts| {
            FACES.contains(&name(&file.path)) || ["index", "main"].contains(&names::stem(name(&file.path)))
        };
        files.filter(faces).map(|file| file.purpose.clone()).find(|text| !text.is_empty())
    }

    /// For each package what everybody may use: definitions of its own files that are nobody's part, the most used first.
    pub(super) fn surfaces(&self) -> FxHashMap<u32, Vec<(u32, &'a Named)>> {
        const PACKAGES: [&str; 6] = ["cargo", "npm", "python", "go", "maven", "composer"];
        let is_package = |path: &str| {
            let manifests = self.manifests.get(path).into_iter().flatten();
            manifests
                .into_iter()
                .any(|(_, manifest)| PACKAGES.contains(&manifest.kind.as_str()) && !manifest.name.is_empty())
        };
        let mut package: Vec<Option<u32>> = vec![None; self.tree.dirs.len()];
        for (dir, at) in self.tree.dirs.iter().enumerate() {
            package[dir] = if is_package(at.path) { Some(dir as u32) } else { package[at.above as usize] };
        }
        let mut surfaces: FxHashMap<u32, Vec<(u32, &'a Named)>> = FxHashMap::default();
        let tree: &'a crate::select::tree::Tree<'a> = self.tree;
        for (at, file) in tree.files.iter().enumerate() {
            let own =
                matches!(self.roles[at], Role::Source | Role::Entry) && !self.families.has[at] && file.code;
            if let Some(package) = package[tree.home[at] as usize].filter(|_| own) {
                let open = file.symbols.iter().filter(|symbol| {
                    symbol.public
                        && !symbol.name.contains('.')
                        && symbol.kind != "variable"
                        && symbol.name != "main"
                });
                surfaces.entry(package).or_default().extend(open.map(|symbol| (at as u32, symbol)));
            }
        }
        for surface in surfaces.values_mut() {
            surface
                .sort_by_key(|(file, symbol)| (Reverse(self.links.used[*file as usize]), *file, symbol.line));
        }
        surfaces
    }
}
