//! `ctxhost serve --stdio`: the host for an agent's own code.

use std::{io::Read, sync::Arc};

use ctxhost::settings::Flags;

use crate::{
    args::ServeArgs,
    exit::{Code, Failure},
    jsonrpc::{self, Outgoing},
    output::Output,
    serve::{Client, Server},
};

pub(crate) fn run(
    args: &ServeArgs,
    stdin: Box<dyn Read + Send>,
    output: &mut Output<'_>,
) -> Result<Code, Failure> {
    let (outgoing, lines) = Outgoing::new();
    let listener = Arc::new(Client { outgoing: outgoing.clone(), verbose: args.scene.verbose });
    let (host, _) = super::host_with(&args.scene, Flags::default(), listener)?;
    super::served(jsonrpc::run(Arc::new(Server::new(host)), &outgoing, lines, stdin, output.stream()))
}
