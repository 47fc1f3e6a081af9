//! Trees, disks and moments that make it hard: one clear finding each, nothing lost, and the second run is right.

use std::{
    env, fs,
    os::unix::{
        ffi::OsStrExt,
        fs::{PermissionsExt, symlink},
    },
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use ctxhost_sdk::{prelude::*, serde_json::json};
use rustix::{
    process::{Gid, Uid, geteuid},
    thread::{set_thread_gid, set_thread_uid},
};

use crate::support::{Place, faults};

/// Nobody's number on most systems; any that is not root's does.
const NOBODY: u32 = 65_534;

/// Permissions do not count for root, as who tests often run; they do on a thread that is somebody else's.
fn without_roots_rights(act: impl FnOnce() + Send) {
    thread::scope(|scope| {
        let acted = scope.spawn(|| {
            if geteuid().is_root() {
                set_thread_gid(Gid::from_raw(NOBODY)).expect("root may");
                set_thread_uid(Uid::from_raw(NOBODY)).expect("root may");
            }
            act();
        });
        acted.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
}

/// What nobody may do with a place, and all below it.
fn give(folder: &Path, mode: u32) {
    fs::set_permissions(folder, fs::Permissions::from_mode(mode)).expect("ours");
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let kind = entry.file_type().expect("a type");
        if kind.is_dir() {
            give(&entry.path(), mode);
        } else if kind.is_file() {
            let mode = mode & 0o666;
            fs::set_permissions(entry.path(), fs::Permissions::from_mode(mode)).expect("ours");
        }
    }
}

/// A place whose project cannot be written by nobody, while home and cache can.
fn for_nobody(place: &Place) {
    let above = place.path("").parent().expect("a folder").to_owned();
    fs::set_permissions(&above, fs::Permissions::from_mode(0o777)).expect("ours");
    for folder in ["home", "kept", "cache"] {
        let _ = fs::create_dir(above.join(folder));
        give(&above.join(folder), 0o777);
    }
}

/// The lines of an answer that say what went wrong: all but the first, which has the figures.
fn told(reply: &CommandReply) -> Vec<&str> {
    reply.text.lines().skip(1).collect()
}

fn init(place: &Place) -> CommandReply {
    let reply = place.run("init", &[]);
    assert_eq!(reply.exit, 0, "{}", reply.text);
    reply
}

#[test]
fn a_folder_with_nothing_in_it_has_a_map_that_says_so() {
    let place = Place::empty();
    assert_eq!(told(&init(&place)), [""; 0]);
    place.check_clean();
    place.check_as_reinit();
}

#[test]
fn a_directory_that_cannot_be_listed_costs_one_finding() {
    let place = Place::new();
    for_nobody(&place);
    give(&place.path(""), 0o777);
    fs::set_permissions(place.path("src/net"), fs::Permissions::from_mode(0o000)).expect("ours");
    without_roots_rights(|| {
        let reply = init(&place);
        let told = told(&reply);
        assert!(told.len() == 1 && told[0].contains("src/net"), "{told:?}");
        assert!(!place.read("src/.pi-map.index.md").contains("fetch_cart"));
        let reply = place.run("validate", &[]);
        assert!(reply.text.matches("src/net").count() == 1, "{}", reply.text);
    });
    // Once it can be read it is followed.
    fs::set_permissions(place.path("src/net"), fs::Permissions::from_mode(0o777)).expect("ours");
    assert_eq!(place.run("validate", &["--fix"]).exit, 0);
    assert!(place.read("src/net/.pi-map.index.md").contains("fetch_cart"));
    place.check_clean();
    place.check_as_reinit();
}

#[test]
fn a_directory_that_can_be_read_no_more_keeps_its_maps() {
    let place = Place::new();
    init(&place);
    let before = place.maps();
    for_nobody(&place);
    give(&place.path(""), 0o777);
    fs::set_permissions(place.path("src/net"), fs::Permissions::from_mode(0o000)).expect("ours");
    without_roots_rights(|| {
        let reply = place.run("validate", &["--fix"]);
        assert!(reply.text.contains("src/net"), "{}", reply.text);
    });
    fs::set_permissions(place.path("src/net"), fs::Permissions::from_mode(0o777)).expect("ours");
    place.run("validate", &["--fix"]);
    assert_eq!(place.maps(), before);
}

#[test]
fn links_are_not_followed_whether_in_a_circle_or_out_of_the_project() {
    let place = Place::new();
    let outside = place.path("").parent().expect("a folder").join("outside");
    fs::create_dir(&outside).expect("a folder");
    fs::write(outside.join("secret.rs"), "pub fn outside_of_it() {}\n").expect("a file");
    symlink("..", place.path("src/circle")).expect("a link");
    symlink("self", place.path("src/self")).expect("a link");
    symlink(&outside, place.path("src/away")).expect("a link");
    assert_eq!(told(&init(&place)), [""; 0]);
    assert!(!place.maps().values().any(|map| map.contains("outside_of_it")));
    assert_eq!(fs::read_dir(&outside).expect("a folder").count(), 1);
    place.check_clean();
    place.check_as_reinit();
}

#[test]
fn an_artifact_that_is_a_link_is_not_written_through() {
    let place = Place::new();
    let target = place.path("").parent().expect("a folder").join("mine.md");
    fs::write(&target, "mine\n").expect("a file");
    symlink(&target, place.path("src/.pi-map.md")).expect("a link");
    let reply = place.run("init", &[]);
    assert_eq!(reply.exit, 1, "{}", reply.text);
    assert!(reply.text.contains("`src/.pi-map.md` is a symbolic link"), "{}", reply.text);
    assert_eq!(place.maps().len(), 8, "all others, and what is behind the link");
    for args in [&["--fix"][..], &["--fix", "--force"]] {
        let reply = place.run("validate", args);
        assert_eq!(reply.exit, 1, "{}", reply.text);
        assert!(reply.text.contains("`src/.pi-map.md` is a symbolic link"), "{}", reply.text);
    }
    assert_eq!(fs::read_to_string(&target).expect("it is there"), "mine\n");
    fs::remove_file(place.path("src/.pi-map.md")).expect("ours");
    assert_eq!(place.run("validate", &["--fix"]).exit, 0);
    place.check_clean();
    place.check_as_reinit();
}

#[test]
fn two_hundred_megabytes_and_one_endless_line_are_named_and_not_read_for_symbols() {
    let place = Place::new();
    let huge = fs::File::create(place.path("src/huge.py")).expect("a file");
    huge.set_len(200 << 20).expect("a sparse file");
    place.write("web/app.min.js", &"function shrunk(){};".repeat(60_000));
    let reply = init(&place);
    assert_eq!(told(&reply), [""; 0]);
    let maps = place.maps();
    assert!(maps["src/.pi-map.index.md"].contains("`src/huge.py`"), "{}", maps["src/.pi-map.index.md"]);
    assert!(maps["web/.pi-map.index.md"].contains("`web/app.min.js`"), "{}", maps["web/.pi-map.index.md"]);
    assert!(!maps.values().any(|map| map.contains("shrunk")));
    place.check_clean();
    place.check_as_reinit();
}

#[test]
fn what_is_no_text_is_left_out_or_read_as_far_as_it_is() {
    let place = Place::new();
    let name = std::ffi::OsStr::from_bytes(b"src/bad-\xff\xfe.rs");
    fs::write(place.path("").join(name), "pub fn unnamed() {}\n").expect("a file");
    fs::write(place.path("src/latin.py"), b"# caf\xe9 \xff\ndef after_the_bytes():\n    pass\n")
        .expect("a file");
    fs::write(place.path("src/wide.rs"), b"\xff\xfep\0u\0b\0").expect("a file");
    let reply = init(&place);
    let lines = told(&reply);
    assert!(lines.len() == 1 && lines[0].contains("not UTF-8"), "{lines:?}");
    let index = place.read("src/.pi-map.index.md");
    assert!(index.contains("after_the_bytes") && index.contains("`src/wide.rs`"), "{index}");
    assert!(!index.contains("unnamed") && !index.contains('\u{fffd}'), "{index}");
    place.check_as_reinit();
}

#[test]
fn line_ends_of_sources_change_no_word() {
    let (unix, windows) = (Place::new(), Place::new());
    for name in ["README.md", "Cargo.toml", "src/cart.rs", "src/net/cart_client.py", "web/cart.ts"] {
        windows.write(name, &unix.read(name).replace('\n', "\r\n"));
    }
    for place in [&unix, &windows] {
        init(place);
    }
    // The headers are about the bytes.
    let bodies = |place: &Place| -> Vec<String> {
        place.maps().into_values().map(|map| map.split_once('\n').expect("a header").1.to_owned()).collect()
    };
    assert_eq!(bodies(&unix), bodies(&windows));
    assert!(!windows.maps().values().any(|map| map.contains('\r')));
}

/// A directory of so many files in debug builds; release builds take more than twice as many in the same time.
const MANY: usize = if cfg!(debug_assertions) { 20_000 } else { 50_000 };

#[test]
fn a_directory_with_very_many_files_stays_within_its_budget() {
    let place = Place::empty();
    fs::create_dir(place.path("many")).expect("a folder");
    for number in 0..MANY {
        fs::write(place.path(&format!("many/item_{number}.txt")), format!("{number}\n")).expect("a file");
    }
    place.write("many/begin.py", "def begin_here():\n    pass\n");
    assert_eq!(told(&init(&place)), [""; 0]);
    for (path, map) in place.maps() {
        assert!(map.len() < 16 << 10, "{path} has {} bytes", map.len());
    }
    // The root with one directory is worth one pair.
    assert!(place.read(".pi-map.index.md").contains("`begin_here`"));
    place.write("many/begin.py", "def begin_there():\n    pass\n");
    assert_eq!(place.run("patch", &["many/begin.py"]).exit, 0);
    assert!(place.read(".pi-map.index.md").contains("`begin_there`"));
    place.check_clean();
}

#[test]
fn a_tree_that_may_only_be_read_costs_one_finding_and_keeps_what_it_has() {
    let place = Place::new();
    init(&place);
    let before = place.maps();
    place.change("src/cart.rs", "make_cart", "build_cart");
    for_nobody(&place);
    give(&place.path(""), 0o555);
    without_roots_rights(|| {
        assert!(fs::write(place.path("src/probe"), "").is_err(), "the folder can be written");
        for (name, args) in [("patch", &["src/cart.rs"][..]), ("validate", &["--fix"]), ("reinit", &[])] {
            let reply = place.run(name, args);
            assert_eq!(reply.exit, 1, "{name}: {}", reply.text);
            assert_eq!(reply.text.matches("Permission denied").count(), 1, "{name}: {}", reply.text);
        }
    });
    assert_eq!(place.maps(), before);
    give(&place.path(""), 0o755);
    assert_eq!(place.run("validate", &["--fix"]).exit, 0);
    assert!(place.read("src/.pi-map.index.md").contains("build_cart"));
    place.check_clean();
    place.check_as_reinit();
}

/// Where the child of a test finds the place that it works in.
const PLACE: &str = "PROJECT_MAP_PLACE";

/// Runs `init` in another process of this program, begun by a shell that does something first.
fn elsewhere(place: &Place, first: &str) -> Child {
    let program = env::current_exe().expect("a test runs");
    let script = format!("{first}; exec \"$0\" --exact hard::in_another_process --ignored --nocapture");
    let above = place.path("").parent().expect("a folder").to_owned();
    let mut command = Command::new("sh");
    command.args(["-c", &script]).arg(program).env(PLACE, above);
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("a shell is there")
}

/// Not a test: what [`elsewhere`] runs.
#[test]
#[ignore = "is run by other tests"]
fn in_another_process() {
    let Some(above) = env::var_os(PLACE).map(PathBuf::from) else { return };
    let reply = Place::run_below(&above, json!({"smallPackageThreshold": 3}), "init", &[]);
    println!("exit {} {}", reply.exit, reply.text.replace('\n', " | "));
}

#[test]
fn a_disk_that_takes_no_more_costs_one_finding_and_leaves_nothing_half() {
    let place = Place::new();
    // Two kilobytes hold what the small directories have to say and neither the root's nor the cache's.
    let child = elsewhere(&place, "trap '' XFSZ; ulimit -f 2");
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("exit 1 ") && said.matches("File too large").count() >= 1, "{said}");
    for (path, map) in place.maps() {
        assert!(map.ends_with('\n') && map.contains("notes:end -->"), "{path} is half: {map}");
    }
    assert_eq!(place.git(&["status", "--porcelain"]), "");
    assert_eq!(place.run("validate", &["--fix"]).exit, 0);
    place.check_clean();
    place.check_as_reinit();
}

#[test]
fn whoever_is_killed_while_writing_is_followed_by_one_who_completes_it() {
    let place = Place::new();
    // Directories of their own kind each, so that they are no family.
    let letter = |number: u8| char::from(b'a' + number);
    for (one, two) in (0..12).flat_map(|one| (0..12).map(move |two| (letter(one), letter(two)))) {
        for name in ["begin", "middle", "close"] {
            place.write(&format!("{one}/{two}/{one}{two}{name}.py"), &format!("def {name}():\n    pass\n"));
        }
    }
    let mut child = elsewhere(&place, ":");
    while !place.path("a/a/.pi-map.index.md").exists() && child.try_wait().expect("ours").is_none() {
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("it runs, or has run");
    child.wait().expect("it ends");
    let left = place.maps();
    assert!(!left.is_empty() && !left.contains_key(".pi-map.md"), "{} were written", left.len());
    assert!(left.values().all(|map| map.contains("notes:end -->")));
    assert_eq!(place.run("init", &[]).exit, 2);
    let found = faults(&place.run("validate", &[]));
    assert!(found.iter().all(|(code, _)| code == "missing"), "{:?}", found.first());
    let reply = place.run("validate", &["--fix"]);
    assert_eq!(reply.exit, 0, "{}", reply.text);
    place.check_clean();
    place.check_as_reinit();
}

#[test]
fn two_at_once_lose_nothing_of_each_other() {
    let place = Place::new();
    init(&place);
    for turn in 0..8 {
        thread::scope(|scope| {
            for name in ["cart", "order", "price"] {
                let place = &place;
                scope.spawn(move || {
                    place.write(&format!("src/{name}.rs"), &format!("pub fn {name}_{turn}() {{}}\n"));
                    let reply = place.run("patch", &[&format!("src/{name}.rs")]);
                    assert_eq!(reply.exit, 0, "{}", reply.text);
                });
            }
        });
        let index = place.read("src/.pi-map.index.md");
        for name in ["cart", "order", "price"] {
            assert!(index.contains(&format!("{name}_{turn}`")), "{name} of turn {turn} is lost:\n{index}");
        }
        place.check_clean();
    }
    place.check_as_reinit();
}
