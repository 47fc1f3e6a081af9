//! An English stemmer: Porter2 as its author published it, on words of small ASCII letters.

use std::borrow::Cow;

/// Gives the stem of a lower-cased word (`connections` gives `connect`), so that a question in prose meets names in
/// code. A stem is not a word of English, only the same for words that belong together. What holds anything but small
/// ASCII letters is its own stem.
///
/// ```
/// use ctxhost_code::words::stem;
/// assert_eq!(stem("connections"), stem("connecting"));
/// assert_eq!(stem("utf8"), "utf8");
/// ```
pub fn stem(word: &str) -> Cow<'_, str> {
    let mut bytes = word.as_bytes().to_vec();
    let length = stem_in_place(&mut bytes);
    bytes.truncate(length);
    match String::from_utf8(bytes) {
        Ok(stem) if stem != word => Cow::Owned(stem),
        _ => Cow::Borrowed(word),
    }
}

/// Turns a word into its stem, and gives the stem's length; it is never longer than the word.
pub(super) fn stem_in_place(word: &mut [u8]) -> usize {
    if word.len() < 3 || !word.iter().all(u8::is_ascii_lowercase) || !may_end(word[word.len() - 1]) {
        return word.len();
    }
    if let Some(stem) = irregular(word) {
        word[..stem.len()].copy_from_slice(stem);
        return stem.len();
    }
    let mut stem = Stem::new(word);
    stem.plural();
    if !stem.is_done() {
        stem.past();
        stem.final_y();
        stem.double_endings();
        stem.single_endings();
        stem.last_endings();
        stem.final_e_or_l();
    }
    stem.finish()
}

/// Whether any rule applies to words that end with this letter; most words are through here, so it is asked first.
fn may_end(letter: u8) -> bool {
    matches!(letter, b'c' | b'd' | b'e' | b'g' | b'i' | b'l' | b'm' | b'n' | b'r' | b's' | b't' | b'y')
}

/// Words that the rules get wrong.
fn irregular(word: &[u8]) -> Option<&'static [u8]> {
    Some(match word {
        b"skis" => b"ski",
        b"skies" | b"sky" => b"sky",
        b"dying" => b"die",
        b"lying" => b"lie",
        b"tying" => b"tie",
        b"idly" => b"idl",
        b"gently" => b"gentl",
        b"ugly" => b"ugli",
        b"early" => b"earli",
        b"only" => b"onli",
        b"singly" => b"singl",
        b"news" => b"news",
        b"howe" => b"howe",
        b"atlas" => b"atlas",
        b"cosmos" => b"cosmos",
        b"bias" => b"bias",
        b"andes" => b"andes",
        _ => return None,
    })
}

/// Beginnings that count as a syllable, so that `general` and `generic`, `internal` and `intern` stay apart.
const PREFIXES: [&[u8]; 9] =
    [b"gener", b"commun", b"arsen", b"past", b"univers", b"later", b"emerg", b"organ", b"inter"];

/// A word on its way to its stem. A `Y` is a y that is a consonant.
struct Stem<'word> {
    word: &'word mut [u8],
    end: usize,
    /// Where the part behind the first vowel and consonant begins.
    first: usize,
    /// The same inside that part.
    second: usize,
}

impl<'word> Stem<'word> {
    fn new(word: &'word mut [u8]) -> Self {
        for at in 0..word.len() {
            if word[at] == b'y' && (at == 0 || is_vowel(word[at - 1])) {
                word[at] = b'Y';
            }
        }
        let prefix = PREFIXES.iter().find(|prefix| word[0] == prefix[0] && word.starts_with(prefix));
        let first = prefix.map_or_else(|| behind_syllable(word, 0), |prefix| prefix.len());
        let second = behind_syllable(word, first);
        Stem { end: word.len(), first, second, word }
    }

    fn text(&self) -> &[u8] {
        &self.word[..self.end]
    }

    fn ends(&self, ending: &[u8]) -> bool {
        self.text().ends_with(ending)
    }

