//! The program `ctxhost`, under the name that tests start it by.

use std::io::Write as _;

fn main() {
    let mut stdout = std::io::stdout().lock();
    // Not locked: what providers log comes from threads of their own.
    let mut stderr = std::io::stderr();
    let code = ctxhost_cli::run(std::env::args_os(), &mut std::io::stdin().lock(), &mut stdout, &mut stderr);
    // Whoever reads may be gone; then nobody misses the rest.
    let _ = stdout.flush().and(stderr.flush());
    // Threads of providers may still run, so the libraries' exit handlers must not.
    ctxhost::load::leave_process(i32::from(code));
}
