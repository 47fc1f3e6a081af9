//! Refreshing and logging out.

use std::sync::PoisonError;

use ctxhost_protocol::codebase_index::RefreshReply;

use super::{
    ACCESS_SECONDS, Auth, AuthError, REFRESH_SECONDS,
    accounts::Worth,
    github::GitHubError,
    id,
    tokens::{self, Claims, Holder, Typ},
};
use crate::hex;

/// For how long a provider's word that a person belongs to an organisation is enough.
const CHECK_SECONDS: i64 = 600;

impl Auth {
    /// A new pair of tokens for a refresh token.
    ///
    /// # Errors
    /// When the token is none, was used or ended, the person may not enter any more, or the provider fails.
    pub async fn refresh(&self, provider: &str, token: &str) -> Result<RefreshReply, AuthError> {
        self.known(provider)?;
        let now = self.now();
        let claims = self.tokens.verify(token, Typ::Refresh, now)?;
        if claims.provider != provider {
            return Err(AuthError::Invalid);
        }
        self.may_enter(provider, &claims.org)?;
        let (family, hash) = (claims.fam.clone(), hex::hash(&[token.as_bytes()]));
        let worth = self.on_accounts(move |accounts| accounts.worth(&family, &hash, now)).await?;
        self.good(&claims, worth).await?;
        self.still_member(&claims).await?;
        let (family, jti, holder) = (claims.fam.clone(), tokens::following(&claims.jti), holder(&claims));
        let sign = |at| self.tokens.sign(&holder, Typ::Refresh, &jti, at);
        let next = sign(now);
        let next_hash = hex::hash(&[next.as_bytes()]);
        let worth = self
            .on_accounts(move |accounts| {
                accounts.renew(&family, &hash, now, |_| (next_hash, now + REFRESH_SECONDS))
            })
            .await?;
        let used = self.good(&claims, worth).await?;
        Ok(RefreshReply {
            access_token: self.tokens.sign(&holder, Typ::Access, &id()?, now),
            refresh_token: used.map_or(next, sign),
            expires_in: ACCESS_SECONDS.unsigned_abs(),
        })
    }

    /// Ends the login of a refresh token. One that is none, or has ended, is ended already.
    ///
    /// # Errors
    /// When there is no such provider, or the end cannot be kept.
    pub async fn revoke(&self, provider: &str, token: &str) -> Result<(), AuthError> {
        self.known(provider)?;
        match self.tokens.verify(token, Typ::Refresh, self.now()) {
            Ok(claims) if claims.provider == provider => self.end(&claims.fam).await,
            _ => Ok(()),
        }
    }

    /// When a token that is still good was used first; the login ends when it was stolen.
    async fn good(&self, claims: &Claims, worth: Worth) -> Result<Option<i64>, AuthError> {
        match worth {
            Worth::Good(used) => Ok(used),
            Worth::Unknown => Err(AuthError::Invalid),
            Worth::Stolen => {
                self.end(&claims.fam).await?;
                Err(AuthError::Invalid)
            }
        }
    }

    /// Asks the provider whether the person still belongs to the organisation, unless it said so a moment ago.
    async fn still_member(&self, claims: &Claims) -> Result<(), AuthError> {
        let id = claims.fam.clone();
        let family =
            self.on_accounts(move |accounts| accounts.family(&id)).await?.ok_or(AuthError::Invalid)?;
        let (Some(github), Some(consent)) = (&self.github, &family.consent) else { return Ok(()) };
        let now = self.now();
        if now < family.checked + CHECK_SECONDS {
            return Ok(());
        }
        match github.person(consent).await {
            Ok(person) if person.orgs.contains(&family.holder.org) => {
                let id = claims.fam.clone();
                self.on_accounts(move |accounts| accounts.checked(&id, now)).await
            }
            Ok(_) => {
                self.end(&claims.fam).await?;
                Err(AuthError::NotAllowed(format!(
                    "{} is no longer in the organisation of this login; log in again",
                    family.holder.username
                )))
            }
            Err(GitHubError::Upstream(how)) => Err(GitHubError::Upstream(how).into()),
            Err(error) => {
                self.end(&claims.fam).await?;
                Err(error.into())
            }
        }
    }

    async fn end(&self, family: &str) -> Result<(), AuthError> {
        self.revoked.write().unwrap_or_else(PoisonError::into_inner).insert(family.to_owned());
        let (family, now) = (family.to_owned(), self.now());
        self.on_accounts(move |accounts| accounts.revoke(&family, now)).await
    }
}

fn holder(claims: &Claims) -> Holder {
    Holder {
        username: claims.username.clone(),
        org: claims.org.clone(),
        provider: claims.provider.clone(),
        family: claims.fam.clone(),
    }
}
