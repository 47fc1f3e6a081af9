//! The specs held against their mirrors, their examples and themselves; no schema validator is needed here.

mod examples;
mod folders;
mod frozen;
mod mirrors;
mod openapi;
mod place;
mod published;
mod root;
mod serve;
