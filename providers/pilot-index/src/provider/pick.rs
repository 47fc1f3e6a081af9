//! From a question to files and definitions: ranked by what is indexed, and by what is not yet.

use std::collections::{BTreeMap, HashSet};

use ctxhost_code::{index::IndexError, project::View, words};
use ctxhost_sdk::protocol::pilot_index as spec;

use crate::{
    select::{
        corpus::{Corpus, Place},
        files::{self, RankedFile},
        filter::Filter,
        picked::{Picked, PickedFile, PickedSymbol},
        prompt::{Intent, Prompt},
        signals,
        symbols::{self, Context, RankedSymbol},
    },
    source::{code::Code, cold::Cold, corpus::Indexed},
};

/// So many files are ranked; the definitions of the best are compared.
const FILES: usize = 60;

/// What a definition must have of the best one's score to be offered: less is noise beside it.
const LEAST: f64 = 0.4;

/// So many files are offered at most, and so many definitions of each.
const MOST_FILES: usize = 12;
const MOST_OF_A_FILE: usize = 6;

/// So many of the best files are offered by their matching lines when they define nothing.
const WITHOUT_SYMBOLS: usize = 3;

/// What is asked.
pub(super) struct Ask<'a> {
    pub(super) prompt: &'a Prompt,
    pub(super) recent: &'a [String],
    pub(super) filter: &'a Filter,
    pub(super) depth: u8,
    pub(super) limit: usize,
}

/// A definition that fits, with its file.
pub(super) struct Fit {
    pub(super) path: String,
    pub(super) language: Option<ctxhost_code::language::Language>,
    pub(super) symbol: PickedSymbol,
}

/// What fits, the best first.
#[derive(Default)]
pub(super) struct Fits {
    pub(super) files: Vec<(RankedFile, String, Option<ctxhost_code::language::Language>)>,
    pub(super) symbols: Vec<Fit>,
}

