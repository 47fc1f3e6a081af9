//! A provider inside this program, whose answers a test writes.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use ctxhost::{
    Event, Finding, Host, Opening, Outcome, Settings, Surroundings,
    compose::Injection,
    flow::{Builder, Decided},
    load,
    protocol::envelope::{
        Agent, CompactData, Life, ModelCallData, Phase, SessionStartData, ToolAfterData, ToolBeforeData,
    },
};
use ctxhost_sdk::{Exported, Head, prelude::*};

/// What a provider answers to an event.
type Answer = dyn Fn(&Cx<'_>, &Request) -> Result<Reply> + Send + Sync;

/// What one provider does, and what it was asked.
pub(super) struct Script {
    answer: Box<Answer>,
    tools: Mutex<Option<Vec<Tool>>>,
    destroyed: Box<dyn Fn() + Send + Sync>,
    requests: Mutex<Vec<Request>>,
    calls: Mutex<Vec<ToolRequest>>,
    host: Mutex<Option<HostHandle>>,
    powers: bool,
}

impl Script {
    pub(super) fn new(
        answer: impl Fn(&Cx<'_>, &Request) -> Result<Reply> + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self::made(answer))
    }

    pub(super) fn without_powers(
        answer: impl Fn(&Cx<'_>, &Request) -> Result<Reply> + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self { powers: false, ..Self::made(answer) })
    }

    pub(super) fn with_end(destroyed: impl Fn() + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self { destroyed: Box::new(destroyed), ..Self::made(|_, _| Ok(Reply::new())) })
    }

    fn made(answer: impl Fn(&Cx<'_>, &Request) -> Result<Reply> + Send + Sync + 'static) -> Self {
        Self {
            answer: Box::new(answer),
            tools: Mutex::default(),
            destroyed: Box::new(|| ()),
            requests: Mutex::default(),
            calls: Mutex::default(),
            host: Mutex::default(),
            powers: true,
        }
    }

    /// Answers one event, always the same.
    pub(super) fn to(event: &'static str, reply: Reply) -> Arc<Self> {
        Self::new(move |_, request| Ok(if request.event == event { reply.clone() } else { Reply::new() }))
    }

    /// Lists these tools from here on; before, it does not know the question.
    pub(super) fn list(&self, names: &[&str]) {
        let tool = |name: &&str| ctxhost_sdk::tool(name, &format!("Asks {name}."), json!({"type": "object"}));
        *lock(&self.tools) = Some(names.iter().map(tool).collect());
    }

    /// Lists these tools from here on.
    pub(super) fn list_tools(&self, tools: Vec<Tool>) {
        *lock(&self.tools) = Some(tools);
    }

    /// The events it was asked about.
    pub(super) fn asked(&self) -> Vec<String> {
        lock(&self.requests).iter().map(|request| request.event.clone()).collect()
    }

    /// The last question.
    #[track_caller]
    pub(super) fn last(&self) -> Request {
        lock(&self.requests).last().cloned().expect("it was asked")
    }

    /// The calls of its tools, as `name args`.
    pub(super) fn calls(&self) -> Vec<String> {
        lock(&self.calls).iter().map(|call| format!("{} {}", call.name, call.args)).collect()
    }

    /// Says something unasked.
    #[track_caller]
    pub(super) fn notify(&self, message: &Notify) {
        lock(&self.host).as_ref().expect("it was made").notify(message);
    }
}

/// The scripts of all providers of this process, by a number that goes through the settings.
static SCRIPTS: Mutex<BTreeMap<u64, Arc<Script>>> = Mutex::new(BTreeMap::new());
static NEXT: AtomicU64 = AtomicU64::new(0);

pub(super) const EVENTS: &[&str] = &ctxhost::Event::NAMES;

const fn head(id: &'static str, events: &'static [&'static str]) -> Head {
    Head { id, version: "0.1.0", title: "Scripted", spec: "envelope/v1", events }
}

/// Who there is, in the order they are heard in.
const HEADS: [Head; 3] = [head("alpha", EVENTS), head("beta", EVENTS), head("gamma", &["prompt"])];

struct Scripted<const WHO: usize>(Arc<Script>);

impl<const WHO: usize> Exported for Scripted<WHO> {
    const HEAD: Head = HEADS[WHO];
}

#[derive(Deserialize)]
struct Number {
    script: u64,
}

impl<const WHO: usize> Provider for Scripted<WHO> {
    type Settings = Number;

    fn new(setup: Setup, settings: Number) -> Result<Self> {
        let script = lock(&SCRIPTS).remove(&settings.script).ok_or_else(|| Error::failed("no script"))?;
        *lock(&script.host) = Some(setup.host);
        Ok(Self(script))
    }

    fn manifest(head: Manifest) -> Manifest {
        Manifest {
            // Whoever is not to be late has all the time of a busy machine; the last one is there to be late.
            deadlines: EVENTS
                .iter()
                .map(|event| ((*event).to_owned(), if head.id == "gamma" { 1_000 } else { 20_000 }))
                .collect(),
            powers: ["block", "rewrite", "patch", "mcp_server"].map(str::to_owned).to_vec(),
            tools: vec![ctxhost_sdk::tool("of_manifest", "Says so.", json!({"type": "object"}))],
            alias: (head.id == "beta").then(|| "b".to_owned()),
            ..head
        }
    }

    fn event(&self, cx: &Cx<'_>, request: Request) -> Result<Reply> {
        lock(&self.0.requests).push(request.clone());
        (self.0.answer)(cx, &request)
    }

    fn tools(&self, _: &Cx<'_>) -> Result<Vec<Tool>> {
        lock(&self.0.tools).clone().ok_or_else(|| Error::unknown("operation", "tools"))
    }

    fn tool(&self, _: &Cx<'_>, request: ToolRequest) -> Result<ToolReply> {
        let reply = ToolReply::text(format!("{} of {}", request.name, Self::HEAD.id));
        lock(&self.0.calls).push(request);
        Ok(reply)
    }
}

impl<const WHO: usize> Drop for Scripted<WHO> {
    fn drop(&mut self) {
        (self.0.destroyed)();
    }
}

/// Adds the provider number `WHO`.
pub(super) fn with<const WHO: usize>(builder: Builder, script: &Arc<Script>) -> Builder {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    lock(&SCRIPTS).insert(number, Arc::clone(script));
    let settings = Settings::with_provider_table(HEADS[WHO].id, json!({"script": number}));
    let (loaded, _) = load::start(
        ctxhost_sdk::table::<Scripted<WHO>>(),
        None,
        None,
        script.powers,
        &Surroundings::empty(),
        &settings,
        &builder.ground(),
    );
    builder.provider(loaded.unwrap_or_else(|finding| panic!("{}", finding.message)))
}

/// The start of a host that remembers in this folder, if in any, and finds no library.
pub(super) fn builder(state: Option<&Path>) -> Builder {
    let mut surroundings = Surroundings::empty();
    if let Some(state) = state {
        surroundings.env.insert("XDG_STATE_HOME".to_owned(), state.to_string_lossy().into_owned());
    }
    Host::builder(surroundings).without_search()
}

/// A host with one provider and no file.
pub(super) fn host(alpha: &Arc<Script>) -> Host {
    with::<0>(builder(None), alpha).build()
}

/// A host with two providers and no file.
pub(super) fn host_of_two(alpha: &Arc<Script>, beta: &Arc<Script>) -> Host {
    with::<1>(with::<0>(builder(None), alpha), beta).build()
}

/// A conversation without a name, of an agent that can do these things.
pub(super) fn opening(can: &[&str]) -> Opening {
    Opening {
        agent: Agent { can: can.iter().map(|can| (*can).to_owned()).collect(), ..Agent::default() },
        life: Life::Long,
        ..Opening::new("/")
    }
}

/// A conversation with a name.
pub(super) fn named(id: &str, can: &[&str]) -> Opening {
    Opening { id: Some(id.to_owned()), ..opening(can) }
}

pub(super) fn start() -> Event {
    Event::SessionStart(SessionStartData { reason: "startup".to_owned() })
}

pub(super) fn prompt(text: &str) -> Event {
    Event::Prompt(PromptData { text: text.to_owned(), ..PromptData::default() })
}

pub(super) fn before(name: &str) -> Event {
    Event::ToolBefore(call(name))
}

pub(super) fn after(name: &str) -> Event {
    Event::ToolAfter(ToolAfterData { call: call(name), ..ToolAfterData::default() })
}

fn call(name: &str) -> ToolBeforeData {
    ToolBeforeData { id: "1".to_owned(), name: name.to_owned(), ..ToolBeforeData::default() }
}

pub(super) fn compact(phase: Phase) -> Event {
    Event::Compact(CompactData { phase, ..CompactData::default() })
}

pub(super) fn model_call(messages: usize) -> Event {
    let message = json!({"role": "user"}).as_object().cloned().expect("an object");
    Event::ModelCall(ModelCallData { messages: vec![message; messages], request_no: None })
}

/// A section with a placement of its own.
pub(super) fn section(key: &str, placement: Placement, body: &str) -> Section {
    Section { placement, ..Section::prompt(key, Trust::Workspace).body(body) }
}

/// A reply with sections alone.
pub(super) fn sections(sections: &[Section]) -> Reply {
    Reply { sections: sections.to_vec(), ..Reply::new() }
}

/// The sections in an injection, as `provider key`.
pub(super) fn keys(injection: &Injection) -> Vec<String> {
    injection.sections.iter().map(|placed| format!("{} {}", placed.provider, placed.key)).collect()
}

/// The findings, as `provider code`.
pub(super) fn codes(findings: &[Finding]) -> Vec<String> {
    let name = |finding: &Finding| finding.provider.clone().unwrap_or_else(|| "-".to_owned());
    findings.iter().map(|finding| format!("{} {}", name(finding), finding.code)).collect()
}

/// What the model is told beside a tool call; empty when it is told nothing or the call is blocked.
pub(super) fn guidance(outcome: &Outcome) -> &str {
    match &outcome.decision {
        Some(Decided::Guidance(text)) => text,
        _ => "",
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
