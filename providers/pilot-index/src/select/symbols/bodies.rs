//! Counting a prompt's words in the symbols of a file, each byte once.

use std::collections::HashMap;

use ctxhost_code::{symbols::Symbol, words};

use crate::select::prompt::Prompt;

/// What a symbol's text holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Body {
    /// How often it holds each word of the prompt, as the word's number and a count.
    pub counts: Vec<(u16, u32)>,
    /// How many words it has.
    pub length: u32,
    /// How many of the prompt's quotations it holds.
    pub quoted: u32,
    /// How many words of the prompt its doc comment holds.
    pub documented: usize,
}

/// The words and quotations of a prompt, and room to count in.
pub(crate) struct Bodies<'a> {
    numbers: HashMap<&'a str, u16>,
    quoted: &'a [String],
    counted: Vec<u32>,
    met: Vec<u16>,
}

impl<'a> Bodies<'a> {
    /// Makes a prompt ready.
    pub(crate) fn new(prompt: &'a Prompt) -> Self {
        let numbers =
            prompt.words.iter().enumerate().map(|(at, word)| (word.text.as_str(), at as u16)).collect();
        Self { numbers, quoted: &prompt.quoted, counted: vec![0; prompt.words.len()], met: Vec::new() }
    }

    /// Counts in every symbol of a file; what belongs to an inner one belongs to the outer ones too. Spans that do not fit
    /// the text are cut.
    pub(crate) fn count(&mut self, symbols: &[Symbol], text: &[u8]) -> Vec<Body> {
        let mut bodies = vec![Body::default(); symbols.len()];
        let span = |symbol: &Symbol| {
            let (start, end) = (symbol.span.bytes.start as usize, symbol.span.bytes.end as usize);
            (start.min(text.len()), end.min(text.len()))
        };
        let mut edges: Vec<usize> =
            symbols.iter().flat_map(|symbol| <[usize; 2]>::from(span(symbol))).collect();
        edges.sort_unstable();
        edges.dedup();
        let mut starts: Vec<usize> = (0..symbols.len()).collect();
        starts.sort_by_key(|at| span(&symbols[*at]).0);
        let mut starts = starts.into_iter().peekable();
        let mut open: Vec<usize> = Vec::new();
        for edge in edges.windows(2) {
            open.retain(|at| span(&symbols[*at]).1 > edge[0]);
            while let Some(at) = starts.next_if(|at| span(&symbols[*at]).0 <= edge[0]) {
                if span(&symbols[at]).1 > edge[0] {
                    open.push(at);
                }
            }
            if !open.is_empty() {
                let length = self.read(&text[edge[0]..edge[1]]);
                open.iter().for_each(|at| self.give(&mut bodies[*at], length));
                self.clear();
            }
        }
        for (body, symbol) in bodies.iter_mut().zip(symbols) {
            self.look_closer(body, symbol, text);
        }
        bodies
    }

    /// Counts the words of a piece of text, and gives how many it has.
    fn read(&mut self, text: &[u8]) -> u32 {
        let mut length = 0;
        let Self { numbers, counted, met, .. } = self;
        for chunk in text.utf8_chunks() {
            words::split(chunk.valid(), &mut |word| {
                length += 1;
                if let Some(number) = numbers.get(word) {
                    let count = &mut counted[usize::from(*number)];
                    if *count == 0 {
                        met.push(*number);
                    }
                    *count += 1;
                }
            });
        }
        length
    }

    fn give(&self, body: &mut Body, length: u32) {
        body.length = body.length.saturating_add(length);
        for number in &self.met {
            let count = self.counted[usize::from(*number)];
            match body.counts.iter_mut().find(|(known, _)| known == number) {
                Some((_, known)) => *known = known.saturating_add(count),
                None => body.counts.push((*number, count)),
            }
        }
    }

    fn clear(&mut self) {
        for number in self.met.drain(..) {
            self.counted[usize::from(number)] = 0;
        }
    }

    /// Reads the doc comment, and looks for quotations, where there is reason to.
    fn look_closer(&mut self, body: &mut Body, symbol: &Symbol, text: &[u8]) {
        let range = |range: &std::ops::Range<u32>| text.get(range.start as usize..range.end as usize);
        if let Some(doc) = symbol.doc.as_ref().and_then(range) {
            self.read(doc);
            body.documented = self.met.len();
            self.clear();
        }
        if !self.quoted.is_empty() && !body.counts.is_empty() {
            let text = range(&symbol.span.bytes).map(String::from_utf8_lossy).unwrap_or_default();
            body.quoted = self.quoted.iter().filter(|quoted| text.contains(quoted.as_str())).count() as u32;
        }
    }
}
