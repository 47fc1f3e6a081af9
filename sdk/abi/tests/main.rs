//! What both sides of the boundary rely on: the layout, the header for C, door 1, and the numbers.

#![allow(unsafe_code, reason = "these tests stand on both sides of the C table")]

mod door1;
mod header;
mod layout;
mod numbers;
