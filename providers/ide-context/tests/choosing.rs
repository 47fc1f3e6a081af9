//! Which editor a session is connected to, by itself and by choice.

use ctxhost_sdk::{
    prelude::*,
    protocol::{
        envelope::{Life, Session},
        ide_context::{Connection, Contribution},
    },
};
use ctxhost_testkit::Harness;
use ide_context::IdeContext;

use crate::support::{Place, ask, codes, contribution};

fn session(place: &Place, id: &str) -> Session {
    Session { id: Some(id.to_owned()), cwd: place.text("project"), trusted: true, life: Life::Long }
}

fn ask_as(harness: &Harness<IdeContext>, place: &Place, id: &str) -> (Contribution, Reply) {
    let mut request = harness.request("prompt", place.path("project"));
    request.session = session(place, id);
    let reply = harness.event(&request).expect("a reply");
    (contribution(&reply), reply)
}

fn connected_pid(contribution: &Contribution) -> Option<u64> {
    contribution.editor.as_ref().map(|editor| editor.pid)
}

#[test]
fn of_several_none_is_taken() {
    let mut place = Place::new();
    place.editor("project/a.txt");
    place.editor("project/b.txt");
    let reply = ask(&place.harness(), &place).expect("a reply");
    let contribution = contribution(&reply);
    assert_eq!((contribution.connection, contribution.candidates), (Connection::Several, 2));
    assert!(reply.sections.is_empty());
    let status = reply.status.expect("it is shown");
    assert_eq!(
        (status.text.as_str(), status.detail.as_deref()),
        ("\u{EAE3}", Some("2 editors here: choose one"))
    );
}

#[test]
fn tiers_never_mix() {
    let mut place = Place::new();
    let exact = place.editor("project/a.txt");
    for cwd in ["project/src", "elsewhere"] {
        let pid = place.process();
        place.put(pid, &place.state(pid, cwd, "project/src/b.txt"));
    }
    let contribution = contribution(&ask(&place.harness(), &place).expect("a reply"));
    assert_eq!((connected_pid(&contribution), contribution.candidates), (Some(u64::from(exact)), 1));
}

#[test]
fn a_shared_parent_claims_nothing() {
    let mut place = Place::new();
    let pid = place.process();
    place.put(pid, &place.state(pid, "", "elsewhere/a.txt"));
    let reply = ask(&place.harness(), &place).expect("a reply");
    assert_eq!(contribution(&reply).connection, Connection::None);
}

#[test]
fn a_choice_is_kept_for_its_session_and_wins_over_the_directorys() {
    let mut place = Place::new();
    let (first, second) = (place.editor("project/a.txt"), place.editor("project/b.txt"));
    let harness = place.harness();
    let project = place.path("project");
    let run =
        |args: &[&str], id: &str| harness.command_in("connect", args, session(&place, id)).expect("a reply");

    assert_eq!(run(&[&first.to_string()], "one").exit, 0);
    assert_eq!(connected_pid(&ask_as(&harness, &place, "one").0), Some(u64::from(first)));
    assert!(ask_as(&harness, &place, "one").0.editor.is_some_and(|editor| editor.chosen));
    assert_eq!(ask_as(&harness, &place, "two").0.connection, Connection::Several);

    // Without a session the choice is the directory's, and holds for sessions without one of their own.
    harness.command("connect", &[&second.to_string()], &project).expect("a reply");
    assert_eq!(connected_pid(&ask_as(&harness, &place, "two").0), Some(u64::from(second)));
    assert_eq!(connected_pid(&ask_as(&harness, &place, "one").0), Some(u64::from(first)));
    let other_process = place.harness();
    assert_eq!(connected_pid(&ask_as(&other_process, &place, "one").0), Some(u64::from(first)));

    assert_eq!(run(&["off"], "one").exit, 0);
    assert_eq!(ask_as(&harness, &place, "one").0.connection, Connection::Disconnected);
    assert_eq!(connected_pid(&ask_as(&harness, &place, "two").0), Some(u64::from(second)));
    run(&["auto"], "one");
    assert_eq!(ask_as(&harness, &place, "one").0.connection, Connection::Several);
}

#[test]
fn an_editor_from_outside_can_be_chosen() {
    let mut place = Place::new();
    let pid = place.process();
    place.put(pid, &place.state(pid, "elsewhere", "elsewhere/a.txt"));
    let harness = place.harness();
    harness.command("connect", &[&pid.to_string()], place.path("project")).expect("a reply");
    let reply = ask(&harness, &place).expect("a reply");
    assert_eq!(reply.sections.len(), 1);
    let editor = contribution(&reply).editor.expect("it is connected");
    assert_eq!((editor.tier, editor.evidence, editor.chosen), (None, None, true));
}

#[test]
fn a_choice_whose_editor_is_gone_is_dropped_with_one_finding() {
    let mut place = Place::new();
    let (first, second) = (place.editor("project/a.txt"), place.editor("project/b.txt"));
    let harness = place.harness();
    harness.command_in("connect", &[&first.to_string()], session(&place, "s")).expect("a reply");
    std::fs::remove_file(place.state_file(first)).expect("it is ours");
    // A command tells what is, and leaves it to the next event to drop it and say so.
    harness.command_in("list", &[], session(&place, "s")).expect("a reply");
    let (contribution, reply) = ask_as(&harness, &place, "s");
    assert_eq!(codes(&reply), ["choice-gone"]);
    assert_eq!(connected_pid(&contribution), Some(u64::from(second)), "the automatic rule applies again");
    assert_eq!(codes(&ask_as(&harness, &place, "s").1), Vec::<&str>::new());
}

#[test]
fn a_choice_is_not_dropped_while_its_editor_only_writes_nonsense() {
    let mut place = Place::new();
    let (first, _) = (place.editor("project/a.txt"), place.editor("project/b.txt"));
    let harness = place.harness();
    harness.command_in("connect", &[&first.to_string()], session(&place, "s")).expect("a reply");
    place.put_bytes(first, "{");
    let (contribution, reply) = ask_as(&harness, &place, "s");
    assert_eq!((contribution.connection, codes(&reply)), (Connection::None, vec!["state-off-spec"]));
    place.put(first, &place.state(first, "project", "project/a.txt"));
    assert_eq!(connected_pid(&ask_as(&harness, &place, "s").0), Some(u64::from(first)));
}

#[test]
fn two_processes_choosing_at_once_leave_one_whole_choice() {
    let mut place = Place::new();
    let editors = [place.editor("project/a.txt"), place.editor("project/b.txt")];
    let place = &place;
    std::thread::scope(|threads| {
        for pid in editors {
            threads.spawn(move || {
                let harness = place.harness();
                for _ in 0..30 {
                    let reply = harness
                        .command("connect", &[&pid.to_string()], place.path("project"))
                        .expect("a reply");
                    assert_eq!(reply.exit, 0, "{}", reply.text);
                    let found = contribution(&ask(&harness, place).expect("a reply"));
                    assert_eq!(found.connection, Connection::Connected);
                }
            });
        }
    });
}
