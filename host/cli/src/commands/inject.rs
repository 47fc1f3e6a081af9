//! `ctxhost inject`: prints the injection for a prompt.

use std::io::{IsTerminal as _, Read};

use ctxhost::emit;

use crate::{
    args::{Format, InjectArgs},
    exit::{Code, Failure},
    output::Output,
};

pub(crate) fn run(args: &InjectArgs, stdin: &mut dyn Read, output: &mut Output<'_>) -> Result<Code, Failure> {
    let (outcome, _host) = super::ask(&args.prompt, stdin)?;
    match args.format {
        Format::Json => output.json(&emit::document(&outcome.injection, &outcome.findings)),
        Format::Text => {
            output.text(&outcome.injection.text);
            output.findings(&outcome.findings);
            if outcome.injection.text.is_empty()
                && outcome.findings.is_empty()
                && std::io::stdout().is_terminal()
            {
                output.note("no provider has anything to say about this prompt; `ctxhost doctor` says why");
            }
        }
    }
    output.flush();
    Ok(if args.prompt.strict && outcome.failed { Code::ProviderFailed } else { Code::Ok })
}
