//! Words: how names and prose become what is looked up.
//!
//! [`split`] gives the words of a text. The same function serves the index and the question, so that
//! `read_timeout`, `readTimeout`, `ReadTimeout` and "read timeouts" meet. It runs over every byte of a repository and
//! allocates nothing.
//!
//! ```
//! let mut words = Vec::new();
//! ctxhost_code::words::split("HTTPServer.readTimeouts", &mut |word| words.push(word.to_owned()));
//! assert_eq!(words, ["http", "server", "httpserver", "read", "timeout", "readtimeout"]);
//! ```

mod letter;
mod memo;
mod scan;
mod stem;

use scan::Scanner;
pub use stem::stem;

/// The longest word in bytes, of parts and of whole identifiers alike: what is longer is data, not a name, and is left out.
pub const LONGEST: usize = 64;

/// Gives every word of a text to `each`, in the order of the text.
///
/// A name is cut at underscores, between a small and a capital letter, before the last capital of an acronym that a
/// small letter follows (`HTTPServer`), and between letters and digits; a number with a unit (`10ms`) stays whole. Every
/// part of at least two characters is a word, lower-cased and brought to its [`stem`]; so is the whole name without its
/// underscores when it has several parts (`utf8` gives `utf` and `utf8`). Latin letters lose their accents, since names
/// in code have none where the prose about them does. Scripts that put no spaces between words (Chinese, Japanese,
/// Thai …) and Korean give pairs of neighbouring characters instead. Everything else separates.
pub fn split(text: &str, each: &mut impl FnMut(&str)) {
    let mut scanner = Scanner::new(each);
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if letter::class(bytes[at]) == letter::Class::Other {
            at += 1;
        } else {
            at = scanner.name(text, at);
        }
    }
}

/// Gives every whole name of a text to `each`, unchanged and in order: letters, digits, `_` and `$`, not beginning
/// with a digit.
pub fn identifiers<'text>(text: &'text str, each: &mut impl FnMut(&'text str)) {
    let names = text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '$'));
    names.filter(|name| name.starts_with(|first: char| !first.is_ascii_digit())).for_each(each);
}

#[cfg(test)]
mod tests;
