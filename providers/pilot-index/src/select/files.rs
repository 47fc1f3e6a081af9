//! Which files a prompt is about: the first layer of ranking.
//!
//! Words decide (BM25F), then what the prompt names outright. Tests stand in most changes beside what they test, and
//! push it out of a short list when both compete; so they do not: every fourth place is theirs, from the fourth on, and
//! the rest is not. On the development rows that finds more of both kinds than any factor on the scores of tests (README
//! of `evaluation/`). A prompt that speaks of tests lets them compete.

mod companions;
mod relevance;

use ctxhost_code::{
    bm25f::{Bm25f, FIELDS, Rarity},
    index::{IndexError, Posting},
};

use super::{
    corpus::{Corpus, FileFacts},
    filter::Filter,
    named,
    prompt::{Mention, Prompt},
};

/// Tests have the place behind so many others, and so many places are between two of theirs.
const OTHERS_FIRST: usize = 3;
const EVERY: usize = 3;

/// What generated, minified and vendored files count for: they are found when nothing else fits.
const GENERATED: f64 = 0.25;

/// What prose and data count for: a change log has every word of a change, and is not where it is made.
const NO_CODE: f64 = 0.25;

/// A file that is named outright gains this much of the best score, shared by all that go by that name.
const MENTIONED: f64 = 1.0;

/// A folder that is named lends this much to each file in it.
const FOLDER: f64 = 0.25;

/// A file that fits a prompt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedFile {
    /// Its number.
    pub doc: u32,
    /// How well it fits: the sum of the parts below.
    pub score: f64,
    /// What its words give.
    pub words: f64,
    /// What being named gives.
    pub mention: f64,
    /// What it gains as the test of a file that fits, and which one that is.
    pub companion: Option<(u32, f64)>,
    /// Whether it is a test.
    pub test: bool,
}

impl RankedFile {
    /// A file that no word led to.
    pub(super) fn unranked(file: &FileFacts<'_>) -> Self {
        Self { doc: file.doc, score: 0.0, words: 0.0, mention: 0.0, companion: None, test: file.test }
    }
}

/// Ranks the files that fit a prompt, at most `limit`. None does when no word of it tells files apart, and no
/// name of it is defined.
pub fn rank(
    corpus: &impl Corpus,
    prompt: &Prompt,
    filter: &Filter,
    limit: usize,
) -> Result<Vec<RankedFile>, IndexError> {
    if prompt.is_empty() {
        return Ok(Vec::new());
    }
    let mut scores = Scores::new(corpus, filter);
    for word in &prompt.words {
        scores.add(&corpus.postings(&word.text)?, word.weight);
    }
    for named in named::definitions(corpus, prompt)? {
        scores.keep(named.place.doc);
    }
    let mut files = scores.finish(&prompt.mentions);
    files.sort_by(|a, b| order(a.1.score, b.1.score).then_with(|| a.0.path.cmp(b.0.path)));
    companions::add(&mut files);
    Ok(interleave(files, prompt.tests, limit))
}

fn order(a: f64, b: f64) -> std::cmp::Ordering {
    b.total_cmp(&a)
}

/// Every file with what it has gathered so far.
struct Scores<'a> {
    formula: Bm25f,
    lengths: ctxhost_code::bm25f::Lengths,
    /// By document number; `None` where there is no file or the filter leaves it out.
    files: Vec<Option<FileFacts<'a>>>,
    words: Vec<f64>,
    /// Whether a word was met that tells files apart, or a name that is defined.
    relevant: Vec<bool>,
}

impl<'a> Scores<'a> {
    fn new(corpus: &'a impl Corpus, filter: &Filter) -> Self {
        let mut files: Vec<Option<FileFacts<'a>>> = Vec::new();
        for file in corpus.files().filter(|file| filter.allows(file)) {
            let at = file.doc as usize;
            files.resize(files.len().max(at + 1), None);
            files[at] = Some(file);
        }
        let (words, relevant) = (vec![0.0; files.len()], vec![false; files.len()]);
        Self { formula: Bm25f::default(), lengths: corpus.lengths(), files, words, relevant }
    }

