//! A storm of frames that are wrong in every way, through one process.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{
    client::{Client, LIMIT},
    recorded, session,
};

/// Numbers that look random and are the same in each run, so that a failure can be had again.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below a bound.
    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).expect("it is below a usize")
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    fn bytes(&mut self, most: usize) -> Vec<u8> {
        (0..self.below(most)).map(|_| self.next().to_le_bytes()[0]).collect()
    }

    /// Any JSON value.
    fn value(&mut self) -> Value {
        match self.below(12) {
            0 => Value::Null,
            1 => json!(true),
            2 => json!(-1),
            3 => json!(1.5e300),
            4 => json!(u64::MAX),
            5 => json!(""),
            6 => json!("x".repeat(self.below(5_000))),
            7 => json!("\u{0}\u{202e}\u{1b}[2J\u{10ffff}"),
            8 => json!([]),
            9 => json!({}),
            10 => json!([[{"a": [null]}]]),
            _ => json!({"id": 1, "method": "hello", "params": {}}),
        }
    }

    /// Puts another value into one place of a document, or takes one away.
    fn spoil(&mut self, place: &mut Value) {
        let size = match place {
            Value::Object(fields) => fields.len(),
            Value::Array(items) => items.len(),
            _ => 0,
        };
        if size == 0 || self.below(3) == 0 {
            *place = self.value();
            return;
        }
        let index = self.below(size);
        match place {
            Value::Object(fields) => {
                let key = fields.keys().nth(index).cloned().expect("there are so many");
                if self.below(12) == 0 {
                    fields.remove(&key);
                } else {
                    self.spoil(&mut fields[&key]);
                }
            }
            Value::Array(items) => self.spoil(&mut items[index]),
            _ => {}
        }
    }

    /// Changes a few bytes.
    fn damage(&mut self, line: &mut Vec<u8>) {
        for _ in 0..=self.below(4) {
            let at = self.below(line.len());
            match self.below(5) {
                0 if !line.is_empty() => line[at] ^= 1 << self.below(8),
                1 => line.insert(at, self.next().to_le_bytes()[0]),
                2 if !line.is_empty() => drop(line.remove(at)),
                3 => line.truncate(at),
                _ => {
                    let to = (at + self.below(40)).min(line.len());
                    let again = line[at.min(to)..to].to_vec();
                    line.extend(again);
                }
            }
        }
    }

    /// One frame, made of one that is right.
    fn frame(&mut self, right: &[Value]) -> Vec<u8> {
        let mut message = self.pick(right).clone();
        message["id"] = json!(self.next() % 1_000_000);
        let depth = 1 + self.below(3_000);
        match self.below(10) {
            0 => self.bytes(300),
            1 | 2 => {
                let mut line = message.to_string().into_bytes();
                self.damage(&mut line);
                line
            }
            3 | 4 => {
                for _ in 0..=self.below(3) {
                    self.spoil(&mut message);
                }
                message.to_string().into_bytes()
            }
            5 => {
                let (open, close) = *self.pick(&[("[", "]"), ("{\"a\":", "}"), ("[{\"params\":", "}]")]);
                let closed = if self.below(2) == 0 { close.repeat(depth) } else { String::new() };
                let nested = format!("{}1{closed}", open.repeat(depth));
                let in_params = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools","params":{nested}}}"#);
                if self.below(2) == 0 { nested } else { in_params }.into_bytes()
            }
            6 => {
                let id = match self.below(4) {
                    0 => json!("9".repeat(self.below(20_000))),
                    1 => json!(u64::MAX),
                    2 => json!(i64::MIN),
                    _ => self.value(),
                };
                message["id"] = id;
                message.to_string().into_bytes()
            }
            7 => {
                let text = message.to_string().replace("test", "tést\u{10ffff}");
                let mut line = text.into_bytes();
                let at = line.iter().rposition(|byte| *byte >= 0x80).unwrap_or(0);
                line.truncate(at + self.below(2));
                line
            }
            8 => {
                let mut line = message.to_string().into_bytes();
                for _ in 0..self.below(20) {
                    let at = self.below(line.len());
                    line[at] = 0;
                }
                line
            }
            _ => message.to_string().into_bytes(),
        }
    }
}

