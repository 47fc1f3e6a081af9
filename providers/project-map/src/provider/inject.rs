//! What comes with a prompt.

use ctxhost_sdk::{
    prelude::*,
    protocol::{
        envelope::Notify,
        project_map::{Artifacts, Budget, Contribution, Mode},
    },
};

use super::{
    events::Asked,
    pages::Pages,
    sessions,
    told::{self, NAMED},
    writing,
};
use crate::{
    select::{
        expand, is_within,
        pair::Kind,
        policy::{self, Action, Face, Moment, Seen, Situation, Turn},
        relevance,
        standing::{Reach, Standing, Stood},
    },
    shape::{
        hint::{self, Why},
        sections::{self, Offer, Offered},
    },
    source::{
        artifacts::{OnDisk, Store},
        workspace::Look,
    },
};

/// The parts of an event's time, behind the look, until which artifacts are held against the disk, and further pairs are
/// chosen. What no time is left for is said to be left out, or to be perhaps stale.
const COMPARE: f64 = 0.8;
const CHOOSE: f64 = 0.9;

/// What an action came to.
#[derive(Default)]
struct Come {
    offered: Offered,
    note: Option<String>,
    reminder: Option<String>,
    left_out: u64,
    budget: Budget,
    /// Whether a wanted half of the root's pair found no room.
    no_room: bool,
}

impl Come {
    fn free(&self) -> u64 {
        self.budget.limit.saturating_sub(self.offered.tokens)
    }

    /// A line of the provider's own, where there is room for it.
    fn line(&self, text: &str) -> Option<String> {
        (sections::note_tokens(text) <= self.free()).then(|| text.to_owned())
    }
}

