//! A shell command's text as commands and their words.

/// One command between separators.
#[derive(Default)]
pub(super) struct Part {
    /// Its words, with quotes taken away. What only the run shows is a `$`.
    pub(super) words: Vec<String>,
    /// Where its output goes.
    pub(super) redirected: Vec<String>,
    /// The commands in `$(…)` and backticks.
    pub(super) inner: Vec<String>,
    /// Its here-documents and here-strings: data, whatever they look like.
    pub(super) body: String,
    /// Whether its output goes into the next command.
    pub(super) piped: bool,
}

/// Splits a text into commands.
pub(super) fn parts(text: &str) -> Vec<Part> {
    let mut reader = Reader::new(text);
    while let Some(letter) = reader.next() {
        reader.read(letter);
    }
    reader.end_part();
    reader.parts
}

/// The commands in a here-document that the shell runs to make its text.
fn expanded(body: &str) -> Vec<String> {
    let mut reader = Reader::new(body);
    while let Some(letter) = reader.next() {
        match letter {
            '\\' => drop(reader.next()),
            '`' => reader.backticks(),
            '$' => reader.dollar(),
            _ => {}
        }
    }
    reader.parts.into_iter().flat_map(|part| part.inner).collect()
}

/// What the next word is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Into {
    Words,
    /// Where output goes.
    Written,
    /// Where input comes from.
    Read,
    /// The input itself.
    Body,
}

struct Reader {
    letters: Vec<char>,
    at: usize,
    parts: Vec<Part>,
    word: Option<String>,
    into: Into,
    /// The here-documents that begin behind this line: whose they are, the lines that end them, and whether the shell takes
    /// them as they are, because a part of that line is quoted.
    ends: Vec<(usize, String, bool)>,
    /// Whether it is between `[[` and `]]`.
    test: bool,
}

impl Reader {
    fn new(text: &str) -> Self {
        Self {
            letters: text.chars().collect(),
            at: 0,
            parts: vec![Part::default()],
            word: None,
            into: Into::Words,
            ends: Vec::new(),
            test: false,
        }
    }

    fn peek(&self, far: usize) -> Option<char> {
        self.letters.get(self.at + far).copied()
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek(0)?;
        self.at += 1;
        Some(letter)
    }

    fn next_if(&mut self, is: impl Fn(char) -> bool) -> bool {
        let it_is = self.peek(0).is_some_and(is);
        self.at += usize::from(it_is);
        it_is
    }

    fn read(&mut self, letter: char) {
        match letter {
            '\'' => {
                self.word.get_or_insert_default();
                while let Some(inner) = self.next().filter(|c| *c != '\'') {
                    self.push(inner);
                }
            }
            '"' => self.quoted(),
            '\\' => match self.next() {
                Some('\n') | None => {}
                Some(escaped) => self.push(escaped),
            },
            '`' => self.backticks(),
            '$' => self.dollar(),
            '#' if self.word.is_none() => while self.next_if(|c| c != '\n') {},
            // In a test these compare.
            '<' | '>' | '(' | ')' | '&' | '|' if self.test && self.word.as_deref() != Some("]]") => {
                self.end_word();
            }
            '(' if self.word.is_none() && self.peek(0) == Some('(') && self.arithmetic(1) => self.push('$'),
            '>' => self.output(),
            '<' => self.input(),
            '&' if self.peek(0) == Some('>') => self.end_word(),
            '|' => {
                let or = self.next_if(|c| c == '|');
                self.next_if(|c| c == '&');
                self.end_word();
                self.part().piped = !or;
                self.end_part();
            }
            '\n' => {
                self.end_part();
                self.bodies();
            }
            ';' | '&' | '(' | ')' => self.end_part(),
            letter if letter.is_whitespace() => self.end_word(),
            letter => self.push(letter),
        }
    }

    fn quoted(&mut self) {
        self.word.get_or_insert_default();
        while let Some(letter) = self.next().filter(|c| *c != '"') {
            match letter {
                '\\' => {
                    let escaped = self.next().unwrap_or('\\');
                    self.push(escaped);
                }
                '`' => self.backticks(),
                '$' => self.dollar(),
                letter => self.push(letter),
            }
        }
    }

    fn backticks(&mut self) {
        let mut inner = String::new();
        while let Some(letter) = self.next().filter(|c| *c != '`') {
            inner.extend(if letter == '\\' { self.next() } else { Some(letter) });
        }
        self.part().inner.push(inner);
        self.push('$');
    }

