//! `ctxhost hook`: one event of an agent's hooks.
//!
//! Whatever goes wrong, the answer is valid and the exit code 0: anything else would stop the agent's user.

use std::{
    io::Read,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use ctxhost::{Cancel, Host, Opening, protocol::envelope::Life, settings::Flags};
use serde_json::Value;

use crate::{
    args::{HookArgs, Scene},
    exit::{Code, Failure},
    hook::{self, Answer, Fields, HookAgent},
    output::Output,
};

/// The largest event that is read, in bytes: a tool's result may be in it.
const EVENT_CAP: u64 = 16 * 1024 * 1024;

/// How long an event may take in all; a prompt's longest deadline and the time to load are within it, and every agent's
/// own limit that `install` writes is beyond it or kills us, which is as good.
const LONGEST: Duration = Duration::from_secs(24);

pub(crate) fn run(
    args: &HookArgs,
    stdin: Box<dyn Read + Send>,
    output: &mut Output<'_>,
) -> Result<Code, Failure> {
    let answered = Arc::new(AtomicBool::new(false));
    watch(Arc::clone(&answered));
    let answer = catch_unwind(AssertUnwindSafe(|| answer(args, stdin)));
    if answered.swap(true, Ordering::SeqCst) {
        // The watch has answered, and ends the process.
        loop {
            thread::park();
        }
    }
    match answer {
        Ok(Ok((answer, host))) => {
            output.text(&answer.document.to_string());
            if output.flush().is_ok() {
                let findings = answer.delivered();
                output.findings(&findings);
            }
            drop(host);
        }
        Ok(Err(why)) => {
            output.text("{}");
            output.note(&format!("{why}; the agent goes on without context"));
        }
        Err(_) => output.text("{}"),
    }
    // Where nobody can read the answer, the agent goes on as well.
    output.forget_failures();
    Ok(Code::Ok)
}

/// Ends the process with an empty answer when nothing else has come of it in time.
fn watch(answered: Arc<AtomicBool>) {
    // Without a thread the agent's own limit has to do.
    let _ = thread::Builder::new().name("watch".to_owned()).spawn(move || {
        thread::sleep(LONGEST);
        if !answered.swap(true, Ordering::SeqCst) {
            crate::say_and_leave(b"{}\n");
        }
    });
}

fn answer(args: &HookArgs, stdin: Box<dyn Read + Send>) -> Result<(Answer, Host), String> {
    // Read to its end whatever comes of it: whoever writes it is not to meet a closed pipe.
    let mut bytes = Vec::new();
    stdin
        .take(EVENT_CAP + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| format!("the event cannot be read from standard input: {error}"))?;
    if bytes.len() as u64 > EVENT_CAP {
        return Err(format!("the event has more than {EVENT_CAP} bytes"));
    }
    let name = args.agent.as_deref().unwrap_or_default();
    let agent = HookAgent::of_name(name)
        .ok_or_else(|| format!("there is no agent `{name}`; name claude-code or codex"))?;
    let event: Value =
        serde_json::from_slice(&bytes).map_err(|error| format!("the event is not JSON: {error}"))?;
    let fields = Fields(event.as_object().ok_or("the event is no JSON object")?);
    let cwd = fields.cwd().map(Path::to_owned);
    let scene = Scene { cwd, session: None, now: None, verbose: false };
    let (host, cwd) = super::host(&scene, Flags::default()).map_err(|failure| failure.message)?;
    let session = host.session(Opening {
        id: fields.text("session_id").map(str::to_owned),
        cwd,
        trusted: false,
        life: Life::Once,
        agent: agent.describe(host.surroundings(), fields.text("model")),
    });
    Ok((hook::answer(agent, &fields, &session, &Cancel::default()), host))
}
