//! Where a browser may be sent with tokens: to this machine, and nowhere else.

use url::{Host, Url};

/// Longer than any address that a client makes up.
const LONGEST: usize = 2048;

/// The client's local address, once it was found to be one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Redirect(Url);

/// Why an address is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum RedirectFault {
    #[error("`redirect_url` is no address; send one such as http://127.0.0.1:PORT/cb/NONCE")]
    Address,
    #[error(
        "`redirect_url` is not http; a client listens on its own machine, such as at http://127.0.0.1:PORT"
    )]
    Scheme,
    #[error("`redirect_url` is not on this machine; its host is 127.0.0.1, [::1] or localhost")]
    Host,
    #[error("`redirect_url` has a user, a password or a fragment; leave that out")]
    Extra,
    #[error("`redirect_url` has `token` or `refresh_token` already; leave that out")]
    Taken,
}

impl Redirect {
    /// Any port, path and query on a loopback host (RFC 8252, section 7.3).
    pub(super) fn parse(text: &str) -> Result<Self, RedirectFault> {
        if text.len() > LONGEST || text.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\') {
            return Err(RedirectFault::Address);
        }
        let url = Url::parse(text).map_err(|_| RedirectFault::Address)?;
        if url.scheme() != "http" {
            return Err(RedirectFault::Scheme);
        }
        let loopback = match url.host() {
            Some(Host::Ipv4(address)) => address == std::net::Ipv4Addr::LOCALHOST,
            Some(Host::Ipv6(address)) => address == std::net::Ipv6Addr::LOCALHOST,
            Some(Host::Domain(name)) => name == "localhost",
            None => false,
        };
        if !loopback {
            return Err(RedirectFault::Host);
        }
        if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
            return Err(RedirectFault::Extra);
        }
        if url.query_pairs().any(|(name, _)| name == "token" || name == "refresh_token") {
            return Err(RedirectFault::Taken);
        }
        Ok(Self(url))
    }

    /// The address with the tokens in its query.
    pub(super) fn with(&self, token: &str, refresh_token: &str) -> String {
        let mut url = self.0.clone();
        url.query_pairs_mut().append_pair("token", token).append_pair("refresh_token", refresh_token);
        url.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_on_this_machine_is_found_at_any_port_and_path() {
        for (address, expected) in [
            ("http://127.0.0.1:1/cb/n0nce", "http://127.0.0.1:1/cb/n0nce?token=a&refresh_token=b"),
            ("http://localhost/", "http://localhost/?token=a&refresh_token=b"),
            ("http://[::1]:65535/x?y=1", "http://[::1]:65535/x?y=1&token=a&refresh_token=b"),
            ("http://127.1:80/x", "http://127.0.0.1/x?token=a&refresh_token=b"),
        ] {
            assert_eq!(Redirect::parse(address).expect("taken").with("a", "b"), expected);
        }
    }

    #[test]
    fn everything_else_is_refused() {
        for address in [
            "",
            "/cb",
            "https://127.0.0.1/",
            "javascript:alert(1)",
            "http://example.org/",
            "http://127.0.0.1.example.org/",
            "http://127.0.0.1@example.org/",
            "http://localhost.example.org/",
            "http://0.0.0.0/",
            "http://127.0.0.2/",
            "http://[::ffff:127.0.0.1]/",
            "http://user@127.0.0.1/",
            "http://127.0.0.1/#a",
            "http://127.0.0.1\\@example.org/",
            "http://127.0.0.1/\r\nLocation: http://example.org",
            "http://127.0.0.1/?token=mine",
        ] {
            assert!(Redirect::parse(address).is_err(), "{address:?}");
        }
        let long = format!("http://127.0.0.1/{}", "a".repeat(LONGEST));
        assert_eq!(Redirect::parse(&long), Err(RedirectFault::Address));
    }
}
