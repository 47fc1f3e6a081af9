//! What a shell command is known to write, delete or move.

mod git;
mod options;
mod words;

use super::patch;

/// Something that a command writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Write {
    /// A path, from a directory; it is made where it is not there.
    At { base: String, path: String },
    /// A path, if it is there.
    There { base: String, path: String },
    /// A path whose owner or rights become others; what it says stays.
    Rights { base: String, path: String },
    /// Files below a directory that only the run shows.
    Below { base: String },
    /// A directory with all that is in it, which may be the project itself.
    Whole { base: String, path: String },
}

/// Commands that remove what they name.
const REMOVE: [&str; 4] = ["rm", "rmdir", "unlink", "shred"];
/// Commands that may take away the right to read what they name.
const RIGHTS: [&str; 5] = ["chmod", "chown", "chgrp", "setfacl", "chattr"];
/// Commands that write every file they name.
const ALL: [&str; 5] = ["mv", "tee", "sponge", "truncate", "touch"];
/// Commands that write the last file they name.
const LAST: [&str; 4] = ["cp", "install", "ln", "rsync"];
/// Commands that write the files they read if they are told so.
const IN_PLACE: [&str; 3] = ["sed", "perl", "ruby"];
/// Words in front of a command that change nothing of what it writes.
const BEFORE: [&str; 21] = [
    "sudo", "doas", "env", "time", "nice", "ionice", "nohup", "setsid", "stdbuf", "unbuffer", "busybox",
    "toybox", "command", "exec", "builtin", "then", "do", "else", "(", "{", "!",
];
/// Of these a word of their own follows: how long, or what is locked.
const BEFORE_WITH_WORD: [&str; 2] = ["timeout", "flock"];
/// Programs that run a text.
const SHELLS: [&str; 6] = ["bash", "sh", "zsh", "dash", "ksh", "ash"];
/// Programs that edit what they are given.
const EDITORS: [&str; 5] = ["ed", "ex", "vi", "vim", "nvim"];
/// Commands that pass on the names they read.
const PASS: [&str; 8] = ["grep", "egrep", "head", "tail", "sort", "uniq", "sed", "awk"];

/// How deep a command in a command is looked into.
const DEEPEST: usize = 3;
/// Longer commands are looked at up to here.
const LONGEST: usize = 64 * 1024;

/// Where a command runs.
struct Here<'a> {
    base: &'a str,
}

impl Here<'_> {
    fn at(&self, word: &str) -> Option<Write> {
        place(word).map(|path| Write::At { base: self.base.to_owned(), path: path.to_owned() })
    }

    fn there(&self, word: &str) -> Option<Write> {
        place(word).map(|path| Write::There { base: self.base.to_owned(), path: path.to_owned() })
    }

    /// A path, and with it whatever lies below.
    fn whole(&self, word: &str) -> Option<Write> {
        place(word).map(|path| Write::Whole { base: self.base.to_owned(), path: path.to_owned() })
    }

    fn rights(&self, word: &str) -> Option<Write> {
        place(word).map(|path| Write::Rights { base: self.base.to_owned(), path: path.to_owned() })
    }

    fn below(&self) -> Write {
        Write::Below { base: self.base.to_owned() }
    }
}

/// What a command writes, as far as its text says. `cwd` is where it runs.
pub(super) fn written(command: &str, cwd: &str) -> Vec<Write> {
    let mut found = Vec::new();
    let end = command.char_indices().map(|(at, _)| at).find(|at| *at >= LONGEST).unwrap_or(command.len());
    look(&command[..end], cwd, DEEPEST, &mut found);
    found
}

fn look(command: &str, base: &str, depth: usize, found: &mut Vec<Write>) {
    let mut base = base.to_owned();
    // What the command in front of a pipe names.
    let mut fed: Option<Vec<Write>> = None;
    for part in words::parts(command) {
        let here = Here { base: &base };
        found.extend(part.redirected.iter().filter_map(|path| here.at(path)));
        let mut deeper = |text: &str| {
            if depth > 0 {
                look(text, &base, depth - 1, found);
            }
        };
        part.inner.iter().for_each(|text| deeper(text));
        let words = without_prefix(&part.words);
        let Some((program, arguments)) = words.split_first() else { continue };
        let program = name(program);
        let before = fed.take();
        match program {
            program if SHELLS.contains(&program) => deeper(script(arguments).unwrap_or(&part.body)),
            "eval" => deeper(&arguments.join(" ")),
            "find" => {
                executed(arguments).filter_map(run_text).for_each(|text| deeper(text));
                found.extend(does(words, &part.body, &here));
            }
            "xargs" | "parallel" => found.extend(fed_to(arguments, before.clone(), &here)),
            _ => found.extend(does(words, &part.body, &here)),
        }
        if part.piped {
            fed = match program {
                "find" => Some(roots(arguments, &here)),
                // Without a name it names all that is here.
                "ls" if files(arguments, &[]).next().is_none() => here.there(".").map(|all| vec![all]),
                "echo" | "printf" | "ls" => {
                    let named = files(arguments, &[]);
                    Some(named.flat_map(|word| [here.at(word), here.whole(word)]).flatten().collect())
                }
                _ if PASS.contains(&program) => before,
                _ => None,
            };
        }
        if matches!(program, "cd" | "pushd")
            && let Some(path) = arguments.iter().find(|word| !word.starts_with('-'))
        {
            base = joined(&base, path);
        }
    }
}

