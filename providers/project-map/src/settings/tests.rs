//! Tables of what was written and what it comes to.

use super::*;

/// How far the folder is trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Folder {
    Trusted,
    Unknown,
}
use Folder::{Trusted, Unknown};

fn resolved(user: &Value, project: &Value, folder: Folder) -> (Config, Vec<Finding>) {
    let user: Settings = serde_json::from_value(user.clone()).expect("the user's table is read");
    let (file, findings) = project_file(project.to_string().as_bytes());
    assert_eq!(findings, [], "{project}");
    Config::resolve(&user, Some(&file), folder == Trusted)
}

/// What differs from the defaults, and the keys that were refused.
fn check(user: Value, project: Value, folder: Folder, expected: impl FnOnce(&mut Config), refused: &[&str]) {
    let (config, findings) = resolved(&user, &project, folder);
    let mut wanted = Config::default();
    expected(&mut wanted);
    assert_eq!(config, wanted, "{user} {project} {folder:?}");
    let names: Vec<String> = refused.iter().map(|name| format!("`{name}`")).collect();
    match findings.as_slice() {
        [] => assert!(refused.is_empty(), "{user} {project} {folder:?}: {refused:?} went unsaid"),
        [finding] => {
            assert_eq!(finding.code, "project-refused");
            assert!(finding.message.ends_with(&format!("left out: {}", names.join(", "))), "{finding:?}");
            let hint = finding.hint.as_deref().expect("it says what to do");
            assert_eq!(hint.contains("trust this folder"), folder == Unknown);
        }
        more => panic!("{more:?}"),
    }
}

#[test]
fn nothing_written_is_the_documents_figures() {
    let config = Config::default();
    assert_eq!(config.ignore_patterns, ["node_modules", ".git"]);
    assert_eq!((config.small_package_threshold, config.context_budget), (10, 4_000));
    assert_eq!((config.mode, config.tag_cap, config.workflow_hint_cap), (Mode::Strong, 8, 5));
    assert_eq!((config.context_budget_percent, config.context_budget_max_tokens), (15, 100_000));
    assert_eq!((config.expansion_tokens, config.max_files), (4_000, 200_000));
    assert_eq!((config.commit_artifacts, config.artifact_dir), (false, None));
    for folder in [Trusted, Unknown] {
        check(json!({"narrow": null, "tagCap": null, "unknown": 1}), json!({}), folder, |_| (), &[]);
    }
}

#[test]
fn the_documents_own_example_changes_nothing_anywhere() {
    let example = json!({
        "ignorePatterns": ["node_modules", ".git"], "smallPackageThreshold": 10, "contextBudget": 4000,
        "autoInjectPrompt": true, "tagCap": 8, "workflowHintCap": 5, "promptInjectionMode": "strong",
        "contextBudgetPercent": 15, "contextBudgetMaxTokens": 100000
    });
    for folder in [Trusted, Unknown] {
        check(json!({}), example.clone(), folder, |_| (), &[]);
        check(example.clone(), json!({}), folder, |_| (), &[]);
    }
}

#[test]
fn the_users_word_holds_where_the_project_says_nothing() {
    let all = json!({
        "ignorePatterns": ["dist"], "smallPackageThreshold": 3, "contextBudget": 9000, "tagCap": 20,
        "workflowHintCap": 0, "promptInjectionMode": "strict", "contextBudgetPercent": 50,
        "contextBudgetMaxTokens": 200000, "expansionTokens": 30000, "commitArtifacts": true,
        "artifactDir": "./maps//here/", "max_files": 7
    });
    for folder in [Trusted, Unknown] {
        check(
            all.clone(),
            json!({}),
            folder,
            |config| {
                *config = Config {
                    ignore_patterns: vec!["dist".into()],
                    small_package_threshold: 3,
                    context_budget: 9_000,
                    mode: Mode::Strict,
                    tag_cap: 20,
                    workflow_hint_cap: 0,
                    context_budget_percent: 50,
                    context_budget_max_tokens: 200_000,
                    expansion_tokens: 30_000,
                    commit_artifacts: true,
                    artifact_dir: Some("maps/here".into()),
                    max_files: 7,
                }
            },
            &[],
        );
    }
}

