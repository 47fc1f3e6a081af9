//! GitHub, or what speaks like it: who a person is, and whether they belong to an organisation that may enter.

use std::time::Duration;

use oauth2::{
    AuthUrl, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointNotSet, EndpointSet, HttpRequest,
    HttpResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope, TokenResponse,
    TokenUrl, basic::BasicClient,
};
use reqwest::StatusCode;
use serde::{Deserialize, de::DeserializeOwned};
use url::Url;

/// The most bytes of an answer.
const LARGEST: usize = 1 << 20;
/// How many organisations a page has, and how many pages are read.
const PAGE: usize = 100;
const PAGES: usize = 20;

/// Where GitHub is and what may enter.
#[derive(Clone, Debug)]
pub struct GitHub {
    /// The id of the OAuth app.
    pub client_id: String,
    /// Its secret.
    pub client_secret: String,
    /// The organisations that may enter, in lower case. A person in several of them works in the first.
    pub orgs: Vec<String>,
    /// Where people are asked.
    pub authorize_url: Url,
    /// Where codes become tokens.
    pub token_url: Url,
    /// Where the API begins.
    pub api_url: Url,
    /// Where people come back to.
    pub callback_url: Url,
    /// How long one answer may take.
    pub patience: Duration,
}

/// Why someone does not get in.
#[derive(Debug, thiserror::Error)]
pub(super) enum GitHubError {
    /// The person is in none of the organisations.
    #[error("{0}")]
    Outside(String),
    /// The code is none, or was used before.
    #[error("the provider does not accept this code; log in again")]
    Code,
    /// What the person once allowed, they or an owner took back.
    #[error("the provider does not accept this login any more; log in again")]
    Withdrawn,
    /// It does not answer as it should.
    #[error("the provider of the login {0}; try again, and else tell whoever runs this backend")]
    Upstream(String),
}

/// A person who may enter.
pub(super) struct Person {
    pub(super) username: String,
    /// The organisation in which a login works: the first in the settings.
    pub(super) org: String,
    /// All of theirs that may enter.
    pub(super) orgs: Vec<String>,
}

type OAuth = BasicClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointSet>;

/// Asks GitHub.
pub(super) struct Client {
    settings: GitHub,
    oauth: OAuth,
    http: reqwest::Client,
}

#[derive(Deserialize)]
struct User {
    login: String,
}

/// What GitHub says with status 200 when it refuses a code.
#[derive(Deserialize)]
struct Refused {
    error: String,
}

