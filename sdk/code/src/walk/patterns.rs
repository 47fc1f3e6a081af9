//! Patterns that a caller has, with the meaning that lines of a `.gitignore` have.

use super::rules::{Rules, Verdict};

/// Patterns for paths, each as a line of a `.gitignore`: `*.md` by name, `/docs` and `src/*.rs` from the top, `build/` for
/// folders, `!keep.md` to take back.
///
/// ```
/// use ctxhost_code::walk::Patterns;
///
/// let patterns = Patterns::new(["docs/", "*.sql", "!schema.sql"]);
/// assert!(patterns.hold("a/docs/page.md") && patterns.hold("db/seed.sql"));
/// assert!(!patterns.hold("docs") && !patterns.hold("db/schema.sql"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Patterns(Rules);

impl Patterns {
    /// Reads patterns; those that can match nothing are left out.
    pub fn new<P: AsRef<str>>(patterns: impl IntoIterator<Item = P>) -> Self {
        // A line break would begin another pattern.
        let lines: Vec<String> =
            patterns.into_iter().map(|line| line.as_ref().replace(['\n', '\0'], "?")).collect();
        Self(Rules::parse(lines.join("\n").as_bytes()).0)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the patterns hold for a file, by its path with `/`: for itself or for a folder that it lies in. As in git,
    /// what lies in such a folder cannot be taken back.
    pub fn hold(&self, path: &str) -> bool {
        let bytes = path.as_bytes();
        let said = |end: usize, folder: bool| self.0.verdict(&bytes[..end], folder) == Some(Verdict::Ignored);
        path.match_indices('/').any(|(end, _)| said(end, true)) || said(bytes.len(), false)
    }
}

#[cfg(test)]
mod tests {
    use super::Patterns;

    #[test]
    fn a_folder_holds_for_what_is_in_it() {
        let patterns = Patterns::new(["/third_party", "src/**/gen/", "", "a\nb"]);
        for (path, expected) in [
            ("third_party/x/y.c", true),
            ("lib/third_party/y.c", false),
            ("src/gen/a.rs", true),
            ("src/x/gen/a.rs", true),
            ("src/gen", false),
            ("b", false),
            ("", false),
        ] {
            assert_eq!(patterns.hold(path), expected, "{path}");
        }
        assert!(Patterns::default().is_empty() && !patterns.is_empty());
    }
}
