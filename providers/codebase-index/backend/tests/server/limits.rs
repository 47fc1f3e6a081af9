//! Too much, too slow, too many.

use std::time::{Duration, Instant};

use ctxhost_index::server::Limits;
use reqwest::Method;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{sleep, timeout},
};

use super::{Plan, Running, assert_refused, header};

async fn with(limits: Limits) -> Running {
    Running::with(Plan { limits, ..Plan::default() }).await
}

/// Begins a request whose body stays away.
async fn begin(server: &Running, token: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).await.expect("a connection");
    let head = format!(
        "POST /codebase-index/sync HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: 12\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.expect("sent");
    sleep(Duration::from_millis(200)).await;
    stream
}

/// All that comes until the connection ends.
async fn rest(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    timeout(Duration::from_secs(10), stream.read_to_string(&mut text)).await.expect("in time").expect("read");
    text
}

#[tokio::test]
async fn a_body_that_is_too_large_is_413_however_it_comes() {
    let server = with(Limits { body_bytes: 1000, ..Limits::default() }).await;
    // A client that first says everything and then listens hears the answer too, although nobody wanted the body.
    for (token, answer) in [(server.token(), "HTTP/1.1 413 "), ("wrong".to_owned(), "HTTP/1.1 401 ")] {
        let mut stream = TcpStream::connect(server.address).await.expect("a connection");
        let head = format!(
            "POST /codebase-index/sync HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\ncontent-length: 30000000\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.expect("sent");
        stream.write_all(&vec![b' '; 30_000_000]).await.expect("all is taken");
        assert!(rest(&mut stream).await.starts_with(answer), "{answer}");
    }
    let refresh = json!({ "refresh_token": "x".repeat(70_000) });
    let request = server.client.post(server.url("/auth/dev/refresh")).json(&refresh);
    assert_refused(request.send().await.expect("an answer"), 413, "too-large").await;
    // Without saying how much it will be.
    let mut stream = TcpStream::connect(server.address).await.expect("a connection");
    let head = format!(
        "POST /codebase-index/sync HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {}\r\n\
         content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
        server.token()
    );
    stream.write_all(head.as_bytes()).await.expect("sent");
    for _ in 0..20 {
        stream.write_all(format!("64\r\n{}\r\n", " ".repeat(100)).as_bytes()).await.expect("sent");
    }
    stream.write_all(b"0\r\n\r\n").await.expect("sent");
    assert!(rest(&mut stream).await.starts_with("HTTP/1.1 413 "));
}

#[tokio::test]
async fn a_body_that_does_not_come_is_408() {
    let server = with(Limits { body_time: Duration::from_millis(300), ..Limits::default() }).await;
    let mut stream = begin(&server, &server.token()).await;
    let text = rest(&mut stream).await;
    assert!(text.starts_with("HTTP/1.1 408 ") && text.contains("too-slow"), "{text}");
}

#[tokio::test]
async fn a_head_that_does_not_come_and_an_idle_connection_end() {
    let server = with(Limits { head_time: Duration::from_millis(300), ..Limits::default() }).await;
    let begun = Instant::now();
    let mut slow = TcpStream::connect(server.address).await.expect("a connection");
    slow.write_all(b"GET /codebase-index/health HTTP/1.1\r\nhost:").await.expect("sent");
    let mut idle = TcpStream::connect(server.address).await.expect("a connection");
    rest(&mut slow).await;
    assert_eq!(rest(&mut idle).await, "");
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn too_many_in_flight_are_told_to_come_back_and_logins_have_places_of_their_own() {
    let server = with(Limits { in_flight: 1, ..Limits::default() }).await;
    let token = server.token();
    let mut first = begin(&server, &token).await;
    let second = server.health(&token).await;
    assert_eq!(header(&second, "retry-after"), "1");
    assert_refused(second, 503, "unavailable").await;
    // Whoever has no token takes no place, and hears nothing of it.
    assert_refused(server.health("wrong").await, 401, "token-invalid").await;
    let start = server.url(&format!("/auth/dev/start?redirect_url={}", super::REDIRECT));
    assert_eq!(server.client.get(start).send().await.expect("an answer").status(), 302);
    first.write_all(b"{\"repos\":[]}").await.expect("sent");
    let mut answer = [0; 12];
    first.read_exact(&mut answer).await.expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 200");
    assert_eq!(server.health(&token).await.status(), 200, "the place is free again");
}

#[tokio::test]
async fn bodies_take_no_more_room_than_there_is() {
    let server = with(Limits { all_bodies_bytes: 20_000_000, ..Limits::default() }).await;
    let mut first = TcpStream::connect(server.address).await.expect("a connection");
    let head = format!(
        "POST /codebase-index/sync HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n\
         content-type: application/json\r\ncontent-length: 15000000\r\n\r\n",
        server.token()
    );
    first.write_all(head.as_bytes()).await.expect("sent");
    sleep(Duration::from_millis(200)).await;
    let large = format!("{{\"repos\":[]}}{}", " ".repeat(10_000_000));
    let request = server.request(Method::POST, &server.data("/sync"), &server.token());
    let request = request.header("content-type", "application/json").body(large);
    assert_refused(request.send().await.expect("an answer"), 503, "unavailable").await;
    server.ask(&server.token(), "/sync", &json!({ "repos": [] })).await;
}

#[tokio::test]
async fn what_is_in_flight_is_answered_when_the_server_stops_and_the_rest_ends_in_time() {
    let server = with(Limits { stop_time: Duration::from_secs(2), ..Limits::default() }).await;
    let token = server.token();
    let mut asked = begin(&server, &token).await;
    let mut stuck = begin(&server, &token).await;
    let mut idle = TcpStream::connect(server.address).await.expect("a connection");
    // Until it is accepted it belongs to nobody.
    sleep(Duration::from_millis(200)).await;
    let stopped = Instant::now();
    server.stop.send(true).expect("told");
    assert_eq!(rest(&mut idle).await, "", "it ends at once");
    assert!(stopped.elapsed() < Duration::from_secs(1));
    assert!(TcpStream::connect(server.address).await.is_err(), "nobody else is let in");
    asked.write_all(b"{\"repos\":[]}").await.expect("sent");
    assert!(rest(&mut asked).await.starts_with("HTTP/1.1 200 "));
    server.ended.await.expect("no panic");
    assert!(stopped.elapsed() < Duration::from_secs(4));
    drop(stuck.shutdown().await);
}
