//! Which episodes stay: one of an id, and the newest of too many.
//!
//! Age alone erases nothing: a clock that is wrong for one day would take everything with it. An episode that is too old
//! is left out of every look, and goes when newer ones need its place.

use ctxhost_sdk::protocol::pilot_index::Episode;

use super::record;

/// How many stay, and for how long they are recalled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caps {
    pub(crate) episodes: usize,
    pub(crate) days: u64,
}

/// Takes an episode in: in the place of the one with its id, else at the end.
pub(crate) fn upsert(episodes: &mut Vec<Episode>, mut new: Episode) {
    let Some(old) = episodes.iter_mut().find(|old| old.id == new.id) else {
        episodes.push(new);
        return;
    };
    new.created_at = new.created_at.min(old.created_at);
    new.root_cause = new.root_cause.or_else(|| old.root_cause.take());
    new.summary = new.summary.or_else(|| old.summary.take());
    // Two processes may each know a part of one turn.
    new.solution = record::joined_solutions(old.solution.as_deref(), new.solution.as_deref());
    unite(&mut new.files, &mut old.files, record::FILES);
    unite(&mut new.symbols, &mut old.symbols, record::SYMBOLS);
    unite(&mut new.tags, &mut old.tags, record::TAGS);
    for (name, value) in std::mem::take(&mut old.rest) {
        new.rest.entry(name).or_insert(value);
    }
    *old = new;
}

/// The known ones first, then what is new.
fn unite(new: &mut Vec<String>, old: &mut Vec<String>, most: usize) {
    let added = std::mem::take(new).into_iter().filter(|text| !old.contains(text)).collect::<Vec<_>>();
    *new = old.drain(..).chain(added).take(most).collect();
}

/// Drops the first of too many: they stand in the order in which they came, whatever clock each was given.
pub(crate) fn keep(episodes: &mut Vec<Episode>, caps: Caps) {
    let surplus = episodes.len().saturating_sub(caps.episodes);
    episodes.drain(..surplus);
}

/// What is neither expired nor too many, without changing anything: what a look gives.
pub(crate) fn fresh(mut episodes: Vec<Episode>, caps: Caps, now_ms: f64) -> Vec<Episode> {
    let oldest = now_ms - caps.days as f64 * 86_400_000.0;
    episodes.retain(|episode| episode.touched_at() >= oldest);
    keep(&mut episodes, caps);
    episodes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn episode(id: &str, at: f64) -> Episode {
        Episode { id: id.to_owned(), created_at: at, ..Episode::default() }
    }

    fn ids(episodes: &[Episode]) -> Vec<&str> {
        episodes.iter().map(|episode| episode.id.as_str()).collect()
    }

    const DAY: f64 = 86_400_000.0;

    #[test]
    fn the_last_of_too_many_stay_whatever_their_clocks_said() {
        let mut all =
            vec![episode("a", 3.0), episode("b", 900.0 * DAY), episode("c", 4.0), episode("d", 0.0)];
        keep(&mut all, Caps { episodes: 2, days: 1 });
        assert_eq!(ids(&all), ["c", "d"]);
    }

    #[test]
    fn what_was_updated_lives_on_and_a_clock_that_goes_backwards_drops_nothing() {
        let mut updated = episode("u", 0.0);
        updated.updated_at = Some(199.0 * DAY);
        let all = vec![episode("old", 0.0), updated, episode("new", 150.0 * DAY)];
        let caps = Caps { episodes: 10, days: 180 };
        assert_eq!(ids(&fresh(all.clone(), caps, 200.0 * DAY)), ["u", "new"]);
        assert_eq!(fresh(all, caps, 0.0).len(), 3);
    }

    #[test]
    fn an_episode_takes_the_place_of_its_earlier_self() {
        let mut old = episode("a", 5.0);
        old.root_cause = Some("a race".to_owned());
        old.files = vec!["x".to_owned(), "y".to_owned()];
        old.solution = Some("Edited x, y; Wrote v".to_owned());
        old.rest.insert("agent".to_owned(), "pi".into());
        let mut all = vec![old, episode("b", 6.0)];
        let mut new = episode("a", 7.0);
        new.title = "again".to_owned();
        new.files = vec!["z".to_owned(), "x".to_owned()];
        new.symbols = (0..60).map(|n| n.to_string()).collect();
        new.solution = Some("Edited z, x".to_owned());
        upsert(&mut all, new);
        assert_eq!(ids(&all), ["a", "b"]);
        assert_eq!((all[0].created_at, all[0].title.as_str()), (5.0, "again"));
        assert_eq!(all[0].root_cause.as_deref(), Some("a race"));
        assert_eq!(all[0].rest["agent"], "pi");
        assert_eq!(
            (all[0].files.as_slice(), all[0].symbols.len()),
            (&["x", "y", "z"].map(str::to_owned)[..], 50)
        );
        assert_eq!(all[0].solution.as_deref(), Some("Edited x, y, z; Wrote v"));
    }
}
