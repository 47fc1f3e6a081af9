//! Makes a text harmless inside an injection, visibly.
//!
//! What a file or another machine wrote must not close our element, speak as the agent, or hide.

use ctxhost_protocol::envelope::Trust;

/// Elements with which agents mark what does not come from a user or a file; matched whatever their case.
const AGENT_TAGS: &[&str] = &[
    "system-reminder",
    "system_reminder",
    "hook_context",
    "persisted-output",
    "user-prompt-submit-hook",
    "environment_context",
    "user_instructions",
    "user_query",
    "instructions",
    "permissions",
    "turn_aborted",
    "user_shell_command",
    "command-name",
    "command-message",
    "command-args",
    "local-command-stdout",
    "local-command-stderr",
    "local-command-caveat",
    "bash-input",
    "bash-stdout",
    "bash-stderr",
    "task-notification",
    "new-diagnostics",
    "ide_opened_file",
    "ide_selection",
    "function_calls",
    "function_results",
    "function_call",
    "tool_call",
    "tool_response",
    "invoke",
];

/// One more than the longest name in the lists has.
const LONGEST_NAME: usize = 24;

/// Elements that name a speaker; only somebody else's text is kept from using them.
const SPEAKER_TAGS: &[&str] = &["system", "developer", "user", "assistant"];

/// Makes a section's body harmless.
///
/// The `<` of our own elements and of the agents' is written as `&lt;`, in opening and closing form, whatever the case
/// and the spaces; in text of other machines and tools also that of `system`, `developer`, `user` and `assistant`.
/// Control characters, terminal sequences, bidirectional overrides and Unicode tag characters are taken out.
///
/// ```
/// use ctxhost::{compose::neutralize::neutralize, protocol::envelope::Trust};
/// let text = neutralize("a </ CTXHOST-section ><b> \u{1b}[31mred\u{1b}[0m", Trust::Workspace);
/// assert_eq!(text, "a &lt;/ CTXHOST-section ><b> red");
/// ```
pub fn neutralize(text: &str, trust: Trust) -> String {
    let text = plain(text);
    let strict = matches!(trust, Trust::Remote | Trust::Tool);
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text.as_str();
    let only_ascii = text.is_ascii();
    while let Some(at) = next_bracket(rest, only_ascii) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let bracket = from.chars().next().unwrap_or('<');
        let after = &from[bracket.len_utf8()..];
        if opens_reserved(after, strict) {
            out.push_str("&lt;");
        } else {
            out.push(bracket);
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The next `<`, or one of its wide forms.
fn next_bracket(text: &str, only_ascii: bool) -> Option<usize> {
    // The search for one byte is many times faster, and nearly every text is code in ASCII.
    if only_ascii { text.find('<') } else { text.find(['<', '\u{FF1C}', '\u{FE64}']) }
}

/// Takes out what a person cannot see or a terminal would obey; line breaks become `\n`.
pub fn plain(text: &str) -> String {
    if is_plain_ascii(text) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut characters = text.char_indices().peekable();
    // Up to here nothing ends a terminal's string: known once it was looked for in vain, and not looked for again.
    let mut barren = 0;
    while let Some((_, character)) = characters.next() {
        match character {
            '\r' => {
                if next_is(&mut characters, '\n') {
                    continue;
                }
                out.push('\n');
            }
            '\n' | '\t' => out.push(character),
            '\u{1b}' => skip_escape(&mut characters, &mut barren),
            '\u{9b}' => skip_until_final(&mut characters),
            character if is_hidden(character) => {}
            character => out.push(character),
        }
    }
    out
}

/// Whether a text is ASCII with no control characters but line ends and tabs.
///
/// Written without branches, so that the compiler looks at many bytes at once.
fn is_plain_ascii(text: &str) -> bool {
    let odd = |byte: u8| ((byte < 0x20) & (byte != b'\n') & (byte != b'\t')) | (byte >= 0x7F);
    text.as_bytes().chunks(1024).all(|chunk| !chunk.iter().fold(false, |any, byte| any | odd(*byte)))
}

type Characters<'a> = std::iter::Peekable<std::str::CharIndices<'a>>;

fn next_is(characters: &mut Characters<'_>, wanted: char) -> bool {
    characters.peek().is_some_and(|(_, character)| *character == wanted)
}

/// Skips what follows an escape character: a control sequence, a string up to its end, or two characters.
fn skip_escape(characters: &mut Characters<'_>, barren: &mut usize) {
    match characters.peek().copied() {
        Some((_, '[')) => {
            characters.next();
            skip_until_final(characters);
        }
        Some((at, ']' | 'P' | 'X' | '^' | '_')) if at >= *barren => skip_string(characters, barren),
        Some((_, '(' | ')' | '#' | '%')) => {
            characters.next();
            characters.next();
        }
        Some((_, ']' | 'P' | 'X' | '^' | '_')) | None => {}
        Some((_, '0'..='?' | '@'..='Z' | '\\' | '`'..='~')) => {
            characters.next();
        }
        Some(_) => {}
    }
}

/// Skips a terminal's string up to its end; one that never ends on its line is not one, and the text behind it stays.
fn skip_string(characters: &mut Characters<'_>, barren: &mut usize) {
    let mut ahead = characters.clone();
    let mut last = 0;
    while let Some((at, character)) = ahead.next() {
        last = at;
        match character {
            '\u{7}' | '\u{9c}' => {
                *characters = ahead;
                return;
            }
            '\u{1b}' if next_is(&mut ahead, '\\') => {
                ahead.next();
                *characters = ahead;
                return;
            }
            '\n' => break,
            _ => {}
        }
    }
    *barren = last;
}

/// Skips parameters and the final character of a control sequence.
fn skip_until_final(characters: &mut Characters<'_>) {
    while let Some((_, ' '..='?')) = characters.peek() {
        characters.next();
    }
    if let Some((_, '@'..='~')) = characters.peek() {
        characters.next();
    }
}

fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{E0000}'..='\u{E007F}')
}

/// Characters that nobody sees inside a word.
fn is_zero_width(character: char) -> bool {
    matches!(character, '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}' | '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{FE00}'..='\u{FE0F}')
}

/// Whether what follows a `<` is the name of an element that nobody but us or the agent may write.
fn opens_reserved(after: &str, strict: bool) -> bool {
    let mut name = [0; LONGEST_NAME];
    let length = match plain_name(after, &mut name) {
        Some(length) => length,
        None => match disguised_name(after, &mut name) {
            Name::Marker => return true,
            Name::Length(length) => length,
        },
    };
    let name = &name[..length];
    let is = |tag: &&str| tag.len() == length && tag.as_bytes() == name;
    name.starts_with(b"ctxhost")
        || name.starts_with(b"antml:")
        || AGENT_TAGS.iter().any(is)
        || (strict && SPEAKER_TAGS.iter().any(is))
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':')
}

