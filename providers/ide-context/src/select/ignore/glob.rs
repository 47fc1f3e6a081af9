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
    OneOf(Set),
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

/// A set of bytes, one bit for each: a list may have a class in every other place.
#[derive(Clone, Copy, Debug, Default)]
struct Set([u64; 4]);

impl Set {
    fn holds(self, byte: u8) -> bool {
        self.0[usize::from(byte / 64)] >> (byte % 64) & 1 == 1
    }

    fn add(&mut self, byte: u8) {
        self.0[usize::from(byte / 64)] |= 1 << (byte % 64);
    }

    fn others(self) -> Self {
        Self(self.0.map(|bits| !bits))
    }

    /// No class and no `?` matches a slash, whatever it says.
    fn without_slash(self) -> Self {
        let mut slash = Self::default();
        slash.add(b'/');
        let Self([a, b, c, d]) = self;
        let Self([e, f, g, h]) = slash.others();
        Self([a & e, b & f, c & g, d & h])
    }
}

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
                b'?' => (Token::OneOf(Set::default().others().without_slash()), 1),
                b'[' => match class(&pattern[at + 1..]) {
                    Some((set, length)) => (Token::OneOf(set), length + 1),
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
        // Of a long list nearly every rule ends here.
        if let Some(Token::Byte(literal)) = self.tokens.first()
            && text.first() != Some(literal)
        {
            return false;
        }
        // A place `i` says that the tokens before `i` can match what was read so far.
        let mut here = Places::none(self.tokens.len());
        let mut next = Places::none(self.tokens.len());
        self.reach(&mut here, 0);
        for &byte in text {
            if here.all.is_empty() {
                return false;
            }
            for &at in &here.all {
                match self.tokens.get(at) {
                    Some(Token::Byte(literal)) if *literal == byte => self.reach(&mut next, at + 1),
                    Some(Token::OneOf(set)) if set.holds(byte) => self.reach(&mut next, at + 1),
                    Some(Token::Name) if byte != b'/' => self.reach(&mut next, at),
                    Some(Token::Anything) => self.reach(&mut next, at),
                    Some(Token::Folders) => {
                        next.mark(at);
                        if byte == b'/' {
                            self.reach(&mut next, at + 1);
                        }
                    }
                    _ => {}
                }
            }
            std::mem::swap(&mut here, &mut next);
            next.clear();
        }
        here.marked[self.tokens.len()]
    }

    /// Marks a place, and those that can be reached from it without reading anything.
    fn reach(&self, places: &mut Places, mut at: usize) {
        // What can be reached from a marked place is marked, too.
        while places.mark(at) {
            at += match self.tokens.get(at) {
                Some(Token::Name | Token::Anything) => 1,
                Some(Token::FoldersOrNone) => {
                    places.mark(at + 1);
                    2
                }
                _ => return,
            };
        }
    }
}

/// The places in a glob that a text can have come to.
struct Places {
    marked: Vec<bool>,
    /// The same, one by one: of a long glob they are few.
    all: Vec<usize>,
}

impl Places {
    fn none(tokens: usize) -> Self {
        Self { marked: vec![false; tokens + 1], all: Vec::new() }
    }

    /// Marks a place; `false` when it was marked before.
    fn mark(&mut self, at: usize) -> bool {
        let is_new = !std::mem::replace(&mut self.marked[at], true);
        if is_new {
            self.all.push(at);
        }
        is_new
    }

    fn clear(&mut self) {
        for at in self.all.drain(..) {
            self.marked[at] = false;
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
    let mut set = Set::default();
    // Where a range could begin.
    let mut before = None;
    let mut at = first;
    loop {
        let byte = *body.get(at)?;
        match byte {
            b']' if at > first => break,
            b'\\' => {
                let literal = *body.get(at + 1)?;
                set.add(literal);
                before = Some(literal);
                at += 2;
            }
            b'-' if before.is_some() && body.get(at + 1).is_some_and(|&next| next != b']') => {
                let escaped = usize::from(body[at + 1] == b'\\');
                let high = *body.get(at + 1 + escaped)?;
                let low = before.take().unwrap_or(high);
                (low..=high).for_each(|byte| set.add(byte));
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
                        set.add(b'[');
                        before = Some(b'[');
                        at += 1;
                    }
                }
            }
            literal => {
                set.add(literal);
                before = Some(literal);
                at += 1;
            }
        }
    }
    let set = if negated { set.others() } else { set };
    Some((set.without_slash(), at + 1))
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
    (0..=u8::MAX).filter(holds).for_each(|byte| set.add(byte));
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
    fn a_pattern_costs_no_stack_and_little_room() {
        // A token for each byte; what a class holds is inside of it.
        assert!(size_of::<super::Token>() <= 40);
        let text = "a/".repeat(100_000);
        assert!(Glob::new("**/".repeat(350_000).as_bytes()).tokens.len() == 700_000);
        let folders = Glob::new("**/".repeat(2_000).as_bytes());
        assert!(folders.matches(&text.as_bytes()[..400]));
        let stars = Glob::new("*?".repeat(300_000).as_bytes());
        assert!(!stars.matches(b"aaaa"));
        assert!(Glob::new("**/".repeat(350_000).as_bytes()).matches(b"a/"));
    }

    #[test]
    fn many_stars_cost_no_more_than_their_number() {
        let glob = Glob::new("*a".repeat(200).as_bytes());
        assert!(!glob.matches("a".repeat(199).as_bytes()));
        assert!(!glob.matches(format!("{}b", "a".repeat(4000)).as_bytes()));
    }
}
