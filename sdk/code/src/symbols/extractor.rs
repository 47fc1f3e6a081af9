//! Finding the symbols of a file by its language's grammar and query.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;
use tree_sitter::{ParseOptions, Parser, QueryCursor, Tree};

use super::{
    Extracted, Import, Kind, Method, Partial, Span, Symbol, Visibility, documentation, families,
    finds::{Bytes, Definition, Finds},
    regions::{NONE, Region, Regions, Seeker, What},
    rules::{self, Around, Rules, Unmarked},
    uses::Uses,
};
use crate::{
    grammar::{Grammar, Grammars},
    language::Language,
};

/// Larger files are not parsed: 2 MiB. The largest file that people wrote in the measured repositories has under
/// 0.5 MiB; above are generated tables and bundles. It bounds the tree, which takes about ten times the text.
pub const BYTES_CAP: usize = 2 * 1024 * 1024;

/// So many definitions of a file are kept: 20,000, which is more than one each hundred bytes of the largest file.
pub const SYMBOLS_CAP: usize = 20_000;

/// So many pairs of definition and used name are kept: 100,000, five for each definition of the largest file.
pub const REFERENCES_CAP: usize = 100_000;

/// Longer names are left out: 200 bytes, since each definition below repeats the names around it.
pub const NAME_CAP: usize = 200;

/// Definitions that lie deeper in each other are left out: 64; people nest six deep.
pub const NESTING_CAP: usize = 64;

/// Longer owners are not repeated for what they own: 1,000 bytes.
const OWNER_CAP: usize = 1_000;

/// Names of patterns that may be waiting for their end at once. Ours end where they begin, or at a child, so that a
/// handful wait; the cap bounds the time that each step of the query takes.
const WAITING_CAP: u32 = 512;

/// How often the parser may report before the file is given up, for each 1,000 bytes, and at least.
///
/// The parser reports once in a hundred steps. Source code takes up to ten reports for each 1,000 bytes (measured on
/// tokio: three); what takes a hundred times that is a file on which the parser tries every reading of every line.
const REPORTS_PER_1000_BYTES: usize = 300;
const REPORTS_AT_LEAST: usize = 20_000;

/// Finds symbols; one for each thread, since it keeps a parser and its buffers.
pub struct Extractor {
    grammars: Grammars,
    parser: Parser,
    cursor: QueryCursor,
    finds: Finds,
}

impl Extractor {
    /// Takes the grammars to extract by.
    pub fn new(grammars: &Grammars) -> Extractor {
        let mut cursor = QueryCursor::new();
        cursor.set_match_limit(WAITING_CAP);
        Extractor { grammars: grammars.clone(), parser: Parser::new(), cursor, finds: Finds::default() }
    }

    /// Finds the definitions, the used names and the imports of a file.
    pub fn extract(&mut self, language: Option<Language>, source: &[u8]) -> Extracted {
        let Some(language) = language else { return Extracted::default() };
        match self.grammars.get(language) {
            Ok(Some(grammar)) => self.by_grammar(language.id(), grammar, source),
            Ok(None) => by_family(language, source).unwrap_or_default(),
            Err(_) => Extracted {
                partial: Some(Partial::Grammar),
                ..by_family(language, source).unwrap_or_default()
            },
        }
    }

    /// Lists the lines that use a name, counted from 1: where it is defined is not one.
    pub fn occurrences(&mut self, language: Language, source: &[u8], name: &str) -> Vec<u32> {
        let Ok(Some(grammar)) = self.grammars.get(language) else { return Vec::new() };
        if self.find(grammar, source).is_err() {
            return Vec::new();
        }
        let regions = Regions::of(&mut self.finds);
        let symbols = vec![NONE; regions.list.len()];
        let lines = Lines::of(source);
        let mut found = Vec::new();
        Uses { finds: &self.finds, regions: &regions, symbols: &symbols, source, words: &[] }.each(
            |bytes, text| {
                if text == name {
                    found.push(lines.at(bytes.start));
                }
            },
        );
        found.dedup();
        found
    }

