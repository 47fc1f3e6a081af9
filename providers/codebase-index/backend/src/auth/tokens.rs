//! Tokens: JWTs that say who asks, in which organisation, since which login.

use jsonwebtoken::{
    Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, decode_header, encode, errors::ErrorKind,
};
use serde::{Deserialize, Serialize};

use super::{ACCESS_SECONDS, REFRESH_SECONDS, keys::Key};
use crate::hex;

/// For whom tokens are.
const AUDIENCE: &str = "codebase-index";
/// How far clocks may be apart.
const LEEWAY_SECONDS: i64 = 60;
/// Longer than any token of ours.
const LONGEST: usize = 4096;

/// What a token is for; one kind is never taken for the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Typ {
    Access,
    Refresh,
}

impl Typ {
    fn seconds(self) -> i64 {
        match self {
            Self::Access => ACCESS_SECONDS,
            Self::Refresh => REFRESH_SECONDS,
        }
    }
}

/// What a token says. `username`, `exp` and `iat` are the contract's, the rest is our own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Claims {
    pub(super) iss: String,
    pub(super) aud: String,
    pub(super) typ: Typ,
    pub(super) username: String,
    pub(super) org: String,
    pub(super) provider: String,
    /// The login that it comes from.
    pub(super) fam: String,
    pub(super) jti: String,
    pub(super) iat: i64,
    pub(super) exp: i64,
}

/// Whom a token is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Holder {
    pub(super) username: String,
    pub(super) org: String,
    pub(super) provider: String,
    pub(super) family: String,
}

/// Why a token is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenFault {
    Invalid,
    Expired,
}

/// Signs and verifies.
pub(super) struct Tokens {
    issuer: String,
    signing: (String, EncodingKey),
    verifying: Vec<(String, DecodingKey)>,
}

impl Tokens {
    /// Of these keys the first signs.
    pub(super) fn new(issuer: String, keys: &[Key]) -> Result<Self, jsonwebtoken::errors::Error> {
        let first = keys.first().ok_or(ErrorKind::InvalidKeyFormat)?;
        let signing = (first.kid.clone(), EncodingKey::from_secret(&first.secret())?);
        let verifying = keys
            .iter()
            .map(|key| Ok((key.kid.clone(), DecodingKey::from_secret(&key.secret())?)))
            .collect::<Result<_, jsonwebtoken::errors::Error>>()?;
        Ok(Self { issuer, signing, verifying })
    }

    /// A token. The same holder, kind, id and time give the same one.
    pub(super) fn sign(&self, holder: &Holder, typ: Typ, jti: &str, now: i64) -> String {
        let claims = Claims {
            iss: self.issuer.clone(),
            aud: AUDIENCE.to_owned(),
            typ,
            username: holder.username.clone(),
            org: holder.org.clone(),
            provider: holder.provider.clone(),
            fam: holder.family.clone(),
            jti: jti.to_owned(),
            iat: now,
            exp: now.saturating_add(typ.seconds()),
        };
        let header = Header { kid: Some(self.signing.0.clone()), ..Header::new(Algorithm::HS256) };
        encode(&header, &claims, &self.signing.1)
            .expect("texts and numbers are JSON, and the key is of this kind")
    }

    /// What a token says, if it is one of ours, of this kind, and holds now.
    pub(super) fn verify(&self, token: &str, typ: Typ, now: i64) -> Result<Claims, TokenFault> {
        if token.len() > LONGEST {
            return Err(TokenFault::Invalid);
        }
        let header = decode_header(token).map_err(|_| TokenFault::Invalid)?;
        let (_, key) = self
            .verifying
            .iter()
            .find(|(kid, _)| header.kid.as_ref() == Some(kid))
            .ok_or(TokenFault::Invalid)?;
        let claims = decode::<Claims>(token, key, &self.rules()).map_err(|_| TokenFault::Invalid)?.claims;
        let ahead = claims.iat > now.saturating_add(LEEWAY_SECONDS);
        if claims.typ != typ || ahead || claims.exp.saturating_sub(claims.iat) > typ.seconds() {
            return Err(TokenFault::Invalid);
        }
        if now >= claims.exp.saturating_add(LEEWAY_SECONDS) {
            return Err(TokenFault::Expired);
        }
        Ok(claims)
    }

    /// The times are looked at above, by the clock that was handed in.
    fn rules(&self) -> Validation {
        let mut rules = Validation::new(Algorithm::HS256);
        rules.set_audience(&[AUDIENCE]);
        rules.set_issuer(&[&self.issuer]);
        rules.set_required_spec_claims(&["aud", "iss", "exp"]);
        rules.validate_exp = false;
        rules
    }
}

/// The id of the token that follows another one: whoever refreshes twice at once gets the same successor.
pub(super) fn following(jti: &str) -> String {
    hex::digits(&hex::hash(&[b"following", jti.as_bytes()])[..16])
}
