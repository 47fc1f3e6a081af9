//! How the artifacts on disk stand to what they ought to be, and what is done about it.

use std::collections::{HashMap, HashSet};

use super::{
    pair::{Kind, Pair},
    sets::Sets,
};
use crate::{
    shape::{artifact, header::Header},
    source::artifacts::OnDisk,
};

/// How an artifact stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Standing {
    /// It says what it would say if it were made now.
    Fresh,
    /// It is as we wrote it, and would be another now.
    Stale,
    /// It ought to be there.
    Missing,
    /// Its text is not what we wrote.
    Edited,
    /// No pair belongs to it.
    Orphaned,
    /// It ought to be there, and an artifact of another set of maps is in its place.
    Foreign,
}

/// An artifact that is there, ought to be, or both.
#[derive(Debug)]
pub(crate) struct Stood<'a> {
    pub(crate) dir: &'a str,
    pub(crate) kind: Kind,
    pub(crate) standing: Standing,
    pub(crate) disk: Option<&'a OnDisk>,
    /// What it ought to be, with the notes that it has.
    pub(crate) wanted: Option<String>,
}

/// What is done about an artifact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Nothing,
    Write,
    Remove,
}

/// Which artifacts are done something about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Those that nobody changed by hand.
    Ours,
    /// Those too whose text was changed by hand; the notes in them stay.
    All,
}

/// Compares pairs with what is on disk, by directory, the index before the map.
#[cfg(test)]
pub(crate) fn compare<'a>(pairs: &'a [Pair], disk: &'a [OnDisk]) -> Vec<Stood<'a>> {
    compare_with(pairs, &|at, kind| artifact::file(&pairs[at], kind, None), disk)
}

/// As `compare`; `text` gives what is written of the pair at a place where there are no notes.
pub(crate) fn compare_with<'a>(
    pairs: &'a [Pair],
    text: &dyn Fn(usize, Kind) -> String,
    disk: &'a [OnDisk],
) -> Vec<Stood<'a>> {
    let wanted = pairs
        .iter()
        .enumerate()
        .flat_map(|(at, pair)| Kind::BOTH.map(|kind| (pair.dir.as_str(), kind, Some(at))));
    let mut places: Vec<_> = wanted.collect();
    let dirs: HashSet<&str> = pairs.iter().map(|pair| pair.dir.as_str()).collect();
    let sets = Sets::of(disk);
    // What no pair of this set is for and another set has made is nobody's orphan.
    let orphans = disk.iter().filter(|found| !dirs.contains(found.dir.as_str()) && !sets.has(found));
    places.extend(orphans.map(|found| (found.dir.as_str(), found.kind, None)));
    places.sort_by_key(|(dir, kind, _)| (*dir, *kind));
    let found: HashMap<_, _> = disk.iter().map(|found| ((found.dir.as_str(), found.kind), found)).collect();
    let on_disk = |dir, kind| found.get(&(dir, kind)).copied();
    let stands = |(dir, kind, pair): (&'a str, Kind, Option<usize>)| {
        let ought = || pair.map(|at| text(at, kind));
        match on_disk(dir, kind) {
            Some(found) if sets.has(found) => {
                Stood { standing: Standing::Foreign, ..stood(dir, kind, ought(), None) }
            }
            found => stood(dir, kind, ought(), found),
        }
    };
    places.into_iter().map(stands).collect()
}

/// As [`compare_with`] for as long as there is time, and how many artifacts were compared to the letter. How the others stand is
/// told by their headers, and what they ought to be is not known.
pub(crate) fn compare_until<'a>(
    pairs: &'a [Pair],
    text: &dyn Fn(usize, Kind) -> String,
    disk: &'a [OnDisk],
    over: &dyn Fn() -> bool,
) -> (Vec<Stood<'a>>, usize) {
    let found: HashMap<_, _> = disk.iter().map(|found| ((found.dir.as_str(), found.kind), found)).collect();
    let sets = Sets::of(disk);
    let mut compared = 0;
    let mut stood_all = Vec::with_capacity(2 * pairs.len());
    for (at, pair) in pairs.iter().enumerate() {
        // The root's pair is wanted in any case.
        let late = at > 0 && (compared < 2 * at || over());
        for kind in Kind::BOTH {
            let disk = found.get(&(pair.dir.as_str(), kind)).copied();
            stood_all.push(if disk.is_some_and(|disk| sets.has(disk)) {
                Stood { standing: Standing::Foreign, ..stood(&pair.dir, kind, Some(text(at, kind)), None) }
            } else if late {
                glanced(pair, kind, disk)
            } else {
                stood(&pair.dir, kind, Some(text(at, kind)), disk)
            });
        }
        compared += if late { 0 } else { 2 };
    }
    (stood_all, compared)
}

