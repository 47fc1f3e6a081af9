//! Vectors: they are made in the background, whatever happens to the model, and questions are answered with them or
//! without.

use std::time::{Duration, Instant};

use ctxhost_index::{embed::Settings as Models, store::Sqlite};
use serde_json::json;

use super::{fake_embedder::Fake, *};

/// What the code says, and a word for it that it does not have.
const FILES: [(&str, &str); 3] = [
    ("garage.rs", "fn park_car() { wheels }"),
    ("garden.rs", "fn pick_apple() { branches }"),
    ("port.rs", "fn moor_ship() { ropes }"),
];

struct Place {
    store: Arc<dyn Store>,
    running: Running,
}

impl Place {
    async fn new(embedder: Arc<Embedder>) -> Self {
        Self::over(Arc::new(Sqlite::in_memory().expect("a store")), embedder).await
    }

    async fn over(store: Arc<dyn Store>, embedder: Arc<Embedder>) -> Self {
        let plan = Plan { store: Some(Arc::clone(&store)), embedder: Some(embedder), ..Plan::default() };
        Self { store, running: Running::with(plan).await }
    }

    async fn index(&self, files: &[(&str, &str)]) {
        let chunks: Vec<Value> = files
            .iter()
            .map(|(path, code)| json!({ "repo": "r", "path": path, "symbol": "s", "lang": "rust", "content": code }))
            .collect();
        self.running.ask(&self.running.token(), "/index", &json!({ "chunks": chunks })).await;
    }

    async fn search(&self, query: &str) -> Value {
        self.running.ask(&self.running.token(), "/search", &json!({ "query": query, "limit": 1 })).await
    }

    /// The one file that is found, by what, and the notes.
    async fn found(&self, query: &str) -> (String, String, String) {
        let reply = self.search(query).await;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        (text(&reply["results"][0]["path"]), text(&reply["mode"]), reply["notes"].to_string())
    }

    async fn health(&self) -> Value {
        self.running.health(&self.running.token()).await.json().await.expect("JSON")
    }

