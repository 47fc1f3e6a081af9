//! Picked code as sections that fit: one a file, each in the fullest size that leaves room for the rest.

use ctxhost_sdk::{
    prelude::*,
    protocol::{pilot_index::Companion, tokens},
};

use super::snippet::Snippet;
use crate::select::picked::PickedFile;

/// A key may have 200 characters; so much of a path that is longer is kept, with the path's hash behind it.
const LONGEST_PATH: usize = 170;

/// One file takes at most so much of the budget, as long as there are others.
const SHARE: u64 = 2;

/// Sections, and what they take at their fullest, in estimated tokens.
#[derive(Debug, Default)]
pub(crate) struct Offered {
    pub(crate) sections: Vec<Section>,
    pub(crate) tokens: u64,
}

/// Offers files in their order, within a budget. A file that does not fit is left out, and a smaller one behind it is
/// not.
pub(crate) fn code(files: &[(&PickedFile, Snippet)], companions: &[Companion], budget: u64) -> Offered {
    let sizes: Vec<Vec<Variant>> =
        files.iter().map(|(file, snippet)| variants(snippet, &beside(file, companions))).collect();
    let smallest = |at: usize| sizes[at].last().map_or(0, |variant| variant.tokens);
    let mut later: u64 = (0..sizes.len()).map(smallest).sum();
    let mut offered = Offered::default();
    for (at, (file, snippet)) in files.iter().enumerate() {
        later -= smallest(at);
        let left = budget.saturating_sub(offered.tokens);
        let share = if files.len() > 1 { budget.div_ceil(SHARE) } else { budget };
        let room = left.saturating_sub(later).min(share);
        let fits = |most: u64| sizes[at].iter().position(|variant| variant.tokens <= most);
        let Some(first) = fits(room).or_else(|| fits(left)) else { continue };
        let mut section = Section::prompt(key(&file.path), Trust::Workspace)
            .title(title(&file.path))
            // The first files first, when the host's budget is short as well.
            .priority(70_u8.saturating_sub(at.min(40) as u8));
        section.variants = sizes[at][first..].to_vec();
        if first == 0 {
            section =
                snippet.shown.iter().fold(section, |section, lines| section.source(&file.path, Some(*lines)));
        }
        offered.tokens += sizes[at][first].tokens;
        offered.sections.push(section);
    }
    offered
}

/// The memory's section.
pub(crate) fn memory(blocks: Vec<String>) -> Option<(Section, u64)> {
    let tokens = tokens::estimate(blocks.first()?);
    let section = Section::prompt("memory", Trust::Workspace).title("Relevant project memory").priority(55);
    Some((blocks.into_iter().fold(section, |section, body| section.body(body)), tokens))
}

fn variants(snippet: &Snippet, beside: &str) -> Vec<Variant> {
    let mut variants: Vec<Variant> = Vec::new();
    for body in [&snippet.full, &snippet.signatures, &snippet.names] {
        if body.is_empty() {
            continue;
        }
        let body = format!("{body}{beside}");
        let tokens = tokens::estimate(&body);
        // A size that is not smaller than the one before is none.
        if variants.last().is_none_or(|before| tokens < before.tokens) {
            variants.push(Variant { tokens, body });
        }
    }
    variants
}

/// Names the files that go with a file.
fn beside(file: &PickedFile, companions: &[Companion]) -> String {
    let of_file = companions.iter().filter(|companion| companion.of.as_ref() == Some(&file.path));
    let names: Vec<String> = of_file.take(3).map(|companion| printable(&companion.file)).collect();
    if names.is_empty() { String::new() } else { format!("Beside it: {}\n", names.join(", ")) }
}

fn printable(text: &str) -> String {
    text.chars().map(|character| if is_printable(character) { character } else { ' ' }).collect()
}

