//! From what is known of a project's files to the pairs of its directories.

use crate::settings::Config;

use super::{
    digest, entry, families::Families, folding::Folding, inventory::Inventory, links::Links, pages::Whole,
    pair::Pair, roles, tree::Tree, workflows::TestNames,
};

/// Makes all pairs, sorted by directory, the root first. The same inventory gives the same pairs, in whatever order its
/// files come.
pub(crate) fn make(inventory: &Inventory, config: &Config) -> Vec<Pair> {
    let tree = Tree::new(&inventory.files);
    let entries = entry::named(&tree);
    let roles: Vec<_> =
        tree.files.iter().map(|file| roles::role(file, entries.contains(file.path.as_str()))).collect();
    let families = Families::find(&tree, &roles);
    let folding = Folding::new(&tree, &families, config.small_package_threshold);
    let links = Links::find(&tree, &folding, &families.has);
    let tests = TestNames::new(&tree, &families, &roles);
    let manifests = entry::manifests(&tree);
    let whole = Whole::new(&tree, &roles, &families, &folding, &links, &tests, &manifests, config);
    (0..folding.pairs.len()).map(|at| pair(&whole, at)).collect()
}

fn pair(whole: &Whole<'_>, at: usize) -> Pair {
    let files = whole.covered(at);
    Pair {
        dir: whole.dir(at).path.to_owned(),
        files: files.len() as u32,
        inputs: digest::inputs(files.iter().map(|file| whole.tree.file(*file))),
        index: whole.index(at),
        map: whole.map(at),
        patterns: false,
    }
}

#[cfg(test)]
mod tests;