fn joined(base: &str, path: &str) -> String {
    if path.starts_with('/') { path.to_owned() } else { format!("{base}/{path}") }
}

fn name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// What a command writes that is no shell's own.
fn does(words: &[String], body: &str, here: &Here<'_>) -> Vec<Write> {
    let Some((program, arguments)) = words.split_first() else { return Vec::new() };
    match name(program) {
        "git" => git::written(arguments, here),
        "find" => {
            let acts = arguments.iter().any(|word| word == "-delete") || executed(arguments).any(writes);
            if acts { roots(arguments, here) } else { Vec::new() }
        }
        "dd" => arguments.iter().filter_map(|word| here.at(word.strip_prefix("of=")?)).collect(),
        "apply_patch" | "applypatch" => {
            let texts = arguments.iter().map(String::as_str).chain([body]);
            texts.flat_map(patch::paths).filter_map(|path| here.at(&path)).collect()
        }
        "patch" if !arguments.iter().any(|word| word == "--dry-run") => {
            let named =
                files(arguments, &["-i", "-d", "-p", "-o", "-r", "-B", "-D", "-F", "-z", "-V"]).next();
            named.map_or_else(|| vec![here.below()], |word| here.at(word).into_iter().collect())
        }
        program if IN_PLACE.contains(&program) => {
            in_place(program, arguments).into_iter().filter_map(|word| here.there(word)).collect()
        }
        program if REMOVE.contains(&program) => {
            let named = || files(arguments, &["-n", "-s"]);
            let whole = named().filter(|_| is_recursive(arguments)).filter_map(|word| here.whole(word));
            named().filter_map(|word| here.there(word)).chain(whole).collect()
        }
        "mv" => {
            let named: Vec<&String> = files(arguments, &[]).collect();
            // What is moved goes as a whole; where it goes to stays.
            let moved = named.len().saturating_sub(usize::from(target(arguments).is_none()));
            let whole = named[..moved].iter().filter_map(|word| here.whole(word));
            named.iter().filter_map(|word| here.at(word)).chain(whole).collect()
        }
        "awk" | "gawk" => {
            options::awk_in_place(arguments).into_iter().filter_map(|word| here.there(word)).collect()
        }
        program if EDITORS.contains(&program) => {
            options::edited(arguments).into_iter().filter_map(|word| here.at(word)).collect()
        }
        program if options::names_output(program) => {
            options::outputs(program, arguments).into_iter().filter_map(|word| here.at(word)).collect()
        }
        // The rights themselves are among the words, and are no path that is guarded.
        program if RIGHTS.contains(&program) => {
            files(arguments, &[]).filter_map(|word| here.rights(word)).collect()
        }
        program if ALL.contains(&program) => {
            let values: &[&str] = match program {
                "truncate" => &["-s", "-r"],
                "touch" => &["-d", "-r", "-t"],
                _ => &[],
            };
            files(arguments, values).filter_map(|word| here.at(word)).collect()
        }
        program if LAST.contains(&program) => {
            let named = target(arguments).filter(|_| program != "rsync");
            let last = named.or_else(|| files(arguments, &[]).last().map(String::as_str));
            last.and_then(|word| here.at(word)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

fn is_recursive(arguments: &[String]) -> bool {
    arguments.iter().any(|word| {
        word == "--recursive" || !word.starts_with("--") && word.starts_with('-') && word.contains(['r', 'R'])
    })
}

/// The commands that `find` runs, each with what follows it.
fn executed(arguments: &[String]) -> impl Iterator<Item = &[String]> {
    let is = |word: &String| ["-exec", "-execdir", "-ok", "-okdir"].contains(&word.as_str());
    let at = arguments.iter().enumerate().filter(move |(_, word)| is(word));
    at.map(|(at, _)| without_prefix(&arguments[at + 1..]))
}

/// The text that a shell is given to run.
fn script(arguments: &[String]) -> Option<&String> {
    let flag = |word: &String| word.starts_with('-') && word.ends_with('c');
    arguments.iter().position(flag).and_then(|at| arguments.get(at + 1))
}

fn run_text(words: &[String]) -> Option<&String> {
    let (program, arguments) = words.split_first()?;
    SHELLS.contains(&name(program)).then(|| script(arguments))?
}

/// The words that are no options, nor the values of these.
fn files<'a>(arguments: &'a [String], values: &'a [&str]) -> impl Iterator<Item = &'a String> {
    let is_value = |at: usize| at > 0 && values.contains(&arguments[at - 1].as_str());
    let words = arguments.iter().enumerate();
    words.filter(move |(at, word)| !word.starts_with('-') && !is_value(*at)).map(|(_, word)| word)
}

/// The folder in `cp -t folder …`.
fn target(arguments: &[String]) -> Option<&str> {
    arguments.iter().enumerate().find_map(|(at, word)| {
        let short = word.starts_with('-') && !word.starts_with("--") && word.ends_with('t');
        if short || word == "--target-directory" {
            return arguments.get(at + 1).map(String::as_str);
        }
        word.strip_prefix("--target-directory=")
    })
}

/// Where `find` begins.
fn roots(arguments: &[String], here: &Here<'_>) -> Vec<Write> {
    let options = arguments.iter().take_while(|word| matches!(word.as_str(), "-L" | "-H" | "-P")).count();
    let named = arguments[options..].iter().take_while(|word| !word.starts_with(['-', '(', '!']));
    let of = |word: &str| [here.there(word), here.whole(word)].into_iter().flatten();
    let found: Vec<Write> = named.flat_map(|word| of(word)).collect();
    if found.is_empty() { of(".").collect() } else { found }
}

/// What a command writes that gets its files from another.
fn fed_to(arguments: &[String], fed: Option<Vec<Write>>, here: &Here<'_>) -> Vec<Write> {
    const VALUES: [&str; 8] = ["-I", "-n", "-P", "-L", "-d", "-s", "-E", "-a"];
    let mut rest = arguments;
    while let [flag, others @ ..] = rest
        && flag.starts_with('-')
    {
        rest = others.get(usize::from(VALUES.contains(&flag.as_str()))..).unwrap_or_default();
    }
    if writes(without_prefix(rest)) { fed.unwrap_or_else(|| vec![here.below()]) } else { Vec::new() }
}

/// Whether a command writes the files that it is given.
fn writes(words: &[String]) -> bool {
    let Some((program, arguments)) = words.split_first() else { return false };
    let program = name(program);
    if let Some(text) = run_text(words) {
        // What it is given it calls by a number or by the word that stands for it.
        let is_given = |word: &String| word.starts_with('$') || word.contains("{}");
        let acts =
            |part: words::Part| part.redirected.iter().any(is_given) || writes(without_prefix(&part.words));
        return words::parts(text).into_iter().any(acts);
    }
    let end = arguments.iter().position(|word| [";", "+"].contains(&word.as_str()));
    let last = arguments[..end.unwrap_or(arguments.len())].last();
    // Only the options are looked at: the files are given by another.
    let has_files = |given: &str| !in_place(given, &[arguments, &["f".to_owned()][..]].concat()).is_empty();
    REMOVE.contains(&program)
        || ALL.contains(&program)
        || EDITORS.contains(&program)
        || LAST.contains(&program) && last.is_some_and(|word| word == "{}")
        || ["awk", "gawk"].contains(&program) && options::is_awk_in_place(arguments)
        || program == "patch"
        || IN_PLACE.contains(&program) && has_files(program)
}

/// The files that `sed`, `perl` or `ruby` writes again; none without `-i`.
fn in_place<'a>(program: &str, arguments: &'a [String]) -> Vec<&'a str> {
    // The letters behind which the rest of the word, or the next one, is a value; and those of them that give the program.
    let (values, gives) = if program == "sed" { ("efl", "ef") } else { ("eEFImMCdDxrKTW", "eE") };
    let (mut writes, mut given, mut files) = (false, false, Vec::new());
    let mut words = arguments.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let Some(flags) = word.strip_prefix('-').filter(|_| program == "sed" || files.is_empty()) else {
            files.extend((!word.is_empty()).then_some(word));
            continue;
        };
        if let Some(long) = flags.strip_prefix('-') {
            writes |= long == "in-place" || long.starts_with("in-place=");
            given |= long.starts_with("expression") || long.starts_with("file");
            continue;
        }
        for (at, flag) in flags.char_indices() {
            if flag == 'i' {
                // What follows is the ending of a copy.
                writes = true;
                break;
            }
            if values.contains(flag) {
                given |= gives.contains(flag);
                if at + 1 == flags.len() && !(program != "sed" && "dTWx".contains(flag)) {
                    words.next();
                }
                break;
            }
        }
    }
    // Without a program among the options the first word is it.
    files.drain(..usize::from(!given).min(files.len()));
    if writes { files } else { Vec::new() }
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
    // To some of these commands `-n`, `-s` and `-k` are options by themselves.
    let valued = |flag: &str, next: Option<&String>| {
        let number =
            next.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit() || c.is_uppercase()));
        ["-u", "-g", "-C"].contains(&flag)
            || number && ["-n", "-s", "-k", "-c", "-o", "-e", "-i", "-w"].contains(&flag)
    };
    let mut rest = words;
    let mut timed = false;
    while let [first, others @ ..] = rest {
        let assigns = first.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
        });
        let option = rest.len() < words.len() && first.starts_with('-');
        if option {
            rest = others.get(usize::from(valued(first, others.first()))..).unwrap_or_default();
        } else if timed {
            (timed, rest) = (false, others);
        } else if BEFORE_WITH_WORD.contains(&first.as_str()) {
            (timed, rest) = (true, others);
        } else if assigns || BEFORE.contains(&first.as_str()) {
            rest = others;
        } else {
            break;
        }
    }
    rest
}