/// As the envelope has it for keys: no control character, no separator of lines, no change of direction.
fn is_printable(character: char) -> bool {
    !character.is_control() && !matches!(character, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// The section's key.
pub(crate) fn key(path: &str) -> String {
    if path.chars().count() <= LONGEST_PATH && path.chars().all(is_printable) {
        return format!("file:{path}");
    }
    let hash = ctxhost_sdk::fnv1a(path);
    let shown = printable(path);
    let skip = shown.chars().count().saturating_sub(LONGEST_PATH);
    format!("file:…{}#{hash:016x}", shown.chars().skip(skip).collect::<String>())
}

fn title(path: &str) -> String {
    printable(path).chars().rev().take(120).collect::<Vec<_>>().into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> PickedFile {
        PickedFile { path: path.to_owned(), ..PickedFile::default() }
    }

    fn snippet(full: usize, signatures: usize, names: usize) -> Snippet {
        let text = |tokens: usize| format!("{}\n", "x".repeat(tokens * 4 - 1));
        Snippet { full: text(full), signatures: text(signatures), names: text(names), shown: vec![(1, 2)] }
    }

    /// What is offered of files with these sizes: path and first size, in tokens.
    fn check(sizes: &[(usize, usize, usize)], budget: u64, expected: &[(&str, u64)]) {
        let files: Vec<PickedFile> = (0..sizes.len()).map(|at| file(&format!("{at}.rs"))).collect();
        let snippets = sizes.iter().map(|(a, b, c)| snippet(*a, *b, *c));
        let offered = code(&files.iter().zip(snippets).collect::<Vec<_>>(), &[], budget);
        let got: Vec<(&str, u64)> = offered
            .sections
            .iter()
            .map(|section| (section.key.trim_start_matches("file:"), section.variants[0].tokens))
            .collect();
        assert_eq!(got, expected, "{sizes:?}");
        assert_eq!(offered.tokens, expected.iter().map(|(_, tokens)| tokens).sum::<u64>());
        assert!(offered.tokens <= budget);
    }

    #[test]
    fn the_fullest_that_leaves_room_is_offered() {
        check(&[(100, 30, 5)], 100, &[("0.rs", 100)]);
        check(&[(100, 30, 5)], 99, &[("0.rs", 30)]);
        check(&[(100, 30, 5), (100, 30, 5)], 200, &[("0.rs", 100), ("1.rs", 100)]);
        check(&[(100, 30, 5), (100, 30, 5)], 150, &[("0.rs", 30), ("1.rs", 30)]);
        check(&[(70, 30, 5), (70, 30, 5), (9, 8, 7)], 140, &[("0.rs", 70), ("1.rs", 30), ("2.rs", 9)]);
        check(&[(100, 60, 50), (9, 8, 7)], 20, &[("1.rs", 9)]);
        check(&[(10, 9, 8)], 0, &[]);
        check(&[], 100, &[]);
    }

    #[test]
    fn sources_belong_to_the_fullest_size_alone() {
        let one = file("a.rs");
        let with = |budget: u64| code(&[(&one, snippet(100, 30, 5))], &[], budget).sections.remove(0).sources;
        assert_eq!(with(100), [Source { path: "a.rs".to_owned(), start: Some(1), end: Some(2) }]);
        assert_eq!(with(50), []);
    }

    #[test]
    fn a_files_companions_are_named() {
        let one = file("a.rs");
        let of = |file: &str, of: &str| Companion {
            file: file.to_owned(),
            of: Some(of.to_owned()),
            reason: String::new(),
        };
        let companions = [of("tests/a.rs", "a.rs"), of("tests/b.rs", "b.rs")];
        let offered = code(&[(&one, snippet(10, 9, 8))], &companions, 100);
        for variant in &offered.sections[0].variants {
            assert!(variant.body.ends_with("\nBeside it: tests/a.rs\n"), "{}", variant.body);
        }
    }

    #[test]
    fn every_path_has_a_key() {
        assert_eq!(key("src/a b.rs"), "file:src/a b.rs");
        let long = key(&"d/".repeat(500));
        assert!(long.chars().count() <= 200 && long.starts_with("file:…"), "{long}");
        assert_ne!(long, key(&format!("x/{}", "d/".repeat(500))));
        assert!(!key("a\nb\u{202E}c").contains(['\n', '\u{202E}']));
    }
}
