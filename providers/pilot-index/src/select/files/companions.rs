//! Which test belongs to which file, by their names: `test_x`, `x_test`, `tests/a_x` and `a/x` belong together.

use std::collections::HashSet;

use ctxhost_code::words;

use super::RankedFile;
use crate::select::corpus::FileFacts;

/// The tests of so many of the best files gain.
const BEST: usize = 5;

/// So many tests are looked at, the best first: a test that shares no word with the prompt is not offered.
const TESTS: usize = 200;

/// A test that names exactly a file gains this much of that file's score.
const SHARE: f64 = 0.5;

/// Words of paths that say what sort of file it is, and not what it is about; as stems.
const GENERIC: &[&str] = &[
    "bench",
    "benchmark",
    "e2e",
    "exampl",
    "index",
    "init",
    "integr",
    "it",
    "lib",
    "main",
    "mod",
    "spec",
    "test",
    "unit",
];

struct Names {
    /// What the file's own name says, or when that is generic, its whole path.
    own: HashSet<String>,
    path: HashSet<String>,
}

impl Names {
    fn of(path: &str) -> Self {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = name.split('.').find(|part| !part.is_empty()).unwrap_or(name);
        let mut own = words_of(stem);
        let mut all = words_of(folder);
        all.extend(own.iter().cloned());
        own.retain(|word| !GENERIC.contains(&word.as_str()));
        if own.is_empty() {
            own = all.iter().filter(|word| !GENERIC.contains(&word.as_str())).cloned().collect();
        }
        Self { own, path: all }
    }

    /// How much of this name the other path says, from 0 to 1.
    fn covered(&self, other: &Self) -> f64 {
        if self.own.is_empty() {
            return 0.0;
        }
        self.own.intersection(&other.path).count() as f64 / self.own.len() as f64
    }
}

fn words_of(text: &str) -> HashSet<String> {
    let mut found = HashSet::new();
    words::split(text, &mut |word| {
        found.insert(word.to_owned());
    });
    found
}

/// Lets the tests of the best files gain. The files are sorted, the best first; the tests are not afterwards.
pub(crate) fn add(files: &mut [(FileFacts<'_>, RankedFile)]) {
    let others = files.iter().filter(|(_, ranked)| !ranked.test).take(BEST);
    let others: Vec<(Names, RankedFile)> =
        others.map(|(file, ranked)| (Names::of(file.path), *ranked)).collect();
    for (file, test) in files.iter_mut().filter(|(_, ranked)| ranked.test).take(TESTS) {
        let names = Names::of(file.path);
        let gain = |(other, ranked): &(Names, RankedFile)| {
            (ranked.doc, SHARE * ranked.score * names.covered(other) * other.covered(&names))
        };
        let best = others.iter().map(gain).max_by(|a, b| a.1.total_cmp(&b.1)).filter(|gain| gain.1 > 0.0);
        test.companion = best;
        test.score += best.map_or(0.0, |gain| gain.1);
    }
}
