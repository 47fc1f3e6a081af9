//! Who uses whom, from the imports.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::{
    folding::Folding,
    imports::{Resolver, Target},
    tree::Tree,
};

/// What was found in all imports.
pub(crate) struct Links {
    /// For each file how many others import it, tests not counted.
    pub(crate) used: Vec<u32>,
    /// For each file the files that it imports, sorted.
    pub(crate) imports: Vec<Vec<u32>>,
    /// For each pair the pairs that its files import from, and how many of its files do.
    pub(crate) depends: Vec<BTreeMap<u32, u32>>,
    /// The same the other way round.
    pub(crate) used_by: Vec<BTreeMap<u32, u32>>,
    /// For each pair the packages of others, and how many of its files import each.
    pub(crate) outside: Vec<BTreeMap<String, u32>>,
}

impl Links {
    /// `skip` are files that say nothing about the project's own structure, such as samples.
    pub(crate) fn find(tree: &Tree<'_>, folding: &Folding, skip: &[bool]) -> Self {
        let (files, pairs) = (tree.files.len(), folding.pairs.len());
        let mut links = Self {
            used: vec![0; files],
            imports: vec![Vec::new(); files],
            depends: vec![BTreeMap::new(); pairs],
            used_by: vec![BTreeMap::new(); pairs],
            outside: vec![BTreeMap::new(); pairs],
        };
        let resolver = Resolver::new(tree);
        for at in (0..files).filter(|at| !skip[*at]) {
            links.add(tree, folding, &resolver, at);
        }
        links
    }

    fn add(&mut self, tree: &Tree<'_>, folding: &Folding, resolver: &Resolver<'_>, at: usize) {
        let file = tree.files[at];
        let own = folding.cover[tree.home[at] as usize];
        let (mut pairs, mut outside) = (FxHashSet::default(), FxHashSet::default());
        for import in &file.imports {
            let dir = match resolver.resolve(file, import) {
                Target::File(target) if target as usize == at => continue,
                Target::File(target) => {
                    self.imports[at].push(target);
                    tree.home[target as usize]
                }
                Target::Dir(dir) => dir,
                Target::Outside(name) => {
                    outside.insert(name);
                    continue;
                }
                Target::Nothing => continue,
            };
            pairs.insert(folding.cover[dir as usize]);
        }
        let imports = &mut self.imports[at];
        imports.sort_unstable();
        imports.dedup();
        if !file.test {
            imports.iter().for_each(|target| self.used[*target as usize] += 1);
        }
        for other in pairs.into_iter().filter(|other| *other != own) {
            *self.depends[own as usize].entry(other).or_insert(0) += 1;
            *self.used_by[other as usize].entry(own).or_insert(0) += 1;
        }
        outside.into_iter().for_each(|name| *self.outside[own as usize].entry(name).or_insert(0) += 1);
    }
}
