//! Escapes of half a surrogate pair, which JavaScript writes and reads and Rust's strings cannot hold.

/// Replaces each `\uXXXX` that is half a pair by U+FFFD; `None` when there is none.
pub(super) fn mended(json: &str) -> Option<String> {
    let mut mended = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = json[at..].find('\\') {
        at += found;
        let length = match (unit(json, at), unit(json, at + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                mended.push_str(&json[copied..at]);
                mended.push_str("\\ufffd");
                copied = at + 6;
                6
            }
            (Some(_), _) => 6,
            // Any other escape is two characters long, and the second can be a backslash.
            (None, _) => 1 + json[at + 1..].chars().next().map_or(0, char::len_utf8),
        };
        at += length;
    }
    (copied > 0).then(|| mended + &json[copied..])
}

/// The UTF-16 unit that an escape at `at` stands for.
fn unit(json: &str, at: usize) -> Option<u16> {
    let digits = json.get(at..at + 6)?.strip_prefix("\\u")?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::mended;

    #[test]
    fn only_half_pairs_are_replaced() {
        for (json, expected) in [
            (r#""a\ud83db""#, Some(r#""a\ufffdb""#)),
            (r#""\ude00\ud83d""#, Some(r#""\ufffd\ufffd""#)),
            (r#""\ud83d\ud83d\ude00""#, Some(r#""\ufffd\ud83d\ude00""#)),
            (r#""\ud83d\ude00""#, None),
            (r#""\\ud83d""#, None),
            (r#""\\\ud83d""#, Some(r#""\\\ufffd""#)),
            (r#""é\n\u00e9""#, None),
            ("\"\\", None),
            ("\"\\é", None),
        ] {
            assert_eq!(mended(json).as_deref(), expected, "{json}");
        }
    }
}
