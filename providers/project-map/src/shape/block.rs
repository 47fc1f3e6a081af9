//! An artifact as the model reads it: between markers, with the protocol, what people noted, and what is to be known of
//! its state.

use ctxhost_sdk::protocol::tokens;

use super::{
    forbidden::{self, Own},
    header,
    level::{self, Level},
    plain,
};
use crate::select::pair::{Kind, Page};

/// What nothing of a map stands without.
pub(crate) const TRUST: &str = "index routes, map orients, source decides";

/// What the root's index begins with.
const PROTOCOL: &str = "\
Project Map Protocol
- Tier 0: start with this protocol and the root index.
- Tier 1: open the indexes of the directories that are likely relevant, then the maps that fit best.
- Tier 2: read the source, tests, configuration and docs themselves before you edit or make exact claims about what happens at run time.
index routes, map orients, source decides
";

const END: &str = "<!-- pi-map:end -->\n";

/// How many lines of notes are shown, of how many characters each; and the part of a budget that they may take.
const NOTE_LINES: usize = 20;
const NOTE_CHARACTERS: usize = 200;
const NOTE_SHARE: u64 = 4;

/// The text of an artifact.
#[derive(Clone, Debug)]
pub(crate) enum Text<'a> {
    /// As it is made of a page.
    Page(&'a Page),
    /// As somebody wrote it.
    Written(&'a str),
}

/// What is to be known of an artifact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Remark {
    /// Nothing: it says what is so.
    #[default]
    None,
    /// There was no time to look at all files.
    MayBeStale,
    /// It is not on disk, or not any more.
    NotOnDisk,
    /// What stands on disk is not so any more, and stays there for now.
    StaleOnDisk,
    /// Somebody changed it by hand.
    Edited,
    /// Somebody changed it by hand, and this is what it would be without that.
    EditedAndNotShown,
}

impl Remark {
    fn line(self) -> &'static str {
        match self {
            Self::None => "",
            Self::MayBeStale => "(may be stale: there was no time to look at all files)\n",
            Self::StaleOnDisk => "(the file on disk is stale: made now)\n",
            Self::NotOnDisk => "(not on disk: made now)\n",
            Self::Edited => "(edited by hand: may differ from what the files say)\n",
            Self::EditedAndNotShown => {
                "(the file on disk was edited by hand in a folder that is not trusted: made anew)\n"
            }
        }
    }
}

/// An artifact on its way to the model.
#[derive(Clone, Debug)]
pub(crate) struct Block<'a> {
    /// The directory; empty for the root.
    pub(crate) dir: &'a str,
    pub(crate) kind: Kind,
    pub(crate) text: Text<'a>,
    pub(crate) notes: Option<&'a str>,
    pub(crate) remark: Remark,
    /// The hash of the pair, in hexadecimal.
    pub(crate) hash: &'a str,
    /// The most that the text takes, whatever the budget.
    pub(crate) most: u64,
    /// Where the project lies: what somebody wrote may name it, and is shown without these lines.
    pub(crate) own: &'a Own,
}

impl Block<'_> {
    /// The whole block within a budget, and the level that all of its text has at the least; `None` where not even a line
    /// of the text fits.
    pub(crate) fn fit(&self, budget: u64) -> Option<(Level, String)> {
        let notes = self.notes().filter(|notes| tokens::estimate(notes) <= budget / NOTE_SHARE);
        let notes = notes.unwrap_or_default();
        let begin = self.begin();
        // The estimate of a whole is never more than that of its parts.
        let around = self.frame() + tokens::estimate(&notes);
        let (level, body) = self.text(budget.checked_sub(around)?.min(self.most));
        (!body.trim().is_empty()).then(|| (level, format!("{begin}{body}{notes}{END}")))
    }

    /// The tokens with which all of it fits for sure.
    pub(crate) fn needs(&self) -> u64 {
        let notes = self.notes().map_or(0, |notes| tokens::estimate(&notes));
        let whole = self.frame() + notes + tokens::estimate(&self.text(self.most).1);
        whole.max(notes * NOTE_SHARE)
    }

    /// The tokens of what stands around text and notes.
    pub(crate) fn frame(&self) -> u64 {
        tokens::estimate(&self.begin()) + tokens::estimate(END)
    }

    fn begin(&self) -> String {
        let kind = header::kind_name(self.kind);
        let dir =
            if self.dir.is_empty() { String::new() } else { format!("dir={} ", header::written(self.dir)) };
        let root: String = self.hash.chars().take(16).collect();
        let above = match (self.dir.is_empty(), self.kind) {
            (true, Kind::Index) => format!("{PROTOCOL}\n"),
            (true, Kind::Map) => format!("{TRUST}\n\n"),
            (false, _) => String::new(),
        };
        format!("<!-- pi-map:begin v=1 kind={kind} {dir}root={root} -->\n{above}{}", self.remark.line())
    }

    fn text(&self, budget: u64) -> (Level, String) {
        match &self.text {
            Text::Page(page) => level::fit(page, self.kind, budget),
            Text::Written(text) => written(&self.shown(text), budget),
        }
    }

    /// What somebody wrote, without the lines that nothing of ours may say.
    fn shown(&self, text: &str) -> String {
        let text = self.own.without(text);
        text.split_inclusive('\n').filter(|line| forbidden::found(line).is_none()).collect()
    }

    /// The notes as they can be shown, in lines of plain text.
    fn notes(&self) -> Option<String> {
        let lines = self.notes?.lines().filter(|line| !self.own.is_in(line)).map(plain::line);
        let lines = lines.filter(|line| !line.is_empty());
        let lines: Vec<String> = lines.map(|line| cut(&line)).take(NOTE_LINES + 1).collect();
        if lines.is_empty() {
            return None;
        }
        let more = if lines.len() > NOTE_LINES { "… shortened\n" } else { "" };
        let shown = lines.iter().take(NOTE_LINES).fold(String::new(), |text, line| text + line + "\n");
        Some(format!("\n## Notes\n{shown}{more}"))
    }
}

fn cut(line: &str) -> String {
    if line.chars().count() <= NOTE_CHARACTERS {
        return line.to_owned();
    }
    line.chars().take(NOTE_CHARACTERS).chain(['…']).collect()
}

/// A text that somebody wrote, up to the line that still fits. It cannot end the block nor begin another.
fn written(text: &str, budget: u64) -> (Level, String) {
    const SHORTENED: &str = "… shortened: the file has more\n";
    let text = text.replace("<!--", "<! --");
    let text = text.trim_end().to_owned() + "\n";
    if tokens::estimate(&text) <= budget {
        return (Level::Full, text);
    }
    let room = budget.saturating_sub(tokens::estimate(SHORTENED));
    let (mut kept, mut taken) = (String::new(), 0);
    for line in text.split_inclusive('\n') {
        taken += tokens::estimate(line);
        if taken > room {
            break;
        }
        kept += line;
    }
    if kept.is_empty() { (Level::Counts, kept) } else { (Level::Counts, kept + SHORTENED) }
}

#[cfg(test)]
mod tests;
