//! What each event is answered with.

use std::path::Path;

use ctxhost_code::project::Pace;
use ctxhost_sdk::{
    Clock,
    prelude::*,
    protocol::{
        envelope::{
            Insert, Life, Messages, ModelCallData, ToolAfterData, ToolBeforeData, ToolKind, TurnEndData,
        },
        pilot_index::{Budget, Mode},
    },
};

use super::{
    PilotIndex, fresh,
    remember::Recalled,
    reply::{Said, sections as sections_of},
    sessions::{Known, Rewritten},
    workspaces::Workspace,
};
use crate::{
    select::{
        choice::Choice,
        picked::Picked,
        prompt::Prompt,
        window::{Window, window},
    },
    shape::{
        debug,
        sections::{self, Offered},
        status::Standing,
    },
    source::switches::Switches,
};

/// How many earlier questions count with the newest: the document's figure.
const EARLIER: usize = 4;

/// Answers an event.
pub(super) fn answer(provider: &PilotIndex, cx: &Cx<'_>, request: &Request) -> Result<Reply> {
    cx.check()?;
    let workspace = provider.workspaces.of(&request.session, request.now);
    let switches = provider.board.read(Path::new(&request.session.cwd));
    workspace.stands_at_first(|| Standing {
        enabled: switches.retrieval,
        memory: provider.memory_state(&request.session, switches, &Recalled::default()),
        problems: Vec::new(),
    });
    let asked = Asked { provider, cx, request, workspace: &workspace, switches };
    match request.event.as_str() {
        "session.start" => asked.start(),
        "prompt" => asked.prompt(),
        "model_call" => asked.model_call(),
        "tool.before" => asked.before(),
        "tool.after" => asked.after(),
        "turn.end" => asked.turn_end(),
        "session.end" => {
            provider.sessions.end(&request.session);
            asked.nothing()
        }
        _ => asked.nothing(),
    }
}

struct Asked<'a> {
    provider: &'a PilotIndex,
    cx: &'a Cx<'a>,
    request: &'a Request,
    workspace: &'a Workspace,
    switches: Switches,
}

