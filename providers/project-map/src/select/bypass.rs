//! The assistant's own word that it goes past a block.

/// What begins it; the document's own form.
const BEGIN: &str = "[PI_MAP_BYPASS:";

/// A justification with fewer characters says nothing.
const SHORTEST: usize = 8;
/// More of it is not kept.
const LONGEST: usize = 1_000;

/// The justification that a text of the assistant's gives, on one line; nobody else's text may be asked about.
pub(crate) fn justification(assistant_text: &str) -> Option<String> {
    assistant_text.match_indices(BEGIN).find_map(|(at, _)| {
        let rest = &assistant_text[at + BEGIN.len()..];
        let said = rest.split_once(']')?.0;
        // Of `[PI_MAP_BYPASS: <brief justification>]` as it stands in our own words nothing is justified.
        let words: Vec<&str> = said.split_whitespace().collect();
        let line: String =
            words.join(" ").chars().filter(|letter| !letter.is_control()).take(LONGEST).collect();
        (line.chars().count() >= SHORTEST && !line.starts_with('<')).then_some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bypass_has_a_justification() {
        for (text, expected) in [
            ("[PI_MAP_BYPASS: one-line typo fix]", Some("one-line typo fix")),
            ("I know.\n[PI_MAP_BYPASS:   a\n typo ,  really ] Done.", Some("a typo , really")),
            ("[PI_MAP_BYPASS: typo] [PI_MAP_BYPASS: typo in a comment]", Some("typo in a comment")),
            ("[PI_MAP_BYPASS: 12345678]", Some("12345678")),
            ("[PI_MAP_BYPASS: 1234567]", None),
            ("[PI_MAP_BYPASS: <brief justification>]", None),
            ("[PI_MAP_BYPASS:         ]", None),
            ("[PI_MAP_BYPASS]", None),
            ("[PI_MAP_BYPASS: it never ends", None),
            ("PI_MAP_BYPASS: no brackets at all", None),
            ("[pi_map_bypass: another name]", None),
            ("", None),
        ] {
            assert_eq!(justification(text).as_deref(), expected, "{text:?}");
        }
        let long = justification(&format!("[PI_MAP_BYPASS: {}]", "é".repeat(5_000)));
        assert_eq!(long.map(|text| text.chars().count()), Some(LONGEST));
    }
}
