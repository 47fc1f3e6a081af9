//! Random sequences of calls against a simple model in memory: the same files are asked for, the same are shown.

use std::collections::{BTreeMap, BTreeSet};

use ctxhost_index::store::{Sqlite, Store};

use super::*;

const SEQUENCES: u64 = 30;
const STEPS: usize = 50;
const REPOS: [&str; 2] = ["api", "web"];
const REFERENCES: [&str; 2] = ["one", "two"];
const PATHS: [&str; 5] = ["a.rs", "b.rs", "src/c.rs", "src/d.rs", "e.md"];
const VERSIONS: u64 = 4;

/// Random numbers that a seed brings again (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

type Content = (&'static str, u64);

/// What a path of a view wants and shows.
#[derive(Clone, Copy)]
struct Entry {
    wanted: u64,
    shown: Option<u64>,
    hidden: bool,
}

#[derive(Default)]
struct Blob {
    parts: BTreeSet<u32>,
    complete: bool,
}

/// The rules, said as plainly as can be.
#[derive(Default)]
struct Model {
    blobs: BTreeMap<Content, Blob>,
    views: BTreeMap<(&'static str, &'static str), BTreeMap<&'static str, Entry>>,
    roots: BTreeMap<(&'static str, &'static str), String>,
}

impl Model {
    fn complete(&self, path: &'static str, version: u64) -> bool {
        self.blobs.get(&(path, version)).is_some_and(|blob| blob.complete)
    }

    /// The paths that are asked for.
    fn sync(
        &mut self,
        view: (&'static str, &'static str),
        listing: &BTreeMap<&'static str, u64>,
    ) -> BTreeSet<String> {
        let before = self.views.remove(&view).unwrap_or_default();
        let mut after = BTreeMap::new();
        for (path, version) in listing {
            let known = before.get(path).copied();
            let entry = match known {
                Some(entry) if entry.wanted == *version => entry,
                _ => {
                    let old = known.and_then(|entry| entry.shown);
                    let shown = if self.complete(path, *version) { Some(*version) } else { old };
                    Entry { wanted: *version, shown, hidden: false }
                }
            };
            after.insert(*path, entry);
        }
        self.views.insert(view, after);
        self.pending(view)
    }

    fn pending(&self, view: (&'static str, &'static str)) -> BTreeSet<String> {
        let files = self.views.get(&view).into_iter().flatten();
        let pending = files.filter(|(_, entry)| entry.shown != Some(entry.wanted) && !entry.hidden);
        pending.map(|(path, _)| (*path).to_owned()).collect()
    }

    fn index(&mut self, view: (&'static str, &'static str), path: &'static str, version: u64, parts: &[u32]) {
        if let Some(entry) = self.views.get_mut(&view).and_then(|view| view.get_mut(path))
            && entry.wanted == version
        {
            entry.hidden = false;
        }
        let blob = self.blobs.entry((path, version)).or_default();
        // Chunks for a file that was said to have none: it is cut anew.
        let emptied = blob.complete && blob.parts.is_empty();
        blob.parts.extend(parts);
        blob.complete = blob.parts.len() as u32 == size(version);
        let complete = blob.complete;
        self.show(path, version, complete, emptied);
    }

    fn remove(&mut self, view: (&'static str, &'static str), path: &'static str) {
        let Some(entry) = self.views.get_mut(&view).and_then(|view| view.get_mut(path)) else { return };
        let version = entry.wanted;
        let blob = self.blobs.entry((path, version)).or_default();
        if !blob.parts.is_empty() {
            (entry.shown, entry.hidden) = (None, true);
            return;
        }
        blob.complete = true;
        self.show(path, version, true, false);
    }

    fn show(&mut self, path: &'static str, version: u64, complete: bool, emptied: bool) {
        for entry in self.views.values_mut().filter_map(|view| view.get_mut(path)) {
            if complete && entry.wanted == version && !entry.hidden {
                entry.shown = Some(version);
            } else if !complete && emptied && entry.shown == Some(version) {
                entry.shown = None;
            }
        }
    }

    fn shown(&self, view: (&'static str, &'static str)) -> BTreeSet<[String; 4]> {
        let mut all = BTreeSet::new();
        for (path, entry) in self.views.get(&view).into_iter().flatten() {
            let Some(version) = entry.shown else { continue };
            for part in self.blobs.get(&(*path, version)).into_iter().flat_map(|blob| &blob.parts) {
                all.insert([view.0.to_owned(), (*path).to_owned(), format!("part{part}"), hash(version)]);
            }
        }
        all
    }
}

/// How many chunks a version of a file has.
fn size(version: u64) -> u32 {
    1 + (version % 3) as u32
}

fn part(view: (&'static str, &'static str), path: &str, version: u64, number: u32) -> Chunk {
    Chunk {
        reference: Some(view.1.to_owned()),
        file_chunks: Some(size(version)),
        // Every other chunk is the same in all versions, so that texts are shared.
        ..chunk(
            view.0,
            path,
            &format!("part{number}"),
            version,
            &format!("alpha v{}", version * u64::from(number % 2)),
        )
    }
}

fn listing(random: &mut Random) -> BTreeMap<&'static str, u64> {
    let mut all = BTreeMap::new();
    for path in PATHS {
        if random.below(4) > 0 {
            all.insert(path, 1 + random.below(VERSIONS as usize) as u64);
        }
    }
    all
}

