//! Text without its markup.

/// Takes out tags, images, and what links point to, and the marks of emphasis and of what is meant as it stands.
pub(super) fn without_markup(text: &str) -> String {
    without(text, true)
}

/// As [`without_markup`], and leaves the marks in: what they are a part of may be a path.
pub(super) fn with_marks(text: &str) -> String {
    without(text, false)
}

fn without(text: &str, marks: bool) -> String {
    let mut bare = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', '[', '!', '*', '_', '`', '\\']) {
        bare.push_str(&rest[..at]);
        rest = &rest[at..];
        if rest.starts_with("![") || rest.starts_with("[![") {
            rest = behind_link(rest).map_or(&rest[1..], |(_, rest)| rest);
        } else if rest.starts_with('[') {
            match behind_link(rest) {
                Some((label, behind)) => {
                    bare.push_str(label);
                    rest = behind;
                }
                None => rest = &rest[1..],
            }
        } else if let Some(meant) = escaped(rest) {
            // It stands for itself.
            let end = 1 + meant.len_utf8();
            bare.push_str(&rest[usize::from(marks)..end]);
            rest = &rest[end..];
        } else if let Some(end) = span_end(rest) {
            // In a span of code `<img>` is what is spoken of.
            bare.push_str(&rest[..end]);
            rest = &rest[end..];
        } else if let Some(end) = tag_end(rest) {
            rest = &rest[end..];
        } else {
            let letter = rest.chars().next().unwrap_or(' ');
            let inside =
                bare.ends_with(char::is_alphanumeric) && rest[1..].starts_with(char::is_alphanumeric);
            let kept = match letter {
                _ if !marks => true,
                '_' | '*' => inside && letter == '_',
                _ => true,
            };
            if kept {
                bare.push(letter);
            }
            rest = &rest[letter.len_utf8()..];
        }
    }
    bare.push_str(rest);
    bare.replace("&amp;", "&")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&nbsp;", " ")
        .replace("&quot;", "\"")
}

/// The mark that a `\` in front of it takes its meaning from.
fn escaped(text: &str) -> Option<char> {
    text.strip_prefix('\\')?.chars().next().filter(char::is_ascii_punctuation)
}

/// Where a span of code on one line ends.
fn span_end(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('`')?;
    inner.find('`').filter(|at| *at > 0).map(|at| at + 2)
}

/// Where a tag, or a link in angles, ends.
fn tag_end(text: &str) -> Option<usize> {
    let named = text
        .strip_prefix('<')?
        .starts_with(|letter: char| letter.is_ascii_alphabetic() || "/!".contains(letter));
    named.then(|| text.find('>').map_or(text.len(), |at| at + 1))
}

/// The label of a link, and what stands behind it.
fn behind_link(text: &str) -> Option<(&str, &str)> {
    let open = text.find('[')?;
    let mut depth = 0;
    let close = text.char_indices().skip_while(|(at, _)| *at < open).find(|(_, letter)| {
        depth += i32::from(*letter == '[') - i32::from(*letter == ']');
        depth == 0
    });
    let close = close?.0;
    let label = &text[open + 1..close];
    let rest = &text[close + 1..];
    let behind = match rest.as_bytes().first() {
        Some(b'(') => rest.find(')').map_or("", |at| &rest[at + 1..]),
        Some(b'[') => rest.find(']').map_or("", |at| &rest[at + 1..]),
        _ => rest,
    };
    Some((label, behind))
}
