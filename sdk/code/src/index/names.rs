//! Where a name is defined and used, as bytes; and the keys that names are kept under.

use super::{
    bytes::{Broken, Cursor, put_number},
    record::{pack, unpack},
};
use crate::symbols::{Kind, Symbol, Visibility};

/// A place that defines a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Definition {
    /// The document's number in this reader.
    pub doc: u32,
    /// The symbol's place in the document.
    pub symbol: u32,
    /// What it is.
    pub kind: Kind,
    /// Who may use it.
    pub visibility: Visibility,
    pub(super) owner: u16,
}

/// A place that uses a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Use {
    /// The document's number in this reader.
    pub doc: u32,
    /// The innermost definition that it is used in, as its place in the document; `None` outside of all.
    pub symbol: Option<u32>,
    /// How often it is used there.
    pub count: u32,
}

/// Longer names are kept with their symbols but cannot be looked up: no identifier that a person asks for is longer.
pub(super) const NAME_LIMIT: usize = 256;

/// Between a name without case and the spelling, where they differ: before every character of a name.
const SEPARATOR: char = '\0';

/// Gives a name without its case, the same way for what is kept and for what is asked.
pub(super) fn fold(name: &str) -> String {
    name.to_lowercase()
}

/// Writes the key of a name into `key`: every spelling of a name lies beside the others. False when it has none.
pub(super) fn key(name: &str, key: &mut String) -> bool {
    key.clear();
    if name.is_empty() || name.len() > NAME_LIMIT || name.contains([SEPARATOR, '\n']) {
        return false;
    }
    if name.is_ascii() {
        key.push_str(name);
        key.make_ascii_lowercase();
    } else {
        key.push_str(&fold(name));
    }
    if key != name {
        key.push(SEPARATOR);
        key.push_str(name);
    }
    true
}

/// Takes a key apart: the name without case, and the spelling.
pub(super) fn of_key(key: &str) -> (&str, &str) {
    key.split_once(SEPARATOR).unwrap_or((key, key))
}

/// A number for the last part of an owner, so that most other owners' definitions are left out unread; 0 without one.
pub(super) fn owner_mark(owner: &str) -> u16 {
    let last = owner.rsplit('.').next().unwrap_or_default();
    if last.is_empty() {
        return 0;
    }
    (super::bytes::sum(fold(last).as_bytes()) as u16).max(1)
}

/// Where a name was found so far, while a segment is made.
#[derive(Default)]
pub(super) struct Places {
    definitions: Vec<u8>,
    uses: Vec<u8>,
    last_definition: u32,
    last_use: u32,
}

impl Places {
    pub(super) fn define(&mut self, doc: u32, symbol: u32, of: &Symbol) {
        self.put_definition(doc, symbol, pack(of.kind, of.visibility), owner_mark(&of.owner));
    }

    fn put_definition(&mut self, doc: u32, symbol: u32, sort: u8, owner: u16) {
        put_number(&mut self.definitions, u64::from(doc - self.last_definition));
        put_number(&mut self.definitions, u64::from(symbol));
        self.definitions.push(sort);
        self.definitions.extend_from_slice(&owner.to_le_bytes());
        self.last_definition = doc;
    }

    pub(super) fn refer(&mut self, doc: u32, symbol: Option<u32>, count: u32) {
        put_number(&mut self.uses, u64::from(doc - self.last_use));
        put_number(&mut self.uses, symbol.map_or(0, |symbol| u64::from(symbol) + 1));
        put_number(&mut self.uses, u64::from(count));
        self.last_use = doc;
    }

    /// Takes over what another segment knows; documents that `place` gives nothing for are dropped.
    pub(super) fn absorb(
        &mut self,
        payload: &[u8],
        documents: u32,
        place: impl Fn(u32) -> Option<u32>,
    ) -> Result<(), Broken> {
        let (definitions, uses) = split(payload)?;
        read_definitions(definitions, documents, |found| {
            if let Some(doc) = place(found.doc) {
                self.put_definition(doc, found.symbol, pack(found.kind, found.visibility), found.owner);
            }
        })?;
        read_uses(uses, documents, |found| {
            if let Some(doc) = place(found.doc) {
                self.refer(doc, found.symbol, found.count);
            }
        })
    }

    pub(super) fn bytes(&self) -> usize {
        self.definitions.capacity() + self.uses.capacity()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.definitions.is_empty() && self.uses.is_empty()
    }

    pub(super) fn is_defined(&self) -> bool {
        !self.definitions.is_empty()
    }

    pub(super) fn payload(&self, out: &mut Vec<u8>) {
        put_number(out, self.definitions.len() as u64);
        out.extend_from_slice(&self.definitions);
        out.extend_from_slice(&self.uses);
    }

    pub(super) fn clear(&mut self) {
        self.definitions.clear();
        self.uses.clear();
        (self.last_definition, self.last_use) = (0, 0);
    }
}

/// Takes a name's bytes apart: definitions, uses.
pub(super) fn split(payload: &[u8]) -> Result<(&[u8], &[u8]), Broken> {
    let mut cursor = Cursor::new(payload);
    let definitions = cursor.slice()?;
    Ok((definitions, cursor.take(cursor.left())?))
}

pub(super) fn read_definitions(
    bytes: &[u8],
    documents: u32,
    mut each: impl FnMut(Definition),
) -> Result<(), Broken> {
    let mut cursor = Cursor::new(bytes);
    let mut doc = 0;
    while !cursor.is_empty() {
        doc = next(&mut cursor, doc, documents)?;
        let symbol = cursor.u32()?;
        let (kind, visibility) = unpack(cursor.byte()?)?;
        let owner = u16::from_le_bytes(cursor.array()?);
        each(Definition { doc, symbol, kind, visibility, owner });
    }
    Ok(())
}

pub(super) fn read_uses(bytes: &[u8], documents: u32, mut each: impl FnMut(Use)) -> Result<(), Broken> {
    let mut cursor = Cursor::new(bytes);
    let mut doc = 0;
    while !cursor.is_empty() {
        doc = next(&mut cursor, doc, documents)?;
        let symbol = cursor.number()?;
        let symbol = symbol.checked_sub(1).map(u32::try_from).transpose().map_err(|_| Broken)?;
        each(Use { doc, symbol, count: cursor.u32()? });
    }
    Ok(())
}

fn next(cursor: &mut Cursor<'_>, doc: u32, documents: u32) -> Result<u32, Broken> {
    let doc = doc.checked_add(cursor.u32()?).ok_or(Broken)?;
    if doc < documents { Ok(doc) } else { Err(Broken) }
}
