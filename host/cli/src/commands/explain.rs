//! `ctxhost explain`: what became of each provider and section, and why.

use std::io::Read;

use ctxhost::{Outcome, finding::FindingExt};
use serde_json::{Value, json};

use crate::{
    args::ExplainArgs,
    exit::{Code, Failure},
    output::Output,
};

pub(crate) fn run(
    args: &ExplainArgs,
    stdin: &mut dyn Read,
    output: &mut Output<'_>,
) -> Result<Code, Failure> {
    // What is explained is not shown to an agent, so no session remembers it.
    let (prepared, _host) = super::ask(&args.prompt, true, stdin)?;
    let outcome = &prepared.outcome;
    if args.json {
        output.json(&document(outcome));
    } else {
        output.table(&rows(outcome));
        let injection = &outcome.injection;
        output.text(&format!(
            "\n{} of {} tokens (estimated); the limit is {}",
            injection.tokens, injection.limit.tokens, injection.limit.bound
        ));
        explanations(outcome, output);
        output.findings(&outcome.findings);
    }
    output.flush()?;
    Ok(super::verdict(&args.prompt, outcome))
}

/// Each provider's own words about why.
fn explanations(outcome: &Outcome, output: &mut Output<'_>) {
    for trace in outcome.trace.iter().filter(|trace| !trace.explanation.is_empty()) {
        output.text(&format!("\n{}:", trace.provider));
        for line in &trace.explanation {
            output.foreign(&format!("  {line}"));
        }
    }
}

fn rows(outcome: &Outcome) -> Vec<Vec<String>> {
    let header =
        ["PROVIDER", "STEP", "MS", "SECTION", "TOKENS", "WHAT BECAME OF IT"].map(str::to_owned).to_vec();
    let mut rows = vec![header];
    for trace in &outcome.trace {
        let ms = format!("{:.1}", trace.elapsed.as_secs_f64() * 1000.0);
        let row = |section: &str, tokens: String, fate: String| {
            vec![trace.provider.clone(), trace.step.clone(), ms.clone(), section.to_owned(), tokens, fate]
        };
        let before = rows.len();
        for placed in outcome.injection.sections.iter().filter(|placed| placed.provider == trace.provider) {
            let (index, count) = placed.variant;
            let size = if count > 1 { format!(", size {} of {count}", index + 1) } else { String::new() };
            let old = if placed.supersedes.is_some() { ", supersedes an earlier one" } else { "" };
            rows.push(row(&placed.key, placed.tokens.to_string(), format!("kept{size}{old}")));
        }
        for dropped in outcome.injection.dropped.iter().filter(|dropped| dropped.provider == trace.provider) {
            rows.push(row(&dropped.key, "-".to_owned(), format!("dropped: {}", dropped.reason)));
        }
        if rows.len() == before {
            let fate = trace.finding.as_ref().map_or_else(
                || {
                    outcome
                        .injection
                        .status
                        .get(&trace.provider)
                        .and_then(|status| status.detail.clone())
                        .map_or_else(
                            || "offered no section".to_owned(),
                            |detail| format!("offered no section: {}", detail.replace('\n', " ")),
                        )
                },
                |finding| finding.message.clone(),
            );
            rows.push(row("-", "-".to_owned(), fate));
        }
    }
    rows
}

fn document(outcome: &Outcome) -> Value {
    let injection = &outcome.injection;
    let sections: Vec<Value> = injection
        .sections
        .iter()
        .map(|placed| {
            json!({
                "provider": placed.provider, "key": placed.key, "tokens": placed.tokens, "id": placed.id,
                "size": placed.variant.0 + 1, "sizes": placed.variant.1, "supersedes": placed.supersedes,
            })
        })
        .collect();
    let dropped: Vec<Value> = injection.dropped.iter()
        .map(|dropped| json!({"provider": dropped.provider, "key": dropped.key, "reason": dropped.reason.to_string()})).collect();
    let providers: Vec<Value> = outcome
        .trace
        .iter()
        .map(|trace| {
            json!({
                "provider": trace.provider, "step": trace.step, "ms": trace.elapsed.as_secs_f64() * 1000.0,
                "data": trace.data, "explanation": trace.explanation, "failure": trace.finding.as_ref().map(FindingExt::line),
            })
        })
        .collect();
    json!({
        "v": 1, "tokens": injection.tokens,
        "limit": {"tokens": injection.limit.tokens, "characters": injection.limit.characters, "bound": injection.limit.bound.to_string()},
        "providers": providers, "sections": sections, "dropped": dropped, "status": injection.status, "findings": outcome.findings,
    })
}
