//! What a file says of itself: its module comment, or a document's first paragraph.

use ctxhost_code::symbols::{Symbol, Visibility};

mod comment;
mod markup;
mod prose;
mod sentence;

use super::names;
use comment::{comment, python, rust, without_marks};
use prose::prose;
use sentence::paragraphs;

/// So much of a file's beginning is looked at, in bytes.
const HEAD: usize = 8 * 1024;

/// Gives the first sentence, or nothing. `text` is the beginning of the file.
pub(crate) fn of(path: &str, language: &str, code: bool, text: &str, symbols: &[Symbol]) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = &text[..text.floor_char_boundary(HEAD)];
    match language {
        _ if !code && is_document(path, language) => prose(text, is_readme(path)),
        "rust" => rust(text).or_else(|| main_doc(path, text, symbols)).unwrap_or_default(),
        "python" => python(text).or_else(|| main_doc(path, text, symbols)).unwrap_or_default(),
        _ if code || matches!(language, "css" | "scss" | "less" | "toml" | "yaml") => {
            comment(text, symbols).or_else(|| main_doc(path, text, symbols)).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// Whether a file is written for people, and about this project; what it holds is data otherwise, and data are not shown.
fn is_document(path: &str, language: &str) -> bool {
    const OTHERS: [&str; 9] = [
        "license",
        "licence",
        "copying",
        "unlicense",
        "notice",
        "authors",
        "changelog",
        "changes",
        "history",
    ];
    let name = names::name(path);
    let stem = names::stem(name).to_lowercase();
    if OTHERS.iter().any(|start| stem.starts_with(start)) {
        return false;
    }
    let prose = matches!(language, "markdown" | "mdx" | "restructuredtext" | "asciidoc");
    prose || stem == "readme" || ["md", "rst", "adoc"].contains(&names::extension(name))
}

fn is_readme(path: &str) -> bool {
    ["readme", "index"].contains(&names::stem(names::name(path)).to_lowercase().as_str())
}

/// What is said of the one definition that the file is about: it has the file's name, or is the only public one.
fn main_doc(path: &str, text: &str, symbols: &[Symbol]) -> Option<String> {
    let bare = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    let stem = bare(names::stem(names::name(path)));
    let outer =
        || symbols.iter().filter(|symbol| symbol.owner.is_empty() && symbol.visibility == Visibility::Public);
    let named = outer().find(|symbol| bare(&symbol.name) == stem);
    let main = named.or_else(|| outer().next().filter(|_| outer().nth(1).is_none()))?;
    let doc = main.doc.as_ref()?;
    let said = text.get(doc.start as usize..doc.end as usize)?;
    let said = said.trim_start_matches(['r', '"', '\'']).trim_end_matches(['"', '\'']);
    paragraphs(&said.lines().map(without_marks).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests;