    fn by_grammar(&mut self, id: &str, grammar: &'static Grammar, source: &[u8]) -> Extracted {
        match self.find(grammar, source) {
            Ok(partial) => {
                let mut extracted =
                    Maker { rules: rules::of(id), source, lines: Lines::of(source) }.make(&mut self.finds);
                extracted.partial = extracted.partial.or(partial);
                extracted
            }
            Err(partial) => {
                Extracted { partial: Some(partial), method: Method::Grammar, ..Extracted::default() }
            }
        }
    }

    /// Fills the finds; the error says why there are none.
    fn find(&mut self, grammar: &'static Grammar, source: &[u8]) -> Result<Option<Partial>, Partial> {
        self.finds.clear();
        if source.len() > BYTES_CAP {
            return Err(Partial::TooLarge);
        }
        let tree = self.parse(grammar, source)?;
        let mut matches = 0;
        let mut going = || {
            matches += 1;
            matches < source.len() + REPORTS_AT_LEAST
        };
        self.finds.collect(&grammar.query, &mut self.cursor, tree.root_node(), source, &mut going);
        if matches >= source.len() + REPORTS_AT_LEAST {
            return Ok(Some(Partial::TooMany));
        }
        Ok(self.cursor.did_exceed_match_limit().then_some(Partial::TooDeep))
    }

    fn parse(&mut self, grammar: &'static Grammar, source: &[u8]) -> Result<Tree, Partial> {
        self.parser.set_language(&grammar.language).map_err(|_| Partial::Grammar)?;
        let mut left = REPORTS_AT_LEAST + source.len() / 1000 * REPORTS_PER_1000_BYTES;
        let mut report = |_: &_| {
            left = left.saturating_sub(1);
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut report);
        let tree = self.parser.parse_with_options(
            &mut |at, _| source.get(at..).unwrap_or_default(),
            None,
            Some(options),
        );
        // Otherwise the next file would go on where this one was left.
        self.parser.reset();
        tree.ok_or(Partial::TooSlow)
    }
}

fn by_family(language: Language, source: &[u8]) -> Option<Extracted> {
    families::extract(language, &families::text(source))
}

impl std::fmt::Debug for Extractor {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Extractor").field("grammars", &self.grammars).finish_non_exhaustive()
    }
}

/// Where lines end.
struct Lines(Vec<u32>);

impl Lines {
    fn of(source: &[u8]) -> Lines {
        Lines(
            source.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at as u32).collect(),
        )
    }

    fn at(&self, byte: u32) -> u32 {
        self.0.partition_point(|end| *end < byte) as u32 + 1
    }
}

/// Makes symbols of finds.
struct Maker<'a> {
    rules: &'static Rules,
    source: &'a [u8],
    lines: Lines,
}

