//! The conversations of one client.

use std::{
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
};

use ctxhost::{
    Host, Opening, Session,
    protocol::envelope::{self, Agent, Life},
};

/// How many conversations are kept open; the one that was silent longest goes first. A client has one or a few.
const KEPT: usize = 64;

/// The conversations, the latest last.
#[derive(Default)]
pub(crate) struct Sessions(Mutex<Vec<(Key, Session)>>);

/// What makes two requests one conversation.
#[derive(PartialEq, Eq)]
struct Key {
    id: Option<String>,
    cwd: String,
    trusted: bool,
}

impl Key {
    fn of(session: &envelope::Session) -> Self {
        Self { id: session.id.clone(), cwd: session.cwd.clone(), trusted: session.trusted }
    }
}

impl Sessions {
    /// The conversation, opened now if it is new; `agent` is what the request says of the agent, `said` what hello did.
    pub(crate) fn get(
        &self,
        host: &Host,
        wanted: &envelope::Session,
        agent: Option<Agent>,
        said: Agent,
    ) -> Session {
        let key = Key::of(wanted);
        let mut left_behind = Vec::new();
        let mut sessions = self.lock();
        let session = match sessions.iter().position(|(known, _)| *known == key) {
            Some(index) => {
                let known = sessions.remove(index).1;
                if let Some(agent) = agent {
                    known.set_agent(agent);
                }
                known
            }
            None => host.session(Opening {
                id: wanted.id.clone(),
                cwd: PathBuf::from(&wanted.cwd),
                trusted: wanted.trusted,
                life: Life::Long,
                agent: agent.unwrap_or(said),
            }),
        };
        sessions.push((key, session.clone()));
        while sessions.len() > KEPT {
            left_behind.push(sessions.remove(0));
        }
        drop(sessions);
        // Providers that end with a conversation may take their time; nobody else waits for that.
        drop(left_behind);
        session
    }

    /// Forgets a conversation.
    pub(crate) fn end(&self, ended: &envelope::Session) {
        let key = Key::of(ended);
        let mut sessions = self.lock();
        let gone = sessions.iter().position(|(known, _)| *known == key).map(|index| sessions.remove(index));
        drop(sessions);
        drop(gone);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Key, Session)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
