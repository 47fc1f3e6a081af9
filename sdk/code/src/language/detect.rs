//! From a path and its first bytes to a language.

use std::borrow::Cow;

use super::{Language, ambiguous, head, table::table};

/// How many bytes of a file are looked at, at most: licences of a hundred lines still leave some code to see.
pub const HEAD: usize = 8 * 1024;

/// Names that are followed by a dot and a variant, such as `Dockerfile.dev`.
const VARIANTS: &[(&str, &str)] = &[
    (".env.", "dotenv"),
    ("Brewfile.", "ruby"),
    ("Containerfile.", "docker"),
    ("Dockerfile.", "docker"),
    ("GNUmakefile.", "makefile"),
    ("Gemfile.", "ruby"),
    ("Jenkinsfile.", "groovy"),
    ("Kconfig.", "kconfig"),
    ("Makefile.", "makefile"),
    ("Rakefile.", "ruby"),
    ("Vagrantfile.", "ruby"),
    ("dockerfile.", "docker"),
    ("makefile.", "makefile"),
];

/// Endings of files that are made into, or kept of, the file without the ending.
const COPIES: &[&str] =
    &[".bak", ".default", ".dist", ".example", ".in", ".orig", ".sample", ".template", ".tmpl"];

/// Gives the language of a file by its path and its first bytes, of which at most [`HEAD`] are looked at; an empty
/// `head` leaves the decision to the path alone.
///
/// In this order: what the text tells editors, the whole name, the extension (the longest first; where it has several
/// owners, the interpreter of the first line and then signs in the text decide), the interpreter, how the text begins,
/// and names with an ending such as `.in`. `None` is what nothing is known about.
pub fn detect(path: &str, head: &[u8]) -> Option<Language> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let whole = head.len() < HEAD;
    let text = head::text(&head[..head.len().min(HEAD)]);
    head::modeline(&text, whole)
        .or_else(|| by_name(name, &text))
        .or_else(|| head::interpreted(&text).first().copied())
        .or_else(|| head::beginning(&text))
}

fn by_name(name: &str, text: &str) -> Option<Language> {
    let variant = || VARIANTS.iter().find(|(start, _)| name.starts_with(start));
    let copied = || COPIES.iter().find_map(|ending| name.strip_suffix(ending));
    table()
        .with_filename(name)
        .or_else(|| by_extension(name, text))
        .or_else(|| variant().and_then(|(_, id)| table().of_id(id)))
        .or_else(|| copied().and_then(|original| by_name(original, text)))
}

fn by_extension(name: &str, text: &str) -> Option<Language> {
    // `.C` has always been C++ on systems that tell the cases apart; a name all in capitals comes from one that does not.
    if name.ends_with(".C") && name.chars().any(char::is_lowercase) {
        return table().of_id("cpp");
    }
    let name = lower(name);
    let endings = name.match_indices('.').map(|(dot, _)| &name[dot + 1..]);
    endings.filter(|ending| !ending.is_empty()).find_map(|ending| of_extension(ending, text))
}

fn of_extension(extension: &str, text: &str) -> Option<Language> {
    match table().with_extension(extension) {
        [] => None,
        [only] => Some(*only),
        several => {
            let run = head::interpreted(text).iter().find(|language| several.contains(language));
            run.copied().or_else(|| ambiguous::choose(extension, text)).or_else(|| several.first().copied())
        }
    }
}

fn lower(name: &str) -> Cow<'_, str> {
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}
