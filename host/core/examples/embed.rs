//! Prints the injection for a prompt: `cargo run -p ctxhost --example embed -- FOLDER PROMPT`.
//!
//! It finds the providers that are installed, or those in `CTXHOST_PROVIDER_PATH`.
use std::{path::PathBuf, process::ExitCode};

use ctxhost::{Event, Host, Opening, Surroundings, finding::FindingExt as _};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(prompt)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: embed FOLDER PROMPT");
        return ExitCode::from(2);
    };
    let Ok(cwd) = PathBuf::from(folder).canonicalize() else {
        eprintln!("embed: there is no such folder");
        return ExitCode::from(2);
    };
    let host = Host::builder(Surroundings::of_process(None)).cwd(&cwd).build();
    let session = host.session(Opening::new(cwd).context_window(200_000));
    let outcome = session.event(Event::prompt(prompt));
    for finding in &outcome.findings {
        eprintln!("{}", finding.line());
    }
    print!("{}", outcome.injection.text);
    ExitCode::SUCCESS
}
