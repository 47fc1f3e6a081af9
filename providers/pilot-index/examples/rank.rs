//! Ranks the rows of an evaluation with the real index: `rank GIT_DIR ROWS EXTENSIONS OUT GRAMMARS`.
//!
//! For each row the commit's parent is checked out into a clone of its own, the project is brought up to date as after
//! any switch of branches, and the row's message is asked. `evaluation/README.md` says what the rows are. Nothing is
//! written to the repository itself.
//!
//! Beside our symbols it writes those of a floor: plain BM25 over the text of every symbol of the same index, without
//! files, fields, signals and stems' weights.

use std::{
    collections::HashMap,
    error::Error,
    fmt::Write as _,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
    time::{Instant, SystemTime},
};

use ctxhost_code::{
    bm25f::{Bm25f, inverse_frequency, saturate},
    grammar::Grammars,
    project::{Pace, Project, ProjectSettings},
    symbols::Symbol,
    walk, words,
};
use pilot_index::ranking::{Context, Corpus, Filter, Indexed, Prompt, rank_files, rank_symbols};
use serde_json::{Value, json};

type Fallible<T> = Result<T, Box<dyn Error>>;

/// So many files are ranked before others than the candidates are dropped.
const FILES: usize = 400;

/// So many files are written.
const WRITTEN: usize = 60;

/// What `score.py` counts of symbols.
const SYMBOLS: usize = 30;

fn main() -> Fallible<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [git, rows, extensions, out, grammars, ..] = arguments.as_slice() else {
        return Err("rank GIT_DIR ROWS EXTENSIONS OUT GRAMMARS".into());
    };
    let scratch = tempfile::tempdir()?;
    let root = scratch.path().join("tree");
    run(Command::new("git").args(["clone", "-q", "--shared", "--no-checkout", git]).arg(&root))?;
    // Mirrors lack their largest files, which are archives.
    run(Command::new("git").arg("-C").arg(&root).args(["config", "core.sparseCheckout", "true"]))?;
    fs::write(root.join(".git/info/sparse-checkout"), "/*\n!*.gz\n!*.xz\n!*.zip\n!*.jar\n!*.bin\n")?;
    let settings = ProjectSettings {
        cache: Some(scratch.path().join("cache")),
        ..ProjectSettings::new(Grammars::new(vec![PathBuf::from(grammars)]))
    };
    let project = Project::open(&root, settings)?;
    let suffixes: Vec<String> = extensions.split(',').map(|extension| format!(".{extension}")).collect();
    let mut out = fs::File::create(out)?;
    for row in fs::read_to_string(rows)?.lines() {
        let row: Value = serde_json::from_str(row)?;
        writeln!(out, "{}", answer(&project, &root, &row, &suffixes)?)?;
    }
    Ok(())
}

fn run(command: &mut Command) -> Fallible<()> {
    let status = command.status()?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
}

fn text<'a>(row: &'a Value, key: &str) -> Fallible<&'a str> {
    row[key].as_str().ok_or_else(|| format!("a row has no {key}").into())
}

/// Checks out a row's parent, asks, and gives what is written for it.
fn answer(project: &Project, root: &Path, row: &Value, suffixes: &[String]) -> Fallible<Value> {
    let checkout = ["checkout", "-q", "--force", "--detach", text(row, "parent")?];
    run(Command::new("git").arg("-C").arg(root).args(checkout))?;
    project.sync(SystemTime::now());
    let updated = project.update(Pace::Now, &|| false, &mut |_, _| {});
    let view = project.view();
    if !view.is_complete() {
        return Err(format!("the index is not complete: {updated:?}").into());
    }
    let begin = Instant::now();
    let corpus = Indexed::new(&view, |file| {
        let mut bytes = fs::read(root.join(file.path())).ok()?;
        bytes.truncate(usize::try_from(file.bytes()).ok()?);
        Some(bytes)
    });
    let prompt = Prompt::read(text(row, "message")?);
    let filter = Filter::default();
    let files = rank_files(&corpus, &prompt, &filter, FILES)?;
    let files_ms = begin.elapsed().as_secs_f64() * 1000.0;
    let context = Context { recent: &[], filter: &filter, depth: 2, limit: SYMBOLS, stop: &|| false };
    let symbols = rank_symbols(&corpus, &prompt, &files, &context)?;
    let ms = begin.elapsed().as_secs_f64() * 1000.0;
    let path = |doc| corpus.file(doc).map_or("", |file| file.path);
    let candidates = files.iter().map(|file| path(file.doc));
    let candidates = candidates.filter(|path| suffixes.iter().any(|suffix| path.ends_with(suffix.as_str())));
    let mut found = Vec::new();
    for ranked in &symbols {
        let extracted = corpus.extracted(ranked.place.doc)?;
        let symbol = extracted.symbols.get(ranked.place.symbol as usize).ok_or("a symbol is gone")?;
        let source = corpus.text(ranked.place.doc).ok_or("a file is gone")?;
        let mut why = String::new();
        for signal in ranked.signals.each() {
            write!(why, "{}={:.2}*{} ", signal.name, signal.value, signal.weight)?;
        }
        found.push(json!({
            "file": path(ranked.place.doc),
            "line": line(path(ranked.place.doc), symbol, &source),
            "name": symbol.qualified(),
            "why": why.trim_end(),
        }));
    }
    Ok(json!({
        "id": row["id"],
        "files": candidates.take(WRITTEN).collect::<Vec<_>>(),
        "ms": (ms * 10.0).round() / 10.0,
        "files_ms": (files_ms * 10.0).round() / 10.0,
        "symbols": view.reader.totals().symbols,
        "syms": found,
        "floor_syms": floor(&corpus, text(row, "message")?, suffixes)?,
    }))
}

