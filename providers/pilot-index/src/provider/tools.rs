//! The tools, for the model.

mod definition;

use ctxhost_code::{language::Language, project::View, symbols::Kind};
use ctxhost_sdk::{
    Clock,
    prelude::*,
    protocol::pilot_index::{Match, QueryResult},
    serde_json::{self, Value},
};

use super::{
    PilotIndex, fresh,
    pick::{self, Ask, Fit},
};
use crate::{
    select::{filter::Filter, picked::PickedFile, prompt::Prompt},
    shape::{answers, snippet},
    source::code::Code,
};

/// How many matches are given when nobody says: the document's figure.
const LIMIT: u64 = 10;
const MOST: u64 = 100;

/// A preview's lines: the document's figure.
const PREVIEW: usize = 15;

/// Runs a tool.
pub(super) fn run(provider: &PilotIndex, cx: &Cx<'_>, request: &ToolRequest) -> Result<ToolReply> {
    match request.name.as_str() {
        "pilot_query" => query(provider, cx, request),
        "pilot_symbol" => definition::run(provider, cx, request),
        name => Err(Error::unknown("tool", name)),
    }
}

/// The arguments of `pilot_query`.
#[derive(Deserialize)]
struct Query {
    query: String,
    #[serde(default)]
    limit: Option<f64>,
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    language: Option<String>,
    #[serde(default)]
    path: Option<String>,
}

fn query(provider: &PilotIndex, cx: &Cx<'_>, request: &ToolRequest) -> Result<ToolReply> {
    if let Err(why) = text_of(&request.args, "query") {
        return Ok(ToolReply::error(why));
    }
    let query: Query = match serde_json::from_value(request.args.clone()) {
        Ok(query) => query,
        Err(error) => return Ok(ToolReply::error(format!("the arguments cannot be read: {error}"))),
    };
    let filter = match filter(&query) {
        Ok(filter) => filter,
        Err(why) => return Ok(ToolReply::error(why)),
    };
    let workspace = provider.workspaces.of(&request.session, request.now);
    let code = match &workspace.code {
        Ok(code) => code,
        Err(refused) => return Ok(ToolReply::error(refused.clone())),
    };
    let limit =
        query.limit.filter(|limit| limit.is_finite()).map_or(LIMIT, |limit| limit.max(1.0) as u64).min(MOST);
    let prompt = Prompt::query(&query.query);
    let clock = Clock::new(cx);
    let view = fresh::look(code, &workspace, &request.session, cx.host(), &clock);
    let recent = provider.sessions.with(&request.session, |known| known.recent.clone());
    let ask = Ask {
        prompt: &prompt,
        recent: &recent,
        filter: &filter,
        depth: provider.limits.reference_depth,
        limit: limit as usize,
    };
    let stop = || cx.check().is_err();
    // Some time is left for putting the answer together.
    let late = || clock.used(0.8);
    let fits = pick::fits(code, &view, &ask, &late, &stop)?;
    let found: Vec<Match> = fits.symbols.iter().map(|fit| matched(code, &view, &prompt, fit)).collect();
    let fences: Vec<String> = fits.symbols.iter().map(|fit| fence_of(fit.language)).collect();
    let result = QueryResult {
        result_id: answers::result_id(&query.query, &found),
        query: query.query,
        count: found.len() as u64,
        complete: view.is_complete(),
        symbols: found,
    };
    let structured = serde_json::to_value(&result)?;
    Ok(ToolReply::text(answers::matches(&result, &fences)).structured(structured))
}

fn filter(query: &Query) -> Result<Filter, String> {
    let given = |text: &Option<String>| {
        text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let language = match given(&query.language) {
        None => None,
        Some(name) => {
            Some(Language::of_id(&name.to_lowercase()).or_else(|| Language::named(&name)).ok_or_else(
                || format!("no language is called `{name}`; ids are such as `rust`, `typescript`, `csharp`"),
            )?)
        }
    };
    let kinds = given(&query.kind).map_or(Ok(Vec::new()), |kind| kinds(&kind))?;
    Ok(Filter { kinds, language, path: given(&query.path) })
}

/// The kinds that a word stands for.
fn kinds(word: &str) -> Result<Vec<Kind>, String> {
    let plain = |word: &str| word.to_lowercase().replace(['_', '-', ' '], "");
    let wanted = plain(word);
    if wanted == "type" {
        let types = [
            Kind::Class,
            Kind::Struct,
            Kind::Union,
            Kind::Enum,
            Kind::Interface,
            Kind::Trait,
            Kind::TypeAlias,
        ];
        return Ok(types.to_vec());
    }
    let of_name: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| plain(kind.word()) == wanted).collect();
    if of_name.is_empty() {
        let names: Vec<&str> = Kind::ALL.into_iter().map(Kind::word).collect();
        return Err(format!("no kind is called `{word}`; kinds are type, {}", names.join(", ")));
    }
    Ok(of_name)
}

pub(super) fn fence_of(language: Option<Language>) -> String {
    language.map_or("", |language| language.fence()).to_owned()
}

fn matched(code: &Code, view: &View, prompt: &Prompt, fit: &Fit) -> Match {
    let symbol = &fit.symbol;
    Match {
        name: symbol.name.clone(),
        kind: symbol.kind.word().to_owned(),
        file: fit.path.clone(),
        line: u64::from(symbol.lines.0.max(1)),
        end_line: u64::from(symbol.lines.1.max(1)),
        language: fit.language.map(|language| language.id().to_owned()),
        score: symbol.score,
        signals: symbol.signals,
        lexical: symbol.lexical,
        reason: symbol.reason.clone(),
        preview: preview(code, view, prompt, fit).unwrap_or_default(),
    }
}

/// The first lines of what a section would show; nothing when the file has changed since it was looked at.
pub(super) fn preview(code: &Code, view: &View, prompt: &Prompt, fit: &Fit) -> Option<String> {
    let file =
        PickedFile { path: fit.path.clone(), symbols: vec![fit.symbol.clone()], ..PickedFile::default() };
    let text = code.text_as_known(view, &fit.path)?;
    let full = snippet::snippet(&file, &text, &pick::line_matcher(prompt)).full;
    // Without the heading and the fence around it.
    let lines: Vec<&str> = full.lines().collect();
    let inner = lines.get(2..lines.len().saturating_sub(1))?;
    let mut preview = inner.iter().take(PREVIEW).fold(String::new(), |text, line| text + line + "\n");
    if inner.len() > PREVIEW {
        preview += "…\n";
    }
    Some(preview)
}

/// An argument that must be there and be a text.
pub(super) fn text_of(args: &Value, key: &str) -> Result<String, String> {
    let text = args.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    text.map(str::to_owned).ok_or_else(|| format!("the argument `{key}` must be a text that is not empty"))
}
