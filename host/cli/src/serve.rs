//! `serve/v1`: what an agent's own code speaks with the host.

use std::{
    path::Path,
    sync::{Mutex, PoisonError},
};

use ctxhost::{
    Asking, Cancel, Event, Finding, Host, Session,
    compose::neutralize::plain,
    emit,
    flow::RunError,
    load::HostListener,
    protocol::{
        envelope::{self, Agent, EventError, Level, Notify},
        serve::{
            self, CancelParams, Capabilities, CommandParams, ErrorObject, EventParams, FoundProvider, Hello,
            HelloResult, HostInfo, Id, InvalidParams, Message, Notification, ToolParams, ToolsParams, code,
        },
    },
    validate::Validators,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    jsonrpc::{Outgoing, Service, error},
    sessions::Sessions,
};

/// Answers what a client asks.
pub(crate) struct Server {
    host: Host,
    validators: Validators,
    agent: Mutex<Option<Agent>>,
    sessions: Sessions,
}

impl Server {
    pub(crate) fn new(host: Host) -> Self {
        Self {
            host,
            validators: Validators::default(),
            agent: Mutex::default(),
            sessions: Sessions::default(),
        }
    }

    fn hello(&self, hello: Hello) -> HelloResult {
        *self.agent.lock().unwrap_or_else(PoisonError::into_inner) = Some(hello.agent);
        let found =
            self.host.candidates().iter().filter(|found| found.state == ctxhost::discover::State::Ready);
        let texts = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        HelloResult {
            host: HostInfo { name: "ctxhost".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
            capabilities: Capabilities {
                methods: texts(&serve::METHODS),
                events: texts(&Event::NAMES),
                notifications: texts(&serve::NOTIFICATIONS),
                max_frame_bytes: serve::MAX_FRAME_BYTES,
                max_in_flight: serve::MAX_IN_FLIGHT,
            },
            providers: found
                .map(|found| FoundProvider {
                    id: found.note.id.clone(),
                    version: found.note.version.clone(),
                    title: plain(&found.note.title),
                    spec: found.note.spec.clone(),
                })
                .collect(),
            findings: self.host.findings().to_vec(),
            ..HelloResult::default()
        }
    }

    fn event(&self, params: EventParams, cancel: &Cancel) -> Result<Value, ErrorObject> {
        let event = Event::read(&params.event, params.data).map_err(|why| {
            let pointer = if matches!(why, EventError::Unknown(_)) { "/event" } else { "/data" };
            invalid(pointer, why.to_string())
        })?;
        let ends = matches!(event, Event::SessionEnd(_));
        let session = match self.sessions.last(&params.session).filter(|_| ends) {
            // Whether its folder is trusted was said before; an end need not say so again.
            Some(session) => session,
            None => self.session(&params.session, params.agent)?,
        };
        let asking = Asking {
            visible: params.visible,
            max_characters: params.max_characters,
            max_bytes: params.max_bytes,
            pinned: params.pinned.unwrap_or_default(),
            together: params.together.unwrap_or_default(),
            cancel: cancel.clone(),
            ..Asking::default()
        };
        let prepared = session.prepare(event, &asking);
        if ends {
            self.sessions.end(&params.session);
        }
        if cancel.is_cancelled() {
            return Err(cancelled());
        }
        result(&emit::outcome(&prepared.deliver()))
    }

    fn tool(&self, params: ToolParams, cancel: &Cancel) -> Result<Value, ErrorObject> {
        let session = self.session(&params.session, params.agent)?;
        let reply =
            session.tool(&params.name, params.args, &params.call_id, cancel).map_err(|why| failed(&why))?;
        result(&reply)
    }

    fn command(&self, params: CommandParams, cancel: &Cancel) -> Result<Value, ErrorObject> {
        let session = self.session(&params.session, params.agent)?;
        let reply = session
            .command(&params.provider, &params.name, &params.args, cancel)
            .map_err(|why| failed(&why))?;
        result(&reply)
    }

    fn tools(&self, params: ToolsParams, cancel: &Cancel) -> Result<Value, ErrorObject> {
        let session = self.session(&params.session, params.agent)?;
        let (offered, mut findings) = session.tools(cancel);
        findings.extend(session.take_findings());
        result(&emit::offered(offered, findings))
    }

    fn session(&self, wanted: &envelope::Session, agent: Option<Agent>) -> Result<Session, ErrorObject> {
        if !Path::new(&wanted.cwd).is_absolute() {
            return Err(invalid(
                "/session/cwd",
                "the working directory is not absolute; send its whole path",
            ));
        }
        let said = self.agent.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(self.sessions.get(&self.host, wanted, agent, said.unwrap_or_default()))
    }

    fn said_hello(&self) -> bool {
        self.agent.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Reads parameters that satisfy their schema.
    fn params<T: DeserializeOwned>(&self, method: &str, params: Value) -> Result<T, ErrorObject> {
        let params = if params.is_null() { Value::Object(serde_json::Map::new()) } else { params };
        if let Some(faults) = self.validators.faults(serve::SPEC, method, &params) {
            let faults = faults.map_err(|why| error(code::OUR_FAULT, why.to_string()))?;
            if let Some(fault) = faults.first() {
                return Err(invalid(&fault.pointer, format!("`{method}`: {}", fault.message)));
            }
        }
        serde_json::from_value(params).map_err(|why| invalid("", format!("`{method}`: {why}")))
    }
}

impl Service for Server {
    fn is_immediate(&self, method: &str) -> bool {
        method == "hello"
    }

    fn takes_back(&self, method: &str, params: &Value) -> Option<Id> {
        // Whatever else is wrong with it is for `call` to say.
        let is = method == "cancel" && self.said_hello();
        is.then(|| self.params::<CancelParams>("cancel", params.clone()).ok())
            .flatten()
            .map(|params| params.id)
    }

    fn arrives(&self, method: &str, params: &Value) -> Option<Box<dyn Send>> {
        let is_start =
            method == "event" && params.get("event").and_then(Value::as_str) == Some("session.start");
        if !is_start || !self.said_hello() {
            return None;
        }
        let named: envelope::Session = serde_json::from_value(params.get("session")?.clone()).ok()?;
        named.id.as_ref()?;
        // A prompt that is sent after it waits for it, whichever of their threads runs first.
        let session = self.session(&named, None).ok()?;
        Some(Box::new(session.begin_start()))
    }

    fn call(&self, method: &str, params: Value, cancel: &Cancel) -> Result<Value, ErrorObject> {
        if method == "hello" {
            let version = params.get("v").filter(|version| !version.is_null());
            if version.is_some_and(|version| version.as_f64() != Some(f64::from(serve::VERSION))) {
                return Err(invalid(
                    "/v",
                    format!("this host speaks version {} of serve; ask for that", serve::VERSION),
                ));
            }
            return result(&self.hello(self.params("hello", params)?));
        }
        if !serve::METHODS.contains(&method) {
            let method: String = method.chars().take(80).collect();
            let known = serve::METHODS.join(", ");
            return Err(error(
                code::UNKNOWN_METHOD,
                format!("there is no method `{method}`; there are {known}"),
            ));
        }
        if !self.said_hello() {
            return Err(error(code::NO_HELLO, format!("`{method}` came before `hello`; say hello first")));
        }
        match method {
            "event" => self.event(self.params(method, params)?, cancel),
            "tool" => self.tool(self.params(method, params)?, cancel),
            "command" => self.command(self.params(method, params)?, cancel),
            "tools" => self.tools(self.params(method, params)?, cancel),
            // One whose parameters say which request was taken back already.
            _ => self.params::<CancelParams>(method, params).map(|_| Value::Null),
        }
    }

    fn cancelled(&self) -> Option<ErrorObject> {
        Some(cancelled())
    }
}

fn cancelled() -> ErrorObject {
    error(code::CANCELLED, "the request was cancelled; send it again if its answer is wanted")
}

fn invalid(pointer: &str, message: impl Into<String>) -> ErrorObject {
    let place = if pointer.is_empty() { String::new() } else { format!(" (at {pointer})") };
    let message = format!("{}{place}; `ctxhost specs show serve/v1` says what is expected", message.into());
    let data = serde_json::to_value(InvalidParams { pointer: pointer.to_owned() }).ok();
    ErrorObject { code: code::INVALID_PARAMS, message, data }
}

fn failed(why: &RunError) -> ErrorObject {
    let finding = match why {
        RunError::Failed(finding) => Some(&**finding),
        _ => None,
    };
    let data = finding.and_then(|finding: &Finding| serde_json::to_value(finding).ok());
    ErrorObject { code: code::PROVIDER_FAILED, message: plain(&why.to_string()), data }
}

fn result(document: &impl Serialize) -> Result<Value, ErrorObject> {
    serde_json::to_value(document).map_err(|why| error(code::OUR_FAULT, why.to_string()))
}

/// Tells the client what providers say unasked.
pub(crate) struct Client {
    pub(crate) outgoing: Outgoing,
    pub(crate) verbose: bool,
}

impl HostListener for Client {
    fn log(&self, provider: &str, _level: Level, text: &str) {
        if self.verbose {
            crate::output::log_line(provider, text);
        }
    }

    fn notify(&self, provider: &str, message: Notify) {
        let provider = provider.to_owned();
        match message {
            Notify::ToolsChanged => {
                let matter = format!("tools_changed {provider}");
                let told = Message::from(Notification::ToolsChanged { provider });
                self.outgoing.notify_surely(matter, &told);
            }
            Notify::Invalidate { key } => {
                let matter = format!("invalidate {provider} {key}");
                let told = Message::from(Notification::Invalidate { provider, key });
                self.outgoing.notify_latest(matter, &told);
            }
            Notify::Status { status } => {
                let status = ctxhost::compose::clean_status(&status);
                let matter = format!("status {provider}");
                self.outgoing
                    .notify_latest(matter, &Message::from(Notification::Status { provider, status }));
            }
            Notify::Message { level, text } => {
                let told = |text| Notification::Notify { provider, level, text };
                self.outgoing.notify(|| Message::from(told(plain(&text))));
            }
            Notify::Progress { done, total, text, .. } => {
                let told = |text| Notification::Progress { provider, done, total, text };
                self.outgoing.notify(|| Message::from(told(plain(&text))));
            }
            Notify::Log { level, text } => self.log(&provider, level, &text),
        }
    }
}
