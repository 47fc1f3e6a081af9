//! The first prompt in a repository that nobody has indexed, with the settings that everybody begins with.

use std::process::{Command, Stdio};

use super::{QUESTION, cloned, defining};
use crate::{
    agents::{
        claude,
        model::Model,
        pi,
        process::{NothingLeft, command, ctxhost},
    },
    harness::{Place, Ran},
};

/// A clone with no deadline but those that providers ask for. Of the project only the host is there, some 160 files: the
/// provider asks for two seconds, in which unoptimized code on a busy machine does not always come through all of it.
fn cold() -> Place {
    let place = cloned(&["--sparse"]);
    let mut narrow = Command::new("git");
    narrow.args(["sparse-checkout", "set", "host"]).current_dir(place.path("work"));
    Ran::of(narrow.stdin(Stdio::null()), None).ends(0);
    place.config("[deadlines]\n");
    place
}

#[test]
fn in_pi_the_first_prompt_of_a_cold_repository_has_the_defining_snippet() {
    pi::run::newest(cold, |pi| {
        let model = Model::saying([]);
        let mut rpc = pi.rpc(&model, &[]);
        rpc.prompt(QUESTION);
        assert_eq!(rpc.warnings(), Vec::<String>::new());
        rpc.close();
        defining(&model.last());
    });
}

#[test]
fn in_claude_code_the_first_prompt_of_a_cold_repository_has_the_defining_snippet() {
    let place = cold();
    let mut install = command(&place, &ctxhost(&place));
    Ran::of(install.args(["install", "claude-code", "--hook", "command"]).stdin(Stdio::null()), None).ends(0);
    let _left = NothingLeft::of(&place);
    let model = Model::saying([]);
    Ran::of(claude::prompt(&place, &model, QUESTION, false).stdin(Stdio::null()), None).ends(0);
    defining(&model.last());
}
