//! A sorted table from keys to bytes, in blocks that are read one at a time.
//!
//! A block holds keys, each as what it adds to the one before, and their bytes; long ones lie outside of it. The sparse
//! index has the first key of every block and stays in memory.

use super::{
    IndexError,
    bytes::{Broken, Cursor, put_number, put_text, short_sum},
    output::Output,
    source::Source,
};
use std::{borrow::Cow, io, ops::ControlFlow};

/// A block is closed when it is this large: about a hundred words; a smaller one makes the sparse index larger.
const BLOCK: usize = 2048;

/// Longer bytes lie outside of the blocks, so that looking for one key does not read the postings of another.
const INLINE: usize = 256;

/// Longer keys are not looked up by anybody, and a block must stay small.
pub(super) const KEY_LIMIT: usize = 2 * super::names::NAME_LIMIT + 512;

/// Writes a table; keys come sorted.
#[derive(Default)]
pub(super) struct TableWriter {
    block: Vec<u8>,
    first: String,
    last: String,
    index: Vec<u8>,
    offset: u64,
}

impl TableWriter {
    pub(super) fn push(&mut self, out: &mut Output<'_>, key: &str, bytes: &[u8]) -> io::Result<()> {
        let shared = if self.block.is_empty() { 0 } else { shared(&self.last, key) };
        if self.block.is_empty() {
            self.first.replace_range(.., key);
        }
        put_number(&mut self.block, shared as u64);
        put_text(&mut self.block, &key[shared..]);
        put_number(&mut self.block, (bytes.len() as u64) << 1 | u64::from(bytes.len() > INLINE));
        if bytes.len() > INLINE {
            put_number(&mut self.block, out.at());
            self.block.extend_from_slice(&short_sum(bytes).to_le_bytes());
            out.write(bytes)?;
        } else {
            self.block.extend_from_slice(bytes);
        }
        self.last.replace_range(.., key);
        if self.block.len() >= BLOCK { self.close(out) } else { Ok(()) }
    }

    fn close(&mut self, out: &mut Output<'_>) -> io::Result<()> {
        put_text(&mut self.index, &self.first);
        put_number(&mut self.index, out.at() - self.offset);
        put_number(&mut self.index, self.block.len() as u64);
        self.index.extend_from_slice(&short_sum(&self.block).to_le_bytes());
        self.offset = out.at();
        out.write(&self.block)?;
        self.block.clear();
        Ok(())
    }

    /// Gives the sparse index.
    pub(super) fn finish(mut self, out: &mut Output<'_>) -> io::Result<Vec<u8>> {
        if !self.block.is_empty() {
            self.close(out)?;
        }
        Ok(self.index)
    }
}

fn shared(before: &str, key: &str) -> usize {
    let alike = before.bytes().zip(key.bytes()).take_while(|(a, b)| a == b).count();
    (0..=alike).rev().find(|&at| key.is_char_boundary(at) && before.is_char_boundary(at)).unwrap_or(0)
}

/// The sparse index of a table.
pub(super) struct Table {
    keys: String,
    blocks: Vec<Block>,
    part: &'static str,
}

struct Block {
    key: (u32, u32),
    offset: u64,
    length: u64,
    sum: u32,
}

/// The bytes of a key.
pub(super) enum Payload<'a> {
    Inline(&'a [u8]),
    Long { offset: u64, length: u64, sum: u32 },
}

impl Payload<'_> {
    pub(super) fn load<'b>(
        &'b self,
        source: &'b Source,
        part: &'static str,
    ) -> Result<Cow<'b, [u8]>, IndexError> {
        match self {
            Payload::Inline(bytes) => Ok(Cow::Borrowed(bytes)),
            Payload::Long { offset, length, sum } => {
                let bytes = source.read(*offset, *length, part)?;
                if short_sum(&bytes) == *sum { Ok(bytes) } else { Err(IndexError::Broken { part }) }
            }
        }
    }
}

impl Table {
    pub(super) fn decode(bytes: &[u8], part: &'static str) -> Result<Self, Broken> {
        let mut cursor = Cursor::new(bytes);
        let mut table = Self { keys: String::new(), blocks: Vec::new(), part };
        let mut offset = 0u64;
        while !cursor.is_empty() {
            let start = table.keys.len() as u32;
            table.keys.push_str(cursor.text()?);
            let end = u32::try_from(table.keys.len()).map_err(|_| Broken)?;
            offset = offset.checked_add(cursor.number()?).ok_or(Broken)?;
            let length = cursor.number()?;
            let sum = u32::from_le_bytes(cursor.array()?);
            table.blocks.push(Block { key: (start, end), offset, length, sum });
        }
        Ok(table)
    }

    pub(super) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    fn first(&self, block: &Block) -> &str {
        &self.keys[block.key.0 as usize..block.key.1 as usize]
    }

