//! Why someone does not get in, and why nobody can.

use super::{AccountsError, KeysError, github::GitHubError, tokens::TokenFault};

/// Why nobody can log in at all.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There are no keys.
    #[error(transparent)]
    Keys(#[from] KeysError),
    /// There is no database of logins.
    #[error(transparent)]
    Accounts(#[from] AccountsError),
    /// A key cannot sign.
    #[error("the keys cannot sign: {0}")]
    Signing(#[from] jsonwebtoken::errors::Error),
    /// The provider cannot be asked.
    #[error("the provider of logins cannot be asked: {0}")]
    Http(#[from] reqwest::Error),
}

/// Why a request is not let in, or a login does not succeed.
#[derive(Debug, thiserror::Error)]
pub enum AuthError {
    /// There is no token.
    #[error("there is no token; send `Authorization: Bearer TOKEN`, and log in for one")]
    Missing,
    /// The token is none of ours, of another kind, or was ended.
    #[error("this token is not accepted; log in again")]
    Invalid,
    /// The token has ended.
    #[error("this token has ended; refresh it, and else log in again")]
    Expired,
    /// The person may not enter.
    #[error("{0}")]
    NotAllowed(String),
    /// There is no such provider.
    #[error("{0}")]
    NoProvider(String),
    /// A browser is not sent there.
    #[error("{0}")]
    Redirect(String),
    /// The request is wrong.
    #[error("{0}")]
    Bad(String),
    /// The provider does not answer as it should.
    #[error("{0}")]
    Upstream(String),
    /// Our own fault; nobody outside is told which.
    #[error("{0}")]
    Internal(String),
}

impl From<TokenFault> for AuthError {
    fn from(fault: TokenFault) -> Self {
        match fault {
            TokenFault::Invalid => Self::Invalid,
            TokenFault::Expired => Self::Expired,
        }
    }
}

impl From<GitHubError> for AuthError {
    fn from(error: GitHubError) -> Self {
        let message = error.to_string();
        match error {
            GitHubError::Outside(_) => Self::NotAllowed(message),
            GitHubError::Code => Self::Bad(message),
            GitHubError::Withdrawn => Self::Invalid,
            GitHubError::Upstream(_) => Self::Upstream(message),
        }
    }
}
