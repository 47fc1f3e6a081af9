//! Small questions about a text that is edited in place.

/// The line end that a text uses.
pub(super) fn newline(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// The blanks that a line begins with, as far as `at`.
pub(super) fn indent_at(text: &str, at: usize) -> &str {
    let start = line_start(text, at);
    let line = &text[start..at];
    let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
    &line[..blanks]
}

/// Whether nothing but blanks stands before `at` on its line.
pub(super) fn begins_line(text: &str, at: usize) -> bool {
    indent_at(text, at).len() == at - line_start(text, at)
}

/// Where the line of `at` starts; a text's first line starts no line that could be followed.
fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// The text with a part of it replaced.
pub(super) fn replace(text: &str, range: std::ops::Range<usize>, with: &str) -> String {
    [&text[..range.start], with, &text[range.end..]].concat()
}
