//! Artifacts on a real disk, with everything that can stand in their way.

use std::{
    fs, io,
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    process::Command,
};

use super::*;
use crate::{
    select::pair::{Page, Pair},
    shape::artifact::file,
};

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().expect("a folder"));
        fs::create_dir_all(place.path("src/net")).expect("folders");
        place
    }

    fn path(&self, below: &str) -> PathBuf {
        self.0.path().join(below)
    }

    fn store(&self) -> Store {
        Store::at(self.0.path(), &Config::default())
    }

    fn put(&self, dir: &str) {
        for kind in Kind::BOTH {
            assert!(self.store().put(dir, kind, &text(dir, kind), Reach::Ours).expect("it is written"));
        }
    }

    /// Directories and kinds of all that is found, and how many findings.
    fn found(&self, store: &Store) -> (Vec<(String, Kind)>, usize) {
        let found = store.read_all();
        (found.artifacts.into_iter().map(|known| (known.dir, known.kind)).collect(), found.findings.len())
    }
}

fn text(dir: &str, kind: Kind) -> String {
    let page = Page { title: dir.to_owned(), ..Page::default() };
    file(&Pair { dir: dir.to_owned(), index: page.clone(), map: page, ..Pair::default() }, kind, None)
}

/// Whether files without write permission are written all the same, as the superuser does.
fn all_powerful() -> bool {
    rustix::process::geteuid().is_root()
}

#[test]
fn what_is_written_is_found_and_only_changed_bytes_are_written() {
    let place = Place::new();
    place.put("");
    place.put("src/net");
    let both = |dir: &str| Kind::BOTH.map(|kind| (dir.to_owned(), kind));
    assert_eq!(place.found(&place.store()), ([both(""), both("src/net")].concat(), 0));
    let inode = |path: &str| place.path(path).metadata().expect("it is there").ino();
    let before = inode("src/net/.pi-map.md");
    assert!(
        !place
            .store()
            .put("src/net", Kind::Map, &text("src/net", Kind::Map), Reach::Ours)
            .expect("it is the same")
    );
    assert_eq!(inode("src/net/.pi-map.md"), before);
    let [index, map] = Kind::BOTH.map(|kind| place.store().read("", kind).expect("it is read"));
    assert!(index.is_some_and(|index| index.intact) && map.is_some_and(|map| map.intact && map.sound));
    assert_eq!(root_pair(place.0.path(), &Config::default()), ([true; 2], None));
    // Nothing is left beside them.
    assert_eq!(fs::read_dir(place.path("src/net")).expect("a folder").count(), 2);
}

#[test]
fn line_ends_of_git_are_no_change() {
    let place = Place::new();
    place.put("src");
    let text = text("src", Kind::Index);
    fs::write(place.path("src/.pi-map.index.md"), text.replace('\n', "\r\n")).expect("a file");
    let read = place.store().read("src", Kind::Index).expect("it is read").expect("it is there");
    assert!(read.intact && read.whole == text);
    assert!(!place.store().put("src", Kind::Index, &text, Reach::Ours).expect("it is the same"));
}

#[test]
fn the_umask_says_who_may_read_them() {
    let place = Place::new();
    place.put("");
    fs::write(place.path("other"), "").expect("a file");
    let mode = |path: &str| place.path(path).metadata().expect("it is there").permissions().mode();
    assert_eq!(mode(".pi-map.md"), mode("other"));
}

#[test]
fn they_lie_below_one_folder_when_that_is_asked_for() {
    let place = Place::new();
    let config = Config { artifact_dir: Some(".cache/maps".to_owned()), ..Config::default() };
    let store = Store::at(place.0.path(), &config);
    store.put("src/net", Kind::Index, &text("src/net", Kind::Index), Reach::Ours).expect("it is written");
    store.put("", Kind::Map, &text("", Kind::Map), Reach::Ours).expect("it is written");
    assert!(place.path(".cache/maps/src/net/.pi-map.index.md").is_file());
    assert_eq!(store.path("src/net", Kind::Index), ".cache/maps/src/net/.pi-map.index.md");
    let wanted = vec![(String::new(), Kind::Map), ("src/net".to_owned(), Kind::Index)];
    assert_eq!(place.found(&store), (wanted, 0));
    store.remove("src/net", Kind::Index, Reach::Ours).expect("it is removed");
    assert!(!place.path(".cache/maps/src").exists() && place.path(".cache/maps").exists());
}

