//! A repository that nobody has indexed yet.

use ctxhost_sdk::{prelude::Reply, protocol::envelope::Life};

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

/// The definition that fits best, with its file.
fn best(reply: &Reply) -> (String, String) {
    let first = said(reply).selection.swap_remove(0);
    let best = first.symbols.iter().max_by(|a, b| a.score.total_cmp(&b.score));
    (first.file, best.map(|symbol| symbol.name.clone()).unwrap_or_default())
}

/// What fits less may differ: before a file is parsed, nobody knows which of its words name something.
#[test]
fn a_cold_answer_begins_with_what_the_warm_one_begins_with() {
    for (prompt, file, symbol) in [
        ("start_server registers a name", "src/server.py", "start_server"),
        ("where is helper_250?", "pkg/part_5/module_250.py", "helper_250"),
        ("why does Registry.add_name fail", "src/registry.py", "Registry.add_name"),
        ("what is a registry", "src/registry.py", "Registry"),
        ("what does drop_name() do?", "src/registry.py", "Registry.drop_name"),
        ("src/server.py:4 does not listen on the port", "src/server.py", "start_server"),
    ] {
        let place = large();
        let harness = place.harness();
        // In the background nothing is done for a process that ends with the event, so the first answer is a cold one.
        let mut talk = Talk::new(&place, &harness);
        talk.life = Life::Once;
        let cold = talk.prompt(prompt);
        harness.command("watcher-sync", &[], place.path("project")).expect("it runs");
        let warm = talk.prompt(prompt);
        assert!(!said(&cold).index.complete && said(&warm).index.complete);
        if file == "src/server.py" {
            assert_eq!((keys(&cold), &cold.sections[0]), (keys(&warm), &warm.sections[0]), "of {prompt}");
        }
        for reply in [&cold, &warm] {
            assert_eq!(best(reply), (file.to_owned(), symbol.to_owned()), "of {prompt}");
            let shown = format!("{symbol} (");
            assert!(body(reply, &format!("file:{file}")).contains(&shown), "of {prompt}: {:?}", keys(reply));
        }
    }
}
