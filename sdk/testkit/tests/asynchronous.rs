//! `Cx::block_on`: a provider's own runtime behind the synchronous boundary.

use std::{future, sync::Arc, thread, time::Duration};

use ctxhost_sdk::{
    Exported, Head,
    abi::{NO_DEADLINE, Status},
    prelude::*,
};
use ctxhost_testkit::{Call, Harness};

use crate::{head, status, until};

struct Asynchronous;

impl Exported for Asynchronous {
    const HEAD: Head = head("asynchronous");
}

impl Provider for Asynchronous {
    type Settings = NoSettings;

    fn new(_: Setup, _: NoSettings) -> Result<Self> {
        Ok(Self)
    }

    fn event(&self, cx: &Cx<'_>, request: Request) -> Result<Reply> {
        let prompt: PromptData = request.data_as()?;
        cx.block_on(async {
            match prompt.text.as_str() {
                "wait" => {
                    cx.progress(0, None, "waits");
                    future::pending().await
                }
                "fail" => Err(Error::failed("no answer")),
                "panic" => panic!("inside the future"),
                text => {
                    // Its own timers and its own tasks.
                    let text = text.to_owned();
                    let task = tokio::spawn(async move {
                        tokio::time::sleep(Duration::from_millis(1)).await;
                        text
                    });
                    Ok(Reply::new().section(Section::prompt("k", Trust::Tool).body(task.await?)))
                }
            }
        })
    }
}

fn harness() -> Harness<Asynchronous> {
    Harness::new().expect("it starts")
}

fn answers(harness: &Harness<Asynchronous>, text: &str) {
    let reply = harness.prompt(text, "/").expect("a reply");
    assert_eq!(reply.sections[0].variants[0].body, format!("{text}\n"));
}

#[test]
fn a_future_is_run_to_its_end() {
    let harness = harness();
    answers(&harness, "first");
    answers(&harness, "second");
    assert_eq!(status(harness.prompt("fail", "/")), (Status::Failed, "no answer".to_owned()));
}

#[test]
fn a_future_ends_at_the_deadline() {
    let harness = harness();
    thread::scope(|scope| {
        let asked = scope.spawn(|| status(harness.prompt("wait", "/")));
        until(|| !harness.notifications().is_empty());
        harness.clock().advance(Duration::from_secs(10));
        assert_eq!(asked.join().expect("it comes back").0, Status::Deadline);
    });
    answers(&harness, "and the next one is answered");
}

#[test]
fn a_future_ends_when_its_call_is_cancelled() {
    let harness = harness();
    let call = Arc::new(Call::until(NO_DEADLINE));
    let mut request = harness.request("prompt", "/");
    request.data["text"] = json!("wait");
    thread::scope(|scope| {
        let asked = scope.spawn(|| status(harness.raw_call("event", &request, &call)));
        until(|| !harness.notifications().is_empty());
        call.cancel();
        assert_eq!(asked.join().expect("it comes back").0, Status::Cancelled);
    });
    answers(&harness, "and the next one is answered");
}

#[test]
fn a_call_past_its_deadline_does_not_begin() {
    let harness = harness();
    let request = harness.request("prompt", "/");
    assert_eq!(status(harness.raw_call("event", &request, &Arc::new(Call::until(0)))).0, Status::Deadline);
    assert_eq!(harness.notifications(), []);
}

#[test]
fn a_panic_in_a_future_stays_inside() {
    let harness = harness();
    let (code, message) = status(harness.prompt("panic", "/"));
    assert_eq!((code, message.contains("inside the future")), (Status::Panic, true), "{message}");
    answers(&harness, "and the next one is answered");
}

#[test]
fn several_threads_share_the_runtime() {
    let harness = harness();
    thread::scope(|scope| {
        for number in 0..8 {
            let harness = &harness;
            scope.spawn(move || {
                for round in 0..10 {
                    answers(harness, &format!("{number}.{round}"));
                }
            });
        }
    });
}

#[test]
fn it_conforms() {
    ctxhost_testkit::conformance::<Asynchronous>();
}
