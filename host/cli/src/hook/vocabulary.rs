//! The tools of Claude Code and Codex in the words that all providers know.

use ctxhost::protocol::envelope::ToolKind;
use serde_json::Value;

/// How many paths of one call are told of; a patch over more files is a rewrite of the project.
const PATHS: usize = 256;

/// What a tool does, and the files and folders that this call names.
pub(super) fn translate(name: &str, input: &Value) -> (ToolKind, Vec<String>) {
    let kind = match name {
        "Read" | "NotebookRead" | "read_file" | "view_image" => ToolKind::Read,
        "Grep" | "Glob" | "grep_files" => ToolKind::Search,
        "LS" | "list_dir" => ToolKind::List,
        "Bash" | "PowerShell" | "shell" | "exec_command" | "unified_exec" => ToolKind::Run,
        "Edit" | "MultiEdit" | "NotebookEdit" | "apply_patch" => ToolKind::Edit,
        "Write" => ToolKind::Write,
        _ => ToolKind::Other,
    };
    let mut paths: Vec<String> = ["file_path", "notebook_path", "path", "dir_path"]
        .iter()
        .filter_map(|key| input.get(key).and_then(Value::as_str))
        .filter(|path| !path.is_empty())
        .map(str::to_owned)
        .collect();
    if name == "apply_patch" {
        let patch = input.as_str().or_else(|| {
            ["input", "patch", "command"].iter().find_map(|key| input.get(key).and_then(Value::as_str))
        });
        paths.extend(patch.into_iter().flat_map(patched).take(PATHS));
    }
    (kind, paths)
}

/// The files that a patch in Codex's own form names.
fn patched(patch: &str) -> impl Iterator<Item = String> + '_ {
    const HEADS: [&str; 4] = ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];
    let named =
        |line: &str| HEADS.iter().find_map(|head| line.strip_prefix(head).map(str::trim).map(str::to_owned));
    patch.lines().filter_map(named).filter(|path| !path.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_agents_tools_have_the_words_of_all() {
        let of = |name: &str, input: Value| translate(name, &input);
        assert_eq!(of("Read", json!({"file_path": "/a"})), (ToolKind::Read, vec!["/a".to_owned()]));
        assert_eq!(
            of("Grep", json!({"pattern": "x", "path": "src"})),
            (ToolKind::Search, vec!["src".to_owned()])
        );
        assert_eq!(of("Bash", json!({"command": "ls"})), (ToolKind::Run, vec![]));
        assert_eq!(of("mcp__x__y", json!({"path": ""})), (ToolKind::Other, vec![]));
        let patch = "*** Begin Patch\n*** Update File: a b.rs\n@@\n-x\n+y\n*** Move to: c.rs\n*** Add File: d\n+*** Add File: no\n";
        let paths = vec!["a b.rs".to_owned(), "c.rs".to_owned(), "d".to_owned()];
        assert_eq!(of("apply_patch", json!({"command": patch})), (ToolKind::Edit, paths.clone()));
        assert_eq!(of("apply_patch", json!(patch)), (ToolKind::Edit, paths));
        assert_eq!(of("Write", Value::Null), (ToolKind::Write, vec![]));
    }
}