/// One step in both; gives what was done, for the message of a failure.
fn step(random: &mut Random, store: &Sqlite, model: &mut Model, root: usize) -> String {
    let view = (random.of(&REPOS), random.of(&REFERENCES));
    let path = random.of(&PATHS);
    let wanted = model.views.get(&view).and_then(|view| view.get(path)).map(|entry| entry.wanted);
    match random.below(11) {
        0..3 => {
            let files = listing(random);
            let all: Vec<(&str, u64)> = files.iter().map(|(path, version)| (*path, *version)).collect();
            let request = state(view.0, Some(view.1), &format!("root{root}"), super::files(&all));
            let reply = store.sync(ORG, &request, NOW).expect("a sync");
            let asked: BTreeSet<String> = reply.changed.into_iter().map(|file| file.path).collect();
            assert_eq!(asked, model.sync(view, &files), "asked for after {files:?} in {view:?}");
            model.roots.insert(view, format!("root{root}"));
            format!("sync {view:?} {files:?}")
        }
        3..9 => {
            // Mostly what is wanted, sometimes what was changed since.
            let version =
                wanted.filter(|_| random.below(5) > 0).unwrap_or(1 + random.below(VERSIONS as usize) as u64);
            if !model.views.contains_key(&view) {
                return "nothing".to_owned();
            }
            let parts: Vec<u32> = (0..size(version)).filter(|_| random.below(3) > 0).collect();
            let chunks: Vec<Chunk> = parts.iter().map(|number| part(view, path, version, *number)).collect();
            index(store, ORG, chunks).expect("stored");
            if !parts.is_empty() {
                model.index(view, path, version, &parts);
            }
            format!("index {view:?} {path} v{version} {parts:?}")
        }
        9 => {
            let Some(root) = model.roots.get(&view) else { return "nothing".to_owned() };
            let reply = store.sync(ORG, &state(view.0, Some(view.1), root, None), NOW).expect("a sync");
            let asked: BTreeSet<String> = reply.changed.into_iter().map(|file| file.path).collect();
            assert_eq!(asked, model.pending(view), "asked for again in {view:?}");
            format!("the root of {view:?} again")
        }
        _ => {
            remove(store, view.0, Some(view.1), path);
            model.remove(view, path);
            format!("remove {view:?} {path}")
        }
    }
}

#[test]
fn random_sequences_show_what_a_simple_model_shows() {
    for seed in 0..SEQUENCES {
        let mut random = Random(seed);
        let store = Sqlite::in_memory().expect("a store");
        let mut model = Model::default();
        let mut done = Vec::new();
        for at in 0..STEPS {
            done.push(step(&mut random, &store, &mut model, at));
            for view in REPOS.into_iter().flat_map(|repo| REFERENCES.map(|reference| (repo, reference))) {
                if !model.views.contains_key(&view) {
                    continue;
                }
                let found = shown(&store, ORG, &super::view(view.0, view.1), "alpha");
                assert_eq!(found, model.shown(view), "{view:?} of seed {seed} after {done:#?}");
            }
        }
    }
}
