//! Logging in and out.

use std::sync::Arc;

use ctxhost_sdk::{prelude::*, protocol::codebase_index::State};

use super::without;
use crate::{
    error::{AuthError, BackendError},
    provider::{CodebaseIndex, connection::Connection},
    shape::standing::Standing,
    source::{
        account::Revoked,
        browser,
        credentials::{Credentials, Pair, Payload},
        login::{Listener, LoginError, WITHIN},
    },
};

/// The backend to log in to; or what the person is told who needs none.
fn account(provider: &CodebaseIndex) -> Result<(Arc<Connection>, Credentials), CommandReply> {
    let connection = provider.shared.connections.now(&provider.shared.limits);
    let connection = connection.map_err(|why| without(&Standing::without(State::Off, why.0)))?;
    match &connection.credentials {
        Some(credentials) => Ok((Arc::clone(&connection), credentials.clone())),
        None => {
            let text = format!(
                "{} is the development backend of this machine, which needs no login",
                connection.url
            );
            Err(CommandReply::said(exit::OK, text)
                .structured(json!({"url": connection.url, "development": true})))
        }
    }
}

/// Has the person log in with the browser, and keeps what came of it.
pub(super) fn login(provider: &CodebaseIndex, cx: &Cx<'_>, with_browser: bool) -> Result<CommandReply> {
    let (connection, credentials) = match account(provider) {
        Ok(account) => account,
        Err(reply) => return Ok(reply),
    };
    let listener = match Listener::open() {
        Ok(listener) => listener,
        Err(error) => return Ok(failed(&error.to_string())),
    };
    let start = credentials.account().start(&listener.address());
    tell(provider, &format!("log in at {start}"));
    if with_browser && !browser::open(start.as_str(), provider.shared.browser.as_deref()) {
        tell(provider, "no browser could be opened; open the address by hand");
    }
    let stop = provider.shared.stop.clone();
    let answer = async move { listener.answer(WITHIN, &stop).await };
    let begin = std::time::Instant::now();
    let mut shown = u64::MAX;
    let came = provider.net.run(cx, answer, &mut || {
        let seconds = begin.elapsed().as_secs();
        if std::mem::replace(&mut shown, seconds) != seconds {
            cx.progress(seconds, Some(WITHIN.as_secs()), "waiting for the browser");
        }
    })?;
    match came {
        Ok(pair) => keep(provider, cx, &connection, &credentials, pair),
        Err(
            error @ (LoginError::TimedOut(_)
            | LoginError::Stopped
            | LoginError::Refused(_)
            | LoginError::Listen(_)),
        ) => Ok(failed(&error.to_string())),
    }
}

/// Keeps the tokens when the backend takes them; one that does not answer now is believed.
fn keep(
    provider: &CodebaseIndex,
    cx: &Cx<'_>,
    connection: &Connection,
    credentials: &Credentials,
    pair: Pair,
) -> Result<CommandReply> {
    let (keeper, stop, backend) =
        (credentials.clone(), provider.shared.stop.clone(), connection.quick.clone());
    let work = async move {
        let login = keeper.keep(&pair, &stop).await?;
        let refused = match backend.health().await {
            Err(
                error @ (BackendError::Unauthorized(_)
                | BackendError::Forbidden(_)
                | BackendError::Auth(AuthError::LoginNeeded(_))),
            ) => {
                keeper.forget(&stop).await?;
                Some(error.to_string())
            }
            _ => None,
        };
        Ok::<_, AuthError>((login, refused, Payload::of(&pair.token).username))
    };
    let (login, refused, username) = match provider.net.run(cx, work, &mut || ())? {
        Ok(kept) => kept,
        Err(error) => return Ok(failed(&error.to_string())),
    };
    if let Some(why) = refused {
        return Ok(failed(&why));
    }
    connection.note(0.0, None);
    let whom = username.as_deref().map(|name| format!(" as {name}")).unwrap_or_default();
    let mut text = format!("logged in to {}{whom}", credentials.account().name());
    if login.refresh_token.is_none() {
        text += "\nnote: the backend gives no token to renew it, so you log in again when it ends";
    }
    let document = json!({"url": connection.url, "username": username, "development": false});
    Ok(CommandReply::said(exit::OK, text).structured(document))
}

/// Forgets the login, here and where the backend offers it.
pub(super) fn logout(provider: &CodebaseIndex, cx: &Cx<'_>) -> Result<CommandReply> {
    let (connection, credentials) = match account(provider) {
        Ok(account) => account,
        Err(reply) => return Ok(reply),
    };
    let stop = provider.shared.stop.clone();
    let work = async move { credentials.forget(&stop).await };
    let url = &connection.url;
    let (text, revoked) = match provider.net.run(cx, work, &mut || ())? {
        Err(error) => return Ok(failed(&error.to_string())),
        Ok(None) => {
            let text = format!("nobody was logged in to {url}");
            return Ok(
                CommandReply::said(exit::NOTHING, text).structured(json!({"url": url, "revoked": false}))
            );
        }
        Ok(Some(Revoked::Ended)) => (format!("logged out of {url}"), true),
        Ok(Some(Revoked::NotOffered)) => {
            (format!("logged out of {url}; it does not take tokens back, so they end by themselves"), false)
        }
        Ok(Some(Revoked::Failed(why))) => {
            (format!("logged out here, but {url} did not take the tokens back: {why}"), false)
        }
    };
    Ok(CommandReply::said(exit::OK, text).structured(json!({"url": url, "revoked": revoked})))
}

/// Says something before the command is done.
fn tell(provider: &CodebaseIndex, text: &str) {
    provider.shared.host.notify(&Notify::Message { level: Level::Info, text: text.to_owned() });
}

fn failed(why: &str) -> CommandReply {
    CommandReply::said(exit::FINDINGS, why).structured(json!({"error": why}))
}
