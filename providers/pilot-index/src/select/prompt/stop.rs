//! Words that say nothing about code.
//!
//! Only words that English, or talking to an agent, cannot do without. Names that are also verbs of everyday work (`get`
//! aside) are not among them: `find`, `set`, `new`, `file`, `user`, `error`, `test`, `value` and the like name code, and
//! where they say little their frequency shows it. In backticks nothing is a stop word.

use std::{collections::HashSet, sync::LazyLock};

use ctxhost_code::words;

const WORDS: &str = "
    a about above after again ahead all already also am an and any anyway are aren as at be because been before being
    below between both but by can cannot could couldn did didn do does doesn doing don done down during each either else
    etc even ever every everything few fine for from further get gets getting go goes going good got gotten great guess had
    hadn has hasn have haven having he hello her here hers hey hi him his hope how however i if in indeed instead
    into is isn it its itself just know let lets like ll looks lot make makes making many may maybe me might
    more most much must my need needs needed nice no nor not nothing now of off oh ok okay on once one only or other our
    ours out over own per perhaps please pls probably quite rather re really right same say says see seems shall she
    should shouldn since so some something soon sorry still such sure take takes tell than thank thanks that the their
    theirs them then there these they thing things think this those though through thus to together too under until up
    upon us use used uses using ve very via want wanted wants was wasn way ways we well were weren what whatever when
    where whether which while who whole whom whose why will with within without won wonder would wouldn yeah yes yet you
    your yours
    able actually add added adding adds change changed changes changing currently fix fixed fixes fixing
";

/// What people tell an agent to do next. They name code as well, so they only say nothing when nothing else is said.
const ERRANDS: &str =
    "build commit continue deploy install lint proceed pull push rebase retry run test try work";

static STOP: LazyLock<HashSet<String>> = LazyLock::new(|| stems(WORDS));

static ERRAND: LazyLock<HashSet<String>> = LazyLock::new(|| stems(ERRANDS));

fn stems(text: &str) -> HashSet<String> {
    let mut stems = HashSet::new();
    words::split(text, &mut |word| {
        stems.insert(word.to_owned());
    });
    stems
}

/// Whether a word, as `words::split` gives it, says nothing about code.
pub(crate) fn is_stop(word: &str) -> bool {
    STOP.contains(word)
}

/// Whether a word is an errand: `run the tests` asks for no code.
pub(super) fn is_errand(word: &str) -> bool {
    ERRAND.contains(word)
}