/// What a storm came to.
pub(crate) struct Storm {
    pub(crate) took: Duration,
    /// Resident memory in kB, in the middle and at the end.
    pub(crate) memory_kb: [u64; 2],
    pub(crate) answers: usize,
}

/// Sends frames in batches; after each one a request that is right is answered.
#[track_caller]
pub(crate) fn storm(client: &mut Client, seed: u64, frames: usize, right: &[Value], alive: &Value) -> Storm {
    const BATCH: usize = 40;
    let mut random = Random::new(seed);
    let started = Instant::now();
    let mut storm = Storm { took: Duration::ZERO, memory_kb: [0; 2], answers: 0 };
    for batch in 0..frames / BATCH {
        let last: Vec<Vec<u8>> = (0..BATCH).map(|_| random.frame(right)).collect();
        last.iter().for_each(|frame| client.write(frame));
        let mut tries = 0;
        loop {
            let id = json!(format!("alive {batch} {tries}"));
            client.request_as(&id, alive["method"].as_str().expect("a method"), alive["params"].clone());
            let answer = client.answer(&id);
            if answer["result"].is_object() {
                break;
            }
            // So many of the storm's own requests are in flight.
            assert_eq!(answer["error"]["code"], -32002, "seed {seed:#x}, batch {batch}: {answer}");
            tries += 1;
            assert!(started.elapsed() < LIMIT, "seed {seed:#x}, batch {batch}: it never has room");
            std::thread::sleep(Duration::from_millis(5));
        }
        storm.answers += client.forget();
        if batch == frames / BATCH / 2 {
            storm.memory_kb[0] = client.memory_kb();
        }
        assert!(!client.err().contains("panicked"), "seed {seed:#x}, batch {batch}: {}", client.err());
    }
    storm.took = started.elapsed();
    storm.memory_kb[1] = client.memory_kb();
    storm
}

#[test]
fn ten_thousand_wrong_frames_harm_nothing() {
    const SEED: u64 = 0x5eed_c0de_0001;
    const FRAMES: usize = 10_000;
    let place = recorded("prompt = \"here\"");
    let mut client = Client::serve(&place);
    let session = session(&place);
    let request =
        |method: &str, params: Value| json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let event =
        |name: &str, data: Value| request("event", json!({"event": name, "session": session, "data": data}));
    let right = [
        request("hello", json!({"v": 1, "agent": super::client::agent(&json!({}))})),
        event("session.start", json!({"reason": "test"})),
        event("prompt", json!({"text": "test", "source": "user"})),
        event("model_call", json!({"messages": [{"role": "user", "content": "test"}, {}], "request_no": 1})),
        event("tool.before", json!({"id": "t", "name": "test", "kind": "read", "paths": ["a"], "input": {}})),
        event("compact", json!({"phase": "before", "reason": "test"})),
        request("tool", super::act(&session, "test")),
        request(
            "command",
            json!({"provider": "recorder", "name": "say", "args": ["test"], "session": session}),
        ),
        request("tools", json!({"session": session, "agent": {"name": "test", "tools": {"taken": ["act"]}}})),
        request("cancel", json!({"id": 1})),
    ];
    let alive = request("hello", json!({"v": 1, "agent": super::client::agent(&json!({}))}));
    let storm = storm(&mut client, SEED, FRAMES, &right, &alive);
    let [middle, end] = storm.memory_kb;
    println!("{FRAMES} frames in {:?}, {} answers, {middle} kB then {end} kB", storm.took, storm.answers);
    assert!(storm.answers > FRAMES / 2, "only {} answers: the storm does not reach it", storm.answers);
    assert!(end < 200 * 1024, "{end} kB");
    assert!(end < middle + 30 * 1024, "it grows: {middle} kB then {end} kB");
    let ended = client.end().well();
    assert!(!ended.err.contains("panicked"), "{}", ended.err);
}
