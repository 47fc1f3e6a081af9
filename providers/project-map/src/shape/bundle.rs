//! What a query finds, as Markdown for a model and as a document for a program.

mod excerpt;

use ctxhost_sdk::protocol::{
    project_map as spec,
    project_map::{Bundle, FoundPage, ROOT_DIR, Route},
    tokens,
};

use super::plain;
use crate::select::{
    inventory::Named,
    pair::{Heading, Item, Kind, Pair, Role},
    score::{Found, FoundFile, Noted},
};

/// So many indexes, maps and files are shown.
const INDEXES: usize = 3;
const MAPS: usize = 2;
const FILES: usize = 12;
/// So many definitions are named with each file, and in all for a program.
const SYMBOLS: usize = 4;
const ALL_SYMBOLS: usize = 24;

/// A longer query is shown in part: the document has more of it.
const SHOWN_QUERY: usize = 120;
const KEPT_QUERY: usize = 1_000;

const TITLE: &str = "# Context bundle\n";
const TRUST: &str = "\nIndex routes, map orients, source decides.\n";
/// With what follows from it, where there is room.
const TRUST_FULL: &str =
    "\nIndex routes, map orients, source decides: read a file before you edit it or say what it does.\n";
const ROOMY: u64 = 400;
const LAST_LOOK: &str = "The maps are of the last look at the files: what came later is not in them.\n";

/// What a bundle is made of.
pub(crate) struct Ask<'a> {
    pub(crate) query: &'a str,
    pub(crate) pairs: &'a [Pair],
    pub(crate) found: &'a Found,
    /// What people noted in the artifacts of pairs.
    pub(crate) noted: &'a [Noted],
    /// Files that have changed since their map was made.
    pub(crate) changed: &'a [String],
    /// Where an artifact of a directory lies.
    pub(crate) path: &'a dyn Fn(&str, Kind) -> String,
    /// Whether there is something at a path.
    pub(crate) is_there: &'a dyn Fn(&str) -> bool,
    /// Whether every file was looked at.
    pub(crate) complete: bool,
    /// Whether that was for this question.
    pub(crate) fresh: bool,
    /// The most tokens of the text.
    pub(crate) budget: u64,
}

/// Makes both.
pub(crate) fn bundle(ask: &Ask<'_>) -> (String, Bundle) {
    let mut text = Text::new(ask);
    let document = if ask.found.is_empty() { nothing(ask, &mut text) } else { something(ask, &mut text) };
    let text = text.done();
    let document = Bundle {
        query: ask.query.chars().take(KEPT_QUERY).collect(),
        complete: ask.complete,
        words: ask.found.words.clone(),
        tokens: tokens::estimate(&text),
        limit: ask.budget,
        ..document
    };
    (text, document)
}

/// A text that never gets longer than it may: what is added is counted piece by piece, which is never less than the whole.
struct Text {
    budget: u64,
    spent: u64,
    head: String,
    /// As they stand: indexes, maps, files.
    sections: [String; 3],
    trust: &'static str,
}

const TITLES: [&str; 3] = ["\n## Indexes\n", "\n## Maps\n", "\n## Files\n"];
const OF_INDEXES: usize = 0;
const OF_MAPS: usize = 1;
const OF_FILES: usize = 2;

impl Text {
    fn new(ask: &Ask<'_>) -> Self {
        let trust = if ask.budget < ROOMY { TRUST } else { TRUST_FULL };
        let sections = <[String; 3]>::default();
        let mut text = Self { budget: ask.budget, spent: 0, head: String::new(), sections, trust };
        text.spent = tokens::estimate(trust);
        if text.room(TITLE) {
            text.head += TITLE;
            text.spent += tokens::estimate(TITLE);
        }
        // The query is a reminder, and may take a tenth.
        let shown = plain::line(ask.query);
        let most = SHOWN_QUERY.min((ask.budget / 10 * 4) as usize);
        let cut: String = shown.chars().take(most).collect();
        let mark = if cut.len() < shown.len() { "…" } else { "" };
        let line = format!("Query: {cut}{mark}\n");
        if text.spent + tokens::estimate(&line) <= text.budget / 2 {
            text.spent += tokens::estimate(&line);
            text.head += &line;
        }
        if !ask.fresh && ask.budget >= ROOMY {
            text.say(LAST_LOOK);
        }
        text
    }

