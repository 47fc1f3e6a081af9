//! Sets of maps in one tree. Each begins at a folder whose own artifact says `dir=.`; what a folder above or below made is
//! no stale artifact of ours.

use crate::source::artifacts::OnDisk;

/// The other sets whose artifacts lie among those on disk.
#[derive(Debug, Default)]
pub(crate) struct Sets<'a> {
    /// Where the set above has this project's root; empty when the root's artifacts are of this set, or not there.
    above: &'a str,
    /// Directories in which a set of their own begins.
    below: Vec<&'a str>,
}

impl<'a> Sets<'a> {
    pub(crate) fn of(disk: &'a [OnDisk]) -> Self {
        let said = |found: &'a OnDisk| Some((found.dir.as_str(), found.header.as_ref()?.dir.as_str()));
        let at_root = disk.iter().filter_map(said).find(|(dir, said)| dir.is_empty() && !said.is_empty());
        let below = disk.iter().filter_map(said).filter(|(dir, said)| said.is_empty() && !dir.is_empty());
        Self { above: at_root.map_or("", |(_, said)| said), below: below.map(|(dir, _)| dir).collect() }
    }

    /// Whether an artifact is part of another set: it is at its place there, and not here.
    pub(crate) fn has(&self, found: &OnDisk) -> bool {
        let Some(header) = &found.header else { return false };
        header.dir != found.dir
            && (!self.above.is_empty() && base(&header.dir, &found.dir) == Some(self.above)
                || base(&found.dir, &header.dir).is_some_and(|base| self.below.contains(&base)))
    }
}

/// The folder in which a path is this other one: `a/b` in `x/a/b` lies in `x`, and `x` itself is the root there.
pub(crate) fn base<'a>(path: &'a str, inner: &str) -> Option<&'a str> {
    match inner.is_empty() {
        true => Some(path),
        false => path.strip_suffix(inner)?.strip_suffix('/'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        select::pair::{Kind, Pair},
        shape::artifact,
    };

    /// What lies in these directories and says that it is about those; whether each is part of another set.
    fn check(disk: &[(&str, &str, bool)]) {
        let made = |(dir, said, _): &(&str, &str, bool)| {
            let pair = Pair { dir: (*said).to_owned(), ..Pair::default() };
            let text = artifact::file(&pair, Kind::Index, None);
            let artifact::Read { whole, body, header, intact, notes, sound } =
                artifact::read(text.as_bytes());
            OnDisk {
                dir: (*dir).to_owned(),
                whole,
                text: body,
                header,
                intact,
                notes,
                sound,
                ..OnDisk::default()
            }
        };
        let found: Vec<OnDisk> = disk.iter().map(made).collect();
        let sets = Sets::of(&found);
        for ((dir, said, expected), found) in disk.iter().zip(&found) {
            assert_eq!(sets.has(found), *expected, "{said} in {dir} of {disk:?}");
        }
    }

    #[test]
    fn a_set_is_told_by_where_it_begins() {
        check(&[("", "", false), ("src", "src", false)]);
        // In the middle of a set.
        check(&[("", "src", true), ("net", "src/net", true), ("web", "web", false)]);
        // Another set below.
        check(&[("", "", false), ("src", "", true), ("src/net", "net", true), ("src/web", "src/web", false)]);
        // Moved, with no set where it lies now.
        check(&[
            ("", "", false),
            ("lib", "src", false),
            ("old/src", "src", false),
            ("src", "old/src", false),
        ]);
        check(&[("src/net", "net", false)]);
    }
}
