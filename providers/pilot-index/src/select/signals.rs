//! The seven signals of a symbol, and the eighth that ranks before them: its words. Each is shown as it is.

use ctxhost_code::symbols::{Kind, Visibility};

use super::prompt::{Intent, Name};

/// What the words of a symbol count for at most, in the unit of the document's weights.
///
/// On the development rows, words alone find .67 of the symbols among the first thirty, the seven signals alone .39, both
/// together .67 among thirty and .52 among ten where words alone find .46.
pub(crate) const WORDS: f64 = 20.0;
/// The document's weight of a name that is a word of the prompt.
pub(crate) const EXACT: f64 = 3.0;
/// The document's weight of a name that resembles one.
pub(crate) const FUZZY: f64 = 1.0;
/// The document's weight of a kind that fits what is wanted.
pub(crate) const KIND: f64 = 0.5;
/// The document's weight of what others may use.
pub(crate) const EXPORTED: f64 = 0.3;
/// The document's weight of a file that is at hand.
pub(crate) const PROXIMITY: f64 = 0.8;
/// The document's weight of words in the doc comment.
pub(crate) const DOC: f64 = 0.5;
/// The document's weight of what a good symbol uses.
pub(crate) const REFERENCE: f64 = 0.4;

/// What a symbol shows, before weighing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Signals {
    /// Its words and its file's, as a part of the best symbol's: 0 to 1.
    pub words: f64,
    /// 1 for a name that stands in the prompt, 0.8 when the prompt's name has an owner that is not this one's.
    pub exact: f64,
    /// 1 for a name that begins with a word of the prompt, 0.8 for the end, 0.5 for inside or alike.
    pub fuzzy: f64,
    /// How well its kind fits what is wanted: 0.5 to 1.3.
    pub kind: f64,
    /// 1 for what others may use.
    pub exported: f64,
    /// 1.5 in a file that the prompt names, 1.2 in one edited lately, 0.6 beside one.
    pub proximity: f64,
    /// 0.5 for each word of the prompt in the doc comment, at most 2.
    pub doc: f64,
    /// 1 for what one of the best symbols uses, divided by the steps to it, and less for common names.
    pub reference: f64,
}

/// One signal: its value is multiplied with its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signal {
    /// What it is called.
    pub name: &'static str,
    /// What the symbol shows.
    pub value: f64,
    /// What that counts for.
    pub weight: f64,
}

impl Signals {
    /// Gives every signal, also those that are zero, always in this order.
    pub fn each(&self) -> [Signal; 8] {
        let signal = |name, value, weight| Signal { name, value, weight };
        [
            signal("words", self.words, WORDS),
            signal("exact", self.exact, EXACT),
            signal("fuzzy", self.fuzzy, FUZZY),
            signal("kind", self.kind, KIND),
            signal("exported", self.exported, EXPORTED),
            signal("proximity", self.proximity, PROXIMITY),
            signal("doc", self.doc, DOC),
            signal("reference", self.reference, REFERENCE),
        ]
    }

    /// Gives the weighed sum.
    pub fn total(&self) -> f64 {
        self.each().iter().map(|signal| signal.value * signal.weight).sum()
    }
}

/// The names of a prompt, made ready for comparing.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    names: Vec<(String, Vec<[char; 2]>)>,
}

/// Shorter names are not compared by resemblance: they are inside of everything.
const SHORTEST: usize = 3;

/// From so many common pairs of letters on, names are alike.
const ALIKE: f64 = 0.5;

impl Wanted {
    /// Makes names ready.
    pub(crate) fn new(names: &[Name]) -> Self {
        let ready = |name: &Name| {
            let lower = name.text.to_lowercase();
            let pairs = pairs(&lower);
            (lower, pairs)
        };
        Self { names: names.iter().map(ready).collect() }
    }

