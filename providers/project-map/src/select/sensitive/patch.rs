//! The files that a patch names.

/// How the lines begin that name a file, in the forms of `apply_patch`.
const NAMES: [&str; 4] = ["*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "];

/// The paths in a patch's text; none in a text that is no patch.
pub(super) fn paths(text: &str) -> Vec<String> {
    if !text.trim_start().starts_with("*** Begin Patch") {
        return Vec::new();
    }
    let lines = text.lines().filter_map(|line| NAMES.iter().find_map(|name| line.trim().strip_prefix(name)));
    lines.map(|path| path.trim().to_owned()).collect()
}
