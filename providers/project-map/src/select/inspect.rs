//! What is wrong with artifacts, one by one.

use ctxhost_sdk::protocol::project_map::{self as spec, Code, ReportFinding};

use super::{
    inventory::Inventory,
    pair::Kind,
    standing::{Standing, Stood},
};
use crate::{
    shape::{
        artifact,
        forbidden::{self, Own},
        page, plain,
    },
    source::artifacts::OnDisk,
};

/// Which files and directories there are.
pub(crate) struct Paths<'a>(Vec<&'a str>);

impl<'a> Paths<'a> {
    pub(crate) fn of(inventory: &'a Inventory) -> Self {
        let mut paths: Vec<&str> = inventory.files.iter().map(|file| file.path.as_str()).collect();
        paths.sort_unstable();
        Self(paths)
    }

    /// Whether there is such a file, or a file below such a directory.
    pub(crate) fn has(&self, path: &str) -> bool {
        let below = |dir: &str| {
            let at = self.0.partition_point(|known| *known < dir);
            self.0.get(at).is_some_and(|known| known.starts_with(dir))
        };
        path.is_empty()
            || self.0.binary_search(&path).is_ok()
            || below(&format!("{}/", path.trim_end_matches('/')))
    }
}

/// What is wrong with an artifact. `own` is where the project lies, which no artifact may say; `is_there` asks the disk for
/// a path that is not mapped.
pub(crate) fn inspect(
    stood: &Stood<'_>,
    path: &str,
    paths: &Paths<'_>,
    own: &Own,
    is_there: &dyn Fn(&str) -> bool,
) -> Vec<ReportFinding> {
    let about = About { stood, path };
    let mut findings: Vec<ReportFinding> = about.standing().into_iter().collect();
    let Some(disk) = stood.disk else { return findings };
    if let Some((tokens, most)) = artifact::excess(stood.dir, stood.kind, &disk.text) {
        let message = format!("its text has {tokens} tokens, and may have {most}");
        findings.push(about.finding(Code::OverBudget, None, message));
    }
    if stood.standing != Standing::Orphaned {
        findings.extend(about.dangling(disk, paths, is_there));
    }
    findings.extend(about.forbidden(disk, own));
    findings
}

/// How many links of one artifact are named.
const MOST_LINKS: usize = 20;

struct About<'a> {
    stood: &'a Stood<'a>,
    path: &'a str,
}

