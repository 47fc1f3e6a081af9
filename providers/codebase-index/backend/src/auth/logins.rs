//! Logins that have begun and not ended: a browser is at the provider.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use super::redirect::Redirect;
use crate::hex;

/// How long a person may take.
const LOGIN_SECONDS: i64 = 600;
/// How many there may be at once; the oldest goes, so that nobody is kept out for long.
const MOST: usize = 10_000;

/// A login that has begun.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    /// Where the client waits.
    pub(super) redirect: Redirect,
    /// PKCE's secret.
    pub(super) verifier: String,
    /// The hash of what the browser's cookie holds.
    browser: [u8; 32],
    ends: i64,
}

/// All of them, by their `state`.
#[derive(Default)]
pub(super) struct Logins(Mutex<HashMap<String, Pending>>);

impl Logins {
    /// A login begins; gives what the browser is to keep.
    pub(super) fn begin(
        &self,
        state: &str,
        redirect: Redirect,
        verifier: String,
        now: i64,
    ) -> Result<String, getrandom::Error> {
        let cookie = hex::random::<16>()?;
        let browser = hex::hash(&[cookie.as_bytes()]);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, pending| now < pending.ends);
        if all.len() >= MOST
            && let Some(oldest) = all.iter().min_by_key(|(_, one)| one.ends).map(|(state, _)| state.clone())
        {
            all.remove(&oldest);
        }
        all.insert(state.to_owned(), Pending { redirect, verifier, browser, ends: now + LOGIN_SECONDS });
        Ok(cookie)
    }

    /// The browser is back. A state is used once, whatever comes of it; another browser than the one that began does not
    /// end the login of that one.
    pub(super) fn end(&self, state: &str, cookie: Option<&str>, now: i64) -> Option<Pending> {
        let browser = hex::hash(&[cookie?.as_bytes()]);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(state).filter(|pending| pending.browser == browser)?;
        all.remove(state).filter(|pending| now < pending.ends)
    }
}
