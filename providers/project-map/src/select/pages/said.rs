//! What a directory is for, and what a package offers: said by the files in it.

use super::Whole;
use crate::select::{
    inventory::FileFacts,
    line,
    names::{self, name},
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

/// So many directories are named for what holds them.
const NAMED: usize = 6;

impl Whole<'_> {
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
        let made_of = || self.made_of(dir);
        described
            .or_else(readme)
            .or_else(face)
            .or_else(go)
            .or_else(beside)
            .or_else(inside)
            .or_else(by_name)
            .or_else(made_of)
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

    /// A directory that holds directories alone is what they are called.
    fn made_of(&self, dir: u32) -> Option<String> {
        let at = self.tree.at(dir);
        if dir == 0 || !at.files.is_empty() || at.dirs.len() < 2 {
            return None;
        }
        let mut dirs: Vec<u32> = at.dirs.clone();
        dirs.sort_by_key(|child| (std::cmp::Reverse(self.tree.at(*child).all), *child));
        let mut shown: Vec<&str> =
            dirs.iter().take(NAMED).map(|child| name(self.tree.at(*child).path)).collect();
        shown.sort_unstable();
        let more = dirs.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        Some(line::plain(&format!("Holds {}{more}.", shown.join(", ")), line::PURPOSE))
    }
}
