//! Text that nothing in a project can break out of: one line of it, and names in code spans.

use super::forbidden;

/// Longer texts are cut: a purpose has at most 160 characters, and a line of several names some more.
const LONGEST: usize = 300;

/// A text as one line: no backticks, no beginning of a comment, nothing that is not seen or turns the reading around. A
/// text with a secret or a place of this machine in it is none.
///
/// What came out of it comes out of it again.
pub(crate) fn line(text: &str) -> String {
    let seen: String = text
        .chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|c| !unseen(*c))
        .map(|c| if c == '`' { '\'' } else { c })
        .collect();
    let words = seen
        .replace("<!--", "<! --")
        .split(' ')
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    if forbidden::found(&words).is_some() {
        return String::new();
    }
    if words.chars().count() <= LONGEST {
        return words;
    }
    let cut: String = words.chars().take(LONGEST - 1).collect();
    format!("{}…", cut.trim_end())
}

/// A line that does not begin as a heading, an item or a quote would.
pub(crate) fn sentence(text: &str) -> String {
    let line = line(text);
    line.trim_start_matches(|c: char| "#>-*+…| ".contains(c)).to_owned()
}

/// A word for a tag: letters and digits of any script and what is usual between them.
pub(crate) fn tag(text: &str) -> String {
    let inside = |c: char| c.is_alphanumeric() || "-_.+#/@".contains(c);
    let tag: String = text.chars().map(|c| if inside(c) { c } else { '-' }).collect();
    tag.trim_matches('-').to_owned()
}

/// Puts a name, of a file or a definition, into a code span; [`decoded`] gives back the same name.
pub(crate) fn span(name: &str) -> String {
    let mut span = String::with_capacity(name.len() + 2);
    span.push('`');
    let last = name.chars().count().saturating_sub(1);
    let mut next = name.chars().skip(1);
    for (at, c) in name.chars().enumerate() {
        let follows = next.next();
        // A space at the end of a code span is not part of it, and `<!` could begin a comment.
        let edge = c.is_whitespace() && (c != ' ' || at == 0 || at == last);
        if matches!(c, '%' | '`') || edge || unseen(c) || (c == '<' && follows == Some('!')) {
            percent(&mut span, c.encode_utf8(&mut [0; 4]).as_bytes());
        } else {
            span.push(c);
        }
    }
    span.push('`');
    span
}

/// Adds bytes as `%` and two digits each.
pub(crate) fn percent(to: &mut String, bytes: &[u8]) {
    for byte in bytes {
        to.push_str(&format!("%{byte:02X}"));
    }
}

/// Gives back what was written with `%` and two digits; a `%` that stands for nothing stays.
pub(crate) fn decoded(text: &str) -> String {
    let (bytes, mut out, mut at) = (text.as_bytes(), Vec::with_capacity(text.len()), 0);
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    while at < bytes.len() {
        match (bytes[at], digit(bytes.get(at + 1)), digit(bytes.get(at + 2))) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            (byte, ..) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

/// Control characters, those without width, and those that turn the direction of reading.
fn unseen(c: char) -> bool {
    c.is_control()
        || matches!(u32::from(c),
            0xAD | 0x61C | 0x180E | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F | 0xFEFF | 0xFFF9..=0xFFFB
            | 0xE0000..=0xE007F)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_harmless_line() {
        for (text, plain) in [
            ("Reads it.\n\tAll  of it. ", "Reads it. All of it."),
            ("see `code`", "see 'code'"),
            ("<!-- notes:end -->", "<! -- notes:end -->"),
            ("a\u{202E}b\u{200B}c\u{1b}[31m", "abc[31m"),
            ("a\u{2028}b", "a b"),
        ] {
            assert_eq!(line(text), plain, "{text:?}");
        }
        assert_eq!(line(&"x".repeat(400)).chars().count(), LONGEST);
        assert_eq!(sentence("## > Files"), "Files");
        assert_eq!(tag("#a b,c)"), "#a-b-c");
    }

    #[test]
    fn a_name_in_a_span_is_the_same_name_again() {
        for (name, written) in [
            ("src/[id]/page.tsx", "`src/[id]/page.tsx`"),
            ("a b", "`a b`"),
            (" a ", "`%20a%20`"),
            ("100%`", "`100%25%60`"),
            ("a\n<!--", "`a%0A%3C!--`"),
            ("日本\u{202E}", "`日本%E2%80%AE`"),
        ] {
            assert_eq!(span(name), written);
            assert_eq!(decoded(written.trim_matches('`')), name);
        }
        assert_eq!(decoded("100% %zz %FF"), "100% %zz %FF");
    }
}
