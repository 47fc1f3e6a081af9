//! What a shell command is known to write, delete or move.

/// Something that a command writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Write {
    /// A path, from a directory.
    At { base: String, path: String },
    /// Files that only the run shows.
    Somewhere,
}

/// Commands that write every file they name.
const ALL: [&str; 9] = ["rm", "rmdir", "unlink", "mv", "tee", "truncate", "touch", "shred", "patch"];
/// Commands that write the last file they name.
const LAST: [&str; 4] = ["cp", "install", "ln", "rsync"];
/// Git's that write what they name, or everything.
const GIT: [&str; 10] =
    ["mv", "rm", "checkout", "restore", "apply", "am", "clean", "reset", "stash", "switch"];
/// Words in front of a command that change nothing of what it writes.
const BEFORE: [&str; 9] = ["sudo", "env", "time", "nice", "nohup", "command", "exec", "builtin", "then"];

/// How deep a command in a command is looked into.
const DEEPEST: usize = 3;
/// Longer commands are looked at up to here.
const LONGEST: usize = 64 * 1024;

/// What a command writes, as far as its text says. `cwd` is where it runs.
pub(super) fn written(command: &str, cwd: &str) -> Vec<Write> {
    let mut found = Vec::new();
    let end = command.char_indices().map(|(at, _)| at).find(|at| *at >= LONGEST).unwrap_or(command.len());
    look(&command[..end], cwd.to_owned(), DEEPEST, &mut found);
    found
}

fn look(command: &str, mut base: String, depth: usize, found: &mut Vec<Write>) {
    for part in parts(&without_heredocs(command)) {
        let at = |path: &str| Write::At { base: base.clone(), path: path.to_owned() };
        found.extend(part.redirected.iter().filter_map(|path| place(path)).map(at));
        let words = without_prefix(&part.words);
        let Some((program, arguments)) = words.split_first() else { continue };
        let program = program.rsplit('/').next().unwrap_or(program);
        let through_xargs = program == "xargs";
        let named = |arguments: &[String]| -> Vec<Write> {
            arguments
                .iter()
                .filter(|word| !word.starts_with('-'))
                .filter_map(|word| place(word))
                .map(at)
                .collect()
        };
        match program {
            "cd" | "pushd" => {
                if let Some(path) = arguments.iter().find(|word| !word.starts_with('-')) {
                    base = if path.starts_with('/') { path.clone() } else { format!("{base}/{path}") };
                }
            }
            "bash" | "sh" | "zsh" | "dash" if depth > 0 => {
                let flag = |word: &String| word.starts_with('-') && word.ends_with('c');
                if let Some(text) = arguments.iter().position(flag).and_then(|at| arguments.get(at + 1)) {
                    look(text, base.clone(), depth - 1, found);
                }
            }
            "xargs" | "parallel" => {
                let inner = arguments.iter().position(|word| writes(word)).map(|at| &arguments[at..]);
                if through_xargs
                    && inner.is_some_and(|inner| in_place(inner) || ALL.contains(&inner[0].as_str()))
                {
                    found.push(Write::Somewhere);
                }
            }
            "find" => {
                let acts = arguments.iter().any(|word| word == "-delete")
                    || arguments.windows(2).any(|pair| {
                        matches!(pair[0].as_str(), "-exec" | "-execdir" | "-ok") && writes(&pair[1])
                    });
                let roots = arguments.iter().take_while(|word| !word.starts_with('-'));
                if acts {
                    let before = found.len();
                    found.extend(roots.filter_map(|word| place(word)).map(at));
                    if found.len() == before {
                        found.push(at("."));
                    }
                }
            }
            "dd" => found.extend(
                arguments.iter().filter_map(|word| word.strip_prefix("of=")).filter_map(place).map(at),
            ),
            "sed" | "perl" | "ruby" if in_place(words) => found.extend(named(arguments)),
            "git" => found.extend(git(arguments, &at)),
            _ if ALL.contains(&program) => found.extend(named(arguments)),
            _ if LAST.contains(&program) => found.extend(named(arguments).pop()),
            _ => {}
        }
    }
}

/// What git writes in the files of the project; where it names none, all of them.
fn git(arguments: &[String], at: &dyn Fn(&str) -> Write) -> Vec<Write> {
    let mut rest = arguments;
    // `git -C dir …`, `git -c key=value …`
    while let [flag, value, others @ ..] = rest {
        match flag.as_str() {
            "-C" | "-c" => rest = others,
            _ if flag.starts_with("--") => rest = &rest[1..],
            _ => break,
        }
        let _ = value;
    }
    let Some((name, arguments)) = rest.split_first() else { return Vec::new() };
    if !GIT.contains(&name.as_str()) {
        return Vec::new();
    }
    let has = |flag: &str| arguments.iter().any(|word| word == flag);
    let files = |from: usize| -> Vec<Write> {
        let words = arguments[from..].iter().filter(|word| !word.starts_with('-'));
        words.filter_map(|word| place(word)).map(at).collect()
    };
    let behind_dashes = arguments.iter().position(|word| word == "--");
    match name.as_str() {
        "mv" | "rm" if !has("--cached") => files(0),
        "restore" if !has("--staged") || has("--worktree") => files(0),
        "checkout" => behind_dashes.map(files).unwrap_or_default(),
        "reset" if has("--hard") => vec![Write::Somewhere],
        "clean" if !has("-n") && !has("--dry-run") => vec![Write::Somewhere],
        "apply" if !has("--check") && !has("--stat") => vec![Write::Somewhere],
        "am" => vec![Write::Somewhere],
        // Switching a branch and stashing put aside and bring back what git keeps.
        _ => Vec::new(),
    }
}

