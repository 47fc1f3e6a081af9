//! The table of a segment's files, read whole when the segment is opened.

use super::{
    Document, Hash,
    bytes::{Broken, Cursor, put_number, put_text, short_sum},
};
use crate::{
    bm25f::FIELDS,
    language::Language,
    symbols::{Extracted, Kind, Method, Partial},
};

/// What is known of a file without looking into it.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) path: Box<str>,
    pub(super) hash: Hash,
    pub(super) language: Option<Language>,
    pub(super) bytes: u64,
    pub(super) lines: u32,
    pub(super) test: bool,
    pub(super) generated: bool,
    pub(super) method: Method,
    pub(super) partial: Option<Partial>,
    pub(super) lengths: [u32; FIELDS],
    pub(super) references: u32,
    /// How many symbols there are of each kind that there are any of.
    pub(super) kinds: Box<[(u8, u32)]>,
    /// How long its record is, and the record's sum.
    pub(super) record: (u32, u32),
}

impl Row {
    pub(super) fn new(document: &Document, record: &[u8]) -> Self {
        let Extracted { symbols, references, method, partial, .. } = &document.extracted;
        let mut kinds = [0u32; Kind::ALL.len()];
        symbols.iter().for_each(|symbol| kinds[symbol.kind as usize] += 1);
        let kinds = (0u8..).zip(kinds).filter(|&(_, count)| count > 0).collect();
        Self {
            path: document.path.as_str().into(),
            hash: document.hash,
            language: document.language,
            bytes: document.bytes,
            lines: document.lines,
            test: document.test,
            generated: document.generated,
            method: *method,
            partial: *partial,
            lengths: document.lengths,
            references: references.len() as u32,
            kinds,
            record: (record.len() as u32, short_sum(record)),
        }
    }

    pub(super) fn symbols(&self) -> u32 {
        self.kinds.iter().fold(0, |sum, &(_, count)| sum.saturating_add(count))
    }
}

/// Writes all rows, languages once by their ids.
pub(super) fn encode(rows: &[Row]) -> Vec<u8> {
    let mut languages: Vec<Language> = rows.iter().filter_map(|row| row.language).collect();
    languages.sort_unstable();
    languages.dedup();
    let mut out = Vec::new();
    put_number(&mut out, languages.len() as u64);
    languages.iter().for_each(|language| put_text(&mut out, language.id()));
    put_number(&mut out, rows.len() as u64);
    for row in rows {
        put_row(&mut out, row, &languages);
    }
    out
}

fn put_row(out: &mut Vec<u8>, row: &Row, languages: &[Language]) {
    put_text(out, &row.path);
    out.extend_from_slice(&row.hash);
    let language = row.language.and_then(|language| languages.binary_search(&language).ok());
    put_number(out, language.map_or(0, |at| at as u64 + 1));
    put_number(out, row.bytes);
    put_number(out, u64::from(row.lines));
    out.push(u8::from(row.test) | u8::from(row.generated) << 1);
    out.extend([row.method as u8, row.partial.map_or(0, |partial| partial as u8)]);
    row.lengths.iter().for_each(|&length| put_number(out, u64::from(length)));
    put_number(out, u64::from(row.references));
    put_number(out, row.kinds.len() as u64);
    for &(kind, count) in &row.kinds {
        out.push(kind);
        put_number(out, u64::from(count));
    }
    put_number(out, u64::from(row.record.0));
    out.extend_from_slice(&row.record.1.to_le_bytes());
}

pub(super) fn decode(bytes: &[u8]) -> Result<Vec<Row>, Broken> {
    let mut cursor = Cursor::new(bytes);
    let mut languages = Vec::new();
    for _ in 0..cursor.count()? {
        // One that this version does not know is a file without a language.
        languages.push(Language::of_id(cursor.text()?));
    }
    let count = cursor.count()?;
    // A row takes more than 48 bytes.
    let mut rows = Vec::with_capacity(count.min(bytes.len() / 48));
    for _ in 0..count {
        rows.push(row(&mut cursor, &languages)?);
    }
    if cursor.is_empty() { Ok(rows) } else { Err(Broken) }
}

fn row(cursor: &mut Cursor<'_>, languages: &[Option<Language>]) -> Result<Row, Broken> {
    let path = cursor.text()?.into();
    let hash = cursor.array()?;
    let language = match cursor.number()? {
        0 => None,
        at => *languages.get(at as usize - 1).ok_or(Broken)?,
    };
    let bytes = cursor.number()?;
    let lines = cursor.u32()?;
    let flags = cursor.byte()?;
    let method = super::record::method(cursor.byte()?)?;
    let partial = super::record::partial(cursor.byte()?)?;
    let mut lengths = [0; FIELDS];
    for length in &mut lengths {
        *length = cursor.u32()?;
    }
    let references = cursor.u32()?;
    let kinds = kinds(cursor)?;
    let record = (cursor.u32()?, u32::from_le_bytes(cursor.array()?));
    let (test, generated) = (flags & 1 != 0, flags & 2 != 0);
    Ok(Row {
        path,
        hash,
        language,
        bytes,
        lines,
        test,
        generated,
        method,
        partial,
        lengths,
        references,
        kinds,
        record,
    })
}

fn kinds(cursor: &mut Cursor<'_>) -> Result<Box<[(u8, u32)]>, Broken> {
    let count = cursor.count()?;
    if count > Kind::ALL.len() {
        return Err(Broken);
    }
    let mut kinds = Vec::with_capacity(count);
    for _ in 0..count {
        let kind = cursor.byte()?;
        if usize::from(kind) >= Kind::ALL.len() {
            return Err(Broken);
        }
        kinds.push((kind, cursor.u32()?));
    }
    Ok(kinds.into())
}
