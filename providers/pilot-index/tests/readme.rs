//! What the READMEs of the project and of `ctxhost-code` show of reading code, compiled and run.
//!
//! `suites::architecture` holds their blocks against this file, line by line.

use std::{error::Error, fs, path::Path, time::SystemTime};

use ctxhost_code::{
    grammar::Grammars,
    index::Case,
    project::{Pace, Places, Project, ProjectSettings},
};
use ctxhost_sdk::prelude::*;
use ctxhost_testkit::Harness;

/// Looks for a name as each README does; gives how many definitions both found.
fn as_shown(setup: &Setup, root: &Path, now: SystemTime) -> std::result::Result<[usize; 2], Box<dyn Error>> {
    let short = {
        let grammars = Grammars::new(setup.grammar_dirs());
        let settings = ProjectSettings { cache: setup.code_cache_dir(), ..ProjectSettings::new(grammars) };
        let project = Project::open(root, settings)?;
        project.sync(now);
        project.update(Pace::Now, &|| false, &mut |_done, _total| {});
        let found = project.view().reader.definitions("parse_line", Case::Any)?;
        found.len()
    };
    let stop = || false;
    let places = Places {
        cache: setup.code_cache_dir(),
        home: setup.home_dir(),
        config_home: setup.config_dir(),
        grammars: setup.grammar_dirs(),
        ..Places::default()
    };
    let project = Project::open(root, places.project())?;

    project.sync(now); // looks at the files
    let view = project.view(); // what is indexed, what is missing
    let hits = project.scan(&view, &["timeout".to_owned()], &|| false); // words in what is missing
    project.update(Pace::Background, &stop, &mut |_done, _total| {}); // parses and counts what is missing
    let found = project.view().reader.definitions("Registry.add", Case::Any)?;
    drop(hits);
    Ok([short, found.len()])
}

/// A provider that answers with what was found.
struct Shown(Setup);

impl Provider for Shown {
    type Settings = NoSettings;

    fn new(setup: Setup, _settings: NoSettings) -> Result<Self> {
        Ok(Self(setup))
    }

    fn event(&self, _cx: &Cx<'_>, request: Request) -> Result<Reply> {
        let found = as_shown(&self.0, Path::new(&request.session.cwd), SystemTime::now());
        let body = format!("{:?}\n", found.map_err(|error| error.to_string()));
        Ok(Reply::new().section(Section::prompt("found", Trust::Tool).body(body)))
    }
}

export_provider!(Shown, id = "shown", title = "Shows", spec = "envelope/v1", events = ["prompt"]);

#[test]
fn what_the_readmes_show_finds_what_it_looks_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "class Registry:\n    def add(self):\n        pass\n\ndef parse_line():\n    pass\n";
    let project = folder.path().join("project");
    fs::create_dir(&project).expect("a folder");
    fs::write(project.join("lib.py"), source).expect("a file");
    let harness = Harness::<Shown>::builder().cache_dir(folder.path().join("cache")).build();
    let reply = harness.expect("it starts").prompt("Registry.add", &project).expect("a reply");
    assert_eq!(reply.sections[0].variants[0].body, "Ok([1, 1])\n");
}