    /// The letter so many places before the end, counted from 1; 0 where there is none.
    fn letter(&self, back: usize) -> u8 {
        self.end.checked_sub(back).map_or(0, |at| self.word[at])
    }

    fn has_vowel(&self, before: usize) -> bool {
        self.word[..before].iter().any(|letter| is_vowel(*letter))
    }

    /// Puts `with` in the place of the last `length` letters.
    fn replace(&mut self, length: usize, with: &[u8]) {
        let from = self.end - length;
        self.word[from..from + with.len()].copy_from_slice(with);
        self.end = from + with.len();
    }

    /// Whether the word ends with a short syllable.
    fn ends_short(&self) -> bool {
        let (third, second, last) = (self.letter(3), self.letter(2), self.letter(1));
        let closed = self.end > 2 && !is_vowel(third) && is_vowel(second) && !is_vowel(last);
        (closed && !matches!(last, b'w' | b'x' | b'Y'))
            || (self.end == 2 && is_vowel(second) && !is_vowel(last))
            || self.text() == b"past"
    }

    /// Step 1a.
    fn plural(&mut self) {
        if !matches!(self.letter(1), b's' | b'd') {
            return;
        }
        if self.ends(b"sses") {
            self.end -= 2;
        } else if self.ends(b"ied") || self.ends(b"ies") {
            self.end -= if self.end > 4 { 2 } else { 1 };
        } else if self.ends(b"s") && !self.ends(b"us") && !self.ends(b"ss") && self.has_vowel(self.end - 2) {
            self.end -= 1;
        }
    }

    /// Whether what is left is a word that only looks as if it had an ending.
    fn is_done(&self) -> bool {
        matches!(
            self.text(),
            b"inning"
                | b"outing"
                | b"canning"
                | b"herring"
                | b"earring"
                | b"proceed"
                | b"exceed"
                | b"succeed"
        )
    }

    /// Step 1b.
    fn past(&mut self) {
        if !matches!(self.letter(1), b'd' | b'g' | b'y') {
            return;
        }
        for (ending, length) in [(b"eedly".as_slice(), 5), (b"eed", 3)] {
            if self.ends(ending) {
                if self.end - length >= self.first {
                    self.replace(length, b"ee");
                }
                return;
            }
        }
        let endings = [b"ingly".as_slice(), b"edly", b"ing", b"ed"];
        let Some(ending) = endings.into_iter().find(|ending| self.ends(ending)) else { return };
        if !self.has_vowel(self.end - ending.len()) {
            return;
        }
        self.end -= ending.len();
        let last = self.letter(1);
        if self.ends(b"at") || self.ends(b"bl") || self.ends(b"iz") {
            self.replace(0, b"e");
        } else if last == self.letter(2)
            && matches!(last, b'b' | b'd' | b'f' | b'g' | b'm' | b'n' | b'p' | b'r' | b't')
        {
            // `add`, `egg` and `odd` keep both.
            let keeps = self.end == 3 && matches!(self.letter(3), b'a' | b'e' | b'o');
            self.end -= usize::from(!keeps);
        } else if self.first >= self.end && self.ends_short() {
            self.replace(0, b"e");
        }
    }

    /// Step 1c.
    fn final_y(&mut self) {
        if self.end > 2 && matches!(self.letter(1), b'y' | b'Y') && !is_vowel(self.letter(2)) {
            self.replace(1, b"i");
        }
    }

    /// Replaces the first of these endings that the word has, when it lies behind `from`.
    fn first_of(&mut self, endings: &[(&[u8], &[u8])], from: usize) {
        let Some((ending, with)) = endings.iter().find(|(ending, _)| self.ends(ending)) else { return };
        if self.end - ending.len() >= from {
            self.replace(ending.len(), with);
        }
    }

