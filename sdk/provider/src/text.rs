//! Text for a model: fences that hold, and cuts that end at a line.

/// Puts a text into a code fence that is longer than any run of backticks inside, so that nothing in it can close it.
///
/// The language goes into the info string as far as it consists of letters, digits and `+-#._`.
///
/// ```
/// let fenced = ctxhost_sdk::text::fence("markdown", "```sh\nls\n```\n");
/// assert_eq!(fenced, "````markdown\n```sh\nls\n```\n````\n");
/// ```
pub fn fence(language: &str, text: &str) -> String {
    let mark = "`".repeat((longest_run(text) + 1).max(3));
    let language: String =
        language.chars().filter(|c| c.is_ascii_alphanumeric() || "+-#._".contains(*c)).take(40).collect();
    let end = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
    format!("{mark}{language}\n{text}{end}{mark}\n")
}

/// Puts a short text into a code span that holds: longer backticks outside than inside, line breaks shown as spaces.
///
/// ```
/// assert_eq!(ctxhost_sdk::text::span("a`b"), "``a`b``");
/// assert_eq!(ctxhost_sdk::text::span("`x`"), "`` `x` ``");
/// ```
pub fn span(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let mark = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{mark}{pad}{text}{pad}{mark}")
}

/// The longest run of backticks in a text.
fn longest_run(text: &str) -> usize {
    let (mut longest, mut run) = (0, 0);
    for byte in text.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// The whole lines at the start of a text that fit into `max_chars` characters, and how many lines are left out.
///
/// ```
/// assert_eq!(ctxhost_sdk::text::first_lines("one\ntwo\nthree\n", 9), ("one\ntwo\n", 1));
/// assert_eq!(ctxhost_sdk::text::first_lines("one\ntwo", 100), ("one\ntwo", 0));
/// ```
pub fn first_lines(text: &str, max_chars: usize) -> (&str, usize) {
    let (mut end, mut chars) = (0, 0);
    for line in text.split_inclusive('\n') {
        chars += line.chars().count();
        if chars > max_chars {
            break;
        }
        end += line.len();
    }
    (&text[..end], text[end..].lines().count())
}
