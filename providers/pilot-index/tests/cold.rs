//! A repository that nobody has indexed yet.

use ctxhost_sdk::protocol::envelope::Life;

use crate::support::{Place, Talk, body, keys, said};

/// A project with more files than are indexed before an answer.
fn large() -> Place {
    let place = Place::new();
    for number in 0..400 {
        let text = format!(
            "def helper_{number}(value):\n    \"\"\"Turns a value.\"\"\"\n    return value + {number}\n"
        );
        place.write(&format!("project/pkg/part_{}/module_{number}.py", number % 7), &text);
    }
    place
}

#[test]
fn the_first_prompt_is_answered_from_the_files_themselves() {
    let place = large();
    let harness = place.harness();
    let reply = Talk::new(&place, &harness).prompt("Why does add_name return False?");
    assert!(body(&reply, "file:src/registry.py").contains("if name in self.names:"), "{:?}", keys(&reply));
    let said = said(&reply);
    assert!(!said.index.complete && said.index.total >= 404, "{:?}", said.index);
}

#[test]
fn a_process_that_ends_with_the_event_keeps_what_it_has_indexed() {
    let place = large();
    let ask = || {
        let harness = place.harness();
        let mut talk = Talk::new(&place, &harness);
        talk.life = Life::Once;
        talk.prompt("where is helper_250?")
    };
    let first = ask();
    assert!(keys(&first).contains(&"file:pkg/part_5/module_250.py"), "{:?}", keys(&first));
    // The fake clock stands still, so the call had all the time it needs.
    let second = ask();
    assert!(said(&second).index.complete, "{:?}", said(&second).index);
    assert_eq!(keys(&first)[0], keys(&second)[0]);
}

#[test]
fn without_a_cache_everything_is_answered_from_memory() {
    let place = Place::new();
    let harness = ctxhost_testkit::Harness::<pilot_index::PilotIndex>::builder()
        .now(place.now)
        .build()
        .expect("it starts");
    let reply = harness.prompt("add_name", place.path("project")).expect("a reply");
    assert_eq!(keys(&reply)[0], "file:src/registry.py");
}

#[test]
fn a_cold_answer_is_the_warm_one() {
    let place = large();
    let harness = place.harness();
    // In the background nothing is done for a process that ends with the event, so the first answer is a cold one.
    let mut talk = Talk::new(&place, &harness);
    talk.life = Life::Once;
    let cold = talk.prompt("start_server registers a name");
    harness.command("watcher-sync", &[], place.path("project")).expect("it runs");
    let warm = talk.prompt("start_server registers a name");
    assert!(!said(&cold).index.complete && said(&warm).index.complete);
    assert_eq!(keys(&cold), keys(&warm));
    assert_eq!(cold.sections[0].variants, warm.sections[0].variants);
}
