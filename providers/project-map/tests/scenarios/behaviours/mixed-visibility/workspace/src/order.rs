//! Keeps the order.
pub fn make_order() {}