#[test]
fn folders_beside_sources_stay_whatever_was_in_them() {
    let place = Place::new();
    place.put("src/net");
    place.store().remove("src/net", Kind::Map, Reach::Ours).expect("it is removed");
    assert!(place.path("src/net").exists());
    place.store().remove("src/net", Kind::Index, Reach::Ours).expect("it is removed");
    assert_eq!(fs::read_dir(place.path("src/net")).expect("it is there").count(), 0);
    place.store().remove("src/net", Kind::Index, Reach::Ours).expect("it is gone");
}

#[test]
fn other_projects_and_caches_are_not_looked_into_but_read_where_they_have_a_pair() {
    let place = Place::new();
    for (dir, mark) in
        [("vendor/other", ".git"), ("target", "CACHEDIR.TAG"), ("node_modules/x", "package.json")]
    {
        fs::create_dir_all(place.path(dir)).expect("folders");
        fs::write(place.path(dir).join(mark), "").expect("a file");
        place.put(dir);
    }
    assert_eq!(place.found(&place.store()), (Vec::new(), 0));
    assert_eq!(place.store().read_with(&["src", "target"]).artifacts.len(), 2);
}

#[test]
fn links_are_not_followed() {
    let place = Place::new();
    let elsewhere = tempfile::tempdir().expect("a folder");
    fs::write(elsewhere.path().join("file"), "theirs").expect("a file");
    symlink(elsewhere.path(), place.path("src/out")).expect("a link");
    symlink(place.path("src"), place.path("src/net/loop")).expect("a link");
    symlink(elsewhere.path().join("file"), place.path("src/.pi-map.md")).expect("a link");
    let put = |dir: &str| place.store().put(dir, Kind::Map, "x\n", Reach::Ours);
    assert!(matches!(put("src/out"), Err(DiskProblem::Link)));
    assert!(matches!(put("src"), Err(DiskProblem::Link)));
    for dir in ["../x", "/tmp", "src/../.."] {
        assert!(matches!(put(dir), Err(DiskProblem::WrongKind("outside of the project"))), "{dir}");
    }
    assert!(matches!(place.store().read("src/out", Kind::Map), Err(DiskProblem::Link)));
    assert_eq!(place.found(&place.store()), (Vec::new(), 1));
    assert_eq!(fs::read_dir(elsewhere.path()).expect("a folder").count(), 1);
    assert_eq!(fs::read_to_string(elsewhere.path().join("file")).expect("a file"), "theirs");
}

#[test]
fn what_stands_in_the_way_is_said_once_and_left_alone() {
    let place = Place::new();
    fs::create_dir(place.path("src/.pi-map.md")).expect("a folder");
    let made = Command::new("mkfifo").arg(place.path(".pi-map.md")).status().expect("mkfifo is there");
    assert!(made.success());
    let large = fs::File::create(place.path("src/net/.pi-map.md")).expect("a file");
    large.set_len(3 << 20).expect("it is ours");
    for (dir, why) in [("", "is no file"), ("src", "is no file"), ("src/net", "is larger than 1024 KiB")] {
        let problem = place.store().put(dir, Kind::Map, "x\n", Reach::Ours).expect_err("it is in the way");
        assert_eq!(problem.to_string(), why, "{dir}");
    }
    assert!(matches!(
        place.store().put("gone", Kind::Map, "x\n", Reach::Ours),
        Err(DiskProblem::WrongKind(_))
    ));
    let found = place.store().read_all();
    assert_eq!(found.findings[0].message, "looking for maps, `.pi-map.md` is no file, and 2 more");
}

#[test]
fn half_files_and_foreign_ones_are_not_intact() {
    let place = Place::new();
    place.put("src");
    let whole = fs::read_to_string(place.path("src/.pi-map.md")).expect("a file");
    for half in
        ["", "\u{FEFF}", "# mine\n", &whole[..whole.len() / 3], &whole[whole.find('\n').expect("a line")..]]
    {
        fs::write(place.path("src/.pi-map.md"), half).expect("a file");
        let read = place.store().read("src", Kind::Map).expect("it is read").expect("it is there");
        assert!(!read.intact, "{half:?}");
    }
    let theirs = b"\xff\xfe\0";
    fs::write(place.path("src/.pi-map.md"), theirs).expect("a file");
    assert_eq!(place.found(&place.store()).1, 1);
    let put = place.store().put("src", Kind::Map, &whole, Reach::All);
    assert!(matches!(put, Err(DiskProblem::NotText)));
    assert_eq!(fs::read(place.path("src/.pi-map.md")).expect("a file"), theirs);
}

