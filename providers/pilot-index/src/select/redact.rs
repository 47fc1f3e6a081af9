//! Secrets are taken out of whatever is stored.
//!
//! Several detectors look at the text, each in one pass; what any of them finds is replaced by a word that says what
//! stood there. A shape costs one row of data in `rows`.

mod addresses;
mod assignments;
mod blocks;
mod commands;
mod entropy;
mod headers;
mod names;
mod phrases;
mod prose;
mod rows;
mod tokens;

#[cfg(test)]
mod tests;

/// Where a secret stands, and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Found {
    start: usize,
    end: usize,
    /// The name of the row or detector.
    name: &'static str,
}

/// Gives a text without what looks like a secret.
pub(crate) fn redact(text: &str) -> String {
    redact_without(text, None)
}

/// The same without one row or detector, by which a test sees that it is needed.
fn redact_without(text: &str, off: Option<&str>) -> String {
    let mut found = Vec::new();
    blocks::find(text, &mut found);
    tokens::find(text, off, &mut found);
    assignments::find(text, &mut found);
    prose::find(text, &mut found);
    phrases::find(text, &mut found);
    commands::find(text, &mut found);
    addresses::find(text, &mut found);
    headers::find(text, &mut found);
    entropy::find(text, &mut found);
    found.retain(|found| off != Some(found.name));
    replace(text, found)
}

/// Replaces what was found; of several that overlap, the first one's name stands for all.
fn replace(text: &str, mut found: Vec<Found>) -> String {
    found.sort_by_key(|found| (found.start, usize::MAX - found.end));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for secret in found {
        if secret.end <= at {
            continue;
        }
        if secret.start >= at {
            out.push_str(&text[at..secret.start]);
            out.push_str(&mark(secret.name));
        }
        at = secret.end;
    }
    out.push_str(&text[at..]);
    out
}

/// What stands in a secret's place: one word, which no detector takes for a secret.
fn mark(name: &str) -> String {
    format!("[redacted:{name}]")
}
