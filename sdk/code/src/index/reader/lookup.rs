//! Asking for names.

use super::{
    super::{
        IndexError,
        bytes::Broken,
        dictionary::Table,
        names::{self, Definition, Use},
        segment::{NAMES, Segment},
        view::Part,
    },
    Reader,
};
use std::{collections::BTreeSet, ops::ControlFlow};

/// Whether the case of a name matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// `User` is not `user`.
    Exact,
    /// `User` is `user`.
    Any,
}

impl Reader {
    /// Gives where a name is defined. A name with an owner in front of it, such as `Registry.add` or `Registry::add`, is
    /// only found in an owner whose last parts are these.
    ///
    /// # Errors
    /// When the index is broken or cannot be read.
    pub fn definitions(&self, name: &str, case: Case) -> Result<Vec<Definition>, IndexError> {
        let name = name.replace("::", ".").replace('#', ".");
        let (owner, last) = name.rsplit_once('.').unwrap_or(("", &name));
        let mut found = self.definitions_of(last, case)?;
        if !owner.is_empty() {
            found = self.owned(found, owner, case)?;
        }
        found.sort_unstable();
        Ok(found)
    }

    fn owned(
        &self,
        mut found: Vec<Definition>,
        owner: &str,
        case: Case,
    ) -> Result<Vec<Definition>, IndexError> {
        let mark = names::owner_mark(owner);
        found.retain(|definition| definition.owner == mark);
        let mut kept = Vec::new();
        for definition in found {
            let symbol = self.symbol(definition.doc, definition.symbol)?;
            kept.extend(symbol.filter(|symbol| ends_with(&symbol.owner, owner, case)).map(|_| definition));
        }
        Ok(kept)
    }

    /// Gives where a name is used; what stands in front of it is not looked at.
    ///
    /// # Errors
    /// When the index is broken or cannot be read.
    pub fn references(&self, name: &str, case: Case) -> Result<Vec<Use>, IndexError> {
        let mut found = self.places(name, case, |payload, documents, each| {
            let (_, uses) = names::split(payload)?;
            names::read_uses(uses, documents, |found| each(found.doc, found))
        })?;
        found.sort_unstable();
        Ok(found)
    }

    /// Gives how many files use a name: the fewer, the more it says.
    ///
    /// # Errors
    /// When the index is broken or cannot be read.
    pub fn name_frequency(&self, name: &str, case: Case) -> Result<u32, IndexError> {
        let mut docs: Vec<u32> = self.references(name, case)?.iter().map(|found| found.doc).collect();
        docs.dedup();
        Ok(docs.len() as u32)
    }

    /// Gives names that are defined and begin with `prefix`, in order, at most `limit`. Case does not matter.
    ///
    /// # Errors
    /// When the index is broken or cannot be read.
    pub fn names_with_prefix(&self, prefix: &str, limit: usize) -> Result<Vec<String>, IndexError> {
        let prefix = names::fold(prefix);
        self.choose(limit, |names, enough| {
            let start = line_from(names, &prefix);
            names[start..].lines().take_while(|name| name.starts_with(&prefix)).take(enough).collect()
        })
    }

    /// Gives names that are defined and contain `part`, in order, at most `limit`. Case does not matter.
    ///
    /// Every defined name is looked at, which takes about a millisecond for a hundred thousand.
    ///
    /// # Errors
    /// When the index is broken or cannot be read.
    pub fn names_containing(&self, part: &str, limit: usize) -> Result<Vec<String>, IndexError> {
        let part = names::fold(part);
        if part.is_empty() || part.contains('\n') {
            return Ok(Vec::new());
        }
        self.choose(limit, |names, enough| {
            let mut found: Vec<&str> = names.match_indices(&part).map(|(at, _)| line_at(names, at)).collect();
            found.dedup();
            found.truncate(enough);
            found
        })
    }

    /// Calls `each` for every defined name, without case and in order; a name may come twice.
    ///
    /// # Errors
    /// When the index is broken or cannot be read.
    pub fn each_defined_name(&self, mut each: impl FnMut(&str)) -> Result<(), IndexError> {
        for part in &self.view.parts {
            part.segment.defined()?.lines().for_each(&mut each);
        }
        Ok(())
    }

