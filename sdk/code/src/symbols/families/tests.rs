use std::collections::BTreeSet;

use super::{compiled::Compiled, *};

#[test]
fn every_row_can_be_used_and_no_language_is_in_two() {
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for row in rows::all() {
        if let Err(error) = Compiled::new(row) {
            wrong.push(format!("{:?}: {error}", row.languages));
        }
        for id in row.languages {
            if Language::of_id(id).is_none() || !seen.insert(*id) {
                wrong.push((*id).to_owned());
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(seen.len() >= 180, "{}", seen.len());
}
