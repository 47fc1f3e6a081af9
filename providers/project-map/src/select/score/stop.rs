//! Words that say nothing about code.
//!
//! Only words that English, or asking a question, cannot do without. What also names code (`find`, `set`, `new`, `file`,
//! `error`) is not among them: where it says little, its frequency shows it. Where everything is a name, nothing is a
//! stop word; `query` knows.

use std::{collections::HashSet, sync::LazyLock};

use ctxhost_code::words;

const WORDS: &str = "
    a about after again all also am an and any anything anywhere are aren as at be because been before being between both but by
    can cannot could did didn do does doesn doing don done each either else even ever every everything few for from
    further get gets give given gives go goes going got had has have having he hello her here hey hi him his how however i
    if in instead into is isn it its itself just know let lets like made make makes many may maybe me might more most much
    must my need needed needs never no nor not nothing now of off oh ok on once one only or other others our ours out over
    own per perhaps please quite rather really said same say says see shall she should since so some someone something
    somewhere such sure take taken takes tell than thank thanks that the their them then there these they thing things think this
    those though through thus to together too under until up upon us use used uses using very via want wanted wants was
    way ways we well went were what whatever when where whether which while who whole whom whose why will with within
    without won would yes yet you your yours
    actually able come comes decide decides happen happens live lives look looks show shows
";

static STOP: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let mut stems = HashSet::new();
    words::split(WORDS, &mut |word| {
        stems.insert(word.to_owned());
    });
    stems
});

/// Whether a word, as `words::split` gives it, says nothing about code.
pub(crate) fn is_stop(word: &str) -> bool {
    STOP.contains(word)
}
