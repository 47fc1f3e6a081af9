//! Files that are alike, such as samples of tests, snapshots, translations: one line says what many files are.

mod cousins;
mod language;
mod shape;

use rustc_hash::FxHashMap;

use super::{names, pair::Role, tree::Tree};
use cousins::{common, commonest, counted, shapes, shown};
use language::is_language;
use shape::{FOREIGN, SAMPLES, Shape, is_of_samples, pattern};

/// So many directories of one shape are a family: of samples, and of anything else.
const COUSINS: usize = 8;
const OTHER_COUSINS: usize = 24;
/// A directory with more files than this, or with so many directories, is no sample but a collection of them.
const SAMPLE_FILES: u32 = 40;
/// So many languages are translations.
const TRANSLATIONS: usize = 4;

/// Those of them that tests alone read.
const TEST_DIRS: &[&str] = &[
    "samples",
    "fixtures",
    "fixture",
    "__fixtures__",
    "snapshots",
    "__snapshots__",
    "testdata",
    "test-data",
    "test_data",
    "cases",
    "corpus",
    "golden",
    "goldens",
    "expected",
    "_expected",
    "inputs",
    "outputs",
    "crashes",
];

/// A family of like files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Family {
    /// The directory that it is listed in.
    pub(crate) dir: u32,
    /// Where its files are, such as `tests/fixtures/*.svelte`.
    pub(crate) pattern: String,
    pub(crate) count: u32,
    /// As how many files it counts where it is asked whether a directory is worth a pair.
    pub(crate) weight: u32,
    pub(crate) role: Role,
    /// What is in each, in a few words; empty when the pattern says it.
    pub(crate) text: String,
}

/// Which files are in a family.
pub(crate) struct Families {
    pub(crate) list: Vec<Family>,
    /// For each file whether it is.
    pub(crate) has: Vec<bool>,
    /// For each directory whether all of it is in one.
    pub(crate) swallowed: Vec<bool>,
}

impl Families {
    pub(crate) fn find(tree: &Tree<'_>, roles: &[Role]) -> Self {
        let mut families = Self {
            list: Vec::new(),
            has: vec![false; tree.files.len()],
            swallowed: vec![false; tree.dirs.len()],
        };
        for dir in 0..tree.dirs.len() as u32 {
            let above = tree.at(dir).above as usize;
            if dir > 0 && families.swallowed[above] {
                families.swallowed[dir as usize] = true;
            }
            if !families.swallowed[dir as usize] {
                families.siblings(tree, roles, dir);
                families.samples(tree, roles, dir);
                families.translations(tree, roles, dir);
                families.cousins(tree, roles, dir);
            }
        }
        families
    }

    /// Files of one shape in one directory.
    fn siblings(&mut self, tree: &Tree<'_>, roles: &[Role], dir: u32) {
        let at = tree.at(dir);
        if at.files.len() < FOREIGN {
            return;
        }
        let samples = is_of_samples(at.path);
        let mut groups: FxHashMap<Shape, Vec<u32>> = FxHashMap::default();
        for file in &at.files {
            if let Some(shape) = Shape::of(tree.file(*file), roles[*file as usize], samples) {
                groups.entry(shape).or_default().push(*file);
            }
        }
        groups.values_mut().for_each(|files| without_large(tree, files));
        let mut groups: Vec<_> =
            groups.into_iter().filter(|(shape, files)| files.len() >= shape.least()).collect();
        groups.sort_by_key(|(_, files)| files[0]);
        for (shape, files) in groups {
            let pattern = names::join(at.path, &pattern(tree, &files));
            let defines = |file: &&u32| tree.file(**file).code && tree.file(**file).definitions > 0;
            // What is numbered may still be a program's own parts.
            let own = if shape.is_numbered() { files.iter().filter(defines).count() as u32 } else { 1 };
            self.add(dir, pattern, &files, roles, String::new());
            self.list.last_mut().into_iter().for_each(|family| family.weight = own.max(1));
        }
    }

    /// All that lies in a directory of samples for tests.
    fn samples(&mut self, tree: &Tree<'_>, roles: &[Role], dir: u32) {
        let at = tree.at(dir);
        if !TEST_DIRS.contains(&names::name(at.path)) || at.dirs.is_empty() {
            return;
        }
        let children = at.dirs.clone();
        let files: u32 = children.iter().map(|child| tree.at(*child).all).sum();
        if files as usize >= SAMPLES && tree.below(dir).iter().all(|file| tree.file(*file).test) {
            let text = format!(
                "samples for tests, in {} {}",
                children.len(),
                if children.len() == 1 { "directory" } else { "directories" }
            );
            let text = common(tree, &children).map_or(text.clone(), |common| text + &common);
            self.swallow(tree, roles, dir, &children, text);
        }
    }

