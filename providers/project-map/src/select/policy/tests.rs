//! Every row of the policy in every mode.

use super::*;

const MODES: [Mode; 4] = [Mode::Off, Mode::Advisory, Mode::Strong, Mode::Strict];
const FACE: Face = Face { blocks: true, sees_text: true };

fn now(index: Seen, map: Seen, moment: Moment) -> Situation {
    Situation {
        mode: Mode::Off,
        artifacts: Artifacts::Ready,
        index,
        map,
        moment,
        hinted: false,
        bypassed: false,
        no_room: false,
        face: FACE,
    }
}

/// What is done, in words: what is done in each of the four modes, from `off` to `strict`.
fn check(row: &str, situation: Situation, expected: [&str; 4]) {
    for (mode, expected) in MODES.into_iter().zip(expected) {
        for artifacts in [situation.artifacts, Artifacts::Partial] {
            // A root of which only a half is on disk is treated as a whole one.
            if situation.artifacts == Artifacts::None && artifacts == Artifacts::Partial {
                continue;
            }
            let action = decide(&Situation { mode, artifacts, ..situation });
            assert_eq!(words(&action), expected, "{row}, {mode:?}, {artifacts:?}");
        }
    }
}

fn words(action: &Action) -> String {
    let call = match action.call {
        Call::Runs => "",
        Call::Guided => "guide",
        Call::GuidedInstead(Lack::Block) => "guide (cannot block)",
        Call::GuidedInstead(Lack::Text) => "guide (cannot see)",
        Call::GuidedInstead(Lack::Room) => "guide (no room)",
        Call::Blocked => "block",
        Call::Bypassed => "bypass",
    };
    let all = [
        (action.hint, "hint"),
        (action.index, "index"),
        (action.map, "map"),
        (action.if_small, "if small"),
        (action.expansion, "more"),
        (action.changed, "changed"),
        (action.reminder, "remind"),
        (!call.is_empty(), call),
    ];
    all.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect::<Vec<_>>().join(", ")
}

fn turn(first: bool, relevant: bool, after_compaction: bool) -> Moment {
    Moment::Prompt(Turn { first, relevant, after_compaction })
}

const ALL: &str = "index, map, more";

#[test]
fn before_there_are_maps_one_hint_is_given() {
    for moment in [turn(true, false, false), turn(false, true, false), turn(false, false, true)] {
        let none = Situation { artifacts: Artifacts::None, ..now(Seen::None, Seen::None, moment) };
        check("no artifacts", none, ["", "hint", "hint", "hint"]);
        check("no artifacts, hinted", Situation { hinted: true, ..none }, [""; 4]);
    }
    let edit = now(Seen::None, Seen::None, Moment::Tool { sensitive: true });
    check("no artifacts, edit", Situation { artifacts: Artifacts::None, ..edit }, [""; 4]);
}

#[test]
fn the_root_pair_comes_first_and_back() {
    use Seen::None;
    for relevant in [false, true] {
        check("first", now(None, None, turn(true, relevant, false)), ["", "index, map, if small", ALL, ALL]);
    }
    check("later, about something else", now(None, None, turn(false, false, false)), [""; 4]);
    check("a relevant turn", now(None, None, turn(false, true, false)), ["", "remind", ALL, ALL]);
    check("after compaction", now(None, None, turn(false, false, true)), ["", "remind", ALL, ALL]);
    check("after compaction, relevant", now(None, None, turn(false, true, true)), ["", "remind", ALL, ALL]);
}

#[test]
fn what_is_visible_is_not_repeated() {
    for moment in [
        turn(true, true, false),
        turn(false, false, false),
        turn(false, true, false),
        turn(false, true, true),
    ] {
        check("visible and the same", now(Seen::Same, Seen::Same, moment), [""; 4]);
    }
}

#[test]
fn what_has_changed_is_brought_again() {
    use Seen::{None, Other, Same};
    for moment in [turn(false, false, false), turn(false, true, false), turn(false, true, true)] {
        let both = ["", "changed", "index, map", "index, map"];
        check("both changed", now(Other, Other, moment), both);
        check("one changed and one gone", now(Other, None, moment), both);
        check("one gone and one changed", now(None, Other, moment), both);
        check("one changed", now(Other, Same, moment), ["", "changed", "index", "index"]);
        check(
            "nobody knows what",
            now(Seen::Unknown, Seen::Unknown, moment),
            ["", "", "index, map", "index, map"],
        );
        check("one changed, one unknown", now(Other, Seen::Unknown, moment), both);
        check("the other changed", now(Same, Other, moment), ["", "changed", "map", "map"]);
    }
}

#[test]
fn of_a_half_only_the_missing_one_comes() {
    for relevant in [false, true] {
        let moment = turn(false, relevant, false);
        check("index alone", now(Seen::Same, Seen::None, moment), ["", "", "map", "map"]);
        check("map alone", now(Seen::None, Seen::Same, moment), ["", "", "index", "index"]);
    }
    let compacted = turn(false, false, true);
    check("half is left", now(Seen::Same, Seen::None, compacted), ["", "remind", "map", "map"]);
}

#[test]
fn edits_without_the_protocol_path_are_guided_or_blocked() {
    let edit = Moment::Tool { sensitive: true };
    let bare = now(Seen::None, Seen::None, edit);
    check("nothing visible", bare, ["", "", "guide", "block"]);
    check("no room", Situation { no_room: true, ..bare }, ["", "", "guide", "guide (no room)"]);
    for (index, map) in [(Seen::Same, Seen::None), (Seen::None, Seen::Same), (Seen::None, Seen::Other)] {
        check("a half visible", now(index, map, edit), ["", "", "guide", "block"]);
    }
    for (index, map) in [
        (Seen::Same, Seen::Same),
        (Seen::Other, Seen::Other),
        (Seen::Same, Seen::Other),
        (Seen::Unknown, Seen::Unknown),
    ] {
        check("visible", now(index, map, edit), [""; 4]);
    }
    check("harmless", Situation { moment: Moment::Tool { sensitive: false }, ..bare }, [""; 4]);
    check("bypassed", Situation { bypassed: true, ..bare }, ["", "", "guide", "bypass"]);
    let face = |blocks, sees_text| Situation { face: Face { blocks, sees_text }, ..bare };
    check("cannot see the text", face(true, false), ["", "", "guide", "guide (cannot see)"]);
    check("cannot block", face(false, true), ["", "", "guide", "guide (cannot block)"]);
    check("can do neither", face(false, false), ["", "", "guide", "guide (cannot block)"]);
    check(
        "bypassed where nothing blocks",
        Situation { bypassed: true, ..face(false, true) },
        ["", "", "guide", "bypass"],
    );
}

#[test]
fn off_does_nothing_whatever_happens() {
    let seen = [Seen::None, Seen::Same, Seen::Other, Seen::Unknown];
    for artifacts in [Artifacts::None, Artifacts::Partial, Artifacts::Ready] {
        for (index, map) in seen.into_iter().flat_map(|index| seen.map(|map| (index, map))) {
            for bits in 0..8 {
                let moment = turn(bits & 1 > 0, bits & 2 > 0, bits & 4 > 0);
                for moment in [moment, Moment::Tool { sensitive: true }] {
                    let situation = Situation { artifacts, ..now(index, map, moment) };
                    assert_eq!(decide(&situation), Action::default());
                }
            }
        }
    }
}