    /// Calls `each` for every key from `from` on, in order, until it breaks.
    pub(super) fn scan(
        &self,
        source: &Source,
        from: &str,
        mut each: impl FnMut(&str, Payload<'_>) -> Result<ControlFlow<()>, IndexError>,
    ) -> Result<(), IndexError> {
        let start = self.blocks.partition_point(|block| self.first(block) <= from).saturating_sub(1);
        for at in start..self.blocks.len() {
            let bytes = self.block(source, at)?;
            let mut entries = Entries::default();
            while let Some(payload) = entries.next(&bytes).map_err(Broken::of(self.part))? {
                if entries.key.as_str() >= from && each(&entries.key, payload)?.is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    pub(super) fn block<'a>(&self, source: &'a Source, at: usize) -> Result<Cow<'a, [u8]>, IndexError> {
        let block = &self.blocks[at];
        let bytes = source.read(block.offset, block.length, self.part)?;
        if short_sum(&bytes) == block.sum { Ok(bytes) } else { Err(IndexError::Broken { part: self.part }) }
    }

    /// Calls `each` for the key itself, if it is there.
    pub(super) fn find<T>(
        &self,
        source: &Source,
        key: &str,
        each: impl FnOnce(&[u8]) -> Result<T, Broken>,
    ) -> Result<Option<T>, IndexError> {
        let Some(at) = self.blocks.partition_point(|block| self.first(block) <= key).checked_sub(1) else {
            return Ok(None);
        };
        let bytes = self.block(source, at)?;
        match find_in(&bytes, key).map_err(Broken::of(self.part))? {
            Some(payload) => each(&payload.load(source, self.part)?).map(Some).map_err(Broken::of(self.part)),
            None => Ok(None),
        }
    }
}

/// Looks for a key in a block without putting the other keys together: `alike` is how many bytes the last one shared
/// with what is looked for.
fn find_in<'a>(block: &'a [u8], key: &str) -> Result<Option<Payload<'a>>, Broken> {
    let mut cursor = Cursor::new(block);
    let mut alike = 0;
    while !cursor.is_empty() {
        let shared = usize::try_from(cursor.number()?).map_err(|_| Broken)?;
        let added = cursor.slice()?;
        let payload = payload(&mut cursor)?;
        if shared < alike {
            // It parts from the last key where that was still like this one, so it comes after.
            return Ok(None);
        }
        if shared == alike {
            let rest = &key.as_bytes()[alike..];
            if added == rest {
                return Ok(Some(payload));
            }
            if added > rest {
                return Ok(None);
            }
            alike += added.iter().zip(rest).take_while(|(a, b)| a == b).count();
            // As in what is written, whole characters count.
            while !key.is_char_boundary(alike) {
                alike -= 1;
            }
        }
    }
    Ok(None)
}

/// Where one stands in a block, and the key there.
#[derive(Default)]
pub(super) struct Entries {
    at: usize,
    pub(super) key: String,
}

impl Entries {
    /// Goes to the next key of the block and gives its bytes.
    pub(super) fn next<'a>(&mut self, block: &'a [u8]) -> Result<Option<Payload<'a>>, Broken> {
        let mut cursor = Cursor::new(block.get(self.at..).ok_or(Broken)?);
        if cursor.is_empty() {
            return Ok(None);
        }
        let shared = usize::try_from(cursor.number()?).map_err(|_| Broken)?;
        if !self.key.is_char_boundary(shared) {
            return Err(Broken);
        }
        self.key.truncate(shared);
        self.key.push_str(cursor.text()?);
        let payload = payload(&mut cursor)?;
        self.at = block.len() - cursor.left();
        Ok(Some(payload))
    }
}

fn payload<'a>(cursor: &mut Cursor<'a>) -> Result<Payload<'a>, Broken> {
    let head = cursor.number()?;
    if head & 1 == 0 {
        let length = usize::try_from(head >> 1).map_err(|_| Broken)?;
        return Ok(Payload::Inline(cursor.take(length)?));
    }
    let offset = cursor.number()?;
    let sum = u32::from_le_bytes(cursor.array()?);
    Ok(Payload::Long { offset, length: head >> 1, sum })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn table(keys: &BTreeMap<String, Vec<u8>>) -> (Table, Source) {
        let mut bytes: Vec<u8> = Vec::new();
        let mut out = Output::new(&mut bytes);
        let mut writer = TableWriter::default();
        for (key, payload) in keys {
            writer.push(&mut out, key, payload).expect("memory");
        }
        let index = writer.finish(&mut out).expect("memory");
        out.finish().expect("memory");
        (Table::decode(&index, "a table").expect("sound"), Source::Memory(bytes.into()))
    }

    fn scanned(table: &Table, source: &Source, from: &str) -> Vec<String> {
        let mut keys = Vec::new();
        let each = |key: &str, _: Payload<'_>| {
            keys.push(key.to_owned());
            Ok(ControlFlow::Continue(()))
        };
        table.scan(source, from, each).expect("sound");
        keys
    }

    /// Few characters, so that keys begin alike; some of them with bytes that begin alike.
    const KEY: &str = "[abèé😀😁]{0,4}";

    proptest! {
        #[test]
        fn a_key_is_found_when_it_is_there_and_only_then(
            keys in prop::collection::btree_map(KEY, prop::collection::vec(any::<u8>(), 0..600), 0..60),
            others in prop::collection::vec(KEY, 0..60),
        ) {
            let (table, source) = table(&keys);
            for key in keys.keys().chain(&others) {
                let found = table.find(&source, key, |payload| Ok(payload.to_vec())).expect("sound");
                prop_assert_eq!(found.as_ref(), keys.get(key), "{:?}", key);
                let from: Vec<String> = keys.range(key.clone()..).map(|(key, _)| key.clone()).collect();
                prop_assert_eq!(scanned(&table, &source, key), from);
            }
        }
    }
}