    /// Directories by language: all but the one that is translated from.
    fn translations(&mut self, tree: &Tree<'_>, roles: &[Role], dir: u32) {
        let at = tree.at(dir);
        let mut by_language: Vec<u32> =
            at.dirs.iter().copied().filter(|child| is_language(names::name(tree.at(*child).path))).collect();
        if by_language.len() < TRANSLATIONS {
            return;
        }
        let is_english = |child: &u32| names::name(tree.at(*child).path).starts_with("en");
        let first = by_language.iter().position(is_english);
        let largest = (0..by_language.len()).rev().max_by_key(|at| tree.at(by_language[*at]).all);
        by_language.remove(first.or(largest).unwrap_or(0));
        let languages: Vec<&str> =
            by_language.iter().map(|child| names::name(tree.at(*child).path)).collect();
        let text = format!("translations: {}", languages.join(", "));
        self.swallow(tree, roles, dir, &by_language, text);
    }

    /// Directories whose files are called alike.
    fn cousins(&mut self, tree: &Tree<'_>, roles: &[Role], dir: u32) {
        let at = tree.at(dir);
        if at.dirs.len() < COUSINS {
            return;
        }
        let small = |child: &u32| tree.at(*child).all <= SAMPLE_FILES && tree.at(*child).dirs.len() < COUSINS;
        let free =
            |child: &u32| !self.swallowed[*child as usize] && small(child) && !has_package(tree, *child);
        let children: Vec<u32> = at.dirs.iter().copied().filter(free).collect();
        let counts = counted(tree, &children);
        let common = commonest(&counts, children.len());
        let alike = |child: &u32| shapes(tree, *child).any(|shape| common.contains(shape.as_str()));
        let members: Vec<u32> = children.iter().copied().filter(alike).collect();
        let tests =
            tree.below(members.first().copied().unwrap_or(dir)).iter().all(|file| tree.file(*file).test);
        let samples = tests || is_of_samples(at.path);
        let least = if samples { COUSINS } else { OTHER_COUSINS };
        if members.len() < least || members.len() * 10 < at.dirs.len() * 6 {
            return;
        }
        let files: u32 = members.iter().map(|child| tree.at(*child).all).sum();
        if !samples && files as usize > members.len() * 12 {
            return;
        }
        let text = format!("{} directories alike{}", members.len(), shown(&counts, &common));
        self.swallow(tree, roles, dir, &members, text);
    }

    fn swallow(&mut self, tree: &Tree<'_>, roles: &[Role], dir: u32, members: &[u32], text: String) {
        let mut files = Vec::new();
        for child in members {
            self.swallowed[*child as usize] = true;
            files.extend(tree.below(*child));
        }
        let pattern = names::join(tree.at(dir).path, "*/");
        self.add(dir, pattern, &files, roles, text);
    }

    fn add(&mut self, dir: u32, pattern: String, files: &[u32], roles: &[Role], text: String) {
        files.iter().for_each(|file| self.has[*file as usize] = true);
        let role = most_common(files.iter().map(|file| roles[*file as usize]));
        self.list.push(Family { dir, pattern, count: files.len() as u32, weight: 1, role, text });
    }
}

/// Whether a directory is a package of its own, which is worth its own line.
fn has_package(tree: &Tree<'_>, dir: u32) -> bool {
    tree.at(dir).files.iter().any(|file| tree.file(*file).manifest.is_some())
}

/// Takes out what has far more definitions than the others: it is no one more of the same.
fn without_large(tree: &Tree<'_>, files: &mut Vec<u32>) {
    const LARGE: u32 = 12;
    let definitions = |file: &u32| if tree.file(*file).code { tree.file(*file).definitions } else { 0 };
    let mut all: Vec<u32> = files.iter().map(definitions).collect();
    all.sort_unstable();
    let usual = all.get(all.len() / 2).copied().unwrap_or_default();
    files.retain(|file| definitions(file) < LARGE.max(5 * usual));
}

fn most_common(roles: impl Iterator<Item = Role>) -> Role {
    let mut counts = [0; Role::ALL.len()];
    roles.for_each(|role| counts[role as usize] += 1);
    let best = (0..counts.len()).rev().max_by_key(|at| counts[*at]).unwrap_or_default();
    Role::ALL[best]
}

#[cfg(test)]
mod tests;
