//! The note section: a JSON object in the file that says what the library is, readable without running it.
//!
//! This module only places bytes; what the object holds is `note.schema.json` of the envelope.

/// The section's name in ELF and PE files.
pub const SECTION: &str = ".ctxhost";

/// The section's name in Mach-O files, inside the segment `__DATA`.
pub const SECTION_MACHO: &str = "__ctxhost";

/// How many bytes [`concat()`] needs for these parts.
pub const fn concat_len(parts: &[Part<'_>]) -> usize {
    let (mut total, mut index) = (0, 0);
    while index < parts.len() {
        total += part_len(&parts[index]);
        index += 1;
    }
    total
}

/// A piece of a note.
pub enum Part<'a> {
    /// JSON, written as it is.
    Raw(&'a str),
    /// Text, written as a JSON string with its quotes.
    Text(&'a str),
    /// Texts, written as a JSON array of strings.
    Texts(&'a [&'a str]),
}

/// Joins the parts of a note at compile time; `N` must be [`concat_len()`] of the same parts.
pub const fn concat<const N: usize>(parts: &[Part<'_>]) -> [u8; N] {
    let mut out = [0u8; N];
    let (mut at, mut index) = (0, 0);
    while index < parts.len() {
        match &parts[index] {
            Part::Raw(raw) => {
                let bytes = raw.as_bytes();
                let mut i = 0;
                while i < bytes.len() {
                    out[at] = bytes[i];
                    at += 1;
                    i += 1;
                }
            }
            Part::Text(text) => at = write_text(&mut out, at, text),
            Part::Texts(texts) => {
                out[at] = b'[';
                at += 1;
                let mut i = 0;
                while i < texts.len() {
                    if i > 0 {
                        out[at] = b',';
                        at += 1;
                    }
                    at = write_text(&mut out, at, texts[i]);
                    i += 1;
                }
                out[at] = b']';
                at += 1;
            }
        }
        index += 1;
    }
    assert!(at == N, "the note's length was computed from other parts");
    out
}

const fn part_len(part: &Part<'_>) -> usize {
    match part {
        Part::Raw(raw) => raw.len(),
        Part::Text(text) => text_len(text),
        Part::Texts(texts) => {
            let (mut total, mut i) = (2, 0);
            while i < texts.len() {
                total += text_len(texts[i]) + if i > 0 { 1 } else { 0 };
                i += 1;
            }
            total
        }
    }
}

const fn text_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut total, mut i) = (2, 0);
    while i < bytes.len() {
        total += match bytes[i] {
            b'"' | b'\\' => 2,
            0..0x20 => 6,
            _ => 1,
        };
        i += 1;
    }
    total
}

const fn write_text<const N: usize>(out: &mut [u8; N], mut at: usize, text: &str) -> usize {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let bytes = text.as_bytes();
    out[at] = b'"';
    at += 1;
    let mut i = 0;
    while i < bytes.len() {
        let byte = bytes[i];
        if byte < 0x20 {
            let escape = [b'\\', b'u', b'0', b'0', HEX[(byte >> 4) as usize], HEX[(byte & 15) as usize]];
            let mut j = 0;
            while j < escape.len() {
                out[at] = escape[j];
                at += 1;
                j += 1;
            }
        } else {
            if byte == b'"' || byte == b'\\' {
                out[at] = b'\\';
                at += 1;
            }
            out[at] = byte;
            at += 1;
        }
        i += 1;
    }
    out[at] = b'"';
    at + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_escapes_what_json_cannot_hold_raw() {
        const PARTS: &[Part<'_>] = &[
            Part::Raw("{\"t\":"),
            Part::Text("a\"b\\c\nd é"),
            Part::Raw(",\"e\":"),
            Part::Texts(&["x", "y"]),
            Part::Raw("}"),
        ];
        const NOTE: [u8; concat_len(PARTS)] = concat(PARTS);
        assert_eq!(std::str::from_utf8(&NOTE).unwrap(), r#"{"t":"a\"b\\c\u000ad é","e":["x","y"]}"#);
    }
}