impl Asked<'_> {
    /// Offers what the policy wants with a prompt of this text.
    pub(super) fn offer(&self, prompt: &str, first: bool) -> Result<Reply> {
        let artifacts = self.artifacts();
        match (self.config.mode, artifacts) {
            (Mode::Off, _) => self.quiet(),
            (_, Artifacts::None) => self.before_init(),
            _ => self.with_maps(artifacts, prompt, first),
        }
    }

    fn before_init(&self) -> Result<Reply> {
        let budget = self.budget();
        let fits = sections::hint_tokens() <= budget.limit;
        let (action, offered) = self.known(|known| {
            let mut action = policy::decide(&Situation {
                hinted: known.hinted,
                ..self.situation(Artifacts::None, Moment::Prompt(Turn::default()))
            });
            action.hint &= fits;
            known.hinted |= action.hint;
            (action, std::mem::take(&mut known.offered))
        });
        if offered {
            // The maps were removed: the host shall not bring them back.
            for kind in Kind::BOTH {
                let key = sessions::key(kind).to_owned();
                self.cx.host().notify(&Notify::Invalidate { key });
            }
        }
        let said = action.hint.then(|| hint::HINT.trim_end().to_owned());
        let data = Contribution {
            mode: self.config.mode,
            hint: said,
            budget: Some(budget),
            ..Contribution::default()
        };
        let mut reply = Reply::new().data(data)?.status("map: none", Some("no maps yet".to_owned()));
        reply.sections.extend(action.hint.then(sections::hint));
        Ok(reply)
    }

    fn with_maps(&self, artifacts: Artifacts, prompt: &str, first: bool) -> Result<Reply> {
        // Held from before the look: what was seen earlier than another's work would undo it.
        let alone = self.request.session.trusted.then(|| self.workspace.alone_now());
        let look = self.look();
        let store = Store::at(self.root, self.config);
        let over = || self.clock.used(COMPARE);
        let (disk, read) = on_disk(&store, &look, &over);
        let (stood, compared) = look.stood_until(&disk, &over);
        let compared = read.min(compared / 2);
        let complete = look.complete && compared == look.pairs.len();
        let may_write = complete && matches!(alone, Some(Ok(_)));
        let done = if may_write { self.refreshed(&store, &stood) } else { writing::Done::default() };
        drop(alone);
        let place = |dir: &str, kind| store.path(dir, kind);
        let trusted = self.request.session.trusted;
        let pages = Pages {
            pairs: &look.pairs,
            stood: &stood,
            compared,
            done: &done,
            own: self.workspace.own(),
            complete,
            trusted,
            place: &place,
        };
        let root = pages.hash(0);
        let knows = |name: &str| !self.clock.used(CHOOSE) && relevance::knows(&look.inventory, name);
        let relevant = relevance::is_relevant(prompt, &knows);
        let (situation, action, recent) = self.known(|known| {
            let turn = Turn { first: first || !known.offered, relevant, after_compaction: known.compacted };
            let [index, map] = Kind::BOTH.map(|kind| known.see(kind, &self.request.visible, &root));
            let situation =
                Situation { index, map, hinted: true, ..self.situation(artifacts, Moment::Prompt(turn)) };
            (situation, policy::decide(&situation), known.recent.clone())
        });
        let come = self.come(&pages, &root, &action, prompt, &recent);
        let wanted = action.index || action.map;
        let no_room = self.known(|known| {
            if wanted {
                known.no_room = come.no_room;
            }
            for section in &come.offered.sections {
                let kind = Kind::BOTH.into_iter().find(|kind| sessions::key(*kind) == section.key);
                kind.into_iter().for_each(|kind| known.offers(kind, &root));
            }
            come.no_room && !std::mem::replace(&mut known.no_room_told, true)
        });
        let limit = come.budget.limit;
        let mut reply = self.said(&pages, &look, root, &situation, come)?;
        if let Some(why) =
            stood.iter().filter(|stood| stood.dir.is_empty()).find_map(|stood| stood.elsewhere())
        {
            let message = format!("the map in the project's root {why}");
            reply = reply.finding(Level::Warning, "maps-foreign", message);
        }
        reply.findings.extend(self.unread());
        if no_room {
            let message = format!("the root's index and map find no room in {limit} tokens");
            reply = reply.finding(Level::Warning, "map-no-room", message);
        }
        let told = |known: &mut sessions::Known| !std::mem::replace(&mut known.spared_told, true);
        // Asking looks at the library of grammars, which no other prompt has to.
        let lacks = (done.spared > 0 && self.known(told)).then(|| self.workspace.lacks_grammars()).flatten();
        if let Some(lacks) = lacks {
            reply = reply.finding(Level::Warning, "maps-spared", hint::spared(done.spared, &lacks));
        }
        Ok(match done.trouble() {
            Some(trouble) => reply.finding(Level::Warning, "maps-unwritten", trouble),
            None => reply,
        })
    }

    /// Writes what is stale on disk anew. Where grammars are lacking, what was made of the same files with them is spared,
    /// or two hosts would write it back and forth.
    fn refreshed(&self, store: &Store, stood: &[Stood<'_>]) -> writing::Done {
        let stop = || self.clock.used(0.85);
        let is_stale = |at: &usize| {
            stood[*at].standing == Standing::Stale && stood[*at].disk.is_some_and(|disk| disk.sound)
        };
        let changed: Vec<&str> = (0..stood.len())
            .filter(is_stale)
            .map(|at| &stood[at])
            .filter(|stood| !stood.is_read_otherwise())
            .map(|stood| stood.dir)
            .collect();
        // A pair also says what matters below it.
        let is_above = |dir: &str| changed.iter().any(|changed| is_within(changed, dir));
        let is_spared = |at: &usize| stood[*at].is_read_otherwise() && !is_above(stood[*at].dir);
        let (spared, stale): (Vec<usize>, Vec<usize>) =
            (0..stood.len()).filter(is_stale).partition(is_spared);
        let mut done = writing::Done { spared: spared.len(), ..writing::Done::default() };
        for at in stale {
            let one = writing::carry_out(store, &stood[at..=at], Reach::Ours, &stop, &mut |_, _| ());
            done.written.extend(one.written);
            done.same.extend(one.same);
            // What there is no time for is written with the next prompt.
            if !one.failed.is_empty() || one.left > 0 {
                done.failed.extend(one.failed);
                break;
            }
        }
        done
    }

    /// Makes sections of an action.
    fn come(&self, pages: &Pages<'_>, root: &str, action: &Action, prompt: &str, recent: &[String]) -> Come {
        let budget = self.budget();
        let mut come = Come { budget, ..Come::default() };
        let wanted = [(action.index, Kind::Index), (action.map, Kind::Map)];
        let halves: Vec<Offer<'_>> =
            wanted.iter().filter(|(is, _)| *is).map(|(_, kind)| pages.offer(0, *kind, root)).collect();
        let needed: u64 = halves.iter().map(|offer| offer.block.needs()).sum();
        if action.if_small && needed > budget.limit / 2 {
            come.reminder = come.line(hint::REMINDER);
        } else if !halves.is_empty() {
            come.offered = sections::root(&halves, budget.limit, self.config.mode >= Mode::Strong);
            come.budget.root = come.offered.tokens;
            come.no_room = come.offered.sections.len() < halves.len();
        }
        if action.expansion && !expand::only_guaranteed(self.config) {
            self.expand(pages, prompt, recent, &mut come);
        }
        if action.reminder {
            come.reminder = come.line(hint::REMINDER);
        }
        if action.changed {
            come.note = come.line(hint::CHANGED);
        }
        if let Some(place) = hint::place(self.from).filter(|_| !come.offered.sections.is_empty()) {
            let both = place + come.note.as_deref().unwrap_or_default();
            come.note = come.line(&both).or(come.note.take());
        }
        come
    }

    /// Adds whole pairs as far as there is room, and a line about those that found none.
    fn expand(&self, pages: &Pages<'_>, prompt: &str, recent: &[String], come: &mut Come) {
        let hashes: Vec<std::cell::OnceCell<String>> = vec![std::cell::OnceCell::new(); pages.pairs.len()];
        let halves = |at: usize| {
            let hash = hashes[at].get_or_init(|| pages.hash(at));
            Kind::BOTH.map(|kind| pages.offer(at, kind, hash))
        };
        let over = || self.clock.used(CHOOSE);
        let order = expand::order(pages.pairs, prompt, recent, &over);
        let free = come.free();
        let named = |taken: &[usize]| -> Vec<&str> {
            let left = order.iter().filter(|at| !taken.contains(at));
            left.map(|at| pages.pairs[*at].dir.as_str()).collect()
        };
        // The line about what is left out needs room as well; with fewer left out it is never longer.
        let line = hint::left_out(&named(&[]), Why::Time).map_or(0, |line| sections::note_tokens(&line));
        let room = free.saturating_sub(line).min(self.config.expansion_tokens);
        let mut tokens = |at: usize| sections::pair_tokens(&halves(at));
        let expand::Taken { pairs: taken, cut } = expand::take(pages.pairs, &order, room, &over, &mut tokens);
        for (place, at) in taken.iter().enumerate() {
            let more = sections::pair(&halves(*at), place);
            come.budget.expansion += more.tokens;
            come.offered.sections.extend(more.sections);
            come.offered.injected.extend(more.injected);
        }
        let left = named(&taken);
        come.left_out = left.len() as u64;
        let why = if cut { Why::Time } else { Why::Room };
        come.note = hint::left_out(&left, why).filter(|_| line <= free);
    }

    /// A reply with document, status, sections and, where somebody wants to know, why.
    fn said(
        &self,
        pages: &Pages<'_>,
        look: &Look,
        root: String,
        situation: &Situation,
        come: Come,
    ) -> Result<Reply> {
        let mut data = Contribution {
            mode: self.config.mode,
            artifacts: situation.artifacts,
            root: told::root(pages, root),
            complete: pages.complete,
            visible: told::visible(situation),
            injected: come.offered.injected.into_iter().take(NAMED).collect(),
            left_out: come.left_out,
            budget: Some(come.budget),
            reminder: come.reminder.as_deref().map(|text| text.trim_end().to_owned()),
            ..Contribution::default()
        };
        told::count(pages, look, &mut data);
        let status = format!("map:{}", data.counts.pairs);
        let mut detail = format!("{} pairs over {} files", data.counts.pairs, data.counts.files);
        let states = [
            (data.counts.stale, "stale"),
            (data.counts.missing, "missing"),
            (data.counts.edited, "edited by hand"),
        ];
        for (number, state) in states.into_iter().filter(|(number, _)| *number > 0) {
            detail += &format!(", {number} {state}");
        }
        let explanation = if self.request.explain { told::why(situation, &data) } else { Vec::new() };
        let mut reply = Reply::new().data(data)?.status(status, Some(detail));
        reply.explanation = explanation;
        reply.sections = come.offered.sections;
        reply.sections.extend(come.reminder.or(come.note).map(|text| sections::note(&text)));
        reply.findings.extend(look.findings.iter().cloned());
        Ok(reply)
    }

    /// What may be said, with nothing spent.
    fn budget(&self) -> Budget {
        let window = self.request.agent.model.as_ref().and_then(|model| model.context_window);
        expand::budget(self.config, window, self.request.budget.tokens)
    }

    /// How things stand, with nothing visible.
    pub(super) fn situation(&self, artifacts: Artifacts, moment: Moment) -> Situation {
        Situation {
            mode: self.config.mode,
            artifacts,
            index: Seen::None,
            map: Seen::None,
            moment,
            hinted: false,
            bypassed: false,
            no_room: false,
            face: Face::default(),
        }
    }
}

/// What is on disk of these pairs, of as many as there is time for, and of how many; the root's is among them.
fn on_disk(store: &Store, look: &Look, over: &dyn Fn() -> bool) -> (Vec<OnDisk>, usize) {
    let mut disk = Vec::new();
    let mut read = look.pairs.len();
    for (at, pair) in look.pairs.iter().enumerate() {
        if at > 0 && over() {
            read = at;
            break;
        }
        // One that cannot be read is as good as none; `validate` says which.
        disk.extend(Kind::BOTH.iter().filter_map(|kind| store.read(&pair.dir, *kind).ok().flatten()));
    }
    store.with_bases(&mut disk);
    (disk, read)
}
