//! What was chosen, as it is kept for a person who asks later.

use ctxhost_sdk::protocol::pilot_index::Contribution;
use serde::{Deserialize, Serialize};

/// A choice, and where it was made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Choice {
    /// The conversation; empty for a question that belongs to none.
    pub(crate) session: String,
    pub(crate) agent: String,
    /// When, in unix seconds.
    pub(crate) at: f64,
    pub(crate) said: Contribution,
}

impl Choice {
    /// Without what people wrote: the words of the prompt and the titles of episodes, which are made of prompts.
    pub(crate) fn without_words(mut self) -> Self {
        self.said.query = None;
        self.said.index = Default::default();
        self.said.memory.iter_mut().for_each(|episode| episode.title.clear());
        self
    }
}
