//! Making symbols of what a query found.

mod owners;
mod visibility;

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::{
    Extracted, Import, Kind, Method, NAME_CAP, Partial, SYMBOLS_CAP, Span, Symbol, documentation,
    finds::{Bytes, Finds},
    lines::Lines,
    regions::{NONE, Region, Regions, Seeker, What},
    rules::Rules,
    uses::Uses,
};
use owners::Owners;
use visibility::Offers;

/// What symbols are made by.
pub(super) struct Maker<'a> {
    pub(super) rules: &'static Rules,
    pub(super) source: &'a [u8],
    pub(super) lines: Lines,
}

impl Maker<'_> {
    /// Makes everything of a file.
    pub(super) fn make(&self, finds: &mut Finds) -> Extracted {
        if self.rules.clauses {
            finds.join_clauses(self.source);
        }
        let mut docs = self.take_attributes(finds);
        let regions = Regions::of(finds);
        put_inner_docs(&mut docs, finds, &regions);
        let mut extracted = Extracted { method: Method::Grammar, ..Extracted::default() };
        let symbols = Symbols::of(self, finds, &regions, docs).list(&mut extracted);
        let words = self.rules.words;
        let uses = Uses { finds, regions: &regions, symbols: &symbols, source: self.source, words };
        let (references, many) = uses.count();
        extracted.references = references;
        extracted.imports = self.imports(finds);
        extracted.partial = match () {
            () if many || extracted.symbols.len() == SYMBOLS_CAP => Some(Partial::TooMany),
            () if regions.too_deep => Some(Partial::TooDeep),
            () => None,
        };
        extracted
    }

    /// Lets each definition begin at its attributes, and gives the comments above them.
    fn take_attributes(&self, finds: &mut Finds) -> Vec<Option<Range<u32>>> {
        let Finds { definitions, leads, .. } = finds;
        let mut last = None;
        let each = definitions.iter_mut().map(|one| {
            let start = one.bytes.start;
            // Thousands of names may be bound at one place, and what stands above it be long.
            let (begin, doc) = match &last {
                Some((same, begin, doc)) if *same == start => (*begin, Option::clone(doc)),
                _ => documentation::before(leads, start, self.source, self.rules.docs),
            };
            last = Some((start, begin, doc.clone()));
            one.bytes.start = begin;
            one.bytes.end = begin + one.bytes.slice(self.source).trim_ascii_end().len() as u32;
            doc
        });
        each.collect()
    }

    fn imports(&self, finds: &Finds) -> Vec<Import> {
        let mut imports = Vec::new();
        let mut places = Vec::new();
        for bytes in &finds.imports {
            let Some(text) = bytes.text(self.source) else { continue };
            (self.rules.imports)(text, &mut places);
            let line = self.lines.at(bytes.start);
            let short = places.drain(..).filter(|from| from.len() <= NAME_CAP);
            imports.extend(short.map(|from| Import { from, line }));
        }
        imports
    }
}

/// Documentation inside a definition, such as a docstring, goes before a comment above.
fn put_inner_docs(docs: &mut [Option<Range<u32>>], finds: &Finds, regions: &Regions) {
    let mut seeker = Seeker::default();
    for doc in &finds.docs {
        let region = seeker.seek(regions, doc.start);
        if let Some(Region { what: What::Definition { find, .. }, .. }) = regions.get(region) {
            docs[*find as usize] = Some(doc.start..doc.end);
        }
    }
}

/// The symbols of a file while they are made, from the outside in.
struct Symbols<'a> {
    maker: &'a Maker<'a>,
    finds: &'a Finds,
    regions: &'a Regions,
    docs: Vec<Option<Range<u32>>>,
    offers: Offers<'a>,
    owners: Owners<'a>,
    fields: FxHashSet<(u32, &'a [u8])>,
}