/// How an artifact stands by its header.
fn glanced<'a>(pair: &'a Pair, kind: Kind, disk: Option<&'a OnDisk>) -> Stood<'a> {
    let standing = match disk {
        None => Standing::Missing,
        Some(disk) if !disk.intact => Standing::Edited,
        Some(disk) if disk.header.as_ref().is_some_and(|header| header.inputs == pair.inputs) => {
            Standing::Fresh
        }
        Some(_) => Standing::Stale,
    };
    Stood { dir: &pair.dir, kind, standing, disk, wanted: None }
}

fn stood<'a>(dir: &'a str, kind: Kind, plain: Option<String>, disk: Option<&'a OnDisk>) -> Stood<'a> {
    let wanted = plain.map(|plain| {
        match disk {
            // Of a half file the other half is missing, and nothing in it is a note.
            Some(disk) if !plain.starts_with(&disk.whole) => {
                artifact::with_notes(&plain, disk.notes.as_deref())
            }
            _ => plain,
        }
    });
    let standing = match (&wanted, disk) {
        (None, _) => Standing::Orphaned,
        (Some(_), None) => Standing::Missing,
        (Some(wanted), Some(disk)) if *wanted == disk.whole => Standing::Fresh,
        // A part of what would be written holds nothing of anybody else.
        (Some(wanted), Some(disk)) if disk.intact || wanted.starts_with(&disk.whole) => Standing::Stale,
        (Some(_), Some(_)) => Standing::Edited,
    };
    Stood { dir, kind, standing, disk, wanted }
}

