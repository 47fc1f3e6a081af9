//! The command line: what was typed, which exit code it ends with.
//!
//! 0 ok, 1 findings that the command is about, 2 called or set up wrongly, 70 our own fault.

use std::{ffi::OsString, io::Write, path::PathBuf};

use clap::{Args, Parser, Subcommand};

use crate::{
    auth::{Auth, Rotation},
    config::{Config, Given},
    conformance::{self, Call},
    serve::{self, ServeError},
    surroundings::Surroundings,
};

/// Something can be done about it by whoever called.
const WRONG: u8 = 2;
/// It is ours.
const FAULT: u8 = 70;

/// The reference backend of codebase-index: semantic code search over one SQLite file.
#[derive(Debug, Parser)]
#[command(name = "ctxhost-index", version, disable_help_subcommand = true)]
struct Line {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Answer requests until told to stop; without settings on 127.0.0.1:7171, for you alone
    Serve {
        #[command(flatten)]
        place: Place,
        /// Where to listen, such as 127.0.0.1:7171; port 0 takes a free one
        #[arg(long, value_name = "ADDR")]
        listen: Option<String>,
    },
    /// Hold a backend, ours or another, against the contract
    Conformance {
        /// Where it is, without the base path
        url: String,
        /// An access token for it; else that of the development backend, when the address is its
        #[arg(long, value_name = "TOKEN", conflicts_with = "token_file")]
        token: Option<String>,
        /// A file with the token, which keeps it out of the list of processes
        #[arg(long, value_name = "FILE")]
        token_file: Option<PathBuf>,
        /// A file with a token of another organisation, to see that the two are kept apart
        #[arg(long, value_name = "FILE")]
        other_token_file: Option<PathBuf>,
        /// Below which path its data endpoints are; else /codebase-index
        #[arg(long, value_name = "PATH")]
        base_path: Option<String>,
        /// By which provider people log in; else github
        #[arg(long, value_name = "NAME")]
        auth_provider: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Print an access token of the provider `dev`, for an hour
    Token {
        #[command(flatten)]
        place: Place,
        /// Whose name it carries
        #[arg(long, value_name = "NAME")]
        user: Option<String>,
    },
    /// Replace the key that signs tokens; for a backend that is not running
    RotateKey {
        #[command(flatten)]
        place: Place,
        /// Forget the old keys too, which ends every login
        #[arg(long)]
        forget: bool,
    },
}

#[derive(Debug, Args)]
struct Place {
    /// The file of settings (TOML)
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The file of the index; keys and logins lie beside it
    #[arg(long, value_name = "FILE")]
    database: Option<PathBuf>,
}

/// Does what the command line says, and gives the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>, surroundings: &Surroundings) -> u8 {
    let line = match Line::try_parse_from(arguments) {
        Ok(line) => line,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { WRONG } else { 0 };
        }
    };
    let command = match line.command {
        Command::Conformance { url, token, token_file, other_token_file, base_path, auth_provider, json } => {
            let call = Call { url, token, token_file, other_token_file, base_path, auth_provider, json };
            return conformance::run(&call, surroundings);
        }
        command => command,
    };
    match carry_out(command, surroundings) {
        Ok(()) => 0,
        Err(error) => {
            // Nobody may be there to read.
            let _ = writeln!(std::io::stderr(), "ctxhost-index: {error}");
            if error.is_ours() { FAULT } else { WRONG }
        }
    }
}

fn carry_out(command: Command, surroundings: &Surroundings) -> Result<(), ServeError> {
    match command {
        Command::Serve { place, listen } => serve::serve(&config(place, listen, surroundings)?, surroundings),
        Command::Conformance { .. } => Ok(()),
        Command::Token { place, user } => {
            let config = config(place, None, surroundings)?;
            let auth = serve::open_auth(&config, Rotation::Never, surroundings)?;
            let token = auth.development_token(user.as_deref()).map_err(ServeError::Token)?;
            let _ = writeln!(std::io::stdout(), "{token}");
            Ok(())
        }
        Command::RotateKey { place, forget } => {
            let config = config(place, None, surroundings)?;
            let _lock = serve::lock(&config)?;
            let rotation = if forget { Rotation::Forget } else { Rotation::Now };
            Ok(Auth::rotate(&config.folder(), rotation, &surroundings.clock)?)
        }
    }
}

fn config(place: Place, listen: Option<String>, surroundings: &Surroundings) -> Result<Config, ServeError> {
    let given = Given { config: place.config, listen, database: place.database };
    Ok(Config::resolve(&given, surroundings)?)
}
