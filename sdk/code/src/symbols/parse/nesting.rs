//! How deep a text is nested, before anything parses it.

use crate::language::Language;

/// Elements of HTML that have no end.
const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr",
];

/// Counts how deep brackets lie in each other, those in texts and comments among them; of markup also the elements.
pub(super) fn depth(language: Language, source: &[u8]) -> usize {
    let brackets = brackets(source);
    if matches!(language.id(), "html" | "xml") { brackets.max(elements(source)) } else { brackets }
}

fn brackets(source: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in source {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        deepest = deepest.max(depth);
    }
    deepest
}

fn elements(source: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for (at, pair) in source.windows(2).enumerate() {
        match pair {
            b"</" | b"/>" => depth = depth.saturating_sub(1),
            [b'<', letter] if letter.is_ascii_alphabetic() && !is_void(&source[at + 1..]) => depth += 1,
            _ => continue,
        }
        deepest = deepest.max(depth);
    }
    deepest
}

fn is_void(rest: &[u8]) -> bool {
    let end = rest.iter().take(8).position(|byte| !byte.is_ascii_alphabetic());
    let name = &rest[..end.unwrap_or(0)];
    VOID.iter().any(|void| void.as_bytes().eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::depth;
    use crate::language::Language;

    fn check(id: &str, source: &str, expected: usize) {
        let language = Language::of_id(id).expect("a language");
        assert_eq!(depth(language, source.as_bytes()), expected, "{source}");
    }

    #[test]
    fn brackets_count_in_every_language() {
        check("c", "", 0);
        check("c", "a(b[c{d}]) (e) ]]) (", 3);
        check("html", "<a>((", 2);
    }

    #[test]
    fn elements_count_in_markup_only() {
        check("c", "<a><b><c>", 0);
        check("html", "<a><b><c></c></b><d></d>", 3);
        check("html", "<p><br><IMG src=a><hr/></p><p>", 1);
        check("xml", "<?xml?><a><b/><b/><c>1 < 2</c></a>", 2);
    }
}
