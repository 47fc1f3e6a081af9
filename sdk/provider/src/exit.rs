//! What a command ends with, as all commands of ctxhost do.
//!
//! 4 (a provider failed) and 70 (the host's own fault) are the host's to say.

/// It did what it should.
pub const OK: u8 = 0;
/// It found what the command is about, such as something that is stale, or could not do all of it.
pub const FINDINGS: u8 = 1;
/// It was called wrongly.
pub const USAGE: u8 = 2;
/// It found nothing.
pub const NOTHING: u8 = 3;
