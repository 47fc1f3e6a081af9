use super::*;

fn wanted(names: &[&str]) -> Wanted {
    let name = |text: &&str| Name { text: (*text).to_owned(), code: false };
    Wanted::new(&names.iter().map(name).collect::<Vec<_>>())
}

#[test]
fn names_are_compared_by_the_documents_rules() {
    for (names, name, owner, expected) in [
        (&["getSymbols"][..], "getsymbols", "", (1.0, 1.0)),
        (&["add"], "add", "Registry", (0.8, 1.0)),
        (&["Registry", "add"], "add", "shop.Registry", (1.0, 1.0)),
        (&["parse"], "parse_line", "", (0.0, 1.0)),
        (&["line"], "parse_line", "", (0.0, 0.8)),
        (&["se_li"], "parse_line", "", (0.0, 0.5)),
        (&["in"], "main", "", (0.0, 0.0)),
        (&["other"], "parse_line", "", (0.0, 0.0)),
        (&[], "parse_line", "", (0.0, 0.0)),
    ] {
        assert_eq!(wanted(names).compare(name, owner), expected, "{names:?} with {owner}.{name}");
    }
}

#[test]
fn misspelled_names_are_alike() {
    let (exact, fuzzy) = wanted(&["recieveMessage"]).compare("receivemessage", "");
    assert_eq!(exact, 0.0);
    assert!(fuzzy > 0.25 && fuzzy < 0.5, "{fuzzy}");
}

#[test]
fn kinds_fit_what_is_wanted() {
    let exact = |intent, of| (kind(intent, of) * KIND * 100.0).round() / 100.0;
    assert_eq!(exact(Intent::Debug, Kind::Method), 0.65);
    assert_eq!(exact(Intent::Action, Kind::Function), 0.6);
    assert_eq!(exact(Intent::Create, Kind::Method), 0.55);
    assert_eq!(exact(Intent::Create, Kind::Variable), 0.4);
    assert_eq!(exact(Intent::Read, Kind::Interface), 0.6);
    assert_eq!(exact(Intent::Read, Kind::Function), 0.3);
    assert_eq!(exact(Intent::Unknown, Kind::Function), 0.25);
}

#[test]
fn files_at_hand_are_near() {
    let recent = ["src/a.rs".to_owned()];
    let near = |path: &str, named| (proximity(path, named, &recent) * PROXIMITY * 100.0).round() / 100.0;
    assert_eq!(
        [near("x", true), near("src/a.rs", false), near("src/b.rs", false), near("lib/b.rs", false)],
        [1.2, 0.96, 0.48, 0.0]
    );
    assert_eq!((doc(1), doc(3), doc(50)), (0.5, 1.5, 2.0));
}

#[test]
fn every_signal_is_shown_with_its_weight() {
    let signals = Signals { exact: 1.0, fuzzy: 1.0, ..Signals::default() };
    let names: Vec<&str> = signals.each().iter().map(|signal| signal.name).collect();
    assert_eq!(names, ["words", "exact", "fuzzy", "kind", "exported", "proximity", "doc", "reference"]);
    assert_eq!(signals.total(), EXACT + FUZZY);
}
