//! `pilot_symbol`: where a name is defined, and what uses it.

use std::collections::{BTreeMap, HashSet};

use ctxhost_code::{
    index::{Case, File, IndexError},
    language::Language,
    project::View,
    symbols::{Extractor, Symbol, Visibility},
};
use ctxhost_sdk::{
    Clock,
    prelude::*,
    protocol::pilot_index::{self as spec, Definition, Reference, SymbolResult},
    serde_json,
};

use super::{fence_of, text_of};
use crate::{
    provider::{PilotIndex, fresh},
    select::filter::is_offered,
    shape::answers,
    source::code::Code,
};

/// So many definitions and references are shown; more are counted.
const DEFINITIONS: usize = 20;
const REFERENCES: usize = 40;

/// In so many files the lines are looked for; the others are named with their counts.
const WITH_LINES: usize = 20;

/// The longest signature and doc comment that is shown, in bytes.
const LONGEST: usize = 2_000;

/// A name that nobody would ask for.
const LONGEST_NAME: usize = 256;

pub(super) fn run(provider: &PilotIndex, cx: &Cx<'_>, request: &ToolRequest) -> Result<ToolReply> {
    let name = match text_of(&request.args, "name") {
        Ok(name) if name.len() <= LONGEST_NAME => name,
        Ok(_) => return Ok(ToolReply::error(format!("a name has at most {LONGEST_NAME} bytes"))),
        Err(why) => return Ok(ToolReply::error(why)),
    };
    let workspace = provider.workspaces.of(&request.session, request.now);
    let code = match &workspace.code {
        Ok(code) => code,
        Err(refused) => return Ok(ToolReply::error(refused.clone())),
    };
    let clock = Clock::new(cx);
    // Uses can be told from the whole index alone, so it is waited for as long as a model waits for a tool.
    let mut view = fresh::look(code, &workspace, &request.session, cx.host(), &clock);
    if !view.is_complete() {
        view = fresh::whole(code, &clock);
    }
    let _asking = code.project.asking();
    let mut result = SymbolResult { name, complete: view.is_complete(), ..SymbolResult::default() };
    let fences = definitions(code, &view, &mut result)?;
    references(code, &view, &mut result, cx)?;
    let structured = serde_json::to_value(&result)?;
    Ok(ToolReply::text(answers::symbol(&result, &fences)).structured(structured))
}

/// What comes first, the path, the language, the definition.
type Found = ((bool, bool), String, Option<Language>, Symbol);

/// Fills in the definitions, and gives what each is written in.
fn definitions(code: &Code, view: &View, result: &mut SymbolResult) -> Result<Vec<String>, IndexError> {
    let mut found = Vec::new();
    for place in view.reader.definitions(&result.name, Case::Exact)? {
        let Some(file) = shown(view, place.doc) else { continue };
        let Some(symbol) = view.reader.symbol(place.doc, place.symbol)? else { continue };
        let rank = (file.is_test(), !file.language().is_some_and(|language| language.is_code()));
        found.push((rank, file.path().to_owned(), file.language(), symbol));
    }
    // Code before prose, tests behind the rest of each, then by place.
    found.sort_by(|a, b| (a.0, &a.1, a.3.span.first_line).cmp(&(b.0, &b.1, b.3.span.first_line)));
    result.more_definitions = found.len().saturating_sub(DEFINITIONS) as u64;
    found.truncate(DEFINITIONS);
    let definition = |(_, path, language, symbol): &Found| {
        let text = code.text_as_known(view, path).unwrap_or_default();
        Definition {
            name: symbol.qualified(),
            kind: symbol.kind.word().to_owned(),
            file: path.clone(),
            line: u64::from(symbol.span.first_line.max(1)),
            end_line: u64::from(symbol.span.last_line.max(1)),
            language: language.map(|language| language.id().to_owned()),
            visibility: Some(match symbol.visibility {
                Visibility::Private => spec::Visibility::Private,
                Visibility::Restricted => spec::Visibility::Restricted,
                Visibility::Public => spec::Visibility::Public,
            }),
            signature: part(&text, symbol.span.bytes.start, symbol.signature_end),
            doc: symbol.doc.clone().map(|doc| part(&text, doc.start, doc.end)).unwrap_or_default(),
        }
    };
    result.definitions = found.iter().map(definition).collect();
    Ok(found.iter().map(|(_, _, language, _)| fence_of(*language)).collect())
}

