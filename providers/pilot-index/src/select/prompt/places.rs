//! Files that a prompt names, and lines in them: paths, compiler messages and stack traces.

/// So many files are looked for.
const CAP: usize = 64;

/// A longer path is none.
const LONGEST: usize = 300;

/// A file that a prompt names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The path or its end, with `/`.
    pub path: String,
    /// The line, counted from 1.
    pub line: Option<u32>,
}

/// Adds the files that a line names: anything with a `/` or with an extension, whatever it is. Whether there is such a
/// file is for the index to say. Behind it may stand a line: `:12`, `:12:5`, `(12)`, `#L12`, `, line 12`, `", line 12`.
pub(crate) fn collect(line: &str, found: &mut Vec<Mention>) {
    let mut from = 0;
    while found.len() < CAP {
        let Some(start) = line[from..].find(is_part).map(|at| from + at) else { return };
        let end = line[start..].find(|letter| !is_part(letter)).map_or(line.len(), |length| start + length);
        from = end;
        if line[end..].starts_with("://") {
            // What follows is an address on the network.
            from = line[end..].find(char::is_whitespace).map_or(line.len(), |length| end + length);
            continue;
        }
        let Some(path) = path(&line[start..end]) else { continue };
        let mention = Mention { path, line: number(&line[end..]) };
        if !found.contains(&mention) {
            found.push(mention);
        }
    }
}

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '.' | '/' | '\\' | '_' | '-' | '+' | '@' | '~' | '$')
}

/// Cleans a path: `./a`, `a\b`, the `a/` and `b/` of a diff, dots at its end. `None` when it is a word.
fn path(text: &str) -> Option<String> {
    let text = text.trim_end_matches(['.', '-']).replace('\\', "/");
    let text = text.trim_start_matches("./").trim_start_matches("../").trim_start_matches('/');
    if text.len() < 3 || text.len() > LONGEST {
        return None;
    }
    let (_, name) = text.rsplit_once('/').unwrap_or(("", text));
    let extension =
        name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, extension)| extension);
    let has_extension = extension.is_some_and(|it| {
        (1..=12).contains(&it.len())
            && it.starts_with(char::is_alphabetic)
            && it.chars().all(char::is_alphanumeric)
    });
    (has_extension || text.contains('/')).then(|| text.to_owned())
}

/// Gives the line that is named right behind a path.
fn number(rest: &str) -> Option<u32> {
    let rest = [":", "(", "#L", "\", line ", ", line ", "\" line ", " line ", "', line "]
        .iter()
        .find_map(|before| rest.strip_prefix(before))?;
    let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
    rest[..digits].parse().ok().filter(|line| *line > 0)
}
