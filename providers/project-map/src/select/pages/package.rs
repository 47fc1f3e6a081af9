//! What a package is made of and offers: its files wherever they are, not those of packages inside it.

use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Manifests, Whole};
use crate::select::{
    inventory::{Manifest, Named},
    names,
    pair::Role,
    tree::Tree,
};

/// So many definitions of one file are named among those of a package.
const OF_ONE_FILE: usize = 3;

/// The packages of a project.
#[derive(Default)]
pub(super) struct Packages<'a> {
    /// For each package's directory its source files, the most telling first.
    pub(super) files: FxHashMap<u32, Vec<u32>>,
    /// For each package's directory what everybody may use of it: file and definition.
    pub(super) surface: FxHashMap<u32, Vec<(u32, &'a Named)>>,
}

/// Folders whose code is for those who work on a package, and offered to nobody.
const INNER: [&str; 17] = [
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "benchmarking",
    "benchsuite",
    "ci",
    "demo",
    "demos",
    "docs",
    "example",
    "examples",
    "fuzz",
    "playground",
    "playgrounds",
    "scripts",
    "tools",
];

fn is_inner(path: &str) -> bool {
    names::dir(path).split('/').any(|step| INNER.contains(&step))
}

impl<'a> Packages<'a> {
    /// What the packages of a project offer, each the first of it: a root that holds packages offers theirs. Nothing where
    /// there is one package.
    pub(super) fn of_all(&self, tree: &Tree<'_>, most: usize) -> Vec<(u32, &'a Named)> {
        let mut all: Vec<(u32, &Vec<(u32, &Named)>)> =
            self.surface.iter().map(|(dir, of)| (*dir, of)).collect();
        all.retain(|(dir, of)| !of.is_empty() && !INNER.contains(&names::name(tree.at(*dir).path)));
        if all.iter().all(|(dir, _)| *dir == 0) {
            return Vec::new();
        }
        all.sort_by_key(|(dir, of)| (Reverse(of.len()), *dir));
        let each = (most / all.len()).max(OF_ONE_FILE);
        let mut surface: Vec<_> = all.iter().flat_map(|(_, of)| of.iter().take(each).copied()).collect();
        surface.truncate(most);
        surface
    }
}

/// The languages that packages of a kind are written in.
fn languages(kind: &str) -> &'static [&'static str] {
    match kind {
        "cargo" => &["rust"],
        "npm" | "deno" => &["javascript", "typescript", "jsx", "tsx", "svelte", "vue", "astro"],
        "python" => &["python", "cython"],
        "go" => &["go"],
        "maven" | "gradle" => &["java", "kotlin", "scala", "groovy"],
        "composer" => &["php"],
        _ => &[],
    }
}

/// The manifest that makes a directory a package.
fn package<'a>(manifests: &Manifests<'a>, path: &str) -> Option<&'a Manifest> {
    let mut of = manifests.get(path)?.iter().map(|(_, manifest)| *manifest);
    of.find(|manifest| !languages(&manifest.kind).is_empty() && !manifest.name.is_empty())
}

impl<'a> Whole<'a> {
    pub(super) fn find_packages(&self) -> Packages<'a> {
        let tree: &'a Tree<'a> = self.tree;
        let mut around: Vec<Option<(u32, &Manifest)>> = vec![None; tree.dirs.len()];
        for (dir, at) in tree.dirs.iter().enumerate() {
            let own = package(self.manifests, at.path).map(|manifest| (dir as u32, manifest));
            around[dir] = own.or(around[at.above as usize]);
        }
        let mut packages = Packages::default();
        for (at, file) in tree.files.iter().enumerate() {
            let own = matches!(self.roles[at], Role::Source | Role::Entry)
                && !self.families.has[at]
                && !file.secret;
            let Some((dir, manifest)) = around[tree.home[at] as usize].filter(|_| own) else { continue };
            packages.files.entry(dir).or_default().push(at as u32);
            if languages(&manifest.kind).contains(&file.language.as_str()) && !is_inner(&file.path) {
                let open = file.symbols.iter().filter(|symbol| is_offered(symbol)).take(OF_ONE_FILE);
                packages.surface.entry(dir).or_default().extend(open.map(|symbol| (at as u32, symbol)));
            }
        }
        let faces = self.faces();
        let shown: FxHashSet<u32> =
            faces.iter().flat_map(|face| &self.links.imports[*face as usize]).copied().collect();
        let rank = |file: &u32| {
            let path = &tree.file(*file).path;
            let inner = names::dir(path).split('/').any(|step| ["internal", "private"].contains(&step));
            let used = Reverse(self.links.used[*file as usize]);
            (inner, !faces.contains(file), !shown.contains(file), used, *file)
        };
        packages.surface.values_mut().for_each(|surface| surface.sort_by_key(|(file, _)| rank(file)));
        for (dir, files) in &mut packages.files {
            files.sort_by_cached_key(|file| (Reverse(self.weight(tree.at(*dir).path, *file)), *file));
        }
        packages
    }

    /// The files that packages are used by: what they take from others is offered too.
    fn faces(&self) -> FxHashSet<u32> {
        let is_face = |at: usize| {
            let path = &self.tree.files[at].path;
            let init = names::name(path) == "__init__.py" && {
                let dir = names::dir(path);
                let above = names::dir(dir);
                package(self.manifests, above)
                    .or_else(|| package(self.manifests, names::dir(above)))
                    .is_some_and(|manifest| {
                        manifest.name.replace('-', "_").eq_ignore_ascii_case(names::name(dir))
                    })
            };
            self.roles[at] == Role::Entry || init
        };
        (0..self.tree.files.len()).filter(|at| is_face(*at)).map(|at| at as u32).collect()
    }
}

/// Whether a definition stands for itself and everybody may use it.
fn is_offered(symbol: &Named) -> bool {
    const KINDS: [&str; 4] = ["variable", "module", "field", "method"];
    symbol.public
        && symbol.name.len() > 2
        && !symbol.name.contains('.')
        && !KINDS.contains(&symbol.kind.as_str())
        && symbol.name != "main"
}
