//! Gives what was indexed its vectors, in the background.
//!
//! What waits is kept by the store and leaves it with its vector alone, so that nothing is lost by whatever ends a model,
//! a batch or this process. A model that does not answer is asked again later and later. A text that it does not take,
//! while it takes others, keeps nobody waiting: it is tried shorter, and in the end left with a vector of zeros, which is
//! near to nothing; by its words it is found as before.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::Arc,
};

use tokio::{
    sync::{Notify, watch},
    task::{JoinHandle, spawn_blocking},
    time::{sleep, timeout},
};

use super::{EmbedError, Embedder, Kind, OpenAi};
use crate::{
    log::Log,
    store::{Store, StoreError, TextId},
};

/// What every model takes.
const PROBE: &str = "fn main() {}";
/// The most bytes of a text: a model reads a few thousand of them, and more is sent for nothing.
const LONGEST: usize = 32 * 1024;
/// What is tried when a model does not take a text.
const SHORTER: [usize; 3] = [8 * 1024, 2 * 1024, 512];
/// The most bytes of a batch.
const BATCH_BYTES: usize = 512 * 1024;
/// How often a text may fail at a model that else works, when it does not say that it refuses it.
const STRIKES: u32 = 3;

type Waiting = (TextId, String);

/// Why a round came to nothing.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error(transparent)]
    Model(#[from] EmbedError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("a call of the store panicked")]
    Panic,
}

/// What a round came to.
enum Round {
    /// There may be more.
    Done,
    /// Nothing waits.
    Idle,
    /// Only texts wait that just failed.
    Aside,
}

struct Worker {
    store: Arc<dyn Store>,
    embedder: Arc<Embedder>,
    log: Log,
    /// Texts that failed in this pass.
    aside: HashSet<TextId>,
    strikes: HashMap<TextId, u32>,
}

/// Begins the work; it goes on whenever it is woken, and ends when told to stop. Without a model it ends at once.
pub fn spawn_worker(
    store: Arc<dyn Store>,
    embedder: Arc<Embedder>,
    wake: Arc<Notify>,
    log: Log,
    mut stopped: watch::Receiver<bool>,
) -> JoinHandle<()> {
    let mut worker = Worker { store, embedder, log, aside: HashSet::new(), strikes: HashMap::new() };
    tokio::spawn(async move {
        // What is broken off waits in the store as before; what is being written is written whole.
        tokio::select! {
            _ = stopped.wait_for(|stopped| *stopped) => {}
            () = worker.work(&wake) => {}
        }
    })
}

impl Worker {
    async fn work(&mut self, wake: &Notify) {
        let embedder = Arc::clone(&self.embedder);
        let Some(model) = embedder.current() else { return };
        let patience = model.settings().patience;
        let (mut rest, mut said) = (patience.rest, None);
        loop {
            match self.round(model).await {
                Ok(round) => {
                    if said.take().is_some() {
                        self.log.note("embedder", "vectors are made again");
                    }
                    match round {
                        Round::Done => rest = patience.rest,
                        Round::Idle => {
                            rest = patience.rest;
                            wake.notified().await;
                        }
                        Round::Aside => {
                            // What comes meanwhile need not wait for them.
                            let _ = timeout(rest, wake.notified()).await;
                            rest = (rest * 2).min(patience.longest_rest);
                            self.aside.clear();
                        }
                    }
                }
                Err(trouble) => {
                    let text = trouble.to_string();
                    if said.as_ref() != Some(&text) {
                        self.log.fault("embedder", &text);
                        said = Some(text);
                    }
                    sleep(rest).await;
                    rest = (rest * 2).min(patience.longest_rest);
                }
            }
        }
    }

    /// One batch.
    async fn round(&mut self, model: &OpenAi) -> Result<Round, Trouble> {
        let generation = self.generation(model).await?;
        let batch = self.batch(model, generation).await?;
        if batch.is_empty() {
            if self.aside.is_empty() {
                self.strikes.clear();
                return Ok(Round::Idle);
            }
            return Ok(Round::Aside);
        }
        match embed(model, &batch).await {
            Ok(vectors) => self.put(generation, &batch, vectors).await?,
            Err(error) if is_about_texts(&error) => {
                // It may as well be the model itself.
                probe(model).await?;
                self.sift(model, generation, batch, error).await?;
            }
            Err(error) => return Err(error.into()),
        }
        Ok(Round::Done)
    }

    /// The generation of the model as it is. How many numbers its vectors have is asked for once.
    async fn generation(&self, model: &OpenAi) -> Result<i64, Trouble> {
        if model.dimension().is_none() {
            probe(model).await?;
        }
        let Some(dimension) = model.dimension() else { return Err(EmbedError::None.into()) };
        let fingerprint = model.fingerprint();
        self.stored(move |store| store.generation(&fingerprint, dimension)).await
    }

