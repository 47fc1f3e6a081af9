use super::*;
use crate::bm25f::{FIELDS, Field};

#[test]
fn a_scan_counts_what_the_index_would() {
    let ground = Ground::of(&[
        ("parser/read_line.py", "def parse_line(line):\n    return line.split()\n"),
        ("lines.md", "Lines of text, läuft"),
        ("other.rs", "fn other() {}"),
    ]);
    ground.write("latin.c", b"/* line \xe4 line */");
    ground.write("data.bin", b"line\0line");
    let project = ground.project();
    project.sync(at(0));
    let words: Vec<String> = ["line", "parse", "text", "nothing"].map(str::to_owned).into();
    let scanned = project.scan(&project.view(), &words, &|| false);
    assert!(scanned.complete);
    assert_eq!(scanned.files, 5);
    update(&project);
    let reader = &project.view().reader;
    let kept = [Field::Path as usize, Field::Body as usize];
    for (place, word) in words.iter().enumerate() {
        let postings = reader.postings(word).unwrap();
        assert_eq!(scanned.files_with(place) as usize, postings.len(), "{word}");
        for posting in postings {
            let file = reader.file(posting.doc).unwrap();
            let hit = scanned.hits.iter().find(|hit| hit.path == file.path()).unwrap();
            assert_eq!(
                kept.map(|field| hit.counts[place][field]),
                kept.map(|field| posting.counts[field]),
                "{word}"
            );
            assert_eq!(kept.map(|field| hit.lengths[field]), kept.map(|field| file.lengths()[field]));
            assert_eq!((hit.language, hit.test, hit.bytes), (file.language(), file.is_test(), file.bytes()));
            assert_eq!(hit.hash, *file.hash());
        }
    }
    let sums =
        (0..FIELDS).map(|field| reader.files().map(|file| u64::from(file.lengths()[field])).sum::<u64>());
    let sums: Vec<_> = sums.collect();
    assert_eq!(kept.map(|field| scanned.lengths[field]), kept.map(|field| sums[field]));
}

#[test]
fn a_scan_reads_only_what_is_not_indexed() {
    let ground = Ground::of(&[("a.py", "word"), ("b.py", "word")]);
    let project = ground.project();
    complete(&project, at(0));
    ground.write("a.py", "word word");
    project.sync(at(1));
    let scanned = project.scan(&project.view(), &["word".to_owned()], &|| false);
    assert_eq!(scanned.files, 1);
    assert_eq!(scanned.hits[0].counts[0][Field::Body as usize], 2);
}

#[test]
fn a_scan_that_is_stopped_says_so() {
    let ground = Ground::of(&[("a.py", "word"), ("b.py", "word")]);
    let project = ground.project();
    project.sync(at(0));
    let scanned = project.scan(&project.view(), &["word".to_owned()], &|| true);
    assert!(!scanned.complete && scanned.hits.is_empty());
    let nothing = project.scan(&project.view(), &[], &|| false);
    assert!(nothing.complete && nothing.hits.is_empty());
}

#[test]
fn candidates_are_parsed_on_demand() {
    let ground = Ground::of(&[("a.py", "one"), ("b.py", "two"), ("c.py", "three")]);
    let project = ground.project();
    project.sync(at(0));
    ground.write("c.py", "changed since");
    let view = project.view();
    let documents = project.documents(&view, &["b.py", "a.py", "c.py", "none.py"], &|| false);
    let found: Vec<_> = documents.iter().map(|document| document.path.as_str()).collect();
    assert_eq!(found, ["a.py", "b.py"]);
    assert!(documents[0].terms.iter().any(|term| &*term.text == "one"));
    assert_eq!(documents[0].hash, view.snapshot.get("a.py").unwrap().hash);
}
