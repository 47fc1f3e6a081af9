//! The project's own file of settings on disk.

use std::{io::Write, path::Path};

use ctxhost_sdk::{
    prelude::*,
    protocol::project_map::{PROJECT_FILE, ProjectFile},
    serde_json::{self, Value},
};

use super::folder::Folder;
use crate::{
    error::DiskProblem,
    settings::{Config, MOST_BYTES, project_file},
};

/// Reads the file; `None` where there is none. One that cannot be read is a finding, and as good as none.
pub(crate) fn read(root: &Path) -> (Option<ProjectFile>, Vec<Finding>) {
    match Folder::root(root).and_then(|folder| folder.read(PROJECT_FILE, MOST_BYTES as u64)) {
        Ok(None) => (None, Vec::new()),
        Ok(Some(bytes)) => {
            let (file, findings) = project_file(&bytes);
            (Some(file), findings)
        }
        Err(problem) => (None, vec![unread(&problem)]),
    }
}

fn unread(problem: &DiskProblem) -> Finding {
    Finding {
        level: Level::Warning,
        code: "settings-unread".to_owned(),
        pointer: Some(PROJECT_FILE.to_owned()),
        message: format!("the project's settings are not read: `{PROJECT_FILE}` {problem}"),
        hint: Some("mend or remove the file".to_owned()),
        ..Finding::default()
    }
}

/// Writes the file with every key as it holds now, which is its default where nobody says otherwise; one that is there
/// stays. Gives whether it was written.
pub(crate) fn write(root: &Path, config: &Config) -> Result<bool, DiskProblem> {
    let folder = Folder::root(root)?;
    if folder.read(PROJECT_FILE, MOST_BYTES as u64)?.is_some() {
        return Ok(false);
    }
    folder.replace(PROJECT_FILE, text(config).as_bytes(), |file, bytes| file.write_all(bytes))?;
    Ok(true)
}

fn text(config: &Config) -> String {
    let config = config.clone();
    let file = ProjectFile {
        ignore_patterns: Some(config.ignore_patterns),
        small_package_threshold: Some(config.small_package_threshold.into()),
        context_budget: Some(config.context_budget),
        auto_inject_prompt: Some(true),
        tag_cap: Some(config.tag_cap as u64),
        workflow_hint_cap: Some(config.workflow_hint_cap as u64),
        prompt_injection_mode: Some(config.mode),
        context_budget_percent: Some(config.context_budget_percent),
        context_budget_max_tokens: Some(config.context_budget_max_tokens),
        expansion_tokens: Some(config.expansion_tokens),
        commit_artifacts: Some(config.commit_artifacts),
        artifact_dir: config.artifact_dir,
    };
    let mut value = serde_json::to_value(file).unwrap_or_default();
    if let Value::Object(keys) = &mut value {
        // The folder of the artifacts has no default.
        keys.retain(|_, value| !value.is_null());
    }
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;
    use crate::settings::Settings;

    #[test]
    fn what_holds_is_written_once_and_means_nothing_new() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(read(folder.path()), (None, Vec::new()));
        assert!(write(folder.path(), &Config::default()).expect("it is written"));
        let (file, findings) = read(folder.path());
        assert_eq!(findings, []);
        let resolved = Config::resolve(&Settings::default(), file.as_ref(), true);
        assert_eq!(resolved, (Config::default(), Vec::new()));
        fs::write(folder.path().join(PROJECT_FILE), "{}").expect("a file");
        assert!(!write(folder.path(), &Config::default()).expect("it is there"));
    }

    #[test]
    fn a_link_is_a_finding() {
        let folder = tempfile::tempdir().expect("a folder");
        symlink("/etc/hostname", folder.path().join(PROJECT_FILE)).expect("a link");
        let (file, findings) = read(folder.path());
        assert_eq!((file, findings.len()), (None, 1));
        assert!(write(folder.path(), &Config::default()).is_err());
    }
}