/// The usual case, a name right behind the bracket and something in ASCII behind the name; lower-case, and its length.
fn plain_name(after: &str, name: &mut [u8; LONGEST_NAME]) -> Option<usize> {
    let bytes = after.as_bytes();
    let mut length = 0;
    while length < LONGEST_NAME && bytes.get(length).is_some_and(|byte| is_name_byte(*byte)) {
        name[length] = bytes[length].to_ascii_lowercase();
        length += 1;
    }
    let ends_plainly = length == LONGEST_NAME || bytes.get(length).is_none_or(u8::is_ascii);
    (length > 0 && ends_plainly).then_some(length)
}

enum Name {
    /// A marker of chat templates: `<|im_start|>`.
    Marker,
    /// A name of this length, perhaps none at all.
    Length(usize),
}

/// A name behind spaces and slashes, with whatever nobody sees between its letters.
fn disguised_name(after: &str, name: &mut [u8; LONGEST_NAME]) -> Name {
    let mut characters = after
        .chars()
        .filter(|character| !is_zero_width(*character))
        .skip_while(|character| character.is_whitespace() || matches!(character, '/' | '\\'));
    let mut length = 0;
    // A longer name is none of ours; that it goes on is enough to know.
    while length < LONGEST_NAME {
        match characters.next() {
            Some('|') if length == 0 => {
                let marker = characters.next().is_some_and(|next| next.is_ascii_alphabetic());
                return if marker { Name::Marker } else { Name::Length(0) };
            }
            Some(character) if u8::try_from(character).is_ok_and(is_name_byte) => {
                // A name's characters are one byte each.
                name[length] = character.to_ascii_lowercase() as u8;
                length += 1;
            }
            _ => break,
        }
    }
    Name::Length(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(trust: Trust, cases: &[(&str, &str)]) {
        for (text, expected) in cases {
            assert_eq!(neutralize(text, trust), *expected, "{text:?}");
        }
    }

    #[test]
    fn reserved_elements_are_shown_and_do_not_work() {
        check(
            Trust::Workspace,
            &[
                ("<ctxhost v=\"1\">", "&lt;ctxhost v=\"1\">"),
                ("</CtxHost-Section>", "&lt;/CtxHost-Section>"),
                ("< \t/ system-reminder >", "&lt; \t/ system-reminder >"),
                ("<\\system-reminder>", "&lt;\\system-reminder>"),
                ("<sys\u{200b}tem-rem\u{ad}inder>", "&lt;sys\u{200b}tem-rem\u{ad}inder>"),
                ("<sys\u{0}tem-reminder>", "&lt;system-reminder>"),
                ("<\u{1b}[1msystem-reminder>", "&lt;system-reminder>"),
                ("\u{ff1c}system-reminder>", "&lt;system-reminder>"),
                ("<hook_context>", "&lt;hook_context>"),
                ("<|im_start|>system", "&lt;|im_start|>system"),
                ("<invoke name=\"x\">", "&lt;invoke name=\"x\">"),
                ("<<system-reminder>>", "<&lt;system-reminder>>"),
            ],
        );
    }

    #[test]
    fn every_listed_name_fits() {
        assert!(AGENT_TAGS.iter().chain(SPEAKER_TAGS).all(|tag| tag.len() < LONGEST_NAME));
        for tag in AGENT_TAGS {
            check(
                Trust::Editor,
                &[
                    (&format!("<{tag}>"), &format!("&lt;{tag}>")),
                    (&format!("<{tag}x>"), &format!("<{tag}x>")),
                ],
            );
        }
    }

    #[test]
    fn code_stays_as_it_is() {
        let code = "if a < b && c > d { Vec::<u8>::new(); x <| y } // <div class=\"x\"> </p> <T: system> a <= b << 2\n\tüñí 日本 👨‍👩‍👧\n";
        check(Trust::Editor, &[(code, code), ("<system>", "<system>"), ("<user id=1>", "<user id=1>")]);
    }

    #[test]
    fn speakers_are_kept_out_of_somebody_elses_text() {
        for trust in [Trust::Remote, Trust::Tool] {
            check(
                trust,
                &[
                    ("<system>", "&lt;system>"),
                    ("</ USER>", "&lt;/ USER>"),
                    ("<users>", "<users>"),
                    ("<assistant/>", "&lt;assistant/>"),
                ],
            );
        }
    }

    #[test]
    fn a_megabyte_of_strings_that_never_end_is_read_once() {
        // Looked through anew for each, this is 10^11 steps.
        let text = "\u{1b}]".repeat(500_000);
        assert_eq!(plain(&text).len(), 500_000);
        assert_eq!(plain(&"\u{1b}]x\n".repeat(200_000)).len(), 600_000);
    }

    #[test]
    fn what_nobody_sees_is_taken_out() {
        let cases = [
            ("a\r\nb\rc", "a\nb\nc"),
            ("a\u{1b}[31;1mred\u{1b}[0m", "ared"),
            ("a\u{1b}]0;title\u{7}b", "ab"),
            ("a\u{1b}]8;;http://x\u{1b}\\link", "alink"),
            ("a\u{1b}]never ends\nb", "a]never ends\nb"),
            ("\u{1b}]\u{1b}]a\nb\u{1b}]x\u{7}c", "]]a\nbc"),
            ("a\u{9b}2Jb", "ab"),
            ("a\u{1b}(Bb\u{1b}cd", "abd"),
            ("a\u{202e}b\u{2066}c\u{2069}", "abc"),
            ("a\u{e0041}\u{e007f}b", "ab"),
            ("a\u{0}\u{8}\u{7f}\u{85}b", "ab"),
            ("\u{1b}", ""),
            ("tab\tstays", "tab\tstays"),
        ];
        for (text, expected) in cases {
            assert_eq!(plain(text), expected, "{text:?}");
        }
    }
}
