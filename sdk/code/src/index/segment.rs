//! A segment: one file that never changes, made of a batch of documents.
//!
//! ```text
//! magic | records | terms | names | sparse index of terms | of names | files | defined names | trailer
//! ```
//! The trailer says where the last four lie and sums them up; they sum up the rest, piece by piece, so that no byte is
//! believed unread. It is the last thing written: a file that was cut off has none.

use super::{
    IndexError,
    bytes::{short_sum, sum},
    dictionary::{Table, TableWriter},
    files::{self, Row},
    names,
    output::Output,
    source::Source,
};
use std::{
    borrow::Cow,
    io::{self, Write},
    sync::OnceLock,
};

const MAGIC: &[u8; 8] = b"ctxindex";

/// How a segment is laid out. Raise it with every change to any byte of it.
pub(super) const FORMAT: u64 = 1;

const SECTIONS: usize = 4;
const TRAILER: u64 = (SECTIONS as u64) * 24 + 24;

/// Writes a segment, forwards only: records, then terms, then names, then the rest.
pub(super) struct SegmentWriter<'a> {
    out: Output<'a>,
    terms: TableWriter,
    term_index: Vec<u8>,
    names: TableWriter,
    defined: String,
}

impl<'a> SegmentWriter<'a> {
    pub(super) fn new(to: &'a mut dyn Write) -> io::Result<Self> {
        let mut out = Output::new(to);
        out.write(MAGIC)?;
        let (terms, names) = (TableWriter::default(), TableWriter::default());
        Ok(Self { out, terms, names, term_index: Vec::new(), defined: String::new() })
    }

    pub(super) fn record(&mut self, record: &[u8]) -> io::Result<()> {
        self.out.write(record)
    }

    pub(super) fn term(&mut self, word: &str, postings: &[u8]) -> io::Result<()> {
        self.terms.push(&mut self.out, word, postings)
    }

    pub(super) fn end_of_terms(&mut self) -> io::Result<()> {
        self.term_index = std::mem::take(&mut self.terms).finish(&mut self.out)?;
        Ok(())
    }

    pub(super) fn name(&mut self, key: &str, places: &[u8], defined: bool) -> io::Result<()> {
        let (folded, _) = names::of_key(key);
        let last = self.defined.trim_end_matches('\n').rsplit('\n').next();
        if defined && last != Some(folded) {
            self.defined.push_str(folded);
            self.defined.push('\n');
        }
        self.names.push(&mut self.out, key, places)
    }

    /// Writes the rest, and gives the segment's sum.
    pub(super) fn finish(mut self, rows: &[Row]) -> io::Result<u64> {
        let name_index = self.names.finish(&mut self.out)?;
        let mut trailer = Vec::with_capacity(TRAILER as usize);
        for section in [&self.term_index, &name_index, &files::encode(rows), self.defined.as_bytes()] {
            let place = [self.out.at(), section.len() as u64, sum(section)];
            place.iter().for_each(|number| trailer.extend_from_slice(&number.to_le_bytes()));
            self.out.write(section)?;
        }
        trailer.extend_from_slice(&FORMAT.to_le_bytes());
        trailer.extend_from_slice(MAGIC);
        let whole = sum(&trailer);
        trailer.extend_from_slice(&whole.to_le_bytes());
        self.out.write(&trailer)?;
        self.out.finish()?;
        Ok(whole)
    }
}

/// A segment that was opened: its tables are in memory, the rest is read when it is asked for.
pub(super) struct Segment {
    pub(super) source: Source,
    pub(super) sum: u64,
    pub(super) rows: Vec<Row>,
    pub(super) terms: Table,
    pub(super) names: Table,
    records: Vec<u64>,
    by_path: OnceLock<Box<[u32]>>,
    defined: Section,
    defined_names: OnceLock<Box<str>>,
}

#[derive(Clone, Copy)]
struct Section {
    offset: u64,
    length: u64,
    sum: u64,
}

impl Section {
    fn read<'a>(&self, source: &'a Source, part: &'static str) -> Result<Cow<'a, [u8]>, IndexError> {
        let bytes = source.read(self.offset, self.length, part)?;
        if sum(&bytes) == self.sum { Ok(bytes) } else { Err(IndexError::Broken { part }) }
    }
}

impl Segment {
    pub(super) fn open(source: Source) -> Result<Self, IndexError> {
        let ([term_index, name_index, files, defined], sum) = trailer(&source)?;
        let rows = files::decode(&files.read(&source, FILES)?).map_err(super::bytes::Broken::of(FILES))?;
        let terms = table(&source, term_index, TERMS)?;
        let names = table(&source, name_index, NAMES)?;
        let records = starts(&rows);
        let (by_path, defined_names) = (OnceLock::new(), OnceLock::new());
        Ok(Self { source, sum, rows, terms, names, records, by_path, defined, defined_names })
    }

