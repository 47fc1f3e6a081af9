//! What the two artifacts of each directory say.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::{
    families::Families,
    folding::Folding,
    inventory::{FileFacts, Manifest},
    links::Links,
    names,
    pair::{Heading, Item, Page, Part, Role},
    tags::Words,
    tree::{Dir, Tree},
    workflows::TestNames,
};
use crate::{settings::Config, shape::forbidden};

mod index;
mod orient;
mod package;
mod said;

/// So many lines stand below one heading; more are counted.
const ROUTES: usize = 150;
const FILES: usize = 80;

/// So many definitions are named with a file in an index.
const KEY_SYMBOLS: usize = 3;

type Manifests<'a> = FxHashMap<&'a str, Vec<(&'a str, &'a Manifest)>>;

/// All that pages are made of.
pub(crate) struct Whole<'a> {
    pub(crate) tree: &'a Tree<'a>,
    roles: &'a [Role],
    families: &'a Families,
    folding: &'a Folding,
    links: &'a Links,
    tests: &'a TestNames<'a>,
    manifests: &'a Manifests<'a>,
    config: &'a Config,
    /// For each pair its files, sorted by path.
    files: Vec<Vec<u32>>,
    /// For each pair its families.
    alike: Vec<Vec<u32>>,
    /// For each pair those that lie directly below it.
    below: Vec<Vec<u32>>,
    /// For each pair its directories that are folded into it, the outermost ones, and how many files each has.
    folded: Vec<Vec<(u32, u32)>>,
    /// For each pair its files that are described one by one, the most telling first.
    key: Vec<Vec<u32>>,
    /// For each pair the languages of all files in it and below, and how many have each.
    languages: Vec<Vec<(&'a str, u32)>>,
    packages: package::Packages<'a>,
    /// All source files of the project, the most telling first.
    source: Vec<u32>,
    tags: Vec<Vec<String>>,
    purposes: Vec<String>,
}

