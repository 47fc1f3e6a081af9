//! The program `ctxhost`, under the name that tests start it by.

fn main() {
    let code = ctxhost_cli::run_process();
    // Threads of providers may still run, so the libraries' exit handlers must not.
    ctxhost::load::leave_process(i32::from(code));
}
