//! The backend's part of a login: where the browser is sent, and the requests that renew and end one.
//!
//! No message of this file holds a token, or an address with one.

use std::time::Duration;

use ctxhost_sdk::{
    protocol::codebase_index::{RefreshReply, RefreshRequest},
    serde_json,
};
use reqwest::Client;
use url::Url;

use super::{
    backend::{self, Address, LARGEST_ERROR},
    development::is_token,
    limits::Limits,
};
use crate::error::{AuthError, BackendError};

/// A refresh that takes longer is given up, and the login is in doubt.
const REFRESH: Duration = Duration::from_secs(15);

/// A pair of tokens takes 32 KiB at most.
const LARGEST_REPLY: usize = 64 << 10;

/// Where people of a backend log in.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    /// The backend, without the base path of its data endpoints.
    base: Url,
    provider: String,
    address: Address,
    limits: Limits,
}

/// What the backend said to a refresh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refreshed {
    /// A new pair; `expires_in` seconds.
    Pair { token: String, refresh_token: String, expires_in: u64 },
    /// It will not, and asking again changes nothing.
    Refused(String),
}

/// What became of taking a login back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Revoked {
    /// The backend has ended it.
    Ended,
    /// The backend knows no such request; the tokens end by themselves.
    NotOffered,
    /// It could not be asked, or did not do it.
    Failed(String),
}

impl Account {
    /// Prepares; nothing is sent yet.
    ///
    /// # Errors
    /// The address is none.
    pub(crate) fn new(address: &Address, provider: &str, limits: &Limits) -> Result<Self, BackendError> {
        let address = Address { base_path: String::new(), ..address.clone() };
        let base = backend::base(&address)?;
        Ok(Self { base, provider: provider.to_owned(), address, limits: limits.clone() })
    }

    /// Names the backend in the file of logins, and for people.
    pub(crate) fn name(&self) -> &str {
        self.base.as_str().trim_end_matches('/')
    }

    /// Where the browser begins.
    pub(crate) fn start(&self, redirect: &str) -> Url {
        let mut url = self.endpoint("start");
        url.query_pairs_mut().append_pair("redirect_url", redirect);
        url
    }

    /// Trades a refresh token for a new pair.
    ///
    /// # Errors
    /// The backend could not be asked, or did not answer as it should; the login may still hold.
    pub(crate) async fn refresh(&self, refresh_token: &str) -> Result<Refreshed, AuthError> {
        let (status, body) = self.post("refresh", refresh_token).await.map_err(AuthError::Unreachable)?;
        match status {
            200..300 => pair(&body).ok_or_else(|| {
                AuthError::Unreachable("the backend's answer to the refresh is no pair of tokens".to_owned())
            }),
            // What a proxy or a wrong path says with other numbers is no word of the backend's about this login.
            400 | 401 | 403 => Ok(Refreshed::Refused(format!("{} ({status})", backend::message(&body)))),
            _ => Err(AuthError::Unreachable(format!("{} ({status})", backend::message(&body)))),
        }
    }

    /// Ends a login at the backend, where it offers that.
    pub(crate) async fn revoke(&self, refresh_token: &str) -> Revoked {
        match self.post("revoke", refresh_token).await {
            Ok((200..300, _)) => Revoked::Ended,
            Ok((404 | 405 | 501, _)) => Revoked::NotOffered,
            Ok((status, body)) => Revoked::Failed(format!("{} ({status})", backend::message(&body))),
            Err(why) => Revoked::Failed(why),
        }
    }

    async fn post(&self, endpoint: &str, refresh_token: &str) -> Result<(u16, Vec<u8>), String> {
        let work = async {
            let request = RefreshRequest { refresh_token: refresh_token.to_owned() };
            let body = serde_json::to_vec(&request).map_err(|error| error.to_string())?;
            let sending = self.client()?.post(self.endpoint(endpoint));
            let sending = sending.header("content-type", "application/json").body(body).send();
            let response = sending.await.map_err(|error| backend::causes(error.without_url()))?;
            let status = response.status().as_u16();
            let most = if response.status().is_success() { LARGEST_REPLY } else { LARGEST_ERROR };
            let (body, _) =
                backend::read(response, most).await.map_err(|error| backend::causes(error.without_url()))?;
            Ok((status, body))
        };
        let late = || format!("{} did not answer within {} s", self.name(), REFRESH.as_secs());
        tokio::time::timeout(REFRESH, work).await.unwrap_or_else(|_| Err(late()))
    }

    fn client(&self) -> Result<Client, String> {
        backend::client(&self.address, &self.base, &self.limits).map_err(|error| error.to_string())
    }

    fn endpoint(&self, last: &str) -> Url {
        let mut url = self.base.clone();
        let path = format!("{}/auth/{}/{last}", url.path().trim_end_matches('/'), self.provider);
        url.set_path(&path);
        url
    }
}

fn pair(body: &[u8]) -> Option<Refreshed> {
    let reply: RefreshReply = serde_json::from_slice(body).ok()?;
    let RefreshReply { access_token: token, refresh_token, expires_in } = reply;
    (is_token(&token) && is_token(&refresh_token)).then_some(Refreshed::Pair {
        token,
        refresh_token,
        expires_in,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(url: &str) -> Account {
        let address = Address { url: url.to_owned(), base_path: "/codebase-index".to_owned(), ca_file: None };
        Account::new(&address, "github", &Limits::default()).unwrap()
    }

    #[test]
    fn the_browser_is_sent_to_the_documents_address() {
        let check = |url: &str, expected: &str| {
            let start = account(url).start("http://127.0.0.1:5/cb/0f");
            assert_eq!(start.as_str(), expected);
        };
        let query = "redirect_url=http%3A%2F%2F127.0.0.1%3A5%2Fcb%2F0f";
        check("https://a.example", &format!("https://a.example/auth/github/start?{query}"));
        check("https://a.example/team/", &format!("https://a.example/team/auth/github/start?{query}"));
        assert_eq!(account("https://a.example/team/").name(), "https://a.example/team");
    }

    #[test]
    fn a_reply_without_two_tokens_is_none() {
        let body = |token: &str| {
            format!(r#"{{"access_token": "{token}", "refresh_token": "r", "expires_in": 3600.0}}"#)
        };
        assert!(pair(body("a").as_bytes()).is_some());
        for wrong in [body(""), body("a b"), body(r"a\n"), "{}".to_owned(), "<html>".to_owned()] {
            assert_eq!(pair(wrong.as_bytes()), None, "{wrong}");
        }
    }
}
