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
    while let Some(at) = rest.find(['<', '\u{FF1C}', '\u{FE64}']) {
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

/// Takes out what a person cannot see or a terminal would obey; line breaks become `\n`.
pub fn plain(text: &str) -> String {
    if text.bytes().all(|byte| byte == b'\n' || byte == b'\t' || (0x20..0x7F).contains(&byte)) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' => {
                if characters.peek() != Some(&'\n') {
                    out.push('\n');
                }
            }
            '\n' | '\t' => out.push(character),
            '\u{1b}' => skip_escape(&mut characters),
            '\u{9b}' => skip_until_final(&mut characters),
            character if is_hidden(character) => {}
            character => out.push(character),
        }
    }
    out
}

type Characters<'a> = std::iter::Peekable<std::str::Chars<'a>>;

/// Skips what follows an escape character: a control sequence, a string up to its end, or two characters.
fn skip_escape(characters: &mut Characters<'_>) {
    match characters.peek() {
        Some('[') => {
            characters.next();
            skip_until_final(characters);
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            // A string that never ends on its line is not one; the text behind it stays.
            let mut ahead = characters.clone();
            ahead.next();
            while let Some(character) = ahead.next() {
                match character {
                    '\u{7}' | '\u{9c}' => {
                        *characters = ahead;
                        return;
                    }
                    '\u{1b}' if ahead.peek() == Some(&'\\') => {
                        ahead.next();
                        *characters = ahead;
                        return;
                    }
                    '\n' => return,
                    _ => {}
                }
            }
        }
        Some('(' | ')' | '#' | '%') => {
            characters.next();
            characters.next();
        }
        Some('0'..='?' | '@'..='Z' | '\\' | '`'..='~') => {
            characters.next();
        }
        _ => {}
    }
}

/// Skips parameters and the final character of a control sequence.
fn skip_until_final(characters: &mut Characters<'_>) {
    while let Some(' '..='?') = characters.peek() {
        characters.next();
    }
    if let Some('@'..='~') = characters.peek() {
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
    let mut characters = after
        .chars()
        .filter(|character| !is_zero_width(*character))
        .skip_while(|character| character.is_whitespace() || matches!(character, '/' | '\\'));
    let mut name = String::new();
    // The longest name in the lists has 22 characters.
    while name.len() < 64 {
        match characters.next() {
            // The markers of chat templates: `<|im_start|>`.
            Some('|') if name.is_empty() => {
                return characters.next().is_some_and(|next| next.is_ascii_alphabetic());
            }
            Some(character) if character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | ':') => {
                name.push(character.to_ascii_lowercase());
            }
            _ => break,
        }
    }
    name.starts_with("ctxhost")
        || name.starts_with("antml:")
        || AGENT_TAGS.contains(&name.as_str())
        || (strict && SPEAKER_TAGS.contains(&name.as_str()))
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
    fn what_nobody_sees_is_taken_out() {
        let cases = [
            ("a\r\nb\rc", "a\nb\nc"),
            ("a\u{1b}[31;1mred\u{1b}[0m", "ared"),
            ("a\u{1b}]0;title\u{7}b", "ab"),
            ("a\u{1b}]8;;http://x\u{1b}\\link", "alink"),
            ("a\u{1b}]never ends\nb", "a]never ends\nb"),
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
