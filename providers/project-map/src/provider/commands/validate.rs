//! `validate`: what is wrong, and what of it is put right.

use ctxhost_sdk::{
    prelude::*,
    protocol::project_map::{Code, Covered, ReportFinding},
    serde_json,
};

use super::{On, lines, unheard};
use crate::{
    error::DiskProblem,
    provider::writing::{Done, carry_out},
    select::{
        inspect::{Paths, inspect},
        standing::{Reach, Stood},
    },
    shape::report,
    source::{
        artifacts::{Found, Store},
        workspace::Look,
    },
};

/// What a person wants of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wish {
    pub(super) fix: bool,
    pub(super) force: bool,
}

impl Wish {
    pub(super) fn of(flags: &[&str]) -> Option<Self> {
        let known = flags.iter().all(|flag| ["--fix", "--force"].contains(flag));
        let wish = Self { fix: flags.contains(&"--fix"), force: flags.contains(&"--force") };
        (known && (wish.fix || !wish.force)).then_some(wish)
    }
}

impl On<'_> {
    pub(super) fn validate(&self, wish: Wish) -> CommandReply {
        let _alone = wish.fix.then(|| self.alone());
        let store = self.store();
        let look = match self.look() {
            Ok(look) => look,
            Err(incomplete) => return incomplete,
        };
        let dirs: Vec<&str> = look.pairs.iter().map(|pair| pair.dir.as_str()).collect();
        let found = store.read_with(&dirs);
        let stood = look.stood(&found.artifacts);
        let mut findings = self.inspected(&store, &look, &stood);
        findings.iter_mut().for_each(|finding| told(finding, &found));
        let (mut done, mut excluded) = (Done::default(), None);
        if wish.fix {
            let reach = if wish.force { Reach::All } else { Reach::Ours };
            let mut progress = |done, total| self.progress(done, total, "writing maps");
            excluded = self.exclude();
            done = carry_out(&store, &stood, reach, &|| self.stopped(), &mut progress);
            store.sweep(&found.leftovers);
            for finding in &mut findings {
                finding.fixed = is_fixed(finding, &done);
            }
        }
        let covered = Covered {
            pairs: look.pairs.len() as u64,
            artifacts: found.artifacts.len() as u64,
            files: look.files as u64,
        };
        let report = report::report(covered, findings, look.complete);
        let mut text = report::text(&report);
        if found.artifacts.is_empty() && found.findings.is_empty() && !wish.fix {
            text = "there are no maps yet: `init` makes them\n".to_owned();
        }
        let trouble = done.trouble().into_iter().chain(excluded).chain(self.read_otherwise(&stood));
        text.extend(trouble.map(|trouble| trouble + "\n"));
        let bad = report::left(&report) > 0 || done.trouble().is_some() || !found.findings.is_empty();
        let all: Vec<_> = unheard(&found.findings, &look).chain(&look.findings).cloned().collect();
        let exit = if bad { exit::FINDINGS } else { exit::OK };
        CommandReply {
            data: serde_json::to_value(report).ok(),
            ..CommandReply::said(exit, lines(text, &all))
        }
    }

    fn inspected(&self, store: &Store, look: &Look, stood: &[Stood<'_>]) -> Vec<ReportFinding> {
        let paths = Paths::of(&look.inventory);
        // Ignored files may be named, by a manifest for one.
        let is_there = |path: &str| self.root.join(path).symlink_metadata().is_ok();
        let own = self.workspace.own();
        let of =
            |stood: &Stood<'_>| inspect(stood, &store.path(stood.dir, stood.kind), &paths, own, &is_there);
        stood.iter().flat_map(of).collect()
    }
}

/// Says of what cannot be read that it is there: nothing that is written takes its place.
fn told(finding: &mut ReportFinding, found: &Found) {
    let unread = found.unread.iter().find(|(path, _)| *path == finding.path);
    let Some((_, problem)) = unread.filter(|_| finding.code == Code::Missing) else { return };
    finding.code = Code::BadHeader;
    finding.message = match problem {
        DiskProblem::System(_) => format!("it {problem}"),
        _ => format!("it {problem}: move it away"),
    };
}

/// Whether what was written or removed takes the finding away; what is in the notes stays in them.
fn is_fixed(finding: &ReportFinding, done: &Done) -> bool {
    finding.code != Code::ForbiddenContent && done.has(&finding.path)
}
