//! The program `ctxhost-index`.

use std::{
    env,
    process::ExitCode,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use ctxhost_index::{cli, surroundings::Surroundings};

fn main() -> ExitCode {
    let surroundings =
        Surroundings { variable: Arc::new(|name| env::var_os(name)), clock: Arc::new(seconds_since_1970) };
    ExitCode::from(cli::run(env::args_os(), &surroundings))
}

fn seconds_since_1970() -> i64 {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(elapsed.as_secs()).unwrap_or(i64::MAX)
}
