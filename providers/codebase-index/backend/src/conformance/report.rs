//! What the checks found, for a person and for a program.

use serde_json::json;

use super::{Outcome, Part};

/// How all checks ended.
#[derive(Clone, Debug)]
pub struct Report {
    /// Which backend was asked.
    pub url: String,
    /// The checks, in their order.
    pub outcomes: Vec<Outcome>,
}

impl Report {
    /// Whether every check holds.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.outcomes.iter().all(|outcome| outcome.fault.is_none())
    }

    /// A line for each check, and what they come to.
    #[must_use]
    pub fn text(&self) -> String {
        let mut lines = Vec::new();
        for (part, title) in [
            (Part::Document, "The contract document"),
            (Part::Completion, "Its completion (codebase-index/v1, SPEC.md)"),
        ] {
            lines.push(format!("{title}: {} of {} hold", self.held(part), self.asked(part)));
            for Outcome { id, says, fault, skipped, .. } in self.of(part) {
                match fault {
                    None if *skipped => {
                        lines.push(format!(
                            "  -     {id}: {says} (not asked; give `--other-token-file FILE`)"
                        ));
                    }
                    None => lines.push(format!("  ok    {id}: {says}")),
                    Some(fault) => lines.push(format!("  FAIL  {id}: {says}\n        {fault}")),
                }
            }
        }
        lines.push(self.conclusion().to_owned());
        lines.join("\n")
    }

    /// The same as one JSON object.
    #[must_use]
    pub fn json(&self) -> String {
        let count = |part| json!({ "checks": self.asked(part), "held": self.held(part) });
        let report = json!({
            "v": 1,
            "url": self.url,
            "holds": self.holds(),
            "document": count(Part::Document),
            "completion": count(Part::Completion),
            "checks": self.outcomes,
        });
        format!("{report:#}")
    }

    fn of(&self, part: Part) -> impl Iterator<Item = &Outcome> {
        self.outcomes.iter().filter(move |outcome| outcome.part == part)
    }

    fn asked(&self, part: Part) -> usize {
        self.of(part).filter(|outcome| !outcome.skipped).count()
    }

    fn held(&self, part: Part) -> usize {
        self.of(part).filter(|outcome| !outcome.skipped && outcome.fault.is_none()).count()
    }

    fn conclusion(&self) -> &'static str {
        let whole = |part| self.held(part) == self.asked(part);
        match (whole(Part::Document), whole(Part::Completion)) {
            (true, true) => "This backend keeps the contract and its completion.",
            (true, false) => "This backend keeps the contract document; parts of its completion do not hold.",
            (false, _) => "This backend does not keep the contract document.",
        }
    }
}
