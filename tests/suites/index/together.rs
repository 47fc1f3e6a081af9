//! Several processes at once on one project that nobody has indexed.

use std::thread;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::{equals_a_fresh_one, name_of, path_of, stats, with_provider, write_modules};
use crate::{
    harness::{Place, codes},
    serve::client::Client,
};

/// So much takes unoptimized code some seconds, in which everything here happens.
const MODULES: usize = 400;
const FUNCTIONS: usize = 25;

/// What is written while the project is indexed.
const EDITED: usize = 377;
const ADDED: &str = "def dims_the_beacon(hour):\n    return hour == 23\n";

fn cold() -> Place {
    let place = with_provider();
    write_modules(&place, MODULES, FUNCTIONS);
    place
}

fn edit(place: &Place) {
    place.write(format!("work/{}", path_of(EDITED)), ADDED);
}

/// A conversation of a host's own.
fn event(place: &Place, id: &str, event: &str, data: Value) -> Value {
    json!({"event": event, "session": {"id": id, "cwd": place.path("work"), "trusted": false}, "data": data})
}

fn start(place: &Place, host: &mut Client, id: &str) -> Value {
    host.request("event", event(place, id, "session.start", json!({"reason": "startup"})))
}

fn ask(place: &Place, host: &mut Client, id: &str, name: &str) -> Value {
    let prompt = json!({"text": format!("where is {name}?"), "source": "user"});
    host.request("event", event(place, id, "prompt", prompt))
}

/// Holds that an outcome shows the definition that was asked for, and complains about nothing.
#[track_caller]
fn shows(outcome: &Value, name: &str, path: &str) {
    let text = outcome["injection"]["text"].as_str().unwrap_or_default();
    assert!(text.contains(&format!("def {name}(")) && text.contains(path), "{outcome:#}");
    assert_eq!(outcome["findings"], json!([]), "{outcome:#}");
}

/// Brings the index up in a host, which waits for whoever is at it.
#[track_caller]
fn sync(place: &Place, host: &mut Client) {
    let session = json!({"id": "sync", "cwd": place.path("work"), "trusted": false});
    let command = json!({"provider": "pilot-index", "name": "watcher-sync", "args": [], "session": session});
    let done = host.call("command", command);
    assert_eq!((&done["exit"], &done["data"]["complete"]), (&json!(0), &json!(true)), "{done:#}");
}

#[test]
fn two_hosts_that_begin_at_once_answer_right_and_keep_one_index() {
    let place = cold();
    let mut hosts = ["one", "two"].map(|id| (Client::serve(&place), id));
    let starts = hosts.each_mut().map(|(host, id)| start(&place, host, id));
    let name = name_of(42);
    let asked = hosts.each_mut().map(|(host, id)| ask(&place, host, id, &name));
    edit(&place);
    for (((host, _), start), asked) in hosts.iter_mut().zip(starts).zip(asked) {
        assert!(host.answer(&start)["error"].is_null());
        shows(&host.answer(&asked)["result"], &name, &path_of(42));
    }
    for (name, path) in [("dims_the_beacon".to_owned(), path_of(EDITED)), (name_of(7), path_of(7))] {
        let asked = hosts.each_mut().map(|(host, id)| ask(&place, host, id, &name));
        for ((host, _), asked) in hosts.iter_mut().zip(asked) {
            shows(&host.answer(&asked)["result"], &name, &path);
        }
    }
    hosts.iter_mut().for_each(|(host, _)| sync(&place, host));
    assert_eq!(stats(&place)["files"], MODULES);
    equals_a_fresh_one(&place);
    for (host, _) in hosts {
        assert_eq!(host.end().well().err, "");
    }
}

#[test]
fn a_host_that_is_killed_while_it_indexes_costs_the_others_nothing() {
    let place = cold();
    let mut killed = Client::serve(&place);
    start(&place, &mut killed, "killed");
    let unfinished = |status: &Value| {
        let detail = status["status"]["detail"].as_str().unwrap_or_default();
        let run = detail.lines().find_map(|line| line.strip_suffix(" in this run")?.split_once(" of "));
        run.is_some_and(|(done, total)| done != total)
    };
    while !unfinished(&killed.notification("status")) {}
    let mut other = Client::serve(&place);
    let started = start(&place, &mut other, "other");
    let name = name_of(42);
    let asked = ask(&place, &mut other, "other", &name);
    kill_process(Pid::from_raw(killed.pid().cast_signed()).expect("a process"), Signal::KILL)
        .expect("the process is ours");
    edit(&place);
    assert!(!killed.ends().status.success());
    assert!(other.answer(&started)["error"].is_null());
    shows(&other.answer(&asked)["result"], &name, &path_of(42));
    let asked = ask(&place, &mut other, "other", "dims_the_beacon");
    shows(&other.answer(&asked)["result"], "dims_the_beacon", &path_of(EDITED));
    sync(&place, &mut other);
    // A third one finds everything, with nothing to repair.
    let third = stats(&place);
    assert_eq!((&third["files"], &third["complete"]), (&json!(MODULES), &json!(true)));
    equals_a_fresh_one(&place);
    assert_eq!(other.end().well().err, "");
}

#[test]
fn single_runs_beside_each_other_and_beside_an_editor_answer_right() {
    let place = cold();
    let injected = |name: &str| {
        let prompt = format!("where is {name}?");
        let injection =
            place.run(&["inject", "--prompt", &prompt, "--format", "json", "--strict"]).ends(0).json();
        assert_eq!(codes(&injection), Vec::<String>::new());
        let text = injection["text"].as_str().unwrap_or_default().to_owned();
        assert!(text.contains(&format!("def {name}(")), "{injection:#}");
    };
    thread::scope(|scope| {
        scope.spawn(|| (10..14).for_each(|number| injected(&name_of(number))));
        scope.spawn(|| {
            injected(&name_of(20));
            edit(&place);
            injected("dims_the_beacon");
            injected(&name_of(21));
        });
    });
    place.run(&["run", "pilot-index", "watcher-sync"]).ends(0);
    equals_a_fresh_one(&place);
}