/// Ranks; looks through the files that are not indexed for as long as `scan_until` allows.
pub(super) fn fits(
    code: &Code,
    view: &View,
    ask: &Ask<'_>,
    scan_until: &(dyn Fn() -> bool + Sync),
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Fits, IndexError> {
    let _asking = code.project.asking();
    if view.is_complete() {
        return ranked(&Indexed::new(view, |file| code.bytes(file.path())), ask, scan_until);
    }
    let words = ask.prompt.words.iter().map(|word| word.text.clone()).collect();
    ranked(&Cold::new(code, view, words, scan_until, stop), ask, scan_until)
}

fn ranked(corpus: &impl Corpus, ask: &Ask<'_>, stop: &dyn Fn() -> bool) -> Result<Fits, IndexError> {
    // A kind may be rare: all files that fit are walked through for it.
    let most = if ask.filter.kinds.is_empty() { FILES } else { usize::MAX };
    let files = files::rank(corpus, ask.prompt, ask.filter, most)?;
    let context = Context {
        recent: ask.recent,
        filter: ask.filter,
        depth: u32::from(ask.depth),
        limit: ask.limit,
        stop,
    };
    let symbols = symbols::rank(corpus, ask.prompt, &files, &context)?;
    let mut fits = Fits::default();
    for ranked in &symbols {
        fits.symbols.extend(fit(corpus, ranked)?);
    }
    let facts = |ranked: RankedFile| {
        let file = corpus.file(ranked.doc)?;
        Some((ranked, file.path.to_owned(), file.language))
    };
    fits.files = files.into_iter().filter_map(facts).collect();
    Ok(fits)
}

fn fit(corpus: &impl Corpus, ranked: &RankedSymbol) -> Result<Option<Fit>, IndexError> {
    let Place { doc, symbol } = ranked.place;
    let Some(file) = corpus.file(doc) else { return Ok(None) };
    let extracted = corpus.extracted(doc)?;
    let Some(found) = extracted.symbols.get(symbol as usize) else { return Ok(None) };
    let given = |name: &str| {
        ranked.signals.each().iter().find(|signal| signal.name == name).map_or(0.0, |s| s.value * s.weight)
    };
    let symbol = PickedSymbol {
        name: found.qualified(),
        kind: found.kind,
        visibility: found.visibility,
        lines: (found.span.first_line, found.span.last_line),
        bytes: found.span.bytes.clone(),
        signature_end: found.signature_end,
        doc: found.doc.clone(),
        score: ranked.score,
        signals: spec::Signals {
            exact: given("exact"),
            fuzzy: given("fuzzy"),
            kind: given("kind"),
            exported: given("exported"),
            proximity: given("proximity"),
            doc: given("doc"),
            reference: given("reference"),
        },
        lexical: given("words"),
        reason: reason(&ranked.signals),
    };
    Ok(Some(Fit { path: file.path.to_owned(), language: file.language, symbol }))
}

/// Why a definition was chosen: the signals that say something of this one.
fn reason(signals: &signals::Signals) -> String {
    let words = [
        (signals.exact >= 1.0, "its name is asked for"),
        (signals.exact > 0.0 && signals.exact < 1.0, "the last part of its name is asked for"),
        (signals.exact == 0.0 && signals.fuzzy > 0.0, "its name resembles a word"),
        (signals.words >= 0.5, "its words fit"),
        (signals.proximity >= 1.5, "its file is mentioned"),
        (signals.proximity > 0.0 && signals.proximity < 1.5, "its file or folder was edited lately"),
        (signals.doc > 0.0, "its documentation has words of it"),
        (signals.reference > 0.0, "what fits uses it"),
    ];
    let said: Vec<&str> = words.into_iter().filter(|(holds, _)| *holds).map(|(_, word)| word).collect();
    if said.is_empty() { "its file fits".to_owned() } else { said.join(", ") }
}

/// What is offered of what fits: the files of the best definitions, and the best files that define nothing.
pub(super) fn picked(prompt: &Prompt, fits: Fits) -> Picked {
    let companions = companions(prompt, &fits);
    let beside: HashSet<&str> = companions.iter().map(|companion| companion.file.as_str()).collect();
    let least = fits.symbols.first().map_or(0.0, |best| best.symbol.score * LEAST);
    let lexical: BTreeMap<&str, f64> =
        fits.files.iter().map(|(ranked, path, _)| (path.as_str(), ranked.score)).collect();
    let mut files: Vec<PickedFile> = Vec::new();
    let new = |path: &str, language: Option<ctxhost_code::language::Language>| PickedFile {
        path: path.to_owned(),
        language: language.map(|language| language.id().to_owned()),
        fence: language.map_or("", |language| language.fence()).to_owned(),
        lexical: lexical.get(path).copied().unwrap_or_default(),
        symbols: Vec::new(),
    };
    for fit in &fits.symbols {
        if fit.symbol.score < least || beside.contains(fit.path.as_str()) {
            continue;
        }
        let at = files.iter().position(|file| file.path == fit.path).unwrap_or_else(|| {
            files.push(new(&fit.path, fit.language));
            files.len() - 1
        });
        if files[at].symbols.len() < MOST_OF_A_FILE {
            files[at].symbols.push(fit.symbol.clone());
        }
    }
    for (at, (_, path, language)) in fits.files.iter().take(WITHOUT_SYMBOLS).enumerate() {
        let known = files.iter().any(|file| file.path == *path) || beside.contains(path.as_str());
        let defines = fits.symbols.iter().any(|fit| fit.path == *path);
        if !known && !defines {
            files.insert(at.min(files.len()), new(path, *language));
        }
    }
    files.truncate(MOST_FILES);
    let shown: HashSet<String> = files.iter().map(|file| file.path.clone()).collect();
    let companions = companions
        .iter()
        .filter(|companion| companion.of.as_ref().is_some_and(|of| shown.contains(of)))
        .cloned()
        .collect();
    Picked { query: query(prompt), files, companions }
}

/// Tests of files that fit, unless tests are what is asked for.
fn companions(prompt: &Prompt, fits: &Fits) -> Vec<spec::Companion> {
    if prompt.tests {
        return Vec::new();
    }
    let path =
        |doc: u32| fits.files.iter().find(|(file, ..)| file.doc == doc).map(|(_, path, _)| path.clone());
    let of = |(ranked, file, _): &(RankedFile, String, _)| {
        let (of, _) = ranked.companion.filter(|_| ranked.test)?;
        let named = prompt.mentions.iter().any(|mention| is_named(file, &mention.path));
        (!named).then(|| spec::Companion { file: file.clone(), of: path(of), reason: "its test".to_owned() })
    };
    fits.files.iter().filter_map(of).take(64).collect()
}

/// What the prompt was understood as, as the spec writes it.
fn query(prompt: &Prompt) -> spec::Query {
    let clipped = |text: &str, most: usize| text.chars().take(most).collect::<String>();
    let names = prompt.names.iter().map(|name| &name.text).chain(&prompt.quoted);
    spec::Query {
        words: prompt.words.iter().map(|word| clipped(&word.text, 256)).take(512).collect(),
        names: names.map(|name| clipped(name, 1_024)).take(256).collect(),
        mentions: prompt
            .mentions
            .iter()
            .filter(|mention| !mention.path.is_empty())
            .map(|mention| spec::Mention {
                file: clipped(&mention.path, 4_096),
                line: mention.line.map(u64::from).filter(|line| *line > 0),
            })
            .take(256)
            .collect(),
        intent: match prompt.intent {
            Intent::Action => Some(spec::Intent::Action),
            Intent::Create => Some(spec::Intent::Create),
            Intent::Read => Some(spec::Intent::Read),
            Intent::Debug => Some(spec::Intent::Debug),
            Intent::Unknown => None,
        },
    }
}

/// Says whether a line has one of the words that weigh most.
pub(super) fn line_matcher(prompt: &Prompt) -> impl Fn(&str) -> bool + use<> {
    /// The lightest words of a long prompt are in every second line.
    const HEAVIEST: usize = 12;
    let wanted: HashSet<String> = prompt.words.iter().take(HEAVIEST).map(|word| word.text.clone()).collect();
    let quoted = prompt.quoted.clone();
    move |line: &str| {
        let mut hit = quoted.iter().any(|quoted| quoted.len() > 2 && line.contains(quoted.as_str()));
        if !hit && line.len() < 2_000 {
            words::split(line, &mut |word| hit = hit || wanted.contains(word));
        }
        hit
    }
}

/// Whether a mention is this file: its path, or the end of it behind a `/`.
fn is_named(file: &str, mention: &str) -> bool {
    file == mention
        || (!mention.is_empty() && file.strip_suffix(mention).is_some_and(|front| front.ends_with('/')))
}