impl About<'_> {
    fn finding(&self, code: Code, line: Option<usize>, message: String) -> ReportFinding {
        ReportFinding {
            code,
            dir: if self.stood.dir.is_empty() { ".".to_owned() } else { self.stood.dir.to_owned() },
            kind: match self.stood.kind {
                Kind::Index => spec::Kind::Index,
                Kind::Map => spec::Kind::Map,
            },
            path: self.path.to_owned(),
            line: line.map(|line| line as u64 + 1),
            message,
            fixed: false,
        }
    }

    fn standing(&self) -> Option<ReportFinding> {
        let disk = self.stood.disk;
        let headless = disk.is_some_and(|disk| disk.header.is_none());
        let (code, message) = match self.stood.standing {
            Standing::Fresh => return None,
            Standing::Foreign => (Code::BadHeader, self.stood.elsewhere().unwrap_or_default()),
            Standing::Missing => (Code::Missing, "it ought to be there and is not"),
            Standing::Stale if headless => (Code::BadHeader, "it was only half written"),
            Standing::Stale if disk.is_some_and(|disk| !disk.sound) => {
                (Code::Stale, "the marks of its notes are broken; what stands between them is kept as notes")
            }
            Standing::Stale => (Code::Stale, "what it says is no longer so"),
            Standing::Edited if headless => {
                (Code::BadHeader, "its first line is no header, so that its text may be anybody's")
            }
            Standing::Edited => (Code::Edited, "its text was changed by hand outside of the notes"),
            Standing::Orphaned if self.stood.has_notes() => (
                Code::Orphaned,
                "its directory has no map any more, and it is kept for the notes in it: move them and delete it",
            ),
            Standing::Orphaned => (Code::Orphaned, "its directory has no map any more"),
        };
        Some(self.finding(code, None, message.to_owned()))
    }

    /// Paths that lead nowhere; a pattern stands for several files and is no path.
    fn dangling(
        &self,
        disk: &OnDisk,
        paths: &Paths<'_>,
        is_there: &dyn Fn(&str) -> bool,
    ) -> Vec<ReportFinding> {
        let page = page::parse(&disk.text, self.stood.kind);
        let items = page.parts.iter().flat_map(|part| &part.items);
        let named = items.map(|item| item.path.as_str()).filter(|path| !path.contains(['*', '?', '{', '…']));
        let gone = named.filter(|path| !paths.has(path) && !is_there(path)).take(MOST_LINKS);
        // Items stand in the order of their lines, so that one that is named twice has two.
        let mut behind = 0;
        gone.map(|path| {
            let span = plain::span(path);
            let line = disk.whole.lines().skip(behind).position(|line| line.contains(&span));
            let line = line.map(|line| line + behind);
            behind = line.map_or(behind, |line| line + 1);
            self.finding(Code::DanglingLink, line, format!("{span} is not there"))
        })
        .collect()
    }

    /// The first line with something that may not be there, also in the notes: they are injected too.
    fn forbidden(&self, disk: &OnDisk, own: &Own) -> Option<ReportFinding> {
        let rooted = |line: &str| own.is_in(line).then_some("where the project lies");
        let found = |line: &str| forbidden::found(line).or_else(|| rooted(line));
        let (line, what) = disk.whole.lines().enumerate().find_map(|(at, line)| Some((at, found(line)?)))?;
        Some(self.finding(Code::ForbiddenContent, Some(line), format!("it holds {what}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::{
        inventory::FileFacts,
        pair::{Heading, Item, Page, Pair, Part},
        standing::compare,
    };

    fn pair(items: &[&str]) -> Pair {
        let items = items.iter().map(|path| Item { path: (*path).to_owned(), ..Item::default() }).collect();
        let parts = vec![Part { heading: Heading::Files, items, left_out: 0 }];
        let page = Page { title: "src".to_owned(), purpose: "Things.".to_owned(), parts };
        Pair { dir: "src".to_owned(), index: page.clone(), map: page, ..Pair::default() }
    }

    /// Codes and lines of what is wrong with the index that has this text.
    fn check(text: &str, wanted: &[(Code, Option<u64>)]) {
        let artifact::Read { whole, body, header, intact, notes, sound } = artifact::read(text.as_bytes());
        let disk = OnDisk {
            dir: "src".to_owned(),
            whole,
            text: body,
            header,
            intact,
            notes,
            sound,
            ..OnDisk::default()
        };
        let file = |path: &str| FileFacts { path: path.to_owned(), ..FileFacts::default() };
        let inventory = Inventory { files: vec![file("src/a.rs"), file("src/net/b.rs")] };
        let (pairs, disk) = ([pair(&["src/a.rs", "src/net/"])], [disk]);
        let stood = compare(&pairs, &disk);
        let paths = Paths::of(&inventory);
        let own = Own::of(&[std::path::Path::new("/w/project")]);
        let found = inspect(&stood[0], "src/.pi-map.index.md", &paths, &own, &|path| path == "src/ignored");
        let found: Vec<_> = found.iter().map(|finding| (finding.code, finding.line)).collect();
        assert_eq!(found, wanted, "{text}");
    }

    #[test]
    fn every_fault_is_found_with_its_line() {
        let fresh = artifact::file(&pair(&["src/a.rs", "src/net/"]), Kind::Index, None);
        let stale =
            artifact::file(&pair(&["src/gone.rs", "src/ignored", "src/*.rs", "src/net"]), Kind::Index, None);
        check(&fresh, &[]);
        check(&stale, &[(Code::Stale, None), (Code::DanglingLink, Some(6))]);
        let twice = artifact::file(&pair(&["src/gone.rs", "src/a.rs", "src/gone.rs"]), Kind::Index, None);
        check(&twice, &[(Code::Stale, None), (Code::DanglingLink, Some(6)), (Code::DanglingLink, Some(8))]);
        check(&fresh.replace("Things.", "Mine."), &[(Code::Edited, None)]);
        check("# mine\n", &[(Code::BadHeader, None)]);
        check(&fresh[..40], &[(Code::BadHeader, None)]);
        check(
            &fresh.replace("<!-- notes:end", "see /home/me/x\n<!-- notes:end"),
            &[(Code::ForbiddenContent, Some(10))],
        );
        check(
            &fresh.replace("<!-- notes:end", "see /w/project/x\n<!-- notes:end"),
            &[(Code::ForbiddenContent, Some(10))],
        );
        check(&fresh.replace("<!-- notes:end -->\n", ""), &[(Code::Stale, None)]);
        check(
            &fresh.replace("Things.", &"word ".repeat(900)),
            &[(Code::Edited, None), (Code::OverBudget, None)],
        );
    }
}
