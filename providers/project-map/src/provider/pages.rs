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
        forbidden::Own,
        sections::Offer,
    },
};

/// Pairs, and how each of their artifacts stands on disk.
pub(super) struct Pages<'a> {
    pub(super) pairs: &'a [Pair],
    /// Two for each pair, the index first.
    pub(super) stood: &'a [Stood<'a>],
    /// How many pairs were held against the disk; of the others there was no time to know.
    pub(super) compared: usize,
    /// What was written since.
    pub(super) done: &'a Done,
    /// Where the project lies.
    pub(super) own: &'a Own,
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
            // What is there is none of this project's.
            Standing::Missing | Standing::Foreign => spec::Standing::Missing,
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
        let block = Block { dir: &pair.dir, kind, text, notes, remark, hash, most, own: self.own };
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
            (Standing::Missing | Standing::Foreign, _) => (page, Remark::NotOnDisk),
            (Standing::Stale, _) if self.standing(at, kind) == spec::Standing::Stale => {
                (page, Remark::StaleOnDisk)
            }
            _ => (page, Remark::None),
        }
    }

    fn of(&self, at: usize, kind: Kind) -> &'a Stood<'a> {
        &self.stood[2 * at + usize::from(kind == Kind::Map)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        select::{pair::Page, standing::compare},
        source::artifacts::OnDisk,
    };

    fn pair(purpose: &str) -> Pair {
        let page = Page { title: "shop".to_owned(), purpose: purpose.to_owned(), ..Page::default() };
        Pair { index: page.clone(), map: page, ..Pair::default() }
    }

    /// What is on disk: made of a pair, or changed by hand afterwards.
    fn on_disk(purpose: &str, hand: bool) -> OnDisk {
        let text = artifact::file(&pair(purpose), Kind::Index, Some("Mine.\n"));
        let text = if hand { text.replace("# Index", "By hand.\n# Index") } else { text };
        let artifact::Read { whole, body, header, intact, notes, sound } = artifact::read(text.as_bytes());
        OnDisk { text: body, whole, header, intact, notes, sound, ..OnDisk::default() }
    }

    /// What is shown of a root's index: its first line, and what is remarked.
    fn check(disk: Option<OnDisk>, complete: bool, trusted: bool, expected: (&str, Remark)) {
        let (pairs, disk) = ([pair("New.")], Vec::from_iter(disk));
        let stood = compare(&pairs, &disk);
        let (done, place) = (Done::default(), |_: &str, kind: Kind| kind.file_name().to_owned());
        let (compared, own) = (1, &Own::default());
        let pages = Pages {
            pairs: &pairs,
            stood: &stood,
            compared,
            done: &done,
            own,
            complete,
            trusted,
            place: &place,
        };
        let offer = pages.offer(0, Kind::Index, "00");
        let said = match offer.block.text {
            Text::Page(page) => page.purpose.clone(),
            Text::Written(text) => text.lines().take(2).collect::<Vec<_>>().join(" "),
        };
        assert_eq!((said.as_str(), offer.block.remark), expected, "{disk:?} {complete} {trusted}");
        let shows_notes = trusted && !disk.is_empty();
        assert_eq!(offer.block.notes, shows_notes.then_some("Mine.\n"));
    }

    #[test]
    fn what_is_shown_says_how_far_it_can_be_relied_on() {
        use Remark::{Edited, EditedAndNotShown, MayBeStale, None as Nothing, NotOnDisk, StaleOnDisk};
        for trusted in [true, false] {
            check(None, true, trusted, ("New.", NotOnDisk));
            check(Some(on_disk("New.", false)), true, trusted, ("New.", Nothing));
            check(Some(on_disk("Old.", false)), true, trusted, ("New.", StaleOnDisk));
            check(None, false, trusted, ("New.", MayBeStale));
        }
        let by_hand = "By hand. # Index: shop";
        check(Some(on_disk("Old.", true)), true, true, (by_hand, Edited));
        check(Some(on_disk("Old.", true)), true, false, ("New.", EditedAndNotShown));
        // Without time for all files the text on disk is what was last known whole, if somebody vouches for it.
        check(Some(on_disk("Old.", false)), false, true, ("# Index: shop Old.", MayBeStale));
        check(Some(on_disk("Old.", true)), false, true, (by_hand, Edited));
        check(Some(on_disk("Old.", false)), false, false, ("New.", MayBeStale));
        check(Some(on_disk("Old.", true)), false, false, ("New.", MayBeStale));
    }

    #[test]
    fn the_hash_of_a_pair_is_that_of_what_is_shown() {
        let hash = |purpose: &str, disk: &[OnDisk]| {
            let pairs = [pair(purpose)];
            let stood = compare(&pairs, disk);
            let (done, place) = (Done::default(), |_: &str, _: Kind| String::new());
            let (compared, own, complete, trusted) = (1, &Own::default(), true, true);
            Pages {
                pairs: &pairs,
                stood: &stood,
                compared,
                done: &done,
                own,
                complete,
                trusted,
                place: &place,
            }
            .hash(0)
        };
        let fresh = hash("New.", &[]);
        assert_eq!((fresh.len(), hash("New.", &[on_disk("New.", false)])), (64, fresh.clone()));
        assert_eq!(hash("New.", &[on_disk("Old.", false)]), fresh);
        assert_ne!(hash("New.", &[on_disk("New.", true)]), fresh);
        assert_ne!(hash("Old.", &[]), fresh);
    }
}
