//! `context` and `project_map_context`: what the maps know of a query.

use std::{path::Path, thread};

use ctxhost_sdk::{
    Clock,
    exit::{NOTHING, USAGE},
    prelude::*,
    protocol::{project_map::Bundle, tokens},
    serde_json::{self, Value},
    tool,
};

use super::commands::{On, lines};
use crate::{
    select::{
        inventory::Inventory,
        pair::{Kind, Pair},
        score::{self, NoTexts, Noted, Texts},
    },
    settings::Config,
    shape::{
        bundle::{self, Ask},
        forbidden::{self, Own},
        page, plain,
    },
    source::{
        artifacts::{self, OnDisk, Store},
        hits::{self, Now},
        texts::Indexed,
        workspace::Look,
    },
};

/// Below it, not even the best file has room beside what must be said.
const LEAST_TOKENS: u64 = 50;

/// So many of the found files are held against the disk: those that may be shown, and some for those that are gone.
const LOOKED_AT: usize = 20;

/// So many lines of notes of one artifact are searched.
const NOTE_LINES: usize = 200;

const NO_MAPS: &str = "there are no maps of this project yet: `ctxhost run project-map init` makes them\n";

/// What is known when somebody asks.
struct Known<'a> {
    root: &'a Path,
    config: &'a Config,
    pairs: &'a [Pair],
    /// The facts of all files; empty when only artifacts are known.
    inventory: &'a Inventory,
    /// Whether every file was looked at.
    complete: bool,
    /// Whether that was just now.
    fresh: bool,
    /// The texts of these files.
    texts: &'a dyn Texts,
    /// Where the project lies.
    own: &'a Own,
    /// What people noted, where somebody vouches for it.
    noted: &'a [Noted],
}

/// Runs the command; each argument is a part of the query.
pub(super) fn command(on: &On<'_>, args: &[&str]) -> Result<CommandReply> {
    let query = args.join(" ");
    if query.trim().is_empty() {
        let text = "usage: context QUERY\n".to_owned();
        return Ok(CommandReply { text, exit: USAGE, ..CommandReply::default() });
    }
    let Some(Answer { text, document, .. }) = placed(on, &query, None) else {
        return Ok(CommandReply { text: NO_MAPS.to_owned(), exit: NOTHING, ..CommandReply::default() });
    };
    let exit = if document.found { 0 } else { NOTHING };
    Ok(CommandReply { text, exit, data: Some(serde_json::to_value(document)?), ..CommandReply::default() })
}

/// Runs the tool.
pub(super) fn call(on: &On<'_>, args: &Value) -> Result<ToolReply> {
    let query = args.get("query").and_then(Value::as_str).map(str::trim).filter(|query| !query.is_empty());
    let Some(query) = query else {
        return Ok(ToolReply::error("the argument `query` must be a text that is not empty"));
    };
    let tokens = args.get("tokens").and_then(Value::as_f64).filter(|tokens| tokens.is_finite());
    let tokens = tokens.map(|tokens| tokens.max(0.0) as u64);
    let Some(Answer { text, document, .. }) = placed(on, query, tokens) else {
        return Ok(ToolReply::error(NO_MAPS.trim_end()));
    };
    Ok(ToolReply::text(text).structured(serde_json::to_value(document)?))
}

/// What an answer is made of.
struct Answer {
    text: String,
    document: Bundle,
    /// Whether the files are no longer what it says of them.
    outdated: bool,
}

/// Answers, and says where the paths begin to somebody who stands below the root.
fn placed(on: &On<'_>, query: &str, tokens: Option<u64>) -> Option<Answer> {
    let Some(place) = on.place() else { return answer(on, query, tokens) };
    let line = lines(String::new(), [&place]);
    let room = tokens.unwrap_or(on.config.context_budget).saturating_sub(tokens::estimate(&line));
    let answer = answer(on, query, Some(room))?;
    Some(Answer { text: answer.text.trim_end().to_owned() + &line, ..answer })
}

