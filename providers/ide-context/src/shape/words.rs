//! Short texts for people: names, places, ages.

use unicode_width::UnicodeWidthChar;

/// How wide a directory may be in a list; the protocol's reference client has the same.
const DIRECTORY_WIDTH: usize = 40;

/// How long launch arguments may be in a list, and how much is kept of longer ones; figures of the same origin.
const LABEL_CHARS: (usize, usize) = (48, 45);

/// A text from outside as one printable line: no control character, none that turns the writing direction, and
/// whitespace runs as one space.
pub(crate) fn plain(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_whitespace() {
            if !line.ends_with(' ') && !line.is_empty() {
                line.push(' ');
            }
        } else if !character.is_control() && !is_invisible(character) {
            line.push(character);
        }
    }
    line.truncate(line.trim_end().len());
    line
}

/// Controls of writing direction, and the tag characters that can hide a whole sentence.
fn is_invisible(character: char) -> bool {
    matches!(u32::from(character), 0x200E | 0x200F | 0x202A..=0x202E | 0x2066..=0x2069 | 0xE0000..=0xE007F)
}

/// At most so many characters, the last of them `…` when some are cut.
pub(crate) fn clipped(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// How many columns of a terminal a text takes up.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(|character| character.width().unwrap_or(0)).sum()
}

/// A number of the state, which may be a float, as a whole one.
pub(crate) fn whole(number: f64) -> u64 {
    // Nothing negative and nothing infinite gets through the check of a state.
    number as u64
}

/// `1 line`, `2 lines`.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// A directory as a person knows it: `~` for the home folder, and of a long one the end.
pub(crate) fn directory(path: &str, home: Option<&str>) -> String {
    let path = plain(path);
    let home = home.map(|home| home.trim_end_matches('/')).filter(|home| !home.is_empty());
    let short = match home.and_then(|home| path.strip_prefix(home)) {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("~{rest}"),
        _ => path,
    };
    tail(&short, DIRECTORY_WIDTH)
}

fn tail(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let mut room = most - 1;
    let start = text
        .char_indices()
        .rev()
        .take_while(|(_, character)| {
            let fits = character.width().unwrap_or(0) <= room;
            room -= if fits { character.width().unwrap_or(0) } else { 0 };
            fits
        })
        .last();
    format!("…{}", start.map_or("", |(at, _)| &text[at..]))
}

/// What an editor was started with, by which two in one directory can be told apart.
pub(crate) fn launch_label(argv: &[String], cwd: &str, home: Option<&str>) -> String {
    if argv.is_empty() {
        return directory(cwd, home);
    }
    let label =
        plain(&argv.iter().map(|argument| argument_label(argument, cwd)).collect::<Vec<_>>().join(" "));
    let (most, kept) = LABEL_CHARS;
    if label.chars().count() <= most {
        label
    } else {
        label.chars().take(kept).chain("...".chars()).collect()
    }
}

fn argument_label<'a>(argument: &'a str, cwd: &'a str) -> &'a str {
    let base = cwd.trim_end_matches('/');
    let inside = argument
        .strip_prefix(base)
        .and_then(|rest| rest.strip_prefix('/'))
        .filter(|_| argument.starts_with('/'));
    match argument {
        "." | "./" => base.rsplit('/').next().unwrap_or(base),
        _ if argument == base => base.rsplit('/').next().unwrap_or(base),
        _ => match (argument.strip_prefix("./"), inside) {
            (Some(rest), _) => rest,
            (None, Some("")) => base.rsplit('/').next().unwrap_or(base),
            (None, Some(rest)) => rest,
            (None, None) => argument,
        },
    }
}

/// How long ago something was.
pub(crate) fn age(seconds: f64) -> String {
    match seconds.max(0.0) as u64 {
        0..5 => "just now".to_owned(),
        seconds @ 5..60 => format!("{seconds}s ago"),
        seconds @ 60..3600 => format!("{}m ago", seconds / 60),
        // Hours are told as far as a person still counts them.
        seconds @ 3600..=172_800 => format!("{}h ago", seconds / 3600),
        seconds => format!("{}d ago", seconds / 86_400),
    }
}

/// Rows with their columns aligned by display width; the last column is not filled up.
pub(crate) fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter().filter_map(|row| row.get(column)).map(|cell| width(cell)).max().unwrap_or(0)
        })
        .collect();
    rows.iter()
        .map(|row| {
            let cells = row
                .iter()
                .zip(&widest)
                .map(|(cell, widest)| format!("{cell}{}", " ".repeat(widest - width(cell))));
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_from_outside_become_one_printable_line() {
        for (text, line) in [
            ("a\n\t b ", "a b"),
            ("  a", "a"),
            ("\u{1b}[31mred", "[31mred"),
            ("a\u{202e}b\u{e0041}c", "abc"),
            ("größe 漢字", "größe 漢字"),
        ] {
            assert_eq!(plain(text), line);
        }
    }

    #[test]
    fn long_texts_are_clipped_by_characters() {
        assert_eq!(clipped("größe", 5), "größe");
        assert_eq!(clipped("größer", 5), "größ…");
    }

    #[test]
    fn directories_are_shown_from_home_and_from_their_end() {
        let home = Some("/home/u/");
        assert_eq!(directory("/home/u", home), "~");
        assert_eq!(directory("/home/u/a", home), "~/a");
        assert_eq!(directory("/home/user2/a", home), "/home/user2/a");
        assert_eq!(directory("/a", None), "/a");
        let long = directory(&format!("/{}/end", "x".repeat(60)), home);
        assert!(width(&long) == 40 && long.starts_with('…') && long.ends_with("/end"), "{long}");
        let wide = directory(&format!("/{}/end", "漢".repeat(60)), home);
        assert!((39..=40).contains(&width(&wide)) && wide.ends_with("/end"), "{wide}");
    }

    #[test]
    fn launch_labels_are_short_and_relative() {
        let label = |argv: &[&str]| {
            let argv: Vec<String> = argv.iter().map(|argument| (*argument).to_owned()).collect();
            launch_label(&argv, "/w/repo/", Some("/w"))
        };
        assert_eq!(label(&[]), "~/repo/");
        assert_eq!(label(&["."]), "repo");
        assert_eq!(label(&["./"]), "repo");
        assert_eq!(label(&["/w/repo"]), "repo");
        assert_eq!(label(&["./src/a.rs", "/w/repo/b", "/w/repository"]), "src/a.rs b /w/repository");
        assert_eq!(label(&[&"x".repeat(48)]), "x".repeat(48));
        assert_eq!(label(&[&"x".repeat(49)]), format!("{}...", "x".repeat(45)));
    }

    #[test]
    fn ages_are_told_in_the_largest_unit_that_fits() {
        for (seconds, told) in [
            (-5.0, "just now"),
            (4.9, "just now"),
            (5.0, "5s ago"),
            (59.9, "59s ago"),
            (60.0, "1m ago"),
            (3599.0, "59m ago"),
            (3600.0, "1h ago"),
            (48.0 * 3600.0, "48h ago"),
            (49.0 * 3600.0, "2d ago"),
            (f64::INFINITY, "213503982334601d ago"),
        ] {
            assert_eq!(age(seconds), told);
        }
    }

    #[test]
    fn columns_are_aligned_by_what_they_take_up() {
        let rows = [["漢字", "x"], ["abc", "y"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(aligned(&rows), ["漢字  x", "abc   y"]);
    }
}