    fn dollar(&mut self) {
        self.push('$');
        if self.peek(0) != Some('(') || self.peek(1) == Some('(') && self.arithmetic(2) {
            return;
        }
        self.at += 1;
        let inner = self.balanced();
        self.part().inner.push(inner);
    }

    /// Skips a calculation, with as many brackets as still open it; what is never closed is none.
    fn arithmetic(&mut self, opening: usize) -> bool {
        let mut open = 2;
        for at in self.at + opening..self.letters.len() {
            match self.letters[at] {
                '(' => open += 1,
                ')' => open -= 1,
                _ => {}
            }
            if open == 0 {
                let closed = self.letters[at - 1] == ')';
                if closed {
                    self.at = at + 1;
                }
                return closed;
            }
        }
        false
    }

    /// The text up to the bracket that closes it.
    fn balanced(&mut self) -> String {
        let (mut text, mut open, mut quote) = (String::new(), 1, None);
        while let Some(letter) = self.next() {
            match (quote, letter) {
                (Some(end), letter) if letter == end => quote = None,
                (None, '\'' | '"') => quote = Some(letter),
                (None | Some('"'), '\\') => {
                    text.push('\\');
                    text.extend(self.next());
                    continue;
                }
                (None, '(') => open += 1,
                (None, ')') => open -= 1,
                _ => {}
            }
            if open == 0 {
                break;
            }
            text.push(letter);
        }
        text
    }

    /// `>`, `>>`, `>|`, `2>`, `>&file`; `2>&1` names no file.
    fn output(&mut self) {
        self.drop_number();
        while self.next_if(|c| matches!(c, '>' | '|')) {}
        self.into = Into::Written;
        if self.next_if(|c| c == '&') {
            while self.next_if(|c| c == ' ') {}
            if self.peek(0).is_some_and(|c| c.is_ascii_digit() || c == '-') {
                self.into = Into::Words;
                while self.next_if(|c| c.is_ascii_digit() || c == '-') {}
            }
        }
    }

    /// `<`, `<<<`, or the beginning of a here-document.
    fn input(&mut self) {
        self.drop_number();
        if !self.next_if(|c| c == '<') {
            self.next_if(|c| c == '&');
            self.into = Into::Read;
            return;
        }
        if self.next_if(|c| c == '<') {
            self.into = Into::Body;
            return;
        }
        self.next_if(|c| c == '-');
        while self.next_if(|c| matches!(c, ' ' | '\t')) {}
        let (mut end, mut quoted) = (String::new(), false);
        while let Some(letter) = self.peek(0).filter(|c| !c.is_whitespace() && !";|&<>()".contains(*c)) {
            self.at += 1;
            let is_quote = matches!(letter, '\'' | '"' | '\\');
            quoted |= is_quote;
            end.extend((!is_quote).then_some(letter));
        }
        if !end.is_empty() {
            self.ends.push((self.parts.len() - 1, end, quoted));
        }
    }

    /// The bodies of the here-documents that the line before began.
    fn bodies(&mut self) {
        for (part, end, quoted) in std::mem::take(&mut self.ends) {
            let mut body = String::new();
            while self.at < self.letters.len() {
                let rest = &self.letters[self.at..];
                let length = rest.iter().position(|c| *c == '\n').unwrap_or(rest.len());
                let line: String = rest[..length].iter().collect();
                self.at += (length + 1).min(rest.len());
                if line.trim_start_matches('\t') == end {
                    break;
                }
                body += &(line + "\n");
            }
            let of = &mut self.parts[part];
            of.inner.extend((!quoted).then(|| expanded(&body)).into_iter().flatten());
            of.body += &body;
        }
    }

    /// Ends a word; the number of a stream is none.
    fn drop_number(&mut self) {
        if self.word.as_ref().is_some_and(|word| word.chars().all(|c| c.is_ascii_digit() || c == '&')) {
            self.word = None;
        }
        self.end_word();
    }

    fn part(&mut self) -> &mut Part {
        if self.parts.is_empty() {
            self.parts.push(Part::default());
        }
        let last = self.parts.len() - 1;
        &mut self.parts[last]
    }

    fn push(&mut self, letter: char) {
        self.word.get_or_insert_default().push(letter);
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        match std::mem::replace(&mut self.into, Into::Words) {
            Into::Words => {
                self.test = word == "[[" || self.test && word != "]]";
                self.part().words.push(word);
            }
            Into::Written => self.part().redirected.push(word),
            Into::Read => {}
            Into::Body => self.part().body += &(word + "\n"),
        }
    }

    fn end_part(&mut self) {
        self.end_word();
        (self.into, self.test) = (Into::Words, false);
        self.parts.push(Part::default());
    }
}
