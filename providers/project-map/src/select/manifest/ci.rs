//! What runs for each change: workflows and their jobs. Only names are read, by their indentation.

use super::script;
use crate::select::inventory::Manifest;

/// A workflow of GitHub or of what is like it.
pub(super) fn workflow(_dir: &str, text: &str) -> Option<Manifest> {
    let name = text.lines().find_map(|line| line.strip_prefix("name:")).unwrap_or_default();
    let jobs = text.lines().skip_while(|line| line.trim_end() != "jobs:").skip(1);
    let jobs = jobs.take_while(|line| line.is_empty() || line.starts_with([' ', '#', '\t']));
    let mut depth = None;
    let mut scripts = Vec::new();
    for line in jobs.filter(|line| !line.trim_start().starts_with('#')) {
        let indented = line.len() - line.trim_start().len();
        let Some(job) = line.trim().strip_suffix(':').filter(|job| !job.contains(' ')) else { continue };
        if *depth.get_or_insert(indented) == indented {
            scripts.push(script(job, String::new()));
        }
    }
    Some(Manifest {
        kind: "github-actions".to_owned(),
        name: name.trim().trim_matches(['"', '\'']).to_owned(),
        scripts,
        ..Manifest::default()
    })
}

pub(super) fn gitlab(_dir: &str, text: &str) -> Option<Manifest> {
    const RESERVED: [&str; 12] = [
        "stages",
        "variables",
        "default",
        "include",
        "image",
        "services",
        "before_script",
        "after_script",
        "cache",
        "workflow",
        "pages",
        "types",
    ];
    let heads = text.lines().filter(|line| !line.starts_with([' ', '\t', '#', '.', '-']));
    let jobs =
        heads.filter_map(|line| line.trim_end().strip_suffix(':')).filter(|job| !RESERVED.contains(job));
    let scripts = jobs.map(|job| script(job, String::new())).collect();
    Some(Manifest { kind: "gitlab-ci".to_owned(), scripts, ..Manifest::default() })
}
