//! Documents that are not yet in a segment, turned over word by word as they come.

use super::{
    Document,
    dictionary::KEY_LIMIT,
    files::Row,
    names::{self, Places},
    postings, record,
    segment::{SegmentWriter, put_places},
};
use rustc_hash::FxHashMap;
use std::io::{self, Write};

/// What is kept of documents before a flush.
#[derive(Default)]
pub(super) struct Buffer {
    rows: Vec<Row>,
    records: Vec<Vec<u8>>,
    terms: Keyed<List>,
    names: Keyed<Places>,
    by_path: FxHashMap<Box<str>, u32>,
    dead: Vec<u32>,
    bytes: usize,
    key: String,
}

/// The postings of a word so far.
#[derive(Default)]
struct List {
    bytes: Vec<u8>,
    /// The first document that may come.
    next: u32,
}

/// What an entry takes beside its key and its bytes: its place in the table, and what two allocations lose.
const ENTRY: usize = 96;

impl Buffer {
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Roughly how much memory is taken.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes a document; one of the same path before it is dead.
    pub(super) fn add(&mut self, document: &Document) {
        let doc = self.rows.len() as u32;
        self.remove(&document.path);
        let record = record::encode(&document.extracted);
        self.rows.push(Row::new(document, &record));
        self.by_path.insert(document.path.as_str().into(), doc);
        self.bytes += record.len() + 2 * document.path.len() + 4 * ENTRY;
        self.records.push(record);
        self.add_terms(doc, document);
        self.add_names(doc, document);
    }

    pub(super) fn remove(&mut self, path: &str) {
        self.dead.extend(self.by_path.remove(path));
    }

    fn add_terms(&mut self, doc: u32, document: &Document) {
        for term in document.terms.iter().filter(|term| term.text.len() <= KEY_LIMIT) {
            let list = self.terms.at(&term.text, &mut self.bytes);
            let before = list.bytes.capacity();
            postings::put(&mut list.bytes, doc - list.next, &term.counts);
            list.next = doc + 1;
            self.bytes += list.bytes.capacity() - before;
        }
    }

    fn add_names(&mut self, doc: u32, document: &Document) {
        let mut key = std::mem::take(&mut self.key);
        for (at, symbol) in document.extracted.symbols.iter().enumerate() {
            if names::key(&symbol.name, &mut key) {
                self.place(&key, |places| places.define(doc, at as u32, symbol));
            }
        }
        for reference in &document.extracted.references {
            if names::key(&reference.name, &mut key) {
                self.place(&key, |places| places.refer(doc, reference.symbol, reference.count));
            }
        }
        self.key = key;
    }

    fn place(&mut self, key: &str, put: impl FnOnce(&mut Places)) {
        let places = self.names.at(key, &mut self.bytes);
        let before = places.bytes();
        put(places);
        self.bytes += places.bytes() - before;
    }

    /// Writes a segment and gives its sum; the buffer stays, for when that fails.
    pub(super) fn write(&self, to: &mut dyn Write) -> io::Result<u64> {
        let mut to = SegmentWriter::new(to)?;
        self.records.iter().try_for_each(|record| to.record(record))?;
        for (word, list) in self.terms.sorted() {
            to.term(word, &list.bytes)?;
        }
        to.end_of_terms()?;
        let mut bytes = Vec::new();
        for (key, places) in self.names.sorted() {
            put_places(&mut to, key, places, &mut bytes)?;
        }
        to.finish(&self.rows)
    }

    /// The documents that were removed or replaced since they were added.
    pub(super) fn dead(&self) -> &[u32] {
        &self.dead
    }
}

/// Values by key. They lie beside the table, so that it is small and looked into once.
#[derive(Default)]
struct Keyed<V> {
    places: FxHashMap<Box<str>, u32>,
    values: Vec<V>,
}

impl<V: Default> Keyed<V> {
    /// Gives the value of a key, a new one the first time; what that takes is added to `bytes`.
    fn at(&mut self, key: &str, bytes: &mut usize) -> &mut V {
        let place = self.places.get(key).copied().unwrap_or_else(|| {
            let place = self.values.len() as u32;
            *bytes += key.len() + ENTRY;
            self.places.insert(key.into(), place);
            self.values.push(V::default());
            place
        });
        &mut self.values[place as usize]
    }

    fn sorted(&self) -> Vec<(&str, &V)> {
        let value = |place: u32| &self.values[place as usize];
        let mut all: Vec<(&str, &V)> =
            self.places.iter().map(|(key, &place)| (&**key, value(place))).collect();
        all.sort_unstable_by_key(|(key, _)| *key);
        all
    }
}