/// Answers from what was last known of the files, or else from artifacts that somebody may have committed; `None` when
/// there are no maps. What finds nothing, or what is no longer so, is asked once more after a look at the files.
fn answer(on: &On<'_>, query: &str, tokens: Option<u64>) -> Option<Answer> {
    if !has_maps(on) {
        return None;
    }
    // The index is opened while the facts are read: each takes as long as the other.
    let known = thread::scope(|scope| {
        scope.spawn(|| on.workspace.index());
        on.workspace.known(on.config).filter(|look| !look.pairs.is_empty())
    });
    let first = match &known {
        Some(look) => of_look(on, look, false, query, tokens),
        None => of_artifacts(on, query, tokens),
    };
    if first.as_ref().is_some_and(|first| first.document.found && !first.outdated) {
        return first;
    }
    let look = looked(on);
    // Of what was seen in part alone more would be missing than what has changed.
    let stays = !look.complete && first.as_ref().is_some_and(|first| first.document.found);
    if look.pairs.is_empty() || stays { first } else { of_look(on, &look, true, query, tokens).or(first) }
}

/// Whether there are maps: a look at the files knows of pairs that nobody ever wanted. What cannot be read may be a map.
fn has_maps(on: &On<'_>) -> bool {
    let ([index, map], _) = artifacts::root_pair(on.root, on.config);
    let elsewhere = || {
        let found = Store::at(on.root, on.config).read_all();
        !found.artifacts.is_empty() || found.unread.iter().any(|(path, _)| artifacts::is_one(path))
    };
    index || map || elsewhere()
}

/// Looks at the files, as a prompt does.
fn looked(on: &On<'_>) -> Look {
    let clock = Clock::new(on.cx);
    on.workspace.look_anew(on.config, on.now, &|part| clock.used(part), &mut |_, _| ())
}

fn of_look(on: &On<'_>, look: &Look, fresh: bool, query: &str, tokens: Option<u64>) -> Option<Answer> {
    let index = on.workspace.index();
    let inventory = &*look.inventory;
    let texts = &Indexed::new(&index, &inventory.files);
    let (root, config, pairs, complete) = (on.root, on.config, &look.pairs[..], look.complete);
    let fresh = fresh && complete;
    let own = on.workspace.own();
    let noted = &noted(on, pairs)[..];
    let known = Known { root, config, pairs, inventory, complete, fresh, texts, own, noted };
    Some(asked(on, &known, query, tokens))
}

/// Answers from artifacts alone; `None` where nobody vouches for any of them: in a folder that is not trusted for none at
/// all, elsewhere for those that are not as they were once written.
fn of_artifacts(on: &On<'_>, query: &str, tokens: Option<u64>) -> Option<Answer> {
    let mut artifacts = Store::at(on.root, on.config).read_all().artifacts;
    artifacts.retain(|artifact| on.trusted && is_ours(artifact));
    let mut pairs = pairs_of(&artifacts);
    let own = on.workspace.own();
    own.take_from(&mut pairs);
    let (root, config, pairs) = (on.root, on.config, &pairs[..]);
    let (inventory, texts) = (&Inventory::default(), &NoTexts);
    let noted = &noted_in(&artifacts, pairs, own)[..];
    let known = Known { root, config, pairs, inventory, complete: false, fresh: false, texts, own, noted };
    (!pairs.is_empty()).then(|| asked(on, &known, query, tokens))
}

/// What people noted in the artifacts of these pairs; in a folder without trust anybody may have.
fn noted(on: &On<'_>, pairs: &[Pair]) -> Vec<Noted> {
    if !on.trusted {
        return Vec::new();
    }
    let store = Store::at(on.root, on.config);
    let read = |pair: &Pair| Kind::BOTH.map(|kind| store.read(&pair.dir, kind).ok().flatten());
    let artifacts: Vec<OnDisk> = pairs.iter().flat_map(read).flatten().collect();
    noted_in(&artifacts, pairs, on.workspace.own())
}

/// The lines of notes, as they may be shown.
fn noted_in(artifacts: &[OnDisk], pairs: &[Pair], own: &Own) -> Vec<Noted> {
    let lines = |artifact: &OnDisk| -> Vec<String> {
        let notes = artifact.notes.as_deref().unwrap_or_default();
        let lines = notes.lines().filter(|line| !own.is_in(line)).map(plain::sentence);
        lines.filter(|line| !line.is_empty()).take(NOTE_LINES).collect()
    };
    let place = |dir: &str| pairs.binary_search_by(|pair| pair.dir.as_str().cmp(dir)).ok();
    let noted = artifacts.iter().filter_map(|artifact| Some((place(&artifact.dir)?, lines(artifact))));
    noted.filter(|(_, lines)| !lines.is_empty()).collect()
}

/// Whether an artifact is as it was written, and for the directory that it is found for.
fn is_ours(artifact: &OnDisk) -> bool {
    artifact.intact && artifact.header.as_ref().is_some_and(|header| header.dir == artifact.dir)
}

