//! The few sentences that the provider says itself.

/// What is said before there are maps.
pub(crate) const HINT: &str = "\
The project map is active and this project has no maps yet. Run the tool project_map_init once, and the next prompt \
brings an index of what lives where; until then, look at the files themselves.\n";

/// What people see of it.
pub(crate) const QUOTE: &str =
    "no project map yet: let the agent make it, or run `ctxhost run project-map init`";

/// What reminds of the maps where they are not shown.
pub(crate) const REMINDER: &str = "\
This project has maps: read .pi-map.index.md in its root, or ask project_map_context, before you reason about its \
architecture or edit it. index routes, map orients, source decides\n";

/// What says that the maps shown are not the newest.
pub(crate) const CHANGED: &str = "\
The project map has changed since it was shown: read .pi-map.index.md and .pi-map.md in the project's root, or ask \
project_map_context.\n";

/// What is said to an edit that nothing of the maps precedes.
pub(crate) const GUIDANCE: &str = "\
Nothing of the project map is in this conversation. Before you edit on, read .pi-map.index.md and .pi-map.md in the \
project's root, or ask project_map_context; then read the source itself. index routes, map orients, source decides";

/// Why an edit is blocked.
pub(crate) const BLOCK: &str = "\
The project map is in strict mode and this conversation does not show the root's index and map, so files are not \
changed yet. Read .pi-map.index.md and .pi-map.md in the project's root, or ask project_map_context, and the source \
that you are about to change; the maps come with the next prompt. To go on without them, say why in your own words \
and call the tool again: [PI_MAP_BYPASS: <brief justification>]";

/// What is said of maps that are stale by how their files are read here.
pub(crate) fn spared(number: usize, lacks: &str) -> String {
    format!(
        "{number} maps are of these very files and would say less here ({lacks}): they stay as they are; install the \
         grammars beside the provider"
    )
}

/// What a command says of the same.
pub(crate) fn read_otherwise(number: usize, lacks: &str) -> String {
    format!(
        "{number} maps are of these very files, which are read less well here ({lacks}): written here they say less; \
         install the grammars beside the provider, and then `reinit`"
    )
}

/// The way up to the root from a folder below it; `None` where that is the root itself.
pub(crate) fn up(from: &str) -> Option<String> {
    (!from.is_empty()).then(|| vec![".."; from.split('/').count()].join("/"))
}

/// Where the paths of the maps begin, for a session that works below the root.
pub(crate) fn place(from: &str) -> Option<String> {
    let up = up(from)?;
    Some(format!(
        "The paths in the project map begin at the project's root, which is `{up}` from the working directory.\n"
    ))
}

/// How many directories are named that found no room.
const NAMED: usize = 5;

/// Why a pair is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    Room,
    Time,
}

/// What found no room or no time, in one line.
pub(crate) fn left_out(dirs: &[&str], why: Why) -> Option<String> {
    if dirs.is_empty() {
        return None;
    }
    let named: Vec<String> = dirs.iter().take(NAMED).map(|dir| super::plain::span(dir)).collect();
    let more = match dirs.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let why = match why {
        Why::Room => "Maps of these directories found no room here",
        Why::Time => "There was no time for the maps of these directories",
    };
    Some(format!(
        "{why}: {}{more}. Open the .pi-map.index.md in one, or ask \
         project_map_context.\n",
        named.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{select::bypass, shape::block::TRUST};

    #[test]
    fn texts_are_short_and_no_text_of_ours_is_a_bypass() {
        for text in [HINT, REMINDER, CHANGED, GUIDANCE, BLOCK] {
            assert!(text.len() < 600 && !text.trim_end().contains('\n'), "{text}");
            assert_eq!(bypass::justification(text), None);
        }
        assert!(REMINDER.contains(TRUST) && GUIDANCE.ends_with(TRUST));
    }

    #[test]
    fn what_is_left_out_is_one_line() {
        assert_eq!(left_out(&[], Why::Room), None);
        let line = left_out(&["a", "b`", "c", "d", "e", "f", "g"], Why::Room).expect("a line");
        assert!(line.starts_with(
            "Maps of these directories found no room here: `a`, `b%60`, `c`, `d`, `e` and 2 more."
        ));
        assert_eq!(line.lines().count(), 1);
        let line = left_out(&["a"], Why::Time).expect("a line");
        assert!(line.starts_with("There was no time for the maps of these directories: `a`. Open"), "{line}");
    }
}
