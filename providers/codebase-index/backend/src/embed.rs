//! The model that makes vectors, if there is one.

/// What a text is embedded for: some models tell the two apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A question.
    Query,
    /// A text that is to be found.
    Passage,
}

/// Why there is no vector.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    /// There is no model.
    #[error("there is no model")]
    None,
}

/// A model, or none.
#[derive(Debug)]
pub enum Embedder {
    /// Search is by words alone.
    None,
}

impl Embedder {
    /// Which model it is; vectors of two fingerprints are never compared.
    #[must_use]
    pub fn fingerprint(&self) -> Option<String> {
        None
    }

    /// The vectors of these texts.
    ///
    /// # Errors
    /// When the model does not answer as it should.
    #[expect(clippy::unused_async, reason = "a model is asked over the network")]
    pub async fn embed(&self, _texts: &[String], _kind: Kind) -> Result<Vec<Vec<f32>>, EmbedError> {
        Err(EmbedError::None)
    }
}
