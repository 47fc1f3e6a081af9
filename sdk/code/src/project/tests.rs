use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use tempfile::TempDir;

use super::{Outcome, Pace, PathOnly, Project, ProjectSettings};
use crate::{
    finding::Problem,
    grammar::Grammars,
    index::{Reader, export},
    snapshot::{Disk, FileState, Source},
    walk::WalkSettings,
};

mod failures;
mod scanning;
mod sharing;
mod stopping;

/// A provider asks and indexes on different threads.
const _: fn() = || {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Project>();
};

/// A project's folder, and a cache beside it.
struct Ground(TempDir);

impl Ground {
    fn of(files: &[(&str, &str)]) -> Self {
        let ground = Self(TempDir::new().unwrap());
        fs::create_dir(ground.root()).unwrap();
        files.iter().for_each(|(name, text)| ground.write(name, text));
        ground
    }

    fn root(&self) -> PathBuf {
        self.0.path().join("project")
    }

    fn cache(&self) -> PathBuf {
        self.0.path().join("cache")
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.root().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn remove(&self, name: &str) {
        fs::remove_file(self.root().join(name)).unwrap();
    }

    fn settings(&self) -> ProjectSettings {
        ProjectSettings {
            cache: Some(self.cache()),
            threads: 2,
            ..ProjectSettings::new(Grammars::new(Vec::new()))
        }
    }

    fn project(&self) -> Project {
        self.project_with(self.settings())
    }

    fn project_with(&self, settings: ProjectSettings) -> Project {
        Project::open(&self.root(), settings).unwrap()
    }

    /// What a project without any cache makes of the files.
    fn fresh(&self) -> String {
        let project = self.project_with(ProjectSettings { cache: None, ..self.settings() });
        assert_eq!(complete(&project, at(0)), Outcome::Complete);
        text(&project.view().reader)
    }
}

fn at(seconds: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(2_000_000_000 + seconds)
}

fn update(project: &Project) -> super::Updated {
    project.update(Pace::Now, &|| false, &mut |_, _| {})
}

fn complete(project: &Project, now: SystemTime) -> Outcome {
    project.sync(now);
    update(project).outcome
}

fn text(reader: &Reader) -> String {
    let mut text = Vec::new();
    export(reader, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn paths<'a>(names: impl Iterator<Item = (&'a str, &'a crate::snapshot::FileState)>) -> Vec<&'a str> {
    names.map(|(path, _)| path).collect()
}

#[test]
fn what_was_indexed_is_there_at_the_next_opening() {
    let ground = Ground::of(&[("a.py", "def one(): pass\n"), ("b.md", "# Two\n")]);
    let project = ground.project();
    assert_eq!(complete(&project, at(0)), Outcome::Complete);
    assert!(project.view().is_complete());
    assert_eq!(text(&project.view().reader), ground.fresh());
    let again = ground.project();
    again.sync(at(9));
    assert!(again.view().is_complete());
    assert_eq!(update(&again).done, 0);
}

#[test]
fn what_changed_is_not_current_until_it_is_indexed() {
    let ground = Ground::of(&[("a.py", "one"), ("b.py", "two"), ("c.py", "three")]);
    let project = ground.project();
    complete(&project, at(0));
    ground.write("a.py", "another");
    ground.remove("b.py");
    ground.write("d.py", "four");
    let synced = project.sync(at(1));
    assert_eq!(
        (synced.changes.modified, synced.changes.deleted),
        (vec!["a.py".to_owned()], vec!["b.py".to_owned()])
    );
    let view = project.view();
    let current = |path: &str| view.reader.find(path).is_some_and(|file| view.is_current(file.doc));
    assert_eq!(["a.py", "b.py", "c.py", "d.py"].map(current), [false, false, true, false]);
    assert_eq!(paths(view.pending()), ["a.py", "d.py"]);
    assert_eq!(update(&project).done, 2);
    assert!(project.view().is_complete());
    assert_eq!(text(&project.view().reader), ground.fresh());
}

#[test]
fn a_file_that_changes_after_the_look_is_left_for_the_next() {
    let ground = Ground::of(&[("a.py", "one")]);
    let project = ground.project();
    project.sync(at(0));
    ground.write("a.py", "another");
    assert_eq!(update(&project).done, 0);
    assert_eq!(paths(project.view().pending()), ["a.py"]);
    assert_eq!(complete(&project, at(1)), Outcome::Complete);
    assert!(project.view().is_complete());
}

#[test]
fn code_comes_before_tests_and_both_before_the_rest() {
    let ground = Ground::of(&[
        ("Cargo.lock", ""),
        ("README.md", ""),
        ("src/a.rs", ""),
        ("tests/a.rs", ""),
        ("z.py", ""),
    ]);
    ground.write("big.rs", "// x\n".repeat(100_000));
    let project = ground.project();
    project.sync(at(0));
    let expected = ["big.rs", "src/a.rs", "z.py", "tests/a.rs", "README.md", "Cargo.lock"];
    assert_eq!(paths(project.view().pending()), expected);
}

#[test]
fn stopping_keeps_what_was_done() {
    let ground = Ground::of(&[]);
    (0..40).for_each(|n| ground.write(&format!("f{n:02}.py"), format!("def f{n}(): pass\n")));
    let project = ground.project();
    project.sync(at(0));
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let stop = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 10;
    let mut told = Vec::new();
    let updated = project.update(Pace::Now, &stop, &mut |done, total| told.push((done, total)));
    assert_eq!((updated.outcome, updated.done), (Outcome::Stopped, 10));
    assert_eq!(told, (1..=10).map(|done| (done, 40)).collect::<Vec<_>>());
    assert_eq!(project.view().pending().len(), 30);
    assert_eq!(update(&project).done, 30);
    assert_eq!(text(&project.view().reader), ground.fresh());
}

#[test]
fn work_in_the_background_rests_while_a_question_is_answered() {
    let ground = Ground::of(&[("a.py", "one")]);
    let project = ground.project();
    project.sync(at(0));
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let stop = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 10;
    let question = project.asking();
    assert_eq!(project.update(Pace::Background, &stop, &mut |_, _| {}).done, 0);
    drop(question);
    assert_eq!(project.update(Pace::Background, &|| false, &mut |_, _| {}).done, 1);
}

#[test]
fn what_is_no_text_is_found_by_its_path_only() {
    let ground = Ground::of(&[]);
    ground.write("logo.png", b"\x89PNG\0secret words");
    let project = ground.project();
    assert_eq!(complete(&project, at(0)), Outcome::Complete);
    let reader = &project.view().reader;
    assert!(reader.postings("secret").unwrap().is_empty());
    assert_eq!(reader.postings("logo").unwrap().len(), 1);
    assert_eq!(reader.find("logo.png").unwrap().bytes(), 17);
}

#[test]
fn a_hundred_megabytes_of_one_line_are_cut() {
    let ground = Ground::of(&[]);
    ground.write("a.js", "x=y;".repeat(25 << 20));
    let project = ground.project();
    assert_eq!(complete(&project, at(0)), Outcome::Complete);
    let view = project.view();
    let file = view.reader.find("a.js").unwrap();
    assert_eq!(file.bytes(), 100 << 20);
    assert!(file.lengths().iter().sum::<u32>() < 100_000);
    assert_eq!(file.partial(), Some(crate::symbols::Partial::TooLarge));
    assert!(file.is_generated());
    let partial = &view.reader.totals().partial;
    let told: Vec<_> = partial.iter().map(|of| (of.reason, of.files, of.first.as_str())).collect();
    assert_eq!(told, [(crate::symbols::Partial::TooLarge, 1, "a.js")]);
}

#[test]
fn files_of_secrets_are_found_by_their_path_only() {
    let ground = Ground::of(&[("main.py", "token"), ("prod.env", "TOKEN=swordfish\n")]);
    // Somebody without the rule has another index.
    complete(&ground.project(), at(0));
    let rule = PathOnly { rule: "secrets", holds: |path| path.ends_with(".env") };
    let project = ground.project_with(ProjectSettings { path_only: Some(rule), ..ground.settings() });
    project.sync(at(1));
    let words = ["swordfish", "token", "prod"].map(str::to_owned);
    let scanned = project.scan(&project.view(), &words, &|| false);
    assert_eq!([0, 1, 2].map(|word| scanned.files_with(word)), [0, 1, 1]);
    assert_eq!(update(&project).done, 2);
    let view = project.view();
    assert_eq!(words.each_ref().map(|word| view.reader.postings(word).unwrap().len()), [0, 1, 1]);
    let file = view.reader.find("prod.env").unwrap();
    assert_eq!((file.bytes(), file.partial(), view.is_complete()), (16, None, true));
}

#[test]
fn text_that_changed_since_the_look_is_not_the_views() {
    let ground = Ground::of(&[("a.py", "one")]);
    let project = ground.project();
    project.sync(at(0));
    let view = project.view();
    let has = |path: &str, text: &str| view.has_text(path, text.as_bytes());
    assert_eq!([has("a.py", "one"), has("a.py", "two"), has("b.py", "one")], [true, false, false]);
}

#[test]
fn folders_that_hold_more_than_a_project_are_refused() {
    let ground = Ground::of(&[]);
    let home = |home: &Path| ProjectSettings {
        walk: WalkSettings { home: Some(home.to_owned()), ..WalkSettings::default() },
        ..ground.settings()
    };
    assert!(Project::open(Path::new("/"), ground.settings()).is_err());
    assert!(Project::open(&ground.root(), home(&ground.root())).is_err());
    assert!(Project::open(ground.0.path(), home(&ground.root())).is_err());
    assert!(Project::open(&ground.root(), home(ground.0.path())).is_ok());
    crate::walk::tests::git(&ground.root(), &["init", "-q"]);
    assert!(Project::open(&ground.root(), home(&ground.root())).is_ok());
}

#[test]
fn an_empty_folder_is_a_project() {
    let ground = Ground::of(&[]);
    let project = ground.project();
    let synced = project.sync(at(0));
    assert!(synced.changes.is_empty() && synced.changes.findings.is_empty());
    assert!(project.view().is_complete());
    assert_eq!(update(&project).outcome, Outcome::Complete);
}

#[test]
fn a_root_that_is_gone_is_a_finding_and_changes_nothing() {
    let ground = Ground::of(&[("a.py", "one")]);
    let project = ground.project();
    complete(&project, at(0));
    let aside = ground.0.path().join("aside");
    fs::rename(ground.root(), &aside).unwrap();
    let synced = project.sync(at(1));
    assert!(synced.changes.findings.of(Problem::Root).is_some() && synced.changes.is_empty());
    fs::rename(&aside, ground.root()).unwrap();
    assert!(project.sync(at(2)).changes.is_empty());
}

#[test]
fn rebuilding_gives_the_same() {
    let ground = Ground::of(&[("a.py", "def one(): pass"), ("b.py", "two")]);
    let project = ground.project();
    complete(&project, at(0));
    let rebuilt = project.rebuild(Pace::Now, &|| false, &mut |_, _| {});
    assert_eq!((rebuilt.outcome, rebuilt.done), (Outcome::Complete, 2));
    assert_eq!(text(&project.view().reader), ground.fresh());
}

#[test]
fn the_cache_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let ground = Ground::of(&[("a.py", "one")]);
    let project = ground.project();
    complete(&project, at(0));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let folder = project.folder().unwrap();
    assert_eq!(mode(folder), 0o700);
    let files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= 4);
    for path in files {
        assert_eq!(mode(&path), if path.is_dir() { 0o700 } else { 0o600 }, "{}", path.display());
    }
}

#[test]
fn a_file_is_parsed_in_a_state_that_no_look_knew() {
    let ground = Ground::of(&[("a.py", "def one(): pass\n"), ("b.py", "def other(): pass\n")]);
    let project = ground.project();
    assert_eq!(complete(&project, at(0)), Outcome::Complete);
    ground.write("a.py", "def two(): pass\n");
    let looked = Source::look(&Disk::new(ground.root()), "a.py").unwrap();
    let now = FileState { stat: looked.before, hash: looked.hash };
    let gone = FileState { hash: [0; 32], ..now };
    let documents = project.documents_of(&[("gone.py", gone), ("a.py", now), ("b.py", now)], &|| false);
    let found: Vec<_> = documents.iter().map(|document| (document.path.as_str(), document.hash)).collect();
    assert_eq!(found, [("a.py", now.hash)]);
    assert_eq!(documents[0].extracted.symbols[0].name, "two");
    assert!(project.documents_of(&[("a.py", now)], &|| true).is_empty());
}
