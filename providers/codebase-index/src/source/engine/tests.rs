use std::{
    process::{Command, Stdio},
    sync::Mutex,
    time::Duration,
};

use ctxhost_sdk::serde_json::{self, Value};

use super::*;
use crate::source::tests::{
    model::{Fault, Model},
    tree::Workspace,
};

const RUST: &str = "/// Adds.\npub fn add(a: u32, b: u32) -> u32 {\n    a + b\n}\n\npub struct Sum(u32);\n";

fn quick(workspace: &Workspace) -> Limits {
    Limits {
        pause: Duration::from_millis(10),
        longest_pause: Duration::from_millis(50),
        ..workspace.limits()
    }
}

/// A workspace with so many files of two functions each.
fn many(count: usize) -> Workspace {
    let workspace = Workspace::of(&[("README.md", "# Many\n")]);
    for number in 0..count {
        let text = format!("fn one_{number}() {{\n    1\n}}\n\nfn two_{number}() {{\n    2\n}}\n");
        workspace.write(&format!("work/src/part{}/file_{number}.rs", number % 7), text);
    }
    workspace.git("work", &["add", "-A"]);
    workspace
}

async fn sync_with(workspace: &Workspace, model: &Model, limits: &Limits) -> RepoOutcome {
    let backend = model.backend(limits);
    let repos = [workspace.repo()];
    let mut outcome =
        sync_all(&backend, &repos, limits, &workspace.places(), &|_, _, _| {}, &Stop::default()).await;
    outcome.repos.remove(0)
}

async fn sync(workspace: &Workspace, model: &Model) -> RepoOutcome {
    sync_with(workspace, model, &quick(workspace)).await
}

/// Syncs without an error, and gives files sent, chunks sent, files taken back, and whether the root was enough.
async fn synced(workspace: &Workspace, model: &Model) -> (usize, usize, usize, bool) {
    let own = sync(workspace, model).await;
    assert_eq!((&own.error, &own.failed), (&None, &vec![]));
    (own.sent_files, own.chunks, own.removed, own.root_only)
}

/// A backend that was told the same workspace at once, without any earlier state.
async fn clean(workspace: &Workspace) -> Model {
    let model = Model::serve().await;
    let limits = quick(workspace);
    let places = Places { cache: None, ..workspace.places() };
    let outcome = sync_all(
        &model.backend(&limits),
        &[workspace.repo()],
        &limits,
        &places,
        &|_, _, _| {},
        &Stop::default(),
    )
    .await;
    assert!(outcome.is_complete(), "{outcome:?}");
    model
}

async fn is_as_clean(workspace: &Workspace, model: &Model) {
    let other = clean(workspace).await;
    let (index, expected) = (model.kept().index(), other.kept().index());
    assert_eq!(index, expected);
}

#[tokio::test]
async fn only_what_changed_is_sent() {
    let workspace = Workspace::of(&[("src/a.rs", RUST), ("b.md", "# Title\n\nWords.\n"), ("empty.rs", "")]);
    let model = Model::serve().await;
    assert_eq!(synced(&workspace, &model).await, (3, 3, 0, false));
    is_as_clean(&workspace, &model).await;
    model.take("");

    // Nothing has changed: the root alone goes, and nothing is wanted.
    assert_eq!(synced(&workspace, &model).await, (0, 0, 0, true));
    let asked = model.take("sync");
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0]["repos"][0].get("files"), None);

    workspace.write("work/src/a.rs", format!("\n\n{RUST}"));
    assert_eq!(synced(&workspace, &model).await, (1, 2, 0, false));
    workspace.remove("work/b.md");
    model.take("");
    assert_eq!(synced(&workspace, &model).await, (0, 0, 1, false));
    let removed = model.take("index").remove(0);
    assert_eq!(removed["remove"][0]["path"], "b.md");
    assert_eq!(removed["chunks"], Value::Array(Vec::new()));
    assert_eq!(synced(&workspace, &model).await, (0, 0, 0, true));
    is_as_clean(&workspace, &model).await;
}

#[tokio::test]
async fn a_branch_and_back_sends_nothing_twice() {
    let workspace = many(20);
    workspace.commit("work");
    let model = Model::serve().await;
    synced(&workspace, &model).await;
    workspace.git("work", &["checkout", "-qb", "other"]);
    workspace.write("work/src/part1/file_1.rs", "fn changed() {}\n");
    workspace.write("work/new.rs", "fn new() {}\n");
    workspace.commit("work");
    assert_eq!(synced(&workspace, &model).await, (2, 2, 0, false));
    workspace.git("work", &["checkout", "-q", "-"]);
    assert_eq!(synced(&workspace, &model).await, (0, 0, 1, false));
    is_as_clean(&workspace, &model).await;
}

