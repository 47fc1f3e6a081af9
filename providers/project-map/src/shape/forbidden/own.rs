//! Where this project lies on this machine, which no artifact, section or bundle may say.

use std::path::Path;

use crate::select::pair::{Item, Page, Pair};

/// The paths of a project's root: as the session has it, and without links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Own(Vec<String>);

impl Own {
    /// Of a project that lies nowhere.
    #[cfg(test)]
    pub(crate) const fn nowhere() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn of(roots: &[&Path]) -> Self {
        let roots = roots.iter().map(|root| root.to_string_lossy().trim_end_matches('/').to_owned());
        let mut own: Vec<String> = roots.filter(|root| root.len() > 1).collect();
        own.dedup();
        Self(own)
    }

    /// Whether a text names the root or something below it. `lib/app` names no project in `/app`.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        let inner = |c: char| c.is_alphanumeric() || "_-".contains(c);
        let is_there = |root: &String| {
            text.match_indices(root.as_str()).any(|(at, _)| {
                let before = text[..at].chars().next_back();
                let after = text[at + root.len()..].chars().next();
                !before.is_some_and(|c| inner(c) || "./~*".contains(c)) && !after.is_some_and(inner)
            })
        };
        // Most texts have no slash at all, and this is asked of very many.
        text.as_bytes().contains(&b'/') && self.0.iter().any(is_there)
    }

    /// Takes out of pairs what names the root; whole sentences, since half of one may say the opposite.
    pub(crate) fn take_from(&self, pairs: &mut [Pair]) {
        for pair in pairs {
            for page in [&mut pair.index, &mut pair.map] {
                self.take_from_page(page);
            }
        }
    }

    fn take_from_page(&self, page: &mut Page) {
        for text in [&mut page.title, &mut page.purpose] {
            if self.is_in(text) {
                text.clear();
            }
        }
        for part in &mut page.parts {
            for Item { text, symbols, tags, .. } in &mut part.items {
                if self.is_in(text) {
                    text.clear();
                }
                symbols.retain(|symbol| !self.is_in(&symbol.name));
                tags.retain(|tag| !self.is_in(tag));
            }
            let says = |item: &Item| {
                let Item { path, text, tags, symbols, .. } = item;
                !path.is_empty() || !text.is_empty() || !tags.is_empty() || !symbols.is_empty()
            };
            part.items.retain(says);
        }
        page.parts.retain(|part| !part.items.is_empty());
    }

    /// A text without the lines that name the root.
    pub(crate) fn without(&self, text: &str) -> String {
        text.split_inclusive('\n').filter(|line| !self.is_in(line)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::pair::{Heading, Part};

    #[test]
    fn the_root_is_seen_as_a_path_and_not_as_a_part_of_one() {
        let own = Own::of(&[Path::new("/app"), Path::new("/srv/shop/"), Path::new("/")]);
        for text in ["in /app", "/app/src", "see (/srv/shop).", "`/app`", "a=/srv/shop/x", "/app: here"] {
            assert!(own.is_in(text), "{text}");
        }
        for text in
            ["lib/app", "lib/app/x", "/apple", "../app", "/app-two", "~/app", "no slash", "/", "a//app"]
        {
            assert!(!own.is_in(text), "{text}");
        }
        assert!(!Own::default().is_in("/app"));
        assert_eq!(own.without("one\nin /app\nthree"), "one\nthree");
    }

    #[test]
    fn what_names_the_root_is_taken_out_of_pairs() {
        let item =
            |path: &str, text: &str| Item { path: path.to_owned(), text: text.to_owned(), ..Item::default() };
        let items =
            vec![item("a.rs", "Lies in /srv/shop."), item("", "run /srv/shop/x"), item("b.rs", "Sells.")];
        let page = Page {
            title: "shop".to_owned(),
            purpose: "Made in /srv/shop.".to_owned(),
            parts: vec![Part { heading: Heading::Files, items, left_out: 0 }],
        };
        let mut pairs = [Pair { index: page, ..Pair::default() }];
        Own::of(&[Path::new("/srv/shop")]).take_from(&mut pairs);
        let page = &pairs[0].index;
        assert_eq!((page.purpose.as_str(), page.title.as_str()), ("", "shop"));
        assert_eq!(page.parts[0].items, [item("a.rs", ""), item("b.rs", "Sells.")]);
    }
}
