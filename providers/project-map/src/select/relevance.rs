//! Whether a prompt is about the project.

use std::collections::HashSet;

use ctxhost_code::words;

use super::inventory::Inventory;

/// Words of questions about code and of wishes to change it, besides names that the project has.
const WORDS: &str = "where architecture architectural structure structured organized overview layout codebase repo \
repository project module package crate library component service directory directories folder file files class \
classes function functions method methods struct interface trait type types symbol endpoint route handler schema \
migration config configuration dependency dependencies import imports entrypoint implement implementation implements \
refactor refactoring rewrite rename move remove delete extract split merge port migrate upgrade add create introduce \
change modify edit update replace extend support fix bug bugs crash error failing fails regression feature test tests \
coverage lint design flow defined declared called caller callers usage used depends";

/// Words of a prompt that asks for a shell command and nothing else, in its first place.
const SHELL: &str = "ls cd pwd cat echo git cargo npm npx yarn pnpm make docker kubectl ps top df du kill which whoami \
env export ssh curl wget man";

/// A shell command that somebody types is short; a longer text with such a first word is a sentence.
const SHELL_WORDS: usize = 6;

/// Longer prompts are judged by their beginning.
const LONGEST: usize = 20_000;

/// Whether a prompt is about the project: by its words, or because it names a path or a definition that the project has.
/// Greetings, commands of the agent and plain shell commands are about nothing of it.
pub(crate) fn is_relevant(prompt: &str, knows: &dyn Fn(&str) -> bool) -> bool {
    let end = prompt.char_indices().nth(LONGEST).map_or(prompt.len(), |(at, _)| at);
    let prompt = prompt[..end].trim();
    if prompt.is_empty() || is_command(prompt) {
        return false;
    }
    if names(prompt).any(knows) {
        return true;
    }
    !is_shell(prompt) && has_word(prompt)
}

/// Whether the project has a path or a definition of this name.
pub(crate) fn knows(inventory: &Inventory, name: &str) -> bool {
    let path = name.trim_start_matches("./").trim_matches('/');
    let symbol = name.trim_end_matches("()").rsplit(['.', ':', '#']).next().unwrap_or(name);
    let whole = name.trim_end_matches("()").replace("::", ".").replace('#', ".");
    let is_path = |file: &str| {
        file == path
            || file.strip_suffix(path).is_some_and(|above| above.ends_with('/'))
            || path.strip_suffix(file).is_some_and(|above| above.ends_with('/'))
            || file.strip_prefix(path).is_some_and(|below| below.starts_with('/'))
    };
    let is_symbol =
        |known: &str| known == whole || known.rsplit('.').next().is_some_and(|last| last == symbol);
    !path.is_empty()
        && inventory.files.iter().any(|file| {
            is_path(&file.path)
                || symbol.len() > 2 && file.symbols.iter().any(|symbol| is_symbol(&symbol.name))
        })
}

/// `/compact`, `/model fast`, `!ls`: commands of the agent. `/src/main.rs is broken` is none.
fn is_command(prompt: &str) -> bool {
    let first = prompt.split_whitespace().next().unwrap_or_default();
    let name = first.strip_prefix('/').unwrap_or_default();
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || "-_:".contains(letter))
    };
    is_name(name) || prompt.starts_with('!') || first == "$"
}

fn is_shell(prompt: &str) -> bool {
    let mut all = prompt.split_whitespace();
    let first = all.next().unwrap_or_default();
    SHELL.split(' ').any(|known| known == first) && all.count() < SHELL_WORDS
}

fn has_word(prompt: &str) -> bool {
    let mut known = HashSet::new();
    words::split(WORDS, &mut |word| {
        known.insert(word.to_owned());
    });
    let mut found = false;
    words::split(prompt, &mut |word| found |= known.contains(word));
    found
}

/// What looks like a path or a name in code: it has an inner `/`, `.`, `_` or `::`, a capital behind a small letter, or
/// stands between backticks.
fn names(prompt: &str) -> impl Iterator<Item = &str> {
    let quoted = prompt.split('`').skip(1).step_by(2);
    let separates = |letter: char| letter.is_whitespace() || "`'\"()[]{}<>,;!?*|=".contains(letter);
    let plain = prompt.split(separates).map(|word| word.trim_matches(|c: char| ".:".contains(c)));
    quoted.chain(plain.filter(|word| is_name_like(word))).filter(|name| !name.trim().is_empty())
}

fn is_name_like(word: &str) -> bool {
    let humped = || {
        let mut small = false;
        word.chars().any(|letter| {
            let hump = small && letter.is_uppercase();
            small = letter.is_lowercase();
            hump
        })
    };
    word.contains(['/', '.', '_']) || word.contains("::") || humped()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::inventory::{FileFacts, Named};

    fn inventory() -> Inventory {
        let file = |path: &str, symbols: &[&str]| FileFacts {
            path: path.to_owned(),
            symbols: symbols
                .iter()
                .map(|name| Named { name: (*name).to_owned(), ..Named::default() })
                .collect(),
            ..FileFacts::default()
        };
        Inventory {
            files: vec![file("src/net/http.rs", &["Client.send", "open_port"]), file("README.md", &[])],
        }
    }

    #[test]
    fn prompts_about_the_project_are_relevant() {
        let inventory = inventory();
        for (prompt, expected) in [
            ("Where is the retry logic?", true),
            ("refactor this", true),
            ("Please implement paging", true),
            ("explain the architecture", true),
            ("what does open_port do", true),
            ("look at src/net", true),
            ("http.rs looks odd.", true),
            ("what about `Client`?", false),
            ("what about Client.send()?", true),
            ("/src/net/http.rs is odd", true),
            ("/home/me/project/src/net/http.rs is odd", true),
            ("and Client::send?", true),
            ("hello", false),
            ("Hi there, thanks a lot!", false),
            ("yes", false),
            ("go on", false),
            ("", false),
            ("/compact", false),
            ("/model add tests", false),
            ("!git add .", false),
            ("git status", false),
            ("git add README.md", true),
            ("git blame says that the module was moved last week by somebody", true),
            ("what is an e.g. in english", false),
            ("no_such_name here", false),
        ] {
            assert_eq!(is_relevant(prompt, &|name| knows(&inventory, name)), expected, "{prompt:?}");
        }
        assert!(!is_relevant(&"a ".repeat(1_000_000), &|_| false));
    }
}