impl<'a> Whole<'a> {
    #[expect(
        clippy::too_many_arguments,
        reason = "each is the outcome of one step, and this is where they meet"
    )]
    pub(crate) fn new(
        tree: &'a Tree<'a>,
        roles: &'a [Role],
        families: &'a Families,
        folding: &'a Folding,
        links: &'a Links,
        tests: &'a TestNames<'a>,
        manifests: &'a Manifests<'a>,
        config: &'a Config,
    ) -> Self {
        let pairs = folding.pairs.len();
        let none = || vec![Vec::new(); pairs];
        let mut whole = Self {
            tree,
            roles,
            families,
            folding,
            links,
            tests,
            manifests,
            config,
            files: none(),
            alike: none(),
            below: none(),
            folded: vec![Vec::new(); pairs],
            key: none(),
            languages: Vec::new(),
            packages: package::Packages::default(),
            source: Vec::new(),
            tags: Vec::new(),
            purposes: Vec::new(),
        };
        whole.sort_into_pairs();
        whole.fold();
        whole.key = (0..pairs).map(|at| whole.key_files(at)).collect();
        whole.languages = whole.languages();
        whole.packages = whole.find_packages();
        whole.source = whole.all_source();
        whole.purposes = folding.pairs.iter().map(|dir| whole.purpose(*dir)).collect();
        whole.tags = whole.pick_tags();
        whole
    }

    pub(crate) fn dir(&self, pair: usize) -> &Dir<'a> {
        self.tree.at(self.folding.pairs[pair])
    }

    /// The files that a pair is about, sorted by path.
    pub(crate) fn covered(&self, pair: usize) -> &[u32] {
        &self.files[pair]
    }

    fn sort_into_pairs(&mut self) {
        for (file, home) in self.tree.home.iter().enumerate() {
            self.files[self.folding.cover[*home as usize] as usize].push(file as u32);
        }
        for (at, family) in self.families.list.iter().enumerate() {
            self.alike[self.folding.cover[family.dir as usize] as usize].push(at as u32);
        }
        for (pair, above) in self.folding.above.iter().enumerate().skip(1) {
            self.below[*above as usize].push(pair as u32);
        }
    }

    /// Finds the outermost directories that have no pair, and counts what the pair above covers of them.
    fn fold(&mut self) {
        let mut counts = vec![0_u32; self.tree.dirs.len()];
        let cover = &self.folding.cover;
        for dir in (1..self.tree.dirs.len()).rev() {
            let at = &self.tree.dirs[dir];
            counts[dir] += at.files.len() as u32;
            if cover[dir] == cover[at.above as usize] && self.folding.pairs[cover[dir] as usize] != dir as u32
            {
                counts[at.above as usize] += counts[dir];
            }
        }
        for (pair, dir) in self.folding.pairs.iter().enumerate() {
            let folded = |child: &&u32| {
                cover[**child as usize] == pair as u32 && !self.families.swallowed[**child as usize]
            };
            let children = self.tree.at(*dir).dirs.iter().filter(folded);
            self.folded[pair] = children
                .map(|child| (*child, counts[*child as usize]))
                .filter(|(_, files)| *files > 0)
                .collect();
        }
    }

    /// Files that are described one by one, the most telling first.
    fn key_files(&self, pair: usize) -> Vec<u32> {
        let alone = |file: &u32| !self.families.has[*file as usize] && !self.tree.file(*file).secret;
        let mut files: Vec<u32> = self.files[pair].iter().copied().filter(alone).collect();
        files.sort_by_cached_key(|file| (Reverse(self.weight(self.dir(pair).path, *file)), *file));
        files
    }

    fn all_source(&self) -> Vec<u32> {
        let is_source = |file: &u32| matches!(self.roles[*file as usize], Role::Entry | Role::Source);
        let mut source: Vec<u32> = self.key.iter().flatten().copied().filter(is_source).collect();
        source.sort_by_cached_key(|file| (Reverse(self.weight("", *file)), *file));
        source
    }

    /// How much a file tells about a directory that it lies in or below.
    fn weight(&self, dir: &str, at: u32) -> u64 {
        let file = self.tree.file(at);
        let base = match self.roles[at as usize] {
            Role::Entry => 140,
            Role::Source => 100,
            Role::Doc | Role::Config | Role::Test | Role::Data => 20,
            Role::Generated => 0,
        };
        let constants = file.symbols.iter().filter(|symbol| orient::is_constant(symbol)).count();
        // Everybody takes constants, and they tell nothing of how it works.
        let only = file.symbols.len() > 3 && 4 * constants >= 3 * file.symbols.len();
        let used = u64::from(self.links.used[at as usize]).min(20) * if only { 1 } else { 5 };
        let size = u64::from(file.definitions.max(1).ilog2()) * 6;
        let said = if file.purpose.is_empty() { 0 } else { 8 };
        let depth = file.path[dir.len()..].matches('/').count() as u64;
        (base + used + size + said).saturating_sub(6 * depth.min(10))
    }

    fn languages(&self) -> Vec<Vec<(&'a str, u32)>> {
        let mut counts: Vec<FxHashMap<&str, u32>> = vec![FxHashMap::default(); self.files.len()];
        for (pair, files) in self.files.iter().enumerate() {
            for file in
                files.iter().map(|file| self.tree.file(*file)).filter(|file| !file.language.is_empty())
            {
                *counts[pair].entry(&file.language).or_insert(0) += 1;
            }
        }
        for pair in (1..counts.len()).rev() {
            let below: Vec<_> = counts[pair].iter().map(|(language, count)| (*language, *count)).collect();
            let above = &mut counts[self.folding.above[pair] as usize];
            below.into_iter().for_each(|(language, count)| *above.entry(language).or_insert(0) += count);
        }
        let sorted = |counts: FxHashMap<&'a str, u32>| {
            let mut counts: Vec<(&str, u32)> = counts.into_iter().collect();
            counts.sort_by_key(|(language, count)| (Reverse(*count), *language));
            counts
        };
        counts.into_iter().map(sorted).collect()
    }

    fn pick_tags(&self) -> Vec<Vec<String>> {
        let mut words = Words::new(self.files.len());
        for (pair, key) in self.key.iter().enumerate() {
            let dir = self.dir(pair).path;
            words.add(pair, names::name(dir), 4);
            // Each word once: a hundred folders called after machines are not about machines.
            let named = self.folded[pair].iter().map(|(dir, _)| names::name(self.tree.at(*dir).path));
            let folded: Vec<&str> = named.filter(|name| forbidden::found(name).is_none()).collect();
            words.add(pair, &folded.join(" "), 2);
            for (_, manifest) in self.manifests.get(dir).into_iter().flatten() {
                words.add(pair, &manifest.name, 3);
            }
            for file in key.iter().map(|file| (self.roles[*file as usize], self.tree.file(*file))) {
                self.words_of(file, pair, &mut words);
            }
        }
        words.pick(&self.folding.above, self.config.tag_cap)
    }

    fn words_of(&self, (role, file): (Role, &FileFacts), pair: usize, words: &mut Words) {
        let stem = names::stem(names::name(&file.path));
        // Tags are in small letters, by which no key is known.
        if forbidden::found(stem).is_some() {
            return;
        }
        match role {
            Role::Entry | Role::Source => {
                words.add(pair, stem, 2);
                file.symbols.iter().take(6).for_each(|symbol| words.add(pair, &symbol.name, 1));
            }
            Role::Doc | Role::Test => words.add(pair, stem, 1),
            Role::Config | Role::Data | Role::Generated => {}
        }
    }

    /// A part, when there is anything to say.
    fn part(heading: Heading, mut items: Vec<Item>, most: usize) -> Option<Part> {
        let left_out = items.len().saturating_sub(most) as u32;
        items.truncate(most);
        (!items.is_empty()).then_some(Part { heading, items, left_out })
    }

    fn page(&self, pair: usize, parts: Vec<Option<Part>>) -> Page {
        let title = if pair == 0 { self.project() } else { self.dir(pair).path.to_owned() };
        Page { title, purpose: self.purposes[pair].clone(), parts: parts.into_iter().flatten().collect() }
    }

    /// The project's name, as its manifest has it.
    fn project(&self) -> String {
        let named = self.manifests.get("").into_iter().flatten().map(|(_, manifest)| &manifest.name);
        named.into_iter().find(|name| !name.is_empty()).cloned().unwrap_or_else(|| "project".to_owned())
    }
}

/// A directory as items name it.
fn as_dir(path: &str) -> String {
    if path.is_empty() { "./".to_owned() } else { format!("{path}/") }
}