#[tokio::test]
async fn a_backend_that_lost_everything_gets_everything() {
    let workspace = many(5);
    let model = Model::serve().await;
    synced(&workspace, &model).await;
    model.forget();
    let lost = synced(&workspace, &model).await;
    assert_eq!((lost.0, lost.3), (6, false), "422 to the root alone brings the files");
    is_as_clean(&workspace, &model).await;
    // Another backend has acknowledged nothing.
    let other = Model::serve().await;
    assert!(!synced(&workspace, &other).await.3);
}

#[tokio::test]
async fn files_are_whole_in_batches_of_bounded_size() {
    let workspace = many(200);
    let model = Model::serve().await;
    let limits = Limits { batch_bytes: 20_000, concurrency: 3, ..quick(&workspace) };
    model.fail("index", vec![Fault::Slow(Duration::from_millis(50)); 100]);
    let own = sync_with(&workspace, &model, &limits).await;
    assert_eq!((own.error, own.files, own.sent_files, own.chunks), (None, 201, 201, 401));
    let batches = model.take("index");
    assert!(batches.len() > 5, "{}", batches.len());
    let mut seen = BTreeSet::new();
    for batch in &batches {
        assert!(batch.to_string().len() <= 22_000);
        let paths: BTreeSet<_> =
            batch["chunks"].as_array().unwrap().iter().map(|chunk| chunk["path"].to_string()).collect();
        paths.into_iter().for_each(|path| assert!(seen.insert(path), "a file is in one batch"));
    }
    let most = model.kept().most_at_once;
    assert!((2..=3).contains(&most), "{most} at once");
    assert!(own.bytes_up > 100_000);
    is_as_clean(&workspace, &model).await;
}

#[tokio::test]
async fn faults_on_the_way_cost_nothing() {
    for fault in [
        Fault::Status(503, "busy", Some("0")),
        Fault::Status(429, "busy", None),
        Fault::Dropped { after: false },
        Fault::Dropped { after: true },
        Fault::Slow(Duration::from_millis(50)),
        Fault::Status(401, "expired", None),
    ] {
        let workspace = many(30);
        let model = Model::serve().await;
        let expired = matches!(fault, Fault::Status(401, ..));
        if expired {
            // The first token is refused from the first request on.
            model.kept().token = "second".into();
        } else {
            model.fail("sync", [fault.clone()]);
            model.fail("index", [fault.clone()]);
        }
        let limits = Limits { batch_bytes: 3_000, ..quick(&workspace) };
        let own = sync_with(&workspace, &model, &limits).await;
        assert_eq!((own.error, own.failed.len(), own.sent_files), (None, 0, 31), "{fault:?}");
        is_as_clean(&workspace, &model).await;
    }
}

#[tokio::test]
async fn what_was_taken_is_not_sent_again_after_a_failure() {
    let workspace = many(60);
    let model = Model::serve().await;
    let limits = Limits { batch_bytes: 2_000, concurrency: 1, ..quick(&workspace) };
    let ok = Fault::Slow(Duration::ZERO);
    let faults = [ok.clone(), ok.clone(), ok, Fault::Status(403, "no more", None)];
    model.fail("index", faults);
    let failed = sync_with(&workspace, &model, &limits).await;
    assert_eq!(failed.error, Some(SyncError::Backend(BackendError::Forbidden("no more".into()))));
    assert!(failed.sent_files > 0);
    let rest = sync_with(&workspace, &model, &limits).await;
    assert_eq!((rest.error, rest.root_only, rest.sent_files), (None, false, 61 - failed.sent_files));
    is_as_clean(&workspace, &model).await;
}

#[tokio::test]
async fn a_batch_that_is_too_large_is_halved_once() {
    let workspace = many(40);
    let model = Model::serve().await;
    let whole = sync(&workspace, &clean(&workspace).await).await;
    assert_eq!(whole.sent_files, 0);
    model.kept().most_bytes = Some(20_000);
    let own = sync(&workspace, &model).await;
    assert_eq!((own.error, own.failed.len(), own.sent_files), (None, 0, 41));
    is_as_clean(&workspace, &model).await;

    let small = Model::serve().await;
    small.kept().most_bytes = Some(5_000);
    let own = sync(&workspace, &small).await;
    assert!(own.failed.iter().all(|error| matches!(error, BackendError::TooLarge(_))) || own.error.is_some());
    assert!(own.sent_files < 41);
    small.kept().most_bytes = None;
    assert_eq!(sync(&workspace, &small).await.sent_files + own.sent_files, 41);
}

