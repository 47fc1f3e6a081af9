//! Which code facts were made by.

use std::fs;

use ctxhost_code::project::Places;
use ctxhost_sdk::fnv1a;

/// To be counted up when facts are made or kept otherwise within one version of the crate.
const FORM: u32 = 6;

/// A number that is another one when the same files would give other facts: with another version of the crate or other
/// grammars.
pub(super) fn of(places: &Places) -> u64 {
    let mut text = format!("{FORM} {}", env!("CARGO_PKG_VERSION"));
    for place in &places.grammars {
        let mut files: Vec<String> = fs::read_dir(place)
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| {
                entry.path().extension().is_some_and(|end| end == "so" || end == "scm" || end == "dylib")
            })
            .map(|entry| {
                let stat = entry.metadata().map(|stat| (stat.len(), stat.modified().ok()));
                format!("{:?} {:?}", entry.path(), stat.ok())
            })
            .collect();
        files.sort();
        text += &files.join("\n");
    }
    fnv1a(text.as_bytes())
}
