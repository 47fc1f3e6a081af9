//! References: what the best symbols use matters too, the less so the further away and the commoner its name.

use std::collections::{HashMap, HashSet};

use ctxhost_code::index::{Case, IndexError};

use super::{Context, Loaded, RankedSymbol, describe};
use crate::select::{
    corpus::{Corpus, Place},
    prompt::Prompt,
    signals::Wanted,
};

/// References of so many symbols are followed at each step.
const FROM: usize = 15;

/// Only symbols with at least this part of the best score lead on.
const GOOD: f64 = 0.5;

/// So many different names are looked up at each step.
const NAMES: usize = 200;

/// A name with more definitions than these leads nowhere.
const DEFINITIONS: usize = 8;

/// Shorter names say nothing.
const SHORTEST: usize = 3;

/// Gives every symbol that the best ones use its reference signal; those that nothing else found are added.
pub(crate) fn follow(
    corpus: &impl Corpus,
    prompt: &Prompt,
    context: &Context<'_>,
    loaded: &mut Loaded,
    ranked: &mut Vec<RankedSymbol>,
) -> Result<(), IndexError> {
    let wanted = Wanted::new(&prompt.names);
    let mut known: HashMap<Place, usize> =
        ranked.iter().enumerate().map(|(at, one)| (one.place, at)).collect();
    let mut names = HashMap::new();
    let good = ranked.first().map_or(0.0, |best| best.score * GOOD);
    let mut from: Vec<Place> =
        ranked.iter().take(FROM).take_while(|one| one.score >= good).map(|one| one.place).collect();
    let mut seen: HashSet<Place> = from.iter().copied().collect();
    for step in 1..=context.depth {
        let mut next = Vec::new();
        for reached in reach(corpus, loaded, &from, &mut names)? {
            let value = reached.rarity / f64::from(step);
            match known.get(&reached.place) {
                Some(at) => raise(&mut ranked[*at], value),
                None => {
                    let Some(mut added) = add(corpus, prompt, context, loaded, &wanted, &reached)? else {
                        continue;
                    };
                    raise(&mut added, value);
                    known.insert(reached.place, ranked.len());
                    ranked.push(added);
                }
            }
            if seen.insert(reached.place) {
                next.push(reached);
            }
        }
        next.sort_by(|a, b| b.rarity.total_cmp(&a.rarity).then(a.place.cmp(&b.place)));
        from = next.into_iter().take(FROM).map(|reached| reached.place).collect();
    }
    Ok(())
}

fn raise(ranked: &mut RankedSymbol, value: f64) {
    ranked.signals.reference = ranked.signals.reference.max(value);
    ranked.score = ranked.signals.total();
}

/// A definition that a reference leads to.
struct Reached {
    place: Place,
    through: Place,
    rarity: f64,
}

/// What is known of a name: where it is defined, and what that says.
type Named = (Vec<Place>, f64);

fn reach(
    corpus: &impl Corpus,
    loaded: &mut Loaded,
    from: &[Place],
    names: &mut HashMap<String, Named>,
) -> Result<Vec<Reached>, IndexError> {
    let mut reached = Vec::new();
    let mut looked_up = 0;
    for place in from {
        let references = loaded.file(corpus, place.doc)?.references.iter();
        let used: Vec<String> = references
            .filter(|reference| reference.symbol == Some(place.symbol) && reference.name.len() >= SHORTEST)
            .map(|reference| reference.name.clone())
            .collect();
        for name in used {
            if !names.contains_key(&name) {
                if looked_up == NAMES {
                    continue;
                }
                looked_up += 1;
                names.insert(name.clone(), look_up(corpus, &name)?);
            }
            let (definitions, rarity) = &names[&name];
            let others = definitions.iter().filter(|definition| *definition != place);
            reached.extend(others.map(|other| Reached { place: *other, through: *place, rarity: *rarity }));
        }
    }
    Ok(reached)
}

/// A name that is defined once and used in few files says the most.
fn look_up(corpus: &impl Corpus, name: &str) -> Result<Named, IndexError> {
    let definitions = corpus.definitions(name, Case::Exact)?;
    if definitions.is_empty() || definitions.len() > DEFINITIONS {
        return Ok((Vec::new(), 0.0));
    }
    let files = f64::from(corpus.frequency(name)?.max(1));
    let rarity = 1.0 / (definitions.len() as f64).sqrt() / (1.0 + files.ln() / 4.0);
    Ok((definitions, rarity))
}

/// Describes a symbol that only references found.
fn add(
    corpus: &impl Corpus,
    prompt: &Prompt,
    context: &Context<'_>,
    loaded: &mut Loaded,
    wanted: &Wanted,
    reached: &Reached,
) -> Result<Option<RankedSymbol>, IndexError> {
    let Some(file) = corpus.file(reached.place.doc) else { return Ok(None) };
    loaded.file(corpus, reached.place.doc)?;
    let Some(symbol) = loaded.symbol(reached.place) else { return Ok(None) };
    let signals = describe(prompt, symbol, &file, wanted, context);
    Ok(Some(RankedSymbol {
        place: reached.place,
        score: signals.total(),
        signals,
        through: Some(reached.through),
    }))
}
