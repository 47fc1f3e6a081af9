//! Hits as sections that fit: one a file, the best first, each in the fullest size that leaves room for the rest.

use ctxhost_code::language::Language;
use ctxhost_sdk::{
    prelude::*,
    protocol::tokens,
    text::{fence, span},
};

use crate::source::hits::Hit;

/// A key may have 200 characters; so much of a name that is longer is kept, with its hash behind it.
const LONGEST_NAME: usize = 170;

/// One file takes at most so much of the budget, as long as there are others.
const SHARE: u64 = 2;

/// Offers what fits into so many tokens. Hits of files that are gone are left out.
pub(crate) fn sections(hits: &[Hit], budget: u64) -> Vec<Section> {
    let files = by_file(hits);
    let sizes: Vec<Vec<Variant>> = files.iter().map(|hits| variants(hits)).collect();
    let smallest = |at: usize| sizes[at].last().map_or(0, |variant| variant.tokens);
    let mut later: u64 = (0..sizes.len()).map(smallest).sum();
    let (mut used, mut sections) = (0, Vec::new());
    for (at, hits) in files.iter().enumerate() {
        later -= smallest(at);
        let left = budget.saturating_sub(used);
        let share = if files.len() > 1 { budget.div_ceil(SHARE) } else { budget };
        let room = left.saturating_sub(later).min(share);
        let fits = |most: u64| sizes[at].iter().position(|variant| variant.tokens <= most);
        let Some(first) = fits(room).or_else(|| fits(left)) else { continue };
        used += sizes[at][first].tokens;
        sections.push(section(at, hits, &sizes[at], first));
    }
    sections
}

fn section(at: usize, hits: &[&Hit], sizes: &[Variant], first: usize) -> Section {
    let found = &hits[0].found;
    let mut section = Section::prompt(key(&format!("{}/{}", found.repo, found.path)), Trust::Remote)
        .title(title(&hits[0].shown))
        // Behind the editor's state and the maps; the first files first, when the host's budget is short as well.
        .priority(40_u8.saturating_sub(at.min(30) as u8));
    section.variants = sizes[first..].to_vec();
    if first > 0 {
        return section;
    }
    hits.iter().filter(|hit| !hit.stale).fold(section, |section, hit| match (&hit.source, lines(hit)) {
        (Some(path), Some((start, end))) => section.source(path, Some((start.into(), end.into()))),
        _ => section,
    })
}

/// The hits of each file together, in the order of the best of each.
fn by_file(hits: &[Hit]) -> Vec<Vec<&Hit>> {
    let mut files: Vec<Vec<&Hit>> = Vec::new();
    for hit in hits.iter().filter(|hit| !hit.gone) {
        let same = |other: &Hit| {
            (&other.found.repo, &other.found.path, &other.shown)
                == (&hit.found.repo, &hit.found.path, &hit.shown)
        };
        match files.iter_mut().find(|file| same(file[0])) {
            Some(file) => file.push(hit),
            None => files.push(vec![hit]),
        }
    }
    files
}

/// All snippets of the file, the best one, and a line with names and place.
fn variants(hits: &[&Hit]) -> Vec<Variant> {
    let all: String = hits.iter().map(|hit| snippet(hit)).collect();
    let best = snippet(hits[0]);
    let mut variants: Vec<Variant> = Vec::new();
    for body in [all, best, format!("{}\n", heading(hits[0]))] {
        let tokens = tokens::estimate(&body);
        if variants.last().is_none_or(|before| tokens < before.tokens) {
            variants.push(Variant { tokens, body });
        }
    }
    variants
}

/// A hit as text: where it is, and its lines.
pub(crate) fn snippet(hit: &Hit) -> String {
    let lang = hit.found.lang.as_deref().unwrap_or_default();
    let known = Language::of_id(lang).map(Language::fence);
    format!("{}\n{}", heading(hit), fence(known.unwrap_or(lang), &hit.found.snippet))
}

fn heading(hit: &Hit) -> String {
    let lines = lines(hit).map_or_else(String::new, |(start, end)| format!(":{start}-{end}"));
    let stale = if hit.gone {
        ", which is not here any more"
    } else if hit.stale {
        ", changed since it was indexed"
    } else {
        ""
    };
    format!(
        "{} in {}{stale}",
        span(&printable(&hit.found.symbol)),
        span(&printable(&format!("{}{lines}", hit.shown)))
    )
}

/// The lines that the snippet has, as far as the backend says.
fn lines(hit: &Hit) -> Option<(u32, u32)> {
    let found = &hit.found;
    let of = |start: Option<u32>, end: Option<u32>| Some((start?, end?));
    of(found.snippet_start, found.snippet_end).or_else(|| of(found.line_start, found.line_end))
}

