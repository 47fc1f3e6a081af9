//! Go modules, Make, just, Maven, Gradle, CMake.

use super::script;
use crate::select::{
    inventory::{Manifest, Script},
    names::resolve,
};

fn of(kind: &str) -> Manifest {
    Manifest { kind: kind.to_owned(), ..Manifest::default() }
}

pub(super) fn go(_dir: &str, text: &str) -> Option<Manifest> {
    let name = text.lines().find_map(|line| line.trim().strip_prefix("module "))?.trim().trim_matches('"');
    let scripts = ["build", "test"].map(|name| script(name, format!("go {name} ./...")));
    Some(Manifest { name: name.to_owned(), scripts: scripts.to_vec(), ..of("go") })
}

/// Targets: what stands in front of a colon at the beginning of a line.
pub(super) fn make(_dir: &str, text: &str) -> Option<Manifest> {
    let mut scripts: Vec<Script> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with(['\t', ' ', '#', '.'])) {
        let Some((targets, rest)) = line.split_once(':') else { continue };
        let assigns = rest.starts_with('=') || rest.starts_with(":=") || targets.contains('=');
        // A name with a slash or an ending is a file that is made, not something that a person asks for.
        let named = |target: &&str| !target.contains(['/', '.', '$', '%', '=', '(']);
        for target in targets.split_whitespace().filter(named).filter(|_| !assigns) {
            if scripts.iter().all(|known| known.name != target) {
                scripts.push(script(target, format!("make {target}")));
            }
        }
    }
    Some(Manifest { scripts, ..of("make") })
}

pub(super) fn just(_dir: &str, text: &str) -> Option<Manifest> {
    let heads = text.lines().filter(|line| !line.starts_with([' ', '\t', '#', '[', '@', '_']));
    let names = heads.filter_map(|line| {
        let (head, rest) = line.split_once(':')?;
        (!rest.starts_with('=')).then(|| head.split_whitespace().next())?
    });
    let scripts = names.map(|name| script(name, format!("just {name}"))).collect();
    Some(Manifest { scripts, ..of("just") })
}

pub(super) fn maven(dir: &str, text: &str) -> Option<Manifest> {
    // What the parent says is not this package's own.
    let own = text.split_once("</parent>").map_or(text, |(_, rest)| rest);
    let element = |name: &str, text: &str| {
        let (_, rest) = text.split_once(&format!("<{name}>"))?;
        rest.split('<').next().map(str::trim).filter(|value| !value.contains("${")).map(str::to_owned)
    };
    let head = own.split("<dependencies>").next().unwrap_or(own);
    let modules = text.split("<module>").skip(1).filter_map(|rest| rest.split('<').next());
    let tools = ["checkstyle", "spotless", "surefire", "jacoco", "pmd", "spotbugs"];
    Some(Manifest {
        name: element("artifactId", head).unwrap_or_default(),
        description: element("description", head).unwrap_or_default(),
        scripts: vec![script("build", "mvn package".to_owned()), script("test", "mvn test".to_owned())],
        members: modules.filter_map(|module| resolve(dir, module.trim())).collect(),
        tools: tools
            .iter()
            .filter(|tool| text.contains(&format!("{tool}-maven-plugin")))
            .map(|tool| (*tool).to_owned())
            .collect(),
        ..of("maven")
    })
}

pub(super) fn gradle(_dir: &str, text: &str) -> Option<Manifest> {
    let tools = ["checkstyle", "spotless", "ktlint", "detekt", "jacoco"];
    Some(Manifest {
        scripts: vec![script("build", "gradle build".to_owned()), script("test", "gradle test".to_owned())],
        tools: tools.iter().filter(|tool| text.contains(**tool)).map(|tool| (*tool).to_owned()).collect(),
        ..of("gradle")
    })
}

pub(super) fn cmake(_dir: &str, text: &str) -> Option<Manifest> {
    let lower = text.to_lowercase();
    let inside = lower.find("project(").and_then(|at| text.get(at + "project(".len()..));
    let name = inside
        .and_then(|rest| rest.split([')', ' ', '\n']).find(|word| !word.is_empty()))
        .unwrap_or_default();
    let name = name.trim_matches('"');
    let tools = if lower.contains("enable_testing") || lower.contains("add_test") {
        vec!["ctest".to_owned()]
    } else {
        Vec::new()
    };
    Some(Manifest {
        name: if name.contains('$') { String::new() } else { name.to_owned() },
        tools,
        ..of("cmake")
    })
}
