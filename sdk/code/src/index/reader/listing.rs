//! Listing names and words.

use super::{
    super::{IndexError, dictionary::Table, names, segment::Segment, view::Part},
    Case, Reader,
    lookup::each_payload,
};
use std::{collections::BTreeSet, ops::ControlFlow};

impl Reader {
    /// Gives names that are defined and begin with `prefix`, in order, at most `limit`. Case does not matter.
    ///
    /// # Errors
    /// When the index is broken or cannot be read.
    pub fn names_with_prefix(&self, prefix: &str, limit: usize) -> Result<Vec<String>, IndexError> {
        let prefix = names::fold(prefix);
        self.choose(limit, |names| {
            let from = names[line_from(names, &prefix)..].lines();
            Box::new(from.take_while(|name| name.starts_with(&prefix)))
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
        self.choose(limit, |names| Box::new(names.match_indices(&part).map(|(at, _)| line_at(names, at))))
    }

    /// Calls `each` for every defined name, without case; one may come twice, and one of a document that is gone may be
    /// among them.
    ///
    /// # Errors
    /// When the index is broken or cannot be read.
    pub fn each_defined_name(&self, mut each: impl FnMut(&str)) -> Result<(), IndexError> {
        for part in &self.view.parts {
            part.segment.defined()?.lines().for_each(&mut each);
        }
        Ok(())
    }

    /// Asks every part for names, in order, and gives the first that a living document defines.
    fn choose<'a>(
        &'a self,
        limit: usize,
        find: impl Fn(&'a str) -> Box<dyn Iterator<Item = &'a str> + 'a>,
    ) -> Result<Vec<String>, IndexError> {
        let mut lines = Vec::new();
        for part in &self.view.parts {
            lines.push((part, find(part.segment.defined()?).peekable()));
        }
        let mut found = Vec::new();
        while found.len() < limit
            && let Some(next) = lines.iter_mut().filter_map(|(_, line)| line.peek().copied()).min()
        {
            let mut alive = false;
            for (part, line) in &mut lines {
                let mut here = false;
                while line.next_if_eq(&next).is_some() {
                    here = true;
                }
                alive = alive || here && is_defined(part, next)?;
            }
            if alive {
                found.push(next.to_owned());
            }
        }
        Ok(found)
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
}

/// Whether a name that a part defines is defined by a living document of it.
fn is_defined(part: &Part, folded: &str) -> Result<bool, IndexError> {
    let mut found = part.dead.count() == 0;
    if !found {
        each_payload(part, folded, Case::Any, |payload| {
            let (definitions, _) = names::split(payload)?;
            let documents = part.segment.documents();
            names::read_definitions(definitions, documents, |at| found |= !part.dead.contains(at.doc))
        })?;
    }
    Ok(found)
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