    /// Waits until `/health` says that nothing waits for a vector of so many numbers.
    async fn made(&self, dimension: u32) {
        let begun = Instant::now();
        loop {
            let health = self.health().await;
            // Before its first vector a generation has none to count.
            let serving = self.store.serving("local").expect("an answer");
            let serves = serving.is_some_and(|serving| serving.dimension == dimension);
            if health["waiting"] == 0 && health["dimension"] == dimension && serves {
                return;
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "{health} {}", self.running.lines.text());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    async fn said(&self, words: &str) {
        let begun = Instant::now();
        while !self.running.lines.text().contains(words) {
            assert!(begun.elapsed() < Duration::from_secs(20), "{}", self.running.lines.text());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    fn waiting(&self, fingerprint: &str, dimension: u32) -> u64 {
        let generation = self.store.generation(fingerprint, dimension).expect("a generation");
        self.store.waiting("local", generation).expect("a count")
    }
}

fn set<T>(cell: &Mutex<T>, value: T) {
    *cell.lock().expect("no panic") = value;
}

#[tokio::test]
async fn what_the_words_do_not_find_the_vectors_do() {
    let fake = Fake::new().await;
    let place = Place::new(fake.embedder("m", None)).await;
    place.index(&FILES).await;
    place.made(4).await;
    for (query, path) in [("automobile", "garage.rs"), ("fruit", "garden.rs"), ("vessel", "port.rs")] {
        assert_eq!(place.found(query).await, (path.to_owned(), "hybrid".to_owned(), "null".to_owned()));
    }
    let health = place.health().await;
    assert!(health["embedder"].as_str().expect("a name").starts_with("openai:m:prefix-"), "{health}");
    assert_eq!((&health["dimension"], &health["waiting"]), (&json!(4), &json!(0)));
}

#[tokio::test]
async fn requests_are_bounded_and_say_what_they_are_for() {
    let fake = Fake::new().await;
    let mut model = fake.model("m");
    model.dimensions = Some(4);
    let embedder = Embedder::new(Some(Models { model, previous: None })).expect("a client");
    let place = Place::new(Arc::new(embedder)).await;
    let names: Vec<String> = (0..11).map(|number| format!("{number}.rs")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "fn a() { car }")).collect();
    place.index(&files).await;
    place.made(4).await;
    let before = fake.requests().len();
    place.search("automobile").await;
    let requests = fake.requests();
    let passages: Vec<usize> = requests[..before].iter().map(|(_, texts)| texts.len()).collect();
    assert!(passages.iter().all(|count| *count <= 4), "{passages:?}");
    assert_eq!(passages.iter().sum::<usize>(), 11, "none twice");
    assert!(
        requests[..before].iter().all(|(_, texts)| texts.iter().all(|text| text.starts_with("passage: ")))
    );
    assert_eq!(requests[before..], [("m".to_owned(), vec!["query: automobile".to_owned()])]);
    let asked = fake.mood.asked.lock().expect("no panic");
    assert!(asked.iter().all(|(body, key)| body["dimensions"] == 4 && key == "Bearer k3y"));
}

#[tokio::test]
async fn a_failure_in_the_middle_loses_nothing() {
    let fake = Fake::new().await;
    let place = Place::new(fake.embedder("m", None)).await;
    // The first question of how it is, and one batch.
    fake.mood.good.store(2, Ordering::SeqCst);
    fake.mood.status.store(503, Ordering::SeqCst);
    let names: Vec<String> = (0..9).map(|number| format!("{number}.rs")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "fn a() { car }")).collect();
    place.index(&files).await;
    place.said("the server of the model fails (503)").await;
    assert_eq!(place.health().await["waiting"], 5, "one batch of four was made");
    // Words answer meanwhile, of what has no vector too.
    let (_, mode, notes) = place.found("car").await;
    assert!(mode == "lexical" && notes.contains("does not answer as it should"), "{mode} {notes}");
    fake.mood.status.store(0, Ordering::SeqCst);
    place.made(4).await;
    place.said("vectors are made again").await;
    assert_eq!(place.found("automobile").await.1, "hybrid");
}

#[tokio::test]
async fn a_text_that_the_model_does_not_take_keeps_nobody_waiting() {
    let fake = Fake::new().await;
    set(&fake.mood.poison, vec![("p0ison", 400), ("vei0n", 500)]);
    fake.mood.longest.store(3_000, Ordering::SeqCst);
    let place = Place::new(fake.embedder("m", None)).await;
    let long = format!("fn steer() {{ a boat }} {}", "x ".repeat(5_000));
    place.index(&[("poison.rs", "fn p0ison() { car }"), ("venom.rs", "fn vei0n() { ship }")]).await;
    place.index(&FILES[..2]).await;
    place.index(&[("long.rs", &long)]).await;
    place.made(4).await;
    assert_eq!(place.found("automobile").await.0, "garage.rs", "not the poison, which has no vector");
    assert_eq!(place.found("vessel").await.0, "long.rs", "by its beginning");
    for word in ["p0ison", "vei0n"] {
        assert_eq!(
            place.found(word).await.0,
            format!("{}.rs", if word == "p0ison" { "poison" } else { "venom" })
        );
    }
    let lines = place.running.lines.text();
    assert_eq!(lines.matches("a text gets no vector").count(), 2, "{lines}");
    assert!(!lines.contains("p0ison") && !lines.contains("vei0n"), "no code in the log");
}

#[tokio::test]
async fn a_model_that_lets_nobody_in_costs_no_text_its_vector() {
    let fake = Fake::new().await;
    for status in [401, 404, 400] {
        fake.mood.status.store(status, Ordering::SeqCst);
        let place = Place::new(fake.embedder("m", None)).await;
        place.index(&FILES).await;
        place.said(&status.to_string()).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert!(place.store.serving("local").expect("an answer").is_none(), "nothing was given up");
        fake.mood.status.store(0, Ordering::SeqCst);
        place.made(4).await;
        assert_eq!(place.found("automobile").await.0, "garage.rs");
    }
}

#[tokio::test]
async fn an_earlier_model_answers_until_the_new_one_is_ready() {
    let fake = Fake::new().await;
    let store: Arc<dyn Store> = Arc::new(Sqlite::in_memory().expect("a store"));
    let old = Place::over(Arc::clone(&store), fake.embedder("old", None)).await;
    old.index(&FILES).await;
    old.made(4).await;
    old.running.stop.send(true).expect("told");
    // Without the old model's server the words answer alone, since its vectors say nothing to the new one.
    set(&fake.mood.missing, Some("new"));
    fake.mood.dimension.store(5, Ordering::SeqCst);
    let alone = Place::over(Arc::clone(&store), fake.embedder("new", None)).await;
    let (_, mode, notes) = alone.found("car").await;
    assert!(mode == "lexical" && notes.contains("another model"), "{mode} {notes}");
    alone.running.stop.send(true).expect("told");
    fake.mood.dimension.store(4, Ordering::SeqCst);
    let both = Place::over(Arc::clone(&store), fake.embedder("new", Some("old"))).await;
    let (path, mode, notes) = both.found("automobile").await;
    assert_eq!((path.as_str(), mode.as_str()), ("garage.rs", "hybrid"));
    assert!(notes.contains("an earlier model"), "{notes}");
    set(&fake.mood.missing, None);
    let begun = Instant::now();
    loop {
        let (path, mode, notes) = both.found("automobile").await;
        assert_eq!((path.as_str(), mode.as_str()), ("garage.rs", "hybrid"), "there is no gap");
        if notes == "null" {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{notes}");
    }
    let (model, _) = fake.requests().pop().expect("a request");
    assert_eq!(model, "new");
}

#[tokio::test]
async fn another_dimension_is_another_generation() {
    let fake = Fake::new().await;
    let place = Place::new(fake.embedder("m", None)).await;
    place.index(&FILES).await;
    place.made(4).await;
    fake.mood.dimension.store(6, Ordering::SeqCst);
    // The question notices it, and is answered.
    let (_, mode, notes) = place.found("automobile").await;
    assert!(mode == "lexical" && notes.contains("as it should"), "{mode} {notes}");
    place.index(&[("more.rs", "fn drive() { vehicle }")]).await;
    place.made(6).await;
    assert_eq!(place.found("fruit").await, ("garden.rs".to_owned(), "hybrid".to_owned(), "null".to_owned()));
}

#[tokio::test]
async fn a_dimension_that_was_not_asked_for_is_not_taken() {
    let fake = Fake::new().await;
    let mut model = fake.model("m");
    model.dimensions = Some(8);
    let embedder = Embedder::new(Some(Models { model, previous: None })).expect("a client");
    let fingerprint = embedder.fingerprint().expect("a model");
    let place = Place::new(Arc::new(embedder)).await;
    place.index(&FILES).await;
    place.said("have 4 numbers where 8 are due").await;
    assert_eq!(place.waiting(&fingerprint, 8), 3);
    fake.mood.dimension.store(8, Ordering::SeqCst);
    place.made(8).await;
}

#[tokio::test]
async fn a_slow_model_keeps_no_question_waiting() {
    let fake = Fake::new().await;
    let place = Place::new(fake.embedder("m", None)).await;
    place.index(&FILES).await;
    place.made(4).await;
    set(&fake.mood.slow, (Duration::from_secs(15), Duration::ZERO));
    let begun = Instant::now();
    let (path, mode, notes) = place.found("apple").await;
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert_eq!((path.as_str(), mode.as_str()), ("garden.rs", "lexical"));
    assert!(notes.contains("in time"), "{notes}");
}

#[tokio::test]
async fn told_to_stop_it_stops_and_what_waited_waits() {
    let fake = Fake::new().await;
    let store: Arc<dyn Store> = Arc::new(Sqlite::in_memory().expect("a store"));
    let embedder = fake.embedder("m", None);
    let (stop, stopped) = watch::channel(false);
    let wake = Arc::new(tokio::sync::Notify::new());
    let log = Log::new(Box::new(Lines::default()), Arc::new(|| NOW));
    let place = Place::over(Arc::clone(&store), Arc::new(Embedder::None)).await;
    place.index(&FILES).await;
    set(&fake.mood.slow, (Duration::ZERO, Duration::from_secs(15)));
    let worker = embed::spawn_worker(Arc::clone(&store), Arc::clone(&embedder), wake, log, stopped);
    while fake.requests().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    stop.send(true).expect("told");
    let begun = Instant::now();
    worker.await.expect("no panic");
    assert!(begun.elapsed() < Duration::from_secs(2));
    set(&fake.mood.slow, (Duration::ZERO, Duration::ZERO));
    let next = Place::over(store, embedder).await;
    next.made(4).await;
    assert_eq!(next.found("vessel").await.0, "port.rs");
}

#[tokio::test]
async fn without_a_model_the_words_answer_and_say_so() {
    let place = Place::new(Arc::new(Embedder::None)).await;
    place.index(&FILES).await;
    let (path, mode, notes) = place.found("apple").await;
    assert_eq!((path.as_str(), mode.as_str()), ("garden.rs", "lexical"));
    assert!(notes.contains("no model"), "{notes}");
    assert_eq!(place.health().await["embedder"], "none");
}