    /// Texts that wait, as many as one request takes.
    async fn batch(&self, model: &OpenAi, generation: i64) -> Result<Vec<Waiting>, Trouble> {
        let most = model.settings().batch;
        let look = most + self.aside.len();
        let waiting = self.stored(move |store| store.unembedded(generation, look)).await?;
        let (mut batch, mut bytes) = (Vec::new(), 0);
        for (id, text) in waiting.into_iter().filter(|(id, _)| !self.aside.contains(id)).take(most) {
            let text = cut(&text, LONGEST).to_owned();
            bytes += text.len();
            if bytes > BATCH_BYTES && !batch.is_empty() {
                break;
            }
            batch.push((id, text));
        }
        Ok(batch)
    }

    /// Finds the texts that the model does not take, by halves, and lets the others have their vectors.
    async fn sift(
        &mut self,
        model: &OpenAi,
        generation: i64,
        batch: Vec<Waiting>,
        error: EmbedError,
    ) -> Result<(), Trouble> {
        let mut failed = VecDeque::from([(batch, error)]);
        while let Some((mut part, error)) = failed.pop_front() {
            if part.len() == 1 {
                if let Some(one) = part.pop() {
                    self.one(model, generation, one, error).await?;
                }
                continue;
            }
            let second = part.split_off(part.len() / 2);
            for half in [part, second] {
                match embed(model, &half).await {
                    Ok(vectors) => self.put(generation, &half, vectors).await?,
                    Err(error) if is_about_texts(&error) => failed.push_back((half, error)),
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok(())
    }

    /// A text that fails alone.
    async fn one(
        &mut self,
        model: &OpenAi,
        generation: i64,
        (id, text): Waiting,
        mut error: EmbedError,
    ) -> Result<(), Trouble> {
        for bytes in SHORTER.into_iter().filter(|bytes| *bytes < text.len()) {
            let shorter = [(id, cut(&text, bytes).to_owned())];
            match embed(model, &shorter).await {
                Ok(vectors) => return self.put(generation, &shorter, vectors).await,
                Err(again) if is_about_texts(&again) => error = again,
                Err(other) => return Err(other.into()),
            }
        }
        // Only what a model that works does not take is given up.
        probe(model).await?;
        let strikes = self.strikes.entry(id).or_default();
        *strikes += 1;
        if *strikes < STRIKES && !matches!(error, EmbedError::Refused(_)) {
            self.aside.insert(id);
            return Ok(());
        }
        self.strikes.remove(&id);
        self.log
            .fault("embedder", &format!("a text gets no vector, and is found by its words alone: {error}"));
        let dimension = model.dimension().unwrap_or_default() as usize;
        self.put(generation, &[(id, text)], vec![vec![0.0; dimension]]).await
    }

    async fn put(&self, generation: i64, texts: &[Waiting], vectors: Vec<Vec<f32>>) -> Result<(), Trouble> {
        let vectors: Vec<(TextId, Vec<f32>)> = texts.iter().map(|(id, _)| *id).zip(vectors).collect();
        self.stored(move |store| store.put_vectors(generation, &vectors)).await
    }

    async fn stored<T: Send + 'static>(
        &self,
        what: impl FnOnce(&dyn Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Trouble> {
        let store = Arc::clone(&self.store);
        Ok(spawn_blocking(move || what(store.as_ref())).await.map_err(|_| Trouble::Panic)??)
    }
}

async fn embed(model: &OpenAi, texts: &[Waiting]) -> Result<Vec<Vec<f32>>, EmbedError> {
    let texts: Vec<String> = texts.iter().map(|(_, text)| text.clone()).collect();
    asked(model, &texts).await
}

/// Whether the model works at all.
async fn probe(model: &OpenAi) -> Result<(), EmbedError> {
    asked(model, &[PROBE.to_owned()]).await.map(|_| ())
}

async fn asked(model: &OpenAi, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
    let answer = model.embed(texts, Kind::Passage).await;
    if matches!(answer, Err(EmbedError::Dimension { .. })) {
        // Another model stands there now. The next round asks anew, and begins a generation of its own.
        model.forget_dimension();
    }
    answer
}

/// Whether the texts may be why it failed.
fn is_about_texts(error: &EmbedError) -> bool {
    matches!(error, EmbedError::Refused(_) | EmbedError::Failed(_) | EmbedError::Wrong(_))
}

/// The beginning of a text.
fn cut(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}
