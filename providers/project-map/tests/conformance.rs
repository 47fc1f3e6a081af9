//! What every provider has to hold, and the scenario folders.

use std::{collections::BTreeSet, fs, path::Path};

use project_map::ProjectMap;

const SCENARIOS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenarios");

/// What the document wants integration tests of, in its own words, and the folder below `scenarios/behaviours` of each.
const BEHAVIOURS: [(&str, &str); 9] = [
    ("pre-init hint behavior", "pre-init-hint"),
    ("post-init root-pair preload", "post-init-root-pair-preload"),
    ("budgeted expansion behavior", "budgeted-expansion"),
    ("canonical-marker dedupe", "canonical-marker-dedupe"),
    ("reinjection after compaction", "reinjection-after-compaction"),
    ("reinjection after root-pair artifact changes", "reinjection-after-root-pair-changes"),
    ("mixed visibility behavior", "mixed-visibility"),
    ("guidance-mode differences", "guidance-mode-differences"),
    ("strict-mode bypass behavior", "strict-mode-bypass"),
];

#[test]
fn it_conforms() {
    ctxhost_testkit::conformance::<ProjectMap>();
}

#[test]
fn scenarios_hold() {
    ctxhost_testkit::scenarios::<ProjectMap>(SCENARIOS);
}

#[test]
fn the_nine_behaviours_of_the_document_hold() {
    let all = Path::new(SCENARIOS).join("behaviours");
    let fails = |(behaviour, folder): &(&str, &str)| {
        let failed = ctxhost_testkit::run_scenario::<ProjectMap>(&all.join(folder)).err();
        failed.map(|why| format!("{behaviour} ({folder}): {why}"))
    };
    let failures: Vec<String> = BEHAVIOURS.iter().filter_map(fails).collect();
    assert!(failures.is_empty(), "{} of 9 fail:\n{}", failures.len(), failures.join("\n"));
    let there = fs::read_dir(&all).expect("a folder").flatten();
    let there: BTreeSet<String> =
        there.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(there, BEHAVIOURS.iter().map(|(_, folder)| (*folder).to_owned()).collect());
}
