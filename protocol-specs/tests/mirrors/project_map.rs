//! The mirrors of `project-map/v1`, with all their fields filled in.

use std::collections::BTreeMap;

use ctxhost_protocol::project_map::{
    Artifacts, Budget, Bundle, Code, Contribution, Counts, Covered, Field, FoundFile, FoundPage, FoundSymbol,
    Injected, Kind, Level, Matched, Mode, ProjectFile, Report, ReportFinding, Role, Root, Route, SPEC,
    Settings, Standing, Visible,
};
use serde_json::Value;

use super::{json, reply, text};

pub(super) fn mirrors() -> Vec<(&'static str, &'static str, &'static str, Vec<Value>)> {
    vec![
        (SPEC, "contribution", "", vec![json(contribution())]),
        (SPEC, "reply", "", vec![json(reply(json(contribution())))]),
        (SPEC, "bundle", "", vec![json(bundle())]),
        (SPEC, "report", "", vec![json(report())]),
        (SPEC, "project-file", "", vec![json(project_file())]),
        (SPEC, "settings", "", vec![json(settings())]),
    ]
}

#[test]
fn names_of_the_environment_go_before_those_of_a_file() {
    let read = |value| serde_json::from_value::<Settings>(value).expect("it can be read");
    let both = read(serde_json::json!({"contextBudget": 1, "contextbudget": 2, "artifactdir": "maps"}));
    assert_eq!((both.own.context_budget, both.own.artifact_dir.as_deref()), (Some(2), Some("maps")));
    let written = json(project_file());
    assert_eq!(written.as_object().expect("an object").keys().map(String::as_str).collect::<Vec<_>>(), {
        let mut names = ProjectFile::NAMES;
        names.sort_unstable();
        names
    });
}

fn contribution() -> Contribution {
    Contribution {
        mode: Mode::Strict,
        artifacts: Artifacts::Ready,
        root: Some(Root { hash: "00".into(), index: Standing::Fresh, map: Standing::Stale }),
        counts: Counts { pairs: 1, files: 2, fresh: 1, stale: 1, missing: 1, edited: 1, orphaned: Some(1) },
        complete: true,
        stale: vec![".".into()],
        edited: vec!["src".into()],
        visible: Visible::Index,
        injected: vec![Injected {
            dir: ".".into(),
            kind: Kind::Map,
            level: Level::NoSymbols,
            tokens: 1,
            standing: Standing::Stale,
        }],
        left_out: 1,
        budget: Some(Budget { limit: 1, window: Some(1), root: 1, expansion: 1 }),
        hint: text("Run init."),
        reminder: text("Look at the map."),
        block: text("Look at the map first."),
        bypass: text("It is a typo."),
    }
}

fn bundle() -> Bundle {
    let matched = || vec![Matched { field: Field::SymbolWord, word: "add".into(), score: 5.0 }];
    let page = || FoundPage {
        dir: ".".into(),
        path: ".pi-map.md".into(),
        score: 1.5,
        matched: matched(),
        purpose: "Adds.".into(),
        headings: vec!["Files".into()],
    };
    Bundle {
        query: "add".into(),
        found: true,
        complete: true,
        words: vec!["add".into()],
        indexes: vec![page()],
        maps: vec![page()],
        files: vec![FoundFile {
            path: "a.rs".into(),
            dir: ".".into(),
            role: Some(Role::Source),
            score: 1.5,
            matched: matched(),
            purpose: "Adds.".into(),
        }],
        symbols: vec![FoundSymbol {
            name: "Registry.add".into(),
            kind: "method".into(),
            file: "a.rs".into(),
            line: 1,
            score: 1.5,
            matched: matched(),
        }],
        routes: vec![Route { dir: "src".into(), purpose: "Adds.".into(), files: 1 }],
        tokens: 1,
        limit: 1,
    }
}

fn report() -> Report {
    Report {
        covered: Covered { pairs: 1, artifacts: 2, files: 3 },
        findings: vec![ReportFinding {
            code: Code::OverBudget,
            dir: ".".into(),
            kind: Kind::Index,
            path: ".pi-map.index.md".into(),
            line: Some(1),
            message: "it is too long".into(),
            fixed: true,
        }],
        more_findings: 1,
        counts: BTreeMap::from([(Code::OverBudget, 2)]),
        fixed: 1,
        complete: true,
    }
}

fn project_file() -> ProjectFile {
    ProjectFile {
        ignore_patterns: Some(vec!["dist".into()]),
        small_package_threshold: Some(1),
        context_budget: Some(1),
        auto_inject_prompt: Some(true),
        tag_cap: Some(1),
        workflow_hint_cap: Some(1),
        prompt_injection_mode: Some(Mode::Advisory),
        context_budget_percent: Some(1),
        context_budget_max_tokens: Some(1),
        expansion_tokens: Some(1),
        commit_artifacts: Some(true),
        artifact_dir: text("maps"),
    }
}

fn settings() -> Settings {
    Settings { own: project_file(), max_files: Some(1), narrow: Some(project_file()) }
}
