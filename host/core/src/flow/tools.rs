//! The tools of all providers, and what an agent calls them.
//!
//! A tool keeps its own name unless the agent guards it or somebody has taken it; then it is `<alias>_<name>`.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use ctxhost_protocol::envelope::{AgentTools, Command, Event, Tool, ToolsReply};
use serde_json::Value;

use super::{lock, run::parse_reply, starts::START_WAIT, workspace::Workspace};
use crate::{
    ask::{self, Cancel, Question, Slot},
    compose::place_of,
    finding::{Finding, FindingExt, REPORT, Step},
};

/// A tool as an agent sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct OfferedTool {
    /// What the agent calls it.
    pub name: String,
    /// Whose it is.
    pub provider: String,
    /// The provider's own name for it.
    pub tool: String,
    /// What the model reads about it.
    pub description: String,
    /// JSON Schema of its arguments.
    pub schema: Value,
    /// Fixed instructions for the model.
    pub guidelines: Vec<String>,
    /// Whether it is offered now.
    pub active: bool,
}

/// A command that a person can run.
#[derive(Clone, Debug, PartialEq)]
pub struct OfferedCommand {
    /// Whose it is.
    pub provider: String,
    /// The command.
    pub command: Command,
}

/// What an agent may call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Offered {
    /// Grows whenever the list may have become another one.
    pub revision: u64,
    /// The tools, in the order of providers.
    pub tools: Vec<OfferedTool>,
    /// The commands.
    pub commands: Vec<OfferedCommand>,
    /// The longest that the host itself takes for an event, in milliseconds; only events that somebody asked for.
    pub deadlines_ms: BTreeMap<String, u64>,
}

/// The tools by their own names, as providers last listed them.
pub(super) struct Listed {
    /// The moment before they were asked for; no two lists have the same.
    moment: u64,
    providers: Vec<ProviderTools>,
}

pub(super) struct ProviderTools {
    pub(super) id: String,
    alias: String,
    pub(super) tools: Vec<Tool>,
    commands: Vec<Command>,
}

impl Workspace {
    /// The tools now: as they were last listed unless a provider said that they changed; loads every provider.
    pub(super) fn list_tools(&self, cancel: &Cancel) -> (Arc<Listed>, Vec<Finding>) {
        // Held while they are listed, so that two who ask at once ask the providers once.
        let _listing = lock(&self.listing);
        if let Some(known) = self.last_listed().filter(|known| !self.heard.tools_changed_since(known.moment))
        {
            return (known, Vec::new());
        }
        let moment = self.heard.next_moment();
        let (providers, findings) = self.tools_of(&self.slots, cancel);
        let fresh = Arc::new(Listed { moment, providers });
        // What was cut short is no list to go on with.
        if !cancel.is_cancelled() {
            *lock(&self.listed) = Some(Arc::clone(&fresh));
        }
        (fresh, findings)
    }

    /// Asks these providers what tools they have.
    pub(super) fn tools_of(
        &self,
        slots: &[Arc<Slot>],
        cancel: &Cancel,
    ) -> (Vec<ProviderTools>, Vec<Finding>) {
        let question = Question { op: "tools", name: "tools".to_owned(), input: Arc::from(*b"{}") };
        let answers = ask::ask(slots, &question, &self.loader, cancel, || ());
        let mut findings = Vec::new();
        let mut providers = Vec::new();
        for answer in answers {
            let Some(loaded) =
                self.slots.iter().find(|slot| slot.id == answer.provider).and_then(|slot| slot.peek())
            else {
                findings.extend(answer.findings.into_iter().chain(answer.reply.err()));
                continue;
            };
            findings.extend(answer.findings);
            let manifest = &loaded.manifest;
            let tools = match answer.reply {
                Ok(bytes) => match parse_reply::<ToolsReply>(&self.validators, "tools-reply", &bytes) {
                    Ok(reply) => reply.tools,
                    Err(finding) => {
                        findings.push(finding.about(&answer.provider));
                        manifest.tools.clone()
                    }
                },
                // One that does not know the op has the tools of its manifest.
                Err(finding) if finding.code == "unknown-op" => manifest.tools.clone(),
                Err(finding) => {
                    findings.push(finding);
                    manifest.tools.clone()
                }
            };
            let tools = each_once(tools, &answer.provider, &mut findings);
            providers.push(ProviderTools {
                id: answer.provider,
                alias: manifest.alias.clone().unwrap_or_else(|| manifest.id.replace('-', "_")),
                tools,
                commands: manifest.commands.clone(),
            });
        }
        let order = &self.loader.settings.order;
        providers.sort_by(|a, b| place_of(&a.id, order).cmp(&place_of(&b.id, order)));
        (providers, findings)
    }

