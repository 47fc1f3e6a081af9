//! The tools, for the model.

use ctxhost_sdk::{
    prelude::*,
    protocol::codebase_index::{State, StatusResult, limits},
    serde_json::{self, Value},
};

use super::{CodebaseIndex, searching::Question};
use crate::shape::{answers, listing, standing::Standing};

/// Runs a tool.
pub(super) fn run(provider: &CodebaseIndex, cx: &Cx<'_>, request: &ToolRequest) -> Result<ToolReply> {
    match request.name.as_str() {
        "codebase_search" => search(provider, cx, request),
        "codebase_status" => status(provider, cx, request),
        name => Err(Error::unknown("tool", name)),
    }
}

fn search(provider: &CodebaseIndex, cx: &Cx<'_>, request: &ToolRequest) -> Result<ToolReply> {
    let question = match question(&request.args) {
        Ok(question) => question,
        Err(why) => return Ok(ToolReply::error(why)),
    };
    let workspace = provider.shared.workspaces.at(request.session.folder()?);
    let (standing, answer) = provider.sync_and_search(cx, &workspace, &question)?;
    let result = answers::result(&standing, &answer);
    let text = answers::text(&result, &answer);
    let reply = if standing.answers() { ToolReply::text(text) } else { ToolReply::error(text) };
    Ok(reply.structured(serde_json::to_value(&result)?))
}

fn status(provider: &CodebaseIndex, cx: &Cx<'_>, request: &ToolRequest) -> Result<ToolReply> {
    let status = provider.status_at(cx, request.session.folder()?, false)?;
    Ok(ToolReply::text(listing::status(&status, request.now)).structured(serde_json::to_value(&status)?))
}

impl CodebaseIndex {
    /// The status of a folder, with or without a backend.
    pub(super) fn status_at(
        &self,
        cx: &Cx<'_>,
        folder: &std::path::Path,
        with_files: bool,
    ) -> Result<StatusResult> {
        let workspace = self.shared.workspaces.at(folder);
        match self.shared.connections.now(&self.shared.limits) {
            Ok(connection) => self.status(cx, &workspace, &connection, with_files),
            Err(why) => {
                let off = Standing::without(State::Off, why.0);
                let status = StatusResult { state: off.state, reason: off.reason, ..StatusResult::default() };
                // What would be sent is shown before there is anybody to send it to.
                if with_files { self.with_files(cx, &workspace, status) } else { Ok(status) }
            }
        }
    }
}

/// Reads the arguments of a search.
fn question(args: &Value) -> Result<Question, String> {
    let text = |key: &str| -> Result<Option<String>, String> {
        match args.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
            Some(_) => Err(format!("the argument `{key}` must be a text")),
        }
    };
    let query = text("query")?.ok_or("the argument `query` must be a text that is not empty")?;
    let limit = match args.get("limit") {
        None | Some(Value::Null) => None,
        Some(limit) => Some(limit.as_f64().ok_or("the argument `limit` must be a number")?),
    };
    let limit = limit.map(|limit| limit.clamp(1.0, f64::from(limits::RESULTS)) as u32);
    sound(Question { query, repo: text("repo")?, lang: text("lang")?, limit })
}

/// Holds a question to what a backend takes.
pub(super) fn sound(question: Question) -> Result<Question, String> {
    if question.query.len() > limits::QUERY_BYTES {
        return Err(format!("the question has more than {} bytes; ask a shorter one", limits::QUERY_BYTES));
    }
    for (name, value) in [("repo", &question.repo), ("lang", &question.lang)] {
        let is_wrong =
            |value: &String| value.chars().count() > limits::NAME || value.contains(char::is_control);
        if value.as_ref().is_some_and(is_wrong) {
            return Err(format!("`{name}` is no name"));
        }
    }
    Ok(question)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_or_refused_with_their_name() {
        let read =
            question(&json!({"query": " renewal ", "repo": "a/b", "lang": "", "limit": 500.0})).unwrap();
        assert_eq!(
            (read.query.as_str(), read.repo.as_deref(), read.lang, read.limit),
            ("renewal", Some("a/b"), None, Some(100))
        );
        for (args, part) in [
            (json!({}), "`query`"),
            (json!({"query": ""}), "`query`"),
            (json!({"query": 5}), "`query`"),
            (json!({"query": "a", "repo": []}), "`repo`"),
            (json!({"query": "a", "limit": "x"}), "`limit`"),
            (json!({"query": "a".repeat(9_000)}), "bytes"),
            (json!({"query": "a", "lang": "a\nb"}), "`lang`"),
        ] {
            let why = question(&args).map(|_| ()).unwrap_err();
            assert!(why.contains(part), "{why}");
        }
    }
}
