//! `ctxhost serve --stdio`: the host for an agent's own code.

use std::{
    io::{ErrorKind, Read},
    sync::Arc,
};

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
    let server = Arc::new(Server::new(host));
    match jsonrpc::run(Arc::clone(&server), &outgoing, lines, stdin, output.stream()) {
        Ok(()) => Ok(Code::Ok),
        // The client is gone, which is how a client may end.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Code::Ok),
        Err(error) => {
            let why = format!("an answer could not be written: {error}; start the host anew");
            Err(Failure::new(Code::Internal, why))
        }
    }
}
