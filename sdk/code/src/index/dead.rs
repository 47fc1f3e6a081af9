//! Which documents of a segment are gone.

/// A set of documents.
#[derive(Clone, Default)]
pub(super) struct Dead {
    bits: Vec<u64>,
    count: u32,
}

impl Dead {
    pub(super) fn of(docs: impl IntoIterator<Item = u32>) -> Self {
        let mut dead = Self::default();
        docs.into_iter().for_each(|doc| dead.insert(doc));
        dead
    }

    /// Numbers are checked before: they size the set.
    pub(super) fn insert(&mut self, doc: u32) {
        let at = doc as usize / 64;
        if self.bits.len() <= at {
            self.bits.resize(at + 1, 0);
        }
        self.count += u32::from(!self.contains(doc));
        self.bits[at] |= 1 << (doc % 64);
    }

    pub(super) fn contains(&self, doc: u32) -> bool {
        self.bits.get(doc as usize / 64).is_some_and(|bits| bits & 1 << (doc % 64) != 0)
    }

    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// Gives them in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        (0..self.bits.len() as u32 * 64).filter(|&doc| self.contains(doc))
    }
}