impl Stood<'_> {
    /// What is done about it.
    pub(crate) fn action(&self, reach: Reach) -> Action {
        match self.standing {
            Standing::Fresh | Standing::Foreign => Action::Nothing,
            Standing::Missing | Standing::Stale => Action::Write,
            // What has no header of ours may be anybody's.
            Standing::Edited if reach == Reach::All && !self.is_headless() => Action::Write,
            Standing::Edited => Action::Nothing,
            Standing::Orphaned if self.may_go(reach) => Action::Remove,
            Standing::Orphaned => Action::Nothing,
        }
    }

    /// Whether it is stale though its files are what they were, and grammars made it that lack now.
    pub(crate) fn is_read_otherwise(&self) -> bool {
        let (Some(disk), Some(wanted)) = (self.disk, &self.wanted) else { return false };
        let header = wanted.lines().next().and_then(Header::read);
        let (Some(was), Some(is)) = (&disk.header, header) else { return false };
        self.standing == Standing::Stale
            && disk.intact
            && is.patterns
            && !was.patterns
            && (was.generation, was.inputs, &was.dir) == (is.generation, is.inputs, &is.dir)
    }

    /// Whether its notes hold something.
    pub(crate) fn has_notes(&self) -> bool {
        self.disk.is_some_and(OnDisk::has_notes)
    }

    /// Whether something without a header of ours stands there.
    pub(crate) fn is_headless(&self) -> bool {
        self.disk.is_some_and(|disk| disk.header.is_none())
    }

    /// What is to be known of another set's artifact in its place.
    pub(crate) fn elsewhere(&self) -> Option<&'static str> {
        match self.standing {
            Standing::Foreign if self.dir.is_empty() => Some(
                "is part of the maps of a folder above and stays as it is: work there, or delete it for maps of this \
                 folder",
            ),
            Standing::Foreign => Some(
                "is part of another set of maps and stays as it is: delete it for a map of this directory in the \
                 project's own",
            ),
            _ => None,
        }
    }

    /// Notes would go with their file, and what has no header of ours may be anybody's.
    fn may_go(&self, reach: Reach) -> bool {
        let ours = |disk: &OnDisk| disk.header.is_some() && (disk.intact || reach == Reach::All);
        self.disk.is_some_and(ours) && !self.has_notes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::pair::Page;

    fn pair(dir: &str, purpose: &str) -> Pair {
        let page = Page { title: dir.to_owned(), purpose: purpose.to_owned(), ..Page::default() };
        Pair { dir: dir.to_owned(), index: page.clone(), map: page, ..Pair::default() }
    }

    fn disk(dir: &str, text: &str) -> OnDisk {
        let artifact::Read { whole, body, header, intact, notes, sound } = artifact::read(text.as_bytes());
        OnDisk {
            dir: dir.to_owned(),
            kind: Kind::Index,
            text: body,
            whole,
            header,
            intact,
            notes,
            sound,
            ..OnDisk::default()
        }
    }

    /// The standing of the index, and what is done about it within both reaches.
    fn check(there: Option<&str>, ought: Option<&Pair>, standing: Standing, actions: [Action; 2]) {
        let pairs: Vec<Pair> = ought.cloned().into_iter().collect();
        let disk: Vec<OnDisk> = there.map(|text| disk("src", text)).into_iter().collect();
        let stood = compare(&pairs, &disk);
        let index = &stood[0];
        let found = (index.standing, [Reach::Ours, Reach::All].map(|reach| index.action(reach)));
        assert_eq!(found, (standing, actions), "{there:?}");
    }

    #[test]
    fn every_state_has_its_standing() {
        use Action::{Nothing, Remove, Write};
        use Standing::{Edited, Fresh, Missing, Orphaned, Stale};
        let (now, old) = (pair("src", "New."), pair("src", "Old."));
        let text = |pair: &Pair, notes| artifact::file(pair, Kind::Index, Some(notes));
        let edited = |pair: &Pair| text(pair, "").replace("# Index", "Mine.\n# Index");
        let (fresh, stale) = (text(&now, ""), text(&old, ""));
        check(None, Some(&now), Missing, [Write; 2]);
        check(Some(&fresh), Some(&now), Fresh, [Nothing; 2]);
        check(Some(&text(&now, "mine\n")), Some(&now), Fresh, [Nothing; 2]);
        check(Some(&fresh.replace('\n', "\r\n")), Some(&now), Fresh, [Nothing; 2]);
        check(Some(&stale), Some(&now), Stale, [Write; 2]);
        check(Some(&text(&old, "mine\n")), Some(&now), Stale, [Write; 2]);
        check(Some(&fresh.replace("gen=1", "gen=0")), Some(&now), Stale, [Write; 2]);
        check(Some(&fresh.replace("dir=src", "dir=lib")), Some(&now), Stale, [Write; 2]);
        check(Some(&fresh.replace("<!-- notes:begin -->\n", "")), Some(&now), Stale, [Write; 2]);
        check(Some(""), Some(&now), Stale, [Write; 2]);
        check(Some(&fresh[..fresh.len() / 2]), Some(&now), Stale, [Write; 2]);
        let half = stale.find("Old").expect("its purpose") + 2;
        check(Some(&stale[..half]), Some(&now), Edited, [Nothing, Write]);
        check(Some(&edited(&now)), Some(&now), Edited, [Nothing, Write]);
        check(Some("# mine\n"), Some(&now), Edited, [Nothing; 2]);
        check(Some(&fresh), None, Orphaned, [Remove; 2]);
        check(Some(&text(&now, "mine\n")), None, Orphaned, [Nothing; 2]);
        check(Some(&edited(&now)), None, Orphaned, [Nothing, Remove]);
        check(Some("# mine\n"), None, Orphaned, [Nothing; 2]);
    }

    #[test]
    fn without_time_the_header_tells_how_an_artifact_stands() {
        let ought = [pair("", "All."), pair("src", "New."), pair("web", "New.")];
        let there = |dir: &str, purpose: &str, inputs: u8| {
            let pair = Pair { inputs: [inputs; 32], ..pair(dir, purpose) };
            disk(dir, &artifact::file(&pair, Kind::Index, None))
        };
        let disk = [there("", "Old.", 0), there("src", "Old.", 0), there("web", "New.", 1)];
        let standings = |over: &dyn Fn() -> bool| {
            let (stood, compared) =
                compare_until(&ought, &|at, kind| artifact::file(&ought[at], kind, None), &disk, over);
            let index = stood.iter().filter(|stood| stood.kind == Kind::Index);
            (index.map(|stood| stood.standing).collect::<Vec<_>>(), compared)
        };
        use Standing::{Fresh, Stale};
        assert_eq!(standings(&|| false), (vec![Stale, Stale, Stale], 6));
        assert_eq!(standings(&|| true), (vec![Stale, Fresh, Stale], 2));
        let calls = std::cell::Cell::new(0);
        let later = || calls.replace(calls.get() + 1) > 0;
        assert_eq!(standings(&later), (vec![Stale, Stale, Stale], 4));
    }

    #[test]
    fn what_another_set_made_is_neither_written_nor_removed() {
        let own = |dir| disk(dir, &artifact::file(&pair("", "Theirs."), Kind::Index, None));
        let (root, src) = (pair("", "Root."), pair("src", "Src."));
        let above = [disk("", &artifact::file(&src, Kind::Index, None))];
        let (pairs, below) = ([root, src], [own("src"), own("lib")]);
        for (found, at, dir) in [(&above[..], 0, ""), (&below[..], 2, "src")] {
            let stood = compare(&pairs, found);
            assert_eq!((stood.len(), stood[at].dir, stood[at].standing), (4, dir, Standing::Foreign));
            assert!(stood[at].elsewhere().is_some());
            assert_eq!([Reach::Ours, Reach::All].map(|reach| stood[at].action(reach)), [Action::Nothing; 2]);
        }
    }

    #[test]
    fn what_is_written_keeps_the_notes() {
        let known = disk("src", &artifact::file(&pair("src", "Old."), Kind::Index, Some("mine\n")));
        let pairs = [pair("src", "New.")];
        let disk = [known];
        let wanted = compare(&pairs, &disk)[0].wanted.clone().expect("a text");
        assert!(wanted.contains("New.") && wanted.contains("begin -->\nmine\n<!--"));
    }
}
