//! What the client reads of an access token. It verifies nothing: the backend does.

use ctxhost_sdk::{protocol::codebase_index::TokenPayload, serde_json};

/// What is read of a token.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Payload {
    /// Who it is.
    pub(crate) username: Option<String>,
    /// For how many seconds it holds from when it was made, by the backend's own clock.
    pub(crate) holds: Option<f64>,
}

impl Payload {
    /// Reads a token; of one that is no JWT with these fields nothing is known.
    pub(crate) fn of(token: &str) -> Self {
        let mut parts = token.split('.');
        let payload = parts.nth(1).filter(|_| parts.count() == 1);
        let payload: Option<TokenPayload> =
            payload.and_then(decode).and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let Some(payload) = payload else { return Self::default() };
        let name: String = payload.username.chars().filter(|letter| !letter.is_control()).take(256).collect();
        Self {
            username: Some(name).filter(|name| !name.is_empty()),
            holds: payload.exp.checked_sub(payload.iat).filter(|holds| *holds > 0).map(|holds| holds as f64),
        }
    }
}

/// Base64 with the alphabet of addresses, with or without padding.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=').as_bytes();
    if text.len() % 4 == 1 {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    for four in text.chunks(4) {
        let value =
            four.iter().try_fold(0_u32, |value, letter| Some(value << 6 | u32::from(digit(*letter)?)))?;
        let value = value << (6 * (4 - four.len()));
        bytes.extend_from_slice(&value.to_be_bytes()[1..four.len()]);
    }
    Some(bytes)
}

fn digit(letter: u8) -> Option<u8> {
    match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'-' => Some(62),
        b'_' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_addresses_is_read() {
        for (text, expected) in [("", ""), ("Zg", "f"), ("Zm8", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob")]
        {
            assert_eq!(decode(text).as_deref(), Some(expected.as_bytes()), "{text}");
        }
        assert_eq!(decode("-_8"), Some(vec![0xfb, 0xff]));
        for wrong in ["Z", "Zg+", "Z!"] {
            assert_eq!(decode(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn name_and_time_are_read_of_a_token() {
        // {"username":"ada","exp":1003600,"iat":1000000}
        let payload = "eyJ1c2VybmFtZSI6ImFkYSIsImV4cCI6MTAwMzYwMCwiaWF0IjoxMDAwMDAwfQ";
        let expected = Payload { username: Some("ada".to_owned()), holds: Some(3_600.0) };
        assert_eq!(Payload::of(&format!("e30.{payload}.c2ln")), expected);
        for opaque in ["opaque", "a.b", &format!("e30.{payload}"), &format!("a.{payload}.b.c"), "a.e30.b"] {
            assert_eq!(Payload::of(opaque), Payload::default(), "{opaque}");
        }
    }
}
