//! Which names are used where.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    NAME_CAP, REFERENCES_CAP, Reference,
    finds::{Bytes, Finds},
    regions::{NONE, Regions, Seeker, What},
};

/// What is needed to tell a use from a binding.
pub(super) struct Uses<'a> {
    pub(super) finds: &'a Finds,
    pub(super) regions: &'a Regions,
    /// The symbol of each region, or `NONE`.
    pub(super) symbols: &'a [u32],
    pub(super) source: &'a [u8],
    /// Names that are words of the language.
    pub(super) words: &'static [&'static str],
}

/// Every name once, as a number.
#[derive(Default)]
struct Names<'a> {
    ids: FxHashMap<&'a str, u32>,
    texts: Vec<&'a str>,
}

impl<'a> Names<'a> {
    fn id(&mut self, text: &'a str) -> u32 {
        let next = self.texts.len() as u32;
        *self.ids.entry(text).or_insert_with(|| {
            self.texts.push(text);
            next
        })
    }
}

impl<'a> Uses<'a> {
    /// Counts the names that each symbol uses; the flag says that there are more than are kept.
    pub(super) fn count(&self) -> (Vec<Reference>, bool) {
        let mut names = Names::default();
        let words: Vec<u32> = self.words.iter().map(|word| names.id(word)).collect();
        let locals = self.locals(&mut names);
        let mut found = Vec::with_capacity(self.finds.references.len());
        let mut seeker = Seeker::default();
        self.each(|bytes, text| {
            let region = seeker.seek(self.regions, bytes.start);
            let name = names.id(text);
            if !words.contains(&name) && !self.is_local(&locals, region, name, bytes) {
                found.push((self.symbol(region), name));
            }
        });
        let ranks = ranks(&names.texts);
        for (_, name) in &mut found {
            *name = ranks[*name as usize];
        }
        let mut texts = names.texts;
        texts.sort_unstable();
        tally(found, &texts)
    }

    /// Gives each use of a name that is not its definition.
    pub(super) fn each(&self, mut take: impl FnMut(Bytes, &'a str)) {
        let skipped = self.skipped();
        let mut skipped = skipped.into_iter().peekable();
        let mut edge = 0;
        for bytes in &self.finds.references {
            while let Some(skip) = skipped.next_if(|skip| skip.start <= bytes.start) {
                edge = edge.max(skip.end);
            }
            if bytes.start < edge || (bytes.end - bytes.start) as usize > NAME_CAP {
                continue;
            }
            if let Some(text) = bytes.text(self.source) {
                take(*bytes, text);
            }
        }
    }

    /// Where names stand that are bound, not used.
    fn skipped(&self) -> Vec<Bytes> {
        let finds = self.finds;
        let mut skipped = finds.ignored.clone();
        skipped.extend(finds.definitions.iter().map(|one| one.name));
        skipped.extend(finds.locals.iter().filter(|local| self.binds(local)).map(|(bytes, _)| *bytes));
        skipped.sort_unstable();
        skipped
    }

    /// A pattern that begins with a capital is a constant or a variant, which a pattern uses.
    fn binds(&self, (bytes, any): &(Bytes, bool)) -> bool {
        *any || !bytes.slice(self.source).first().is_some_and(u8::is_ascii_uppercase)
    }

    fn locals(&self, names: &mut Names<'a>) -> FxHashSet<(u32, u32)> {
        let mut seeker = Seeker::default();
        let mut locals = FxHashSet::default();
        for local in &self.finds.locals {
            let region = seeker.seek(self.regions, local.0.start);
            let owner = if local.1 { Some(region) } else { self.function(region) };
            if let (Some(owner), true, Some(text)) = (owner, self.binds(local), local.0.text(self.source)) {
                locals.insert((owner, names.id(text)));
            }
        }
        locals
    }

    fn function(&self, region: u32) -> Option<u32> {
        self.regions.up(region).find(|(_, region)| region.is_function()).map(|(index, _)| index)
    }

    fn is_local(&self, locals: &FxHashSet<(u32, u32)>, region: u32, name: u32, bytes: Bytes) -> bool {
        if locals.is_empty() || is_member(bytes, self.source) {
            return false;
        }
        self.regions.up(region).any(|(index, _)| locals.contains(&(index, name)))
    }

    /// Gives the symbol that a region belongs to.
    fn symbol(&self, region: u32) -> u32 {
        let holds = |region: &What| !matches!(region, What::Definition { instance: true, .. });
        let around = self.regions.up(region).filter(|(_, region)| holds(&region.what));
        let mut symbols = around.map(|(index, _)| self.symbols[index as usize]);
        symbols.find(|symbol| *symbol != NONE).unwrap_or(NONE)
    }
}

/// Whether a name stands behind a dot or the like: then it is a member's, not a local's.
fn is_member(bytes: Bytes, source: &[u8]) -> bool {
    let before = &source[..bytes.start as usize];
    before.ends_with(b".") || before.ends_with(b"->") || before.ends_with(b"::")
}

fn ranks(texts: &[&str]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..texts.len() as u32).collect();
    order.sort_unstable_by_key(|id| texts[*id as usize]);
    let mut ranks = vec![0; texts.len()];
    for (rank, id) in order.iter().enumerate() {
        ranks[*id as usize] = rank as u32;
    }
    ranks
}

fn tally(mut found: Vec<(u32, u32)>, texts: &[&str]) -> (Vec<Reference>, bool) {
    // What stands outside of all symbols comes first.
    found.sort_unstable_by_key(|(symbol, name)| (symbol.wrapping_add(1), *name));
    let mut references: Vec<Reference> = Vec::new();
    for uses in found.chunk_by(|left, right| left == right) {
        let (symbol, name) = uses[0];
        if references.len() == REFERENCES_CAP {
            return (references, true);
        }
        let symbol = (symbol != NONE).then_some(symbol);
        references.push(Reference {
            name: texts[name as usize].to_owned(),
            symbol,
            count: uses.len() as u32,
        });
    }
    (references, false)
}