#[tokio::test]
async fn a_rejected_batch_does_not_hold_up_the_others() {
    let workspace = many(60);
    let model = Model::serve().await;
    model.fail("index", [Fault::Status(400, "I do not like it", None)]);
    let limits = Limits { batch_bytes: 4_000, ..quick(&workspace) };
    let own = sync_with(&workspace, &model, &limits).await;
    assert_eq!((own.error.clone(), own.failed.len()), (None, 1));
    assert!(own.sent_files > 30 && own.sent_files < 61);
    let rest = sync_with(&workspace, &model, &limits).await;
    assert_eq!((rest.failed.len(), rest.sent_files), (0, 61 - own.sent_files));
    model.fail("index", vec![Fault::Status(500, "", None); 50]);
    (0..60).for_each(|number| {
        workspace.write(&format!("work/src/part{}/file_{number}.rs", number % 7), "fn x() {}\n")
    });
    let own = sync_with(&workspace, &model, &Limits { batch_bytes: 1_024, ..limits }).await;
    assert!(matches!(own.error, Some(SyncError::Backend(BackendError::Failed { .. }))), "{:?}", own.error);
    assert!(model.kept().faults["index"].len() > 30, "a backend that fails is left alone");
}

#[tokio::test]
async fn nonsense_from_the_backend_sends_nothing_but_what_is_listed() {
    let workspace = Workspace::of(&[("a.rs", RUST), (".env", "SECRET=1\n")]);
    workspace.write("secret.txt", "outside");
    workspace.write("work/untracked.rs", "fn no() {}\n");
    let model = Model::serve().await;
    let repo = workspace.repo();
    let asked = ["a.rs", ".env", "../secret.txt", "/etc/hosts", "untracked.rs", ".git/config"];
    let changed: Vec<_> =
        asked.iter().map(|path| serde_json::json!({"repo": repo.name, "path": path})).collect();
    let others = serde_json::json!({"repo": "another", "path": "a.rs"});
    let changed = [changed, vec![others]].concat();
    let says = serde_json::json!({"changed": changed, "removed": []});
    model.fail("sync", [Fault::Says(says.to_string())]);
    let own = sync(&workspace, &model).await;
    assert_eq!((own.error, own.sent_files, own.chunks), (None, 1, 2));
    let sent = serde_json::to_string(&model.take("index")).unwrap();
    for secret in ["SECRET", "outside", "fn no", "[core]"] {
        assert!(!sent.contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn a_sync_that_is_stopped_goes_on_later() {
    let workspace = many(80);
    let model = Model::serve().await;
    let limits = Limits { batch_bytes: 2_000, concurrency: 2, ..quick(&workspace) };
    let backend = model.backend(&limits);
    let stop = Stop::default();
    let asked = stop.clone();
    let heard = Mutex::new(Vec::new());
    let progress = |done: u64, total: u64, name: &str| {
        heard.lock().unwrap().push((done, total, name.to_owned()));
        if done > 20 {
            asked.stop();
        }
    };
    let outcome =
        sync_all(&backend, &[workspace.repo()], &limits, &workspace.places(), &progress, &stop).await;
    assert_eq!(outcome.repos[0].error, Some(SyncError::Stopped));
    let heard = heard.into_inner().unwrap();
    assert_eq!(heard[0], (0, 0, "work".to_owned()));
    assert!(heard.iter().skip(1).all(|(done, total, _)| *total == 81 && done <= total));
    // Dropping it, as a cancelled call does, ends it as well.
    let (repos, places, free) = ([workspace.repo()], workspace.places(), Stop::default());
    let all = sync_all(&backend, &repos, &limits, &places, &|_, _, _| {}, &free);
    let dropped = tokio::time::timeout(Duration::from_millis(120), all).await;
    let rest = sync(&workspace, &model).await;
    assert_eq!((rest.error, rest.failed.len()), (None, 0));
    assert!(rest.sent_files < 81 - 20 || dropped.is_ok());
    is_as_clean(&workspace, &model).await;
}

#[tokio::test]
async fn several_repositories_are_synced_each_by_itself() {
    let workspace = Workspace::new();
    for name in ["one", "two"] {
        workspace.write(&format!("work/{name}/a.rs"), RUST);
        workspace.git(&format!("work/{name}"), &["init", "-q"]);
        workspace.git(&format!("work/{name}"), &["add", "-A"]);
    }
    let model = Model::serve().await;
    let (limits, places) = (quick(&workspace), workspace.places());
    let repos = workspace.repos("work");
    let backend = model.backend(&limits);
    std::fs::remove_dir_all(workspace.path("work/one/.git")).unwrap();
    let outcome = sync_all(&backend, &repos, &limits, &places, &|_, _, _| {}, &Stop::default()).await;
    assert!(matches!(outcome.repos[0].error, Some(SyncError::Source(SourceError::NoWorkTree(_)))));
    assert_eq!((&outcome.repos[1].error, outcome.repos[1].sent_files), (&None, 1));
    assert!(!outcome.is_complete());
    // What one repository meets at the backend the next would meet too.
    model.fail("sync", [Fault::Status(403, "no", None)]);
    workspace.git("work/one", &["init", "-q"]);
    let outcome = sync_all(&backend, &repos, &limits, &places, &|_, _, _| {}, &Stop::default()).await;
    assert!(outcome.repos.iter().all(|repo| repo.error.is_some()));
    assert_eq!(model.kept().faults["sync"].len(), 0);
}

/// Run by the next test as a process of its own.
#[tokio::test]
#[ignore = "a part of the test below"]
async fn child_that_syncs() {
    let Ok(place) = std::env::var("CODEBASE_INDEX_TEST_PLACE") else { return };
    let Ok(url) = std::env::var("CODEBASE_INDEX_TEST_URL") else { return };
    let place = PathBuf::from(place);
    let address = crate::source::backend::Address { url, base_path: "/codebase-index".into(), ca_file: None };
    let limits = Limits { batch_bytes: 1_024, concurrency: 2, ..Limits::default() };
    let bearer = std::sync::Arc::new(crate::source::tests::model::Fixed::default());
    let backend = Backend::new(&address, bearer, &limits).unwrap();
    let (repos, _) =
        crate::source::workspace::repos(&place.join("work"), &limits, Some(&place.join("state")));
    let grammars = crate::source::tests::tree::grammars();
    let places = Places { cache: Some(place.join("cache")), grammars };
    sync_all(&backend, &repos, &limits, &places, &|_, _, _| {}, &Stop::default()).await;
}

#[tokio::test]
async fn a_sync_that_was_killed_ends_as_a_clean_one() {
    let workspace = many(150);
    let model = Model::serve().await;
    let mut killed = 0;
    for after in [1, 8, 25] {
        model.take("");
        model.fail("index", vec![Fault::Slow(Duration::from_millis(15)); 400]);
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "source::engine::tests::child_that_syncs", "--ignored"])
            .env("CODEBASE_INDEX_TEST_PLACE", workspace.path(""))
            .env("CODEBASE_INDEX_TEST_URL", &model.url)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while child.try_wait().unwrap().is_none() && model.count("index") < after {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        killed += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(killed >= 2, "it was killed on the way");
    model.kept().faults.clear();
    let rest = sync(&workspace, &model).await;
    assert_eq!((rest.error, rest.failed.len()), (None, 0));
    assert!(rest.sent_files < 140, "{} files were sent again", rest.sent_files);
    is_as_clean(&workspace, &model).await;
    assert_eq!(synced(&workspace, &model).await, (0, 0, 0, true));
}

#[tokio::test]
async fn files_that_change_on_the_way_are_sent_as_they_end() {
    let workspace = many(40);
    let model = Model::serve().await;
    let limits = Limits { batch_bytes: 1_024, concurrency: 1, threads: 1, ..quick(&workspace) };
    let backend = model.backend(&limits);
    let once = std::sync::atomic::AtomicBool::new(true);
    let progress = |done: u64, _: u64, _: &str| {
        if done > 0 && once.swap(false, std::sync::atomic::Ordering::Relaxed) {
            workspace.write("work/src/part4/file_39.rs", "fn later() {}\n");
            workspace.remove("work/src/part6/file_34.rs");
        }
    };
    let outcome =
        sync_all(&backend, &[workspace.repo()], &limits, &workspace.places(), &progress, &Stop::default())
            .await;
    assert!(outcome.is_complete(), "{outcome:?}");
    synced(&workspace, &model).await;
    is_as_clean(&workspace, &model).await;
}
