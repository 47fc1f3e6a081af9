//! What a file says, as one line that cannot be taken for anything of ours.

/// The longest purpose, in characters.
pub(crate) const PURPOSE: usize = 160;

/// Makes one line of plain text: no line break, no control or direction character, no backtick, no comment of HTML, at most
/// `most` characters.
pub(crate) fn plain(text: &str, most: usize) -> String {
    let mut line = String::new();
    let mut length = 0;
    let mut gap = false;
    for letter in text.chars().filter(|letter| letter.is_whitespace() || !is_unseen(*letter)) {
        if letter.is_whitespace() {
            gap = !line.is_empty();
            continue;
        }
        if length + usize::from(gap) >= most {
            return shortened(line, gap && length < most, most);
        }
        if gap {
            line.push(' ');
            length += 1;
            gap = false;
        }
        line.push(if letter == '`' { '\'' } else { letter });
        length += 1;
    }
    while line.contains("<!--") || line.contains("-->") {
        line = line.replace("<!--", "").replace("-->", "");
    }
    line.trim().to_owned()
}

/// Ends at a word, and says that there was more.
fn shortened(mut line: String, at_word: bool, most: usize) -> String {
    let whole = line.rfind(' ').filter(|at| line[..*at].chars().count() * 2 > most);
    let last = line.char_indices().next_back().map_or(0, |(at, _)| at);
    let end = if at_word { line.len() } else { whole.unwrap_or(last) };
    line.truncate(end);
    let line = plain(&line, most);
    format!("{}…", line.trim_end_matches([',', ';', ':', '(', '-']))
}

/// Control characters, and those that change the direction, join or hide others.
fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(letter, '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
        || matches!(letter, '\u{e0000}'..='\u{e0fff}')
}

/// Gives the first sentence of a paragraph.
pub(crate) fn first_sentence(text: &str) -> &str {
    let mut from = 0;
    while let Some(at) = text[from..].find(['.', '!', '?', '。', '！', '？']).map(|at| at + from) {
        let mark = text[at..].chars().next().unwrap_or('.');
        let end = at + mark.len_utf8();
        let wide = !mark.is_ascii();
        let ends = text[end..].chars().next().is_none_or(char::is_whitespace);
        if wide || ends && !(mark == '.' && is_short(&text[..at])) {
            return &text[..end];
        }
        from = end;
    }
    text
}

/// Whether a full stop here belongs to an abbreviation.
fn is_short(before: &str) -> bool {
    let word = before.rsplit([' ', '(']).next().unwrap_or_default().to_ascii_lowercase();
    word.chars().count() == 1
        || matches!(word.as_str(), "e.g" | "i.e" | "etc" | "vs" | "cf" | "mr" | "dr" | "no" | "incl")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_plain_and_short() {
        let check =
            |text: &str, most: usize, expected: &str| assert_eq!(plain(text, most), expected, "{text:?}");
        check("  one\n\ttwo  ", 99, "one two");
        check("a `b` <!-- c --> d", 99, "a 'b'  c  d");
        check("<!<!----", 99, "");
        check("a\u{202e}b\u{1b}[31mc\u{200d}", 99, "ab[31mc");
        check("one two three four", 14, "one two three…");
        check("abcdefghij", 5, "abcd…");
        check("", 5, "");
        assert!(plain(&"word ".repeat(99), PURPOSE).chars().count() <= PURPOSE);
    }

    #[test]
    fn a_sentence_ends_where_it_ends() {
        let check = |text: &str, expected: &str| assert_eq!(first_sentence(text), expected);
        check("Reads files. Then more.", "Reads files.");
        check("Reads files, e.g. of v1.2, fast! More.", "Reads files, e.g. of v1.2, fast!");
        check("no end", "no end");
        check("読む。次", "読む。");
    }
}