impl Asked<'_> {
    /// How code reaches the model here: an agent that cannot have its conversation rewritten gets it appended.
    fn mode(&self) -> Mode {
        let can = self.request.agent.can.iter().any(|can| can == "rewrite");
        if can { self.provider.limits.mode } else { Mode::Append }
    }

    fn say(&self, picked: Option<&Picked>, recalled: &Recalled, budget: Option<Budget>) -> Result<Reply> {
        self.provider.say(&Said {
            session: &self.request.session,
            workspace: self.workspace,
            switches: self.switches,
            mode: self.mode(),
            picked,
            recalled,
            budget,
        })
    }

    fn nothing(&self) -> Result<Reply> {
        self.say(None, &Recalled::default(), None)
    }

    fn known<T>(&self, act: impl FnOnce(&mut Known) -> T) -> T {
        self.provider.sessions.with(&self.request.session, act)
    }

    /// Begins to index: in the background, or for as long as this call may take.
    fn start(&self) -> Result<Reply> {
        if let Ok(code) = &self.workspace.code
            && self.switches.retrieval
        {
            if self.request.session.life == Life::Long {
                self.workspace.go_on(&self.request.session, self.cx.host());
            } else {
                let clock = Clock::new(self.cx);
                code.look(&|part| clock.used(part * fresh::LOOK));
                fresh::rest(code, &self.request.session, &clock, 0.9);
            }
        }
        let recalled = self.provider.recall(&self.request.session, self.switches, "", &[], self.request.now);
        self.say(None, &recalled, None)
    }

    fn prompt(&self) -> Result<Reply> {
        let data: PromptData = self.request.data_as()?;
        let recent = self.known(|known| {
            known.turn.prompt(&data.text);
            known.rewritten = None;
            known.recent.clone()
        });
        if !self.switches.retrieval {
            return self.nothing();
        }
        let recalled =
            self.provider.recall(&self.request.session, self.switches, &data.text, &recent, self.request.now);
        let prompt = Prompt::read(&data.text);
        let Ok(code) = &self.workspace.code else { return self.say(None, &recalled, None) };
        let clock = Clock::new(self.cx);
        let (picked, view) =
            self.provider.pick(self.cx, &self.request.session, self.workspace, code, &prompt, &recent)?;
        let limit = self.provider.limits.append_tokens.min(self.request.budget.tokens);
        if self.mode() == Mode::Reconstruct {
            // The code comes with each call of the model, in front of the conversation.
            let budget = Budget { limit: self.provider.limits.total_tokens, ..Budget::default() };
            return self.say(Some(&picked), &recalled, Some(budget));
        }
        let memory = sections::memory(recalled.blocks.clone()).filter(|(_, tokens)| *tokens <= limit);
        let taken = memory.as_ref().map_or(0, |(_, tokens)| *tokens);
        let offered = sections_of(code, &view, &prompt, &picked, limit - taken);
        let budget = Budget { limit, retrieved: offered.tokens, memory: taken, ..Budget::default() };
        let picked = shown(picked, &offered);
        let mut reply = self.say(Some(&picked), &recalled, Some(budget))?;
        self.explain(&mut reply);
        reply.sections.extend(memory.map(|(section, _)| section));
        reply.sections.extend(offered.sections);
        // A person waits for this answer, so that not all of its time is taken.
        fresh::rest(code, &self.request.session, &clock, 0.7);
        Ok(reply)
    }

    /// Rewrites the conversation: memory and code in front of the last turns.
    fn model_call(&self) -> Result<Reply> {
        if self.mode() != Mode::Reconstruct || !self.switches.retrieval {
            return self.nothing();
        }
        let Ok(code) = &self.workspace.code else { return self.nothing() };
        let data: ModelCallData = self.request.data_as()?;
        let limits = &self.provider.limits;
        // What retrieved code may take is kept free of messages, so that old turns never crowd it out.
        let room_for_messages = limits.total_tokens - limits.retrieved_tokens;
        let window = window(&data.messages, limits.window_turns, room_for_messages);
        let room = limits.total_tokens.saturating_sub(window.tokens);
        let recent = self.known(|known| known.recent.clone());
        let question: Vec<String> = window.asked.iter().take(1 + EARLIER).cloned().collect();
        let words = question.join("\n\n");
        let recalled =
            self.provider.recall(&self.request.session, self.switches, &words, &recent, self.request.now);
        let rewritten = self.retrieved(code, &question, &words, &recent, room)?;
        let mut memory = sections::memory(recalled.blocks.clone());
        // The memory is dropped before any code is.
        memory = memory.filter(|(_, tokens)| rewritten.retrieved + tokens <= room);
        let taken = memory.as_ref().map_or(0, |(_, tokens)| *tokens);
        let budget = Budget {
            limit: limits.total_tokens,
            retrieved: rewritten.retrieved,
            memory: taken,
            window: window.tokens,
            kept: window.keep.len() as u64,
            dropped: window.dropped,
        };
        let mut reply = self.say(Some(&rewritten.picked), &recalled, Some(budget))?;
        self.explain(&mut reply);
        reply.sections.extend(memory.map(|(section, _)| section));
        reply.sections.extend(rewritten.sections);
        reply.messages = messages(&window, &reply.sections);
        Ok(reply)
    }

    /// Retrieves once for a question and the files as they are: every call of a turn sees the same.
    fn retrieved(
        &self,
        code: &crate::source::code::Code,
        question: &[String],
        words: &str,
        recent: &[String],
        room: u64,
    ) -> Result<Rewritten> {
        let clock = Clock::new(self.cx);
        code.look(&|part| clock.used(part * fresh::LOOK));
        let root = code.project.snapshot().root();
        let budget = self.provider.limits.retrieved_tokens.min(room);
        let same =
            |kept: &Rewritten| kept.question == question && kept.root == root && kept.retrieved <= budget;
        if let Some(kept) = self.known(|known| known.rewritten.clone()).filter(same) {
            return Ok(kept);
        }
        let prompt = Prompt::read(words);
        let (picked, view) =
            self.provider.pick(self.cx, &self.request.session, self.workspace, code, &prompt, recent)?;
        let offered = sections_of(code, &view, &prompt, &picked, budget);
        let picked = shown(picked, &offered);
        let rewritten = Rewritten {
            question: question.to_vec(),
            root: view.snapshot.root(),
            picked,
            retrieved: offered.tokens,
            sections: offered.sections,
        };
        let kept = rewritten.clone();
        self.known(|known| known.rewritten = Some(kept));
        Ok(rewritten)
    }

    /// Files that are about to be edited count as edited lately.
    fn before(&self) -> Result<Reply> {
        let data: ToolBeforeData = self.request.data_as()?;
        if let (true, Ok(code)) = (edits(data.kind), &self.workspace.code) {
            let cwd = Path::new(&self.request.session.cwd);
            let paths: Vec<String> =
                data.paths.iter().take(20).filter_map(|path| code.relative(cwd, path)).collect();
            self.known(|known| paths.iter().for_each(|path| known.edits(path)));
        }
        self.nothing()
    }

    /// What was edited is indexed, and remembered.
    fn after(&self) -> Result<Reply> {
        let data: ToolAfterData = self.request.data_as()?;
        let Ok(code) = &self.workspace.code else { return self.nothing() };
        if !edits(data.call.kind) || data.is_error {
            return self.nothing();
        }
        let session = &self.request.session;
        let findings = self.known(|known| {
            self.provider.touched(session, self.switches, code, known, &data, self.request.now)
        });
        if session.life == Life::Long {
            self.workspace.go_on(session, self.cx.host());
        } else {
            let clock = Clock::new(self.cx);
            code.look(&|part| clock.used(part * fresh::LOOK));
            code.update(Pace::Now, &|| clock.used(0.8), &mut |_, _| ());
        }
        let mut reply = self.nothing()?;
        reply.findings.extend(findings);
        Ok(reply)
    }

    fn turn_end(&self) -> Result<Reply> {
        let data: TurnEndData = self.request.data_as()?;
        let text = data.assistant_text.as_deref();
        let session = &self.request.session;
        let findings = self
            .known(|known| self.provider.turn_ended(session, self.switches, known, text, self.request.now));
        let mut reply = self.nothing()?;
        reply.findings.extend(findings);
        Ok(reply)
    }

    /// Keeps the document for `context-debug`, of a conversation for other processes too.
    fn explain(&self, reply: &mut Reply) {
        if self.request.explain {
            let lines = debug::text(&reply.data);
            reply.explanation =
                lines.lines().take(256).map(|line| line.chars().take(1_000).collect()).collect();
        }
        let Ok(said) = ctxhost_sdk::serde_json::from_value(reply.data.clone()) else { return };
        let Request { session, agent, now, explain, .. } = self.request;
        let choice = Choice {
            session: session.id.clone().unwrap_or_default(),
            agent: agent.name.clone(),
            at: *now,
            said,
        };
        // What a person only wants explained reaches no agent.
        if session.id.is_some() && !explain {
            self.provider.chosen.keep(Path::new(&session.cwd), choice.clone());
        }
        *crate::source::code::lock(&self.workspace.last) = Some(choice);
    }
}

fn edits(kind: ToolKind) -> bool {
    matches!(kind, ToolKind::Edit | ToolKind::Write)
}

/// What was picked without the files that found no room.
fn shown(mut picked: Picked, offered: &Offered) -> Picked {
    picked
        .files
        .retain(|file| offered.sections.iter().any(|section| section.key == sections::key(&file.path)));
    picked
        .companions
        .retain(|companion| picked.files.iter().any(|file| companion.of.as_ref() == Some(&file.path)));
    picked
}

/// Says what stays and where the sections go; `None` when everything stays and nothing comes in.
fn messages(window: &Window, sections: &[Section]) -> Option<Messages> {
    let insert = sections.iter().map(|section| Insert { before: window.before, key: section.key.clone() });
    let insert: Vec<Insert> = insert.take(256).collect();
    (window.dropped > 0 || !insert.is_empty()).then(|| Messages { keep: window.keep.clone(), insert })
}