    /// The tools as they were last listed, whether or not they are so still.
    pub(super) fn last_listed(&self) -> Option<Arc<Listed>> {
        lock(&self.listed).clone()
    }

    /// The longest that the host takes for each event that somebody asked for, in milliseconds.
    pub(super) fn deadlines_ms(&self) -> BTreeMap<String, u64> {
        let mut deadlines = BTreeMap::new();
        for event in Event::NAMES {
            let wanting = self.slots.iter().filter(|slot| slot.wants(event));
            let longest = wanting
                .filter_map(|slot| {
                    let loaded = slot.peek();
                    self.loader.settings.deadline_ms(loaded.as_ref().map(|loaded| &loaded.manifest), event)
                })
                .max();
            if let Some(longest) = longest {
                let wait = if event == "prompt" { START_WAIT.as_millis() as u64 } else { 0 };
                deadlines.insert(event.to_owned(), longest.saturating_add(wait));
            }
        }
        deadlines
    }
}

/// The tools without those that have the name of an earlier one.
fn each_once(mut tools: Vec<Tool>, provider: &str, findings: &mut Vec<Finding>) -> Vec<Tool> {
    let before = tools.len();
    let mut seen = BTreeSet::new();
    tools.retain(|tool| seen.insert(tool.name.clone()));
    if tools.len() < before {
        let why = "lists two tools with one name; the first was kept";
        findings.push(Step::Validate.warning("duplicate-tool", why).about(provider).hint(REPORT));
    }
    tools
}

/// What an agent calls each tool.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// By the agent's name: the provider and its own name.
    owners: BTreeMap<String, (String, String)>,
    /// By provider: own name and the agent's, only where they differ.
    renamed: BTreeMap<String, BTreeMap<String, String>>,
}

impl Names {
    /// Gives every tool a name that is free in this agent; a tool for which there is none is left out with a finding.
    pub(super) fn of(listed: &Listed, agent: &AgentTools) -> (Self, Vec<Finding>) {
        let mut used: BTreeSet<String> = agent.guarded.iter().chain(&agent.taken).cloned().collect();
        let mut names = Self::default();
        let mut findings = Vec::new();
        for provider in &listed.providers {
            for tool in &provider.tools {
                let prefixed = format!("{}_{}", provider.alias, tool.name);
                let Some(name) = [tool.name.clone(), prefixed].into_iter().find(|name| !used.contains(name))
                else {
                    let why =
                        format!("its tool `{}` has no free name in this agent and is left out", tool.name);
                    let finding = Step::Compose.warning("tool-name-taken", why).about(&provider.id);
                    findings.push(finding.hint("switch off whoever else has a tool of this name"));
                    continue;
                };
                used.insert(name.clone());
                if name != tool.name {
                    let renamed = names.renamed.entry(provider.id.clone()).or_default();
                    renamed.insert(tool.name.clone(), name.clone());
                }
                names.owners.insert(name, (provider.id.clone(), tool.name.clone()));
            }
        }
        (names, findings)
    }

    /// The provider and its own name of what an agent calls so.
    pub(super) fn owner(&self, name: &str) -> Option<&(String, String)> {
        self.owners.get(name)
    }

    /// Whether any text of a provider may name a tool that is called otherwise here.
    pub(super) fn renames(&self, provider: &str) -> bool {
        self.renamed.contains_key(provider)
    }

