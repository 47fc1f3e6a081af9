//! The host: one step, one file, one type.
//!
//! 1. [`discover`] finds library files with a note in them: [`Candidate`](discover::Candidate).
//! 2. [`load`] opens one through its door and makes an instance: [`Loaded`](load::Loaded).
//! 3. [`ask`] puts the question to all of them at once, each with a deadline: [`Answer`](ask::Answer).
//! 4. [`validate`] holds each answer against its spec: [`Contribution`](validate::Contribution).
//! 5. [`compose`] makes one budgeted injection of them: [`Injection`](compose::Injection).
//! 6. [`emit`] writes it as text or JSON.
//!
//! [`flow`] alone knows this order; every step returns a value and its [`Finding`]s, so that one bad provider costs its
//! own section and never the turn.
//!
//! ```
//! use ctxhost::{Host, Prompt, Surroundings};
//!
//! // 1. to 6. in one call: nothing is installed in this empty environment, so the injection has no sections.
//! let host = Host::builder(Surroundings::empty()).build();
//! let outcome = host.inject(&Prompt::new("hello", "/"));
//! assert!(outcome.injection.sections.is_empty());
//! assert_eq!(outcome.injection.text, "");
//! ```
//!
//! This crate deliberately knows no provider by name except in its settings' defaults, no agent's message formats, and
//! no command line.

pub mod ask;
pub mod compose;
pub mod conformance;
pub mod discover;
pub mod emit;
pub mod files;
pub mod finding;
pub mod flow;
pub mod load;
pub mod session;
pub mod settings;
pub mod surroundings;
pub mod validate;

pub use ask::Cancel;
pub use ctxhost_protocol as protocol;
pub use finding::{Finding, Step};
pub use flow::{Asking, Builder, Host, Opening, Outcome, Prepared, Prompt, Session};
pub use protocol::envelope::Event;
pub use settings::Settings;
pub use surroundings::{Clock, Surroundings};
