//! The commands, for people.

mod login;

use ctxhost_sdk::{
    prelude::*,
    protocol::codebase_index::{State, limits},
    serde_json,
};

use super::{CodebaseIndex, searching::Question, tools::sound};
use crate::shape::{
    answers, listing,
    standing::{Standing, word},
};

const SEARCH: &str = "search QUERY... [--repo NAME] [--lang ID] [--limit N]";

/// Runs a command.
pub(super) fn run(provider: &CodebaseIndex, cx: &Cx<'_>, request: &CommandRequest) -> Result<CommandReply> {
    let (args, as_json) = without_json(&request.args);
    let reply = match (request.name.as_str(), &args[..]) {
        ("login", []) => login::login(provider, cx, true),
        ("login", ["--no-browser"]) => login::login(provider, cx, false),
        ("login", _) => Ok(CommandReply::usage("login [--no-browser]")),
        ("logout", []) => login::logout(provider, cx),
        ("logout", _) => Ok(CommandReply::usage("logout")),
        ("sync", []) => sync(provider, cx, request),
        ("sync", _) => Ok(CommandReply::usage("sync")),
        ("search", args) => search(provider, cx, request, args),
        ("status", []) => status(provider, cx, request, false),
        ("status", ["--files"]) => status(provider, cx, request, true),
        ("status", _) => Ok(CommandReply::usage("status [--files]")),
        (name, _) => Err(Error::unknown("command", name)),
    }?;
    // The command line prints the document itself; another face may hand the flag on.
    Ok(match &reply.data {
        Some(data) if as_json => CommandReply { text: format!("{data}\n"), ..reply },
        _ => reply,
    })
}

fn without_json(args: &[String]) -> (Vec<&str>, bool) {
    let rest: Vec<&str> = args.iter().map(String::as_str).filter(|arg| *arg != "--json").collect();
    let as_json = rest.len() < args.len();
    (rest, as_json)
}

/// What a command says that finds no backend, or none that answers.
fn without(standing: &Standing) -> CommandReply {
    let reason = standing.reason.clone().unwrap_or_default();
    let document = json!({"state": word(standing.state), "reason": reason});
    CommandReply::said(exit::FINDINGS, format!("{}: {reason}", word(standing.state))).structured(document)
}

fn sync(provider: &CodebaseIndex, cx: &Cx<'_>, request: &CommandRequest) -> Result<CommandReply> {
    let workspace = provider.shared.workspaces.at(request.session.folder()?);
    let connection = match provider.shared.connections.now(&provider.shared.limits) {
        Ok(connection) => connection,
        Err(why) => return Ok(without(&Standing::without(State::Off, why.0))),
    };
    let number = provider.sync(&workspace, &connection)?;
    let Some(synced) = CodebaseIndex::wait(cx, &workspace, number, &|| true)? else {
        return Err(Error::failed("the sync ended unexpectedly"));
    };
    let outcome = &synced.outcome;
    if outcome.repos.is_empty() {
        let why = "there is no git repository here; run it in one, or in a folder that holds some";
        return Ok(CommandReply::said(exit::NOTHING, why).structured(json!({"repos": []})));
    }
    let mut lines: Vec<String> = outcome.repos.iter().map(listing::synced).collect();
    lines.extend(outcome.findings.iter().map(|finding| format!("note: {}", finding.message)));
    let repos = outcome.repos.iter().map(|repo| {
        let errors: Vec<String> = repo.failed.iter().map(ToString::to_string).chain(repo.error.as_ref().map(ToString::to_string)).collect();
        json!({
            "name": repo.name, "files": repo.files, "left_out": repo.left_out, "sent_files": repo.sent_files,
            "chunks": repo.chunks, "removed": repo.removed, "bytes_up": repo.bytes_up, "root_only": repo.root_only,
            "errors": errors,
        })
    });
    let document = json!({
        "state": word(synced.standing.state),
        "complete": outcome.is_complete(),
        "bytes_down": synced.bytes_down,
        "repos": repos.collect::<Vec<_>>(),
    });
    let code = if outcome.is_complete() { exit::OK } else { exit::FINDINGS };
    Ok(CommandReply::said(code, lines.join("\n")).structured(document))
}

fn search(
    provider: &CodebaseIndex,
    cx: &Cx<'_>,
    request: &CommandRequest,
    args: &[&str],
) -> Result<CommandReply> {
    let Some(question) = question(args) else { return Ok(CommandReply::usage(SEARCH)) };
    let question = match sound(question) {
        Ok(question) => question,
        Err(why) => return Ok(CommandReply::said(exit::USAGE, why)),
    };
    let workspace = provider.shared.workspaces.at(request.session.folder()?);
    let (standing, answer) = provider.sync_and_search(cx, &workspace, &question)?;
    let result = answers::result(&standing, &answer);
    let code = match (standing.answers(), answer.hits.is_empty()) {
        (false, _) => exit::FINDINGS,
        (true, true) => exit::NOTHING,
        (true, false) => exit::OK,
    };
    Ok(CommandReply::said(code, answers::text(&result, &answer)).structured(serde_json::to_value(&result)?))
}

fn question(args: &[&str]) -> Option<Question> {
    let (mut question, mut words) = (Question::default(), Vec::new());
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let (name, inline) = arg.split_once('=').map_or((*arg, None), |(name, value)| (name, Some(value)));
        let mut value = || inline.or_else(|| args.next().copied()).map(str::to_owned);
        match name {
            "--repo" => question.repo = Some(value()?),
            "--lang" => question.lang = Some(value()?),
            "--limit" => {
                let limit: u32 = value()?.parse().ok()?;
                question.limit = (1..=limits::RESULTS).contains(&limit).then_some(limit);
                question.limit?;
            }
            _ if arg.starts_with("--") => return None,
            _ => words.push(*arg),
        }
    }
    question.query = words.join(" ").trim().to_owned();
    (!question.query.is_empty()).then_some(question)
}

fn status(
    provider: &CodebaseIndex,
    cx: &Cx<'_>,
    request: &CommandRequest,
    with_files: bool,
) -> Result<CommandReply> {
    let status = provider.status_at(cx, request.session.folder()?, with_files)?;
    let answers = !matches!(status.state, State::Off | State::SignedOut | State::Offline);
    let code = if answers { exit::OK } else { exit::FINDINGS };
    Ok(CommandReply::said(code, listing::status(&status, request.now))
        .structured(serde_json::to_value(&status)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_its_words_and_options() {
        let read =
            question(&["where", "is", "--repo", "a/b", "renewal", "--limit=3", "--lang", "rust"]).unwrap();
        assert_eq!(read.query, "where is renewal");
        assert_eq!(
            (read.repo.as_deref(), read.lang.as_deref(), read.limit),
            (Some("a/b"), Some("rust"), Some(3))
        );
        for wrong in [
            &[][..],
            &["--repo", "a"],
            &["a", "--limit", "0"],
            &["a", "--limit", "x"],
            &["a", "--limit"],
            &["a", "--other"],
        ] {
            assert!(question(wrong).is_none(), "{wrong:?}");
        }
    }

    #[test]
    fn json_is_taken_out_wherever_it_stands() {
        let args = ["a".to_owned(), "--json".to_owned(), "b".to_owned()];
        assert_eq!(without_json(&args), (vec!["a", "b"], true));
        assert_eq!(without_json(&args[..1]), (vec!["a"], false));
    }
}
