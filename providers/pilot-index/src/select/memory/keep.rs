//! Which episodes stay: one of an id, the newest of too many, none that is too old.

use ctxhost_sdk::protocol::pilot_index::Episode;

/// How many stay, and for how long.
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
    for (name, value) in std::mem::take(&mut old.rest) {
        new.rest.entry(name).or_insert(value);
    }
    *old = new;
}

/// Drops what is too old, then the oldest of too many; the order of the rest stays.
pub(crate) fn keep(episodes: &mut Vec<Episode>, caps: Caps, now_ms: f64) {
    let oldest = now_ms - caps.days as f64 * 86_400_000.0;
    episodes.retain(|episode| episode.touched_at() >= oldest);
    let surplus = episodes.len().saturating_sub(caps.episodes);
    if surplus > 0 {
        let mut times: Vec<f64> = episodes.iter().map(Episode::touched_at).collect();
        times.sort_by(f64::total_cmp);
        let newest_that_goes = times[surplus - 1];
        let mut left = surplus;
        episodes.retain(|episode| {
            let goes = left > 0 && episode.touched_at() <= newest_that_goes;
            left -= usize::from(goes);
            !goes
        });
    }
}

/// What is not expired, without changing anything: what a look gives.
pub(crate) fn fresh(episodes: Vec<Episode>, caps: Caps, now_ms: f64) -> Vec<Episode> {
    let mut episodes = episodes;
    keep(&mut episodes, caps, now_ms);
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
    fn the_newest_of_too_many_stay_in_their_order() {
        let mut all = vec![episode("b", 3.0), episode("a", 1.0), episode("d", 9.0), episode("c", 2.0)];
        keep(&mut all, Caps { episodes: 2, days: 1 }, 10.0);
        assert_eq!(ids(&all), ["b", "d"]);
        let mut same = vec![episode("a", 1.0), episode("b", 1.0), episode("c", 1.0)];
        keep(&mut same, Caps { episodes: 2, days: 1 }, 1.0);
        assert_eq!(ids(&same), ["b", "c"]);
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
        old.rest.insert("agent".to_owned(), "pi".into());
        let mut all = vec![old, episode("b", 6.0)];
        let mut new = episode("a", 7.0);
        new.title = "again".to_owned();
        upsert(&mut all, new);
        assert_eq!(ids(&all), ["a", "b"]);
        assert_eq!((all[0].created_at, all[0].title.as_str()), (5.0, "again"));
        assert_eq!(all[0].root_cause.as_deref(), Some("a race"));
        assert_eq!(all[0].rest["agent"], "pi");
    }
}
