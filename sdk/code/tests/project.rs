//! Projects on real disks, over many steps and under other processes.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use ctxhost_code::{
    finding::Finding,
    grammar::Grammars,
    index::{Reader, export},
    project::{Outcome, Pace, Project, ProjectSettings},
};

#[path = "project/hard.rs"]
mod hard;
#[path = "project/incremental.rs"]
mod incremental;
#[path = "project/killed.rs"]
mod killed;
#[path = "project/refusing.rs"]
mod refusing;

/// The grammar library lies beside the tests.
fn grammars() -> Grammars {
    let exe = std::env::current_exe().unwrap();
    Grammars::new(vec![exe.parent().unwrap().to_owned()])
}

fn project(root: &Path, cache: Option<PathBuf>) -> Project {
    let settings = ProjectSettings { cache, threads: 2, ..ProjectSettings::new(grammars()) };
    Project::open(root, settings).unwrap()
}

/// Looks and indexes until everything is there.
fn bring_up(project: &Project) -> Vec<Finding> {
    let mut findings: Vec<_> = project.sync(SystemTime::now()).changes.findings.iter().cloned().collect();
    let updated = project.update(Pace::Now, &|| false, &mut |_, _| {});
    assert_eq!(updated.outcome, Outcome::Complete);
    findings.extend(updated.findings.iter().cloned());
    findings
}

fn text(reader: &Reader) -> String {
    let mut text = Vec::new();
    export(reader, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// What one look at the files as they are makes of them.
fn fresh(root: &Path) -> String {
    let (text, findings) = looked_at_once(root);
    assert_eq!(findings, []);
    text
}

/// The same, with what was met.
fn looked_at_once(root: &Path) -> (String, Vec<Finding>) {
    let project = project(root, None);
    let findings = bring_up(&project);
    (text(&project.view().reader), findings)
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