fn writes(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    ALL.contains(&name) || LAST.contains(&name) || ["sed", "perl", "ruby"].contains(&name)
}

/// Whether `sed`, `perl` or `ruby` writes the files that it reads.
fn in_place(words: &[String]) -> bool {
    words.iter().skip(1).any(|word| {
        word == "--in-place"
            || word.starts_with("--in-place=")
            || word.strip_prefix('-').is_some_and(|flags| {
                !flags.starts_with('-')
                    && flags.split(['.', '\'', '/']).next().is_some_and(|flags| flags.contains('i'))
            })
    })
}

/// The part of a word that names a place for sure: all of it, or the folder in front of a pattern. `None` for what only
/// the run shows, and for devices.
fn place(word: &str) -> Option<&str> {
    if word.starts_with("/dev/") || word.starts_with(['$', '~', '&']) || word.is_empty() {
        return None;
    }
    match word.find(['*', '?', '[', '{', '$', '`']) {
        None => Some(word),
        Some(at) => Some(word[..at].rfind('/').map_or(".", |slash| &word[..slash.max(1)])),
    }
}

fn without_prefix(words: &[String]) -> &[String] {
    let mut rest = words;
    while let [first, others @ ..] = rest {
        let assigns = first.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
        });
        let dashes = rest.len() < words.len() && first.starts_with('-');
        if !(assigns
            || dashes
            || BEFORE.contains(&first.as_str())
            || ["do", "else", "(", "{", "!"].contains(&first.as_str()))
        {
            break;
        }
        rest = others;
    }
    rest
}

/// Takes the bodies of here-documents away: they are data, whatever they look like.
fn without_heredocs(command: &str) -> String {
    let mut out = String::new();
    let mut ends: Vec<String> = Vec::new();
    for line in command.lines() {
        if let Some(end) = ends.first() {
            if line.trim_start_matches('\t') == end {
                ends.remove(0);
            }
            continue;
        }
        for (at, _) in line.match_indices("<<") {
            let rest = line[at + 2..].trim_start_matches('-').trim_start();
            let word = |c: char| c.is_alphanumeric() || c == '_';
            let name = rest.trim_start_matches(['\'', '"', '\\']);
            let name: String = name.chars().take_while(|letter| word(*letter)).collect();
            if !name.is_empty() && !line[..at].ends_with('<') {
                ends.push(name);
            }
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// One command between separators.
#[derive(Default)]
struct Part {
    words: Vec<String>,
    /// Where its output goes.
    redirected: Vec<String>,
}

/// Splits a text into commands and their words, with quotes taken away.
fn parts(text: &str) -> Vec<Part> {
    let mut reader = Reader { parts: vec![Part::default()], word: None, into: false };
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' => letters.by_ref().take_while(|c| *c != '\'').for_each(|c| reader.push(c)),
            '"' => {
                reader.word.get_or_insert_default();
                while let Some(inner) = letters.next().filter(|c| *c != '"') {
                    let inner = if inner == '\\' { letters.next().unwrap_or('\\') } else { inner };
                    reader.push(inner);
                }
            }
            '\\' => match letters.next() {
                Some('\n') | None => {}
                Some(escaped) => reader.push(escaped),
            },
            '#' if reader.word.is_none() => while letters.next_if(|c| *c != '\n').is_some() {},
            '>' => {
                // `2>` is no word, `2>&1` no file, and `>>` and `>|` are as `>`.
                if reader
                    .word
                    .as_ref()
                    .is_some_and(|word| word.chars().all(|c| c.is_ascii_digit() || c == '&'))
                {
                    reader.word = None;
                }
                reader.end_word();
                while letters.next_if(|c| matches!(c, '>' | '|')).is_some() {}
                if letters.next_if_eq(&'&').is_some() {
                    while letters.next_if(|c| c.is_ascii_digit() || *c == '-').is_some() {}
                } else {
                    reader.into = true;
                }
            }
            '<' => reader.end_word(),
            '&' if letters.peek() == Some(&'>') => reader.end_word(),
            ';' | '|' | '&' | '\n' | '(' | ')' => reader.end_part(),
            letter if letter.is_whitespace() => reader.end_word(),
            letter => reader.push(letter),
        }
    }
    reader.end_part();
    reader.parts
}

struct Reader {
    parts: Vec<Part>,
    word: Option<String>,
    /// Whether the next word is where output goes.
    into: bool,
}

impl Reader {
    fn push(&mut self, letter: char) {
        self.word.get_or_insert_default().push(letter);
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        if let Some(part) = self.parts.last_mut() {
            if std::mem::take(&mut self.into) { part.redirected.push(word) } else { part.words.push(word) }
        }
    }

    fn end_part(&mut self) {
        self.end_word();
        self.into = false;
        self.parts.push(Part::default());
    }
}
