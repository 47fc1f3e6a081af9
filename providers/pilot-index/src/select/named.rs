//! The definitions that go by a name of the prompt, wherever they are: no list of files is long enough to have them all.

use ctxhost_code::index::{Case, IndexError};

use super::{
    corpus::{Corpus, Place},
    prompt::{Name, Prompt},
};

/// An English word with more definitions than these says nothing.
const OF_A_WORD: usize = 8;

/// So many definitions of a name written as code are taken, and so many in all.
const OF_A_NAME: usize = 32;
const MOST: usize = 96;

/// What is asked for in so many words, with its owner or for nothing else, comes before what only speaks of it; a name
/// written as code beside the best of those.
const SPELLED: f64 = 1.25;
const CODE: f64 = 1.0;

/// A definition that goes by a name of the prompt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Named {
    pub(crate) place: Place,
    /// What its words count for at least, as a part of the best symbol's.
    pub(crate) words: f64,
}

/// Gives them, each once; what is spelled out first, then what is written as code.
pub(crate) fn definitions(corpus: &impl Corpus, prompt: &Prompt) -> Result<Vec<Named>, IndexError> {
    let mut found: Vec<Named> = Vec::new();
    let (code, words): (Vec<&Name>, Vec<&Name>) = prompt.names.iter().partition(|name| is_code(name));
    let spelled = prompt.spelled.iter().map(|name| (name.as_str(), OF_A_NAME, SPELLED));
    let code = code.into_iter().map(|name| (name.text.as_str(), OF_A_NAME, CODE));
    let words = words.into_iter().map(|name| (name.text.as_str(), OF_A_WORD, 0.0));
    for (name, most, words) in spelled.chain(code).chain(words) {
        let (places, exact) = look_up(corpus, name)?;
        // A name with many definitions says little about each, and a word that begins with a capital may be none.
        let sure = places.len() <= OF_A_WORD && (exact || words > CODE);
        let words = if sure { words } else { 0.0 };
        if places.len() > most && most == OF_A_WORD {
            continue;
        }
        for place in places.into_iter().take(most) {
            if found.len() < MOST && !found.iter().any(|known| known.place == place) {
                found.push(Named { place, words });
            }
        }
    }
    Ok(found)
}

/// Whether a name looks like one: a capital letter is enough.
fn is_code(name: &Name) -> bool {
    name.code || name.text.contains(char::is_uppercase)
}

/// Where a name is defined as it is spelled, or else in whatever case, and whether it is as it is spelled; code before
/// prose, tests behind the rest of each.
fn look_up(corpus: &impl Corpus, name: &str) -> Result<(Vec<Place>, bool), IndexError> {
    let mut places = corpus.definitions(name, Case::Exact)?;
    let exact = !places.is_empty();
    if !exact {
        places = corpus.definitions(name, Case::Any)?;
    }
    let mut sorted = Vec::with_capacity(places.len());
    for place in places {
        let Some(file) = corpus.file(place.doc) else { continue };
        let prose = !file.language.is_some_and(|language| language.is_code());
        sorted.push(((file.test, file.generated, prose, file.path, place.symbol), place));
    }
    sorted.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    Ok((sorted.into_iter().map(|(_, place)| place).collect(), exact))
}
