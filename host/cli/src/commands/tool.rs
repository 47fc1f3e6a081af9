//! `ctxhost tool`: calls a tool as an agent would.

use ctxhost::{flow::tool_text, settings::Flags};
use serde_json::Value;

use crate::{
    args::ToolArgs,
    exit::{Code, Failure},
    output::Output,
};

pub(crate) fn run(args: &ToolArgs, output: &mut Output<'_>) -> Result<Code, Failure> {
    let arguments: Value = serde_json::from_str(&args.args).map_err(|error| {
        Failure::usage(format!("--args: not JSON: {error}; write it as '{{\"name\": value}}'"))
    })?;
    if !arguments.is_object() {
        return Err(Failure::usage("--args: not a JSON object; write it as '{\"name\": value}'"));
    }
    let (host, _) = super::host(&args.scene, Flags::default())?;
    let reply = host.tool(&args.name, args.provider.as_deref(), arguments, args.scene.session.as_deref())?;
    if args.json {
        output.json(&reply);
    } else {
        output.foreign(&tool_text(&reply));
    }
    output.findings(&host.take_findings());
    Ok(if reply.is_error { Code::Findings } else { Code::Ok })
}
