//! One fresh look at everything that a question needs, and what follows from it.

use std::{cell::OnceCell, path::Path};

use ctxhost_sdk::{
    Cx, Result, SessionExt,
    abi::Status,
    protocol::envelope::{Agent, Finding, Session},
};

use crate::{
    provider::IdeContext,
    select::{
        connect::{Connected, Fate, Scored, best, decide, is_chosen},
        exclude::{Verdict, verdict},
        freshness::Freshness,
        snapshot::{Shows, Snapshot},
        tier::belonging,
    },
    shape::findings,
    source::{
        Editor, Look, Standing,
        connection::{Choice, Choices, Scope},
        paths::{Directory, Subject},
        rules::{ListPlaces, Lists, UnreadableList},
        sightings::Sightings,
    },
};

/// What is asked about: whose session it is, and when.
pub(super) struct Asked<'a> {
    pub(super) session: &'a Session,
    pub(super) agent: &'a Agent,
    pub(super) now: f64,
}

/// One fresh look.
pub(super) struct World<'a> {
    pub(super) asked: &'a Asked<'a>,
    pub(super) project: Directory,
    pub(super) look: Look,
    pub(super) list_places: ListPlaces,
    lists: OnceCell<Result<Lists, UnreadableList>>,
    secret_rules: bool,
    /// The user's choice that counts, and whose it is.
    pub(super) choice: Option<(Scope, Choice)>,
    fate: Fate,
    /// The choices of editors that are gone.
    gone: Vec<(Scope, Choice)>,
    sightings: &'a Sightings,
}

impl<'a> World<'a> {
    /// Looks at everything. Nothing of it is kept for the next question.
    pub(super) fn look(provider: &'a IdeContext, cx: &Cx<'_>, asked: &'a Asked<'a>) -> Result<Self> {
        // A quarter of the time is left for judging and writing what was read.
        let reserve = cx.remaining().map(|remaining| remaining / 4);
        let go_on = || match cx.check() {
            Ok(()) => Ok(cx.remaining() > reserve || reserve.is_none()),
            Err(error) if error.status() == Status::Deadline => Ok(false),
            Err(error) => Err(error),
        };
        asked.session.folder()?;
        let project = Directory::new(&asked.session.cwd);
        let look = Look::at(&provider.places.states, &go_on)?;
        let agent = asked.agent.config_dir.as_deref().filter(|path| path.starts_with('/')).map(Path::new);
        let list_places = ListPlaces::new(agent.or(provider.places.agent.as_deref()), &asked.session.cwd);
        let mut world = Self {
            asked,
            project,
            look,
            list_places,
            lists: OnceCell::new(),
            secret_rules: provider.secret_rules,
            choice: None,
            fate: Fate::Lives,
            gone: Vec::new(),
            sightings: &provider.sightings,
        };
        world.find_choice(&provider.choices);
        Ok(world)
    }

    /// The ignore lists, read when somebody first asks: without an editor there is nothing to keep out.
    pub(super) fn lists(&self) -> &Result<Lists, UnreadableList> {
        self.lists.get_or_init(|| self.list_places.read(self.secret_rules, self.asked.session.trusted))
    }

    /// Takes the session's own choice, else the directory's; one whose editor is gone does not count.
    fn find_choice(&mut self, choices: &Choices) {
        for scope in scopes(self.asked.session, &self.project) {
            let Some(choice) = choices.read(&scope) else { continue };
            self.fate = self.fate_of(&choice);
            if self.fate != Fate::Gone {
                self.choice = Some((scope, choice));
                return;
            }
            self.gone.push((scope, choice));
        }
    }

    /// Forgets the choices of editors that are gone, once a person has been told.
    pub(super) fn forget_gone(&self, choices: &Choices) {
        for (scope, choice) in &self.gone {
            choices.forget(scope, choice);
        }
    }

