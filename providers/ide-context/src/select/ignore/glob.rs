//! A glob of gitignore syntax, decided as git's own matcher decides it.
//!
//! Two crates were tried against `git check-ignore` first, and both differ from it in places (`host/decisions/ignore-rules.md`).
//! A glob is compiled to a row of tokens, and a path moves through all that it could match at once, so that no rule
//! can make the matcher try exponentially many ways.

/// A compiled glob.
#[derive(Debug)]
pub(crate) struct Glob {
    tokens: Vec<Token>,
}

#[derive(Debug)]
enum Token {
    /// This byte.
    Byte(u8),
    /// One of these bytes.
    OneOf(Box<Set>),
    /// `*`: any number of bytes of one name.
    Name,
    /// `**` that stands for itself between slashes: any number of bytes, slashes too.
    Anything,
    /// The way into `**/`: whole folders follow, or none.
    FoldersOrNone,
    /// Inside `**/`: goes on until a slash.
    Folders,
    /// What nothing matches: a class that never ends, or a lone `\` at the end.
    Nothing,
}

/// A set of bytes.
type Set = [bool; 256];

impl Glob {
    /// Compiles a glob; one that nothing can match is a glob all the same, as it is for git.
    pub(crate) fn new(pattern: &[u8]) -> Self {
        let mut tokens = Vec::new();
        let mut at = 0;
        while let Some(&byte) = pattern.get(at) {
            let (token, length) = match byte {
                b'*' => {
                    at += stars(pattern, at, &mut tokens);
                    continue;
                }
                b'?' => (Token::OneOf(Box::new(without_slash([true; 256]))), 1),
                b'[' => match class(&pattern[at + 1..]) {
                    Some((set, length)) => (Token::OneOf(Box::new(set)), length + 1),
                    None => return Self { tokens: vec![Token::Nothing] },
                },
                b'\\' => match pattern.get(at + 1) {
                    Some(&literal) => (Token::Byte(literal), 2),
                    None => return Self { tokens: vec![Token::Nothing] },
                },
                literal => (Token::Byte(literal), 1),
            };
            tokens.push(token);
            at += length;
        }
        Self { tokens }
    }

    /// Whether nothing can match, because the pattern is not well-formed.
    pub(crate) fn is_broken(&self) -> bool {
        matches!(self.tokens[..], [Token::Nothing])
    }

    /// Whether the whole text matches.
    pub(crate) fn matches(&self, text: &[u8]) -> bool {
        // `here[i]` says that the tokens before `i` can match what was read so far.
        let mut here = vec![false; self.tokens.len() + 1];
        let mut next = here.clone();
        self.reach(&mut here, 0);
        for &byte in text {
            next.fill(false);
            for at in (0..self.tokens.len()).filter(|&at| here[at]) {
                match &self.tokens[at] {
                    Token::Byte(literal) if *literal == byte => self.reach(&mut next, at + 1),
                    Token::OneOf(set) if set[usize::from(byte)] => self.reach(&mut next, at + 1),
                    Token::Name if byte != b'/' => self.reach(&mut next, at),
                    Token::Anything => self.reach(&mut next, at),
                    Token::Folders => {
                        next[at] = true;
                        if byte == b'/' {
                            self.reach(&mut next, at + 1);
                        }
                    }
                    _ => {}
                }
            }
            std::mem::swap(&mut here, &mut next);
        }
        here[self.tokens.len()]
    }

    /// Marks a place, and those that can be reached from it without reading anything.
    fn reach(&self, places: &mut [bool], at: usize) {
        places[at] = true;
        match self.tokens.get(at) {
            Some(Token::Name | Token::Anything) => self.reach(places, at + 1),
            Some(Token::FoldersOrNone) => {
                places[at + 1] = true;
                self.reach(places, at + 2);
            }
            _ => {}
        }
    }
}

/// Reads a run of stars at `at`; gives how many bytes were read.
fn stars(pattern: &[u8], at: usize, tokens: &mut Vec<Token>) -> usize {
    let run = pattern[at..].iter().take_while(|&&byte| byte == b'*').count();
    let rest = &pattern[at + run..];
    let opens = at == 0 || pattern[at - 1] == b'/';
    // An escaped slash closes a `**` as well, but only a plain one can be left out together with it.
    if run == 1 || !opens || !matches!(rest, [] | [b'/', ..] | [b'\\', b'/', ..]) {
        tokens.push(Token::Name);
        run
    } else if rest.first() == Some(&b'/') {
        tokens.extend([Token::FoldersOrNone, Token::Folders]);
        run + 1
    } else {
        tokens.push(Token::Anything);
        run
    }
}

