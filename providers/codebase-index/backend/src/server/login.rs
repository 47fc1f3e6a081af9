//! The endpoints of logins; a browser or a client without a token asks them.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, Query, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use ctxhost_protocol::codebase_index::RefreshRequest;
use serde::Deserialize;
use url::Host;

use super::{App, body::Payload, refusal::Refusal};
use crate::auth::{Onward, Returned};

/// The cookie of a login; the beginning of its state follows, so that two at once do not end each other.
const COOKIE: &str = "ctxhost_login_";
/// How much of the state.
const OF_STATE: usize = 12;

#[derive(Deserialize)]
struct Start {
    redirect_url: Option<String>,
}

#[derive(Deserialize)]
struct Callback {
    code: Option<String>,
    state: Option<String>,
    error: Option<String>,
}

pub(super) async fn start(State(app): State<Arc<App>>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let answer = async {
        let provider = provider(&parts.uri);
        let Query(asked) = Query::<Start>::try_from_uri(&parts.uri).map_err(|_| {
            Refusal::bad("the query cannot be read; send `redirect_url` once, percent-encoded")
        })?;
        let redirect_url = asked.redirect_url.ok_or_else(|| {
            Refusal::bad("`redirect_url` is missing; send the address at which the client waits")
        })?;
        let onward = app.auth.start(provider, &redirect_url, is_local(&parts.headers)).await?;
        onward_to(&onward, app.secure_cookies)
    };
    answer.await.unwrap_or_else(|refusal: Refusal| refusal.for_browser(&parts.headers))
}

pub(super) async fn callback(State(app): State<Arc<App>>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let answer = async {
        let provider = provider(&parts.uri);
        let Query(back) = Query::<Callback>::try_from_uri(&parts.uri)
            .map_err(|_| Refusal::bad("the query cannot be read; log in again"))?;
        let cookie = back.state.as_deref().and_then(|state| cookie(&parts.headers, state));
        let returned = Returned { state: back.state, code: back.code, error: back.error, cookie };
        let location = app.auth.callback(provider, returned).await?;
        onward_to(&Onward { location, keep: None }, app.secure_cookies)
    };
    answer.await.unwrap_or_else(|refusal: Refusal| refusal.for_browser(&parts.headers))
}

pub(super) async fn refresh(
    State(app): State<Arc<App>>,
    Path(provider): Path<String>,
    payload: Payload,
) -> Result<Response, Refusal> {
    let RefreshRequest { refresh_token } = payload.parse()?;
    let reply = app.auth.refresh(&provider, &refresh_token).await?;
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(reply)).into_response())
}

pub(super) async fn revoke(
    State(app): State<Arc<App>>,
    Path(provider): Path<String>,
    payload: Payload,
) -> Result<StatusCode, Refusal> {
    let RefreshRequest { refresh_token } = payload.parse()?;
    app.auth.revoke(&provider, &refresh_token).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The provider in the path; a name that has to be written with `%` is none.
fn provider(uri: &Uri) -> &str {
    uri.path().split('/').nth(2).unwrap_or_default()
}

/// Sends the browser on. The address may hold tokens: nothing keeps it, and nobody is told where the browser was.
fn onward_to(onward: &Onward, secure: bool) -> Result<Response, Refusal> {
    let value =
        |text: &str| HeaderValue::from_str(text).map_err(|_| Refusal::internal("an address is no header"));
    let mut response = StatusCode::FOUND.into_response();
    let headers = response.headers_mut();
    headers.insert(header::LOCATION, value(&onward.location)?);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if let Some((state, cookie)) = &onward.keep {
        let secure = if secure { "; Secure" } else { "" };
        let cookie =
            format!("{}={cookie}; Path=/; Max-Age=600; HttpOnly; SameSite=Lax{secure}", cookie_name(state));
        headers.insert(header::SET_COOKIE, value(&cookie)?);
    }
    Ok(response)
}

fn cookie_name(state: &str) -> String {
    let beginning: String = state.chars().filter(char::is_ascii_alphanumeric).take(OF_STATE).collect();
    format!("{COOKIE}{beginning}")
}

fn cookie(headers: &HeaderMap, state: &str) -> Option<String> {
    let name = cookie_name(state);
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(this, _)| *this == name)
        .map(|(_, value)| value.to_owned())
}

/// Whether the browser asked for this machine by a name that no other site can have.
fn is_local(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let Ok(url) = url::Url::parse(&format!("http://{host}/")) else { return false };
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
