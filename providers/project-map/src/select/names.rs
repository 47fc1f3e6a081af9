//! Names of files and directories.

/// The part of a path behind the last slash.
pub(crate) fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The directory of a path; empty for the root.
pub(crate) fn dir(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

/// A name without what stands behind its first dot; the dot of a hidden file is not one.
pub(crate) fn stem(name: &str) -> &str {
    let from = usize::from(name.starts_with('.'));
    name[from..].find('.').map_or(name, |at| &name[..at + from])
}

/// What stands behind the last dot, without it; empty without one.
pub(crate) fn extension(name: &str) -> &str {
    name.rfind('.').filter(|at| *at > 0).map_or("", |at| &name[at + 1..])
}

/// A path below a directory.
pub(crate) fn join(dir: &str, name: &str) -> String {
    if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") }
}

/// As [`join`], with `.` and `..` resolved; `None` for what leads out of the root.
pub(crate) fn resolve(dir: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Whether a path is a directory or lies below it; everything lies below the root.
pub(crate) fn is_within(path: &str, dir: &str) -> bool {
    dir.is_empty() || path.strip_prefix(dir).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A name with every number in it replaced by `#`.
pub(crate) fn shape(name: &str) -> String {
    let mut shape = String::with_capacity(name.len());
    for letter in name.chars() {
        if !letter.is_ascii_digit() {
            shape.push(letter);
        } else if !shape.ends_with('#') {
            shape.push('#');
        }
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_come_apart_and_together() {
        assert_eq!((dir("a/b/c.rs"), name("a/b/c.rs"), dir("c"), name("c")), ("a/b", "c.rs", "", "c"));
        assert_eq!(
            (stem("a.test.ts"), stem(".eslintrc.json"), stem("Makefile")),
            ("a", ".eslintrc", "Makefile")
        );
        assert_eq!((extension("a.test.ts"), extension(".env"), extension("x")), ("ts", "", ""));
        assert_eq!(resolve("a/b", "../c/./d").as_deref(), Some("a/c/d"));
        assert_eq!(resolve("a", "../../c"), None);
        assert!(is_within("a/b", "a") && is_within("a", "a") && is_within("x", "") && !is_within("ab", "a"));
        assert_eq!(shape("tutorial001_py310.py"), "tutorial#_py#.py");
    }
}
