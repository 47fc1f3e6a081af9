//! What indexing is measured against: `yardstick FOLDER [GRAMMARS]` walks a folder, reads every file, parses it and runs
//! its language's symbol query on as many threads as there are cores, and keeps nothing.
//!
//! No index that looks at every file with these grammars can be faster, so what an index takes beyond this is what it
//! costs to keep and to find things again.  Without GRAMMARS the library beside the program's own folder is used.

use std::{
    env,
    error::Error,
    path::PathBuf,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use ctxhost_code::{
    grammar::Grammars,
    language,
    symbols::BYTES_CAP,
    walk::{WalkSettings, Walker},
};
use tree_sitter::{Parser, QueryCursor, StreamingIterator};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = env::args().skip(1);
    let folder = words.next().ok_or("usage: yardstick FOLDER [GRAMMARS]")?;
    let beside = || Some(env::current_exe().ok()?.parent()?.parent()?.to_owned());
    let place = words.next().map(PathBuf::from).or_else(beside).ok_or("where is the grammar library?")?;
    let grammars = Grammars::new(vec![place]);
    let folder = PathBuf::from(folder);
    let files: Vec<PathBuf> = Walker::new(&folder, WalkSettings::default())
        .walk()
        .files
        .into_iter()
        .map(|file| folder.join(file.path))
        .collect();
    let (next, parsed, matched) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        let (mut parser, mut cursor) = (Parser::new(), QueryCursor::new());
        while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let Ok(text) = std::fs::read(path) else { continue };
            let Some(language) = language::detect(&path.to_string_lossy(), &text) else { continue };
            let Ok(Some(grammar)) = grammars.get(language) else { continue };
            if text.len() > BYTES_CAP || parser.set_language(grammar.language()).is_err() {
                continue;
            }
            let Some(tree) = parser.parse(&text, None) else { continue };
            let mut matches = cursor.matches(grammar.query(), tree.root_node(), text.as_slice());
            while matches.next().is_some() {
                matched.fetch_add(1, Ordering::Relaxed);
            }
            parsed.fetch_add(1, Ordering::Relaxed);
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    println!(
        "{} files, {} parsed, {} matches, {threads} threads",
        files.len(),
        parsed.into_inner(),
        matched.into_inner()
    );
    Ok(())
}
