//! `ctxhost doctor`: says whether context arrives, and what keeps it from arriving.
//!
//! What is specific to a provider is said by the provider's own command `doctor`; what is specific to an agent is proved
//! by doing what the agent does.

mod agents;
mod hindrances;
mod permit;
mod probe;
mod proof;

use ctxhost::{Finding, discover, finding::FindingExt, settings::Flags};
use serde_json::{Map, Value, json};

use crate::{
    args::DoctorArgs,
    exit::{Code, Failure},
    output::Output,
};

pub(crate) fn run(args: &DoctorArgs, output: &mut Output<'_>) -> Result<Code, Failure> {
    let (host, cwd) = super::host(&args.scene, Flags::default())?;
    let mut findings: Vec<Finding> = host.findings().to_vec();
    let (manifests, more) = host.manifests();
    findings.extend(more);
    findings.extend(host.take_findings());
    let mut code = if findings.is_empty() { Code::Ok } else { Code::Findings };
    let mut reports = Map::new();
    let mut texts = Vec::new();
    for manifest in
        manifests.iter().filter(|manifest| manifest.commands.iter().any(|command| command.name == "doctor"))
    {
        match host.command(&manifest.id, "doctor", &[], args.scene.session.as_deref()) {
            Ok(reply) => {
                if reply.exit != 0 {
                    code = Code::Findings;
                }
                texts.push((manifest.id.clone(), reply.text.clone()));
                reports.insert(manifest.id.clone(), json!(reply));
            }
            Err(error) => {
                code = Code::Findings;
                texts.push((manifest.id.clone(), error.to_string()));
                reports.insert(manifest.id.clone(), json!({"failure": error.to_string()}));
            }
        }
    }
    let agents = agents::reports(host.surroundings(), &cwd);
    if agents.iter().any(|report| !report.stops.is_empty()) {
        code = Code::Findings;
    }
    let places: Vec<String> =
        discover::places(host.surroundings()).iter().map(|place| place.path.display().to_string()).collect();
    if args.json {
        let loaded: Vec<Value> = manifests
            .iter()
            .map(|manifest| json!({"id": manifest.id, "version": manifest.version}))
            .collect();
        let agents: Map<String, Value> =
            agents.iter().map(|report| (report.agent.name().to_owned(), report.document())).collect();
        output.json(&json!({
            "v": 1, "places": places, "providers": loaded, "reports": reports, "findings": findings,
            "agents": agents,
        }));
        return Ok(code);
    }
    output.foreign(&format!("looked for providers in {}", places.join(", ")));
    let loaded: Vec<String> =
        manifests.iter().map(|manifest| format!("{} {}", manifest.id, manifest.version)).collect();
    output.foreign(&format!(
        "loaded {}",
        if loaded.is_empty() { "none".to_owned() } else { loaded.join(", ") }
    ));
    for finding in &findings {
        output.foreign(&finding.line());
    }
    for (provider, text) in texts {
        output.foreign(&format!("\n{provider}\n{text}"));
    }
    if agents.is_empty() {
        output.text("\nno agent is set up here; `ctxhost install claude-code` (or codex, or pi) brings context into one");
    }
    for report in &agents {
        output.foreign(&format!("\n{}", report.agent.name()));
        for line in &report.lines {
            output.foreign(line);
        }
        for stop in &report.stops {
            output.foreign(&format!("stops it: {stop}"));
        }
    }
    Ok(code)
}
