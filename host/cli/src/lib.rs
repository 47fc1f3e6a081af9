//! The command line: what was typed, what it means, and which exit code says how it went.
//!
//! This crate deliberately knows no provider: tools and commands are what providers declare.

pub mod args;
mod commands;
pub mod exit;
mod hook;
mod install;
mod jsonrpc;
mod mcp;
mod output;
mod serve;
mod sessions;

use std::{
    ffi::OsString,
    io::{IsTerminal as _, Read, Write},
};

use clap::Parser as _;

use args::{Arguments, Command};
use exit::{Code, Failure};
use output::Output;

/// Runs this process's command line and returns its exit code.
///
/// What a provider's library prints goes to standard error: it must not stand in the middle of what an agent reads.
pub fn run_process() -> u8 {
    let terminal = std::io::stdout().is_terminal();
    // Not locked: what providers log comes from threads of their own.
    let mut stderr = std::io::stderr();
    let mut stdout: Box<dyn Write> = match own_stdout() {
        Ok(own) => Box::new(std::io::BufWriter::new(own)),
        // Without a descriptor of its own, say because none is left, it prints where everybody does.
        Err(_) => Box::new(std::io::stdout()),
    };
    run(std::env::args_os(), terminal, Box::new(std::io::stdin()), &mut stdout, &mut stderr)
}

/// The descriptor of the process's own standard output.
static OWN_STDOUT: std::sync::OnceLock<std::fs::File> = std::sync::OnceLock::new();

/// Takes standard output for this program alone, and leads everybody else's to standard error.
fn own_stdout() -> std::io::Result<std::fs::File> {
    let own = rustix::io::fcntl_dupfd_cloexec(std::io::stdout(), 3)?;
    rustix::stdio::dup2_stdout(std::io::stderr())?;
    let own = std::fs::File::from(own);
    let second = own.try_clone()?;
    // A second command line in one process has the same stream.
    let _ = OWN_STDOUT.set(second);
    Ok(own)
}

/// Runs one command line and returns its exit code; everything printed goes to the two writers.
///
/// `terminal` says whether a person reads the first of them.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    terminal: bool,
    mut stdin: Box<dyn Read + Send>,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> u8 {
    let mut output = Output::new(stdout, stderr, terminal);
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => return output.clap(&error),
    };
    let result = match &arguments.command {
        Command::Inject(args) => commands::inject::run(args, &mut stdin, &mut output),
        Command::Explain(args) => commands::explain::run(args, &mut stdin, &mut output),
        Command::List(args) => commands::list::run(args, &mut output),
        Command::Tool(args) => commands::tool::run(args, &mut output),
        Command::Run(args) => commands::run::run(args, &mut output),
        Command::Check(args) => commands::check::run(args, &mut output),
        Command::Specs(args) => commands::specs::run(args, &mut output),
        Command::Install(args) => commands::install::run(args, &mut output),
        Command::Uninstall(args) => commands::uninstall::run(args, &mut output),
        Command::Doctor(args) => commands::doctor::run(args, &mut output),
        Command::Serve(args) => commands::serve::run(args, stdin, &mut output),
        Command::Mcp(args) => commands::mcp::run(args, stdin, &mut output),
        Command::Hook(args) => commands::hook::run(args, stdin, &mut output),
    };
    let result = result.and_then(|code| output.flush().map(|()| code));
    match result {
        Ok(code) => code as u8,
        Err(failure) => {
            output.failure(&failure);
            failure.code as u8
        }
    }
}

/// Writes to the process's own standard output and ends the process at once; for a watch that nobody else answers to.
fn say_and_leave(text: &[u8]) -> ! {
    // The stream that commands print to is another thread's; the descriptor below it is the process's.
    if let Some(own) = OWN_STDOUT.get() {
        let _ = (&*own).write_all(text);
    }
    ctxhost::load::leave_process(0)
}

/// A failure of our own; nothing a user did.
fn internal(error: impl std::fmt::Display) -> Failure {
    Failure::new(Code::Internal, error.to_string())
}
