//! Whatever becomes of the host, the prompt is answered, a person is told once, and nothing is left.

use std::{fs, time::Duration};

use rustix::process::{Pid, Signal, kill_process};

use super::{run::each, with_editor, with_everything};
use crate::agents::{
    model::{Model, Turn},
    script,
};

/// The lines that a person sees of a print run.
fn lines(err: &str) -> Vec<&str> {
    err.lines().filter(|line| line.contains("ctxhost")).collect()
}

#[test]
fn a_missing_host_costs_the_context_and_one_warning() {
    each(with_editor, |pi| {
        let model = Model::saying([Turn::text("answered")]);
        let ran = pi.with_host(pi.place.path("nowhere/ctxhost")).print(&model, "hello", &[]);
        assert_eq!(ran.out.trim(), "answered");
        assert_eq!(lines(&ran.err).len(), 1, "{}", ran.err);
        assert_eq!(model.last().count("<ctxhost v="), 0);
    });
}

#[test]
fn a_host_that_never_answers_costs_the_context_and_one_warning() {
    each(with_editor, |pi| {
        let heard = pi.place.path("heard");
        let hung = format!("echo started >>'{0}'; exec cat >>'{0}'", heard.display());
        let pi = pi.with_host(script(pi.place, "hung", &hung));
        let model = Model::saying([Turn::text("answered")]);
        let ran = pi.print(&model, "hello", &[]);
        assert_eq!(ran.out.trim(), "answered");
        assert_eq!(lines(&ran.err).len(), 1, "{}", ran.err);
        // One turn waits and says so; the next ones do neither.
        let model = Model::saying([]);
        let mut rpc = pi.rpc(&model, &[]);
        rpc.prompt("first");
        let asked = fs::read_to_string(&heard).expect("it was started");
        rpc.prompt("second");
        assert_eq!(fs::read_to_string(&heard).expect("it is there"), asked, "it is not asked a second time");
        assert_eq!(rpc.warnings().len(), 1, "{:?}", rpc.warnings());
        assert!(rpc.warnings()[0].contains("/reload"), "{:?}", rpc.warnings());
        rpc.close();
        assert!(model.last().count("/reload") <= 1, "{}", model.last());
    });
}

#[test]
fn a_host_that_talks_nonsense_costs_the_context_and_one_warning() {
    each(with_editor, |pi| {
        let mad = script(pi.place, "mad", "while read -r line; do echo '}{ nonsense'; echo '[1]'; done");
        let model = Model::saying([Turn::text("answered")]);
        let ran = pi.with_host(mad).print(&model, "hello", &[]);
        assert_eq!(ran.out.trim(), "answered");
        assert_eq!(lines(&ran.err).len(), 1, "{}", ran.err);
    });
}

#[test]
fn a_host_that_stops_between_prompts_costs_the_context_and_one_warning() {
    each(with_editor, |pi| {
        let model = Model::saying([]);
        let mut rpc = pi.rpc(&model, &[]);
        rpc.prompt("first");
        assert_eq!(rpc.warnings(), Vec::<String>::new());
        let host = pi.only_host();
        kill_process(Pid::from_raw(host).expect("a process"), Signal::STOP).expect("the process is ours");
        rpc.prompt("second");
        rpc.prompt("third");
        assert_eq!(model.asked().len(), 3);
        assert_eq!(rpc.warnings().len(), 1, "{:?}", rpc.warnings());
        rpc.close();
    });
}

#[test]
fn a_host_that_is_killed_in_the_middle_of_a_prompt_costs_the_context_and_one_warning() {
    each(
        || with_everything(""),
        |pi| {
            let model = Model::saying([]);
            let mut rpc = pi.rpc(&model, &[]);
            rpc.prompt("first");
            for word in ["kill", "abort"] {
                rpc.prompt(&format!("everything:{word} yourself"));
            }
            assert_eq!(model.asked().len(), 3, "each prompt is answered");
            assert_eq!(rpc.warnings().len(), 1, "{:?}", rpc.warnings());
            rpc.close();
        },
    );
}

#[test]
fn a_provider_that_hangs_or_panics_costs_its_own_section_and_one_warning() {
    let place = || {
        let place = with_everything("");
        place.install(&crate::harness::example("good"));
        place.config("[deadlines]\nprompt = 1000\n");
        place
    };
    for word in ["hang", "panic", "fail"] {
        each(place, |pi| {
            let model = Model::saying([]);
            let mut rpc = pi.rpc(&model, &[]);
            rpc.prompt(&format!("everything:{word}"));
            let asked = model.last();
            asked.only("the good section");
            assert_eq!(asked.count("provider=\"everything\""), 0, "{asked}");
            assert_eq!(rpc.warnings().len(), 1, "{word}: {:?}", rpc.warnings());
            rpc.close();
        });
    }
}

#[test]
fn the_host_goes_when_pi_is_killed() {
    each(with_editor, |pi| {
        let model = Model::saying([Turn::text("slow").after(Duration::from_secs(30))]);
        let mut rpc = pi.rpc(&model, &[]);
        rpc.send(&serde_json::json!({"type": "prompt", "message": "hello"}));
        model.wait(1, Duration::from_secs(60));
        pi.only_host();
        // Dropped without a word: killed.
        drop(rpc);
    });
}
