//! What of a JSON file is ours: strictly recognized, put in, brought up to date, taken out.

use std::path::Path;

use jsonc_parser::ast::Value;

use super::{
    document::{Entry, Level, at, exchange, position, put, take},
    json::{Json, parse},
};

/// The name of our MCP server, and of the program.
pub(crate) const NAME: &str = "ctxhost";

/// The tool that answers a prompt.
pub(crate) const INJECT: &str = "ctxhost_inject";

/// What a user may tune in an entry of ours without losing it to the next install.
const TUNABLE: [&str; 2] = ["timeout", "tool_timeout_sec"];

/// What of ours belongs into one JSON file.
#[derive(Clone, Debug)]
pub(crate) enum Wanted {
    /// One handler for each event, under `/hooks`.
    Hooks(Vec<(String, Json)>),
    /// The server, under `/mcpServers`.
    Server(Json),
    /// A path among `/packages`.
    Package(String),
    /// The program, as `/command`.
    Program(String),
}

/// An entry of ours that stands in a document.
pub(crate) struct Found {
    /// The event of a hook.
    pub(crate) event: Option<String>,
    /// What stands there.
    pub(crate) json: Json,
    levels: Vec<Level>,
    steps: Vec<Step>,
}

/// One step to a value.
enum Step {
    Member(usize),
    Element(usize),
}

impl Wanted {
    /// The text with what is wanted in it, and nothing of ours besides.
    ///
    /// # Errors
    /// The text is not JSON, or something else stands where our entries belong.
    pub(crate) fn put_into(&self, text: &str) -> Result<String, String> {
        let mut text = text.to_owned();
        while let Some(next) = self.one_change(&text)? {
            text = next;
        }
        Ok(text)
    }

    /// The text without anything of ours; what `keep` wants stays although it is empty.
    ///
    /// # Errors
    /// The text is not JSON.
    pub(crate) fn take_from(&self, text: &str, keep: &dyn Fn(&[String]) -> bool) -> Result<String, String> {
        let mut text = text.to_owned();
        while let Some(found) = self.found(&text)?.pop() {
            text = take(&text, &found.levels, keep);
        }
        Ok(text)
    }

    fn one_change(&self, text: &str) -> Result<Option<String>, String> {
        let found = self.found(text)?;
        let mut met: Vec<Option<&str>> = Vec::new();
        for entry in &found {
            let event = entry.event.as_deref();
            let Some(wanted) = self.wanted(event).filter(|_| !met.contains(&event)) else {
                return Ok(Some(take(text, &entry.levels, &|_| false)));
            };
            met.push(event);
            if let Some(new) = brought_up_to_date(&entry.json, &wanted) {
                let root = parse(text)?.ok_or("the document is empty")?;
                let old = step_to(&root, &entry.steps).ok_or("an entry moved while it was edited")?;
                return Ok(Some(exchange(text, &root, old, &new)));
            }
        }
        match self {
            Self::Hooks(hooks) => {
                let Some((event, handler)) =
                    hooks.iter().find(|(event, _)| !met.contains(&Some(event.as_str())))
                else {
                    return Ok(None);
                };
                let group = Json::Object(vec![("hooks".to_owned(), Json::List(vec![handler.clone()]))]);
                put(text, &["hooks", event], Entry::Element(&group)).map(Some)
            }
            _ if !met.is_empty() => Ok(None),
            Self::Server(server) => put(text, &["mcpServers"], Entry::Member(NAME, server)).map(Some),
            Self::Package(path) => {
                put(text, &["packages"], Entry::Element(&Json::Text(path.clone()))).map(Some)
            }
            Self::Program(path) => {
                put(text, &[], Entry::Member("command", &Json::Text(path.clone()))).map(Some)
            }
        }
    }

    fn wanted(&self, event: Option<&str>) -> Option<Json> {
        match self {
            Self::Hooks(hooks) => hooks
                .iter()
                .find(|(name, _)| Some(name.as_str()) == event)
                .map(|(_, handler)| handler.clone()),
            Self::Server(server) => Some(server.clone()),
            Self::Package(path) | Self::Program(path) => Some(Json::Text(path.clone())),
        }
    }

