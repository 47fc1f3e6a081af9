//! Measures the store on real code: `cargo run --release -p ctxhost-index --example measure_store -- FOLDER CHUNKS`.
//!
//! It cuts the Rust files below the folder into windows of 40 lines, brings them in as a client would, and asks the doc
//! comments that it met, which are sentences about the code.

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use ctxhost_index::{
    rank::{self, Question},
    store::{Sqlite, Store},
};
use ctxhost_protocol::codebase_index::{
    Chunk, FileHash, IndexRequest, RepoState, SearchRequest, SyncRequest,
};

const WINDOW: usize = 40;
const BATCH: usize = 64;
const QUESTIONS: usize = 200;
const DIMENSION: usize = 384;
const ORG: &str = "measured";

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("name a folder of code")?);
    let count = arguments.next().ok_or("name a number of chunks")?.parse()?;
    let (chunks, questions) = corpus(&folder, count)?;
    println!("{} chunks of {} bytes each, {} questions", chunks.len(), mean(&chunks), questions.len());
    let place = folder_of_our_own()?;
    let path = place.join("index.sqlite");
    let store = Sqlite::open(&path)?;
    write(&store, &chunks)?;
    unchanged(&store, &chunks)?;
    ask(&store, "lexical", &questions, None)?;
    let generation = vectors(&store)?;
    ask(&store, "hybrid", &questions, Some(generation))?;
    println!("file: {} MB", fs::metadata(&path)?.len() / 1_000_000);
    Ok(fs::remove_dir_all(place)?)
}

fn folder_of_our_own() -> Outcome<PathBuf> {
    let place = std::env::temp_dir().join(format!("ctxhost-index-measured-{}", std::process::id()));
    fs::create_dir(&place)?;
    Ok(place)
}

fn mean(chunks: &[Chunk]) -> usize {
    chunks.iter().map(|chunk| chunk.content.len()).sum::<usize>() / chunks.len().max(1)
}

/// Chunks, and the doc comments in them that are sentences.
fn corpus(folder: &Path, count: usize) -> Outcome<(Vec<Chunk>, Vec<String>)> {
    let (mut chunks, mut questions) = (Vec::new(), Vec::new());
    let mut open = vec![folder.to_owned()];
    while let Some(place) = open.pop() {
        for entry in fs::read_dir(place)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") && chunks.len() < count {
                let Ok(text) = fs::read_to_string(&path) else { continue };
                let name = path.strip_prefix(folder)?.to_string_lossy().into_owned();
                let sentences = text.lines().filter_map(|line| line.trim().strip_prefix("/// "));
                questions.extend(sentences.filter(|line| line.split(' ').count() > 5).map(str::to_owned));
                cut(&name, &text, &mut chunks);
            }
        }
    }
    chunks.truncate(count);
    let step = questions.len() / QUESTIONS + 1;
    Ok((chunks, questions.into_iter().step_by(step).collect()))
}

fn cut(path: &str, text: &str, chunks: &mut Vec<Chunk>) {
    let lines: Vec<&str> = text.lines().collect();
    let count = lines.len().div_ceil(WINDOW);
    for (number, window) in lines.chunks(WINDOW).enumerate() {
        let mut content = window.join("\n");
        content.truncate(content.floor_char_boundary(10_000));
        chunks.push(Chunk {
            repo: "measured".to_owned(),
            path: path.to_owned(),
            symbol: format!("L{}", number * WINDOW + 1),
            lang: "rust".to_owned(),
            file_hash: Some(format!("{:064x}", path.len() * 1_000_003 + text.len())),
            file_chunks: u32::try_from(count).ok(),
            content,
            ..Chunk::default()
        });
    }
}

fn state(chunks: &[Chunk], root: &str, listed: bool) -> SyncRequest {
    let mut files: Vec<FileHash> = chunks
        .iter()
        .map(|chunk| FileHash { path: chunk.path.clone(), hash: chunk.file_hash.clone().unwrap_or_default() })
        .collect();
    files.dedup();
    let repo = RepoState {
        name: "measured".to_owned(),
        root_hash: root.to_owned(),
        files: listed.then_some(files),
        reference: None,
    };
    SyncRequest { repos: vec![repo] }
}

fn write(store: &Sqlite, chunks: &[Chunk]) -> Outcome<()> {
    let request = state(chunks, "root", true);
    let start = Instant::now();
    let missing = store.sync(ORG, &request, 0)?.changed.len();
    println!("first sync: {missing} files in {:?}", start.elapsed());
    let start = Instant::now();
    for batch in chunks.chunks(BATCH) {
        store.index(ORG, &IndexRequest { chunks: batch.to_vec(), remove: Vec::new() }, 0)?;
    }
    let took = start.elapsed();
    println!("index: {took:?}, {:.0} chunks/s", chunks.len() as f64 / took.as_secs_f64());
    Ok(())
}

fn unchanged(store: &Sqlite, chunks: &[Chunk]) -> Outcome<()> {
    for (name, listed) in [("root alone", false), ("with all files", true)] {
        let request = state(chunks, "root", listed);
        let mut all = Vec::new();
        for _ in 0..50 {
            let start = Instant::now();
            let missing = store.sync(ORG, &request, 0)?.changed.len();
            all.push(start.elapsed());
            // The last file may be cut short by the number of chunks.
            assert!(missing <= 1, "{missing} files are missing");
        }
        report(&format!("unchanged sync, {name}"), all);
    }
    Ok(())
}

fn vectors(store: &Sqlite) -> Outcome<i64> {
    let generation = store.generation("random", DIMENSION as u32)?;
    let start = Instant::now();
    loop {
        let texts = store.unembedded(generation, 256)?;
        if texts.is_empty() {
            break;
        }
        let vectors: Vec<_> = texts.iter().map(|(text, _)| (*text, vector(*text as u64))).collect();
        store.put_vectors(generation, &vectors)?;
    }
    println!("vectors: stored in {:?}", start.elapsed());
    Ok(generation)
}

/// Numbers without a pattern: how long a search takes does not depend on what they mean.
fn vector(seed: u64) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % 2_000) as f32 / 1_000.0 - 1.0
    };
    (0..DIMENSION).map(|_| next()).collect()
}

fn ask(store: &Sqlite, name: &str, questions: &[String], generation: Option<i64>) -> Outcome<()> {
    let mut all = Vec::new();
    for (number, query) in questions.iter().enumerate() {
        let request = SearchRequest { query: query.clone(), ..SearchRequest::default() };
        let vector = vector(number as u64);
        let question = generation.map(|generation| Question { generation, vector: &vector });
        let start = Instant::now();
        rank::search(store, ORG, &request, question)?;
        all.push(start.elapsed());
    }
    report(&format!("search, {name}"), all);
    Ok(())
}

fn report(name: &str, mut all: Vec<Duration>) {
    all.sort_unstable();
    let at = |part: usize| all.get(all.len() * part / 100).copied().unwrap_or_default();
    println!("{name}: p50 {:?}, p95 {:?}, {} times", at(50), at(95), all.len());
}
