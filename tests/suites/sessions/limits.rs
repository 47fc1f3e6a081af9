//! What an agent can take is never exceeded, whoever says what at which event.

use std::sync::{Arc, Mutex};

use ctxhost::{
    Asking, Opening, Outcome,
    flow::Decided,
    protocol::envelope::{Decision, Insert, Life, Messages, Phase},
};
use ctxhost_sdk::prelude::*;
use proptest::prelude::*;

use super::scripted::*;

fn length(text: &str) -> (u64, u64) {
    (text.encode_utf16().count() as u64, text.len() as u64)
}

/// Everything that the model reads of an outcome.
fn texts(outcome: &Outcome) -> Vec<&str> {
    let mut texts = vec![outcome.injection.text.as_str(), outcome.call.text.as_str()];
    match &outcome.decision {
        Some(Decided::Guidance(text)) => texts.push(text),
        Some(Decided::Block { reason, .. }) => texts.push(reason),
        None => {}
    }
    let inserted = outcome.messages.iter().flat_map(|rewritten| &rewritten.insert);
    texts.extend(inserted.map(|inserted| inserted.injection.text.as_str()));
    texts
}

fn any_text() -> impl Strategy<Value = String> {
    // Two UTF-16 units and four bytes; one unit and three bytes; one and one.
    ("[a😀字\n]{1,200}", 1..4_usize).prop_map(|(text, times)| text.repeat(times))
}

fn any_section() -> impl Strategy<Value = Section> {
    let placement = prop_oneof![Just(Placement::Session), Just(Placement::Prompt), Just(Placement::Call)];
    ("[a-f]", placement, any_text(), any_text(), 0..=100_u8).prop_map(
        |(key, placement, long, short, priority)| {
            let section = section(&key, placement, &format!("{long}{short}"));
            section.body(short).priority(priority)
        },
    )
}

fn any_reply() -> impl Strategy<Value = Reply> {
    let decision = proptest::option::of((any::<bool>(), any_text(), any_text()));
    let insert = proptest::option::of(proptest::collection::vec((0..4_u64, "[a-f]"), 0..4));
    (proptest::collection::vec(any_section(), 0..4), decision, insert).prop_map(
        |(mut offered, decision, insert)| {
            let mut seen = std::collections::BTreeSet::new();
            offered.retain(|section| seen.insert(section.key.clone()));
            let decision = decision.map(|(block, reason, guidance)| Decision {
                block,
                reason: Some(reason),
                guidance: Some(guidance),
            });
            let place = |(before, key)| Insert { before, key };
            let messages = insert
                .map(|insert| Messages { keep: vec![0], insert: insert.into_iter().map(place).collect() });
            Reply { decision, messages, ..sections(&offered) }
        },
    )
}

fn any_can() -> impl Strategy<Value = Vec<&'static str>> {
    proptest::sample::subsequence(
        vec!["inject.prompt", "inject.session", "inject.call", "block", "rewrite"],
        0..=5,
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_text_of_an_event_together_keeps_both_limits_and_whatever_is_shown_was_said(
        events in proptest::collection::vec((0..6_usize, any_reply(), any_reply()), 1..6),
        can in any_can(),
        once in any::<bool>(),
        max_characters in proptest::option::of(0..4_000_u64),
        max_bytes in proptest::option::of(0..6_000_u64),
    ) {
        let said = Arc::new(Mutex::new([Reply::new(), Reply::new()]));
        let speaker = |index: usize| {
            let said = Arc::clone(&said);
            Script::new(move |_, _| Ok(lock(&said)[index].clone()))
        };
        let life = if once { Life::Once } else { Life::Long };
        let session = host_of_two(&speaker(0), &speaker(1)).session(Opening { life, ..opening(&can) });
        let asking = Asking { max_characters, max_bytes, ..Asking::default() };
        for (event, alpha, beta) in events {
            *lock(&said) = [alpha, beta];
            let event = match event {
                0 => start(),
                1 => prompt(""),
                2 => model_call(3),
                3 => before("read"),
                4 => after("read"),
                _ => compact(Phase::After),
            };
            let name = event.name();
            let outcome = session.prepare(event, &asking).deliver();
            let all: String = texts(&outcome).concat();
            let (characters, bytes) = length(&all);
            prop_assert!(max_characters.is_none_or(|most| characters <= most), "{name}: {characters} of {max_characters:?}: {all}");
            prop_assert!(max_bytes.is_none_or(|most| bytes <= most), "{name}: {bytes} of {max_bytes:?}: {all}");
            for placed in &outcome.injection.sections {
                prop_assert!(all.contains(&placed.body), "{name}: {} counts as shown: {all}", placed.key);
            }
        }
    }
}

#[test]
fn characters_are_utf16_units_and_bytes_are_bytes() {
    // 3,000 bytes, 1,000 UTF-16 units; and 4,000 bytes, 2,000 units of only 1,000 characters.
    for (text, units, bytes) in [("字".repeat(1_000), 1_000, 3_000), ("😀".repeat(1_000), 2_000, 4_000)] {
        let host = host(&Script::to("prompt", sections(&[section("s", Placement::Prompt, &text)])));
        let fits = |max_characters, max_bytes| {
            let asking = Asking { max_characters, max_bytes, ..Asking::default() };
            let session = host.session(opening(&["inject.prompt"]));
            !session.prepare(prompt(""), &asking).deliver().injection.sections.is_empty()
        };
        // The wrapper and the preamble have some 500.
        assert!(fits(Some(units + 600), None) && !fits(Some(units), None));
        assert!(fits(None, Some(bytes + 600)) && !fits(None, Some(bytes)));
        assert!(!fits(Some(units + 600), Some(bytes)) && !fits(Some(units), Some(bytes + 600)));
    }
}
