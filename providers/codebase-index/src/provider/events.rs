//! What each event is answered with.

use std::{sync::Arc, time::Duration};

use ctxhost_sdk::{
    Clock,
    prelude::*,
    protocol::{
        codebase_index::State,
        envelope::{Life, ToolAfterData, ToolKind},
    },
};

use super::{CodebaseIndex, connection::Connection, searching::Question, workspaces::Workspace};
use crate::{
    select::prompt::question,
    shape::{answers::Answer, sections::sections, standing::Standing},
};

/// Files are looked at again after so many seconds, however they changed.
const LOOK_AGAIN: f64 = 30.0;

/// So much of a prompt's time goes to syncing what was just edited, and the search ends at the second part.
const SYNC_PART: f64 = 0.4;
const SEARCH_PART: f64 = 0.9;

/// A search in less time is not begun.
const LEAST: Duration = Duration::from_millis(50);

/// A reply tells so many findings.
const MOST_FINDINGS: usize = 8;

/// Answers an event.
pub(super) fn answer(provider: &CodebaseIndex, cx: &Cx<'_>, request: &Request) -> Result<Reply> {
    cx.check()?;
    let workspace = provider.shared.workspaces.at(request.session.folder()?);
    if matches!(request.event.as_str(), "tool.after") && changes(request)? {
        workspace.changed();
    }
    let connection = match provider.shared.connections.now(&provider.shared.limits) {
        Ok(connection) => connection,
        Err(why) => return say(&Standing::without(State::Off, why.0), None, Vec::new()),
    };
    let asked = Asked { provider, cx, request, workspace, connection };
    match request.event.as_str() {
        "session.start" => asked.start(),
        "prompt" => asked.prompt(),
        "tool.after" => asked.after(),
        _ => say(&asked.standing(), None, Vec::new()),
    }
}

/// Whether files may be others after a tool's call.
fn changes(request: &Request) -> Result<bool> {
    let data: ToolAfterData = request.data_as()?;
    Ok(matches!(data.call.kind, ToolKind::Edit | ToolKind::Write | ToolKind::Run))
}

struct Asked<'a> {
    provider: &'a CodebaseIndex,
    cx: &'a Cx<'a>,
    request: &'a Request,
    workspace: Arc<Workspace>,
    connection: Arc<Connection>,
}

impl Asked<'_> {
    fn standing(&self) -> Standing {
        self.provider.known(&self.workspace, &self.connection)
    }

    /// A process that lives for one event starts nothing in the background.
    fn lives_on(&self) -> bool {
        self.request.session.life == Life::Long
    }

    fn start(&self) -> Result<Reply> {
        if self.lives_on() {
            self.provider.sync(&self.workspace, &self.connection)?;
        }
        say(&self.standing(), None, self.findings())
    }

    fn after(&self) -> Result<Reply> {
        if self.lives_on() && self.workspace.is_dirty() && self.standing().state != State::SignedOut {
            self.provider.sync_later(&self.workspace, &self.connection)?;
        }
        say(&self.standing(), None, Vec::new())
    }

    fn prompt(&self) -> Result<Reply> {
        let data: PromptData = self.request.data_as()?;
        let clock = Clock::new(self.cx);
        let whole = self.cx.remaining();
        let before = self.standing();
        let limits = &self.provider.shared.limits;
        let Some(query) = question(&data.text).filter(|_| limits.prompt && before.answers()) else {
            return say(&before, None, self.findings());
        };
        self.sync_first(&clock)?;
        let left = match (self.cx.remaining(), whole) {
            (Some(left), Some(whole)) => left.saturating_sub(whole.mul_f64(1.0 - SEARCH_PART)),
            _ => Duration::from_secs(5),
        };
        if left < LEAST {
            return say(&self.standing(), None, self.findings());
        }
        let question =
            Question { query: query.clone(), limit: Some(limits.prompt_results), ..Question::default() };
        match self.provider.search(self.cx, &self.workspace, &self.connection, &question, left)? {
            Ok(answer) => {
                let offered =
                    Offered { query, answer, budget: limits.prompt_tokens.min(self.request.budget.tokens) };
                say(&self.standing(), Some(offered), self.findings())
            }
            Err(trouble) => {
                let known = self.workspace.last(self.connection.backend.base()).unwrap_or_default();
                say(&known.but(trouble.state, trouble.reason), None, self.findings())
            }
        }
    }

    /// Sends what was edited since the last sync, for a part of the prompt's time; the rest goes on behind it.
    fn sync_first(&self, clock: &Clock<'_, '_>) -> Result<()> {
        let now = self.provider.shared.calendar.now();
        let last = self.workspace.last(self.connection.backend.base()).and_then(|last| last.synced_at);
        let old = last.is_none_or(|at| !(0.0..LOOK_AGAIN).contains(&(now - at)));
        let dirty = self.workspace.is_dirty();
        if !dirty && !old {
            return Ok(());
        }
        let number = self.provider.sync(&self.workspace, &self.connection)?;
        // Without an edit that is known of, what is there is most likely what is on the disk.
        if dirty || !self.lives_on() {
            // The host's clock stands still in tests.
            let begin = std::time::Instant::now();
            let most = self.cx.remaining().map_or(Duration::from_secs(1), |whole| whole.mul_f64(SYNC_PART));
            let patient = || !clock.used(SYNC_PART) && begin.elapsed() < most;
            CodebaseIndex::wait(self.cx, &self.workspace, number, &patient)?;
        }
        Ok(())
    }

    fn findings(&self) -> Vec<Finding> {
        let now = self.provider.shared.calendar.now();
        let repos = self.workspace.repos(&self.provider.shared.limits.reading, now);
        let mut findings = repos.findings.clone();
        findings.extend(super::looking::unencrypted(&self.connection.url).map(|message| Finding {
            level: Level::Warning,
            code: "unencrypted".to_owned(),
            message,
            ..Finding::default()
        }));
        findings
    }
}

/// What a prompt gets.
struct Offered {
    query: String,
    answer: Answer,
    budget: u64,
}

fn say(standing: &Standing, offered: Option<Offered>, findings: Vec<Finding>) -> Result<Reply> {
    let mut data = standing.contribution();
    let mut reply = Reply::new();
    // Nothing is offered by a backend that does not answer, whatever it said a moment ago.
    if let Some(Offered { query, answer, budget }) = offered.filter(|_| standing.answers()) {
        reply.sections = sections(&answer.hits, budget);
        reply.explanation = answer.hits.iter().map(explained).collect();
        data.query = Some(query);
        data.mode = answer.mode();
        data.hits = answer.ranked();
        data.notes = answer.notes();
    }
    reply.findings = findings.into_iter().take(MOST_FINDINGS).collect();
    reply.status(standing.pill(), standing.detail()).data(data)
}

fn explained(hit: &crate::source::hits::Hit) -> String {
    let stale = if hit.stale { ", changed since it was indexed" } else { "" };
    format!("{:.3} {} in {}{stale}", hit.found.score, hit.found.symbol, hit.shown)
}
