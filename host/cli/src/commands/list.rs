//! `ctxhost list`: the providers that are found; runs no provider's code.

use ctxhost::{
    Host, Surroundings,
    discover::{Candidate, Origin, State},
};
use serde_json::{Value, json};

use crate::{
    args::ListArgs,
    exit::{Code, Failure},
    output::Output,
};

pub(crate) fn run(args: &ListArgs, output: &mut Output<'_>) -> Result<Code, Failure> {
    let cwd = super::working_directory(args.cwd.as_deref())?;
    let host = Host::builder(Surroundings::of_process(None)).cwd(cwd).build();
    if args.json {
        let providers: Vec<Value> = host.candidates().iter().map(document).collect();
        output.json(&json!({"v": 1, "providers": providers, "findings": host.findings()}));
    } else {
        if !host.candidates().is_empty() {
            let header =
                ["PROVIDER", "VERSION", "SPEC", "ABI", "TRUST", "STATE", "FILE"].map(str::to_owned).to_vec();
            let rows: Vec<_> = std::iter::once(header).chain(host.candidates().iter().map(row)).collect();
            output.table(&rows);
        }
        output.findings(host.findings());
    }
    Ok(if host.candidates().is_empty() { Code::NotFound } else { Code::Ok })
}

fn row(candidate: &Candidate) -> Vec<String> {
    let note = &candidate.note;
    let file = candidate.path.display().to_string();
    vec![
        note.id.clone(),
        note.version.clone(),
        note.spec.clone(),
        note.abi.clone(),
        trust(candidate).to_owned(),
        state(candidate),
        file,
    ]
}

fn trust(candidate: &Candidate) -> &'static str {
    match candidate.origin {
        Origin::Bundled => "bundled",
        Origin::ThirdParty => "third-party",
    }
}

fn state(candidate: &Candidate) -> String {
    match &candidate.state {
        State::Ready => "ready".to_owned(),
        State::Disabled => "switched off".to_owned(),
        State::Shadowed { by } => format!("shadowed by {}", by.display()),
    }
}

fn document(candidate: &Candidate) -> Value {
    json!({"note": candidate.note, "file": candidate.path, "trust": trust(candidate), "state": state(candidate)})
}
