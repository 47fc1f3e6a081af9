//! How much of everything the server takes.

use std::time::Duration;

use ctxhost_protocol::codebase_index::limits;

/// What one request may take, and how many there may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The bytes of one body.
    pub body_bytes: usize,
    /// The bytes of one body of a login.
    pub login_body_bytes: usize,
    /// The bytes of all bodies that are being read or looked at, which bounds the memory they take.
    pub all_bodies_bytes: usize,
    /// The data requests in flight.
    pub in_flight: usize,
    /// The requests of logins in flight, apart from the others: they come without a token, and may keep nobody out who
    /// has one.
    pub logins_in_flight: usize,
    /// The connections.
    pub connections: usize,
    /// How long a request's head may take, and how long a connection may be idle.
    pub head_time: Duration,
    /// How long its body may take.
    pub body_time: Duration,
    /// How long its answer may take.
    pub answer_time: Duration,
    /// How long the requests in flight have to be answered when the server is told to stop.
    pub stop_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: limits::BODY_BYTES,
            login_body_bytes: 64 * 1024,
            all_bodies_bytes: 16 * limits::BODY_BYTES,
            in_flight: 64,
            logins_in_flight: 32,
            connections: 1024,
            head_time: Duration::from_secs(20),
            body_time: Duration::from_secs(60),
            answer_time: Duration::from_secs(120),
            stop_time: Duration::from_secs(9),
        }
    }
}
