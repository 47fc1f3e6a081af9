//! Step 4: holds an answer against its spec; the only place that can make a [`Contribution`].
//!
//! Size, then JSON, then the spec the reply names (each published spec's reply schema contains the envelope's), then
//! trust, needs and powers.
//! The host's own copy of a published spec is the authority; a provider with a spec of its own brings the schemas in
//! `spec/` beside its library, under its own id only.

mod schema;

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use ctxhost_protocol::{
    catalogue,
    envelope::{self, Decision, McpServer, Messages, Reply, ResultPatch, Section, Status, Trust},
};
use jsonschema::Validator;
use serde_json::Value;

pub use schema::{SchemaError, unknown_fields};
use schema::{compile, compile_custom};

use crate::{
    ask::Answer,
    finding::{Finding, FindingExt, REPORT, Step},
    load::Loaded,
};

/// How many faults of one reply are counted; the first is shown.
const FAULTS: usize = 20;

/// A reply that satisfied its spec.
///
/// Its fields are private because nothing but [`Validators::validate`] may make one.
#[derive(Clone, Debug)]
pub struct Contribution {
    provider: String,
    reply: Reply,
}

impl Contribution {
    /// Who contributed.
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// The provider's own document.
    pub fn data(&self) -> &Value {
        &self.reply.data
    }

    /// Why it says what it says, a line each.
    pub fn explanation(&self) -> &[String] {
        &self.reply.explanation
    }

    /// The sections it offers.
    pub fn sections(&self) -> &[Section] {
        &self.reply.sections
    }

    /// What it decides about a tool call, within its powers.
    pub fn decision(&self) -> Option<&Decision> {
        self.reply.decision.as_ref()
    }

    /// Which messages stay, within its powers.
    pub fn messages(&self) -> Option<&Messages> {
        self.reply.messages.as_ref()
    }

    /// What changes in a tool's result, within its powers.
    pub fn result_patch(&self) -> Option<&ResultPatch> {
        self.reply.result_patch.as_ref()
    }

    /// The MCP server it hands over, within its powers.
    pub fn mcp_server(&self) -> Option<&McpServer> {
        self.reply.mcp_server.as_ref()
    }

    /// What people see of it all the time.
    pub fn status(&self) -> Option<&Status> {
        self.reply.status.as_ref()
    }

    /// The same provider's contribution with some of its sections and nothing else, for another moment.
    pub fn only(&self, keep: impl Fn(&Section) -> bool) -> Self {
        let sections = self.reply.sections.iter().filter(|section| keep(section)).cloned().collect();
        let reply = Reply { spec: self.reply.spec.clone(), sections, ..Reply::default() };
        Self { provider: self.provider.clone(), reply }
    }

    /// Leaves out some of its sections.
    pub fn retain(&mut self, keep: impl Fn(&Section) -> bool) {
        self.reply.sections.retain(keep);
    }

    /// Passes every text that a model may read through `edit`, such as to name a tool as the agent does.
    pub fn edit_texts(&mut self, edit: impl Fn(&str) -> String) {
        let variants = self.reply.sections.iter_mut().flat_map(|section| &mut section.variants);
        variants.for_each(|variant| variant.body = edit(&variant.body));
        if let Some(decision) = &mut self.reply.decision {
            for text in [&mut decision.reason, &mut decision.guidance].into_iter().flatten() {
                *text = edit(text);
            }
        }
    }
}

/// One fault of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where, as a JSON pointer.
    pub pointer: String,
    /// What is wrong there.
    pub message: String,
}

type Compiled = Arc<OnceLock<Result<Validator, SchemaError>>>;

/// The compiled schemas, each made when it is first needed.
#[derive(Default)]
pub struct Validators {
    published: Mutex<BTreeMap<(String, String), Compiled>>,
    custom: Mutex<BTreeMap<String, Compiled>>,
}

impl Validators {
    /// Compiles the reply schema that a provider's replies will need, so that it is there when they are.
    pub fn prepare(&self, provider: &str, spec: &str, library: Option<&Path>) {
        if self.with_published(spec, "reply", |_| ()).is_none() {
            self.with_published(envelope::SPEC, "reply", |_| ());
            self.custom_schema(provider, spec, library);
        }
    }

    /// The faults of a document against a published spec's schema; `None` when there is no such schema.
    ///
    /// # Errors
    /// The schema itself is broken, which a test of the specs keeps from happening.
    pub fn faults(
        &self,
        spec: &str,
        schema: &str,
        document: &Value,
    ) -> Option<Result<Vec<Fault>, SchemaError>> {
        self.with_published(spec, schema, |validator| {
            validator.as_ref().map(|v| all_faults(v, document)).map_err(Clone::clone)
        })
    }

