//! The document's flow with a browser that a script plays.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    os::unix::fs::PermissionsExt,
    sync::mpsc,
    thread,
};

use codebase_index::CodebaseIndex;
use ctxhost_sdk::prelude::{CommandReply, Notify, json};
use ctxhost_testkit::Harness;

use crate::support::{Place, backend::Backend, keep_at, until};

/// Asks for an address, and gives status and headers with body.
fn get(url: &str) -> (u16, String) {
    let rest = url.strip_prefix("http://").expect("an address");
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let mut stream = TcpStream::connect(host).expect("somebody listens");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").expect("it is sent");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, text)
}

fn location(answer: &str) -> String {
    let line = answer.lines().find_map(|line| line.strip_prefix("location: "));
    line.expect("it sends the browser on").trim().to_owned()
}

/// Runs `login` and does meanwhile what a browser would.
fn log_in(harness: &Harness<CodebaseIndex>, place: &Place, browse: impl FnOnce(&str)) -> CommandReply {
    thread::scope(|scope| {
        let (send, done) = mpsc::channel();
        scope.spawn(move || send.send(harness.command("login", &["--no-browser"], place.project())));
        let address = || {
            harness.notifications().into_iter().find_map(|told| match told {
                Notify::Message { text, .. } => text.strip_prefix("log in at ").map(str::to_owned),
                _ => None,
            })
        };
        until(|| address().is_some());
        browse(&address().expect("it is said"));
        done.recv().expect("it ends").expect("it runs")
    })
}

#[test]
fn a_login_gives_tokens_that_only_the_person_can_read() {
    let (place, backend) = (Place::new(), Backend::serve());
    let harness = place.builder(json!({"url": backend.url})).build().expect("it starts");
    let reply = log_in(&harness, &place, |start| {
        assert!(start.starts_with(&format!(
            "{}/auth/github/start?redirect_url=http%3A%2F%2F127.0.0.1%3A",
            backend.url
        )));
        let to = location(&get(start).1);
        let (status, page) = get(&to);
        assert_eq!(status, 200);
        assert!(
            page.contains("history.replaceState") && page.contains("referrer-policy: no-referrer"),
            "{page}"
        );
        assert!(!page.contains("refresh-1"), "the page does not repeat a token");
    });
    assert_eq!(
        (reply.exit, reply.text.as_str()),
        (0, format!("logged in to {} as ada\n", backend.url).as_str())
    );
    let file = place.state("credentials.json");
    let mode = |path: &std::path::Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    assert_eq!((mode(&file), mode(file.parent().expect("a folder"))), (0o600, 0o700));
    let login = place.login(&backend);
    assert_eq!(
        (login["token"].clone(), login["refresh_token"].clone()),
        (json!(backend.token()), json!("refresh-1"))
    );
    assert_eq!(harness.command("sync", &[], place.project()).expect("it runs").exit, 0);
    // Nothing that is told to anybody holds a token.
    let told = format!("{:?} {:?} {}", harness.notifications(), harness.logs(), reply.text);
    assert!(!told.contains("refresh-1") && !told.contains(&backend.token()), "{told}");
}

#[test]
fn only_the_exact_path_is_believed_and_the_first_answer_wins() {
    let (place, backend) = (Place::new(), Backend::serve());
    let harness = place.builder(json!({"url": backend.url})).build().expect("it starts");
    let reply = log_in(&harness, &place, |start| {
        let to = location(&get(start).1);
        let (base, query) = to.split_once('?').expect("tokens");
        let (host, _) = base.split_once("/cb/").expect("a path");
        let nonce = base.rsplit('/').next().expect("a nonce");
        assert_eq!((nonce.len(), nonce.bytes().all(|byte| byte.is_ascii_hexdigit())), (32, true));
        let wrong = "0".repeat(32);
        for foreign in [
            format!("{host}/"),
            format!("{host}/cb/{wrong}"),
            format!("{base}/"),
            format!("{host}/favicon.ico"),
        ] {
            let (status, page) = get(&format!("{foreign}?token=evil&refresh_token=evil"));
            assert_eq!(status, 404, "{foreign}");
            assert!(!page.contains("evil"));
        }
        assert_eq!(get(base).0, 400, "no token, and it still waits");
        assert_eq!(get(&format!("{base}?{query}")).0, 200);
    });
    assert_eq!(reply.exit, 0, "{}", reply.text);
    assert_eq!(place.login(&backend)["refresh_token"], json!("refresh-1"));
}

