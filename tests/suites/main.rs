//! One binary for all suites, so that they are linked once.
//!
//! Processes are started as `ctxhost-under-test`, libraries are loaded as built files, and each test has a home, XDG
//! folders and a folder of providers of its own.

mod harness;

mod abi;
// The programs run on Linux in CI, and processes are looked up in /proc.
#[cfg(target_os = "linux")]
mod agents;
mod architecture;
mod clients;
mod flow;
mod golden;
mod hook;
mod hostile;
mod index;
mod install;
mod mcp;
mod neovim;
mod rogue;
mod serve;
mod sessions;
mod specs;