/// A file that may be shown: it is as it was indexed, and holds no secrets by its name.
fn shown(view: &View, doc: u32) -> Option<File<'_>> {
    view.reader.file(doc).filter(|file| view.is_current(doc) && is_offered(file.path()))
}

/// A part of a text by its bytes, which may be of an older state of it.
fn part(text: &str, start: u32, end: u32) -> String {
    let (start, end) = (start as usize, (end as usize).min(text.len()));
    let end = end.min(start.saturating_add(LONGEST));
    let (start, end) = (text.floor_char_boundary(start), text.floor_char_boundary(end));
    text.get(start..end).unwrap_or_default().trim().to_owned()
}

/// What is known of the owner before what only has the name, then a file that is no test before one that is, then by
/// path and definition.
type Uses = BTreeMap<(bool, bool, String, Option<u32>), (u32, u64)>;

/// Counts what the list of references leaves out: places in files that it shows, and other files.
fn count_more(uses: &Uses, result: &mut SymbolResult) {
    let mut files: BTreeMap<&str, bool> = BTreeMap::new();
    for (at, (_, _, path, _)) in uses.keys().enumerate() {
        let shown = *files.entry(path).or_insert(at < REFERENCES);
        result.more_places += u64::from(shown && at >= REFERENCES);
    }
    result.more_references = files.values().filter(|shown| !**shown).count() as u64;
}

/// The last part of a name, and the part that it belongs to, where one was asked for.
pub(crate) fn parted(name: &str) -> (Option<&str>, &str) {
    let mut parts = name.rsplit(['.', ':', '#']).filter(|part| !part.is_empty());
    let last = parts.next().unwrap_or_default();
    (parts.next(), last)
}

/// The files in which a use may be of this owner: they name it, or define what was asked for. What type a value has
/// nobody looks at.
fn naming(view: &View, owner: &str, name: &str) -> Result<HashSet<u32>, IndexError> {
    let mut docs: HashSet<u32> =
        view.reader.references(owner, Case::Exact)?.into_iter().map(|used| used.doc).collect();
    for name in [owner, name] {
        docs.extend(view.reader.definitions(name, Case::Exact)?.into_iter().map(|place| place.doc));
    }
    Ok(docs)
}

/// Fills in the references.
fn references(code: &Code, view: &View, result: &mut SymbolResult, cx: &Cx<'_>) -> Result<(), IndexError> {
    let name = result.name.clone();
    let (owner, last) = parted(&name);
    let known = owner.map(|owner| naming(view, owner, &name)).transpose()?;
    let mut uses = Uses::new();
    for used in view.reader.references(last, Case::Exact)? {
        let Some(file) = shown(view, used.doc) else { continue };
        let by_name_only = known.as_ref().is_some_and(|known| !known.contains(&used.doc));
        let key = (by_name_only, file.is_test(), file.path().to_owned(), used.symbol);
        let entry = uses.entry(key).or_insert((used.doc, 0));
        entry.1 += u64::from(used.count);
    }
    count_more(&uses, result);
    let mut extractor = Extractor::new(&code.grammars);
    let mut lines: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for ((by_name_only, _, path, symbol), (doc, count)) in uses.into_iter().take(REFERENCES) {
        let owner = match symbol {
            Some(at) => view.reader.symbol(doc, at)?,
            None => None,
        };
        if lines.len() < WITH_LINES && !lines.contains_key(&path) && cx.check().is_ok() {
            let language = view.reader.file(doc).and_then(|file| file.language());
            let text = code.text_as_known(view, &path).unwrap_or_default();
            let found = language.map(|language| extractor.occurrences(language, text.as_bytes(), last));
            lines.insert(path.clone(), found.unwrap_or_default());
        }
        let holds = |of: &Symbol, line: u32| (of.span.first_line..=of.span.last_line).contains(&line);
        let others = if owner.is_none() { view.reader.symbols(doc)? } else { Vec::new() };
        let within = |line: &u32| match &owner {
            Some(owner) => holds(owner, *line),
            None => !others.iter().any(|other| holds(other, *line)),
        };
        let mut here: Vec<u64> = lines
            .get(&path)
            .into_iter()
            .flatten()
            .filter(|line| within(line))
            .map(|line| u64::from(*line))
            .collect();
        here.truncate(20);
        result.references.push(Reference {
            file: path,
            symbol: owner.map(|owner| owner.qualified()),
            lines: here,
            count: count.max(1),
            by_name_only,
        });
    }
    Ok(())
}