    fn room(&self, piece: &str) -> bool {
        self.spent + tokens::estimate(piece) <= self.budget
    }

    fn left(&self) -> u64 {
        self.budget.saturating_sub(self.spent)
    }

    /// Adds a piece to a section if both fit; says whether.
    fn add(&mut self, section: usize, piece: &str) -> bool {
        let title = if self.sections[section].is_empty() { TITLES[section] } else { "" };
        let cost = tokens::estimate(title) + tokens::estimate(piece);
        if piece.is_empty() || self.spent + cost > self.budget {
            return false;
        }
        self.spent += cost;
        self.sections[section] += title;
        self.sections[section] += piece;
        true
    }

    fn say(&mut self, piece: &str) -> bool {
        let fits = self.room(piece);
        if fits {
            self.spent += tokens::estimate(piece);
            self.head += piece;
        }
        fits
    }

    fn done(self) -> String {
        let text = self.head + &self.sections.concat() + self.trust;
        text.trim_start().to_owned()
    }
}

/// Half of the room is for files, the other half for indexes and maps; what is left of that is for more files.
fn something(ask: &Ask<'_>, text: &mut Text) -> Bundle {
    let files = &ask.found.files[..ask.found.files.len().min(FILES)];
    let for_pages = text.left() / 2;
    text.budget -= for_pages;
    let first = add_files(ask, text, files, 0);
    text.budget += for_pages;
    let mut pages = [Vec::new(), Vec::new()];
    for (section, kind, most) in [(OF_INDEXES, Kind::Index, INDEXES), (OF_MAPS, Kind::Map, MAPS)] {
        let share = if kind == Kind::Index { text.left() / 2 } else { text.left() };
        let mut left = share;
        for (number, dir) in ask.found.dirs.iter().take(most).enumerate() {
            let room = left / (most - number) as u64;
            let (piece, headings) = excerpt::of(ask, dir.pair, kind, room.saturating_sub(8));
            if text.add(section, &piece) {
                left = left.saturating_sub(tokens::estimate(&piece));
                pages[section].push(page(ask, dir, kind, headings));
            }
        }
    }
    add_files(ask, text, files, first);
    let [indexes, maps] = pages;
    let symbols = ask.found.symbols.iter().filter(|symbol| files.iter().any(|file| file.path == symbol.file));
    Bundle {
        found: true,
        indexes,
        maps,
        files: files.iter().map(|file| found_file(ask, file)).collect(),
        symbols: symbols
            .take(ALL_SYMBOLS)
            .map(|symbol| spec::FoundSymbol {
                name: symbol.named.name.clone(),
                kind: symbol.named.kind.clone(),
                file: symbol.file.clone(),
                line: u64::from(symbol.named.line.max(1)),
                score: symbol.score,
                matched: symbol.matched.clone(),
            })
            .collect(),
        ..Bundle::default()
    }
}

fn page(
    ask: &Ask<'_>,
    dir: &crate::select::score::FoundDir,
    kind: Kind,
    headings: Vec<Heading>,
) -> FoundPage {
    FoundPage {
        dir: shown_dir(&dir.dir).to_owned(),
        path: (ask.path)(&dir.dir, kind),
        score: dir.score,
        matched: dir.matched.clone(),
        purpose: crate::shape::artifact::page(&ask.pairs[dir.pair], kind).purpose.clone(),
        headings: headings.into_iter().map(|heading| heading.text().to_owned()).collect(),
    }
}

