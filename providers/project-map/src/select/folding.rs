//! Which directories have a pair of their own.

use super::{families::Families, tree::Tree};
use crate::shape::forbidden;

/// The directories with a pair, and to which of them each directory belongs.
pub(crate) struct Folding {
    /// Directories with a pair, sorted by path; the root is the first.
    pub(crate) pairs: Vec<u32>,
    /// For each directory the place in `pairs` of the one that covers it.
    pub(crate) cover: Vec<u32>,
    /// For each pair the place of the nearest one above; the root's own is the root.
    pub(crate) above: Vec<u32>,
}

impl Folding {
    /// A directory has a pair when there are `threshold` files in it and below, a family being counted by its weight,
    /// unless all that is in it is one directory.
    pub(crate) fn new(tree: &Tree<'_>, families: &Families, threshold: u32) -> Self {
        let mut listed = vec![0_u32; tree.dirs.len()];
        families.list.iter().for_each(|family| listed[family.dir as usize] += family.weight);
        for (file, home) in tree.home.iter().enumerate() {
            listed[*home as usize] += u32::from(!families.has[file]);
        }
        let mut weight = listed.clone();
        for dir in (1..tree.dirs.len()).rev() {
            weight[tree.dirs[dir].above as usize] += weight[dir];
        }
        let chosen = |dir: u32| {
            let at = tree.at(dir);
            let free = || at.dirs.iter().filter(|child| !families.swallowed[**child as usize]).count();
            let passes = listed[dir as usize] == 0 && free() == 1;
            // A pair would name it in all that it says.
            let nameless = || forbidden::found(at.path).is_some();
            !families.swallowed[dir as usize]
                && weight[dir as usize] >= threshold.max(1)
                && !passes
                && !nameless()
        };
        let mut pairs: Vec<u32> =
            (0..tree.dirs.len() as u32).filter(|dir| *dir == 0 || chosen(*dir)).collect();
        pairs.sort_by_key(|dir| tree.at(*dir).path);
        Self::of(tree, pairs)
    }

    fn of(tree: &Tree<'_>, pairs: Vec<u32>) -> Self {
        const NONE: u32 = u32::MAX;
        let mut cover = vec![NONE; tree.dirs.len()];
        pairs.iter().enumerate().for_each(|(at, dir)| cover[*dir as usize] = at as u32);
        // Whatever lies in another directory comes behind it.
        for dir in 1..tree.dirs.len() {
            if cover[dir] == NONE {
                cover[dir] = cover[tree.dirs[dir].above as usize];
            }
        }
        let above =
            pairs.iter().map(|dir| if *dir == 0 { 0 } else { cover[tree.at(*dir).above as usize] }).collect();
        Self { pairs, cover, above }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::{inventory::FileFacts, roles};

    fn check(threshold: u32, paths: &[String], expected: &[&str]) {
        check_with(threshold, paths, 0, expected);
    }

    fn check_with(threshold: u32, paths: &[String], definitions: u32, expected: &[&str]) {
        let files: Vec<FileFacts> = paths
            .iter()
            .map(|path| FileFacts {
                path: path.clone(),
                code: true,
                test: path.contains("tests/"),
                definitions,
                ..FileFacts::default()
            })
            .collect();
        let tree = Tree::new(&files);
        let roles: Vec<_> = tree.files.iter().map(|file| roles::role(file, false)).collect();
        let folding = Folding::new(&tree, &Families::find(&tree, &roles), threshold);
        let shown: Vec<&str> = folding.pairs.iter().map(|dir| tree.at(*dir).path).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn small_directories_and_those_in_passing_are_folded() {
        let of = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>();
        check(2, &of(&["a.rs", "src/b.rs", "src/c.rs", "x/d.rs"]), &["", "src"]);
        check(2, &of(&["a/b/c.rs", "a/b/d.rs"]), &["", "a/b"]);
        check(2, &of(&["a/b/c.rs", "a/d/e.rs"]), &["", "a"]);
        check(9, &of(&["a/b.rs"]), &[""]);
        check(2, &[], &[""]);
    }

    #[test]
    fn a_tree_of_samples_makes_no_pairs() {
        let samples =
            (0..500).map(|at| format!("tests/samples/s{at}/main.rs")).chain(["tests/a.rs".to_owned()]);
        check(2, &samples.collect::<Vec<_>>(), &["", "tests"]);
    }

    #[test]
    fn a_family_counts_as_one_unless_its_files_are_numbered_and_define_something() {
        let of = |path: &str| (10..22).map(|at| path.replace('N', &at.to_string())).collect::<Vec<_>>();
        check_with(10, &of("src/pN.rs"), 3, &["", "src"]);
        check_with(10, &of("src/pN.rs"), 0, &[""]);
        check_with(10, &of("db/migrations/N_up.py"), 3, &[""]);
        check_with(10, &of("tests/test_N.py"), 3, &[""]);
    }
}