    /// The entries of ours in a document, in their order.
    ///
    /// # Errors
    /// The text is not JSON.
    pub(crate) fn found(&self, text: &str) -> Result<Vec<Found>, String> {
        let Some(root) = parse(text)? else { return Ok(Vec::new()) };
        let Some(object) = root.as_object() else {
            return Err("the whole document is not an object".to_owned());
        };
        Ok(match self {
            Self::Hooks(_) => hooks(&root),
            Self::Server(_) => member(&root, &["mcpServers"], NAME, |_| true),
            Self::Program(_) => member(&root, &[], "command", |value| value.text().is_some_and(is_program)),
            Self::Package(_) => {
                let index = position(object, "packages");
                let Some((index, list)) =
                    index.and_then(|index| Some((index, object.properties[index].value.as_array()?)))
                else {
                    return Ok(Vec::new());
                };
                let found = |(place, value): (usize, &Value<'_>)| {
                    let json = Json::of(value);
                    package(&json).is_some_and(|path| Path::new(path).ends_with("ctxhost/agents/pi")).then(
                        || Found {
                            event: None,
                            json,
                            levels: vec![
                                Level::member(&[], object, index),
                                Level::element(&["packages"], list, place),
                            ],
                            steps: vec![Step::Member(index), Step::Element(place)],
                        },
                    )
                };
                list.elements.iter().enumerate().filter_map(found).collect()
            }
        })
    }
}

/// The source of an entry of `packages`, which is a text or has one.
pub(crate) fn package(json: &Json) -> Option<&str> {
    json.text().or_else(|| json.get("source")?.text())
}

fn member(root: &Value<'_>, way: &[&str], name: &str, ours: fn(&Json) -> bool) -> Vec<Found> {
    let found = || {
        let outer = root.as_object()?;
        let (mut levels, mut steps) = (Vec::new(), Vec::new());
        if let [first, ..] = way {
            let index = position(outer, first)?;
            levels.push(Level::member(&[], outer, index));
            steps.push(Step::Member(index));
        }
        let object = at(root, way)?.as_object()?;
        let index = position(object, name)?;
        levels.push(Level::member(way, object, index));
        steps.push(Step::Member(index));
        let json = Json::of(&object.properties[index].value);
        ours(&json).then_some(Found { event: None, json, levels, steps })
    };
    found().into_iter().collect()
}

fn hooks(root: &Value<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    let Some(outer) = root.as_object() else { return found };
    let Some(place) = position(outer, "hooks") else { return found };
    let Some(events) = outer.properties[place].value.as_object() else { return found };
    for (number, event) in events.properties.iter().enumerate() {
        let name = event.name.as_str();
        let Some(groups) = event.value.as_array() else { continue };
        for (group_index, group) in groups.elements.iter().enumerate() {
            let Some(group) = group.as_object() else { continue };
            let Some(member) = position(group, "hooks") else { continue };
            let Some(handlers) = group.properties[member].value.as_array() else { continue };
            for (index, handler) in handlers.elements.iter().enumerate() {
                let json = Json::of(handler);
                if !is_handler(&json) {
                    continue;
                }
                let mut levels = vec![
                    Level::member(&[], outer, place),
                    Level::member(&["hooks"], events, number),
                    Level::element(&["hooks", name], groups, group_index),
                ];
                // A group of ours alone goes as a whole; among others' handlers only ours does.
                if handlers.elements.len() > 1 {
                    levels.push(Level::element(&[], handlers, index));
                }
                let steps = [place, number].map(Step::Member).into_iter().chain([
                    Step::Element(group_index),
                    Step::Member(member),
                    Step::Element(index),
                ]);
                let steps = steps.collect();
                found.push(Found { event: Some(name.to_owned()), json, levels, steps });
            }
        }
    }
    found
}

fn step_to<'v, 'a>(root: &'v Value<'a>, steps: &[Step]) -> Option<&'v Value<'a>> {
    steps.iter().try_fold(root, |value, step| match step {
        Step::Member(index) => Some(&value.as_object()?.properties.get(*index)?.value),
        Step::Element(index) => value.as_array()?.elements.get(*index),
    })
}