/// A symbol of the floor: where it is, how often it holds each word, and how many words it has.
struct Counted {
    at: Value,
    counts: Vec<f64>,
    length: f64,
}

/// Ranks the text of every symbol that is not a test's by plain BM25.
fn floor(corpus: &impl Corpus, message: &str, suffixes: &[String]) -> Fallible<Vec<Value>> {
    let mut numbers = HashMap::new();
    for word in &Prompt::read(message).words {
        numbers.insert(word.text.clone(), numbers.len());
    }
    let mut all = Vec::new();
    for file in corpus.files().filter(|file| !walk::is_test(file.path)) {
        let Some(source) = corpus.text(file.doc) else { continue };
        if !suffixes.iter().any(|suffix| file.path.ends_with(suffix.as_str())) {
            continue;
        }
        for symbol in &corpus.extracted(file.doc)?.symbols {
            let span = symbol.span.bytes.start as usize..symbol.span.bytes.end as usize;
            let body = String::from_utf8_lossy(source.get(span).unwrap_or_default());
            let (mut counts, mut length) = (vec![0.0; numbers.len()], 0.0);
            words::split(&body, &mut |word| {
                length += 1.0;
                if let Some(number) = numbers.get(word) {
                    counts[*number] += 1.0;
                }
            });
            all.push(Counted {
                at: json!({"file": file.path, "line": line(file.path, symbol, &source)}),
                counts,
                length,
            });
        }
    }
    Ok(best(all, numbers.len()))
}

fn best(all: Vec<Counted>, words: usize) -> Vec<Value> {
    let formula = Bm25f::default();
    let average = all.iter().map(|one| one.length).sum::<f64>() / all.len().max(1) as f64;
    let rarity: Vec<f64> = (0..words)
        .map(|word| all.iter().filter(|one| one.counts[word] > 0.0).count())
        .map(|holding| inverse_frequency(all.len() as u32, holding as u32))
        .collect();
    let score = |one: &Counted| -> f64 {
        let words = one.counts.iter().zip(&rarity);
        words.map(|(count, rarity)| rarity * saturate(*count, one.length, average, &formula)).sum()
    };
    let mut scored: Vec<(f64, Value)> = all.into_iter().map(|one| (score(&one), one.at)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().filter(|(score, _)| *score > 0.0).take(SYMBOLS).map(|(_, at)| at).collect()
}

/// The line that the rows count from: behind what stands before the definition where a grammar calls that a thing of its
/// own, attributes in Rust and decorators in Python.
fn line(path: &str, symbol: &Symbol, source: &[u8]) -> usize {
    let first = symbol.span.first_line as usize;
    let mark = match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "rs" => "#[",
        "py" => "@",
        _ => return first,
    };
    let (start, end) = (symbol.span.bytes.start as usize, symbol.signature_end as usize);
    let text = String::from_utf8_lossy(source.get(start..end).unwrap_or_default()).into_owned();
    let is_own = |line: &str| line.contains(&symbol.name) && !line.trim_start().starts_with(mark);
    first + text.lines().position(is_own).unwrap_or(0)
}
