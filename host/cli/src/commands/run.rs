//! `ctxhost run`: runs a provider's command for a person.

use ctxhost::{protocol::envelope::CommandReply, settings::Flags};

use crate::{
    args::RunArgs,
    exit::{Code, Failure},
    output::Output,
};

pub(crate) fn run(args: &RunArgs, output: &mut Output<'_>) -> Result<Code, Failure> {
    let args = &args
        .clone()
        .take_own()
        .map_err(|why| Failure::usage(format!("{why}; `ctxhost run --help` lists the options")))?;
    let (host, _) = super::host(&args.scene, Flags::default())?;
    let Some((name, rest)) = args.command.split_first() else {
        let manifest = host.manifest(&args.provider)?;
        let rows: Vec<Vec<String>> = manifest
            .commands
            .iter()
            .map(|command| vec![command.name.clone(), command.summary.clone()])
            .collect();
        output.table(&rows);
        return Ok(Code::Ok);
    };
    let reply = host.command(&args.provider, name, rest, args.scene.session.as_deref())?;
    if args.json {
        output.json(&reply);
    } else {
        output.foreign(&reply.text);
        choices(args, name, &reply, output);
    }
    output.findings(&host.take_findings());
    Ok(code(reply.exit))
}

/// A picker on a command line is the list of the commands to type.
fn choices(args: &RunArgs, name: &str, reply: &CommandReply, output: &mut Output<'_>) {
    let rows: Vec<Vec<String>> = reply
        .choices
        .iter()
        .map(|choice| {
            let command = format!("ctxhost run {} {name} {}", args.provider, choice.args.join(" "));
            vec![
                choice.label.clone(),
                choice.detail.clone().unwrap_or_default(),
                command.trim_end().to_owned(),
            ]
        })
        .collect();
    output.table(&rows);
}

/// A provider's exit code, as far as it is one of the documented ones.
pub(crate) fn code(exit: u8) -> Code {
    match exit {
        0 => Code::Ok,
        2 => Code::Usage,
        3 => Code::NotFound,
        4 => Code::ProviderFailed,
        _ => Code::Findings,
    }
}
