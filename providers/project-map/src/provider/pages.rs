//! The pairs as they are to be shown: what the files say, what people wrote, and what is to be known of both.

use ctxhost_sdk::protocol::project_map as spec;
use sha2::{Digest, Sha256};

use super::writing::Done;
use crate::{
    select::{
        pair::{Kind, Pair},
        standing::{Standing, Stood},
    },
    shape::{
        artifact,
        block::{Block, Remark, Text},
        sections::Offer,
    },
};

/// Pairs, and how each of their artifacts stands on disk.
pub(super) struct Pages<'a> {
    pub(super) pairs: &'a [Pair],
    /// Two for each pair, the index first.
    pub(super) stood: &'a [Stood<'a>],
    /// What was written since.
    pub(super) done: &'a Done,
    /// Whether all files were looked at.
    pub(super) complete: bool,
    /// Whether what stands in the project's files may speak for itself.
    pub(super) trusted: bool,
    /// Where an artifact lies.
    pub(super) place: &'a dyn Fn(&str, Kind) -> String,
}

impl<'a> Pages<'a> {
    /// How an artifact stands by now.
    pub(super) fn standing(&self, at: usize, kind: Kind) -> spec::Standing {
        let stood = self.of(at, kind);
        match stood.standing {
            _ if self.done.has(&(self.place)(stood.dir, kind)) => spec::Standing::Fresh,
            Standing::Fresh => spec::Standing::Fresh,
            Standing::Stale => spec::Standing::Stale,
            Standing::Missing => spec::Standing::Missing,
            Standing::Edited => spec::Standing::Edited,
            Standing::Orphaned => spec::Standing::Orphaned,
        }
    }

    /// The hash of a pair as it is shown, in hexadecimal.
    pub(super) fn hash(&self, at: usize) -> String {
        let mut hasher = Sha256::new();
        for kind in Kind::BOTH {
            match self.text(at, kind).0 {
                Text::Page(_) => hasher.update(artifact::body(&self.pairs[at], kind).trim_end()),
                Text::Written(text) => hasher.update(text.trim_end()),
            }
            hasher.update("\n");
        }
        hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// An artifact to offer.
    pub(super) fn offer<'b>(&self, at: usize, kind: Kind, hash: &'b str) -> Offer<'b>
    where
        'a: 'b,
    {
        let pair = &self.pairs[at];
        let (text, remark) = self.text(at, kind);
        let disk = self.of(at, kind).disk;
        let notes = disk.filter(|_| self.trusted).and_then(|disk| disk.notes.as_deref());
        let most = artifact::budget(&pair.dir, kind);
        let block = Block { dir: &pair.dir, kind, text, notes, remark, hash, most };
        Offer { block, standing: self.standing(at, kind) }
    }

    /// What is shown of an artifact. What nobody can vouch for is not: in a folder without trust a file may say anything of
    /// itself, so that only what is made here is shown.
    fn text(&self, at: usize, kind: Kind) -> (Text<'a>, Remark) {
        let page = Text::Page(artifact::page(&self.pairs[at], kind));
        let stood = self.of(at, kind);
        match (stood.standing, stood.disk) {
            (Standing::Edited, Some(disk)) if self.trusted => (Text::Written(&disk.text), Remark::Edited),
            (Standing::Fresh, _) if self.complete => (page, Remark::None),
            (_, Some(disk)) if !self.complete && self.trusted => {
                (Text::Written(&disk.text), Remark::MayBeStale)
            }
            _ if !self.complete => (page, Remark::MayBeStale),
            (Standing::Edited, _) => (page, Remark::EditedAndNotShown),
            (Standing::Missing, _) => (page, Remark::NotOnDisk),
            _ => (page, Remark::None),
        }
    }

    fn of(&self, at: usize, kind: Kind) -> &'a Stood<'a> {
        &self.stood[2 * at + usize::from(kind == Kind::Map)]
    }
}
