//! Ranks the rows of an evaluation with the real index: `rank GIT_DIR ROWS EXTENSIONS OUT GRAMMARS [SCRATCH]`.
//!
//! For each row the commit's parent is checked out into a clone of its own, the project is brought up to date as after
//! any switch of branches, and the row's message is asked. `evaluation/README.md` says what the rows are. Nothing is
//! written to the repository itself.

use std::{
    error::Error,
    fmt::Write as _,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
    time::{Instant, SystemTime},
};

use ctxhost_code::{
    grammar::Grammars,
    project::{Pace, Project, ProjectSettings},
    symbols::Symbol,
};
use pilot_index::ranking::{Context, Corpus, Filter, Indexed, Prompt, rank_files, rank_symbols};
use serde_json::{Value, json};

type Fallible<T> = Result<T, Box<dyn Error>>;

/// So many files are ranked before others than the candidates are dropped.
const FILES: usize = 400;

/// So many files and symbols are written.
const WRITTEN: usize = 60;

fn main() -> Fallible<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [git, rows, extensions, out, grammars, ..] = arguments.as_slice() else {
        return Err("rank GIT_DIR ROWS EXTENSIONS OUT GRAMMARS".into());
    };
    let scratch = tempfile::tempdir()?;
    let root = scratch.path().join("tree");
    run(Command::new("git").args(["clone", "-q", "--shared", "--no-checkout", git]).arg(&root))?;
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
    let context = Context { recent: &[], filter: &filter, depth: 2, limit: WRITTEN };
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
            "line": line(symbol, &source),
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
    }))
}

/// The line that a symbol's name stands in, behind its attributes and decorators: the rows count from there.
fn line(symbol: &Symbol, source: &[u8]) -> usize {
    let (start, end) = (symbol.span.bytes.start as usize, symbol.signature_end as usize);
    let text = String::from_utf8_lossy(source.get(start..end).unwrap_or_default()).into_owned();
    let mut before = 0;
    for line in text.lines() {
        let trimmed = line.trim_start();
        let attribute = trimmed.starts_with("#[") || trimmed.starts_with('@');
        if !attribute && line.contains(&symbol.name) {
            return symbol.span.first_line as usize + before;
        }
        before += 1;
    }
    symbol.span.first_line as usize
}