#[test]
fn a_project_may_narrow_without_trust() {
    let narrower = json!({
        "ignorePatterns": ["dist"], "smallPackageThreshold": 30, "contextBudget": 500, "tagCap": 2,
        "workflowHintCap": 1, "promptInjectionMode": "advisory", "contextBudgetPercent": 5,
        "contextBudgetMaxTokens": 1000, "expansionTokens": 0, "commitArtifacts": false
    });
    check(
        json!({}),
        narrower,
        Unknown,
        |config| {
            *config = Config {
                ignore_patterns: vec!["node_modules".into(), ".git".into(), "dist".into()],
                small_package_threshold: 30,
                context_budget: 500,
                mode: Mode::Advisory,
                tag_cap: 2,
                workflow_hint_cap: 1,
                context_budget_percent: 5,
                context_budget_max_tokens: 1_000,
                expansion_tokens: 0,
                ..Config::default()
            }
        },
        &[],
    );
    check(
        json!({"commitArtifacts": true, "promptInjectionMode": "strict"}),
        json!({"commitArtifacts": false, "autoInjectPrompt": false}),
        Unknown,
        |config| config.mode = Mode::Off,
        &[],
    );
}

#[test]
fn what_goes_beyond_the_defaults_takes_trust() {
    let wider = json!({
        "smallPackageThreshold": 2, "contextBudget": 8000, "tagCap": 30, "workflowHintCap": 9,
        "promptInjectionMode": "strict", "contextBudgetPercent": 40, "contextBudgetMaxTokens": 300000,
        "expansionTokens": 20000, "commitArtifacts": true, "artifactDir": "docs/maps"
    });
    check(
        json!({}),
        wider.clone(),
        Unknown,
        |_| (),
        &[
            "smallPackageThreshold",
            "contextBudget",
            "promptInjectionMode",
            "tagCap",
            "workflowHintCap",
            "contextBudgetPercent",
            "contextBudgetMaxTokens",
            "expansionTokens",
            "commitArtifacts",
            "artifactDir",
        ],
    );
    check(
        json!({}),
        wider,
        Trusted,
        |config| {
            *config = Config {
                small_package_threshold: 2,
                context_budget: 8_000,
                mode: Mode::Strict,
                tag_cap: 30,
                workflow_hint_cap: 9,
                context_budget_percent: 40,
                context_budget_max_tokens: 300_000,
                expansion_tokens: 20_000,
                commit_artifacts: true,
                artifact_dir: Some("docs/maps".into()),
                ..Config::default()
            }
        },
        &[],
    );
}

#[test]
fn no_trust_lifts_a_project_above_what_the_user_set() {
    for folder in [Trusted, Unknown] {
        for (user, project, name) in [
            (json!({"contextBudget": 4000}), json!({"contextBudget": 4001}), "contextBudget"),
            (json!({"tagCap": 8}), json!({"tagCap": 9}), "tagCap"),
            (json!({"workflowHintCap": 5}), json!({"workflowHintCap": 64}), "workflowHintCap"),
            (
                json!({"contextBudgetPercent": 15}),
                json!({"contextBudgetPercent": 16}),
                "contextBudgetPercent",
            ),
            (
                json!({"contextBudgetMaxTokens": 100000}),
                json!({"contextBudgetMaxTokens": 100001}),
                "contextBudgetMaxTokens",
            ),
            (json!({"expansionTokens": 4000}), json!({"expansionTokens": 1e9}), "expansionTokens"),
            (
                json!({"promptInjectionMode": "strong"}),
                json!({"promptInjectionMode": "strict"}),
                "promptInjectionMode",
            ),
            (json!({"commitArtifacts": false}), json!({"commitArtifacts": true}), "commitArtifacts"),
        ] {
            check(user, project, folder, |_| (), &[name]);
        }
        let off = |config: &mut Config| config.mode = Mode::Off;
        let loud = json!({"promptInjectionMode": "advisory", "autoInjectPrompt": true});
        check(json!({"promptInjectionMode": "off"}), loud.clone(), folder, off, &["promptInjectionMode"]);
        check(json!({"autoInjectPrompt": false}), loud, folder, off, &["autoInjectPrompt"]);
    }
    // Between the default and what the user allows, nothing has to be trusted.
    let more = json!({"contextBudget": 8000, "promptInjectionMode": "strict"});
    let wish = json!({"contextBudget": 6000, "promptInjectionMode": "strict"});
    let granted = |config: &mut Config| (config.context_budget, config.mode) = (6_000, Mode::Strict);
    check(more, wish, Unknown, granted, &[]);
}