impl Client {
    pub(super) fn new(settings: GitHub) -> Result<Self, reqwest::Error> {
        let oauth = BasicClient::new(ClientId::new(settings.client_id.clone()))
            .set_client_secret(ClientSecret::new(settings.client_secret.clone()))
            // GitHub takes the secret in the body only by its documentation.
            .set_auth_type(oauth2::AuthType::RequestBody)
            .set_auth_uri(AuthUrl::from_url(settings.authorize_url.clone()))
            .set_token_uri(TokenUrl::from_url(settings.token_url.clone()))
            .set_redirect_uri(RedirectUrl::from_url(settings.callback_url.clone()));
        let http = reqwest::Client::builder()
            .timeout(settings.patience)
            // A secret goes where the settings say, and is not sent on.
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("ctxhost-index/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self { settings, oauth, http })
    }

    /// Where the browser goes, the state with which it comes back, and PKCE's secret.
    pub(super) fn ask(&self) -> (String, String, String) {
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let (url, state) = self
            .oauth
            .authorize_url(CsrfToken::new_random)
            .add_scope(Scope::new("read:org".to_owned()))
            .set_pkce_challenge(challenge)
            .url();
        (url.into(), state.into_secret(), verifier.into_secret())
    }

    /// A code becomes a token of GitHub's.
    pub(super) async fn exchange(&self, code: String, verifier: String) -> Result<String, GitHubError> {
        let http = self.http.clone();
        let send = move |request: HttpRequest| send(http.clone(), request);
        let answer = self
            .oauth
            .exchange_code(AuthorizationCode::new(code))
            .set_pkce_verifier(PkceCodeVerifier::new(verifier))
            .request_async(&send)
            .await;
        match answer {
            Ok(token) => Ok(token.access_token().secret().clone()),
            Err(RequestTokenError::ServerResponse(refused)) => Err(of_word(refused.error().as_ref())),
            Err(RequestTokenError::Parse(_, body)) => match serde_json::from_slice::<Refused>(&body) {
                Ok(refused) => Err(of_word(&refused.error)),
                Err(_) => Err(GitHubError::Upstream("answers something else than a token".to_owned())),
            },
            Err(RequestTokenError::Request(error)) => Err(error),
            Err(RequestTokenError::Other(_)) => {
                Err(GitHubError::Upstream("answers something else than a token".to_owned()))
            }
        }
    }

    /// Who the person is, and in which organisation they may enter.
    pub(super) async fn person(&self, consent: &str) -> Result<Person, GitHubError> {
        let user: User = self.get("user", consent).await?;
        let mut member = Vec::new();
        for page in 1..=PAGES {
            let found: Vec<User> =
                self.get(&format!("user/orgs?per_page={PAGE}&page={page}"), consent).await?;
            let last = found.len() < PAGE;
            member.extend(found.into_iter().map(|org| org.login.to_lowercase()));
            if last {
                break;
            }
        }
        let orgs: Vec<String> =
            self.settings.orgs.iter().filter(|org| member.contains(org)).cloned().collect();
        match orgs.first().cloned() {
            Some(org) => Ok(Person { username: user.login, org, orgs }),
            None => Err(GitHubError::Outside(outside(&user.login, member.is_empty()))),
        }
    }

    async fn get<T: DeserializeOwned>(&self, what: &str, consent: &str) -> Result<T, GitHubError> {
        let url = format!("{}/{what}", self.settings.api_url.as_str().trim_end_matches('/'));
        let request = self.http.get(url).bearer_auth(consent).header("accept", "application/vnd.github+json");
        let response = request.send().await.map_err(unreachable)?;
        match response.status() {
            StatusCode::OK => {}
            StatusCode::UNAUTHORIZED => return Err(GitHubError::Withdrawn),
            status => return Err(GitHubError::Upstream(format!("answers with status {}", status.as_u16()))),
        }
        let body = read(response).await?;
        serde_json::from_slice(&body)
            .map_err(|_| GitHubError::Upstream("answers something else than its API says".to_owned()))
    }
}

/// The flow's own requests; it is handed everything, since the flow cannot borrow.
async fn send(http: reqwest::Client, request: HttpRequest) -> Result<HttpResponse, GitHubError> {
    let (parts, body) = request.into_parts();
    let request = http.request(parts.method, parts.uri.to_string()).headers(parts.headers).body(body);
    let response = request.send().await.map_err(unreachable)?;
    let status = response.status();
    if status.is_server_error() || status.is_redirection() {
        return Err(GitHubError::Upstream(format!("answers with status {}", status.as_u16())));
    }
    let headers = response.headers().clone();
    let mut answer = HttpResponse::new(read(response).await?);
    *answer.status_mut() = status;
    *answer.headers_mut() = headers;
    Ok(answer)
}

async fn read(mut response: reqwest::Response) -> Result<Vec<u8>, GitHubError> {
    let mut body = Vec::new();
    while let Some(part) = response.chunk().await.map_err(unreachable)? {
        body.extend_from_slice(&part);
        if body.len() > LARGEST {
            return Err(GitHubError::Upstream("answers with more than a megabyte".to_owned()));
        }
    }
    Ok(body)
}

#[expect(clippy::needless_pass_by_value, reason = "it stands behind map_err")]
fn unreachable(error: reqwest::Error) -> GitHubError {
    let how = if error.is_timeout() { "does not answer in time" } else { "cannot be reached" };
    GitHubError::Upstream(how.to_owned())
}

/// What GitHub means by the word of its refusal.
fn of_word(word: &str) -> GitHubError {
    match word {
        "bad_verification_code" | "invalid_grant" => GitHubError::Code,
        // Whoever set this backend up has to look; the word is GitHub's own and short.
        word if word.len() <= 64 && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_') => {
            GitHubError::Upstream(format!("refuses this backend ({word})"))
        }
        _ => GitHubError::Upstream("refuses this backend".to_owned()),
    }
}

fn outside(username: &str, shows_none: bool) -> String {
    let hint = if shows_none {
        "the provider shows none at all: an owner may have to allow this OAuth app for the organisation first"
    } else {
        "ask for membership, then log in again"
    };
    format!("{username} is in no organisation that may enter here; {hint}")
}
