//! The lines of the file: episodes, and what is none.

use std::collections::HashMap;

use ctxhost_sdk::{protocol::pilot_index::Episode, serde_json};

/// The longest line that is looked at; our own episodes stay below a quarter of it.
const LONGEST: usize = 64 * 1024;

/// What the lines are.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// The episodes by when their id first stood; the last line of an id counts.
    pub(super) episodes: Vec<Episode>,
    /// The other lines, as they are.
    pub(super) corrupt: Vec<Vec<u8>>,
}

impl Lines {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut lines = Self::default();
        let mut places = HashMap::new();
        for line in bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty())
        {
            match episode(line) {
                Some(episode) => match places.get(&episode.id) {
                    Some(place) => lines.episodes[*place] = episode,
                    None => {
                        places.insert(episode.id.clone(), lines.episodes.len());
                        lines.episodes.push(episode);
                    }
                },
                None => lines.corrupt.push(line.to_vec()),
            }
        }
        lines
    }
}

fn episode(line: &[u8]) -> Option<Episode> {
    if line.len() > LONGEST {
        return None;
    }
    let episode: Episode = serde_json::from_slice(line).ok()?;
    let sane = episode.created_at.is_finite() && episode.confidence.is_finite() && !episode.id.is_empty();
    sane.then_some(episode)
}

/// The episodes as lines.
pub(super) fn written(episodes: &[Episode]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in episodes.iter().filter_map(|episode| serde_json::to_vec(episode).ok()) {
        bytes.extend(line);
        bytes.push(b'\n');
    }
    bytes
}
