//! Words that tell a directory from the others.

use ctxhost_code::words;
use rustc_hash::{FxHashMap, FxHashSet};

use super::score::is_stop;

/// Words that are everywhere, in code, in the names of files and in English.
const STOP: &str = "a about add after all also an and any api app are args array as at base be before bin bool build but by call can \
case char check class cls code common config const context core could create ctx current data def default del delete dir do doc docs \
does each end err error errors etc example examples expected file files find fix fn for foo bar from func function get has have helper \
helpers how id if impl import in index info init input inner int into is it item items its js key kind lib like line lines list load \
main make map max md may min misc mod module more name names new next no node not null number obj object of off on one op open option \
options or other out output over package param params parse path py result return rs run sample samples self set setup shared should \
simple size so some spec src start state static str string struct sub support sys temp test tests testing text than that the their \
them then there these they this to todo tmp too true two ts tsx txt type types unit up update use used user uses using util utils val \
value values var version void was we were what when where which will with without would write you your yaml yml json toml html css \
abstract async await const export final let pre post private protected public read reads readme running runs show shows writes \
additional basic custom first second directly extra foo best steps much many more most other same special";

/// Words this short are only worth it when everybody knows them.
const SHORT: &[&str] = &[
    "io", "ui", "db", "fs", "ai", "ml", "os", "ip", "vm", "ci", "dom", "cli", "sql", "css", "url", "uri",
    "xml",
];

/// Collects the words of directories, and picks for each those that are rare elsewhere.
pub(crate) struct Words {
    ids: FxHashMap<String, u32>,
    /// For each word how it is written, and how often it was seen so: the commonest is shown.
    written: Vec<FxHashMap<String, u32>>,
    /// For each directory its words and their weights.
    counts: Vec<FxHashMap<u32, u64>>,
    stop: FxHashSet<&'static str>,
    /// What a whole name comes to, since names come again and again.
    memo: FxHashMap<String, Vec<u32>>,
}

impl Words {
    pub(crate) fn new(dirs: usize) -> Self {
        Self {
            ids: FxHashMap::default(),
            written: Vec::new(),
            counts: vec![FxHashMap::default(); dirs],
            stop: STOP.split_whitespace().collect(),
            memo: FxHashMap::default(),
        }
    }

    /// Adds the words of a name or of a sentence to a directory.
    pub(crate) fn add(&mut self, dir: usize, text: &str, weight: u64) {
        if !self.memo.contains_key(text) {
            let ids = self.ids_of(text);
            self.memo.insert(text.to_owned(), ids);
        }
        for id in &self.memo[text] {
            *self.counts[dir].entry(*id).or_insert(0) += weight;
        }
    }

    fn ids_of(&mut self, text: &str) -> Vec<u32> {
        let mut found = Vec::new();
        words::identifiers(text, &mut |name| {
            parts(name, &mut |part| {
                if !self.stop.contains(part)
                    && !is_stop(part)
                    && (part.len() > 2 && part.len() < 24 || SHORT.contains(&part))
                {
                    found.push(part.to_owned());
                }
            });
        });
        let mut ids: Vec<u32> = found.iter().map(|part| self.id(part)).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// Words with one stem are one word.
    fn id(&mut self, part: &str) -> u32 {
        let mut stemmed = None;
        words::split(part, &mut |word| stemmed = Some(word.to_owned()));
        let stem = stemmed.unwrap_or_else(|| part.to_owned());
        let next = self.written.len() as u32;
        let id = *self.ids.entry(stem).or_insert(next);
        if id == next {
            self.written.push(FxHashMap::default());
        }
        *self.written[id as usize].entry(part.to_owned()).or_insert(0) += 1;
        id
    }

    /// Gives the words of each directory, the most telling first, at most `most`. `above` is the directory around each: what
    /// is said in one counts a little there too.
    pub(crate) fn pick(&self, above: &[u32], most: usize) -> Vec<Vec<String>> {
        let mut all = self.counts.clone();
        // Directories come sorted, so that those further down come later.
        for dir in (1..all.len()).rev() {
            let below: Vec<(u32, u64)> = all[dir].iter().map(|(id, weight)| (*id, *weight)).collect();
            let into = &mut all[above[dir] as usize];
            below.into_iter().for_each(|(id, weight)| *into.entry(id).or_insert(0) += weight.div_ceil(2));
        }
        let mut spread = vec![0_u64; self.written.len()];
        self.counts.iter().flat_map(FxHashMap::keys).for_each(|id| spread[*id as usize] += 1);
        let dirs = self.counts.len() as u64;
        let shown: Vec<&str> = self.written.iter().map(commonest).collect();
        all.iter().map(|counts| best(counts, &spread, dirs, &shown, most)).collect()
    }
}

fn best(counts: &FxHashMap<u32, u64>, spread: &[u64], dirs: u64, shown: &[&str], most: usize) -> Vec<String> {
    let mut scored: Vec<(u64, &str)> = counts
        .iter()
        .map(|(id, weight)| {
            let rarity = log2(2 * dirs + 2) - log2(spread[*id as usize] + 1);
            (log2(1 + weight) * rarity, shown[*id as usize])
        })
        .collect();
    scored.sort_by(|a, b| (b.0, a.1).cmp(&(a.0, b.1)));
    scored.iter().take(most).map(|(_, word)| (*word).to_owned()).collect()
}

fn commonest(forms: &FxHashMap<String, u32>) -> &str {
    let best = forms.iter().max_by(|a, b| (a.1, b.0.len(), b.0).cmp(&(b.1, a.0.len(), a.0)));
    best.map_or("", |(form, _)| form)
}

/// The logarithm in 256ths, in whole numbers: it has to be the same on every machine.
fn log2(number: u64) -> u64 {
    let whole = u64::from(number.max(1).ilog2());
    let fraction = if whole >= 8 { number >> (whole - 8) } else { number << (8 - whole) };
    whole * 256 + fraction.saturating_sub(256)
}

/// Cuts a name where its words meet, in lower case.
fn parts(name: &str, each: &mut impl FnMut(&str)) {
    let letters: Vec<char> = name.chars().collect();
    let mut part = String::new();
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| letters[at]);
        let next_small = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let begins = letter.is_uppercase()
            && before.is_some_and(|before| before.is_lowercase() || before.is_uppercase() && next_small);
        if (begins || !letter.is_alphabetic()) && !part.is_empty() {
            each(&part);
            part.clear();
        }
        if letter.is_alphabetic() {
            part.extend(letter.to_lowercase());
        }
    }
    if !part.is_empty() {
        each(&part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_where_words_meet() {
        let check = |name: &str, expected: &[&str]| {
            let mut found = Vec::new();
            parts(name, &mut |part| found.push(part.to_owned()));
            assert_eq!(found, expected);
        };
        check("HTTPServer_readTimeouts2x", &["http", "server", "read", "timeouts", "x"]);
        check("", &[]);
    }

    #[test]
    fn tags_are_rare_words_that_come_often() {
        let mut words = Words::new(3);
        for (dir, text, weight) in [
            (0, "project", 2),
            (1, "walk_parallel", 3),
            (1, "WalkBuilder", 2),
            (1, "search", 1),
            (2, "search_printer", 3),
            (2, "Printers", 2),
            (2, "printer", 2),
            (2, "get_file", 9),
            (2, "read_this_public", 9),
        ] {
            words.add(dir, text, weight);
        }
        let picked = words.pick(&[0, 0, 0], 3);
        assert_eq!(picked[1], ["walk", "parallel", "builder"]);
        assert_eq!(picked[2], ["printer", "search"]);
        assert_eq!(picked[0].len(), 3);
    }
}