    pub(super) fn documents(&self) -> u32 {
        self.rows.len() as u32
    }

    /// Gives the record of a document as it was written.
    pub(super) fn record(&self, doc: u32) -> Result<Cow<'_, [u8]>, IndexError> {
        let broken = IndexError::Broken { part: RECORD };
        let (Some(row), Some(&start)) = (self.rows.get(doc as usize), self.records.get(doc as usize)) else {
            return Err(broken);
        };
        let bytes = self.source.read(start, u64::from(row.record.0), RECORD)?;
        if short_sum(&bytes) == row.record.1 { Ok(bytes) } else { Err(broken) }
    }

    /// Gives every document of this path, dead ones too.
    pub(super) fn at_path(&self, path: &str) -> &[u32] {
        let by_path = self.by_path.get_or_init(|| self.sorted_by_path());
        let row = |doc: &u32| &*self.rows[*doc as usize].path;
        let start = by_path.partition_point(|doc| row(doc) < path);
        let count = by_path[start..].partition_point(|doc| row(doc) == path);
        &by_path[start..start + count]
    }

    fn sorted_by_path(&self) -> Box<[u32]> {
        let mut docs: Vec<u32> = (0..self.documents()).collect();
        docs.sort_by(|a, b| self.rows[*a as usize].path.cmp(&self.rows[*b as usize].path));
        docs.into()
    }

    /// Gives the names that are defined, without case, sorted, each ended by a line feed.
    pub(super) fn defined(&self) -> Result<&str, IndexError> {
        if let Some(names) = self.defined_names.get() {
            return Ok(names);
        }
        let bytes = self.defined.read(&self.source, NAMES)?.into_owned();
        let names = String::from_utf8(bytes).map_err(|_| IndexError::Broken { part: NAMES })?;
        Ok(self.defined_names.get_or_init(|| names.into()))
    }

    /// Roughly how many bytes there are to read; a merge takes the small ones.
    pub(super) fn size(&self) -> u64 {
        self.source.length()
    }
}

pub(super) const TERMS: &str = "the table of words";
pub(super) const NAMES: &str = "the table of names";
pub(super) const RECORD: &str = "the record of a file";
const FILES: &str = "the table of files";
const FRAME: &str = "the frame of a segment";

fn table(source: &Source, section: Section, part: &'static str) -> Result<Table, IndexError> {
    Table::decode(&section.read(source, part)?, part).map_err(super::bytes::Broken::of(part))
}

/// Where each record starts: they lie one after the other.
fn starts(rows: &[Row]) -> Vec<u64> {
    let lengths = rows.iter().map(|row| u64::from(row.record.0));
    lengths
        .scan(MAGIC.len() as u64, |next, length| {
            let start = *next;
            *next = next.saturating_add(length);
            Some(start)
        })
        .collect()
}

fn trailer(source: &Source) -> Result<([Section; SECTIONS], u64), IndexError> {
    let broken = || IndexError::Broken { part: FRAME };
    let start = source.length().checked_sub(TRAILER).ok_or_else(broken)?;
    let bytes = source.read(start, TRAILER, FRAME)?;
    let head = source.read(0, MAGIC.len() as u64, FRAME)?;
    let (trailer, whole) = bytes.split_last_chunk::<8>().ok_or_else(broken)?;
    let numbers: Vec<u64> = trailer
        .chunks_exact(8)
        .map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")))
        .collect();
    let whole = u64::from_le_bytes(*whole);
    if *head != MAGIC[..] || sum(trailer) != whole || trailer.last_chunk() != Some(MAGIC) {
        return Err(broken());
    }
    if numbers[SECTIONS * 3] != FORMAT {
        return Err(IndexError::Version);
    }
    let section = |at: usize| Section {
        offset: numbers[at * 3],
        length: numbers[at * 3 + 1],
        sum: numbers[at * 3 + 2],
    };
    Ok((std::array::from_fn(section), whole))
}

/// Writes one payload of a name from what was gathered.
pub(super) fn put_places(
    to: &mut SegmentWriter<'_>,
    key: &str,
    places: &names::Places,
    bytes: &mut Vec<u8>,
) -> io::Result<()> {
    bytes.clear();
    places.payload(bytes);
    to.name(key, bytes, places.is_defined())
}
