//! The parts that replies are put together from.

use ctxhost_sdk::{
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
    select::{filter::Filter, picked::Picked, prompt::Prompt},
    shape::{
        sections::{self, Offered},
        snippet,
        status::{Standing, status},
    },
    source::{code::Code, switches::Switches},
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
            Ok(code) => (code.index(&code.view()), code.problems()),
            Err(refused) => {
                let hint = "work in a project's folder";
                (Default::default(), vec![("project-refused".to_owned(), format!("{refused}; {hint}"))])
            }
        };
        let standing = Standing {
            enabled: said.switches.retrieval,
            memory: self.memory_state(said.session, said.switches, said.recalled),
            problems: problems.iter().map(|(_, message)| message.clone()).collect(),
        };
        let (text, detail) = status(&index, &standing);
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
        for (code, message) in problems {
            reply = reply.finding(Level::Warning, &code, message);
        }
        reply.findings.extend(said.recalled.findings.iter().cloned());
        Ok(reply)
    }

    /// What fits a question, after a look at the files.
    pub(super) fn pick(
        &self,
        cx: &Cx<'_>,
        session: &Session,
        workspace: &Workspace,
        code: &Code,
        prompt: &Prompt,
        recent: &[String],
    ) -> Result<Picked> {
        let clock = fresh::Clock::new(cx);
        let view = fresh::look(code, workspace, session, cx.host(), &clock);
        let filter = Filter::default();
        let ask = Ask { prompt, recent, filter: &filter, depth: self.limits.reference_depth, limit: SYMBOLS };
        let fits = pick::fits(code, &view, &ask, &|| clock.used(0.6), &|| clock.used(0.85))?;
        Ok(pick::picked(prompt, fits))
    }

    /// What was picked as sections within a budget.
    pub(super) fn sections(&self, code: &Code, prompt: &Prompt, picked: &Picked, budget: u64) -> Offered {
        let matches = pick::line_matcher(prompt);
        let files: Vec<_> = picked
            .files
            .iter()
            .filter_map(|file| Some((file, snippet::snippet(file, &code.text(&file.path)?, &matches))))
            .collect();
        sections::code(&files, &picked.companions, budget)
    }
}
