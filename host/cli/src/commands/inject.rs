//! `ctxhost inject`: prints the injection for a prompt.

use std::io::Read;

use ctxhost::emit;

use crate::{
    args::{Format, InjectArgs},
    exit::{Code, Failure},
    output::Output,
};

pub(crate) fn run(args: &InjectArgs, stdin: &mut dyn Read, output: &mut Output<'_>) -> Result<Code, Failure> {
    let (prepared, host) = super::ask(&args.prompt, false, stdin)?;
    let outcome = &prepared.outcome;
    match args.format {
        Format::Json => output.json(&emit::document(&outcome.injection, &outcome.findings)),
        Format::Text => {
            output.text(&outcome.injection.text);
            output.findings(&outcome.findings);
            if outcome.injection.text.is_empty() && outcome.findings.is_empty() && output.terminal {
                output.note("no provider has anything to say about this prompt; `ctxhost doctor` says why");
            }
        }
    }
    let code = super::verdict(&args.prompt, outcome);
    // Only what was really written is remembered as shown.
    output.flush()?;
    output.findings(&prepared.delivered());
    drop(host);
    Ok(code)
}
