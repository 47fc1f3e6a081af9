//! The Pi extension over `ctxhost serve --stdio` in real Pis.

mod failures;
pub(super) mod run;
mod session;
mod tools;

use serde_json::json;

use crate::{
    agents::{
        editor, everything,
        model::{Model, Turn},
        script,
    },
    harness::{Place, Ran, example, provider},
};

use run::{Pi, each};

/// A place with an open editor.
fn with_editor() -> Place {
    let place = Place::with(&[provider("ide-context")]);
    editor(&place);
    place
}

/// A place with the test provider, and these settings for it.
fn with_everything(settings: &str) -> Place {
    let place = Place::with(&[example("everything")]);
    place.config(&everything(settings));
    place
}

/// A place with the test provider, which writes what it is asked.
fn with_log() -> Place {
    let place = with_everything("");
    place.config(&everything(&format!("log = '{}'", place.path("log").display())));
    place
}

#[test]
fn the_editor_is_in_the_request_after_the_prompt() {
    each(with_editor, |pi| {
        let model = Model::saying([Turn::text("hello")]);
        let ran = pi.print(&model, "what is open?", &[]);
        assert_eq!((ran.out.trim(), ran.err.as_str()), ("hello", ""));
        let asked = model.last();
        let (prompt, _) = asked.only("what is open?");
        let (context, said) = asked.only("opened.rs");
        assert_eq!((context, said.role.as_str()), (prompt + 1, "user"), "{asked}");
        assert!(said.text.starts_with("<ctxhost v=\"1\">"), "{asked}");
        assert!(said.text.contains("<ctxhost-section provider=\"ide-context\""), "{asked}");
    });
}

#[test]
fn an_installed_package_does_the_same_without_flags() {
    each(with_editor, |pi| {
        let model = Model::saying([Turn::text("hello")]);
        Ran::of(pi.program().arg("install").arg(Pi::extension()), None).ends(0);
        let ran = Ran::of(&mut pi.command(&model, &["-p", "hi"]), None).ends(0);
        assert_eq!(ran.out.trim(), "hello");
        model.last().only("opened.rs");
    });
}

#[test]
fn a_project_cannot_choose_the_program() {
    each(with_editor, |pi| {
        let marker = pi.place.path("ran");
        let program = script(pi.place, "work/ctxhost", &format!("touch '{}'", marker.display()));
        let names = json!({"command": program});
        pi.place.write("work/ctxhost.json", names.to_string());
        pi.place.write("work/.pi/ctxhost.json", names.to_string());
        pi.place.write("work/.pi/settings.json", json!({"ctxhost": names}).to_string());
        let model = Model::saying([]);
        pi.print(&model, "hi", &[]);
        assert!(!marker.exists(), "the project's program ran");
        model.last().only("opened.rs");
    });
}
