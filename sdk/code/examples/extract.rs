//! Measures extraction: `extract FOLDER GRAMMARS [THREADS] [ROUNDS] [whole]` reads every file of a folder that there is a
//! grammar for, then parses, parses and queries, and extracts each (or only extracts), and prints what each took.

use std::{
    env,
    error::Error,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Instant,
};

use ctxhost_code::{
    grammar::{Grammar, Grammars},
    language::{self, Language},
    symbols::{BYTES_CAP, Extractor},
};
use tree_sitter::{Parser, QueryCursor, StreamingIterator};

struct File {
    language: Language,
    grammar: &'static Grammar,
    text: Vec<u8>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = env::args().skip(1);
    let folder = words.next().ok_or("which folder?")?;
    let place = words.next().ok_or("where is the grammar library?")?;
    let threads = words.next().map_or(Ok(2), |word| word.parse())?;
    let rounds: usize = words.next().map_or(Ok(3), |word| word.parse())?;
    let only_whole = words.next().is_some();
    let grammars = Grammars::new(vec![PathBuf::from(place)]);
    let start = Instant::now();
    let mut files = Vec::new();
    read(Path::new(&folder), &grammars, &mut files)?;
    let bytes: usize = files.iter().map(|file| file.text.len()).sum();
    println!(
        "{} files, {:.1} MB, read and queries compiled in {:.2?}",
        files.len(),
        bytes as f64 / 1e6,
        start.elapsed()
    );
    for _ in 0..rounds {
        if only_whole {
            let whole = extract(threads, &files, &grammars);
            println!("whole {:.3} s ({} symbols)", whole.0, whole.1);
            continue;
        }
        let parse = time(threads, &files, || {
            let mut parser = Parser::new();
            move |file: &File| tree_of(&mut parser, file).map_or(0, |_| 1)
        });
        let query = time(threads, &files, || {
            let (mut parser, mut cursor) = (Parser::new(), QueryCursor::new());
            move |file: &File| {
                let Some(tree) = tree_of(&mut parser, file) else { return 0 };
                let mut matches =
                    cursor.matches(file.grammar.query(), tree.root_node(), file.text.as_slice());
                let mut count = 0;
                while matches.next().is_some() {
                    count += 1;
                }
                count
            }
        });
        let whole = extract(threads, &files, &grammars);
        println!(
            "parse {:.3} s, parse and query {:.3} s ({} matches), whole {:.3} s ({} symbols): {:.2} of parse and query",
            parse.0,
            query.0,
            query.1,
            whole.0,
            whole.1,
            whole.0 / query.0
        );
    }
    Ok(())
}

fn extract(threads: usize, files: &[File], grammars: &Grammars) -> (f64, usize) {
    let partial = AtomicUsize::new(0);
    let took = time(threads, files, || {
        let (mut extractor, partial) = (Extractor::new(grammars), &partial);
        move |file: &File| {
            let found = extractor.extract(Some(file.language), &file.text);
            partial.fetch_add(usize::from(found.partial.is_some()), Ordering::Relaxed);
            found.symbols.len()
        }
    });
    println!("{} files in part only", partial.into_inner());
    took
}

fn tree_of(parser: &mut Parser, file: &File) -> Option<tree_sitter::Tree> {
    parser.set_language(file.grammar.language()).ok()?;
    parser.parse(&file.text, None)
}

fn time<W: FnMut(&File) -> usize>(
    threads: usize,
    files: &[File],
    worker: impl Fn() -> W + Sync,
) -> (f64, usize) {
    let (next, total) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let start = Instant::now();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut work = worker();
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    total.fetch_add(work(file), Ordering::Relaxed);
                }
            });
        }
    });
    (start.elapsed().as_secs_f64(), total.into_inner())
}

fn read(folder: &Path, grammars: &Grammars, files: &mut Vec<File>) -> Result<(), Box<dyn Error>> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            read(&path, grammars, files)?;
            continue;
        }
        let text = std::fs::read(&path)?;
        let Some(language) = language::detect(&path.to_string_lossy(), &text) else { continue };
        let Some(grammar) = grammars.get(language)? else { continue };
        if text.len() <= BYTES_CAP {
            files.push(File { language, grammar, text });
        }
    }
    Ok(())
}
