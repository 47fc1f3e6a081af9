//! The whole index as text, the same for equal trees however they came about.

use super::{Case, File, IndexError, Reader, names};
use std::io::{self, Write};

/// Writes everything that the index holds of living documents: files by path, then words, then names.
///
/// Two indexes of the same files give the same bytes, whatever was added, changed, removed and merged before.
///
/// # Errors
/// When the index is broken or cannot be read, or `to` takes no more.
pub fn export(reader: &Reader, to: &mut impl Write) -> Result<(), IndexError> {
    let written = |source| IndexError::Write { file: "the export".to_owned(), source };
    let mut files: Vec<File<'_>> = reader.files().collect();
    files.sort_by_key(File::path);
    for file in &files {
        let extracted = reader.extracted(file.doc)?;
        write_file(to, file).map_err(written)?;
        writeln!(to, "{:#?}", extracted.unwrap_or_default()).map_err(written)?;
    }
    for word in reader.words()? {
        let lines =
            reader.postings(&word)?.into_iter().map(|found| (found.doc, format!("{:?}", found.counts)));
        write_lines(to, reader, &word, lines).map_err(written)?;
    }
    for key in reader.names()? {
        let (_, name) = names::of_key(&key);
        let definitions = reader.definitions_of(name, Case::Exact)?;
        let lines = definitions.into_iter().map(|found| (found.doc, format!("defined {}", found.symbol)));
        write_lines(to, reader, name, lines).map_err(written)?;
        let uses = reader.references(name, Case::Exact)?;
        let lines =
            uses.into_iter().map(|found| (found.doc, format!("used {:?} {}", found.symbol, found.count)));
        write_lines(to, reader, name, lines).map_err(written)?;
    }
    Ok(())
}

fn write_file(to: &mut impl Write, file: &File<'_>) -> io::Result<()> {
    write!(to, "{:?} ", file.path())?;
    file.hash().iter().try_for_each(|byte| write!(to, "{byte:02x}"))?;
    let language = file.language().map_or("-", |language| language.id());
    let (test, generated) = (file.is_test(), file.is_generated());
    writeln!(to, " {language} {} {} {test} {generated} {:?}", file.bytes(), file.lines(), file.lengths())
}

/// Writes what is known of a key, by path; nothing when no living document has it.
fn write_lines(
    to: &mut impl Write,
    reader: &Reader,
    key: &str,
    lines: impl Iterator<Item = (u32, String)>,
) -> io::Result<()> {
    let mut lines: Vec<(&str, String)> =
        lines.filter_map(|(doc, line)| Some((reader.file(doc)?.path(), line))).collect();
    // Stable: what one file says stays in its order.
    lines.sort_by_key(|(path, _)| *path);
    lines.into_iter().try_for_each(|(path, line)| writeln!(to, "{key:?} {path:?} {line}"))
}
