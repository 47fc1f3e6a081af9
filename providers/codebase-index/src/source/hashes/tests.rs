use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    time::Duration,
};

use ctxhost_code::walk::{WalkSettings, Walker};
use tempfile::TempDir;

use super::*;

struct Tree(TempDir);

impl Tree {
    fn new() -> Self {
        let tree = Self(TempDir::new().unwrap());
        fs::create_dir(tree.root()).unwrap();
        tree
    }

    fn root(&self) -> PathBuf {
        self.0.path().join("tree")
    }

    fn cache(&self) -> PathBuf {
        self.0.path().join("cache")
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.root().join(name), text).unwrap();
    }

    /// Sets a file's time back, so that it is beyond doubt.
    fn age(&self, name: &str) {
        let then = SystemTime::now() - Duration::from_secs(100) + Duration::from_nanos(1);
        fs::File::options().write(true).open(self.root().join(name)).unwrap().set_modified(then).unwrap();
    }

    fn hash(&self) -> Hashed {
        let entries = Walker::new(self.root(), WalkSettings::default()).walk().files;
        hash(&self.root(), &entries, Some(&self.cache()), 2, std::time::SystemTime::now(), &Stop::default())
            .unwrap()
    }

    fn kept(&self) -> PathBuf {
        fs::read_dir(self.cache().join("hashes")).unwrap().next().unwrap().unwrap().path()
    }
}

/// Longer than the tick of a clock, so that what was written is no longer recent.
fn wait() {
    std::thread::sleep(Duration::from_millis(60));
}

#[test]
fn what_has_not_changed_is_not_read_again() {
    let tree = Tree::new();
    tree.write("a.rs", "fn a() {}");
    tree.write("b.bin", [0; 10]);
    wait();
    let first = tree.hash();
    assert_eq!(first.files, [("a.rs".to_owned(), Sha256::digest("fn a() {}").into())]);
    assert_eq!(first.left_out, [("b.bin".to_owned(), LeftOut::Binary)]);
    assert_eq!(first.read, 2);
    let second = tree.hash();
    assert_eq!((second.read, second.files, second.left_out), (0, first.files, first.left_out));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&tree.kept()), mode(&tree.cache().join("hashes"))), (0o600, 0o700));
}

#[test]
fn a_change_of_the_same_size_within_a_tick_is_seen() {
    let tree = Tree::new();
    for round in 0..20 {
        let text = format!("{round:02}");
        tree.write("a.txt", &text);
        assert_eq!(tree.hash().files[0].1, <[u8; 32]>::from(Sha256::digest(&text)), "round {round}");
    }
}

#[test]
fn a_change_that_keeps_size_and_time_is_seen() {
    let tree = Tree::new();
    tree.write("a.txt", "one");
    tree.age("a.txt");
    wait();
    tree.hash();
    let before = fs::metadata(tree.root().join("a.txt")).unwrap();
    // In place the system notes when it was; another file has another number.
    tree.write("a.txt", "two");
    fs::File::options()
        .write(true)
        .open(tree.root().join("a.txt"))
        .unwrap()
        .set_modified(before.modified().unwrap())
        .unwrap();
    wait();
    assert_eq!(tree.hash().files[0].1, <[u8; 32]>::from(Sha256::digest("two")));
    tree.write("new", "six");
    fs::rename(tree.root().join("new"), tree.root().join("a.txt")).unwrap();
    assert_ne!(fs::metadata(tree.root().join("a.txt")).unwrap().ino(), before.ino());
    assert_eq!(tree.hash().files[0].1, <[u8; 32]>::from(Sha256::digest("six")));
}

#[test]
fn a_verdict_follows_its_file() {
    let tree = Tree::new();
    tree.write("a", [0; 3]);
    assert_eq!(tree.hash().left_out.len(), 1);
    tree.write("a", "now a text");
    let hashed = tree.hash();
    assert_eq!((hashed.files.len(), hashed.left_out.len()), (1, 0));
    fs::remove_file(tree.root().join("a")).unwrap();
    assert!(tree.hash().files.is_empty());
}

#[test]
fn a_broken_cache_is_made_anew() {
    let tree = Tree::new();
    tree.write("a.rs", "fn a() {}");
    wait();
    let whole = tree.hash().files;
    let kept = fs::read(tree.kept()).unwrap();
    for place in [0, 31, 32, 40, kept.len() / 2, kept.len() - 1] {
        let mut broken = kept.clone();
        broken[place] ^= 1;
        fs::write(tree.kept(), broken).unwrap();
        let hashed = tree.hash();
        assert_eq!((hashed.read, &hashed.files), (1, &whole), "byte {place}");
    }
    fs::write(tree.kept(), &kept[..kept.len() - 3]).unwrap();
    assert_eq!(tree.hash().read, 1);
    assert_eq!(tree.hash().read, 0);
}

#[test]
fn a_cache_that_cannot_be_written_is_a_finding() {
    let tree = Tree::new();
    tree.write("a.rs", "fn a() {}");
    fs::write(tree.cache(), "a file").unwrap();
    let hashed = tree.hash();
    assert_eq!(hashed.files.len(), 1);
    assert!(hashed.findings.of(Problem::Cache).is_some());
}

#[test]
fn a_stopped_look_keeps_what_it_read() {
    let tree = Tree::new();
    (0..200).for_each(|number| tree.write(&format!("{number}.txt"), "text"));
    wait();
    let entries = Walker::new(tree.root(), WalkSettings::default()).walk().files;
    let looks = std::sync::atomic::AtomicUsize::new(0);
    let stop = Stop::when(move || looks.fetch_add(1, std::sync::atomic::Ordering::Relaxed) > 50);
    let stopped = hash(&tree.root(), &entries, Some(&tree.cache()), 1, std::time::SystemTime::now(), &stop);
    assert_eq!(stopped.unwrap_err(), SourceError::Stopped);
    let rest = tree.hash();
    assert_eq!(rest.files.len(), 200);
    assert!((100..200).contains(&rest.read), "{}", rest.read);
}
