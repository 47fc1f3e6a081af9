//! `ctxhost mcp`: an MCP server on standard input and output.

use std::{io::Read, sync::Arc};

use ctxhost::settings::Flags;

use crate::{
    args::McpArgs,
    exit::{Code, Failure},
    jsonrpc::{self, Outgoing},
    mcp::{Client, Server},
    output::Output,
};

pub(crate) fn run(
    args: &McpArgs,
    stdin: Box<dyn Read + Send>,
    output: &mut Output<'_>,
) -> Result<Code, Failure> {
    let (outgoing, lines) = Outgoing::new();
    let listener = Arc::new(Client { outgoing: outgoing.clone(), verbose: args.scene.verbose });
    let (host, cwd) = super::host_with(&args.scene, Flags::default(), listener)?;
    // Claude Code names the conversation to the servers it starts.
    let said = host.surroundings().var("CLAUDE_CODE_SESSION_ID").map(str::to_owned);
    let session = args.scene.session.clone().or(said);
    let server = Arc::new(Server::new(host, cwd, session));
    super::served(jsonrpc::run(server, &outgoing, lines, stdin, output.stream()))
}