    /// Holds an answer against its spec.
    pub fn validate(&self, answer: Answer, loaded: &Loaded) -> (Option<Contribution>, Vec<Finding>) {
        let provider = answer.provider;
        let mut findings = answer.findings;
        let contribution = answer
            .reply
            .and_then(|bytes| self.checked_reply(&bytes, loaded).map_err(|finding| finding.about(&provider)))
            .map(|mut reply| {
                findings.extend(restrict(&mut reply, loaded));
                findings.extend(own_findings(&mut reply, &provider));
                Contribution { provider: provider.clone(), reply }
            });
        match contribution {
            Ok(contribution) => (Some(contribution), findings),
            Err(finding) => {
                findings.push(finding);
                (None, findings)
            }
        }
    }

    fn checked_reply(&self, bytes: &[u8], loaded: &Loaded) -> Result<Reply, Finding> {
        let document: Value = serde_json::from_slice(bytes).map_err(|error| {
            Step::Validate.error("not-json", format!("reply is not JSON: {error}")).hint(REPORT)
        })?;
        let named = document.get("spec").and_then(Value::as_str).unwrap_or_default();
        let spec = loaded.manifest.spec.as_str();
        if named != spec && !named.is_empty() {
            let named: String = named.chars().take(80).collect();
            return Err(Step::Validate
                .error(
                    "foreign-spec",
                    format!("reply names the spec `{named}`, and the provider's is `{spec}`"),
                )
                .at("/spec")
                .hint(REPORT));
        }
        self.hold_against_spec(spec, &document, loaded)?;
        serde_json::from_value(document).map_err(|error| {
            Step::Validate.error("off-spec", format!("reply does not satisfy {}: {error}", envelope::SPEC))
        })
    }

    fn hold_against_spec(&self, spec: &str, document: &Value, loaded: &Loaded) -> Result<(), Finding> {
        if let Some(faults) = self.faults(spec, "reply", document) {
            return verdict(spec, faults);
        }
        if let Some(faults) = self.faults(envelope::SPEC, "reply", document) {
            verdict(envelope::SPEC, faults)?;
        }
        let compiled = self.custom_schema(&loaded.manifest.id, spec, loaded.library.as_deref());
        let compiled = compiled.get().expect("custom_schema has filled it");
        match compiled {
            Ok(validator) => verdict(spec, Ok(all_faults(validator, document))),
            Err(error) => Err(Step::Validate
                .error("unknown-spec", format!("its spec `{spec}` cannot be used: {error}"))
                .hint("use `envelope/v1`, or put the schemas into `spec/` beside the library")),
        }
    }

    fn with_published<T>(
        &self,
        spec: &str,
        schema: &str,
        use_it: impl FnOnce(&Result<Validator, SchemaError>) -> T,
    ) -> Option<T> {
        let published = catalogue::find(spec)?;
        let document = published.schema(schema)?;
        let compiled = {
            let mut all = self.published.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(all.entry((published.id().to_string(), schema.to_owned())).or_default())
        };
        // Compiled outside the lock: two specs may compile at once.
        Some(use_it(compiled.get_or_init(|| compile(document.id, BTreeMap::new()))))
    }

    fn custom_schema(&self, provider: &str, spec: &str, library: Option<&Path>) -> Compiled {
        let compiled = {
            let mut all = self.custom.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(all.entry(provider.to_owned()).or_default())
        };
        compiled.get_or_init(|| compile_custom(provider, spec, library));
        compiled
    }
}

fn verdict(spec: &str, faults: Result<Vec<Fault>, SchemaError>) -> Result<(), Finding> {
    let faults = faults
        .map_err(|error| Step::Validate.error("schema", format!("{spec} has a broken schema: {error}")))?;
    let Some(fault) = faults.first() else { return Ok(()) };
    let more = if faults.len() > 1 { format!(" (and {} more)", faults.len() - 1) } else { String::new() };
    let place = if fault.pointer.is_empty() { String::new() } else { format!(" at {}", fault.pointer) };
    Err(Step::Validate
        .error("off-spec", format!("reply does not satisfy {spec}{place}: {}{more}", fault.message))
        .at(fault.pointer.clone())
        .hint(REPORT))
}

fn all_faults(validator: &Validator, document: &Value) -> Vec<Fault> {
    let mut faults: Vec<Fault> = Vec::new();
    for error in validator.iter_errors(document).take(FAULTS) {
        deepest(&error, &mut faults);
    }
    // The deepest place says most; of two equally deep ones the first in the document.
    faults.sort_by_key(|fault| std::cmp::Reverse(fault.pointer.matches('/').count()));
    faults
}

