//! What a reply tells of how things stand, for programs and for whoever asks why.

use ctxhost_sdk::protocol::project_map::{Contribution, Counts, Root, Standing, Visible};

use super::pages::Pages;
use crate::{
    select::{
        pair::Kind,
        policy::{Moment, Seen, Situation, Turn},
    },
    shape::sections,
    source::workspace::Look,
};

/// How many directories of a kind are named.
pub(super) const NAMED: usize = 256;

/// How the root's pair stands; `None` where nothing of it is on disk.
pub(super) fn root(pages: &Pages<'_>, hash: String) -> Option<Root> {
    let [index, map] = Kind::BOTH.map(|kind| pages.standing(0, kind));
    let is_there = [index, map].iter().any(|standing| *standing != Standing::Missing);
    is_there.then_some(Root { hash, index, map })
}

/// What of it the conversation shows.
pub(super) fn visible(situation: &Situation) -> Visible {
    match (situation.index, situation.map) {
        (Seen::None, Seen::None) => Visible::None,
        (_, Seen::None) => Visible::Index,
        (Seen::None, _) => Visible::Map,
        _ => Visible::Pair,
    }
}

/// Counts how the artifacts stand, and names those that are not as they should be.
pub(super) fn count(pages: &Pages<'_>, look: &Look, data: &mut Contribution) {
    let mut counts =
        Counts { pairs: pages.pairs.len() as u64, files: look.files as u64, ..Counts::default() };
    for (at, pair) in pages.pairs.iter().enumerate().take(pages.compared) {
        for kind in Kind::BOTH {
            let (number, names) = match pages.standing(at, kind) {
                Standing::Fresh => (&mut counts.fresh, None),
                // What was not looked at says less, so that maps which say more are not known to be stale.
                Standing::Stale if !look.complete => continue,
                Standing::Stale => (&mut counts.stale, Some(&mut data.stale)),
                Standing::Missing => (&mut counts.missing, None),
                Standing::Edited => (&mut counts.edited, Some(&mut data.edited)),
                // What belongs to no pair is not looked for here: that takes a walk through all folders.
                Standing::Orphaned => continue,
            };
            *number += 1;
            let name = sections::dir_name(&pair.dir);
            if let Some(names) = names.filter(|names| names.len() < NAMED && names.last() != Some(&name)) {
                names.push(name);
            }
        }
    }
    data.counts = counts;
}

/// Why, a line each.
pub(super) fn why(situation: &Situation, data: &Contribution) -> Vec<String> {
    let turn = match situation.moment {
        Moment::Prompt(turn) => turn,
        Moment::Tool { .. } => Turn::default(),
    };
    let Contribution { mode, artifacts, counts, left_out, .. } = data;
    let mut lines = vec![
        format!("mode {mode:?}, artifacts {artifacts:?}: {} pairs over {} files", counts.pairs, counts.files)
            .to_lowercase(),
        format!(
            "first {}, relevant {}, after a compaction {}",
            turn.first, turn.relevant, turn.after_compaction
        ),
        format!("the conversation shows: index {:?}, map {:?}", situation.index, situation.map)
            .to_lowercase(),
    ];
    if let Some(budget) = data.budget {
        let window = budget.window.map_or("unknown".to_owned(), |window| window.to_string());
        lines.push(format!(
            "limit {} (window {window}): root {}, further pairs {}",
            budget.limit, budget.root, budget.expansion
        ));
    }
    for injected in data.injected.iter().take(64) {
        let (level, standing) = (injected.level, injected.standing);
        let line =
            format!("{:?} at {level:?}, {} tokens, {standing:?} on disk", injected.kind, injected.tokens);
        lines.push(format!("{} {}", cut(&injected.dir), line.to_lowercase()));
    }
    if *left_out > 0 {
        lines.push(format!("{left_out} pairs found no room"));
    }
    lines
}

fn cut(dir: &str) -> String {
    dir.chars().take(300).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        provider::writing::Done,
        select::pair::{Page, Pair},
        shape::{artifact, forbidden::Own},
        source::artifacts::OnDisk,
    };

    fn pair(purpose: &str) -> Pair {
        let page = Page { title: "shop".to_owned(), purpose: purpose.to_owned(), ..Page::default() };
        Pair { index: page.clone(), map: page, ..Pair::default() }
    }

    fn on_disk(purpose: &str, kind: Kind) -> OnDisk {
        let artifact::Read { whole, body, header, intact, notes, sound } =
            artifact::read(artifact::file(&pair(purpose), kind, None).as_bytes());
        OnDisk { kind, text: body, whole, header, intact, notes, sound, ..OnDisk::default() }
    }

    #[test]
    fn without_time_for_all_files_nothing_is_said_to_be_stale() {
        let disk = [on_disk("New.", Kind::Index), on_disk("Old.", Kind::Map)];
        for (complete, stale) in [(true, 1), (false, 0)] {
            let pairs = Arc::new(vec![pair("New.")]);
            let texts = pairs.iter().map(|pair| Kind::BOTH.map(|kind| artifact::file(pair, kind, None)));
            let look = Look {
                texts: Arc::new(texts.collect()),
                pairs: Arc::clone(&pairs),
                complete,
                findings: Vec::new(),
                files: 1,
                inventory: Arc::default(),
            };
            let stood = look.stood(&disk);
            let pages = Pages {
                pairs: &pairs,
                stood: &stood,
                compared: 1,
                done: &Done::default(),
                own: &Own::default(),
                complete,
                trusted: true,
                place: &|_, kind| kind.file_name().to_owned(),
            };
            let mut data = Contribution::default();
            count(&pages, &look, &mut data);
            assert_eq!((data.counts.fresh, data.counts.stale), (1, stale), "{complete}");
            assert_eq!(data.stale.len() as u64, stale, "{complete}");
        }
    }
}
