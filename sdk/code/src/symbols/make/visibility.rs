//! Who may use a definition: what the file offers by name or place, what stands before it, else the language's rule.

use rustc_hash::FxHashSet;

use super::{
    super::{
        Kind, Visibility,
        finds::{Bytes, Definition, Finds},
        regions::{Region, Regions, Seeker, What},
        rules::{Around, Unmarked},
    },
    Maker, Symbols,
};

/// What a file offers, apart from words in front of a definition.
pub(super) struct Offers<'a> {
    /// By region and place.
    sections: Vec<(u32, u32, Visibility)>,
    exported: FxHashSet<&'a [u8]>,
    only: FxHashSet<&'a [u8]>,
}

impl<'a> Offers<'a> {
    pub(super) fn of(maker: &'a Maker<'a>, finds: &'a Finds, regions: &Regions) -> Offers<'a> {
        let mut seeker = Seeker::default();
        let place = |(at, visibility): &(u32, Visibility)| (seeker.seek(regions, *at), *at, *visibility);
        let mut sections: Vec<_> = finds.sections.iter().map(place).collect();
        sections.sort();
        let texts = |places: &'a [Bytes]| places.iter().map(|bytes| bytes.slice(maker.source)).collect();
        Offers { sections, exported: texts(&finds.exported), only: texts(&finds.only) }
    }

    /// Gives what the last section before a place says, in the same region.
    fn section(&self, around: u32, at: u32) -> Option<Visibility> {
        let next = self.sections.partition_point(|(region, start, _)| (*region, *start) <= (around, at));
        let (region, _, visibility) = self.sections.get(next.checked_sub(1)?)?;
        (*region == around).then_some(*visibility)
    }
}

impl Symbols<'_> {
    pub(super) fn visibility(
        &self,
        region: &Region,
        one: &Definition,
        name: &str,
        kind: Kind,
        around: u32,
        owned: bool,
    ) -> Visibility {
        let parent = self.regions.get(around);
        let top = parent.is_none() && !owned;
        if self.is_exported(region, one.name.slice(self.maker.source), parent, top) {
            return Visibility::Public;
        }
        if parent.is_some_and(Region::is_function) {
            return Visibility::Private;
        }
        if let Some(mark) = region.mark.or_else(|| self.offers.section(around, region.bytes.start)) {
            return mark;
        }
        let owned = owned.then_some(Around { kind: None, visibility: Visibility::Public });
        let around = self.around(around).or(owned);
        let in_head = parent.is_some_and(|parent| self.is_in_head(parent, one));
        let visibility = (self.maker.rules.unmarked)(&Unmarked { name, kind, in_head, around });
        let only = &self.offers.only;
        let hidden = top && !only.is_empty() && !only.contains(name.as_bytes());
        if hidden { visibility.min(Visibility::Restricted) } else { visibility }
    }

    fn around(&self, around: u32) -> Option<Around> {
        let kind = match self.regions.get(around)?.what {
            What::Definition { kind, scope: false, .. } => Some(kind),
            _ => None,
        };
        Some(Around { kind, visibility: self.owners.visibility(around) })
    }

    /// Whether a definition stands in the signature of the one around it.
    fn is_in_head(&self, parent: &Region, one: &Definition) -> bool {
        let What::Definition { find, .. } = parent.what else { return false };
        self.finds.definitions[find as usize].body.is_none_or(|body| one.bytes.start < body)
    }

    fn is_exported(&self, region: &Region, name: &[u8], parent: Option<&Region>, top: bool) -> bool {
        if top && (self.offers.exported.contains(name) || self.offers.only.contains(name)) {
            return true;
        }
        let exports = &self.finds.exports;
        let next = exports.partition_point(|export| export.start <= region.bytes.start);
        let Some(export) = next.checked_sub(1).map(|last| exports[last]) else { return false };
        region.bytes.end <= export.end && parent.is_none_or(|parent| parent.bytes.start < export.start)
    }
}
