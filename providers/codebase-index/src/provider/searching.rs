//! Searching.

use std::{path::Path, sync::Arc, time::Duration};

use ctxhost_sdk::{
    Cx, Result,
    protocol::codebase_index::{SearchReply, SearchRequest, State, View, limits},
};

use super::{
    CodebaseIndex,
    connection::Connection,
    trouble,
    workspaces::{Repos, Workspace},
};
use crate::{
    error::BackendError,
    shape::{answers::Answer, standing::Standing},
    source::{hits, workspace::Repo},
};

/// How long a person or a model waits for the answer to one search.
const WITHIN: Duration = Duration::from_secs(30);

/// How long either waits for a sync before the search; a first one goes on behind it.
const SYNC_FIRST: Duration = Duration::from_secs(20);

/// A question.
#[derive(Clone, Debug, Default)]
pub(super) struct Question {
    pub(super) query: String,
    pub(super) repo: Option<String>,
    pub(super) lang: Option<String>,
    pub(super) limit: Option<u32>,
}

impl Question {
    fn request(&self, repos: &[Repo]) -> SearchRequest {
        let view = |repo: &Repo| View { repo: repo.name.clone(), reference: repo.reference.clone() };
        SearchRequest {
            query: self.query.clone(),
            repo: self.repo.as_deref().map(|name| full_name(name, repos)),
            lang: self.lang.clone(),
            limit: self.limit,
            views: repos.iter().take(limits::VIEWS).map(view).collect(),
        }
    }
}

/// The repository's name on the wire, where only its last part is given.
fn full_name(name: &str, repos: &[Repo]) -> String {
    let exact = repos.iter().any(|repo| repo.name == name);
    let mut alike = repos.iter().filter(|repo| repo.name.rsplit('/').next() == Some(name));
    match (exact, alike.next(), alike.next()) {
        (false, Some(only), None) => only.name.clone(),
        _ => name.to_owned(),
    }
}

impl CodebaseIndex {
    /// Asks the backend, for at most so long, and looks at the files of what it found.
    pub(super) fn search(
        &self,
        cx: &Cx<'_>,
        workspace: &Workspace,
        connection: &Connection,
        question: &Question,
        within: Duration,
    ) -> Result<Result<Answer, Standing>> {
        let repos = workspace.repos(&self.shared.limits.reading, self.shared.calendar.now());
        let reply = self.ask(cx, connection, &question.request(&repos.repos), within)?;
        Ok(reply.map(|reply| self.answer(reply, &repos, &workspace.cwd)))
    }

    fn ask(
        &self,
        cx: &Cx<'_>,
        connection: &Connection,
        request: &SearchRequest,
        within: Duration,
    ) -> Result<Result<SearchReply, Standing>> {
        let (backend, request) = (connection.quick.clone(), request.clone());
        let work = async move { tokio::time::timeout(within, backend.search(&request)).await };
        let late = || Err(BackendError::TimedOut { endpoint: "/search", within });
        let reply = self.net.run(cx, work, &mut || ())?.unwrap_or_else(|_| late());
        let reply = reply.map_err(|error| (trouble::standing(&error), error));
        let failed = match &reply {
            // One question that it does not like says nothing of the next.
            Err((standing, error)) if standing.state == State::Offline && error.is_lasting() => {
                standing.reason.clone()
            }
            _ => None,
        };
        connection.note(self.shared.calendar.now(), failed);
        Ok(reply.map_err(|(standing, _)| standing))
    }

    fn answer(&self, reply: SearchReply, repos: &Repos, cwd: &Path) -> Answer {
        let hits = hits::look(reply.results, &repos.repos, cwd);
        Answer { mode: reply.mode, hits, notes: reply.notes }
    }

    /// Syncs what has changed, and searches, for a model or a person who waits.
    pub(super) fn sync_and_search(
        &self,
        cx: &Cx<'_>,
        workspace: &Arc<Workspace>,
        question: &Question,
    ) -> Result<(Standing, Answer)> {
        let nothing = |standing: Standing| (standing, Answer::default());
        let connection = match self.shared.connections.now(&self.shared.limits) {
            Ok(connection) => connection,
            Err(why) => return Ok(nothing(Standing::without(State::Off, why.0))),
        };
        let number = self.sync(workspace, &connection)?;
        let begin = std::time::Instant::now();
        let synced = Self::wait(cx, workspace, number, &|| begin.elapsed() < SYNC_FIRST)?;
        if let Some(synced) = &synced
            && !synced.standing.answers()
        {
            return Ok(nothing(synced.standing.clone()));
        }
        match self.search(cx, workspace, &connection, question, WITHIN)? {
            Err(trouble) => Ok(nothing(trouble)),
            Ok(answer) => Ok((self.known(workspace, &connection), answer)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_is_found_by_its_last_part() {
        let repo = |name: &str| Repo { name: name.to_owned(), root: "/".into(), reference: "0f".to_owned() };
        let repos = [repo("acme/shop"), repo("acme/docs"), repo("other/docs"), repo("shop.js")];
        let check = |name: &str, expected: &str| assert_eq!(full_name(name, &repos), expected);
        check("shop", "acme/shop");
        check("acme/shop", "acme/shop");
        check("docs", "docs");
        check("elsewhere", "elsewhere");
        let question =
            Question { query: "q".to_owned(), repo: Some("shop".to_owned()), ..Question::default() };
        let request = question.request(&repos);
        assert_eq!((request.repo.as_deref(), request.views.len()), (Some("acme/shop"), 4));
    }
}
