//! `ctxhost doctor`: says whether context arrives, and what keeps it from arriving.
//!
//! What is specific to a provider is said by the provider's own command `doctor`.

use ctxhost::{Finding, discover, finding::FindingExt, settings::Flags};
use serde_json::{Map, Value, json};

use crate::{
    args::DoctorArgs,
    exit::{Code, Failure},
    output::Output,
};

pub(crate) fn run(args: &DoctorArgs, output: &mut Output<'_>) -> Result<Code, Failure> {
    let (host, _) = super::host(&args.scene, Flags::default())?;
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
    let places: Vec<String> =
        discover::places(host.surroundings()).iter().map(|place| place.path.display().to_string()).collect();
    if args.json {
        let loaded: Vec<Value> = manifests
            .iter()
            .map(|manifest| json!({"id": manifest.id, "version": manifest.version}))
            .collect();
        output.json(
            &json!({"v": 1, "places": places, "providers": loaded, "reports": reports, "findings": findings}),
        );
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
    Ok(code)
}