    /// Step 2.
    fn double_endings(&mut self) {
        if !matches!(self.letter(1), b'i' | b'l' | b'm' | b'n' | b'r' | b's' | b't') {
            return;
        }
        let endings: &[(&[u8], &[u8])] = match self.letter(2) {
            b'a' => &[(b"ational", b"ate"), (b"tional", b"tion")],
            b'c' => &[(b"enci", b"ence"), (b"anci", b"ance")],
            b'e' => &[(b"izer", b"ize")],
            b'l' if self.ends(b"bli") => &[(b"abli", b"able"), (b"bli", b"ble")],
            b'l' if self.ends(b"lli") => &[(b"alli", b"al"), (b"fulli", b"ful")],
            b'l' if self.ends(b"sli") => &[(b"ousli", b"ous"), (b"lessli", b"less")],
            b'l' if self.ends(b"entli") => &[(b"entli", b"ent")],
            b'o' => &[(b"ization", b"ize"), (b"ation", b"ate"), (b"ator", b"ate")],
            b's' if self.ends(b"ogist") => &[(b"ogist", b"og")],
            b's' => &[(b"alism", b"al"), (b"fulness", b"ful"), (b"ousness", b"ous"), (b"iveness", b"ive")],
            b't' => &[(b"aliti", b"al"), (b"iviti", b"ive"), (b"biliti", b"ble")],
            b'g' if self.letter(4) == b'l' => &[(b"ogi", b"og")],
            _ => &[],
        };
        if !endings.iter().any(|(ending, _)| self.ends(ending)) {
            let before = self.letter(3);
            let valid = matches!(before, b'c' | b'd' | b'e' | b'g' | b'h' | b'k' | b'm' | b'n' | b'r' | b't');
            if self.ends(b"li") && valid && self.end - 2 >= self.first {
                self.end -= 2;
            }
            return;
        }
        self.first_of(endings, self.first);
    }

    /// Step 3.
    fn single_endings(&mut self) {
        if self.ends(b"ative") {
            if self.end - 5 >= self.second {
                self.end -= 5;
            }
            return;
        }
        let endings: &[(&[u8], &[u8])] = match self.letter(1) {
            b'l' => &[(b"ational", b"ate"), (b"tional", b"tion"), (b"ical", b"ic"), (b"ful", b"")],
            b'e' => &[(b"alize", b"al"), (b"icate", b"ic")],
            b'i' => &[(b"iciti", b"ic")],
            b's' => &[(b"ness", b"")],
            _ => return,
        };
        self.first_of(endings, self.first);
    }

    /// Step 4.
    fn last_endings(&mut self) {
        let endings: &[(&[u8], &[u8])] = match self.letter(1) {
            b'l' => &[(b"al", b"")],
            b'e' => &[
                (b"ance", b""),
                (b"ence", b""),
                (b"able", b""),
                (b"ible", b""),
                (b"ate", b""),
                (b"ive", b""),
                (b"ize", b""),
            ],
            b'r' => &[(b"er", b"")],
            b'c' => &[(b"ic", b"")],
            b't' => &[(b"ement", b""), (b"ment", b""), (b"ant", b""), (b"ent", b"")],
            b'm' => &[(b"ism", b"")],
            b'i' => &[(b"iti", b"")],
            b's' => &[(b"ous", b"")],
            b'n' if matches!(self.letter(4), b's' | b't') => &[(b"ion", b"")],
            _ => return,
        };
        self.first_of(endings, self.second);
    }

    /// Step 5.
    fn final_e_or_l(&mut self) {
        let last = self.end - 1;
        match self.word[last] {
            b'e' if last >= self.second => self.end = last,
            b'e' if last >= self.first => {
                self.end = last;
                if self.ends_short() {
                    self.end = last + 1;
                }
            }
            b'l' if last >= self.second && self.letter(2) == b'l' => self.end = last,
            _ => {}
        }
    }

    fn finish(self) -> usize {
        self.word[..self.end].make_ascii_lowercase();
        self.end
    }
}

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

/// Gives the place behind the first consonant that follows a vowel, from a place on; the end when there is none.
fn behind_syllable(word: &[u8], from: usize) -> usize {
    let tail = word.get(from..).unwrap_or_default();
    let pair = tail.windows(2).position(|pair| is_vowel(pair[0]) && !is_vowel(pair[1]));
    pair.map_or(word.len(), |at| from + at + 2)
}
