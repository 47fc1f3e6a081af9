//! The command line: what was typed, what it means, and which exit code says how it went.
//!
//! This crate deliberately knows no provider: tools and commands are what providers declare.

pub mod args;
mod commands;
pub mod exit;
mod output;

use std::{
    ffi::OsString,
    io::{Read, Write},
};

use clap::Parser as _;

use args::{Arguments, Command};
use exit::{Code, Failure};
use output::Output;

/// Runs one command line and returns its exit code; everything printed goes to the two writers.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> u8 {
    let mut output = Output { stdout, stderr };
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => return output.clap(&error),
    };
    let result = match &arguments.command {
        Command::Inject(args) => commands::inject::run(args, stdin, &mut output),
        Command::Explain(args) => commands::explain::run(args, stdin, &mut output),
        Command::List(args) => commands::list::run(args, &mut output),
        Command::Tool(args) => commands::tool::run(args, &mut output),
        Command::Run(args) => commands::run::run(args, &mut output),
        Command::Check(args) => commands::check::run(args, &mut output),
        Command::Specs(args) => commands::specs::run(args, &mut output),
        Command::Doctor(args) => commands::doctor::run(args, &mut output),
    };
    match result {
        Ok(code) => code as u8,
        Err(failure) => {
            output.failure(&failure);
            failure.code as u8
        }
    }
}

/// A failure of our own; nothing a user did.
fn internal(error: impl std::fmt::Display) -> Failure {
    Failure::new(Code::Internal, error.to_string())
}