    /// Asks every part for names, and gives those that a living document defines.
    fn choose<'a>(
        &'a self,
        limit: usize,
        find: impl Fn(&'a str, usize) -> Vec<&'a str>,
    ) -> Result<Vec<String>, IndexError> {
        let mut found = BTreeSet::new();
        for part in &self.view.parts {
            // Where documents are gone some names may be gone too; that many more are looked at.
            let spare = if part.dead.count() == 0 { 0 } else { limit };
            found.extend(find(part.segment.defined()?, limit.saturating_add(spare)));
        }
        let mut names = Vec::new();
        for name in found {
            if names.len() == limit {
                break;
            }
            if self.is_whole() || !self.definitions_of(name, Case::Any)?.is_empty() {
                names.push(name.to_owned());
            }
        }
        Ok(names)
    }

    /// Gives where the last part of a name is defined.
    pub(in super::super) fn definitions_of(
        &self,
        name: &str,
        case: Case,
    ) -> Result<Vec<Definition>, IndexError> {
        self.places(name, case, |payload, documents, each| {
            let (definitions, _) = names::split(payload)?;
            names::read_definitions(definitions, documents, |found| each(found.doc, found))
        })
    }

    /// Gives every word, sorted; those of documents that are gone may be among them.
    pub(in super::super) fn words(&self) -> Result<BTreeSet<String>, IndexError> {
        self.keys(|segment| &segment.terms)
    }

    /// Gives the key of every name, as for words.
    pub(in super::super) fn names(&self) -> Result<BTreeSet<String>, IndexError> {
        self.keys(|segment| &segment.names)
    }

    fn keys(&self, table: fn(&Segment) -> &Table) -> Result<BTreeSet<String>, IndexError> {
        let mut keys = BTreeSet::new();
        for Part { segment, .. } in &self.view.parts {
            table(segment).scan(&segment.source, "", |key, _| {
                keys.insert(key.to_owned());
                Ok(ControlFlow::Continue(()))
            })?;
        }
        Ok(keys)
    }

    fn is_whole(&self) -> bool {
        self.view.parts.iter().all(|part| part.dead.count() == 0)
    }

    /// Reads the places of a name in every part, with this reader's numbers.
    fn places<T: Place>(&self, name: &str, case: Case, read: Read<T>) -> Result<Vec<T>, IndexError> {
        let mut all = Vec::new();
        let mut key = String::new();
        if !names::key(name, &mut key) {
            return Ok(all);
        }
        for (part, &base) in self.view.parts.iter().zip(&self.view.bases) {
            let mut each = |doc: u32, mut place: T| {
                if !part.dead.contains(doc) {
                    place.shift(base);
                    all.push(place);
                }
            };
            each_payload(part, &key, case, |payload| read(payload, part.segment.documents(), &mut each))?;
        }
        Ok(all)
    }
}

type Read<T> = fn(&[u8], u32, &mut dyn FnMut(u32, T)) -> Result<(), Broken>;

trait Place {
    fn shift(&mut self, base: u32);
}

impl Place for Definition {
    fn shift(&mut self, base: u32) {
        self.doc += base;
    }
}

impl Place for Use {
    fn shift(&mut self, base: u32) {
        self.doc += base;
    }
}

/// Reads what one part knows of a name, in this spelling or in all.
fn each_payload(
    part: &Part,
    key: &str,
    case: Case,
    mut each: impl FnMut(&[u8]) -> Result<(), Broken>,
) -> Result<(), IndexError> {
    let Segment { names: table, source, .. } = &*part.segment;
    if case == Case::Exact {
        return table.find(source, key, each).map(drop);
    }
    let (folded, _) = names::of_key(key);
    table.scan(source, folded, |key, payload| {
        if names::of_key(key).0 != folded {
            return Ok(ControlFlow::Break(()));
        }
        each(&payload.load(source, NAMES)?).map_err(Broken::of(NAMES))?;
        Ok(ControlFlow::Continue(()))
    })
}

/// Whether an owner's last parts are these.
fn ends_with(owner: &str, last: &str, case: Case) -> bool {
    let (owner, last) = match case {
        Case::Exact => (owner.to_owned(), last.to_owned()),
        Case::Any => (names::fold(owner), names::fold(last)),
    };
    owner.strip_suffix(&last).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// Where the first line begins that is not before `prefix`.
fn line_from(names: &str, prefix: &str) -> usize {
    let (mut low, mut high) = (0, names.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let middle = (low..=middle).rev().find(|&at| names.is_char_boundary(at)).unwrap_or(low);
        let line = line_at(names, middle);
        let start = line.as_ptr() as usize - names.as_ptr() as usize;
        if line < prefix {
            low = start + line.len() + 1;
        } else {
            high = start;
        }
    }
    low.min(names.len())
}

/// The line that a place is in.
fn line_at(names: &str, at: usize) -> &str {
    let start = names[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = names[at..].find('\n').map_or(names.len(), |end| at + end);
    &names[start..end]
}
