//! Where programs and libraries begin, and how a project is called.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{inventory::Manifest, names, tree::Tree};

/// The files that manifests name as beginnings, as far as they are there.
pub(crate) fn named<'a>(tree: &Tree<'a>) -> FxHashSet<&'a str> {
    let manifests = tree.files.iter().filter_map(|file| file.manifest.as_ref());
    let entries: FxHashSet<&str> =
        manifests.flat_map(|manifest| &manifest.entries).map(String::as_str).collect();
    tree.files.iter().map(|file| file.path.as_str()).filter(|path| entries.contains(path)).collect()
}

/// The manifests of each directory, the most telling first.
pub(crate) fn manifests<'a>(tree: &Tree<'a>) -> FxHashMap<&'a str, Vec<(&'a str, &'a Manifest)>> {
    let mut of: FxHashMap<&str, Vec<(&str, &Manifest)>> = FxHashMap::default();
    for file in &tree.files {
        if let Some(manifest) = &file.manifest {
            of.entry(names::dir(&file.path)).or_default().push((&file.path, manifest));
        }
    }
    of.values_mut().for_each(|list| list.sort_by_key(|(path, manifest)| (rank(&manifest.kind), *path)));
    of
}

/// What describes the package comes before what only builds it.
fn rank(kind: &str) -> usize {
    const ORDER: [&str; 9] = ["cargo", "npm", "python", "go", "maven", "composer", "deno", "gradle", "cmake"];
    ORDER.iter().position(|known| *known == kind).unwrap_or(ORDER.len())
}
