//! What directories beside each other have in common.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::select::{names, tree::Tree};

/// The shapes of a directory's own files, but of those that every directory has.
pub(super) fn shapes<'a>(tree: &'a Tree<'_>, dir: u32) -> impl Iterator<Item = String> + 'a {
    const EVERYWHERE: [&str; 8] =
        ["__init__.py", "mod.rs", "README.md", "package-info.java", "index", "index.md", "doc.go", "BUILD"];
    let files = tree.at(dir).files.iter().map(|file| names::name(&tree.file(*file).path));
    files
        .filter(|name| !EVERYWHERE.contains(name) && !EVERYWHERE.contains(&names::stem(name)))
        .map(names::shape)
}

/// In how many of some directories there is a file of each shape.
pub(super) fn counted(tree: &Tree<'_>, dirs: &[u32]) -> FxHashMap<String, usize> {
    let mut counts: FxHashMap<String, usize> = FxHashMap::default();
    for dir in dirs {
        let shapes: FxHashSet<String> = shapes(tree, *dir).collect();
        shapes.into_iter().for_each(|shape| *counts.entry(shape).or_default() += 1);
    }
    counts
}

/// The shapes that a third of the directories have.
pub(super) fn commonest(counts: &FxHashMap<String, usize>, dirs: usize) -> FxHashSet<&str> {
    counts
        .iter()
        .filter(|(_, count)| **count * 3 >= dirs && **count > 1)
        .map(|(shape, _)| shape.as_str())
        .collect()
}

/// What most of some directories have, in a few words.
pub(super) fn common(tree: &Tree<'_>, dirs: &[u32]) -> Option<String> {
    let counts = counted(tree, dirs);
    let common = commonest(&counts, dirs.len());
    (!common.is_empty()).then(|| shown(&counts, &common))
}

/// The commonest names, as far as they are said in a few words.
pub(super) fn shown(counts: &FxHashMap<String, usize>, common: &FxHashSet<&str>) -> String {
    let mut names: Vec<(&str, usize)> = common.iter().map(|name| (*name, counts[*name])).collect();
    names.sort_by(|a, b| (b.1, a.0).cmp(&(a.1, b.0)));
    let names: Vec<String> = names.iter().take(3).map(|(name, _)| name.replace('#', "*")).collect();
    if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) }
}
