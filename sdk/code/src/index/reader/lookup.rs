//! Asking for names.

use super::{
    super::{
        IndexError,
        bytes::Broken,
        names::{self, Definition, Use},
        segment::{NAMES, Segment},
        view::Part,
    },
    Reader,
};
use std::ops::ControlFlow;

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
        let mut found = self.definitions_of(name, case)?;
        let name = name.replace("::", ".").replace('#', ".");
        if let Some((owner, last)) = name.rsplit_once('.').filter(|(owner, _)| !owner.is_empty()) {
            found.extend(self.owned(self.definitions_of(last, case)?, owner, case)?);
        }
        found.sort_unstable();
        found.dedup();
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
        for of_one in found.chunk_by(|a, b| a.doc == b.doc) {
            let symbols = self.symbols(of_one[0].doc)?;
            let owner_of =
                |at: &Definition| symbols.get(at.symbol as usize).map_or("", |symbol| &symbol.owner);
            kept.extend(of_one.iter().filter(|at| ends_with(owner_of(at), owner, case)));
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
        let mut key = String::new();
        let mut files = 0;
        if !names::key(name, &mut key) {
            return Ok(files);
        }
        for part in &self.view.parts {
            let mut docs = Vec::new();
            each_payload(part, &key, case, |payload| {
                let (_, uses) = names::split(payload)?;
                names::read_uses(uses, part.segment.documents(), |found| {
                    if docs.last() != Some(&found.doc) && !part.dead.contains(found.doc) {
                        docs.push(found.doc);
                    }
                })
            })?;
            // Each spelling has its documents in order; several have to be put together.
            docs.sort_unstable();
            docs.dedup();
            files += docs.len() as u32;
        }
        Ok(files)
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
pub(super) fn each_payload(
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
