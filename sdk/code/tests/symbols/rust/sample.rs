//! A shop: this comment belongs to the file.
use std::{collections::HashMap, fmt::{self, Display as Show}};
use crate::price::*;

/// How many there are,
/// at most.
pub const LIMIT: usize = 10;
static mut COUNTER: u32 = 0;

// Not a doc comment.
pub(crate) type Prices = HashMap<String, u64>;

/// A cart — with prices in €.
#[derive(Debug, Clone)]
pub struct Cart<T> {
    /// What is in it.
    pub items: Vec<T>,
    pub(super) owner: Option<String>,
    total: u64,
}

struct Pair(pub u32, u32);

union Bits { whole: u32, parts: [u8; 4] }

/** States. */
pub enum State { Open, Closed { at: u64 }, Failed(String) }

pub trait Priced {
    type Money;
    const FREE: u64 = 0;
    /// The price.
    fn price(&self) -> u64;
    fn is_free(&self) -> bool { self.price() == Self::FREE }
}

impl<T> Cart<T> {
    /// Makes one.
    #[must_use]
    pub fn new() -> Self { Self { items: Vec::new(), owner: None, total: LIMIT as u64 } }

    fn add(&mut self, item: T, price: u64) -> Result<(), State> {
        let doubled = price * 2;
        if let Some(owner) = &self.owner { log(owner) }
        match check(doubled) { State::Open => self.items.push(item), other => return Err(other) }
        fn check(price: u64) -> State { State::Open }
        Ok(())
    }
}

impl<T> Priced for Cart<T> {
    type Money = u64;
    fn price(&self) -> u64 { self.total }
}

impl fmt::Display for Pair {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result { write!(out, "{} log", self.0) }
}

/// This comment stands too far above.

fn log(text: &str) { let print = |line: &str| println!("{line}"); print(text) } // trailing
async fn after() {}

#[macro_export]
macro_rules! cart { ($($item:expr),*) => { Cart::of(vec![$($item),*]) }; }

mod inner {
    /// Not for others.
    pub(in crate::shop) fn hidden() {}
    extern "C" { pub fn abs(value: i32) -> i32; }
}
