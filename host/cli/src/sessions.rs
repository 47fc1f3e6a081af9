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

    /// Whether it is the conversation of this name in this working directory, trusted or not.
    fn names(&self, session: &envelope::Session) -> bool {
        self.id == session.id && self.cwd == session.cwd
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
        let known =
            sessions.iter().position(|(known, _)| *known == key).map(|index| sessions.remove(index).1);
        let session = match known {
            Some(known) if wanted.id.is_some() => {
                if let Some(agent) = agent {
                    known.set_agent(agent);
                }
                known
            }
            // Of a question without a conversation nothing is remembered; the one before it is only kept so that its
            // working directory's providers stay.
            earlier => {
                left_behind.extend(earlier.map(|earlier| (Key::of(wanted), earlier)));
                host.session(Opening {
                    id: wanted.id.clone(),
                    cwd: PathBuf::from(&wanted.cwd),
                    trusted: wanted.trusted,
                    life: Life::Long,
                    agent: agent.unwrap_or(said),
                })
            }
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

    /// The conversation that was used last in a working directory under an id.
    pub(crate) fn last(&self, wanted: &envelope::Session) -> Option<Session> {
        let sessions = self.lock();
        sessions.iter().rev().find(|(known, _)| known.names(wanted)).map(|(_, session)| session.clone())
    }

    /// Forgets a conversation.
    pub(crate) fn end(&self, ended: &envelope::Session) {
        let mut sessions = self.lock();
        let gone: Vec<_> = sessions.extract_if(.., |(known, _)| known.names(ended)).collect();
        drop(sessions);
        drop(gone);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Key, Session)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