    /// Adds one word. How rare it is does not depend on the filter.
    fn add(&mut self, postings: &[Posting], weight: f64) {
        let mut by_field = [0; FIELDS];
        for posting in postings {
            for (field, count) in by_field.iter_mut().zip(posting.counts) {
                *field += u32::from(count > 0);
            }
        }
        let holding = postings.len() as u32;
        let rarity = Rarity::new(self.lengths.documents, holding, by_field);
        let tells = relevance::tells(self.lengths.documents, holding, by_field);
        for Posting { doc, counts } in postings {
            let at = *doc as usize;
            let Some(Some(file)) = self.files.get(at) else { continue };
            self.words[at] += weight * self.formula.score(&rarity, counts, &file.lengths, &self.lengths);
            self.relevant[at] |= relevance::counts(tells, counts);
        }
    }

    /// Lets a file fit, however common its words are: it defines a name of the prompt.
    fn keep(&mut self, doc: u32) {
        if let Some(relevant) = self.relevant.get_mut(doc as usize) {
            *relevant = true;
        }
    }

    /// Gives the files that fit.
    fn finish(self, mentions: &[Mention]) -> Vec<(FileFacts<'a>, RankedFile)> {
        let Self { files, words, relevant, .. } = self;
        let known: Vec<(FileFacts<'a>, f64, bool)> = files
            .into_iter()
            .zip(words.into_iter().zip(relevant))
            .filter_map(|(file, (words, relevant))| file.map(|file| (file, words * prior(&file), relevant)))
            .collect();
        let best = known.iter().filter(|known| known.2).fold(0.0, |best: f64, known| best.max(known.1));
        let named = named(&known, mentions, if best > 0.0 { best } else { 1.0 });
        let scored = known.into_iter().zip(named);
        let fitting = scored.filter(|((_, _, relevant), mention)| *relevant || *mention > 0.0);
        fitting
            .map(|((file, words, _), mention)| {
                let score = words + mention;
                let ranked = RankedFile { score, words, mention, ..RankedFile::unranked(&file) };
                (file, ranked)
            })
            .collect()
    }
}

pub(super) fn prior(file: &FileFacts<'_>) -> f64 {
    let code = if file.language.is_none_or(|language| language.is_code()) { 1.0 } else { NO_CODE };
    code * if file.generated { GENERATED } else { 1.0 }
}

/// Gives what each file gains by being named.
fn named(known: &[(FileFacts<'_>, f64, bool)], mentions: &[Mention], best: f64) -> Vec<f64> {
    let mut gains = vec![0.0f64; known.len()];
    for mention in mentions {
        let indices = |fits: fn(&str, &str) -> bool| -> Vec<usize> {
            (0..known.len()).filter(|at| fits(known[*at].0.path, &mention.path)).collect()
        };
        let (files, each) = match indices(is_named) {
            files if files.is_empty() => (indices(is_inside), FOLDER),
            files => {
                let each = MENTIONED / (files.len() as f64);
                (files, each)
            }
        };
        for at in files {
            gains[at] = gains[at].max(best * each);
        }
    }
    gains
}

/// Whether a path is what was named, or ends with it behind a `/`. A longer name than the path, such as one from another
/// machine's root, fits too.
pub(super) fn is_named(path: &str, name: &str) -> bool {
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    ends(path, name) || (path.contains('/') && ends(name, path))
}

/// Whether a path lies in the folder that was named.
fn is_inside(path: &str, folder: &str) -> bool {
    let folder = folder.trim_end_matches('/');
    let mut found = path.match_indices(folder);
    !folder.is_empty()
        && found.any(|(at, _)| {
            (at == 0 || path[..at].ends_with('/')) && path[at + folder.len()..].starts_with('/')
        })
}

/// Gives tests their places among the others.
fn interleave(files: Vec<(FileFacts<'_>, RankedFile)>, compete: bool, limit: usize) -> Vec<RankedFile> {
    let (mut tests, others): (Vec<RankedFile>, Vec<RankedFile>) =
        files.into_iter().map(|(_, ranked)| ranked).partition(|ranked| ranked.test);
    // Stable: what fits equally well stays in the order of paths.
    tests.sort_by(|a, b| order(a.score, b.score));
    let (mut tests, mut others) = (tests.into_iter().peekable(), others.into_iter().peekable());
    let (mut merged, mut given): (Vec<RankedFile>, usize) = (Vec::new(), 0);
    while merged.len() < limit {
        let due = (merged.len() + EVERY).saturating_sub(OTHERS_FIRST) / EVERY;
        let test = match (tests.peek(), others.peek()) {
            (Some(test), Some(other)) => given < due || (compete && test.score > other.score),
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => break,
        };
        given += usize::from(test);
        merged.extend(if test { tests.next() } else { others.next() });
    }
    merged
}

#[cfg(test)]
mod tests;