/// The tool, for the manifest.
pub(super) fn declared() -> Tool {
    let mut tool = tool(
        "project_map_context",
        "Searches the project's maps: a compact bundle of the indexes, maps, files and definitions that a question is about, without reading a file.",
        json!({
            "type": "object",
            "required": ["query"],
            "properties": {
                "query": {"type": "string", "description": "A question in words, a name of a definition, or a path or a part of one."},
                "tokens": {"type": "integer", "minimum": LEAST_TOKENS, "description": "At most so many tokens; the project's own limit is never passed."}
            }
        }),
    );
    tool.guidelines = ["Call project_map_context before you list folders or search text for where something is; its bundle routes and orients, the files themselves decide."]
        .map(str::to_owned)
        .to_vec();
    tool
}

/// Pairs as the artifacts on disk have them, sorted by directory.
fn pairs_of(artifacts: &[OnDisk]) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    for artifact in artifacts {
        if pairs.last().is_none_or(|pair| pair.dir != artifact.dir) {
            pairs.push(Pair { dir: artifact.dir.clone(), ..Pair::default() });
        }
        let Some(pair) = pairs.last_mut() else { continue };
        let parsed = page::parse(&artifact.text, artifact.kind);
        match artifact.kind {
            Kind::Index => pair.index = parsed,
            Kind::Map => pair.map = parsed,
        }
    }
    pairs
}

/// Asks, and sees whether the query names something that nothing was known of.
fn asked(on: &On<'_>, known: &Known<'_>, query: &str, tokens: Option<u64>) -> Answer {
    let answer = ask(known, query, tokens);
    let is_new = |path: &String| {
        let found = || answer.document.files.iter().any(|file| file.path == *path);
        !known.inventory.has(path) && !found() && on.workspace.would_map(known.config, path)
    };
    let outdated = answer.outdated || hits::named(known.root, on.from, query).iter().any(is_new);
    Answer { outdated, ..answer }
}

fn ask(known: &Known<'_>, query: &str, tokens: Option<u64>) -> Answer {
    let budget = tokens.map_or(known.config.context_budget, |tokens| {
        tokens.clamp(LEAST_TOKENS, known.config.context_budget.max(LEAST_TOKENS))
    });
    let mut found = score::find_with(known.pairs, known.noted, &known.inventory.files, known.texts, query);
    clean(&mut found, known.own);
    let Held { changed, gone } = held_against_disk(known, &mut found);
    let store = Store::at(known.root, known.config);
    let (text, document) = bundle::bundle(&Ask {
        query,
        pairs: known.pairs,
        found: &found,
        noted: known.noted,
        changed: &changed,
        path: &|dir, kind| store.path(dir, kind),
        is_there: &|path| known.root.join(path).symlink_metadata().is_ok(),
        complete: known.complete,
        fresh: known.fresh,
        budget,
    });
    Answer { text, document, outdated: gone || !changed.is_empty() }
}

/// Drops what no map would say either: the index knows of more files and definitions than the maps do.
fn clean(found: &mut score::Found, own: &Own) {
    let free = |text: &str| forbidden::found(text).is_none() && !own.is_in(text);
    found.files.retain(|file| free(&file.path));
    for file in &mut found.files {
        file.symbols.retain(|symbol| free(&symbol.name));
        if !free(&file.purpose) {
            file.purpose.clear();
        }
    }
    found.symbols.retain(|symbol| free(&symbol.file) && free(&symbol.named.name));
}

/// What the disk says of what was found.
struct Held {
    /// Files that have changed since they were mapped.
    changed: Vec<String>,
    /// Whether something is gone.
    gone: bool,
}

/// Drops what is gone.
fn held_against_disk(known: &Known<'_>, found: &mut score::Found) -> Held {
    let mut held = Held { changed: Vec::new(), gone: false };
    let mut looked_at = 0;
    found.files.retain(|file| {
        looked_at += 1;
        if file.path.contains('*') && file.count > 1 || looked_at > LOOKED_AT {
            return true;
        }
        let facts = known.inventory.file(&file.path).map(|facts| (&facts.hash, facts.bytes));
        let now = hits::now(known.root, &file.path, facts);
        if now == Now::Changed && facts.is_some() {
            held.changed.push(file.path.clone());
        }
        held.gone |= now == Now::Gone;
        now != Now::Gone
    });
    let before = found.dirs.len();
    found.dirs.retain(|found| found.dir.is_empty() || known.root.join(&found.dir).is_dir());
    held.gone |= found.dirs.len() < before;
    held
}
