//! The project's own file of settings, from its bytes.

use std::{collections::BTreeMap, fmt};

use ctxhost_sdk::{
    prelude::Finding,
    protocol::project_map::{Mode, PROJECT_FILE, ProjectFile},
    serde::de::{Deserialize, Deserializer, MapAccess, Visitor},
    serde_json::{self, Value},
};

use super::values::warning;

/// A file that is larger is not one: 256 KiB, a thousand times what a long one has.
pub(crate) const MOST_BYTES: usize = 256 * 1024;

/// How many keys are told by their names, and how much of a name.
const NAMES_TOLD: usize = 5;
const NAME_TOLD: usize = 40;

/// Reads the file. Whatever is wrong with a key costs that key alone: it is as if it were absent.
pub(crate) fn project_file(bytes: &[u8]) -> (ProjectFile, Vec<Finding>) {
    let mut reading = Reading::default();
    match entries(bytes) {
        Ok(entries) => reading.take_all(entries),
        Err(why) => reading.findings.push(unreadable(&why)),
    }
    (reading.file, reading.findings)
}

/// The keys with their values in the order of the file, some of them perhaps twice.
fn entries(bytes: &[u8]) -> Result<Vec<(String, Value)>, String> {
    if bytes.len() > MOST_BYTES {
        return Err(format!("it is larger than {} KiB", MOST_BYTES / 1024));
    }
    // An editor's byte order mark is no part of the text.
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let no_json = |fault: serde_json::Error| format!("it is not JSON: {fault}");
    if text.trim_start().starts_with('{') {
        return serde_json::from_str::<Entries>(text).map(|entries| entries.0).map_err(no_json);
    }
    serde_json::from_str::<Value>(text).map_err(no_json)?;
    Err("it is not an object".to_owned())
}

#[derive(Default)]
struct Reading {
    file: ProjectFile,
    findings: Vec<Finding>,
}

impl Reading {
    fn take_all(&mut self, entries: Vec<(String, Value)>) {
        let (mut unknown, mut twice) = (Vec::new(), Vec::new());
        let mut known: BTreeMap<&'static str, Value> = BTreeMap::new();
        for (name, value) in entries {
            match ProjectFile::NAMES.into_iter().find(|known| *known == name) {
                // As every reader of JSON does, the last one counts.
                Some(key) => twice.extend(known.insert(key, value).map(|_| key.to_owned())),
                None => unknown.push(name),
            }
        }
        for name in ProjectFile::NAMES {
            if let Some(value) = known.remove(name).filter(|value| !value.is_null()) {
                self.take(name, value);
            }
        }
        self.tell("unknown-setting", &unknown, "no setting is called", "correct or remove it");
        self.tell(
            "setting-twice",
            &twice,
            "written more than once, the last one counts:",
            "remove the others",
        );
    }

    fn take(&mut self, name: &'static str, value: Value) {
        match name {
            "ignorePatterns" => self.file.ignore_patterns = self.texts(name, value),
            "smallPackageThreshold" => self.file.small_package_threshold = self.number(name, &value),
            "contextBudget" => self.file.context_budget = self.number(name, &value),
            "autoInjectPrompt" => self.file.auto_inject_prompt = self.switch(name, &value),
            "tagCap" => self.file.tag_cap = self.number(name, &value),
            "workflowHintCap" => self.file.workflow_hint_cap = self.number(name, &value),
            "promptInjectionMode" => self.file.prompt_injection_mode = self.mode(name, value),
            "contextBudgetPercent" => self.file.context_budget_percent = self.number(name, &value),
            "contextBudgetMaxTokens" => self.file.context_budget_max_tokens = self.number(name, &value),
            "expansionTokens" => self.file.expansion_tokens = self.number(name, &value),
            "commitArtifacts" => self.file.commit_artifacts = self.switch(name, &value),
            "artifactDir" => self.file.artifact_dir = self.text(name, value),
            _ => {}
        }
    }

    /// A number too large to be told apart is the largest; what makes sense is decided with the user's settings.
    fn number(&mut self, name: &str, value: &Value) -> Option<u64> {
        let whole = |float: &f64| *float >= 0.0 && float.fract() == 0.0;
        let number = value.as_u64().or_else(|| value.as_f64().filter(whole).map(|float| float as u64));
        self.or_wrong(name, number, "a whole number of at least 0")
    }

    fn switch(&mut self, name: &str, value: &Value) -> Option<bool> {
        self.or_wrong(name, value.as_bool(), "`true` or `false`")
    }

    fn mode(&mut self, name: &str, value: Value) -> Option<Mode> {
        let mode = serde_json::from_value(value).ok();
        self.or_wrong(name, mode, "`off`, `advisory`, `strong` or `strict`")
    }

    fn text(&mut self, name: &str, value: Value) -> Option<String> {
        let text = if let Value::String(text) = value { Some(text) } else { None };
        self.or_wrong(name, text, "a text")
    }

    /// An item that is no text costs itself alone: the others still say what is to be left out.
    fn texts(&mut self, name: &str, value: Value) -> Option<Vec<String>> {
        let Value::Array(items) = value else {
            return self.or_wrong(name, None, "a list of texts");
        };
        let first_wrong = items.iter().position(|item| !item.is_string());
        if let Some(index) = first_wrong {
            self.or_wrong::<()>(&format!("{name}/{index}"), None, "a text");
        }
        let text = |item| if let Value::String(text) = item { Some(text) } else { None };
        Some(items.into_iter().filter_map(text).collect())
    }

    fn or_wrong<T>(&mut self, place: &str, value: Option<T>, form: &str) -> Option<T> {
        if value.is_none() {
            self.findings.push(Finding {
                pointer: Some(format!("/{place}")),
                hint: Some(format!("write {form}, or remove it")),
                ..warning(
                    "setting-type",
                    format!("`{place}` in {PROJECT_FILE} is not {form}, and was left out"),
                )
            });
        }
        value
    }

    /// One finding over several keys.
    fn tell(&mut self, code: &str, names: &[String], what: &str, hint: &str) {
        let Some(first) = names.first() else { return };
        let mut told: Vec<String> =
            names.iter().take(NAMES_TOLD).map(|name| format!("`{}`", shown(name))).collect();
        if names.len() > NAMES_TOLD {
            told.push(format!("and {} more", names.len() - NAMES_TOLD));
        }
        self.findings.push(Finding {
            pointer: Some(format!("/{}", shown(first).replace('~', "~0").replace('/', "~1"))),
            hint: Some(hint.to_owned()),
            ..warning(code, format!("{PROJECT_FILE}: {what} {}", told.join(", ")))
        });
    }
}

/// A key as it can be shown: one short line.
fn shown(name: &str) -> String {
    name.chars().filter(|character| !character.is_control()).take(NAME_TOLD).collect()
}

fn unreadable(why: &str) -> Finding {
    Finding {
        hint: Some("correct or remove the file; until then the defaults hold".to_owned()),
        ..warning("settings-unreadable", format!("{PROJECT_FILE} was left out: {why}"))
    }
}

/// An object's keys as they stand, which a map would hide.
struct Entries(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        struct Collect;

        impl<'de> Visitor<'de> for Collect {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        reader.deserialize_map(Collect)
    }
}

#[cfg(test)]
mod tests;