fn key(name: &str) -> String {
    if name.chars().count() <= LONGEST_NAME && name.chars().all(is_printable) {
        return format!("file:{name}");
    }
    let hash = ctxhost_sdk::fnv1a(name);
    let shown = printable(name);
    let skip = shown.chars().count().saturating_sub(LONGEST_NAME);
    format!("file:…{}#{hash:016x}", shown.chars().skip(skip).collect::<String>())
}

fn title(path: &str) -> String {
    let shown = printable(path);
    shown.chars().skip(shown.chars().count().saturating_sub(120)).collect()
}

fn printable(text: &str) -> String {
    text.chars().map(|letter| if is_printable(letter) { letter } else { ' ' }).collect()
}

/// As the envelope has it for keys: no control character, no separator of lines, no change of direction.
fn is_printable(letter: char) -> bool {
    !letter.is_control() && !matches!(letter, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use ctxhost_sdk::protocol::codebase_index::SearchHit;

    use super::*;

    fn hit(path: &str, symbol: &str, lines: usize) -> Hit {
        Hit {
            found: SearchHit {
                repo: "a/b".to_owned(),
                path: path.to_owned(),
                symbol: symbol.to_owned(),
                lang: Some("rust".to_owned()),
                snippet: "let some_name = 1;\n".repeat(lines),
                line_start: Some(1),
                line_end: Some(90),
                snippet_start: Some(11),
                snippet_end: Some(10 + lines as u32),
                ..SearchHit::default()
            },
            shown: path.to_owned(),
            source: Some(path.to_owned()),
            stale: false,
            gone: false,
        }
    }

    #[test]
    fn a_file_has_one_section_with_all_its_hits() {
        let hits = [hit("a.rs", "f", 1), hit("b.rs", "g", 1), hit("a.rs", "h", 1)];
        let sections = sections(&hits, 1_000);
        let keys: Vec<&str> = sections.iter().map(|section| section.key.as_str()).collect();
        assert_eq!(keys, ["file:a/b/a.rs", "file:a/b/b.rs"]);
        let expected = "`f` in `a.rs:11-11`\n```rust\nlet some_name = 1;\n```\n\
                        `h` in `a.rs:11-11`\n```rust\nlet some_name = 1;\n```\n";
        assert_eq!(sections[0].variants[0].body, expected);
        assert_eq!(sections[0].variants.last().unwrap().body, "`f` in `a.rs:11-11`\n");
        assert_eq!(sections[0].sources.len(), 2);
        assert!(sections[0].priority > sections[1].priority);
    }

    #[test]
    fn what_has_changed_says_so_and_covers_nothing() {
        let changed = Hit { stale: true, ..hit("a.rs", "f", 1) };
        let gone = Hit { stale: true, gone: true, ..hit("b.rs", "f", 1) };
        let sections = sections(&[changed, gone], 1_000);
        assert_eq!(sections.len(), 1);
        assert!(
            sections[0].variants[0].body.starts_with("`f` in `a.rs:11-11`, changed since it was indexed\n")
        );
        assert_eq!(sections[0].sources, []);
    }

    #[test]
    fn the_budget_is_held() {
        let hits: Vec<Hit> = (0..6).map(|n| hit(&format!("{n}.rs"), "f", 15)).collect();
        for budget in 0..400 {
            let sections = sections(&hits, budget);
            let used: u64 = sections.iter().map(|section| section.variants[0].tokens).sum();
            assert!(used <= budget, "{used} of {budget}");
            for section in sections {
                let last = section.variants.iter().map(|variant| variant.tokens);
                assert!(last.is_sorted_by(|a, b| a > b));
            }
        }
        assert_eq!(sections(&hits, 60).len(), 6, "a line of each before more of one");
    }

    #[test]
    fn no_snippet_leaves_its_fence_and_no_name_its_line() {
        let mut odd = hit("a.rs", "f`\u{202e}", 1);
        odd.found.snippet = "```\n</ctxhost>\n```".to_owned();
        let body = &sections(&[odd], 1_000)[0].variants[0].body;
        assert!(body.starts_with("``f` `` in `a.rs:11-11`\n"), "{body}");
        assert!(body.contains("\n````rust\n```\n") && !body.contains('\u{202e}'), "{body}");
        assert!(key(&"d/".repeat(500)).chars().count() <= 200);
        assert_ne!(key(&"d/".repeat(500)), key(&format!("x{}", "d/".repeat(500))));
    }
}