#[test]
fn a_full_disk_costs_nothing_that_is_there() {
    let place = Place::new();
    place.put("src");
    let full = place.store().with_writer(|file, bytes| {
        file.write_all(&bytes[..bytes.len() / 2])?;
        Err(io::Error::from(io::ErrorKind::StorageFull))
    });
    assert!(matches!(full.put("src", Kind::Map, "x\n", Reach::Ours), Err(DiskProblem::System(_))));
    assert_eq!(fs::read_to_string(place.path("src/.pi-map.md")).expect("a file"), text("src", Kind::Map));
    assert_eq!(place.store().read_all().leftovers, []);
}

#[test]
fn what_a_killed_process_left_behind_is_found_and_swept() {
    let place = Place::new();
    place.put("src");
    fs::create_dir(place.path("notes")).expect("a folder");
    let theirs =
        ["notes/.pi-map.draft.new", "src/.pi-map.md.old.new", "src/.pi-map.md.1-.new", "src/.pi-map.1-2.new"];
    theirs.iter().for_each(|name| fs::write(place.path(name), "mine").expect("a file"));
    fs::write(place.path("src/.pi-map.md.123-0.new"), "half").expect("a file");
    let found = place.store().read_all();
    assert_eq!(found.leftovers, [("src".to_owned(), ".pi-map.md.123-0.new".to_owned())]);
    place.store().sweep(&found.leftovers);
    assert!(!place.path("src/.pi-map.md.123-0.new").exists());
    assert!(theirs.iter().all(|name| place.path(name).exists()));
}

#[test]
fn a_folder_without_permissions_is_said() {
    let place = Place::new();
    let set =
        |mode| fs::set_permissions(place.path("src/net"), fs::Permissions::from_mode(mode)).expect("ours");
    set(0o000);
    if !all_powerful() {
        assert_eq!(place.found(&place.store()), (Vec::new(), 1));
        set(0o500);
        assert!(matches!(
            place.store().put("src/net", Kind::Map, "x\n", Reach::Ours),
            Err(DiskProblem::System(_))
        ));
    }
    set(0o700);
}

#[test]
fn notes_that_come_in_between_are_kept_and_text_by_hand_too() {
    let place = Place::new();
    place.put("src");
    let path = place.path("src/.pi-map.md");
    let before = fs::read_to_string(&path).expect("a file");
    let noted = before.replace("<!-- notes:end", "mine\n<!-- notes:end");
    fs::write(&path, &noted).expect("a file");
    let next = text("src and more", Kind::Map);
    let put = |reach| place.store().put("src", Kind::Map, &next, reach);
    assert!(put(Reach::Ours).expect("it is written"));
    let now = fs::read_to_string(&path).expect("a file");
    assert!(now.contains("src and more") && now.contains("begin -->\nmine\n<!--"), "{now}");
    let remove = |reach| place.store().remove("src", Kind::Map, reach);
    assert!(matches!(remove(Reach::All), Err(DiskProblem::HasNotes)));

    let edited = noted.replace("# Map", "By hand.\n# Map");
    fs::write(&path, &edited).expect("a file");
    assert!(matches!(put(Reach::Ours), Err(DiskProblem::ByHand)));
    assert!(matches!(remove(Reach::Ours), Err(DiskProblem::ByHand)));
    assert_eq!(fs::read_to_string(&path).expect("a file"), edited);
    assert!(put(Reach::All).expect("it is written"));
    assert!(fs::read_to_string(&path).expect("a file").contains("begin -->\nmine\n<!--"));

    fs::write(&path, "# anybody's\n").expect("a file");
    assert!(matches!(put(Reach::All), Err(DiskProblem::NotOurs)));
    assert!(matches!(remove(Reach::All), Err(DiskProblem::NotOurs)));
}

#[test]
fn maps_in_what_is_ignored_now_are_found() {
    let place = Place::new();
    place.put("src/net");
    let config = Config { ignore_patterns: vec!["/src".to_owned()], ..Config::default() };
    assert_eq!(place.found(&Store::at(place.0.path(), &config)).0.len(), 2);
}

#[test]
fn maps_from_before_they_had_their_own_folder_are_told() {
    let place = Place::new();
    place.put("");
    let config = Config { artifact_dir: Some(".pilot/maps".to_owned()), ..Config::default() };
    assert_eq!(place.found(&Store::at(place.0.path(), &config)), (Vec::new(), 1));
}