impl<'a> Symbols<'a> {
    fn of(
        maker: &'a Maker<'a>,
        finds: &'a Finds,
        regions: &'a Regions,
        docs: Vec<Option<Range<u32>>>,
    ) -> Symbols<'a> {
        let offers = Offers::of(maker, finds, regions);
        let owners = Owners::of(maker, regions);
        Symbols { maker, finds, regions, docs, offers, owners, fields: FxHashSet::default() }
    }

    /// Adds the symbols, and gives the one of each region.
    fn list(mut self, extracted: &mut Extracted) -> Vec<u32> {
        let mut indexes = Vec::with_capacity(self.regions.list.len());
        for (index, region) in self.regions.list.iter().enumerate() {
            let made = match region.what {
                What::Definition { find, kind, instance, .. } => {
                    self.definition(region, find as usize, kind, instance)
                }
                _ => None,
            };
            self.owners.push(index, region, made.as_ref());
            let symbol = made.filter(|_| extracted.symbols.len() < SYMBOLS_CAP);
            indexes.push(if symbol.is_some() { extracted.symbols.len() as u32 } else { NONE });
            extracted.symbols.extend(symbol);
        }
        indexes
    }

    fn definition(&mut self, region: &'a Region, find: usize, kind: Kind, instance: bool) -> Option<Symbol> {
        let one = &self.finds.definitions[find];
        let around = if instance { self.type_around(region)? } else { self.lies_in(region, kind) };
        let first = kind != Kind::Field || self.fields.insert((around, one.name.slice(self.maker.source)));
        if instance && !first {
            return None;
        }
        let name = self.name(one.name, kind)?;
        let said = one.owner.and_then(|owner| self.said(owner, one.name));
        let owner = self.owners.path(around, said.as_deref())?;
        let kind = self.kind(&name, &owner, kind, around);
        let visibility = self.visibility(region, one, &name, kind, around, said.is_some());
        let body = one.body.filter(|body| one.bytes.start < *body && *body <= one.bytes.end);
        let head = Bytes { start: one.bytes.start, end: body.unwrap_or(one.bytes.end) };
        Some(Symbol {
            name,
            owner,
            kind,
            visibility,
            span: self.span(one.bytes),
            signature_end: head.start + head.slice(self.maker.source).trim_ascii_end().len() as u32,
            doc: self.docs[find].take(),
        })
    }

    /// Gives a name without the marks of symbols and quoted keys; `Shop\Core` and `shop::core` are two names in one.
    fn name(&self, bytes: Bytes, kind: Kind) -> Option<String> {
        let name = unquoted(bytes.text(self.maker.source)?.trim_matches(':'));
        if name.is_empty() || name.len() > NAME_CAP {
            return None;
        }
        let path = kind == Kind::Module && (name.contains('\\') || name.contains("::"));
        if path { (self.maker.rules.owner)(name) } else { Some(name.to_owned()) }
    }

    /// Gives the owner that is written out; of a path that ends with the name, what stands before it.
    fn said(&self, owner: Bytes, name: Bytes) -> Option<String> {
        let holds_name = owner.start <= name.start && name.end <= owner.end;
        let owner = if holds_name { Bytes { end: name.start, ..owner } } else { owner };
        (self.maker.rules.owner)(owner.text(self.maker.source)?)
    }

    fn kind(&self, name: &str, owner: &str, kind: Kind, around: u32) -> Kind {
        let in_type = self.regions.get(around).is_some_and(Region::is_type);
        match kind {
            Kind::Function if !in_type => kind,
            Kind::Function | Kind::Method if self.is_constructor(name, owner) => Kind::Constructor,
            Kind::Function => Kind::Method,
            kind => kind,
        }
    }

    fn is_constructor(&self, name: &str, owner: &str) -> bool {
        let rules = self.maker.rules;
        let like_type = || owner.rsplit('.').next() == Some(name);
        rules.constructors.contains(&name) || rules.named_like_type && like_type()
    }

    /// Gives what a definition lies in. A type that is defined within a name for it, as in C's `typedef struct a {} b`,
    /// lies beside that name.
    fn lies_in(&self, region: &Region, kind: Kind) -> u32 {
        let is_alias =
            |around: &&Region| matches!(around.what, What::Definition { kind: Kind::TypeAlias, .. });
        let alias = self.regions.get(region.parent).filter(is_alias);
        match (kind, alias) {
            (Kind::Struct | Kind::Union | Kind::Enum, Some(alias)) => alias.parent,
            _ => region.parent,
        }
    }

    fn type_around(&self, region: &Region) -> Option<u32> {
        self.regions.up(region.parent).find(|(_, region)| region.is_type()).map(|(index, _)| index)
    }

    fn span(&self, bytes: Bytes) -> Span {
        let last = bytes.end.saturating_sub(1).max(bytes.start);
        let lines = &self.maker.lines;
        Span { bytes: bytes.start..bytes.end, first_line: lines.at(bytes.start), last_line: lines.at(last) }
    }
}

/// Takes quotes away that stand at both ends; a prime at the end belongs to a name.
fn unquoted(name: &str) -> &str {
    let inner = |quote: char| name.strip_prefix(quote)?.strip_suffix(quote);
    ['"', '\'', '`'].into_iter().find_map(inner).unwrap_or(name)
}
