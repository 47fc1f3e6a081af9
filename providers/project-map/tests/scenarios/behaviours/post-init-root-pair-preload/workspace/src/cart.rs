//! Keeps the cart.
pub fn make_cart() {}
