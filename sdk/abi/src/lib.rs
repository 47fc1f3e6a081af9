//! The boundary between ctxhost and a provider: ABI 1.
//!
//! Only JSON bytes cross it.
//! No Rust type, no owned buffer but the opaque [`Instance`], and no unwinding ever does.
//! The whole contract is the five C structs of [`table`]; `ctxhost.h` beside this crate states the same for C.
//! A library shows its table through two doors: [`door1`], checked by abi_stable, and [`ENTRY_SYMBOL`] for everybody else.
//! A [`note`] in the file tells what the library is before any of its code runs.
//!
//! This crate deliberately knows nothing of JSON, of loading files, or of what the messages mean.
//!
//! A table never grows: abi_stable refuses an old library in a new host when it did.
//! Growth is a JSON field, a new `op` (an old provider answers [`Status::UnknownOp`]), an extension from
//! `get_extension`, or a new entry symbol beside this one; in that order.
//!
//! ```
//! use ctxhost_abi::{ABI_MAJOR, ProviderV1, Status};
//! // A table from anywhere is believed only after these two checks.
//! fn acceptable(table: &ProviderV1) -> bool {
//!     table.struct_size >= size_of::<ProviderV1>() && table.abi_major == ABI_MAJOR
//! }
//! assert_eq!(Status::from_code(7), Some(Status::UnknownOp));
//! # let _ = acceptable;
//! ```
#![allow(unsafe_code, reason = "the C table is unsafe by nature; every block says why it holds")]

pub mod door1;
pub mod note;
pub mod table;

pub use table::{
    Bytes, CallV1, FLAG_NEEDS_ISOLATION, FLAG_THREAD_SAFE, HostV1, Instance, NO_DEADLINE, ProviderV1, Sink,
    Status,
};

/// The major number of this ABI; host and provider must agree on it.
pub const ABI_MAJOR: u32 = 1;

/// The minor number of this ABI; any minor of the same major works with any other.
pub const ABI_MINOR: u32 = 0;

/// Door 2: the symbol of a function `extern "C" fn() -> *const ProviderV1`, with the final NUL that `dlsym` wants.
pub const ENTRY_SYMBOL: &str = "ctxhost_entry_v1\0";

/// The type of the function behind [`ENTRY_SYMBOL`].
pub type EntryV1 = unsafe extern "C" fn() -> *const ProviderV1;
