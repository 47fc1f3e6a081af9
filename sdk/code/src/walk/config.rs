//! As much of git's configuration as one value needs.

/// Gives the last value of a key in a section without a subsection; names are compared without case.
/// Included files are not followed.
pub(super) fn value(config: &str, section: &str, key: &str) -> Option<String> {
    value_where(config, key, |name| name.trim().eq_ignore_ascii_case(section))
}

/// As [`value`], in a section with a subsection, such as `[remote "origin"]`. Names that need escapes are not found.
pub(super) fn value_below(config: &str, section: &str, subsection: &str, key: &str) -> Option<String> {
    value_where(config, key, |name| {
        let Some((head, rest)) = name.split_once('"') else { return false };
        head.trim().eq_ignore_ascii_case(section) && rest.trim_end().strip_suffix('"') == Some(subsection)
    })
}

fn value_where(config: &str, key: &str, is_section: impl Fn(&str) -> bool) -> Option<String> {
    let mut inside = false;
    let mut found = None;
    for line in config.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix('[') {
            let (name, rest) = rest.split_once(']').unwrap_or((rest, ""));
            inside = is_section(name);
            found = if inside { assigned(rest, key).or(found) } else { found };
        } else if inside {
            found = assigned(line, key).or(found);
        }
    }
    found
}

fn assigned(line: &str, key: &str) -> Option<String> {
    let (name, value) = line.split_once('=')?;
    name.trim().eq_ignore_ascii_case(key).then(|| unquoted(value.trim()))
}

/// Takes quotes, escapes and comments off.
fn unquoted(value: &str) -> String {
    let mut plain = String::new();
    let mut quoted = false;
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => quoted = !quoted,
            '\\' => plain.extend(letters.next().map(|escaped| match escaped {
                'n' => '\n',
                't' => '\t',
                other => other,
            })),
            '#' | ';' if !quoted => break,
            other => plain.push(other),
        }
    }
    let end = if quoted || value.ends_with('"') { plain.len() } else { plain.trim_end().len() };
    plain.truncate(end);
    plain
}

#[cfg(test)]
mod tests {
    use super::{value, value_below};

    fn check(config: &str, expected: Option<&str>) {
        assert_eq!(value(config, "core", "excludesfile").as_deref(), expected, "{config:?}");
    }

    #[test]
    fn the_last_value_of_the_section_counts() {
        check("[core]\n\texcludesFile = ~/.ignore\n", Some("~/.ignore"));
        check("[CORE] excludesfile=/a\n[core]\nexcludesfile = /b # not /c", Some("/b"));
        check("[core]\nexcludesfile = \"/a b\"", Some("/a b"));
        check("[core \"x\"]\nexcludesfile = /a\n[user]\nexcludesfile = /b", None);
        check("excludesfile = /a", None);
        check("[core", None);
    }

    #[test]
    fn a_subsection_is_named_exactly() {
        let config = "[remote \"upstream\"]\n\turl = a\n[Remote \"origin\"]\n\turl = \"b\"\n\tpushurl = c\n[remote]\nurl = d\n";
        assert_eq!(value_below(config, "remote", "origin", "url").as_deref(), Some("b"));
        assert_eq!(value_below(config, "remote", "Origin", "url"), None);
        assert_eq!(value_below("[remote \"a", "remote", "a", "url"), None);
    }
}