impl Maker<'_> {
    fn make(&self, finds: &mut Finds) -> Extracted {
        let docs = self.take_attributes(finds);
        let regions = Regions::of(finds);
        let mut extracted = Extracted { method: Method::Grammar, ..Extracted::default() };
        let symbols = Symbols::of(self, finds, &regions, docs).list(&mut extracted);
        let words = self.rules.words;
        let (references, many) =
            Uses { finds, regions: &regions, symbols: &symbols, source: self.source, words }.count();
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
    fn take_attributes(&self, finds: &mut Finds) -> Vec<Option<std::ops::Range<u32>>> {
        let Finds { definitions, leads, .. } = finds;
        let each = definitions.iter_mut().map(|one| {
            let (begin, doc) = documentation::before(leads, one.bytes.start, self.source, self.rules.docs);
            one.bytes.start = begin;
            one.bytes.end =
                one.bytes.start + Bytes::slice(one.bytes, self.source).trim_ascii_end().len() as u32;
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
            imports.extend(
                places.drain(..).filter(|from| from.len() <= NAME_CAP).map(|from| Import { from, line }),
            );
        }
        imports
    }
}

/// The symbols of a file while they are made, from the outside in.
struct Symbols<'a> {
    maker: &'a Maker<'a>,
    finds: &'a Finds,
    regions: &'a Regions,
    docs: Vec<Option<std::ops::Range<u32>>>,
    sections: Vec<(u32, u32, Visibility)>,
    exported: FxHashSet<&'a [u8]>,
    only: FxHashSet<&'a [u8]>,
    /// What is already known of each region.
    owners: Vec<Owner>,
    instance_fields: FxHashSet<(u32, &'a [u8])>,
}

/// What a region is to what lies in it.
#[derive(Clone, Debug)]
struct Owner {
    path: String,
    visibility: Visibility,
}

impl<'a> Symbols<'a> {
    fn of(
        maker: &'a Maker<'a>,
        finds: &'a Finds,
        regions: &'a Regions,
        mut docs: Vec<Option<std::ops::Range<u32>>>,
    ) -> Symbols<'a> {
        let mut seeker = Seeker::default();
        for doc in &finds.docs {
            let region = seeker.seek(regions, doc.start);
            if let Some(Region { what: What::Definition { find, .. }, .. }) = regions.get(region) {
                docs[*find as usize] = Some(doc.start..doc.end);
            }
        }
        let mut seeker = Seeker::default();
        let mut sections: Vec<_> = finds
            .sections
            .iter()
            .map(|(at, visibility)| (seeker.seek(regions, *at), *at, *visibility))
            .collect();
        sections.sort();
        let texts = |places: &'a [Bytes]| places.iter().map(|bytes| bytes.slice(maker.source)).collect();
        Symbols {
            maker,
            finds,
            regions,
            docs,
            sections,
            exported: texts(&finds.exported),
            only: texts(&finds.only),
            owners: Vec::with_capacity(regions.list.len()),
            instance_fields: FxHashSet::default(),
        }
    }

    /// Adds the symbols, and gives the one of each region.
    fn list(mut self, extracted: &mut Extracted) -> Vec<u32> {
        let mut indexes = Vec::with_capacity(self.regions.list.len());
        for region in &self.regions.list {
            let made = match region.what {
                What::Definition { find, kind, instance } => {
                    self.definition(region, find as usize, kind, instance)
                }
                _ => None,
            };
            self.owners.push(self.owner(region, made.as_ref()));
            let symbol = made.filter(|_| extracted.symbols.len() < SYMBOLS_CAP);
            indexes.push(if symbol.is_some() { extracted.symbols.len() as u32 } else { NONE });
            extracted.symbols.extend(symbol);
        }
        indexes
    }

    fn owner(&self, region: &Region, made: Option<&Symbol>) -> Owner {
        let around = self.owners.get(region.parent as usize);
        let mut path = around.map_or(String::new(), |owner| owner.path.clone());
        let name = match region.what {
            What::Scope { name } => self.text(name).and_then(|text| (self.maker.rules.owner)(text)),
            What::Definition { .. } => made.map(Symbol::qualified),
            What::Closed => None,
        };
        match (name, made) {
            (Some(name), Some(_)) => path = name,
            (Some(name), None) => join(&mut path, &name),
            (None, _) => {}
        }
        let visibility = made.map_or(Visibility::Private, |symbol| symbol.visibility);
        Owner { path, visibility: region.mark.filter(|_| made.is_none()).unwrap_or(visibility) }
    }

    fn definition(&mut self, region: &'a Region, find: usize, kind: Kind, instance: bool) -> Option<Symbol> {
        let one = &self.finds.definitions[find];
        let around = if instance { self.type_around(region)? } else { region.parent };
        let name = self.text(one.name).filter(|name| !name.is_empty() && name.len() <= NAME_CAP)?;
        if kind == Kind::Field
            && !self.instance_fields.insert((around, one.name.slice(self.maker.source)))
            && instance
        {
            return None;
        }
        let mut owner = self.owners.get(around as usize).map_or(String::new(), |owner| owner.path.clone());
        let said = one.owner.and_then(|owner| (self.maker.rules.owner)(self.text(owner)?));
        if let Some(said) = &said {
            join(&mut owner, said);
        }
        if owner.len() > OWNER_CAP {
            return None;
        }
        let kind = self.kind(name, kind, around);
        let visibility = self.visibility(region, one, name, kind, around, said.is_some());
        let body = one.body.filter(|body| one.bytes.start < *body && *body <= one.bytes.end);
        let head = Bytes { start: one.bytes.start, end: body.unwrap_or(one.bytes.end) };
        Some(Symbol {
            name: name.to_owned(),
            owner,
            kind,
            visibility,
            span: self.span(one.bytes),
            signature_end: head.start + head.slice(self.maker.source).trim_ascii_end().len() as u32,
            doc: self.docs[find].take(),
        })
    }

    fn kind(&self, name: &str, kind: Kind, around: u32) -> Kind {
        let in_type = self.regions.get(around).is_some_and(Region::is_type);
        match kind {
            Kind::Function | Kind::Method
                if (in_type || kind == Kind::Method) && self.is_constructor(name) =>
            {
                Kind::Constructor
            }
            Kind::Function if in_type => Kind::Method,
            kind => kind,
        }
    }

    fn is_constructor(&self, name: &str) -> bool {
        self.maker.rules.constructors.contains(&name)
    }

    fn visibility(
        &self,
        region: &Region,
        one: &Definition,
        name: &str,
        kind: Kind,
        around: u32,
        owned: bool,
    ) -> Visibility {
        let parent = self.regions.get(around);
        let top = parent.is_none() && !owned;
        if self.is_exported(region, one.name.slice(self.maker.source), parent, top) {
            return Visibility::Public;
        }
        if parent.is_some_and(Region::is_function) {
            return Visibility::Private;
        }
        if let Some(mark) = region.mark.or_else(|| self.section(around, region.bytes.start)) {
            return mark;
        }
        let around = parent.map(|parent| Around {
            kind: match parent.what {
                What::Definition { kind, .. } => Some(kind),
                _ => None,
            },
            visibility: self.owners[around as usize].visibility,
        });
        let owned = owned.then_some(Around { kind: None, visibility: Visibility::Public });
        let visibility = (self.maker.rules.unmarked)(&Unmarked { name, kind, around: around.or(owned) });
        let hidden = top && !self.only.is_empty() && !self.only.contains(name.as_bytes());
        if hidden { visibility.min(Visibility::Restricted) } else { visibility }
    }

    fn is_exported(&self, region: &Region, name: &[u8], parent: Option<&Region>, top: bool) -> bool {
        if top && (self.exported.contains(name) || self.only.contains(name)) {
            return true;
        }
        let next = self.finds.exports.partition_point(|export| export.start <= region.bytes.start);
        let Some(export) = next.checked_sub(1).map(|last| self.finds.exports[last]) else { return false };
        region.bytes.end <= export.end && parent.is_none_or(|parent| parent.bytes.start < export.start)
    }

    /// Gives what the last section before a place says, in the same region.
    fn section(&self, around: u32, at: u32) -> Option<Visibility> {
        let next = self.sections.partition_point(|(region, start, _)| (*region, *start) <= (around, at));
        let (region, _, visibility) = self.sections.get(next.checked_sub(1)?)?;
        (*region == around).then_some(*visibility)
    }

    fn type_around(&self, region: &Region) -> Option<u32> {
        self.regions.up(region.parent).find(|(_, region)| region.is_type()).map(|(index, _)| index)
    }

    fn text(&self, bytes: Bytes) -> Option<&'a str> {
        bytes.text(self.maker.source)
    }

    fn span(&self, bytes: Bytes) -> Span {
        let last = bytes.end.saturating_sub(1).max(bytes.start);
        let lines = &self.maker.lines;
        Span { bytes: bytes.start..bytes.end, first_line: lines.at(bytes.start), last_line: lines.at(last) }
    }
}

fn join(path: &mut String, name: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(name);
}