fn found_file(ask: &Ask<'_>, file: &FoundFile) -> spec::FoundFile {
    spec::FoundFile {
        path: file.path.clone(),
        dir: shown_dir(&ask.pairs[file.pair].dir).to_owned(),
        role: file.role.map(role),
        score: file.score,
        matched: file.matched.clone(),
        purpose: file.purpose.clone(),
    }
}

/// Adds files from this one on, each as fully as there is room; gives the first that found none.
fn add_files(ask: &Ask<'_>, text: &mut Text, files: &[FoundFile], from: usize) -> usize {
    for (at, file) in files.iter().enumerate().skip(from) {
        let changed = ask.changed.contains(&file.path);
        let forms = [(true, SYMBOLS), (true, 1), (false, 1), (false, 0)];
        let added = forms
            .into_iter()
            .any(|(purpose, symbols)| text.add(OF_FILES, &file_line(file, purpose, symbols, changed)));
        if !added {
            return at;
        }
    }
    files.len()
}

fn file_line(file: &FoundFile, purpose: bool, symbols: usize, changed: bool) -> String {
    let mut line = format!("- {}", plain::span(&file.path));
    if let Some(at) = file.line {
        line += &format!(" line {at}");
    }
    let count = if file.count > 1 { format!("{} files", file.count) } else { String::new() };
    let fields: Vec<&str> =
        [file.role.map_or("", Role::text), &count, if changed { "changed since the map" } else { "" }]
            .into_iter()
            .filter(|field| !field.is_empty())
            .collect();
    if !fields.is_empty() && (purpose || symbols > 0 || changed) {
        line += &format!(" ({})", fields.join(", "));
    }
    let said = plain::line(&file.purpose);
    if purpose && !said.is_empty() {
        line += &format!(" - {said}");
    }
    let symbols: Vec<String> = file.symbols.iter().take(symbols).map(symbol).collect();
    if !symbols.is_empty() {
        line += &format!(" - {}", symbols.join(", "));
    }
    line + "\n"
}

fn symbol(symbol: &Named) -> String {
    let line = if symbol.line > 0 { format!(" L{}", symbol.line) } else { String::new() };
    format!("{}{line}", plain::span(&symbol.name))
}

/// Nothing matches: that is said, and where to begin instead.
fn nothing(ask: &Ask<'_>, text: &mut Text) -> Bundle {
    let routes: Vec<&Item> = ask
        .pairs
        .iter()
        .find(|pair| pair.dir.is_empty())
        .into_iter()
        .flat_map(|root| &root.index.parts)
        .filter(|part| part.heading == Heading::Routes)
        .flat_map(|part| &part.items)
        .collect();
    text.say("\nNothing in the maps matches.");
    text.say(if routes.is_empty() { "\n" } else { " The root's routes:\n" });
    for route in &routes {
        let said = plain::line(&route.text);
        let purpose = if said.is_empty() { String::new() } else { format!(" - {said}") };
        let path = plain::span(&route.path);
        if !text.say(&format!("- {path}{purpose}\n")) && !text.say(&format!("- {path}\n")) {
            break;
        }
    }
    let route = |item: &&Item| Route {
        dir: item.path.trim_end_matches('/').to_owned(),
        purpose: item.text.clone(),
        files: u64::from(item.count),
    };
    Bundle { routes: routes.iter().map(route).collect(), ..Bundle::default() }
}

fn shown_dir(dir: &str) -> &str {
    if dir.is_empty() { ROOT_DIR } else { dir }
}

fn role(role: Role) -> spec::Role {
    match role {
        Role::Entry => spec::Role::Entry,
        Role::Source => spec::Role::Source,
        Role::Test => spec::Role::Test,
        Role::Config => spec::Role::Config,
        Role::Doc => spec::Role::Doc,
        Role::Data => spec::Role::Data,
        Role::Generated => spec::Role::Generated,
    }
}

#[cfg(test)]
mod tests;
