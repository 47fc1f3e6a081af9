//! `.pi-map.md`: what is here.

use std::collections::BTreeMap;

use ctxhost_code::language::Language;
use rustc_hash::FxHashSet;

use super::{Whole, as_dir};
use crate::select::{
    conventions,
    inventory::Named,
    pair::{Heading, Item, Page, Part, Role},
};

/// So many lines stand below one heading; more are counted.
const KEY_FILES: usize = 12;
const LISTED: usize = 20;
const FOLDED: usize = 40;
/// So many definitions are named with a key file.
const SYMBOLS: usize = 12;
/// So many of them are constants and variables: the next one says no more.
const CONSTANTS: usize = 6;
/// So many definitions of a package everybody may use are named.
const SURFACE: usize = 18;
/// So many languages and packages of others are named in one line.
const LANGUAGES: usize = 5;
const OUTSIDE: usize = 12;
/// So many tests that lie elsewhere are named.
const TESTS_ELSEWHERE: usize = 5;

impl Whole<'_> {
    pub(crate) fn map(&self, pair: usize) -> Page {
        let entries = self.entry_points(pair);
        let key = self.key_items(pair, entries.as_ref().map_or(&[], |part| &part.items));
        let parts = vec![
            Self::part(Heading::Overview, self.overview(pair), LISTED),
            entries,
            key,
            Self::part(Heading::PublicSurface, self.public_surface(pair), SURFACE),
            Self::part(Heading::DependsOn, self.depends_on(pair), LISTED),
            Self::part(Heading::UsedBy, self.used_by(pair), LISTED),
            Self::part(Heading::Tests, self.tests(pair), LISTED),
            Self::part(Heading::Configuration, self.configuration(pair), LISTED),
            Self::part(Heading::Conventions, self.conventions(pair), LISTED),
            Self::part(Heading::Folded, self.folded_items(pair), FOLDED),
        ];
        self.page(pair, parts)
    }

    fn overview(&self, pair: usize) -> Vec<Item> {
        let dir = self.dir(pair);
        let covered = self.files[pair].len() as u32;
        let mut size = files(dir.all);
        if covered < dir.all {
            size += &format!(", {} of them described here and the others below", covered);
        }
        let languages: Vec<String> = self.languages[pair]
            .iter()
            .take(LANGUAGES)
            .map(|(id, count)| format!("{} {count}", language(id)))
            .collect();
        let languages = (!languages.is_empty()).then(|| format!("by language: {}", languages.join(", ")));
        let manifests = self
            .manifests
            .get(dir.path)
            .into_iter()
            .flatten()
            .filter(|(_, manifest)| !manifest.name.is_empty());
        let packages = manifests.map(|(path, manifest)| Item {
            path: (*path).to_owned(),
            text: format!("{} package {}", manifest.kind, manifest.name),
            ..Item::default()
        });
        let text = |text| Item { text, ..Item::default() };
        let packages = packages.filter(|item| !item.text.starts_with("github-actions"));
        [text(size)].into_iter().chain(languages.map(text)).chain(packages).collect()
    }

    fn entry_points(&self, pair: usize) -> Option<Part> {
        let files = self.whole_of(pair).iter().filter(|file| self.roles[**file as usize] == Role::Entry);
        self.files_of(Heading::EntryPoints, files.copied().collect(), 0, LISTED)
    }

    /// A part of some files, of which only those are made into lines that there is room for.
    fn files_of(&self, heading: Heading, files: Vec<u32>, symbols: usize, most: usize) -> Option<Part> {
        let left_out = files.len().saturating_sub(most) as u32;
        let items: Vec<Item> = files.iter().take(most).map(|file| self.described(*file, symbols)).collect();
        (!items.is_empty()).then_some(Part { heading, items, left_out })
    }

    /// What a pair speaks for: the root for all source files, a package's directory for those of the package.
    fn whole_of(&self, pair: usize) -> &[u32] {
        match self.packages.files.get(&self.folding.pairs[pair]) {
            _ if pair == 0 => &self.source,
            Some(files) => files,
            None => &self.key[pair],
        }
    }

    /// Code, or in a directory without any what there is to read.
    fn key_items(&self, pair: usize, entries: &[Item]) -> Option<Part> {
        let says = |file: &&u32| {
            let facts = self.tree.file(**file);
            !facts.symbols.is_empty() || !self.file_text(**file).is_empty()
        };
        let is_code = |file: &&u32| matches!(self.roles[**file as usize], Role::Entry | Role::Source);
        let is_prose = |file: &&u32| self.roles[**file as usize] == Role::Doc;
        let mut files: Vec<u32> = self.whole_of(pair).iter().filter(is_code).filter(says).copied().collect();
        if files.is_empty() {
            files.extend(self.key[pair].iter().filter(is_prose).filter(says));
        }
        let mut part = self.files_of(Heading::KeyFiles, files, SYMBOLS, KEY_FILES)?;
        // What an entry is for stands with the entry points, a few lines above.
        let told: FxHashSet<&str> = entries.iter().map(|entry| entry.path.as_str()).collect();
        let is_told = |item: &Item| told.contains(item.path.as_str());
        part.items.retain(|item| !is_told(item) || !item.symbols.is_empty());
        part.items.iter_mut().filter(|item| is_told(item)).for_each(|item| item.text.clear());
        (!part.items.is_empty()).then_some(part)
    }

    fn described(&self, at: u32, symbols: usize) -> Item {
        let file = self.tree.file(at);
        let mut text = self.file_text(at);
        let mut symbols: Vec<Named> =
            if file.secret { Vec::new() } else { file.symbols.iter().take(symbols).cloned().collect() };
        if symbols.iter().filter(|symbol| is_constant(symbol)).count() > CONSTANTS {
            let mut constants = 0;
            symbols.retain(|symbol| {
                constants += usize::from(is_constant(symbol));
                !is_constant(symbol) || constants <= CONSTANTS
            });
            let more = (file.definitions as usize).saturating_sub(symbols.len());
            if text.is_empty() && more > 0 && symbols.iter().all(is_constant) {
                text = format!("Constants, these and {more} more.");
            }
        }
        Item {
            path: file.path.clone(),
            role: Some(self.roles[at as usize]),
            text,
            symbols,
            ..Item::default()
        }
    }

    fn public_surface(&self, pair: usize) -> Vec<Item> {
        let own = self.packages.surface.get(&self.folding.pairs[pair]).map_or(&[][..], Vec::as_slice);
        let all = if pair == 0 { self.packages.of_all(self.tree, SURFACE) } else { Vec::new() };
        let surface = if all.is_empty() { own } else { &all };
        let mut items: Vec<Item> = Vec::new();
        for (file, symbol) in surface.iter().take(SURFACE) {
            let path = &self.tree.file(*file).path;
            match items.last_mut().filter(|last| last.path == *path) {
                Some(last) => last.symbols.push((*symbol).clone()),
                None => items.push(Item {
                    path: path.clone(),
                    symbols: vec![(*symbol).clone()],
                    ..Item::default()
                }),
            }
        }
        items
    }

    fn depends_on(&self, pair: usize) -> Vec<Item> {
        let mut items = self.others(&self.links.depends[pair], "imported by");
        let mut outside: Vec<_> = self.links.outside[pair].iter().collect();
        outside.sort_by(|a, b| (b.1, a.0).cmp(&(a.1, b.0)));
        if !outside.is_empty() {
            let named: Vec<String> =
                outside.iter().take(OUTSIDE).map(|(name, count)| format!("{name} ({count})")).collect();
            let more = outside.len().saturating_sub(OUTSIDE);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            items.push(Item {
                text: format!("packages of others: {}{more}", named.join(", ")),
                ..Item::default()
            });
        }
        items
    }

    fn used_by(&self, pair: usize) -> Vec<Item> {
        self.others(&self.links.used_by[pair], "in")
    }

    /// Other pairs, those first that most files have to do with.
    fn others(&self, counts: &BTreeMap<u32, u32>, how: &str) -> Vec<Item> {
        let mut counts: Vec<(u32, u32)> = counts.iter().map(|(pair, count)| (*pair, *count)).collect();
        counts.sort_by_key(|(pair, count)| (std::cmp::Reverse(*count), *pair));
        let item = |(pair, count): (u32, u32)| Item {
            path: as_dir(self.dir(pair as usize).path),
            text: format!("{how} {}", files(count)),
            ..Item::default()
        };
        counts.into_iter().map(item).collect()
    }

    fn tests(&self, pair: usize) -> Vec<Item> {
        let families = self.alike[pair]
            .iter()
            .map(|at| &self.families.list[*at as usize])
            .filter(|family| family.role == Role::Test);
        let alike = families.map(|family| Item {
            path: family.pattern.clone(),
            role: Some(Role::Test),
            count: family.count,
            text: family.text.clone(),
            ..Item::default()
        });
        let own = self.key[pair].iter().filter(|file| self.roles[**file as usize] == Role::Test);
        let items: Vec<Item> = alike.chain(own.map(|file| self.described(*file, 0))).collect();
        if items.is_empty() { self.tests_elsewhere(pair) } else { items }
    }

    fn tests_elsewhere(&self, pair: usize) -> Vec<Item> {
        let code = self.key[pair]
            .iter()
            .filter(|file| matches!(self.roles[**file as usize], Role::Source | Role::Entry));
        let mut items: Vec<Item> = Vec::new();
        for file in code.take(64) {
            let path = &self.tree.file(*file).path;
            let Some(test) = self.tests.of(path).filter(|test| items.iter().all(|item| item.path != **test))
            else {
                continue;
            };
            items.push(Item {
                path: test.to_owned(),
                role: Some(Role::Test),
                text: format!("of {path}"),
                ..Item::default()
            });
            if items.len() == TESTS_ELSEWHERE {
                break;
            }
        }
        items
    }

    fn configuration(&self, pair: usize) -> Vec<Item> {
        let config = self.files[pair].iter().filter(|file| {
            self.roles[**file as usize] == Role::Config && !self.families.has[**file as usize]
        });
        config.map(|file| self.described(*file, 0)).collect()
    }

    fn conventions(&self, pair: usize) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::new();
        let mut add = |path: &str, text: String| {
            if items.iter().all(|item| item.text != text) {
                items.push(Item { path: path.to_owned(), text, ..Item::default() });
            }
        };
        let own = self.files[pair]
            .iter()
            .filter(|file| !self.families.has[**file as usize])
            .map(|file| self.tree.file(*file));
        let own: Vec<_> = own.filter(|file| !file.test && !file.secret).collect();
        for file in &own {
            if let Some(text) = conventions::of_file(&file.path) {
                add(&file.path, text.to_owned());
            }
        }
        for file in &own {
            let Some(manifest) = &file.manifest else { continue };
            manifest
                .tools
                .iter()
                .filter_map(|tool| conventions::of_tool(tool))
                .for_each(|text| add(&file.path, text));
            if manifest.kind == "github-actions" {
                let jobs: Vec<&str> = manifest.scripts.iter().take(8).map(|job| job.name.as_str()).collect();
                add(&file.path, format!("CI: {} ({})", manifest.name, jobs.join(", ")).replace(" ()", ""));
            }
        }
        items.sort_by(|a, b| (&a.text, &a.path).cmp(&(&b.text, &b.path)));
        items
    }

    fn folded_items(&self, pair: usize) -> Vec<Item> {
        let item = |(dir, count): &(u32, u32)| Item {
            path: as_dir(self.tree.at(*dir).path),
            count: *count,
            text: self.purpose(*dir),
            ..Item::default()
        };
        self.folded[pair].iter().map(item).collect()
    }
}

/// Whether a definition only gives a name to a value.
pub(super) fn is_constant(symbol: &Named) -> bool {
    matches!(symbol.kind.as_str(), "constant" | "variable")
}

fn language(id: &str) -> &str {
    Language::of_id(id).map_or(id, |language| language.name())
}

fn files(count: u32) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}
