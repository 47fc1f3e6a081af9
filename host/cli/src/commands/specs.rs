//! `ctxhost specs`: reads the published specs, or holds files against them.

use std::{io::Read as _, path::Path};

use ctxhost::{
    files::read_regular,
    protocol::catalogue::{self, Spec},
    validate::{Fault, Validators, unknown_fields},
};
use serde_json::{Value, json};

use crate::{
    args::{SpecsArgs, SpecsCommand},
    exit::{Code, Failure},
    internal,
    output::Output,
};

/// The largest document that is validated, in bytes.
const DOCUMENT_CAP: u64 = 64 * 1024 * 1024;

pub(crate) fn run(args: &SpecsArgs, output: &mut Output<'_>) -> Result<Code, Failure> {
    match &args.command {
        SpecsCommand::List { json } => {
            list(*json, output);
            Ok(Code::Ok)
        }
        SpecsCommand::Show { spec } => show(spec, output),
        SpecsCommand::Validate { spec, files, json } => {
            let (spec, schema) = find(spec)?;
            let schema = schema.unwrap_or("reply");
            let validators = Validators::default();
            let mut unknown = Vec::new();
            let mut results = Vec::new();
            for file in files {
                let name = file.display().to_string();
                let document = match read(file)? {
                    Ok(document) => document,
                    Err(fault) => {
                        results.push((name, vec![fault]));
                        continue;
                    }
                };
                let faults = validators.faults(spec.id(), schema, &document);
                let missing = || Failure::not_found(format!("{} has no schema `{schema}`", spec.id()));
                unknown.push((name.clone(), unknown_fields(spec.id(), schema, &document)));
                results.push((name, faults.ok_or_else(missing)?.map_err(internal)?));
            }
            let code = report(&results, *json, output);
            for (file, unknown) in &unknown {
                for pointer in unknown {
                    output.note(&format!(
                        "{file}: {pointer}: no field of {} {schema}; readers ignore it",
                        spec.id()
                    ));
                }
            }
            Ok(code)
        }
    }
}

fn list(json: bool, output: &mut Output<'_>) {
    let names = |spec: &Spec| {
        spec.schemas.iter().map(|schema| schema.name.trim_end_matches(".schema.json")).collect::<Vec<_>>()
    };
    if json {
        let specs: Vec<Value> = catalogue::specs()
            .iter()
            .map(|spec| json!({"spec": spec.id(), "schemas": names(spec)}))
            .collect();
        output.json(&specs);
    } else {
        let rows: Vec<_> =
            catalogue::specs().iter().map(|spec| vec![spec.id().to_owned(), names(spec).join(" ")]).collect();
        output.table(&rows);
    }
}

fn show(name: &str, output: &mut Output<'_>) -> Result<Code, Failure> {
    let (spec, schema) = find(name)?;
    match schema {
        None => output.text(spec.text),
        Some(schema) => output.text(spec.schema(schema).map_or("", |schema| schema.text)),
    }
    Ok(Code::Ok)
}

/// A spec, and perhaps one of its schemas, by `NAME/VERSION[/SCHEMA]`.
fn find(name: &str) -> Result<(&'static Spec, Option<&str>), Failure> {
    if let Some(spec) = catalogue::find(name) {
        return Ok((spec, None));
    }
    let known = || catalogue::specs().iter().map(|spec| spec.id()).collect::<Vec<_>>().join(", ");
    let found = name.rsplit_once('/').and_then(|(spec, schema)| Some((catalogue::find(spec)?, schema)));
    let (spec, schema) = found
        .ok_or_else(|| Failure::not_found(format!("no spec is called `{name}`; there is {}", known())))?;
    if spec.schema(schema).is_none() {
        let schemas: Vec<_> =
            spec.schemas.iter().map(|schema| schema.name.trim_end_matches(".schema.json")).collect();
        return Err(Failure::not_found(format!(
            "{} has no schema `{schema}`; it has {}",
            spec.id(),
            schemas.join(", ")
        )));
    }
    Ok((spec, Some(schema)))
}

/// A document, or why the file is none.
fn read(file: &Path) -> Result<Result<Value, Fault>, Failure> {
    let unreadable =
        |error: &dyn std::fmt::Display| Failure::not_found(format!("{error}; name a file that can be read"));
    let bytes = if file == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().take(DOCUMENT_CAP).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
        bytes
    } else {
        read_regular(file, DOCUMENT_CAP).map_err(|error| unreadable(&error))?
    };
    let nonsense = |error| Fault { pointer: String::new(), message: format!("not JSON: {error}") };
    Ok(serde_json::from_slice(&bytes).map_err(nonsense))
}

fn report(results: &[(String, Vec<Fault>)], json: bool, output: &mut Output<'_>) -> Code {
    if json {
        let documents: Vec<Value> = results
            .iter()
            .map(|(file, faults)| {
                let faults: Vec<Value> = faults
                    .iter()
                    .map(|fault| json!({"pointer": fault.pointer, "message": fault.message}))
                    .collect();
                json!({"file": file, "valid": faults.is_empty(), "faults": faults})
            })
            .collect();
        output.json(&documents);
    } else {
        for (file, faults) in results {
            if faults.is_empty() {
                output.foreign(&format!("{file}: valid"));
            }
            for fault in faults {
                let place = if fault.pointer.is_empty() { "the whole document" } else { &fault.pointer };
                output.foreign(&format!("{file}: {place}: {}", fault.message));
            }
        }
    }
    if results.iter().all(|(_, faults)| faults.is_empty()) { Code::Ok } else { Code::Findings }
}