#[test]
fn the_threshold_and_the_folder_go_by_trust_alone() {
    let user = json!({"smallPackageThreshold": 20, "artifactDir": "mine"});
    let wish = json!({"smallPackageThreshold": 5, "artifactDir": "theirs"});
    let of_the_user = |config: &mut Config| {
        (config.small_package_threshold, config.artifact_dir) = (20, Some("mine".into()));
    };
    let of_the_project = |config: &mut Config| {
        (config.small_package_threshold, config.artifact_dir) = (5, Some("theirs".into()));
    };
    check(user.clone(), wish.clone(), Unknown, of_the_user, &["smallPackageThreshold", "artifactDir"]);
    check(user.clone(), wish, Trusted, of_the_project, &[]);
    check(user, json!({"artifactDir": "mine/"}), Unknown, of_the_user, &[]);
}

#[test]
fn patterns_are_added_and_only_trust_drops_the_default_ones() {
    let is = |patterns: &'static [&'static str]| {
        move |config: &mut Config| config.ignore_patterns = patterns.iter().map(|p| (*p).into()).collect()
    };
    let wish = json!({"ignorePatterns": ["dist", ".git", "dist"]});
    check(json!({}), wish.clone(), Unknown, is(&["node_modules", ".git", "dist"]), &[]);
    check(json!({}), wish.clone(), Trusted, is(&["dist", ".git"]), &[]);
    check(json!({"ignorePatterns": ["out"]}), wish.clone(), Trusted, is(&["out", "dist", ".git"]), &[]);
    check(json!({"ignorePatterns": []}), wish, Unknown, is(&["dist", ".git"]), &[]);
    check(json!({}), json!({"ignorePatterns": []}), Unknown, |_| (), &[]);
    check(json!({}), json!({"ignorePatterns": []}), Trusted, is(&[]), &[]);
}

#[test]
fn the_hosts_file_of_a_project_goes_before_the_documents() {
    let user = json!({"narrow": {"contextBudget": 1000, "ignorePatterns": ["a"], "tagCap": 50}});
    let file = json!({"contextBudget": 2000, "ignorePatterns": ["b"], "expansionTokens": 10});
    let both = |config: &mut Config| {
        (config.context_budget, config.expansion_tokens) = (1_000, 10);
        config.ignore_patterns = ["node_modules", ".git", "a", "b"].map(str::to_owned).to_vec();
    };
    check(user.clone(), file, Unknown, both, &["tagCap"]);
    let trusted = |config: &mut Config| {
        (config.context_budget, config.tag_cap) = (1_000, 50);
        config.ignore_patterns = vec!["a".into()];
    };
    check(user, json!({}), Trusted, trusted, &[]);
}

#[test]
fn absurd_numbers_are_brought_back() {
    let none = json!({
        "smallPackageThreshold": 0, "contextBudget": 0, "tagCap": 0, "contextBudgetPercent": 0,
        "contextBudgetMaxTokens": 0
    });
    let least = |config: &mut Config| {
        (config.small_package_threshold, config.context_budget, config.tag_cap) = (1, 100, 0);
        (config.context_budget_percent, config.context_budget_max_tokens) = (0, 0);
    };
    check(none.clone(), json!({}), Unknown, least, &[]);
    check(none.clone(), none.clone(), Unknown, least, &[]);
    // A project cannot do away with the room for the root's pair.
    let floored = |config: &mut Config| {
        least(config);
        config.context_budget_max_tokens = 400;
    };
    check(json!({}), none, Trusted, floored, &[]);
    let huge = json!({
        "smallPackageThreshold": u64::MAX, "contextBudget": u64::MAX, "tagCap": u64::MAX,
        "contextBudgetPercent": 1000, "max_files": u64::MAX
    });
    let most = |config: &mut Config| {
        (config.small_package_threshold, config.context_budget, config.tag_cap) = (1_000_000, 10_000_000, 64);
        (config.context_budget_percent, config.max_files) = (100, 2_000_000);
    };
    check(huge, json!({}), Unknown, most, &[]);
    let wish = json!({"smallPackageThreshold": 1e300, "workflowHintCap": 1e300});
    let far = |config: &mut Config| {
        (config.small_package_threshold, config.workflow_hint_cap) = (1_000_000, 64);
    };
    check(json!({}), wish, Trusted, far, &[]);
}