/// Walks into alternatives, whose own message only says that none of them fits.
fn deepest(error: &jsonschema::ValidationError<'_>, faults: &mut Vec<Fault>) {
    use jsonschema::error::ValidationErrorKind::{AnyOf, OneOfNotValid};
    let here = error.instance_path().to_string();
    if let AnyOf { context } | OneOfNotValid { context } = error.kind() {
        let below =
            context.iter().flatten().filter(|inner| inner.instance_path().to_string().len() > here.len());
        let before = faults.len();
        for inner in below.take(FAULTS) {
            deepest(inner, faults);
        }
        if faults.len() > before {
            return;
        }
    }
    // The value itself may be private or huge; the message must not carry it.
    let message: String = error.masked().to_string().chars().take(300).collect();
    faults.push(Fault { pointer: here, message });
}

/// Takes out what the provider may not do; each costs a finding and nothing else.
fn restrict(reply: &mut Reply, loaded: &Loaded) -> Vec<Finding> {
    let manifest = &loaded.manifest;
    let mut findings = Vec::new();
    let may = |power: &str| loaded.powers.iter().any(|granted| granted == power);
    let mut refuse = |power: &str, what: &str| {
        findings.push(
            Step::Validate
                .warning(
                    "power-not-granted",
                    format!("{what}, which needs the power `{power}`; that part was left out"),
                )
                .about(&manifest.id)
                .hint(format!(
                    "grant it with `powers = [\"{power}\"]` under [providers.{}] in your config.toml",
                    manifest.id
                )),
        );
    };
    if reply.decision.as_ref().is_some_and(|decision| decision.block) && !may("block") {
        refuse("block", "wanted to block a tool call");
        reply.decision = reply.decision.take().map(|decision| Decision { block: false, ..decision });
    }
    if reply.messages.is_some() && !may("rewrite") {
        refuse("rewrite", "wanted to rewrite the conversation");
        reply.messages = None;
    }
    if reply.result_patch.is_some() && !may("patch") {
        refuse("patch", "wanted to change a tool's result");
        reply.result_patch = None;
    }
    if reply.mcp_server.is_some() && !may("mcp_server") {
        refuse("mcp_server", "wanted to register an MCP server");
        reply.mcp_server = None;
    }
    if manifest.needs.network && !loaded.bundled {
        let mut lowered = false;
        for section in reply.sections.iter_mut().filter(|section| section.trust < Trust::Remote) {
            section.trust = Trust::Remote;
            lowered = true;
        }
        if lowered {
            findings.push(
                Step::Validate
                    .info("trust-lowered", "talks to the network, so its text is treated as remote")
                    .about(&manifest.id),
            );
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    let before = reply.sections.len();
    reply.sections.retain(|section| seen.insert(section.key.clone()));
    if reply.sections.len() < before {
        findings.push(
            Step::Validate
                .warning("duplicate-key", "offers two sections with one key; the first was kept")
                .about(&manifest.id)
                .hint(REPORT),
        );
    }
    findings
}

/// What the provider itself reports, under its own name and not under the host's.
fn own_findings(reply: &mut Reply, provider: &str) -> Vec<Finding> {
    std::mem::take(&mut reply.findings)
        .into_iter()
        .map(|finding| Finding {
            provider: Some(provider.to_owned()),
            step: Some(Step::Ask.name().to_owned()),
            ..finding
        })
        .collect()
}

#[cfg(test)]
impl Contribution {
    /// A contribution as validation would have made it, for tests of what comes after.
    pub(crate) fn of(provider: &str, sections: Vec<Section>) -> Self {
        let reply = Reply { sections, ..Reply::default() };
        Self { provider: provider.to_owned(), reply }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_deepest_fault_comes_first_and_no_value_is_repeated() {
        let validators = Validators::default();
        let secret = json!({"v": 1, "spec": "envelope/v1", "sections": [{
            "key": "k", "placement": "prompt", "trust": "tool", "variants": [{"body": 5}], "title": ["a secret"],
        }]});
        let faults = validators.faults("envelope/v1", "reply", &secret).unwrap().unwrap();
        assert_eq!(faults[0].pointer, "/sections/0/variants/0/body");
        assert!(faults.iter().all(|fault| !fault.message.contains("secret")), "{faults:?}");
    }

    #[test]
    fn an_unknown_spec_or_schema_is_none() {
        let validators = Validators::default();
        assert!(validators.faults("no-such/v1", "reply", &json!({})).is_none());
        assert!(validators.faults("envelope/v1", "no-such", &json!({})).is_none());
    }
}
