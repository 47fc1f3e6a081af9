//! The model that makes vectors, if there is one.
//!
//! A model is asked over HTTP, in the form that most servers of models speak. It is known by its *fingerprint*: whatever
//! changes what its vectors mean is in there, and vectors of two fingerprints are never compared. What is indexed is
//! embedded afterwards by [`spawn_worker`], so that no failure of a model is in the way of anything else.

mod openai;
mod reply;
mod settings;
mod worker;

pub use self::{
    openai::OpenAi,
    settings::{Model, Patience, Settings, SettingsError, Written},
    worker::spawn_worker,
};

/// What a text is embedded for: some models tell the two apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A question.
    Query,
    /// A text that is to be found.
    Passage,
}

/// Why there is no vector. What the server itself said is not in here, since it may quote code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EmbedError {
    /// There is no model.
    #[error("there is no model")]
    None,
    /// Nobody answers.
    #[error("the server of the model cannot be reached ({0}); see that it runs, and `embedder.url`")]
    Unreachable(String),
    /// It does not let us in, or has no such model.
    #[error(
        "the server of the model answers {0}; see `embedder.url`, `embedder.model` and `embedder.api_key_env`"
    )]
    Denied(u16),
    /// It has too much to do.
    #[error("the server of the model is busy ({0})")]
    Busy(u16),
    /// It does not take what it was given.
    #[error("the server of the model refuses a text ({0})")]
    Refused(u16),
    /// It fails by itself.
    #[error("the server of the model fails ({0})")]
    Failed(String),
    /// Its answer is none.
    #[error("the server of the model answers wrongly: {0}")]
    Wrong(String),
    /// It is another model than before.
    #[error("the model's vectors have {got} numbers where {expected} are due")]
    Dimension {
        /// What the settings or its earlier answers say.
        expected: u32,
        /// What came.
        got: usize,
    },
}

/// A model, or none.
#[derive(Debug)]
pub enum Embedder {
    /// Search is by words alone.
    None,
    /// Servers that speak like OpenAI's `/v1/embeddings`.
    Http(Box<Models>),
}

/// The model by which texts are embedded, and the one before it.
#[derive(Debug)]
pub struct Models {
    /// All that is indexed gets vectors of this one.
    pub current: OpenAi,
    /// While those are being made, questions go to this one, whose vectors are whole.
    pub previous: Option<OpenAi>,
}

impl Embedder {
    /// The embedder of these settings.
    ///
    /// # Errors
    /// When the system has no client for HTTP.
    pub fn new(settings: Option<Settings>) -> Result<Self, reqwest::Error> {
        let Some(settings) = settings else { return Ok(Self::None) };
        let current = OpenAi::new(settings.model)?;
        let previous = settings.previous.map(OpenAi::new).transpose()?;
        Ok(Self::Http(Box::new(Models { current, previous })))
    }

    /// Which model it is.
    #[must_use]
    pub fn fingerprint(&self) -> Option<String> {
        self.current().map(OpenAi::fingerprint)
    }

    /// How many numbers its vectors have, once that is known.
    #[must_use]
    pub fn dimension(&self) -> Option<u32> {
        self.current().and_then(OpenAi::dimension)
    }

    /// The model that is filled now.
    pub(crate) fn current(&self) -> Option<&OpenAi> {
        match self {
            Self::None => None,
            Self::Http(models) => Some(&models.current),
        }
    }

    /// The model with this fingerprint, where there is one.
    pub(crate) fn of(&self, fingerprint: &str) -> Option<&OpenAi> {
        let Self::Http(models) = self else { return None };
        let mut all = std::iter::once(&models.current).chain(&models.previous);
        all.find(|model| model.fingerprint() == fingerprint)
    }

    /// The vectors of these texts, in their order.
    ///
    /// # Errors
    /// When the model does not answer as it should.
    pub async fn embed(&self, texts: &[String], kind: Kind) -> Result<Vec<Vec<f32>>, EmbedError> {
        match self.current() {
            None => Err(EmbedError::None),
            Some(model) => model.embed(texts, kind).await,
        }
    }
}
