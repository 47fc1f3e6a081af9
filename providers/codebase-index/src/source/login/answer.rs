//! One connection of a browser: just enough HTTP to read one line of it.

use std::time::Duration;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use url::form_urlencoded;

use super::{super::development::is_token, LoginError, Pair, page};

/// Two tokens of 16 KiB in the query, and a browser's headers.
const LARGEST_HEAD: usize = 64 << 10;

/// A connection that says nothing for longer is dropped.
const WITHIN: Duration = Duration::from_secs(10);

/// What a request comes to.
#[derive(Debug, PartialEq, Eq)]
enum Asked {
    /// Another path, another method, or no HTTP.
    Foreign(&'static str),
    /// The right path without tokens, which ends nothing.
    Empty,
    /// The backend says that there is no login.
    Refused(String),
    Tokens(Pair),
}

/// Answers one request; gives what ends the login.
pub(super) async fn serve(mut stream: TcpStream, path: &str) -> Option<Result<Pair, LoginError>> {
    let head = tokio::time::timeout(WITHIN, head(&mut stream)).await.ok().flatten()?;
    let asked = read(&head, path);
    let page = match &asked {
        Asked::Foreign(status) => {
            page::response(status, "Nothing is here", "This address belongs to no login.")
        }
        Asked::Empty => {
            page::response("400 Bad Request", "No token came", "Begin the login once more from the terminal.")
        }
        Asked::Refused(why) => page::response("200 OK", "Not logged in", why),
        Asked::Tokens(_) => page::response("200 OK", "Logged in", "You may close this page."),
    };
    let written = async {
        let _ = stream.write_all(page.as_bytes()).await;
        let _ = stream.shutdown().await;
    };
    let _ = tokio::time::timeout(WITHIN, written).await;
    match asked {
        Asked::Tokens(pair) => Some(Ok(pair)),
        Asked::Refused(why) => Some(Err(LoginError::Refused(why))),
        Asked::Foreign(_) | Asked::Empty => None,
    }
}

/// Reads to the empty line; `None` when the head is too large, or the browser leaves.
async fn head(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    let mut piece = [0; 4096];
    while !head.windows(4).rev().take(piece.len() + 4).any(|end| end == b"\r\n\r\n") {
        let count = stream.read(&mut piece).await.ok().filter(|count| *count > 0)?;
        head.extend_from_slice(&piece[..count]);
        if head.len() > LARGEST_HEAD {
            return None;
        }
    }
    Some(head)
}

fn read(head: &[u8], path: &str) -> Asked {
    let line = head.split(|byte| *byte == b'\r').next().unwrap_or_default();
    let Ok(line) = std::str::from_utf8(line) else { return Asked::Foreign("400 Bad Request") };
    let mut words = line.split(' ');
    let (method, target, version) = (words.next(), words.next().unwrap_or_default(), words.next());
    if !version.is_some_and(|version| version.starts_with("HTTP/1.")) || words.next().is_some() {
        return Asked::Foreign("400 Bad Request");
    }
    let (asked, query) = target.split_once('?').unwrap_or((target, ""));
    if asked != path {
        return Asked::Foreign("404 Not Found");
    }
    if method != Some("GET") {
        return Asked::Foreign("405 Method Not Allowed");
    }
    said(query)
}

fn said(query: &str) -> Asked {
    let (mut token, mut refresh_token, mut error, mut message) = (None, None, None, None);
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "token" => token = Some(value.into_owned()),
            "refresh_token" => refresh_token = Some(value.into_owned()),
            "error" => error = Some(value.into_owned()),
            "message" | "error_description" => message = Some(value.into_owned()),
            _ => {}
        }
    }
    match (token.filter(|token| is_token(token)), error) {
        (Some(token), _) => {
            Asked::Tokens(Pair { token, refresh_token: refresh_token.filter(|token| is_token(token)) })
        }
        (None, Some(error)) => Asked::Refused(plain(&message.unwrap_or(error))),
        (None, None) => Asked::Empty,
    }
}

/// One line that a terminal can show.
fn plain(text: &str) -> String {
    let text: String = text.chars().filter(|letter| !letter.is_control()).take(300).collect();
    if text.trim().is_empty() { "it does not say why".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &Asked) {
        assert_eq!(&read(format!("{line}\r\nHost: x\r\n\r\n").as_bytes(), "/cb/0f"), expected, "{line}");
    }

    fn tokens(token: &str, refresh_token: Option<&str>) -> Asked {
        Asked::Tokens(Pair { token: token.to_owned(), refresh_token: refresh_token.map(str::to_owned) })
    }

    #[test]
    fn only_the_exact_path_is_answered() {
        check("GET /cb/0f?token=a&refresh_token=b HTTP/1.1", &tokens("a", Some("b")));
        for path in
            ["/", "/cb", "/cb/", "/cb/0e", "/cb/0f/", "/cb/0F", "//cb/0f", "/cb/%30f", "http://x/cb/0f"]
        {
            check(&format!("GET {path}?token=a&refresh_token=b HTTP/1.1"), &Asked::Foreign("404 Not Found"));
        }
        check("POST /cb/0f?token=a HTTP/1.1", &Asked::Foreign("405 Method Not Allowed"));
        check("HEAD /cb/0f?token=a HTTP/1.1", &Asked::Foreign("405 Method Not Allowed"));
        for line in ["", "GET /cb/0f?token=a", "GET /cb/0f?token=a HTTP/2", "GET /cb/0f?token=a x HTTP/1.1"] {
            check(line, &Asked::Foreign("400 Bad Request"));
        }
    }

    #[test]
    fn what_is_no_token_ends_nothing() {
        check("GET /cb/0f?token=a%2Eb%2Ec HTTP/1.0", &tokens("a.b.c", None));
        for query in ["", "?", "?token=", "?token=a%0Ab", "?token=a+b", "?refresh_token=b", "?tokens=a"] {
            check(&format!("GET /cb/0f{query} HTTP/1.1"), &Asked::Empty);
        }
        check("GET /cb/0f?error=access_denied HTTP/1.1", &Asked::Refused("access_denied".to_owned()));
        check("GET /cb/0f?error=x&message=no%1B%5B1m HTTP/1.1", &Asked::Refused("no[1m".to_owned()));
    }
}