#[test]
fn a_refusal_ends_the_login_with_the_backends_words() {
    let (place, backend) = (Place::new(), Backend::serve());
    let harness = place.builder(json!({"url": backend.url})).build().expect("it starts");
    let reply = log_in(&harness, &place, |start| {
        let to = location(&get(start).1);
        let (base, _) = to.split_once('?').expect("tokens");
        assert_eq!(get(&format!("{base}?error=access_denied&message=you+said+no")).0, 200);
    });
    assert_eq!((reply.exit, reply.text.as_str()), (1, "the backend did not log you in: you said no\n"));
    assert!(place.login(&backend).is_null());
}

#[test]
fn a_person_whom_the_backend_does_not_let_in_is_told_and_nothing_is_kept() {
    let (place, backend) = (Place::new(), Backend::serve());
    backend.instead("health", 403, r#"{"message": "ada is in no allowed organisation"}"#);
    let harness = place.builder(json!({"url": backend.url})).build().expect("it starts");
    let reply = log_in(&harness, &place, |start| drop(get(&location(&get(start).1))));
    assert_eq!(reply.exit, 1);
    assert!(reply.text.contains("(403): ada is in no allowed organisation"), "{}", reply.text);
    assert!(place.login(&backend).is_null());
}

#[test]
fn a_login_that_is_cancelled_ends_at_once() {
    let (place, backend) = (Place::new(), Backend::serve());
    let harness = place.builder(json!({"url": backend.url})).build().expect("it starts");
    let call = std::sync::Arc::new(ctxhost_testkit::Call::until(u64::MAX));
    let request = json!({"name": "login", "args": ["--no-browser"], "now": place.now,
        "session": {"id": null, "cwd": place.project(), "trusted": true, "life": "long"}});
    let begin = std::time::Instant::now();
    thread::scope(|scope| {
        let waiting = scope.spawn(|| harness.raw_call("command", &request, &call));
        until(|| !harness.notifications().is_empty());
        call.cancel();
        assert!(waiting.join().expect("it ends").is_err());
    });
    assert!(begin.elapsed().as_secs() < 10);
}

#[test]
fn logging_out_forgets_here_and_ends_it_there() {
    let (place, backend) = (Place::new(), Backend::serve());
    let harness = place.harness(&backend);
    let reply = harness.command("logout", &[], place.project()).expect("it runs");
    assert_eq!((reply.exit, reply.data.expect("a document")["revoked"].clone()), (0, json!(true)));
    assert!(place.login(&backend).is_null());
    assert_eq!(backend.count("/revoke"), 1);
    let again = harness.command("logout", &[], place.project()).expect("it runs");
    assert_eq!(again.exit, 3, "{}", again.text);
    // A backend that knows only the document cannot.
    place.log_in(&backend, "t", "refresh-0", place.now + 3_600.0);
    backend.instead("revoke", 404, "not here");
    let reply = harness.command("logout", &[], place.project()).expect("it runs");
    assert!(reply.exit == 0 && reply.text.contains("end by themselves"), "{}", reply.text);
    assert!(place.login(&backend).is_null());
}

#[test]
fn the_browser_is_begun_with_the_address_and_no_shell() {
    let (place, backend) = (Place::new(), Backend::serve());
    let opened = place.path("opened");
    let script = place.path("browser");
    fs::write(&script, format!("#!/bin/sh\necho \"$#\" \"$1\" > {}\n", opened.display())).expect("a script");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o700)).expect("a mode");
    let harness =
        place.builder(json!({"url": backend.url})).env("BROWSER", &script).build().expect("it starts");
    thread::scope(|scope| {
        let run = scope.spawn(|| harness.command("login", &[], place.project()));
        until(|| fs::read_to_string(&opened).is_ok_and(|text| text.ends_with('\n')));
        let said = fs::read_to_string(&opened).expect("it was begun");
        let (count, start) = said.trim().split_once(' ').expect("one argument");
        assert_eq!(count, "1");
        get(&location(&get(start).1));
        assert_eq!(run.join().expect("it ends").expect("it runs").exit, 0);
    });
}

#[test]
fn a_damaged_file_of_logins_is_a_state_and_a_login_puts_it_right() {
    let (place, backend) = (Place::new(), Backend::serve());
    keep_at(&place.state(""), "credentials.json", &json!("secret-token"));
    let harness = place.builder(json!({"url": backend.url})).build().expect("it starts");
    let status = harness.command("status", &[], place.project()).expect("it runs");
    assert_eq!(status.exit, 1);
    assert!(status.text.contains("is damaged") && !status.text.contains("secret-token"), "{}", status.text);
    let reply = log_in(&harness, &place, |start| drop(get(&location(&get(start).1))));
    assert_eq!(reply.exit, 0, "{}", reply.text);
}
