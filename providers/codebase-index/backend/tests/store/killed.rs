//! The process is killed in mid-write, again and again: the file stays whole, and what comes of it in the end is what an
//! undisturbed process makes.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use ctxhost_index::store::{Sqlite, Store};
use rusqlite::{Connection, types::Value};

use super::*;

/// Names the file to the child.
const FILE: &str = "CTXHOST_INDEX_TEST_FILE";
const FILES: u64 = 120;
const OF_A_FILE: u32 = 3;
/// Chunks of one call; a file may be spread over two.
const BATCH: usize = 7;

/// Brings an index to its target, as a client would: by asking what is missing.
fn work(path: &Path) {
    let store = Sqlite::open(path).expect("a store");
    let generation = store.generation("model", 2).expect("a generation");
    let names: Vec<String> = (0..FILES).map(|number| format!("src/file{number}.rs")).collect();
    let listing: Vec<(&str, u64)> = names.iter().map(String::as_str).zip(1..).collect();
    let missing = store.sync(ORG, &state("api", Some("main"), "root", files(&listing)), NOW).expect("a sync");
    let mut chunks = Vec::new();
    for file in &missing.changed {
        let number = listing.iter().find(|(path, _)| *path == file.path).expect("one that was listed").1;
        for part in 0..OF_A_FILE {
            let content =
                format!("every word{number} {} part{part}", "filler words of some length ".repeat(60));
            let reference = Some("main".to_owned());
            let symbol = format!("part{part}");
            let file_chunks = Some(OF_A_FILE);
            chunks.push(Chunk {
                reference,
                file_chunks,
                ..chunk("api", &file.path, &symbol, number, &content)
            });
        }
    }
    for batch in chunks.chunks(BATCH) {
        index(&store, ORG, batch.to_vec()).expect("stored");
        embed(&store, generation, 5);
    }
    while embed(&store, generation, 100) > 0 {}
}

fn embed(store: &Sqlite, generation: i64, limit: usize) -> usize {
    let texts = store.unembedded(generation, limit).expect("texts");
    let vectors: Vec<_> = texts.iter().map(|(id, text)| (*id, vec![1.0, text.len() as f32])).collect();
    store.put_vectors(generation, &vectors).expect("stored");
    vectors.len()
}

/// What is run in a process of its own, by the test below; alone it does nothing.
#[test]
fn child() {
    if let Some(path) = env::var_os(FILE) {
        work(&PathBuf::from(path));
    }
}

/// Runs the child and kills it after a while; says whether it was done before.
fn run(path: &Path, patience: Duration) -> bool {
    let mut child = Command::new(env::current_exe().expect("this test"))
        .args(["--exact", "store::killed::child"])
        .env(FILE, path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a child");
    std::thread::sleep(patience);
    let done = child.try_wait().expect("a state").is_some_and(|status| status.success());
    child.kill().expect("killed");
    child.wait().expect("an end");
    done
}

/// Every table as a sorted list of rows, ids replaced by what they stand for.
fn rows(path: &Path) -> Vec<String> {
    let db = Connection::open(path).expect("the file");
    db.execute_batch("CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, words_1, instance)")
        .expect("the words");
    let queries = [
        "SELECT 'view', repo, reference, root, listed, latest FROM view",
        "SELECT 'file', f.path, w.hash, s.hash, f.hidden FROM file f JOIN blob w ON w.id = f.wanted LEFT JOIN blob s ON s.id = f.shown",
        "SELECT 'blob', path, name, hash, complete, expected FROM blob",
        "SELECT 'chunk', b.path, b.hash, t.symbol, t.content, c.lang, c.line_start, c.line_end
             FROM chunk c LEFT JOIN blob b ON b.id = c.blob LEFT JOIN text t ON t.id = c.text",
        "SELECT 'text', path, symbol, leaf, hex(hash), content FROM text",
        "SELECT 'vector', t.path, t.symbol, hex(v.vector) FROM vectors_1 v LEFT JOIN text t ON t.id = v.text",
        "SELECT 'term', v.term, v.col, v.offset, t.path, t.symbol FROM terms v LEFT JOIN text t ON t.id = v.doc",
        "SELECT 'waiting', generation, text FROM waiting",
        "SELECT 'progress', org, generation, complete FROM progress",
    ];
    let mut all = Vec::new();
    for query in queries {
        let mut select = db.prepare(query).expect(query);
        let columns = select.column_count();
        let mut rows = select.query([]).expect(query);
        while let Some(row) = rows.next().expect(query) {
            let values: Vec<Value> = (0..columns).map(|column| row.get(column).expect("a value")).collect();
            all.push(format!("{values:?}"));
        }
    }
    all.sort();
    all
}

/// The file is whole: for SQLite, for the words, and by our own rules.
fn check_whole(path: &Path) {
    let db = Connection::open(path).expect("the file");
    let count = |sql: &str| db.query_row(sql, [], |row| row.get::<_, i64>(0)).expect(sql);
    let verdict: String = db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("a verdict");
    assert_eq!(verdict, "ok");
    if count("SELECT count(*) FROM sqlite_schema WHERE name = 'words_1'") == 0 {
        return;
    }
    db.execute_batch("INSERT INTO words_1(words_1) VALUES ('integrity-check')").expect("whole words");
    for broken in [
        "SELECT count(*) FROM blob b WHERE complete <> ((SELECT count(*) FROM chunk c WHERE c.blob = b.id) = 3)",
        "SELECT count(*) FROM file WHERE shown IS NOT NULL AND shown NOT IN (SELECT id FROM blob WHERE complete)",
        "SELECT count(*) FROM file f JOIN blob b ON b.id = f.wanted WHERE b.complete AND f.shown IS NOT f.wanted",
        "SELECT count(*) FROM chunk WHERE text NOT IN (SELECT id FROM text)",
        "SELECT count(*) FROM text WHERE id NOT IN (SELECT text FROM chunk)",
        "SELECT (SELECT count(*) FROM text) - (SELECT count(*) FROM words_1_docsize)",
        "SELECT (SELECT count(*) FROM text) - (SELECT count(*) FROM vectors_1) - (SELECT count(*) FROM waiting)",
    ] {
        assert_eq!(count(broken), 0, "{broken}");
    }
}

#[test]
fn killed_in_mid_write_the_file_is_whole_and_ends_as_an_undisturbed_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let (clean, killed) = (folder.path().join("clean.sqlite"), folder.path().join("killed.sqlite"));
    let begun = Instant::now();
    work(&clean);
    let whole = begun.elapsed();
    let mut kills = 0;
    // Parts of what the whole work takes here, so that there are kills on a fast machine too; and longer each time, so that
    // it comes to an end on a slow one.
    while !run(&killed, whole / 20 + whole / 40 * kills) {
        kills += 1;
        if killed.exists() {
            check_whole(&killed);
        }
    }
    assert!(kills > 5, "killed only {kills} times: the work is too short to say anything");
    check_whole(&killed);
    let (clean, killed) = (rows(&clean), rows(&killed));
    assert!(clean.len() > 10_000, "{}", clean.len());
    assert!(clean == killed, "{:?}", clean.iter().zip(&killed).find(|(one, other)| one != other));
}
