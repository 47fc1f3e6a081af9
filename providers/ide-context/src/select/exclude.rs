//! Whether the ignore rules keep a file out.

use crate::{
    select::ignore::{Hit, List, deciding_rule},
    source::{paths::View, rules::Lists},
};

/// What the rules say of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// The rule that keeps it out.
    pub(crate) excluded: Option<Hit>,
}

/// Decides for a file, by each way to look at its path; one that is excluded is enough.
///
/// Without the user's trust the project's list has no negated rules, so that it can only keep more files out.
pub(crate) fn verdict(lists: &Lists, views: &[View]) -> Verdict {
    let excluded = views.iter().find_map(|view| {
        let own = lists.built_in.into_iter().chain(&lists.global);
        let project = lists.project.iter().filter(|_| view.in_project);
        let lists: Vec<&List> = own.chain(project).collect();
        deciding_rule(&lists, &view.path).filter(|hit| !hit.negated)
    });
    Verdict { excluded }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(global: &str, project: &str) -> Lists {
        Lists {
            built_in: None,
            global: Some(List::read("global", global)),
            project: Some(List::read("project", project)),
        }
    }

    fn view(in_project: bool, path: &str) -> View {
        View { in_project, path: path.to_owned() }
    }

    #[test]
    fn the_projects_rules_hold_inside_of_it_only() {
        let lists = lists("*.secret", "*.draft\n!ok.secret");
        let excluded = |view: View| verdict(&lists, &[view]).excluded.map(|hit| hit.list);
        assert_eq!(excluded(view(true, "a.draft")).as_deref(), Some("project"));
        assert_eq!(excluded(view(false, "a.draft")), None);
        assert_eq!(excluded(view(true, "ok.secret")), None);
        assert_eq!(excluded(view(false, "ok.secret")).as_deref(), Some("global"));
    }

    #[test]
    fn one_way_to_look_at_a_path_is_enough() {
        let lists = lists(".env", "");
        assert!(verdict(&lists, &[view(true, "notes.txt"), view(true, ".env")]).excluded.is_some());
        assert!(verdict(&lists, &[view(true, ".env"), view(true, "notes.txt")]).excluded.is_some());
        assert!(verdict(&lists, &[view(true, "notes.txt")]).excluded.is_none());
    }

    #[test]
    fn without_trust_a_project_can_only_narrow() {
        let mut lists = lists("*.secret", "*.draft\n!ok.secret\n*.rs\n!a.rs\nkeys/\n!keys/");
        lists.project = lists.project.map(List::without_negated);
        let judge = |path: &str| verdict(&lists, &[view(true, path)]).excluded.map(|hit| hit.list);
        for (path, list) in [
            ("a.draft", Some("project")),
            ("ok.secret", Some("global")),
            ("a.rs", Some("project")),
            ("keys/a", Some("project")),
            ("plain", None),
        ] {
            assert_eq!(judge(path).as_deref(), list, "{path}");
        }
    }
}
