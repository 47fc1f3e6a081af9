use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::*;

/// Sends one line of a request, and gives the answer.
async fn ask(address: &str, target: &str) -> String {
    let host = address.strip_prefix("http://").unwrap().split('/').next().unwrap();
    let mut stream = TcpStream::connect(host).await.unwrap();
    stream.write_all(format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()).await.unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    text
}

fn path(address: &str) -> String {
    format!("/cb/{}", address.rsplit('/').next().unwrap())
}

#[tokio::test]
async fn nobody_comes_in_time() {
    let listener = Listener::open().unwrap();
    let address = listener.address();
    let within = Duration::from_millis(60);
    assert_eq!(listener.answer(within, &Stop::default()).await, Err(LoginError::TimedOut(within)));
    let host = address.strip_prefix("http://").unwrap().split('/').next().unwrap();
    assert!(TcpStream::connect(host).await.is_err(), "nobody listens any more");
}

#[tokio::test]
async fn whoever_stops_it_does_not_wait() {
    let stop = Stop::default();
    stop.stop();
    let listener = Listener::open().unwrap();
    assert_eq!(listener.answer(WITHIN, &stop).await, Err(LoginError::Stopped));
}

#[tokio::test]
async fn the_first_valid_answer_wins() {
    let listener = Listener::open().unwrap();
    let address = listener.address();
    let browser = async {
        assert!(ask(&address, "/cb/0f?token=evil&refresh_token=evil").await.starts_with("HTTP/1.1 404"));
        let first = format!("{}?token=one&refresh_token=r", path(&address));
        assert!(ask(&address, &first).await.starts_with("HTTP/1.1 200"));
        // Whoever comes next finds nobody, or is not heard.
        let host = address.strip_prefix("http://").unwrap().split('/').next().unwrap();
        if let Ok(mut stream) = TcpStream::connect(host).await {
            let _ = stream
                .write_all(format!("GET {}?token=two HTTP/1.1\r\n\r\n", path(&address)).as_bytes())
                .await;
        }
    };
    let stop = Stop::default();
    let (answer, ()) = tokio::join!(listener.answer(WITHIN, &stop), browser);
    assert_eq!(answer.unwrap(), Pair { token: "one".to_owned(), refresh_token: Some("r".to_owned()) });
}

#[tokio::test]
async fn connections_that_say_nothing_or_too_much_hold_nobody_up() {
    let listener = Listener::open().unwrap();
    let address = listener.address();
    let browser = async {
        let host = address.strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned();
        let mut silent = Vec::new();
        for _ in 0..MOST_CONNECTIONS - 2 {
            silent.push(TcpStream::connect(&host).await.unwrap());
        }
        let mut endless = TcpStream::connect(&host).await.unwrap();
        // It is hung up on at some point.
        while endless.write_all(&[b'x'; 4096]).await.is_ok() {}
        ask(&address, &format!("{}?token=one", path(&address))).await;
        drop(silent);
    };
    let stop = Stop::default();
    let (answer, ()) = tokio::join!(listener.answer(WITHIN, &stop), browser);
    assert_eq!(answer.unwrap().token, "one");
}

#[tokio::test]
async fn every_login_has_a_path_of_its_own_on_loopback() {
    let (one, other) = (Listener::open().unwrap(), Listener::open().unwrap());
    assert_ne!(one.path, other.path);
    assert!(one.listener.local_addr().unwrap().ip().is_loopback());
    assert!(one.address().starts_with("http://127.0.0.1:"));
}
