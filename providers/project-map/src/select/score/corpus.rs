//! What is searched: the files and directories that pages speak of, each with all that is said of it.

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::Noted;
use crate::select::{
    inventory::{FileFacts, Named},
    names,
    pair::{Heading, Item, Pair, Role},
    roles,
};

/// A file, or a family of like files, with what pages say of it.
#[derive(Debug, Default)]
pub(super) struct Entry<'a> {
    pub(super) path: &'a str,
    /// The pair that covers it.
    pub(super) pair: usize,
    pub(super) role: Option<Role>,
    /// How many files it stands for when it is a family.
    pub(super) count: u32,
    pub(super) purposes: Vec<&'a str>,
    pub(super) workflows: Vec<&'a str>,
    pub(super) bodies: Vec<&'a str>,
    pub(super) tags: Vec<&'a str>,
    pub(super) symbols: Vec<&'a Named>,
    /// Whether nobody wrote it here by hand.
    pub(super) foreign: bool,
    /// The pattern of the family that it belongs to.
    pub(super) family: Option<&'a str>,
    /// Its place in the inventory.
    pub(super) at: Option<usize>,
}

/// What a pair says of its directory as a whole.
#[derive(Debug, Default)]
pub(super) struct Place<'a> {
    pub(super) purposes: Vec<&'a str>,
    pub(super) workflows: Vec<&'a str>,
    pub(super) bodies: Vec<&'a str>,
    pub(super) tags: Vec<&'a str>,
    /// Directories that have no pair of their own.
    pub(super) folded: Vec<&'a str>,
}

#[derive(Debug, Default)]
pub(super) struct Corpus<'a> {
    /// As many as there are pairs.
    pub(super) places: Vec<Place<'a>>,
    pub(super) files: Vec<Entry<'a>>,
}

impl<'a> Corpus<'a> {
    /// Adds what people noted: it is about the directory as a whole, and counts as little as a map's text.
    pub(super) fn note(&mut self, noted: &'a [Noted]) {
        for (at, lines) in noted {
            if let Some(place) = self.places.get_mut(*at) {
                place.bodies.extend(lines.iter().map(String::as_str));
            }
        }
    }

    /// Adds definitions that matter to the query and are too many to be kept with every file.
    pub(super) fn define(&mut self, defined: &'a [(usize, Named)]) {
        for (at, named) in defined {
            if let Some(entry) = self.files.iter_mut().find(|entry| entry.at == Some(*at)) {
                add_symbols(entry, std::slice::from_ref(named));
            }
        }
    }
}

/// Gathers what pairs say, and what is known of files that no pair lists.
pub(super) fn gather<'a>(pairs: &'a [Pair], more: &'a [FileFacts]) -> Corpus<'a> {
    let mut gathering = Gathering {
        dirs: pairs.iter().enumerate().map(|(at, pair)| (pair.dir.as_str(), at)).collect(),
        known: FxHashMap::with_capacity_and_hasher(more.len(), FxBuildHasher),
        corpus: Corpus { places: Vec::with_capacity(pairs.len()), files: Vec::with_capacity(more.len()) },
    };
    gathering.corpus.places.resize_with(pairs.len(), Place::default);
    for (at, pair) in pairs.iter().enumerate() {
        gathering.pair(at, pair);
    }
    gathering.more(more);
    gathering.corpus
}

struct Gathering<'a> {
    dirs: FxHashMap<&'a str, usize>,
    /// Where a path is in the corpus.
    known: FxHashMap<&'a str, usize>,
    corpus: Corpus<'a>,
}

impl<'a> Gathering<'a> {
    fn pair(&mut self, at: usize, pair: &'a Pair) {
        for page in [&pair.index, &pair.map] {
            let place = &mut self.corpus.places[at];
            place.purposes.extend(Some(page.purpose.as_str()).filter(|purpose| !purpose.is_empty()));
            for part in &page.parts {
                part.items.iter().for_each(|item| self.item(at, part.heading, item));
            }
        }
    }

    fn item(&mut self, at: usize, heading: Heading, item: &'a Item) {
        let text = Some(item.text.as_str()).filter(|text| !text.is_empty());
        let tags = item.tags.iter().map(String::as_str);
        // What uses a file or is used is said of this directory, not of the file.
        let of_place = item.path.is_empty() || matches!(heading, Heading::DependsOn | Heading::UsedBy);
        let family = item.path.contains('*');
        if let (Some(dir), false) = (item.path.strip_suffix('/'), of_place || family) {
            // A route is about the directory that it leads to.
            let (place, folded) = match self.dirs.get(dir) {
                Some(own) => (&mut self.corpus.places[*own], None),
                None => (&mut self.corpus.places[at], Some(dir)),
            };
            place.purposes.extend(text);
            place.tags.extend(tags);
            place.folded.extend(folded);
        } else if of_place {
            let place = &mut self.corpus.places[at];
            place.tags.extend(tags);
            match heading {
                Heading::Workflows => place.workflows.extend(text),
                Heading::Overview => place.purposes.extend(text),
                _ => place.bodies.extend(text),
            }
        } else {
            // The root's map also names files that another pair covers.
            let covering = self.covering(&item.path);
            let entry = self.entry(&item.path, covering);
            entry.role = entry.role.or(item.role);
            entry.count = entry.count.max(item.count);
            entry.tags.extend(tags);
            match heading {
                Heading::Workflows => entry.workflows.extend(text),
                Heading::Files | Heading::KeyFiles | Heading::EntryPoints => entry.purposes.extend(text),
                _ => entry.bodies.extend(text),
            }
            add_symbols(entry, &item.symbols);
        }
    }

