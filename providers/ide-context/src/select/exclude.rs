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
    /// A rule of the project that would take back what stands before it, and is not followed.
    pub(crate) refused: Option<Hit>,
}

/// Decides for a file, by each way to look at its path; one that is excluded is enough.
///
/// The project's list comes with the project. Without the user's trust it can keep more files out, as any project file
/// may narrow, but it cannot open what the user's own rules and the built-in ones close.
pub(crate) fn verdict(lists: &Lists, views: &[View], trusted: bool) -> Verdict {
    let mut verdict = Verdict::default();
    for view in views {
        let own: Vec<&List> = lists.built_in.into_iter().chain(&lists.global).collect();
        let by_own = deciding_rule(&own, &view.path);
        let by_all = match &lists.project {
            Some(project) if view.in_project => {
                deciding_rule(&own.into_iter().chain([project]).collect::<Vec<_>>(), &view.path)
            }
            _ => by_own.clone(),
        };
        let closes = |hit: &Option<Hit>| hit.as_ref().is_some_and(|hit| !hit.negated);
        if closes(&by_all) {
            verdict.excluded = verdict.excluded.or(by_all);
        } else if closes(&by_own) && !trusted {
            verdict.excluded = verdict.excluded.or(by_own);
            verdict.refused = verdict.refused.or(by_all);
        }
    }
    verdict
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
        let excluded = |view: View| verdict(&lists, &[view], true).excluded.map(|hit| hit.list);
        assert_eq!(excluded(view(true, "a.draft")).as_deref(), Some("project"));
        assert_eq!(excluded(view(false, "a.draft")), None);
        assert_eq!(excluded(view(true, "ok.secret")), None);
        assert_eq!(excluded(view(false, "ok.secret")).as_deref(), Some("global"));
    }

    #[test]
    fn one_way_to_look_at_a_path_is_enough() {
        let lists = lists(".env", "");
        assert!(verdict(&lists, &[view(true, "notes.txt"), view(true, ".env")], true).excluded.is_some());
        assert!(verdict(&lists, &[view(true, ".env"), view(true, "notes.txt")], true).excluded.is_some());
        assert!(verdict(&lists, &[view(true, "notes.txt")], true).excluded.is_none());
    }

    #[test]
    fn without_trust_a_project_can_only_narrow() {
        let lists = lists("*.secret", "*.draft\n!ok.secret");
        let judge = |path: &str| verdict(&lists, &[view(true, path)], false);
        assert!(judge("a.draft").excluded.is_some());
        let Verdict { excluded, refused } = judge("ok.secret");
        assert_eq!(excluded.expect("it stays out").list, "global");
        assert_eq!(refused.expect("it is named").pattern, "!ok.secret");
        assert_eq!(judge("plain"), Verdict::default());
    }
}
