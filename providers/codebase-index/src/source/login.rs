//! A login: a listener on loopback for one answer, at a path that nobody can guess.

use std::{
    net::{Ipv4Addr, TcpListener},
    sync::Arc,
    time::Duration,
};

use tokio::{net::TcpStream, sync::mpsc, task::JoinSet};

use super::{credentials::Pair, stop::Stop};
use crate::select::root::hex;

mod answer;
mod page;

/// How long a person has in the browser.
pub(crate) const WITHIN: Duration = Duration::from_secs(120);

/// A browser opens a few connections; more is somebody else.
const MOST_CONNECTIONS: usize = 32;

/// Why there is no login.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum LoginError {
    /// No port could be had.
    #[error("no port on 127.0.0.1 can be listened at: {0}")]
    Listen(String),
    /// Nobody came.
    #[error("no login within {} s; run `ctxhost run codebase-index login` to try again", .0.as_secs())]
    TimedOut(Duration),
    /// The person gave up.
    #[error("the login was stopped")]
    Stopped,
    /// The backend sent the browser back with a refusal.
    #[error("the backend did not log you in: {0}")]
    Refused(String),
}

/// Waits for the browser to come back.
pub(crate) struct Listener {
    listener: TcpListener,
    port: u16,
    path: String,
}

impl Listener {
    /// Listens on a port that the system chooses.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn open() -> Result<Self, LoginError> {
        let failed = |error: std::io::Error| LoginError::Listen(error.to_string());
        let mut nonce = [0; 16];
        getrandom::fill(&mut nonce).map_err(|error| LoginError::Listen(error.to_string()))?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        Ok(Self { listener, port, path: format!("/cb/{}", hex(&nonce)) })
    }

    /// Where the backend is to send the browser.
    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}{}", self.port, self.path)
    }

    /// Waits for the first valid answer.
    ///
    /// # Errors
    /// It did not come in time, somebody asked to stop, or it says that there is no login.
    pub(crate) async fn answer(self, within: Duration, stop: &Stop) -> Result<Pair, LoginError> {
        let listener = tokio::net::TcpListener::from_std(self.listener);
        let listener = listener.map_err(|error| LoginError::Listen(error.to_string()))?;
        let path: Arc<str> = self.path.into();
        let (send, mut came) = mpsc::channel(1);
        let mut connections = JoinSet::new();
        let late = tokio::time::sleep(within);
        tokio::pin!(late);
        loop {
            tokio::select! {
                biased;
                Some(answer) = came.recv() => return answer,
                () = &mut late => return Err(LoginError::TimedOut(within)),
                () = stop.stopped() => return Err(LoginError::Stopped),
                Some(_) = connections.join_next() => {}
                accepted = listener.accept(), if connections.len() < MOST_CONNECTIONS => {
                    let Ok((stream, _)) = accepted else { continue };
                    connections.spawn(serve(stream, Arc::clone(&path), send.clone()));
                }
            }
        }
    }
}

async fn serve(stream: TcpStream, path: Arc<str>, send: mpsc::Sender<Result<Pair, LoginError>>) {
    let Some(answer) = answer::serve(stream, &path).await else { return };
    // Another may have been first.
    let _ = send.try_send(answer);
}

#[cfg(test)]
mod tests;