/// Reads a class after its `[`; gives the set and how many bytes were read, `]` included.
fn class(body: &[u8]) -> Option<(Set, usize)> {
    let negated = matches!(body.first(), Some(b'!' | b'^'));
    let first = usize::from(negated);
    let mut set = [false; 256];
    // Where a range could begin.
    let mut before = None;
    let mut at = first;
    loop {
        let byte = *body.get(at)?;
        match byte {
            b']' if at > first => break,
            b'\\' => {
                let literal = *body.get(at + 1)?;
                set[usize::from(literal)] = true;
                before = Some(literal);
                at += 2;
            }
            b'-' if before.is_some() && body.get(at + 1).is_some_and(|&next| next != b']') => {
                let escaped = usize::from(body[at + 1] == b'\\');
                let high = *body.get(at + 1 + escaped)?;
                let low = before.take().unwrap_or(high);
                (low..=high).for_each(|byte| set[usize::from(byte)] = true);
                at += 2 + escaped;
            }
            b'[' if body.get(at + 1) == Some(&b':') => {
                let length = body[at + 2..].iter().position(|&byte| byte == b']')?;
                match body[at + 2..at + 2 + length].strip_suffix(b":") {
                    Some(name) => {
                        add_named(&mut set, name)?;
                        before = None;
                        at += length + 3;
                    }
                    // No `:]`, so the bracket stands for itself.
                    None => {
                        set[usize::from(b'[')] = true;
                        before = Some(b'[');
                        at += 1;
                    }
                }
            }
            literal => {
                set[usize::from(literal)] = true;
                before = Some(literal);
                at += 1;
            }
        }
    }
    if negated {
        set.iter_mut().for_each(|member| *member = !*member);
    }
    Some((without_slash(set), at + 1))
}

/// No class and no `?` matches a slash, whatever it says.
fn without_slash(mut set: Set) -> Set {
    set[usize::from(b'/')] = false;
    set
}

/// Adds a named class; `None` for a name that git does not know.
fn add_named(set: &mut Set, name: &[u8]) -> Option<()> {
    let holds: fn(&u8) -> bool = match name {
        b"alnum" => u8::is_ascii_alphanumeric,
        b"alpha" => u8::is_ascii_alphabetic,
        b"blank" => |byte| matches!(byte, b' ' | b'\t'),
        b"cntrl" => u8::is_ascii_control,
        b"digit" => u8::is_ascii_digit,
        b"graph" => u8::is_ascii_graphic,
        b"lower" => u8::is_ascii_lowercase,
        b"print" => |byte| matches!(byte, b' '..=b'~'),
        b"punct" => u8::is_ascii_punctuation,
        // Git's own notion of a space has no vertical tab and no form feed.
        b"space" => |byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'),
        b"upper" => u8::is_ascii_uppercase,
        b"xdigit" => u8::is_ascii_hexdigit,
        _ => return None,
    };
    (0..=u8::MAX).filter(holds).for_each(|byte| set[usize::from(byte)] = true);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::Glob;

    #[track_caller]
    fn check(pattern: &str, matching: &[&str], others: &[&str]) {
        let glob = Glob::new(pattern.as_bytes());
        for text in matching {
            assert!(glob.matches(text.as_bytes()), "`{pattern}` should match `{text}`");
        }
        for text in others {
            assert!(!glob.matches(text.as_bytes()), "`{pattern}` should not match `{text}`");
        }
    }

    #[test]
    fn stars_stay_within_a_name_and_double_stars_do_not() {
        check("*", &["a", ""], &["a/b"]);
        check("a*c", &["ac", "abc"], &["a/c", "ab"]);
        check("**/b", &["b", "a/b", "a/c/b"], &["ab", "a/cb"]);
        check("a/**/b", &["a/b", "a/c/b"], &["ab", "a/cb"]);
        check("a/**", &["a/b", "a/b/c"], &["a", "ab"]);
        check("a**b", &["ab", "axb"], &["a/b"]);
        check("***/b", &["b", "a/b"], &["ab"]);
    }

    #[test]
    fn classes_and_escapes() {
        check("[ab]", &["a", "b"], &["c", "", "/"]);
        check("[!a]", &["b", "["], &["a", "/"]);
        check("[]a]", &["]", "a"], &["[", "]a]"]);
        check("[a-c]", &["b"], &["-", "d"]);
        check("[c-a]", &["c"], &["b", "d"]);
        check("[a-]", &["a", "-"], &["b"]);
        check("[a\\-c]", &["a", "-", "c"], &["b"]);
        check("[[:digit:]_]", &["7", "_"], &["a", ":"]);
        check("[[:]x", &["[x", ":x"], &["]x"]);
        check("\\*", &["*"], &["a"]);
        check("a?", &["ab"], &["a", "a/"]);
    }

    #[test]
    fn broken_patterns_match_nothing() {
        for pattern in ["a[", "[[:bogus:]]", "a\\", "[a-\\", "[!"] {
            check(pattern, &[], &["a", "", "a[", "a\\"]);
            assert!(Glob::new(pattern.as_bytes()).is_broken(), "{pattern}");
        }
    }

    #[test]
    fn many_stars_cost_no_more_than_their_number() {
        let glob = Glob::new("*a".repeat(200).as_bytes());
        assert!(!glob.matches("a".repeat(199).as_bytes()));
        assert!(!glob.matches(format!("{}b", "a".repeat(4000)).as_bytes()));
    }
}
