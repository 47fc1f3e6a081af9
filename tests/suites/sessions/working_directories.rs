//! One host, several working directories: settings, trust and instances of their own.

use std::{
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use ctxhost::{Host, Opening, Surroundings, load::HostListener};
use ctxhost_sdk::prelude::*;

use super::scripted::*;
use crate::harness::{Place, example};

/// A host of this place, with a listener.
fn host_in(place: &Place, listener: Arc<dyn HostListener>) -> Host {
    let mut surroundings = Surroundings::empty();
    let folders = [
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_STATE_HOME", "state"),
        ("XDG_CACHE_HOME", "cache"),
        ("XDG_DATA_HOME", "data"),
        ("CTXHOST_PROVIDER_PATH", "providers"),
    ];
    for (name, folder) in folders {
        surroundings.env.insert(name.to_owned(), place.path(folder).to_string_lossy().into_owned());
    }
    surroundings.home = Some(place.path("home"));
    Host::builder(surroundings).listener(listener).build()
}

fn in_folder(cwd: PathBuf, trusted: bool) -> Opening {
    Opening { trusted, ..Opening::new(cwd) }
}

#[test]
fn each_working_directory_has_its_own_project_settings() {
    let place = Place::with(&[example("good"), example("counted")]);
    place.write("one/.ctxhost.toml", "[providers.good]\nenabled = false\n");
    place.write("two/.ctxhost.toml", "[providers.good]\ntext = \"of project two\"\n");
    let host = host_in(&place, Arc::new(ctxhost::load::SilentListener));
    let one = host.session(in_folder(place.path("one"), false));
    let two = host.session(in_folder(place.path("two"), false));
    let (first, second) = (one.event(prompt("")).injection, two.event(prompt("")).injection);
    assert_eq!(keys(&first), ["counted cwd"]);
    assert_eq!(keys(&second), ["counted cwd", "good good"]);
    assert!(second.text.contains("of project two"), "{}", second.text);
    for (injection, folder) in [(&first, "one"), (&second, "two")] {
        assert!(injection.text.contains(&place.path(folder).display().to_string()), "{}", injection.text);
    }
}

#[test]
fn a_folder_is_trusted_by_the_agents_word_and_only_for_that_session() {
    let place = Place::with(&[example("counted")]);
    place.write("work/.ctxhost.toml", "[providers.counted]\nword = \"of the project\"\n");
    let host = host_in(&place, Arc::new(ctxhost::load::SilentListener));
    let trusted = host.session(in_folder(place.path("work"), true)).event(prompt(""));
    let untrusted = host.session(in_folder(place.path("work"), false)).event(prompt(""));
    assert!(trusted.injection.text.contains("trusted: true, word: of the project"), "{trusted:?}");
    assert!(untrusted.injection.text.contains("trusted: false, word: none"), "{untrusted:?}");
    assert_eq!(codes(&untrusted.findings), ["counted project-refused"]);
    assert_eq!(codes(&trusted.findings), Vec::<String>::new());
}

/// Counts the instances that are there.
#[derive(Default)]
struct Counter {
    made: AtomicUsize,
    ended: AtomicUsize,
}

impl HostListener for Counter {
    fn log(&self, _provider: &str, _level: Level, text: &str) {
        match text {
            "made one" => self.made.fetch_add(1, Ordering::SeqCst),
            "ended one" => self.ended.fetch_add(1, Ordering::SeqCst),
            _ => 0,
        };
    }

    fn notify(&self, _provider: &str, _message: Notify) {}
}

#[test]
fn working_directories_that_nobody_works_in_are_let_go_of_but_for_the_last_few() {
    let place = Place::with(&[example("counted")]);
    let counter = Arc::new(Counter::default());
    let host = host_in(&place, Arc::clone(&counter) as Arc<dyn HostListener>);
    let folder = |number: usize| place.path(format!("project-{number}"));
    let kept = host.session(in_folder(folder(0), false));
    assert_eq!(keys(&kept.event(prompt("")).injection), ["counted cwd"]);
    for number in 1..=8 {
        let session = host.session(in_folder(folder(number), false));
        assert_eq!(keys(&session.event(prompt("")).injection), ["counted cwd"]);
    }
    assert_eq!(counter.made.load(Ordering::SeqCst), 9);
    // Each is let go of when the next is opened; the last four that are idle stay, and the one that is in use.
    let deadline = Instant::now() + Duration::from_secs(10);
    while counter.ended.load(Ordering::SeqCst) < 3 && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(counter.ended.load(Ordering::SeqCst), 3);
    let again = host.session(in_folder(folder(8), false));
    again.event(prompt(""));
    assert_eq!(counter.made.load(Ordering::SeqCst), 9, "an idle one is taken up again");
    drop(again);
    assert_eq!(kept.event(prompt("")).injection.text, "", "one that is in use is left alone");
    drop((kept, host));
    let deadline = Instant::now() + Duration::from_secs(10);
    while counter.ended.load(Ordering::SeqCst) < 9 && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(counter.ended.load(Ordering::SeqCst), 9, "each instance ends once");
}

#[test]
fn a_provider_inside_the_program_belongs_to_every_working_directory_and_ends_once() {
    let (sender, ended) = mpsc::channel();
    let alpha = Script::with_end(move || sender.send(()).expect("the test listens"));
    let host = host(&alpha);
    for number in 0..9 {
        host.session(in_folder(PathBuf::from(format!("/no/such/{number}")), false)).event(prompt(""));
    }
    let session = host.session(in_folder(PathBuf::from("/no/such/last"), false));
    drop(host);
    assert!(ended.try_recv().is_err(), "a session may outlive its host");
    session.event(prompt(""));
    assert_eq!(alpha.asked().len(), 10);
    drop(session);
    ended.recv_timeout(Duration::from_secs(10)).expect("it ends");
    assert!(ended.recv_timeout(Duration::from_millis(50)).is_err(), "once");
}

#[test]
fn a_host_does_not_wait_for_a_provider_that_hangs_at_its_end() {
    let (release, released) = mpsc::channel::<()>();
    let released = Mutex::new(released);
    let alpha = Script::with_end(move || {
        let _ = lock(&released).recv_timeout(Duration::from_secs(20));
    });
    let session = host(&alpha).session(opening(&[]));
    session.event(prompt(""));
    let begun = Instant::now();
    drop(session);
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    let (release_other, released) = mpsc::channel::<()>();
    let released = Mutex::new(released);
    let alpha = Script::with_end(move || {
        let _ = lock(&released).recv_timeout(Duration::from_secs(20));
    });
    let host = host(&alpha);
    let begun = Instant::now();
    drop(host);
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    drop((release, release_other));
}
