//! A made-up project: a few texts, in which every line that begins with `fn`, `pub fn` or `struct` defines something up to
//! the next empty line, and a line before it that begins with `///` documents it.

use std::cell::RefCell;

use ctxhost_code::{
    bm25f::Lengths,
    index::{Case, Document, IndexError, Posting, Reader, Writer, count},
    language,
    symbols::{Extracted, Kind, Reference, Span, Symbol, Visibility},
    walk, words,
};

use super::{Corpus, FileFacts, Place};

/// A project in memory.
pub(crate) struct Fake {
    reader: Reader,
    texts: Vec<(String, String)>,
    /// The words that were asked for.
    pub(crate) asked: RefCell<Vec<String>>,
}

impl Fake {
    /// Makes a project of paths and texts.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let mut writer = Writer::in_memory(1);
        writer.add(files.iter().map(|(path, text)| document(path, text))).expect("memory does not fail");
        writer.commit().expect("memory does not fail");
        let texts = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        Self { reader: writer.reader(), texts, asked: RefCell::default() }
    }

    /// The path of a document.
    pub(crate) fn path(&self, doc: u32) -> String {
        self.reader.file(doc).expect("a known document").path().to_owned()
    }
}

fn document(path: &str, text: &str) -> Document {
    let language = language::detect(path, text.as_bytes());
    let generated = path.starts_with("vendor/");
    count(path, text.as_bytes(), language, walk::is_test(path), generated, [0; 32], extract(text))
}

fn extract(text: &str) -> Extracted {
    let (mut extracted, mut at, mut doc) = (Extracted::default(), 0, None);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let begin = at;
        at += line.len();
        let rest = ["fn ", "pub fn ", "struct "].iter().find_map(|start| line.strip_prefix(start));
        if line.starts_with("///") {
            doc = Some(begin as u32..at as u32);
        }
        let Some(rest) = rest else { continue };
        let name: String =
            rest.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
        let end = text[begin..].find("\n\n").map_or(text.len(), |length| begin + length);
        let lines = text[begin..end].lines().count() as u32;
        extracted.symbols.push(Symbol {
            name,
            owner: String::new(),
            kind: if line.starts_with("struct") { Kind::Struct } else { Kind::Function },
            visibility: if line.starts_with("pub") { Visibility::Public } else { Visibility::Private },
            span: Span {
                bytes: begin as u32..end as u32,
                first_line: number as u32 + 1,
                last_line: number as u32 + lines,
            },
            signature_end: at as u32,
            doc: doc.take(),
        });
    }
    for (at, symbol) in extracted.symbols.iter().enumerate() {
        let body =
            &text[symbol.signature_end as usize..symbol.span.bytes.end.max(symbol.signature_end) as usize];
        words::identifiers(body, &mut |name| {
            let reference = Reference { name: name.to_owned(), symbol: Some(at as u32), count: 1 };
            if !extracted.references.contains(&reference) {
                extracted.references.push(reference);
            }
        });
    }
    extracted
}

impl Corpus for Fake {
    fn lengths(&self) -> Lengths {
        Lengths { documents: self.reader.totals().files, average: self.reader.average_lengths() }
    }

    fn files(&self) -> impl Iterator<Item = FileFacts<'_>> {
        self.reader.files().filter_map(|file| self.file(file.doc))
    }

    fn file(&self, doc: u32) -> Option<FileFacts<'_>> {
        let file = self.reader.file(doc)?;
        Some(FileFacts {
            doc,
            path: file.path(),
            language: file.language(),
            test: file.is_test(),
            generated: file.is_generated(),
            lengths: file.lengths(),
        })
    }

    fn postings(&self, word: &str) -> Result<Vec<Posting>, IndexError> {
        self.asked.borrow_mut().push(word.to_owned());
        self.reader.postings(word)
    }

    fn extracted(&self, doc: u32) -> Result<Extracted, IndexError> {
        Ok(self.reader.extracted(doc)?.unwrap_or_default())
    }

    fn definitions(&self, name: &str, case: Case) -> Result<Vec<Place>, IndexError> {
        let found = self.reader.definitions(name, case)?;
        Ok(found.iter().map(|found| Place { doc: found.doc, symbol: found.symbol }).collect())
    }

    fn frequency(&self, name: &str) -> Result<u32, IndexError> {
        self.reader.name_frequency(name, Case::Exact)
    }

    fn text(&self, doc: u32) -> Option<Vec<u8>> {
        let path = self.path(doc);
        self.texts.iter().find(|(known, _)| *known == path).map(|(_, text)| text.clone().into_bytes())
    }
}