#[test]
fn values_without_a_meaning_are_left_out_with_a_finding() {
    for dir in [
        "/maps",
        "~/maps",
        "../maps",
        "a/../../b",
        "..",
        "C:/maps",
        "a\\b",
        "",
        ".",
        "./",
        "a\nb",
        ".git/maps",
        "sub/.GIT",
    ] {
        for (user, project) in
            [(json!({"artifactDir": dir}), json!({})), (json!({}), json!({"artifactDir": dir}))]
        {
            let (config, findings) = resolved(&user, &project, Trusted);
            assert_eq!(config.artifact_dir, None, "{dir:?}");
            assert_eq!(findings.len(), 1, "{dir:?}");
            assert_eq!(findings[0].code, "setting-value", "{dir:?}");
        }
    }
    let long = "x".repeat(501);
    let patterns = json!({"ignorePatterns": ["!node_modules", "", "  ", "a\nb", long, "kept"]});
    for (user, project) in [(&patterns, &json!({})), (&json!({}), &patterns)] {
        let (config, findings) = resolved(user, project, Trusted);
        assert_eq!(config.ignore_patterns, ["kept"]);
        assert!(findings.len() == 1 && findings[0].message.starts_with("5 of"), "{findings:?}");
    }
    let many: Vec<String> = (0..700).map(|number| number.to_string()).collect();
    let (config, findings) = resolved(&json!({"ignorePatterns": many}), &json!({}), Unknown);
    assert_eq!((config.ignore_patterns.len(), findings.len()), (500, 1));
}

#[test]
fn defaults_and_ranges_are_those_of_the_published_schemas() {
    let spec = catalogue::find(SPEC).expect("the spec is published");
    let properties = |name: &str, pointer: &str| -> Value {
        let schema: Value =
            serde_json::from_str(spec.schema(name).expect("it has this schema").text).expect("JSON");
        schema.pointer(pointer).expect("it has this place").clone()
    };
    let settings = properties("settings", "/properties");
    let file = properties("project-file", "/properties");
    let narrow = properties("settings", "/$defs/narrow/properties");
    for number in [
        values::THRESHOLD,
        values::BUNDLE,
        values::TAGS,
        values::WORKFLOWS,
        values::PERCENT,
        values::CAP,
        values::EXPANSION,
        values::FILES,
    ] {
        let of_the_user = number.name == "max_files";
        for of in [&settings, &file].into_iter().take(if of_the_user { 1 } else { 2 }) {
            let property = &of[number.name];
            assert_eq!(property["default"], number.default, "{}", number.name);
            assert_eq!(
                (&property["minimum"], &property["maximum"]),
                (&json!(number.least), &json!(number.most))
            );
        }
    }
    for of in [&settings, &file] {
        assert_eq!(of["ignorePatterns"]["default"], json!(values::IGNORED));
        assert_eq!(of["promptInjectionMode"]["default"], json!(Mode::default()));
        assert_eq!(
            (&of["autoInjectPrompt"]["default"], &of["commitArtifacts"]["default"]),
            (&json!(true), &json!(false))
        );
    }
    for of in [&file, &narrow] {
        let mut names: Vec<&String> = of.as_object().expect("an object").keys().collect();
        names.sort();
        let mut known = ProjectFile::NAMES;
        known.sort_unstable();
        assert_eq!(names, known);
    }
}

#[test]
fn the_hosts_file_of_a_project_can_set_nothing_that_widens() {
    let schema = schema();
    let properties = schema["properties"].as_object().expect("it has properties");
    assert_eq!(properties.len(), ProjectFile::NAMES.len() + 2);
    let for_projects: Vec<&String> = properties
        .iter()
        .filter(|(_, property)| property.get("x-ctxhost-project").is_some())
        .map(|(name, _)| name)
        .collect();
    assert_eq!(for_projects, ["narrow"]);
    // A host shows this schema by itself, so that it refers to nothing outside.
    assert!(!schema.to_string().contains(".schema.json#"));
}
