//! The conformance suite: it lets a good provider pass, and names what is wrong with each bad one.

use std::{
    fmt::Debug,
    panic::catch_unwind,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

use ctxhost_sdk::{Exported, Head, prelude::*};
use ctxhost_testkit::conformance;

use crate::head;

/// A provider that answers a prompt by this function, with a number that grows.
macro_rules! provider {
    ($name:ident, $head:expr, $event:expr $(, $($more:item)*)?) => {
        #[derive(Default)]
        struct $name {
            asked: AtomicU64,
        }

        impl Exported for $name {
            const HEAD: Head = $head;
        }

        impl Provider for $name {
            type Settings = NoSettings;

            fn new(_: Setup, _: NoSettings) -> Result<Self> {
                Ok(Self::default())
            }

            fn event(&self, cx: &Cx<'_>, request: Request) -> Result<Reply> {
                request.data_as::<PromptData>()?;
                let event: fn(&Cx<'_>, u64) -> Result<Reply> = $event;
                event(cx, self.asked.fetch_add(1, Ordering::Relaxed))
            }

            $($($more)*)?
        }
    };
}

fn says(text: impl Into<String>) -> Reply {
    Reply::new().section(Section::prompt("k", Trust::Tool).body(text))
}

/// The names of the tests that a provider fails, in order.
#[track_caller]
fn failing<P: Exported + Debug>() -> Vec<String> {
    let panic = catch_unwind(conformance::<P>).expect_err("it does not conform");
    let message = panic.downcast_ref::<String>().expect("a message");
    let (first, rest) = message.split_once('\n').expect("several lines");
    assert_eq!(first, format!("{} does not conform:", P::HEAD.id));
    let line = |line: &str| {
        let (name, why) =
            line.strip_prefix("  ").and_then(|line| line.split_once(": ")).expect("`  name: why`");
        assert!(!why.is_empty());
        name.to_owned()
    };
    rest.lines().map(line).collect()
}

provider!(Good, head("good"), |cx, _| {
    cx.check()?;
    Ok(says("the same"))
});

#[test]
fn a_good_provider_conforms() {
    conformance::<Good>();
}

provider!(Silent, head("silent"), |_, _| Ok(Reply::new()));

#[test]
fn a_provider_that_says_nothing_conforms() {
    conformance::<Silent>();
}

/// Shows what differs without saying more than the type's name.
macro_rules! debug {
    ($($name:ident),*) => {
        $(impl Debug for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(stringify!($name))
            }
        })*
    };
}
debug!(Restless, OffSpec, Stubborn, Jumpy, Talkative, Foreign, Exclusive, Fragile);

provider!(Restless, head("restless"), |_, asked| Ok(says(format!("{asked}"))));

#[test]
fn sections_that_differ_are_noticed() {
    assert_eq!(failing::<Restless>(), ["deterministic"]);
}

provider!(OffSpec, head("off-spec"), |_, _| Ok(Reply::new().section(Section::prompt("k", Trust::Tool))));

#[test]
fn a_reply_off_its_spec_is_noticed() {
    let failing = failing::<OffSpec>();
    assert!(failing.contains(&"reply".to_owned()), "{failing:?}");
    assert!(!failing.contains(&"deterministic".to_owned()), "{failing:?}");
}

provider!(Stubborn, head("stubborn"), |cx, _| {
    if cx.check().is_err() {
        // Goes on with what nobody wants any more.
        thread::sleep(Duration::from_millis(1100));
    }
    Ok(says("at last"))
});

#[test]
fn a_provider_that_does_not_stop_is_noticed() {
    assert_eq!(failing::<Stubborn>(), ["cancelled", "past-deadline"]);
}

provider!(
    Jumpy,
    head("jumpy"),
    |_, _| Ok(says("the same")),
    fn command(&self, _: &Cx<'_>, request: CommandRequest) -> Result<CommandReply> {
        panic!("what is {}?", request.name)
    }
);

#[test]
fn a_panic_on_an_unknown_command_is_noticed() {
    assert_eq!(failing::<Jumpy>(), ["commands"]);
}

provider!(
    Talkative,
    head("talkative"),
    |_, _| Ok(says("the same")),
    fn manifest(head: Manifest) -> Manifest {
        Manifest { alias: Some("Two Words".to_owned()), ..head }
    }
);

#[test]
fn a_manifest_off_its_schema_is_noticed() {
    assert_eq!(failing::<Talkative>(), ["manifest"]);
}

provider!(Foreign, Head { spec: "nowhere/v1", ..head("foreign") }, |_, _| Ok(says("the same")));

#[test]
fn a_spec_that_nobody_published_is_noticed() {
    let failing = failing::<Foreign>();
    assert_eq!(failing.first().map(String::as_str), Some("manifest"), "{failing:?}");
}

static BUSY: Mutex<()> = Mutex::new(());

provider!(Exclusive, head("exclusive"), |_, _| {
    let Ok(_alone) = BUSY.try_lock() else { return Err(Error::failed("somebody else is asking")) };
    thread::sleep(Duration::from_millis(1));
    Ok(says("the same"))
});

#[test]
fn a_provider_that_wants_to_be_alone_is_noticed() {
    assert_eq!(failing::<Exclusive>(), ["threads"]);
}

provider!(Fragile, head("fragile"), |_, asked| {
    assert!(asked < 2, "the third question breaks it");
    Ok(says("the same"))
});

#[test]
fn a_provider_that_breaks_after_a_while_is_noticed() {
    let failing = failing::<Fragile>();
    assert!(failing.contains(&"threads".to_owned()), "{failing:?}");
    assert!(!failing.contains(&"reply".to_owned()), "{failing:?}");
}
