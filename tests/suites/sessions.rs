//! Conversations through the host's own API: what each event comes to, with providers inside this program.

mod scripted;

mod concurrency;
mod limits;
mod placing;
mod starting;
mod tool_calls;
mod tool_names;
mod working_directories;
