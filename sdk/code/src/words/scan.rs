//! Cuts one name into its words.

use super::{
    LONGEST,
    letter::{self, Class},
    memo,
};

/// Room for a name that is being read. A name that outgrows it loses its whole, not its parts.
const ROOM: usize = 256;

/// The longest letter in bytes, lower-cased.
const LETTER: usize = 12;

/// Reads names, and gives their words away.
pub(super) struct Scanner<'each, E> {
    each: &'each mut E,
    /// The name so far, lower-cased, without underscores.
    name: [u8; ROOM],
    /// How much of it is used.
    end: usize,
    /// Where the part that is being read begins.
    start: usize,
    /// How many parts were closed.
    parts: usize,
    /// Whether the name outgrew its room.
    overgrown: bool,
    /// What was read last.
    last: Last,
}

/// What was read last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// Nothing of this part.
    Nothing,
    Small,
    Capital,
    /// At least two capitals, of which the last one began here.
    Capitals(usize),
    Digit,
    /// A digit that the part began with: letters stay with it.
    Number,
}

impl<'each, E: FnMut(&str)> Scanner<'each, E> {
    /// Gives words to `each`.
    pub(super) fn new(each: &'each mut E) -> Self {
        Scanner { each, name: [0; ROOM], end: 0, start: 0, parts: 0, overgrown: false, last: Last::Nothing }
    }

    /// Reads the name that begins at a byte of the text, and gives the byte behind it.
    pub(super) fn name(&mut self, text: &str, from: usize) -> usize {
        let bytes = text.as_bytes();
        let mut at = from;
        while at < bytes.len() {
            let class = letter::class(bytes[at]);
            match class {
                Class::Other => break,
                Class::Wide => match self.wide(text, at) {
                    Some(next) => {
                        at = next;
                        continue;
                    }
                    None => break,
                },
                Class::Small if self.last == Last::Small => {
                    let run = bytes[at..].iter().take_while(|byte| byte.is_ascii_lowercase()).count();
                    self.push(&bytes[at..at + run.min(ROOM)]);
                    at += run;
                    continue;
                }
                Class::Small if matches!(self.last, Last::Capitals(_)) => self.after_acronym(&bytes[at..]),
                _ => {}
            }
            self.cut(class);
            if class != Class::Joiner {
                self.push(&[bytes[at].to_ascii_lowercase()]);
            }
            at += 1;
        }
        self.close_name();
        at.max(next_letter(text, from, at))
    }

    /// Reads one letter of several bytes, or a run of a script without spaces; `None` when it ends the name.
    fn wide(&mut self, text: &str, at: usize) -> Option<usize> {
        let letter = text[at..].chars().next()?;
        let next = at + letter.len_utf8();
        if letter::is_accent(letter) {
            return Some(next);
        }
        if letter::is_unspaced(letter) {
            self.close_name();
            return Some(self.pairs(text, at));
        }
        let class = letter::class_of(letter);
        if class == Class::Other {
            return None;
        }
        self.cut(class);
        for small in letter.to_lowercase().filter(|small| !letter::is_accent(*small)) {
            match letter::without_accent(small) {
                Some(plain) => self.push(plain.as_bytes()),
                None => self.push(small.encode_utf8(&mut [0; LETTER]).as_bytes()),
            }
        }
        Some(next)
    }

    /// Gives each pair of neighbours of a run without spaces, or its only letter; gives the byte behind the run.
    fn pairs(&mut self, text: &str, from: usize) -> usize {
        let (mut before, mut pairs) = (from, 0);
        for (offset, letter) in text[from..].char_indices().skip(1) {
            let at = from + offset;
            if !letter::is_unspaced(letter) {
                self.lone(&text[from..at], pairs);
                return at;
            }
            (self.each)(&text[before..at + letter.len_utf8()]);
            (before, pairs) = (at, pairs + 1);
        }
        self.lone(&text[from..], pairs);
        text.len()
    }

    fn lone(&mut self, run: &str, pairs: usize) {
        if pairs == 0 {
            (self.each)(run);
        }
    }

    /// Cuts before a letter where a new part begins, and remembers the letter.
    fn cut(&mut self, class: Class) {
        let here = self.end;
        self.last = match (class, self.last) {
            (Class::Joiner, _) => {
                self.close_part(here);
                Last::Nothing
            }
            (_, Last::Number) => Last::Number,
            (Class::Digit, Last::Nothing) if here == 0 => Last::Number,
            (Class::Digit, last) => {
                if last != Last::Digit {
                    self.close_part(here);
                }
                Last::Digit
            }
            (Class::Capital, Last::Capital | Last::Capitals(_)) => Last::Capitals(here),
            (Class::Capital, _) => {
                self.close_part(here);
                Last::Capital
            }
            (_, last) => {
                if last == Last::Digit {
                    self.close_part(here);
                }
                Last::Small
            }
        };
    }

    /// A small letter follows an acronym: the last capital belongs to it, but for a plural (`URLs`).
    fn after_acronym(&mut self, rest: &[u8]) {
        let plural = rest[0] == b's' && !rest.get(1).is_some_and(|byte| letter::class(*byte) == Class::Small);
        if let (Last::Capitals(last), false) = (self.last, plural) {
            self.close_part(last);
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        if self.end + bytes.len() > ROOM {
            self.make_room();
        }
        // What a part has beyond the room is lost: it is longer than any word.
        if let Some(room) = self.name.get_mut(self.end..self.end + bytes.len()) {
            room.copy_from_slice(bytes);
            self.end += bytes.len();
        }
    }

    /// Forgets the parts that were given away, and with them the whole name.
    fn make_room(&mut self) {
        self.name.copy_within(self.start..self.end, 0);
        if let Last::Capitals(last) = &mut self.last {
            *last = last.saturating_sub(self.start);
        }
        (self.start, self.end, self.overgrown) = (0, self.end - self.start, true);
    }

    /// Gives the part that ends here.
    fn close_part(&mut self, end: usize) {
        if end > self.start {
            self.parts += 1;
            give(&self.name[self.start..end], self.each);
        }
        self.start = end;
    }

    /// Gives the last part and the whole name, and begins anew.
    fn close_name(&mut self) {
        self.close_part(self.end);
        if self.parts > 1 && !self.overgrown {
            give(&self.name[..self.end], self.each);
        }
        (self.end, self.start, self.parts) = (0, 0, 0);
        (self.overgrown, self.last) = (false, Last::Nothing);
    }
}

/// Gives a word, brought to its stem, when it is neither a single character nor too long.
fn give(word: &[u8], each: &mut impl FnMut(&str)) {
    if (2..=LONGEST).contains(&word.len()) {
        memo::with_stem(word, each);
    }
}

/// Gives the end of the letter at `at`, when a name that begins there turned out to be none.
fn next_letter(text: &str, from: usize, at: usize) -> usize {
    if at > from {
        return at;
    }
    text[at..].chars().next().map_or(text.len(), |letter| at + letter.len_utf8())
}