    fn more(&mut self, more: &'a [FileFacts]) {
        let families = Families::of(&self.corpus.files);
        let mut last: Option<(&str, usize)> = None;
        for (number, file) in more.iter().enumerate() {
            // Files come sorted: most lie beside the one before.
            let dir = names::dir(&file.path);
            let at = last
                .filter(|(known, _)| *known == dir)
                .map_or_else(|| self.covering(&file.path), |(_, at)| at);
            last = Some((dir, at));
            // A directory beside those of the family has a pair of its own.
            let same_pair = |family: &usize| self.corpus.files[*family].pair == at;
            let listed = self.known.contains_key(file.path.as_str());
            let family = families.of_file(&file.path).filter(same_pair).filter(|_| !listed);
            let role = family.and_then(|family| self.corpus.files[family].role);
            let pattern = family.map(|family| self.corpus.files[family].path);
            let entry = self.entry(&file.path, at);
            entry.family = pattern;
            entry.at = Some(number);
            entry.foreign |= file.foreign;
            entry.role = entry.role.or(role).or_else(|| Some(roles::role(file, false)));
            if entry.purposes.is_empty() && !file.purpose.is_empty() {
                entry.purposes.push(&file.purpose);
            }
            add_symbols(entry, &file.symbols);
        }
    }

    /// The pair of the nearest directory above that has one.
    fn covering(&self, path: &str) -> usize {
        let mut dir = path;
        while let Some((above, _)) = dir.rsplit_once('/') {
            if let Some(at) = self.dirs.get(above) {
                return *at;
            }
            dir = above;
        }
        self.dirs.get("").copied().unwrap_or(0)
    }

    fn entry(&mut self, path: &'a str, pair: usize) -> &mut Entry<'a> {
        let files = &mut self.corpus.files;
        let at = *self.known.entry(path).or_insert_with(|| {
            files.push(Entry { path, pair, ..Entry::default() });
            files.len() - 1
        });
        &mut files[at]
    }
}

/// The families, by the directory that their patterns begin with.
struct Families<'a>(FxHashMap<&'a str, Vec<(&'a str, usize)>>);

impl<'a> Families<'a> {
    fn of(entries: &[Entry<'a>]) -> Self {
        let mut families: FxHashMap<&'a str, Vec<(&'a str, usize)>> = FxHashMap::default();
        for (at, entry) in entries.iter().enumerate() {
            if let (Some((head, _)), true) = (entry.path.split_once('*'), entry.count > 1) {
                let dir = head.rsplit_once('/').map_or("", |(dir, _)| dir);
                families.entry(dir).or_default().push((entry.path, at));
            }
        }
        Self(families)
    }

    fn of_file(&self, path: &str) -> Option<usize> {
        let mut dir = path;
        while !dir.is_empty() {
            dir = dir.rsplit_once('/').map_or("", |(dir, _)| dir);
            let family = self.0.get(dir).and_then(|all| all.iter().find(|(family, _)| is_of(path, family)));
            if let Some((_, at)) = family {
                return Some(*at);
            }
        }
        None
    }
}

fn add_symbols<'a>(entry: &mut Entry<'a>, symbols: &'a [Named]) {
    for symbol in symbols {
        let same = |known: &&Named| known.line == symbol.line && known.name == symbol.name;
        if !entry.symbols.iter().any(same) {
            entry.symbols.push(symbol);
        }
    }
}

/// Whether a path is one of a family's, in whose pattern each `*` stands for what is no `/`; a family of directories,
/// which ends with `/`, has all that is below them.
pub(super) fn is_of(path: &str, family: &str) -> bool {
    let (mut paths, mut patterns) = (path.split('/'), family.split('/'));
    loop {
        match (paths.next(), patterns.next()) {
            (None, None) | (Some(_), Some("")) => return true,
            (Some(name), Some(pattern)) if fits(name, pattern) => {}
            _ => return false,
        }
    }
}

fn fits(name: &str, pattern: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return name == pattern };
    let Some(mut name) = name.strip_prefix(head) else { return false };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let tail = pieces.pop().unwrap_or_default();
    for piece in pieces {
        let Some(at) = name.find(piece) else { return false };
        name = &name[at + piece.len()..];
    }
    name.ends_with(tail)
}

#[cfg(test)]
mod tests {
    use super::is_of;

    #[test]
    fn a_family_is_a_pattern() {
        for (path, family, fits) in [
            ("a/b.txt", "a/*.txt", true),
            ("a/b/c.txt", "a/*.txt", false),
            ("a/b/c.txt", "a/*/*.txt", true),
            ("a/b.md", "a/*.txt", false),
            ("a/tutorial001_py310.py", "a/tutorial*_*.py", true),
            ("a/b.txt", "a/b.txt", true),
            ("a/aa", "a/a*a", true),
            ("a/a", "a/a*a", false),
            ("a", "a/*", false),
            ("a/b/c/d.js", "a/*/", true),
            ("a/b", "a/*/", false),
        ] {
            assert_eq!(is_of(path, family), fits, "{path} {family}");
        }
    }
}