/// What is to stand in the place of an entry of ours, if that is not what is there.
fn brought_up_to_date(have: &Json, wanted: &Json) -> Option<Json> {
    let (Json::Object(members), Json::Object(new)) = (have, wanted) else {
        let same = package(have).is_some_and(|path| Some(path) == wanted.text());
        return (!same).then(|| wanted.clone());
    };
    let kind = |json: &Json| json.get("type").and_then(Json::text).map(str::to_owned);
    let is_old = |(name, value): &&(String, Json)| match have.get(name) {
        Some(_) if TUNABLE.contains(&name.as_str()) => false,
        there => !there.is_some_and(|there| there.means(value)),
    };
    // A word that the new form of an entry does not have, such as the arguments of a line for the shell.
    let other_form = kind(have) != kind(wanted) || have.get("args").is_some() != wanted.get("args").is_some();
    if other_form {
        return Some(wanted.clone());
    }
    let old: Vec<&(String, Json)> = new.iter().filter(is_old).collect();
    if old.is_empty() {
        return None;
    }
    let mut merged = Json::Object(members.clone());
    for (name, value) in old {
        match merged.get_mut(name) {
            Some(there) => *there = value.clone(),
            None => {
                if let Json::Object(members) = &mut merged {
                    members.push((name.clone(), value.clone()));
                }
            }
        }
    }
    Some(merged)
}

/// Whether a hook's handler is ours.
pub(crate) fn is_handler(handler: &Json) -> bool {
    let text = |name| handler.get(name).and_then(Json::text);
    match text("type") {
        Some("mcp_tool") => text("server") == Some(NAME) && text("tool") == Some(INJECT),
        Some("command") => command(handler)
            .is_some_and(|words| is_program(&words[0]) && words.get(1).is_some_and(|word| word == "hook")),
        _ => false,
    }
}

/// The words of a command: of its exec form, or of its line for the shell as far as plain quoting goes.
pub(crate) fn command(entry: &Json) -> Option<Vec<String>> {
    let line = entry.get("command")?.text()?;
    let words = match entry.get("args") {
        Some(args) => {
            let args = args.elements().iter().map(|arg| arg.text().map(str::to_owned));
            std::iter::once(Some(line.to_owned())).chain(args).collect::<Option<Vec<_>>>()?
        }
        None => words(line)?,
    };
    (!words.is_empty()).then_some(words)
}

/// Whether this is our program, wherever it lies.
pub(crate) fn is_program(path: &str) -> bool {
    Path::new(path).file_name().is_some_and(|name| name == NAME)
}

/// A word as a shell reads it back.
pub(crate) fn shell_quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The words of a line for the shell, as long as it holds nothing but words and quotes.
fn words(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' => words.extend(word.take()),
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        end if end == character => break,
                        '\\' if character == '"' => word.push(characters.next()?),
                        inner => word.push(inner),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(characters.next()?),
            // More than one plain command is not ours.
            '|' | '&' | ';' | '<' | '>' | '$' | '`' | '\n' | '(' | ')' => return None,
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_commands_are_ours() {
        let command = |line: &str| Json::template(&format!(r#"{{"type": "command", "command": {line}}}"#));
        for line in [
            r#""ctxhost hook codex""#,
            r#""/opt/ctxhost hook codex --more""#,
            r#""'/a b/it'\\''s/ctxhost' hook codex""#,
            r#""/a/ctxhost", "args": ["hook", "claude-code"]"#,
        ] {
            assert!(is_handler(&command(line)), "{line}");
        }
        for line in [
            r#""ctxhost inject --prompt hello""#,
            r#""/opt/ctxhost2 hook codex""#,
            r#""/opt/ctxhost/other hook codex""#,
            r#""echo ctxhost hook codex""#,
            r#""ctxhost hook codex; rm -rf x""#,
            r#""ctxhost", "args": ["mcp"]"#,
            r#""ctxhost", "args": []"#,
            r#""""#,
        ] {
            assert!(!is_handler(&command(line)), "{line}");
        }
    }

    #[test]
    fn a_quoted_path_is_read_back() {
        for path in ["/a/b", "/a b/c", "/it's/\"x\"", "/$HOME/`x`", ""] {
            assert_eq!(words(&shell_quoted(path)), Some(vec![path.to_owned()]));
        }
    }
}
