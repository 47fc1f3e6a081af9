//! Definitions by regular expressions, for languages without a grammar.
//!
//! Languages that write definitions alike are a *family*: a row of data that says how comments and texts look, which
//! lines define what, and how the end of a body is told. Comments and texts are blanked first, so that what stands in
//! them defines nothing; all places stay the same. Everything is done line by line and lines have a cap, so that time
//! grows with the text, whatever it holds.
//!
//! ```
//! use ctxhost_code::{language::Language, symbols::families};
//!
//! let perl = Language::of_id("perl").expect("a known language");
//! let found = families::extract(perl, "# Adds.\nsub add { my ($a, $b) = @_; $a + $b }\n").expect("a family");
//! assert_eq!(found.symbols[0].name, "add");
//! assert_eq!(found.symbols[0].doc, Some(0..7));
//! ```

mod assemble;
mod bodies;
mod compiled;
mod family;
mod finds;
mod rows;
mod scrub;
mod uses;

use std::borrow::Cow;

use super::{BYTES_CAP, Extracted, Method, Partial};
use crate::language::Language;

/// Says whether there is a family for a language.
pub fn covers(language: Language) -> bool {
    compiled::of(language).is_some()
}

/// Makes text of a file's bytes, with every place kept: what is no UTF-8 is blanked byte by byte.
pub fn text(source: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(source) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            let mut text = String::with_capacity(source.len());
            for chunk in source.utf8_chunks() {
                text.push_str(chunk.valid());
                text.extend(chunk.invalid().iter().map(|_| ' '));
            }
            Cow::Owned(text)
        }
    }
}

/// Finds the definitions, what they use and what the file imports; `None` where there is no family for the language.
pub fn extract(language: Language, source: &str) -> Option<Extracted> {
    let family = compiled::of(language)?;
    if source.len() > BYTES_CAP {
        let partial = Some(Partial::TooLarge);
        return Some(Extracted { method: Method::Family, partial, ..Extracted::default() });
    }
    let scrubbed = scrub::scrub(&family.row.lexis, source);
    let lines = finds::lines(&scrubbed.text);
    let (mut finds, imports) = finds::find(family, source, &scrubbed.text, &lines);
    bodies::end(family, &scrubbed.text, &lines, &mut finds);
    Some(assemble::assemble(family, source, &scrubbed, &lines, finds, imports))
}

#[cfg(test)]
mod tests;
