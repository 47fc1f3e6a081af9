//! The parts that replies are put together from.

use std::sync::Arc;

use ctxhost_code::project::View;
use ctxhost_sdk::{
    Clock,
    prelude::*,
    protocol::{
        envelope::Session,
        pilot_index::{Budget, Contribution, Mode},
    },
};

use super::{
    PilotIndex, fresh,
    pick::{self, Ask},
    remember::Recalled,
    workspaces::Workspace,
};
use crate::{
    select::{
        filter::Filter,
        picked::{Picked, PickedFile},
        prompt::Prompt,
    },
    shape::{
        sections::{self, Offered},
        snippet,
        status::{Standing, status},
    },
    source::{
        code::{Code, Trouble},
        switches::Switches,
    },
};

/// How many definitions are compared for a prompt: the document's figure.
const SYMBOLS: usize = 30;

/// Everything a reply says beside its sections.
pub(super) struct Said<'a> {
    pub(super) session: &'a Session,
    pub(super) workspace: &'a Workspace,
    pub(super) switches: Switches,
    pub(super) mode: Mode,
    pub(super) picked: Option<&'a Picked>,
    pub(super) recalled: &'a Recalled,
    pub(super) budget: Option<Budget>,
}

impl PilotIndex {
    /// A reply with document, status and findings.
    pub(super) fn say(&self, said: &Said<'_>) -> Result<Reply> {
        let (index, problems) = match &said.workspace.code {
            Ok(code) => {
                let view = code.view();
                (code.index(&view), code.problems(&view))
            }
            Err(refused) => {
                let hint = "work in a project's folder";
                let message = format!("{refused}; {hint}");
                let trouble = Trouble { level: Level::Warning, code: "project-refused", message };
                (Default::default(), vec![trouble])
            }
        };
        let standing = Standing {
            enabled: said.switches.retrieval,
            memory: self.memory_state(said.session, said.switches, said.recalled),
            problems: problems.iter().map(|trouble| trouble.message.clone()).collect(),
        };
        let (text, detail) = status(&index, &standing);
        said.workspace.stands(standing);
        let contribution = Contribution {
            mode: said.mode,
            enabled: said.switches.retrieval,
            index,
            query: said.picked.map(|picked| picked.query.clone()),
            selection: said.picked.map(|p| p.files.iter().map(|f| f.chosen()).collect()).unwrap_or_default(),
            companions: said.picked.map(|picked| picked.companions.clone()).unwrap_or_default(),
            memory: said.recalled.documents.clone(),
            budget: said.budget,
        };
        let mut reply = Reply::new().data(contribution)?.status(text, Some(detail));
        for Trouble { level, code, message } in problems {
            reply = reply.finding(level, code, message);
        }
        reply.findings.extend(said.recalled.findings.iter().cloned());
        Ok(reply)
    }

    /// What fits a question, after a look at the files, and the state of the files that it was found in.
    pub(super) fn pick(
        &self,
        cx: &Cx<'_>,
        session: &Session,
        workspace: &Workspace,
        code: &Code,
        prompt: &Prompt,
        recent: &[String],
    ) -> Result<(Picked, Arc<View>)> {
        let clock = Clock::new(cx);
        let view = fresh::look(code, workspace, session, cx.host(), &clock);
        let filter = Filter::default();
        let ask = Ask { prompt, recent, filter: &filter, depth: self.limits.reference_depth, limit: SYMBOLS };
        let fits = pick::fits(code, &view, &ask, &|| clock.used(fresh::SCAN), &|| clock.used(fresh::PARSE))?;
        Ok((pick::picked(prompt, fits), view))
    }
}

/// What was picked as sections within a budget. A file that has changed since it was looked at is left out: the places of
/// its definitions are those of another text.
pub(super) fn sections(code: &Code, view: &View, prompt: &Prompt, picked: &Picked, budget: u64) -> Offered {
    let matches = pick::line_matcher(prompt);
    let snippet =
        |file: &PickedFile| Some(snippet::snippet(file, &code.text_as_known(view, &file.path)?, &matches));
    let files: Vec<_> = picked.files.iter().filter_map(|file| Some((file, snippet(file)?))).collect();
    sections::code(&files, &picked.companions, budget)
}

#[cfg(test)]
mod tests;
