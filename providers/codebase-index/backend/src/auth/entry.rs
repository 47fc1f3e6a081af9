//! Logging in: from a browser's first request to the tokens that its client gets.

use super::{
    Auth, AuthError, DEV_ORG, Dev, REFRESH_SECONDS,
    accounts::Family,
    id, internal, no_provider,
    redirect::{Redirect, RedirectFault},
    tokens::{Holder, Typ},
};
use crate::hex;

/// What a browser brings back from a provider.
#[derive(Clone, Debug, Default)]
pub struct Returned {
    /// Which login it is.
    pub state: Option<String>,
    /// What proves it.
    pub code: Option<String>,
    /// Why there is no proof.
    pub error: Option<String>,
    /// What the browser kept.
    pub cookie: Option<String>,
}

/// Where a browser goes on, and what it is to keep on the way, under the name of the state.
#[derive(Clone, Debug)]
pub struct Onward {
    /// The address.
    pub location: String,
    /// State and cookie.
    pub keep: Option<(String, String)>,
}

impl Auth {
    /// Begins a login. `local` says whether the request came to an address of this machine by name.
    ///
    /// # Errors
    /// When there is no such provider, or the client waits somewhere else than on its own machine.
    pub async fn start(&self, provider: &str, redirect_url: &str, local: bool) -> Result<Onward, AuthError> {
        match (provider, &self.settings.dev, &self.github) {
            ("dev", Some(dev), _) => {
                let redirect = Redirect::parse(redirect_url).map_err(redirect_fault)?;
                self.start_dev(dev, &redirect, local).await
            }
            ("github", _, Some(github)) => {
                let redirect = Redirect::parse(redirect_url).map_err(redirect_fault)?;
                let (location, state, verifier) = github.ask();
                let cookie = self.logins.begin(&state, redirect, verifier, self.now()).map_err(internal)?;
                Ok(Onward { location, keep: Some((state, cookie)) })
            }
            _ => Err(no_provider(provider)),
        }
    }

    async fn start_dev(&self, dev: &Dev, redirect: &Redirect, local: bool) -> Result<Onward, AuthError> {
        if !dev.login {
            let message = "`dev` lets no browser log in, since every user of this machine could; \
                           the client finds its token in the development file, or set `auth.dev.login`";
            return Err(AuthError::NoProvider(message.to_owned()));
        }
        if !local {
            // A page of another site whose name leads to this machine would read the tokens.
            let message = "log in by `dev` at 127.0.0.1, [::1] or localhost";
            return Err(AuthError::Bad(message.to_owned()));
        }
        let holder = Holder {
            username: dev.user.clone(),
            org: DEV_ORG.to_owned(),
            provider: "dev".to_owned(),
            family: id()?,
        };
        let location = self.enter(holder, None, redirect).await?;
        Ok(Onward { location, keep: None })
    }

    /// Ends a login: gives the address of the client, with the tokens.
    ///
    /// # Errors
    /// When this browser began no such login, the person refused or may not enter, or the provider fails.
    pub async fn callback(&self, provider: &str, returned: Returned) -> Result<String, AuthError> {
        let github = match (provider, &self.github) {
            ("github", Some(github)) => github,
            _ => return Err(no_provider(provider)),
        };
        let pending = returned
            .state
            .and_then(|state| self.logins.end(&state, returned.cookie.as_deref(), self.now()))
            .ok_or_else(|| {
                let message = "this browser has no such login under way, or it took longer than ten minutes, \
                               or it has ended; log in again";
                AuthError::Bad(message.to_owned())
            })?;
        match returned.error.as_deref() {
            Some("access_denied") => {
                let message = "you did not allow this backend to see who you are; log in again to allow it";
                return Err(AuthError::NotAllowed(message.to_owned()));
            }
            Some(_) => {
                let message = "the provider of the login refuses; tell whoever runs this backend";
                return Err(AuthError::Upstream(message.to_owned()));
            }
            None => {}
        }
        let code =
            returned.code.ok_or_else(|| AuthError::Bad("`code` is missing; log in again".to_owned()))?;
        let consent = github.exchange(code, pending.verifier).await?;
        let person = github.person(&consent).await?;
        let holder = Holder {
            username: person.username,
            org: person.org,
            provider: provider.to_owned(),
            family: id()?,
        };
        self.enter(holder, Some(consent), &pending.redirect).await
    }

    /// A person enters: gives the client's address with the first pair of tokens.
    async fn enter(
        &self,
        holder: Holder,
        consent: Option<String>,
        redirect: &Redirect,
    ) -> Result<String, AuthError> {
        let now = self.now();
        let refresh = self.tokens.sign(&holder, Typ::Refresh, &id()?, now);
        let access = self.tokens.sign(&holder, Typ::Access, &id()?, now);
        let hash = hex::hash(&[refresh.as_bytes()]);
        let family = Family { holder, consent, checked: now };
        self.on_accounts(move |accounts| accounts.begin(&family, &hash, now + REFRESH_SECONDS)).await?;
        Ok(redirect.with(&access, &refresh))
    }
}

fn redirect_fault(fault: RedirectFault) -> AuthError {
    AuthError::Redirect(fault.to_string())
}