    fn fate_of(&self, choice: &Choice) -> Fate {
        let Choice::Editor { pid, .. } = choice else { return Fate::Lives };
        match self.look.files.iter().find(|file| file.pid == *pid).map(|file| &file.standing) {
            Some(Standing::Live(editor)) if is_chosen(editor, choice) => Fate::Lives,
            Some(Standing::Unreadable(_) | Standing::OffSpec(_)) => Fate::Unreadable,
            Some(Standing::Live(_) | Standing::Dead(_)) => Fate::Gone,
            // Without a whole look nobody knows.
            None if self.look.cut || self.look.refused.is_some() => Fate::Unreadable,
            None => Fate::Gone,
        }
    }

    /// The living editors with what they have to do with the session's directory.
    pub(super) fn scored(&self) -> Vec<Scored<'_>> {
        self.look
            .editors()
            .map(|editor| Scored { editor, belonging: belonging(editor, &self.project) })
            .collect()
    }

    /// How the session is connected, and how many editors are in the best tier.
    pub(super) fn connected<'b>(&self, scored: &[Scored<'b>]) -> (Connected<'b>, usize) {
        let choice = self.choice.as_ref().map(|(_, choice)| (choice, self.fate));
        (decide(scored, choice), best(scored).count())
    }

    /// Judges one editor's state. With `accept` it is for a prompt, and its selection is remembered as seen.
    pub(super) fn snapshot<'b>(&self, editor: &'b Editor, accept: bool) -> Snapshot<'b> {
        let shows = Shows::of(editor, &self.project);
        let lists = self.lists();
        // Also behind a table: an excluded file contributes nothing.
        let verdict = match (editor.paths.subject(&editor.state, &self.project), lists) {
            (Subject::File(file), Ok(lists)) => verdict(lists, &file.views),
            _ => Verdict::default(),
        };
        let mut snapshot = Snapshot {
            editor,
            shows,
            verdict,
            rules_known: lists.is_ok(),
            freshness: match shows {
                Shows::File(_) => {
                    let state = &editor.state;
                    Freshness::of(state.active_buffer.selection.as_ref(), state.timestamp, self.asked.now)
                }
                // What is selected elsewhere is nobody's business.
                Shows::Table(_) | Shows::Nothing(_) => Freshness::None,
            },
        };
        if let (Shows::File(file), Some(selected_at)) =
            (shows, snapshot.fresh_selection().and_then(|selection| selection.selected_at))
        {
            // A question that belongs to no session leaves nothing behind.
            let note = accept && self.asked.session.id.is_some();
            let process = (editor.pid, editor.start);
            if self.sightings.is_of_another_file(process, &file.path, selected_at, self.asked.now, note) {
                snapshot.freshness = Freshness::Borrowed;
            }
        }
        snapshot
    }

    /// What a person should be told.
    pub(super) fn findings(&self, provider: &IdeContext, snapshot: Option<&Snapshot<'_>>) -> Vec<Finding> {
        let mut findings = findings::of_look(&self.look, &provider.places.states);
        // The session's and the directory's may have been the same; one finding is enough then.
        findings.extend(self.gone.iter().take(1).filter_map(|(_, choice)| match choice {
            Choice::Editor { pid, app, .. } => Some(findings::of_gone_choice(app, *pid)),
            Choice::Nothing | Choice::Automatic => None,
        }));
        if snapshot.is_none() {
            return findings;
        }
        match self.lists() {
            Err(unreadable) => findings.push(findings::of_unreadable(unreadable)),
            Ok(lists) => {
                findings
                    .extend(lists.global.iter().chain(&lists.project).filter_map(findings::of_broken_lines));
                findings.extend(lists.project.as_ref().and_then(findings::of_dropped_rules));
            }
        }
        findings
    }
}

/// Where a choice is looked for: a session's own first.
fn scopes(session: &Session, project: &Directory) -> Vec<Scope> {
    let own = session.id.clone().map(Scope::Session);
    own.into_iter().chain([directory_scope(project)]).collect()
}

/// Where a choice is kept: with the session if there is one.
pub(super) fn scope(session: &Session, project: &Directory) -> Scope {
    session.id.clone().map_or_else(|| directory_scope(project), Scope::Session)
}

fn directory_scope(project: &Directory) -> Scope {
    Scope::Directory(project.real.clone().unwrap_or_else(|| project.path.clone()))
}
