//! The clients of `host/agents/clients`, each as its README runs it: all print the same injection.

use std::{path::PathBuf, process::Command};

use crate::{
    agents::{editor, program},
    harness::{Place, Ran, example_program, provider, root},
};

/// A place with an editor, so that there is something to say.
fn place() -> Place {
    let place = Place::with(&[provider("ide-context")]);
    editor(&place);
    place
}

fn client(name: &str) -> PathBuf {
    root().join("host/agents/clients").join(name)
}

/// Runs a client in a place, with the program that it is to start.
#[track_caller]
fn run(place: &Place, client: &[PathBuf], program: &str) -> Ran {
    let own = place.command::<&str>(&[]);
    let mut command = Command::new(&client[0]);
    command.args(&client[1..]).arg(program).arg(place.path("work")).arg("Why does it fail?").env_clear();
    for (name, value) in own.get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    Ran::of(command.stdin(std::process::Stdio::null()), None)
}

#[test]
fn each_client_prints_the_injection() {
    let host = env!("CARGO_BIN_EXE_ctxhost-under-test");
    let place = place();
    let wanted = place.run(&["inject", "--prompt", "Why does it fail?"]).ends(0).out;
    assert!(wanted.contains("opened.rs"), "{wanted}");
    let clients = [
        vec![PathBuf::from("python3"), client("client.py")],
        vec![program("node22"), client("client.ts")],
        vec![example_program("client")],
    ];
    for command in clients {
        let ran = run(&place, &command, host).ends(0);
        assert_eq!(ran.out, wanted, "{command:?}");
        assert!(ran.err.contains("tools are offered"), "{command:?}: {}", ran.err);
    }
}

#[test]
fn a_client_without_a_host_says_so() {
    let place = place();
    let clients = [
        vec![PathBuf::from("python3"), client("client.py")],
        vec![program("node22"), client("client.ts")],
        vec![example_program("client")],
    ];
    for command in clients {
        let ran = run(&place, &command, "/no/such/program").ends(1);
        assert_eq!((ran.out.as_str(), ran.err.is_empty()), ("", false), "{command:?}");
    }
}

#[test]
fn a_client_has_at_most_forty_lines() {
    for name in ["client.py", "client.ts", "client.rs"] {
        let text = std::fs::read_to_string(client(name)).expect("the client is there");
        let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
        assert!(lines <= 40, "{name} has {lines}");
    }
}
