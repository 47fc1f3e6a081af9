//! Many threads, one conversation; and waiting without a thread.

use std::{
    collections::BTreeSet,
    pin::pin,
    sync::{Arc, mpsc},
    task::{Context, Poll, Wake, Waker},
    thread::{self, Thread},
    time::{Duration, Instant},
};

use ctxhost::{Asking, Session, protocol::envelope::Phase};
use ctxhost_sdk::prelude::*;

use super::scripted::*;

const PROMPTS: &[&str] = &["inject.prompt", "block"];

/// Wakes the thread that waits.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits for a future on this thread, without any runtime.
#[track_caller]
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        if let Poll::Ready(done) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return done;
        }
        let left = until.saturating_duration_since(Instant::now());
        assert!(!left.is_zero(), "nobody woke it up");
        thread::park_timeout(left);
    }
}

#[test]
fn an_event_is_waited_for_without_a_runtime() {
    let alpha = Script::new(|_, request| {
        thread::sleep(Duration::from_millis(30));
        Ok(sections(&[section("s", Placement::Prompt, request.data["text"].as_str().unwrap_or_default())]))
    });
    let session = host(&alpha).session(opening(PROMPTS));
    let outcome = block_on(session.event_async(prompt("one")).expect("a thread"));
    assert_eq!(keys(&outcome.injection), ["alpha s"]);
    let outcome = block_on(async {
        let first = session.event_async(prompt("two")).expect("a thread");
        let second = session.event_async(before("read")).expect("a thread");
        (first.await, second.await)
    });
    assert_eq!(keys(&outcome.0.injection), ["alpha s"]);
    assert!(outcome.0.injection.sections[0].supersedes.is_some(), "the first was delivered");
}

/// A calendar that breaks down when it is told to.
struct Brittle(std::sync::atomic::AtomicBool);

impl ctxhost::Clock for Brittle {
    fn now_ns(&self) -> u64 {
        1
    }

    fn unix_now(&self) -> f64 {
        assert!(!self.0.load(std::sync::atomic::Ordering::SeqCst), "this panic is part of a test");
        1.0
    }
}

#[test]
fn nobody_waits_for_ever_for_a_thread_that_panicked() {
    let clock = Arc::new(Brittle(false.into()));
    let mut surroundings = ctxhost::Surroundings::empty();
    surroundings.clock = Arc::clone(&clock) as Arc<dyn ctxhost::Clock>;
    let alpha = Script::to("prompt", sections(&[section("s", Placement::Prompt, "text")]));
    let host = with::<0>(ctxhost::Host::builder(surroundings).without_search(), &alpha).build();
    let session = host.session(opening(PROMPTS));
    clock.0.store(true, std::sync::atomic::Ordering::SeqCst);
    let outcome = block_on(session.event_async(prompt("")).expect("a thread"));
    assert_eq!((outcome.failed, codes(&outcome.findings)), (true, vec!["- thread".to_owned()]));
    clock.0.store(false, std::sync::atomic::Ordering::SeqCst);
    assert_eq!(keys(&session.event(prompt("")).injection), ["alpha s"], "and the conversation goes on");
}

#[test]
fn an_event_that_is_dropped_is_taken_back() {
    let (sender, said) = mpsc::channel();
    let alpha = Script::new(move |cx, request| {
        if request.data["text"] != "slow" {
            return Ok(sections(&[section("s", Placement::Prompt, "text")]));
        }
        sender.send("asked").expect("the test listens");
        while cx.check().is_ok() {
            thread::sleep(Duration::from_millis(2));
        }
        sender.send("told").expect("the test listens");
        Ok(sections(&[section("s", Placement::Prompt, "text")]))
    });
    let session = host(&alpha).session(opening(PROMPTS));
    let next = || said.recv_timeout(Duration::from_secs(10)).expect("the provider says so");
    let mut pending = session.event_async(prompt("slow")).expect("a thread");
    let waker = Waker::noop();
    assert!(std::pin::Pin::new(&mut pending).poll(&mut Context::from_waker(waker)).is_pending());
    assert_eq!(next(), "asked");
    drop(pending);
    assert_eq!(next(), "told");
    assert_eq!(
        keys(&session.event(prompt("")).injection),
        ["alpha s"],
        "nothing counts as shown, nobody is stuck"
    );
}

#[test]
fn a_provider_that_does_not_listen_is_given_up_once_its_deadline_is_over() {
    // Each question that is taken back leaves a thread in it, and nobody waits for its deadline.
    let (release, released) = mpsc::channel::<()>();
    let released = std::sync::Mutex::new(released);
    let gamma = Script::new(move |_, _| {
        let _ = lock(&released).recv_timeout(Duration::from_secs(20));
        Ok(Reply::new())
    });
    let host = with::<2>(builder(None), &gamma).build();
    let session = host.session(opening(PROMPTS));
    let until = Instant::now() + Duration::from_secs(10);
    let findings = loop {
        let asking = Asking::default();
        let cancel = asking.cancel.clone();
        let outcome = thread::scope(|scope| {
            scope.spawn(move || {
                thread::sleep(Duration::from_millis(30));
                cancel.cancel();
            });
            session.prepare(prompt(""), &asking).deliver()
        });
        let findings = codes(&outcome.findings);
        if findings != ["gamma cancelled"] || Instant::now() > until {
            break findings;
        }
    };
    assert_eq!(findings, ["gamma stuck"]);
    let asked = gamma.asked().len();
    assert!((1..60).contains(&asked), "{asked} threads");
    session.event(prompt(""));
    assert_eq!(gamma.asked().len(), asked, "it is asked no more");
    drop(release);
}

