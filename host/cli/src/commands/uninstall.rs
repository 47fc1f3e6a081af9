//! `ctxhost uninstall`: takes ctxhost out of an agent's settings again.

use ctxhost::Surroundings;

use super::install::{Words, carry_out, of_place};
use crate::{
    args::{AgentName, UninstallArgs},
    exit::{Code, Failure},
    install,
    output::Output,
};

pub(crate) fn run(args: &UninstallArgs, output: &mut Output<'_>) -> Result<Code, Failure> {
    let surroundings = Surroundings::of_process(None);
    let plan = of_place(&args.place, None, &surroundings, install::uninstall)?;
    let next = match args.place.agent {
        AgentName::Pi => "next: type /reload in Pi, or start it anew",
        AgentName::ClaudeCode => "next: start Claude Code anew",
        AgentName::Codex => "next: start Codex anew",
    };
    let words = Words { done: "taken out of", nothing: "nothing of ctxhost's is installed", next };
    carry_out(plan, &args.place, &words, &[], output)
}
