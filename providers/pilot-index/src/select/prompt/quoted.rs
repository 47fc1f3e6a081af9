//! What stands in quotation marks: messages and texts that are looked for as they are.

/// So many quotations are looked for.
const CAP: usize = 16;

/// Shorter ones are words; longer ones are pasted texts.
const LENGTHS: std::ops::RangeInclusive<usize> = 4..=200;

const PAIRS: &[(char, char)] = &[('"', '"'), ('\'', '\''), ('“', '”'), ('„', '“'), ('«', '»'), ('‘', '’')];

/// Adds the quotations of a line.
pub(crate) fn collect(line: &str, found: &mut Vec<String>) {
    let mut from = 0;
    while let Some((open, mark)) = line[from..].char_indices().find(|(_, mark)| closing(*mark).is_some()) {
        let (open, inside) = (from + open, from + open + mark.len_utf8());
        from = inside;
        let end =
            closing(mark).filter(|_| stands_alone(line, open)).and_then(|mark| line[inside..].find(mark));
        let Some(end) = end.map(|length| inside + length) else { continue };
        let text = line[inside..end].trim();
        if LENGTHS.contains(&text.len()) && text.contains(char::is_alphanumeric) && found.len() < CAP {
            found.push(text.to_owned());
            from = end + line[end..].chars().next().map_or(0, char::len_utf8);
        }
    }
}

fn closing(mark: char) -> Option<char> {
    PAIRS.iter().find(|(open, _)| *open == mark).map(|(_, close)| *close)
}

/// An apostrophe stands behind a letter; a quotation begins with something else before it.
fn stands_alone(line: &str, at: usize) -> bool {
    !line[..at].chars().next_back().is_some_and(char::is_alphanumeric)
}