/// Fails when it takes longer than any machine would need.
#[track_caller]
fn within(limit: Duration, work: impl FnOnce() + Send + 'static) {
    let (sender, done) = mpsc::channel();
    let worker = thread::spawn(move || {
        work();
        sender.send(()).expect("the test waits");
    });
    match done.recv_timeout(limit) {
        Ok(()) | Err(mpsc::RecvTimeoutError::Disconnected) => worker.join().expect("no panic"),
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("it does not end"),
    }
}

const THREADS: usize = 4;
const ROUNDS: usize = 5;

/// Prompts with a section of its own each, tool events and compactions that are only announced, on many threads.
fn storm(session: &Session) -> BTreeSet<String> {
    let shown = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|number| {
                scope.spawn(move || {
                    let mut shown = Vec::new();
                    for round in 0..ROUNDS {
                        let injection = session.event(prompt(&format!("{number}-{round}"))).injection;
                        shown.extend(injection.sections.into_iter().map(|placed| placed.key));
                        session.event(before("read"));
                        session.event(compact(Phase::Before));
                        session.event(after("read"));
                    }
                    shown
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect::<Vec<_>>()
    });
    let distinct: BTreeSet<String> = shown.iter().cloned().collect();
    assert_eq!(distinct.len(), shown.len(), "each was shown once");
    distinct
}

fn talkative() -> Arc<Script> {
    Script::new(|_, request| {
        let finding = request.data["text"].as_str().map_or_else(|| "tool".to_owned(), str::to_owned);
        let reply = Reply::new().finding(Level::Info, &format!("said-{finding}"), "something");
        Ok(match request.event.as_str() {
            "prompt" => reply.section(section(&finding, Placement::Prompt, "text")),
            _ => reply,
        })
    })
}

#[test]
fn many_threads_of_one_conversation_lose_nothing() {
    within(Duration::from_secs(90), || {
        let state = tempfile::tempdir().expect("a folder");
        let alpha = talkative();
        let host = with::<0>(builder(Some(state.path())), &alpha).build();
        for session in [host.session(opening(PROMPTS)), host.session(named("s", PROMPTS))] {
            let shown = storm(&session);
            assert_eq!(shown.len(), THREADS * ROUNDS);
            let outcome = session.event(prompt("last"));
            let visible: BTreeSet<String> =
                alpha.last().visible.into_iter().map(|visible| visible.key).collect();
            assert_eq!(visible, shown, "all of it is remembered");
            assert_eq!(codes(&outcome.findings), ["alpha said-last"]);
            assert_eq!(codes(&session.event(before("read")).findings), Vec::<String>::new(), "told already");
            assert!(session.is_compacting());
        }
    });
}

#[test]
fn what_a_tool_event_took_while_a_prompt_was_asked_is_not_given_again() {
    // The prompt is out while the tool event takes what waits.
    let (sender, asked) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let released = std::sync::Mutex::new(released);
    let alpha = Script::new(move |_, request| {
        Ok(match request.data["text"].as_str() {
            Some("first") => sections(&[section("now", Placement::Call, "for this call")]),
            Some("slow") => {
                sender.send(()).expect("the test listens");
                let _ = lock(&released).recv_timeout(Duration::from_secs(10));
                Reply::new()
            }
            _ => Reply::new(),
        })
    });
    let session = host(&alpha).session(opening(PROMPTS));
    session.event(prompt("first"));
    thread::scope(|scope| {
        scope.spawn(|| session.event(prompt("slow")));
        asked.recv_timeout(Duration::from_secs(10)).expect("it is asked");
        let tool = scope.spawn(|| session.event(before("read")));
        thread::sleep(Duration::from_millis(100));
        release.send(()).expect("it waits");
        let outcome = tool.join().expect("no panic");
        assert!(guidance(&outcome).contains("for this call"), "{outcome:?}");
    });
    assert_eq!(session.event(before("read")).decision, None, "exactly once");
}

#[test]
fn a_named_conversation_without_a_place_for_its_file_is_remembered_by_this_process() {
    let no_folder = tempfile::NamedTempFile::new().expect("a file");
    for state in [None, Some(no_folder.path())] {
        let alpha = Script::to("prompt", sections(&[section("s", Placement::Prompt, "text")]));
        let session = with::<0>(builder(state), &alpha).build().session(named("s", PROMPTS));
        let outcome = session.event(prompt(""));
        assert_eq!(
            (keys(&outcome.injection), codes(&outcome.findings)),
            (vec!["alpha s".to_owned()], vec!["- session-state".to_owned()])
        );
        let outcome = session.event(prompt(""));
        assert_eq!((keys(&outcome.injection), codes(&outcome.findings)), (vec![], vec![]), "once each");
        session.event(compact(Phase::Before));
        assert!(session.is_compacting());
    }
}

#[test]
fn two_starts_at_once_and_prompts_beside_them_end() {
    within(Duration::from_secs(60), || {
        let alpha = Script::new(|_, request| {
            thread::sleep(Duration::from_millis(10));
            Ok(match request.event.as_str() {
                "session.start" => sections(&[section("root", Placement::Session, "the map")]),
                _ => Reply::new(),
            })
        });
        let session = host(&alpha).session(opening(PROMPTS));
        session.event(start());
        let shown: usize = thread::scope(|scope| {
            let prompts: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| session.event(start()));
                    scope.spawn(|| {
                        keys(&session.prepare(prompt(""), &Asking::default()).deliver().injection).len()
                    })
                })
                .collect();
            prompts.into_iter().map(|prompt| prompt.join().expect("no panic")).sum()
        });
        assert_eq!(shown, 1, "the map is shown once");
    });
}
