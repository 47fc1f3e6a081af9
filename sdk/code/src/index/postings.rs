//! Which documents hold a word, as bytes: the step to the document, then what it counts in each field.

use super::bytes::{Broken, Cursor, put_number};
use crate::bm25f::{FIELDS, Field};

/// A document that holds a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    /// The document's number in this reader.
    pub doc: u32,
    /// How often the word stands in it, by field.
    pub counts: [u16; FIELDS],
}

/// The body's count, by far the most common one, lies beside the mask of fields when it is below this.
const SMALL: u16 = 16;

const BODY: usize = Field::Body as usize;

// The mask and a small count share a byte.
const _: () = assert!(FIELDS == 4);

/// Appends a posting; `step` is how far its document is from the one before.
pub(super) fn put(out: &mut Vec<u8>, step: u32, counts: &[u16; FIELDS]) {
    put_number(out, u64::from(step));
    let mask = (0..FIELDS).filter(|&field| counts[field] > 0).fold(0u8, |mask, field| mask | 1 << field);
    let small = if counts[BODY] < SMALL { counts[BODY] as u8 } else { 0 };
    out.push(mask | small << 4);
    for (field, &count) in counts.iter().enumerate() {
        if count > 0 && !(field == BODY && small > 0) {
            put_number(out, u64::from(count));
        }
    }
}

/// Reads postings; each document comes after the one before.
pub(super) fn read(
    bytes: &[u8],
    documents: u32,
    mut each: impl FnMut(u32, [u16; FIELDS]),
) -> Result<(), Broken> {
    let mut cursor = Cursor::new(bytes);
    let mut next = 0u32;
    while !cursor.is_empty() {
        let doc = next.checked_add(cursor.u32()?).ok_or(Broken)?;
        if doc >= documents {
            return Err(Broken);
        }
        each(doc, counts(&mut cursor)?);
        next = doc + 1;
    }
    Ok(())
}

fn counts(cursor: &mut Cursor<'_>) -> Result<[u16; FIELDS], Broken> {
    let head = cursor.byte()?;
    let small = u16::from(head >> 4);
    let mut counts = [0; FIELDS];
    for (field, count) in counts.iter_mut().enumerate() {
        if head & 1 << field != 0 {
            *count = if field == BODY && small > 0 { small } else { cursor.u16()? };
        }
    }
    Ok(counts)
}