    /// Compares a symbol's name, in lower case, with all of them: exact and fuzzy.
    pub(crate) fn compare(&self, name: &str, owner: &str) -> (f64, f64) {
        let exact = if self.names.iter().any(|(wanted, _)| wanted == name) { self.owned(owner) } else { 0.0 };
        let own = pairs(name);
        let fuzzy = self.names.iter().map(|(wanted, pairs)| resemblance(name, &own, wanted, pairs));
        (exact, fuzzy.fold(0.0, f64::max))
    }

    /// 1 when nothing speaks against the owner. Where several symbols share a name, the prompt's other names tell.
    fn owned(&self, owner: &str) -> f64 {
        let last = owner.rsplit('.').next().unwrap_or(owner).to_lowercase();
        if last.is_empty() || self.names.iter().any(|(wanted, _)| *wanted == last) { 1.0 } else { 0.8 }
    }
}

fn resemblance(name: &str, own: &[[char; 2]], wanted: &str, pairs: &[[char; 2]]) -> f64 {
    if wanted.len() < SHORTEST {
        return 0.0;
    }
    if name.starts_with(wanted) {
        return 1.0;
    }
    if name.ends_with(wanted) {
        return 0.8;
    }
    if name.contains(wanted) {
        return 0.5;
    }
    let longer = own.len().max(pairs.len());
    // Two sets that differ this much in size cannot be alike.
    if longer == 0 || (own.len().min(pairs.len()) as f64) <= ALIKE * longer as f64 {
        return 0.0;
    }
    let common = own.iter().filter(|pair| pairs.binary_search(pair).is_ok()).count() as f64 / longer as f64;
    if common > ALIKE { 0.5 * common } else { 0.0 }
}

/// Gives the set of neighbouring letters, sorted.
fn pairs(name: &str) -> Vec<[char; 2]> {
    let letters: Vec<char> = name.chars().collect();
    let mut pairs: Vec<[char; 2]> = letters.windows(2).map(|pair| [pair[0], pair[1]]).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// How well a kind fits what is wanted: the document's values, divided by its weight.
pub(crate) fn kind(intent: Intent, kind: Kind) -> f64 {
    use Kind::{
        Class, Constant, Constructor, Enum, Field, Function, Interface, Macro, Method, Struct, Trait,
        TypeAlias, Union, Variable,
    };
    match (intent, kind) {
        (Intent::Unknown, _) => 0.5,
        (Intent::Debug, Function | Method | Constructor | Macro) => 1.3,
        (Intent::Action | Intent::Create, Function | Macro) => 1.2,
        (Intent::Action | Intent::Create, Method | Constructor) => 1.1,
        (Intent::Action | Intent::Create, Class | Struct | Enum | Union | Trait | Interface) => 1.0,
        (Intent::Action | Intent::Create, Variable | Constant | Field) => 0.8,
        (Intent::Read, Interface | Trait | TypeAlias) => 1.2,
        (Intent::Read, Class | Struct | Enum | Union) => 1.0,
        (Intent::Read, _) => 0.6,
        _ => 0.5,
    }
}

/// 1 for what others may use, half for what a part of the code base may.
pub(crate) fn exported(visibility: Visibility) -> f64 {
    match visibility {
        Visibility::Public => 1.0,
        Visibility::Restricted => 0.5,
        Visibility::Private => 0.0,
    }
}

/// How near a file is: named by the prompt, edited lately, or beside one edited lately.
pub(crate) fn proximity(path: &str, named: bool, recent: &[String]) -> f64 {
    if named {
        return 1.5;
    }
    if recent.iter().any(|edited| edited == path) {
        return 1.2;
    }
    let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
    if recent.iter().any(|edited| folder(edited) == folder(path)) { 0.6 } else { 0.0 }
}

/// What so many words of the prompt in a doc comment show.
pub(crate) fn doc(words: usize) -> f64 {
    (0.5 * words as f64).min(2.0)
}

#[cfg(test)]
mod tests;
