//! The parts of a call's time, by a clock that the test moves while the provider answers.

use std::{
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::Duration,
};

use ctxhost_sdk::{Clock, Exported, Head, abi::NO_DEADLINE, prelude::*, serde_json};
use ctxhost_testkit::{Call, Harness};

use crate::head;

/// What the provider asks the test for: the next moment, and an answer when it is there.
type Moments = mpsc::Sender<mpsc::Sender<()>>;

static MOMENTS: Mutex<Option<Moments>> = Mutex::new(None);

/// Tests run side by side, and there is one place for the test's end of the talk.
static TURN: Mutex<()> = Mutex::new(());

/// Says at each moment whether a part of the time is used up.
struct Parted;

impl Exported for Parted {
    const HEAD: Head = head("parted");
}

impl Provider for Parted {
    type Settings = NoSettings;

    fn new(_: Setup, _: NoSettings) -> Result<Self> {
        Ok(Self)
    }

    fn event(&self, cx: &Cx<'_>, request: Request) -> Result<Reply> {
        let prompt: PromptData = request.data_as()?;
        let part: f64 = prompt.text.parse()?;
        let moments = MOMENTS.lock().expect("nobody panics with it").clone().expect("the test's");
        let clock = Clock::new(cx);
        let mut used = vec![clock.used(part)];
        loop {
            let (there, arrived) = mpsc::channel();
            if moments.send(there).is_err() || arrived.recv().is_err() {
                return Reply::new().data(used);
            }
            used.push(clock.used(part));
        }
    }
}

/// What a call of so many milliseconds is told at the start and after each of these.
fn told(harness: &Harness<Parted>, whole: Option<u64>, part: &str, after: &[u64], cancel: bool) -> Vec<bool> {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let (moments, asked) = mpsc::channel();
    *MOMENTS.lock().expect("nobody panics with it") = Some(moments);
    let start = ctxhost::Clock::now_ns(harness.clock());
    let deadline = whole.map_or(NO_DEADLINE, |whole| start + whole * 1_000_000);
    let call = Arc::new(Call::until(deadline));
    let mut request = harness.request("prompt", "/");
    request.data["text"] = json!(part);
    let reply = thread::scope(|scope| {
        let answer = scope.spawn(|| harness.raw_call("event", &request, &call));
        let mut passed = 0;
        for moment in after {
            let there = asked.recv().expect("the provider asks");
            harness.clock().advance(Duration::from_millis(moment - passed));
            passed = *moment;
            if cancel {
                call.cancel();
            }
            there.send(()).expect("the provider waits");
        }
        drop(asked.recv().expect("the provider asks"));
        *MOMENTS.lock().expect("nobody panics with it") = None;
        answer.join().expect("it ends")
    });
    let reply: Reply = serde_json::from_slice(&reply.expect("it answers")).expect("a reply");
    serde_json::from_value(reply.data).expect("a list")
}

#[test]
fn a_part_of_the_time_is_used_up_when_it_has_passed_and_some_is_left_for_the_answer() {
    let harness = Harness::<Parted>::new().expect("it starts");
    for (whole, part, last, first) in [
        (1_000, "0.4", 399, 400),
        // The last 60 ms are for the answer, or half of what there is.
        (1_000, "1", 939, 940),
        (100, "0.9", 49, 50),
        (1_000, "7", 939, 940),
    ] {
        let told = told(&harness, Some(whole), part, &[last, first], false);
        assert_eq!(told, [false, false, true], "{part} of {whole}");
    }
    assert_eq!(told(&harness, Some(1_000), "0", &[1], false), [true, true]);
}

#[test]
fn a_call_without_a_deadline_has_time_until_it_is_cancelled() {
    let harness = Harness::<Parted>::new().expect("it starts");
    assert_eq!(told(&harness, None, "0.4", &[3_600_000], false), [false, false]);
    assert_eq!(told(&harness, None, "0.4", &[1], true), [false, true]);
    assert_eq!(told(&harness, Some(1_000), "0.4", &[1], true), [false, true]);
}
