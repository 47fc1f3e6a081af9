//! The program `ctxhost-index`.
fn main() {}
