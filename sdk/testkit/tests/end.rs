//! The end of an instance: until then its log is heard, afterwards nothing of it.

use std::sync::{Arc, Mutex};

use ctxhost::{
    Settings, Surroundings,
    load::{self, Ground, HostListener},
};
use ctxhost_sdk::{Exported, Head, prelude::*};
use ctxhost_testkit::Harness;

use crate::head;

/// Keeps its host where others find it, as a thread of its own would.
struct Clinging(HostHandle);

static KEPT: Mutex<Vec<HostHandle>> = Mutex::new(Vec::new());

impl Exported for Clinging {
    const HEAD: Head = head("clinging");
}

impl Provider for Clinging {
    type Settings = NoSettings;

    fn new(setup: Setup, _: NoSettings) -> Result<Self> {
        setup.host.log(Level::Info, "begins");
        KEPT.lock().expect("nobody panics with it").push(setup.host.clone());
        Ok(Self(setup.host))
    }

    fn event(&self, cx: &Cx<'_>, _: Request) -> Result<Reply> {
        cx.host().log(Level::Info, "is asked");
        Ok(Reply::new())
    }
}

impl Drop for Clinging {
    fn drop(&mut self) {
        self.0.log(Level::Info, "ends");
        self.0.notify(&Notify::ToolsChanged);
    }
}

#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl HostListener for Heard {
    fn log(&self, provider: &str, _: Level, text: &str) {
        self.0.lock().expect("nobody panics with it").push(format!("{provider} {text}"));
    }

    fn notify(&self, provider: &str, message: Notify) {
        self.0.lock().expect("nobody panics with it").push(format!("{provider} {message:?}"));
    }
}

impl Heard {
    fn lines(&self) -> Vec<String> {
        self.0.lock().expect("nobody panics with it").clone()
    }
}

#[test]
fn its_log_is_heard_until_it_has_ended_and_not_afterwards() {
    let heard = Arc::new(Heard::default());
    let surroundings = Surroundings::empty();
    let ground = Ground {
        clock: Arc::clone(&surroundings.clock),
        listener: Arc::clone(&heard) as Arc<dyn HostListener>,
    };
    let table = ctxhost_sdk::table::<Clinging>();
    let (loaded, _) = load::start(table, None, None, true, &surroundings, &Settings::default(), &ground);
    let kept = || KEPT.lock().expect("nobody panics with it").clone();
    for host in kept() {
        host.log(Level::Info, "is there");
    }
    drop(loaded.expect("it starts"));
    let expected = ["clinging begins", "clinging is there", "clinging ends", "clinging ToolsChanged"];
    assert_eq!(heard.lines(), expected);
    for host in kept() {
        host.log(Level::Error, "is a ghost");
        host.notify(&Notify::ToolsChanged);
        assert_eq!(host.now_ns(), u64::MAX, "the clock is gone with the host");
    }
    assert_eq!(heard.lines(), expected);
}

/// Like the above, for whoever writes a provider.
struct Ending(HostHandle);

impl Exported for Ending {
    const HEAD: Head = head("ending");
}

impl Provider for Ending {
    type Settings = NoSettings;

    fn new(setup: Setup, _: NoSettings) -> Result<Self> {
        Ok(Self(setup.host))
    }

    fn event(&self, _: &Cx<'_>, _: Request) -> Result<Reply> {
        Ok(Reply::new())
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.log(Level::Warning, "ends");
        panic!("and panics");
    }
}

#[test]
fn a_harness_tells_what_was_said_at_the_end() {
    let harness = Harness::<Ending>::new().expect("it starts");
    harness.prompt("hello", "/").expect("a reply");
    assert_eq!(harness.logs(), []);
    assert_eq!(harness.end(), [(Level::Warning, "ends".to_owned())], "a panic at the end stays inside");
}
