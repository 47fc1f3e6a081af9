//! Several segments made one, a word at a time, without those documents that are gone.

use super::{
    IndexError,
    bytes::Broken,
    dead::Dead,
    dictionary::{Entries, Table},
    files::Row,
    names::Places,
    postings,
    segment::{NAMES, Segment, SegmentWriter, TERMS, put_places},
};
use std::io::{self, Write};

/// Why a merge ended: the two are not the same person's business.
pub(super) enum Stopped {
    /// What was to be merged could not be read.
    Reading(IndexError),
    /// What came of it could not be written.
    Writing(io::Error),
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Stopped::Writing(error)
    }
}

impl From<IndexError> for Stopped {
    fn from(error: IndexError) -> Self {
        Stopped::Reading(error)
    }
}

/// A segment to be merged.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) segment: &'a Segment,
    pub(super) dead: &'a Dead,
}

/// Writes one segment of many; its documents keep their order. Gives its sum.
pub(super) fn merge(parts: &[Part<'_>], to: &mut dyn Write) -> Result<u64, Stopped> {
    let mut to = SegmentWriter::new(to)?;
    let (rows, places) = records(parts, &mut to)?;
    terms(parts, &places, &mut to)?;
    to.end_of_terms()?;
    names(parts, &places, &mut to)?;
    Ok(to.finish(&rows)?)
}

/// The number that a part's document gets, by its number before; `GONE` when it gets none.
type Moved = Vec<u32>;
const GONE: u32 = u32::MAX;

fn records(parts: &[Part<'_>], to: &mut SegmentWriter<'_>) -> Result<(Vec<Row>, Vec<Moved>), Stopped> {
    let mut rows = Vec::new();
    let mut all = Vec::new();
    for part in parts {
        let mut places = vec![GONE; part.segment.rows.len()];
        for (doc, row) in (0u32..).zip(&part.segment.rows) {
            if !part.dead.contains(doc) {
                to.record(&part.segment.record(doc)?)?;
                places[doc as usize] = rows.len() as u32;
                rows.push(row.clone());
            }
        }
        all.push(places);
    }
    Ok((rows, all))
}

fn terms(parts: &[Part<'_>], places: &[Moved], to: &mut SegmentWriter<'_>) -> Result<(), Stopped> {
    let mut lines = lines(parts, |segment| &segment.terms, TERMS)?;
    let (mut key, mut out) = (String::new(), Vec::new());
    while smallest(&lines, &mut key) {
        out.clear();
        let mut next = 0;
        for (line, places) in lines.iter_mut().zip(places).filter(|(line, _)| line.is_at(&key)) {
            let each = |doc: u32, counts| {
                let place = places[doc as usize];
                if place != GONE {
                    postings::put(&mut out, place - next, &counts);
                    next = place + 1;
                }
            };
            postings::read(&line.payload, places.len() as u32, each).map_err(Broken::of(TERMS))?;
            line.advance()?;
        }
        if !out.is_empty() {
            to.term(&key, &out)?;
        }
    }
    Ok(())
}

fn names(parts: &[Part<'_>], places: &[Moved], to: &mut SegmentWriter<'_>) -> Result<(), Stopped> {
    let mut lines = lines(parts, |segment| &segment.names, NAMES)?;
    let (mut key, mut gathered, mut bytes) = (String::new(), Places::default(), Vec::new());
    while smallest(&lines, &mut key) {
        gathered.clear();
        for (line, places) in lines.iter_mut().zip(places).filter(|(line, _)| line.is_at(&key)) {
            let place = |doc: u32| Some(places[doc as usize]).filter(|&place| place != GONE);
            let count = places.len() as u32;
            gathered.absorb(&line.payload, count, place).map_err(Broken::of(NAMES))?;
            line.advance()?;
        }
        if !gathered.is_empty() {
            put_places(to, &key, &gathered, &mut bytes)?;
        }
    }
    Ok(())
}

/// A walk through one segment's table.
struct Line<'a> {
    segment: &'a Segment,
    table: &'a Table,
    part: &'static str,
    next_block: usize,
    block: Vec<u8>,
    entries: Entries,
    payload: Vec<u8>,
    ended: bool,
}

fn lines<'a>(
    parts: &[Part<'a>],
    table: impl Fn(&'a Segment) -> &'a Table,
    part: &'static str,
) -> Result<Vec<Line<'a>>, IndexError> {
    let line = |of: &Part<'a>| {
        let mut line = Line {
            segment: of.segment,
            table: table(of.segment),
            part,
            next_block: 0,
            block: Vec::new(),
            entries: Entries::default(),
            payload: Vec::new(),
            ended: false,
        };
        line.advance()?;
        Ok(line)
    };
    parts.iter().map(line).collect()
}

impl Line<'_> {
    fn is_at(&self, key: &str) -> bool {
        !self.ended && self.entries.key == key
    }

    fn advance(&mut self) -> Result<(), IndexError> {
        loop {
            if let Some(payload) = self.entries.next(&self.block).map_err(Broken::of(self.part))? {
                self.payload.clear();
                self.payload.extend_from_slice(&payload.load(&self.segment.source, self.part)?);
                return Ok(());
            }
            if self.next_block == self.table.blocks() {
                self.ended = true;
                return Ok(());
            }
            self.block.clear();
            self.block.extend_from_slice(&self.table.block(&self.segment.source, self.next_block)?);
            self.next_block += 1;
            self.entries = Entries::default();
        }
    }
}

/// Finds the first key that any walk stands at; there are at most some ten.
fn smallest(lines: &[Line<'_>], key: &mut String) -> bool {
    let first = lines.iter().filter(|line| !line.ended).map(|line| line.entries.key.as_str()).min();
    if let Some(first) = first {
        key.replace_range(.., first);
    }
    first.is_some()
}
