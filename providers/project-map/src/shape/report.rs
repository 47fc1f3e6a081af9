//! The report of `validate`: a document for programs, lines for people.

use ctxhost_sdk::protocol::project_map::{Code, Covered, Report, ReportFinding};

/// How many findings a document lists, and how many lines a person reads.
const LISTED: usize = 1_000;
const LINES: usize = 50;

/// Puts the findings together.
pub(crate) fn report(covered: Covered, findings: Vec<ReportFinding>, complete: bool) -> Report {
    let mut report = Report { covered, complete, ..Report::default() };
    for finding in &findings {
        *report.counts.entry(finding.code).or_default() += 1;
        report.fixed += u64::from(finding.fixed);
    }
    report.more_findings = findings.len().saturating_sub(LISTED) as u64;
    report.findings = findings;
    report.findings.truncate(LISTED);
    report
}

/// How many findings are left.
pub(crate) fn left(report: &Report) -> u64 {
    report.counts.values().sum::<u64>() - report.fixed
}

/// The report as a person and a model read it.
pub(crate) fn text(report: &Report) -> String {
    let Covered { pairs, artifacts, files } = report.covered;
    let mut text = match (left(report), report.fixed) {
        (0, 0) => format!("clean: {artifacts} artifacts of {pairs} pairs over {files} files\n"),
        (0, fixed) => format!("clean: {fixed} findings are put right, {pairs} pairs over {files} files\n"),
        (left, 0) => format!("{left} findings over {artifacts} artifacts of {pairs} pairs\n"),
        (left, fixed) => format!("{left} findings are left, {fixed} are put right\n"),
    };
    // What is left first: it wants a hand.
    let (done, left): (Vec<_>, Vec<_>) = report.findings.iter().partition(|finding| finding.fixed);
    for finding in left.iter().chain(&done).take(LINES) {
        text += &line(finding);
    }
    let more = (report.findings.len().saturating_sub(LINES)) as u64 + report.more_findings;
    if more > 0 {
        text += &format!("… and {more} more\n");
    }
    for hint in hints(&left) {
        text += &format!("next: {hint}\n");
    }
    text
}

fn line(finding: &ReportFinding) -> String {
    let line = finding.line.map_or(String::new(), |line| format!(":{line}"));
    let fixed = if finding.fixed { " (put right)" } else { "" };
    format!("{}{line}: {}: {}{fixed}\n", finding.path, name(finding.code), finding.message)
}

fn name(code: Code) -> &'static str {
    match code {
        Code::Stale => "stale",
        Code::Missing => "missing",
        Code::Orphaned => "orphaned",
        Code::Edited => "edited",
        Code::OverBudget => "over budget",
        Code::DanglingLink => "dangling link",
        Code::BadHeader => "bad header",
        Code::ForbiddenContent => "forbidden content",
    }
}

fn hints(left: &[&ReportFinding]) -> Vec<&'static str> {
    let any = |codes: &[Code]| left.iter().any(|finding| codes.contains(&finding.code));
    let mut hints = Vec::new();
    if any(&[Code::Stale, Code::Missing, Code::Orphaned]) {
        hints.push("`validate --fix` makes stale and missing ones and removes orphans");
    }
    if any(&[Code::BadHeader]) {
        hints.push("move away what has no header of ours, then `validate --fix` makes the map");
    }
    if any(&[Code::Edited]) {
        hints.push("move what you wrote between the marks of the notes, then `validate --fix --force` makes the rest anew");
    }
    if any(&[Code::ForbiddenContent]) {
        hints.push("take the line out of the notes; where it is none of them, `validate --fix --force` makes the text anew");
    }
    hints
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_comes_first_with_what_to_do() {
        let finding = |code, path: &str, fixed| ReportFinding {
            code,
            path: path.to_owned(),
            message: "it is so".to_owned(),
            line: Some(3),
            fixed,
            ..ReportFinding::default()
        };
        let findings = vec![finding(Code::Stale, "a", true), finding(Code::Edited, "b", false)];
        let covered = Covered { pairs: 2, artifacts: 4, files: 9 };
        let said = text(&report(covered, findings, true));
        let wanted = "1 findings are left, 1 are put right\nb:3: edited: it is so\na:3: stale: it is so (put right)\n\
            next: move what you wrote between the marks of the notes, then `validate --fix --force` makes the rest anew\n";
        assert_eq!(said, wanted);
        assert_eq!(text(&report(covered, Vec::new(), true)), "clean: 4 artifacts of 2 pairs over 9 files\n");
        let many = vec![finding(Code::Missing, "a", false); 1_200];
        let many = report(covered, many, true);
        assert_eq!((many.findings.len(), many.more_findings, left(&many)), (LISTED, 200, 1_200));
        assert!(text(&many).contains("\n… and 1150 more\nnext: "));
    }
}