    /// A provider's text with its tools named as the agent does.
    pub(super) fn apply<'a>(&self, provider: &str, text: &'a str) -> Cow<'a, str> {
        match self.renamed.get(provider) {
            Some(renamed) => replace_words(text, |word| renamed.get(word).map(String::as_str)),
            None => Cow::Borrowed(text),
        }
    }

    /// The tools and commands as an agent sees them.
    pub(super) fn offered(&self, listed: &Listed) -> (Vec<OfferedTool>, Vec<OfferedCommand>) {
        let mut tools = Vec::new();
        let mut commands = Vec::new();
        for provider in &listed.providers {
            for tool in &provider.tools {
                let owner = (provider.id.clone(), tool.name.clone());
                let Some((name, _)) = self.owners.iter().find(|(_, known)| **known == owner) else {
                    continue;
                };
                let description = self.apply(&provider.id, &tool.description);
                let description = if *name == tool.name {
                    description.into_owned()
                } else {
                    format!("({} of {}, here named `{name}`.) {description}", tool.name, provider.id)
                };
                let guidelines =
                    tool.guidelines.iter().map(|text| self.apply(&provider.id, text).into_owned()).collect();
                tools.push(OfferedTool {
                    name: name.clone(),
                    provider: provider.id.clone(),
                    tool: tool.name.clone(),
                    description,
                    schema: tool.schema.clone(),
                    guidelines,
                    active: tool.active,
                });
            }
            let of_provider = |command: &Command| OfferedCommand {
                provider: provider.id.clone(),
                command: command.clone(),
            };
            commands.extend(provider.commands.iter().map(of_provider));
        }
        (tools, commands)
    }
}

impl Listed {
    /// Counts up with every list.
    pub(super) fn revision(&self) -> u64 {
        self.moment
    }
}

/// Replaces whole words, each once: what stands for one word is not looked at again.
fn replace_words<'a, 'b>(text: &'a str, by: impl Fn(&str) -> Option<&'b str>) -> Cow<'a, str> {
    let joins = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-');
    let mut out = String::new();
    let (mut done, mut rest) = (0, 0);
    while let Some(start) = text[rest..].find(joins).map(|at| rest + at) {
        let end = text[start..].find(|character| !joins(character)).map_or(text.len(), |at| start + at);
        if let Some(word) = by(&text[start..end]) {
            out.push_str(&text[done..start]);
            out.push_str(word);
            done = end;
        }
        rest = end;
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(providers: &[(&str, &[&str])]) -> Listed {
        let tools = |names: &[&str]| {
            let tool = |name: &&str| Tool {
                name: (*name).to_owned(),
                description: format!("Asks {name}."),
                ..Tool::default()
            };
            names.iter().map(tool).collect()
        };
        let providers = providers
            .iter()
            .map(|(id, names)| ProviderTools {
                id: (*id).to_owned(),
                alias: id.replace('-', "_"),
                tools: tools(names),
                commands: Vec::new(),
            })
            .collect();
        Listed { moment: 1, providers }
    }

    fn agent(guarded: &[&str], taken: &[&str]) -> AgentTools {
        let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        AgentTools { guarded: own(guarded), taken: own(taken) }
    }

    #[test]
    fn a_name_is_kept_unless_the_agent_guards_or_has_taken_it() {
        let listed = listed(&[("map-it", &["read", "find", "map"]), ("other", &["map", "find"])]);
        let (names, findings) = Names::of(&listed, &agent(&["read"], &["find", "other_find"]));
        let name = |provider: &str, tool: &str| {
            let owner = (provider.to_owned(), tool.to_owned());
            names.owners.iter().find(|(_, known)| **known == owner).map(|(name, _)| name.as_str())
        };
        assert_eq!(name("map-it", "read"), Some("map_it_read"));
        assert_eq!(name("map-it", "map"), Some("map"));
        assert_eq!(name("other", "map"), Some("other_map"), "two providers with one name");
        assert_eq!(name("other", "find"), None, "nothing is free");
        assert_eq!(findings.len(), 1);
        let (tools, _) = names.offered(&listed);
        let read = tools.iter().find(|tool| tool.name == "map_it_read").unwrap();
        assert!(
            read.description.starts_with("(read of map-it, here named `map_it_read`.)"),
            "{}",
            read.description
        );
        assert!(read.description.ends_with("Asks map_it_read."), "{}", read.description);
        assert_eq!(names.owner("map_it_read"), Some(&("map-it".to_owned(), "read".to_owned())));
    }

    #[test]
    fn a_text_names_tools_as_the_agent_does_and_only_whole_words_count() {
        let said = |text| replace_words(text, |word| (word == "read").then_some("p_read")).into_owned();
        assert_eq!(said("read, re-read reads `read` read"), "p_read, re-read reads `p_read` p_read");
        assert_eq!(said("readread readread"), "readread readread");
        assert_eq!(said("字read read字 字 read"), "字read read字 字 p_read");
        assert_eq!(said(""), "");
    }
}
