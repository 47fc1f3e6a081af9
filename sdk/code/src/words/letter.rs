//! What a letter is to a word.

/// What a byte of ASCII is to a word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Separates words.
    Other,
    /// A small letter.
    Small,
    /// A capital letter.
    Capital,
    /// A digit.
    Digit,
    /// An underscore.
    Joiner,
    /// Not ASCII: a part of a letter of several bytes.
    Wide,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' => Class::Small,
            b'A'..=b'Z' => Class::Capital,
            b'0'..=b'9' => Class::Digit,
            b'_' => Class::Joiner,
            0x80.. => Class::Wide,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

/// Says what a byte is.
pub(super) fn class(byte: u8) -> Class {
    CLASSES[usize::from(byte)]
}

/// Says what a letter of any script is; what is neither letter nor digit separates.
pub(super) fn class_of(letter: char) -> Class {
    match letter {
        '\0'..='\x7f' => class(letter as u8),
        _ if letter.is_numeric() => Class::Digit,
        _ if letter.is_uppercase() => Class::Capital,
        _ if letter.is_alphabetic() => Class::Small,
        _ => Class::Other,
    }
}

/// Says whether it is an accent that stands behind its letter as a character of its own.
pub(super) fn is_accent(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}')
}

/// Says whether its script puts no spaces between words, or, as Korean, glues particles to them.
pub(super) fn is_unspaced(letter: char) -> bool {
    matches!(letter,
        '\u{e00}'..='\u{eff}' // Thai, Lao
        | '\u{1000}'..='\u{109f}' // Burmese
        | '\u{1100}'..='\u{11ff}' // Korean
        | '\u{1780}'..='\u{17ff}' // Khmer
        | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{30ff}' | '\u{3105}'..='\u{318e}' | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}'
        | '\u{ff66}'..='\u{ff9f}' // Japanese in half width
        | '\u{20000}'..='\u{3ffff}' // rare Chinese
    )
}

/// Gives a lower-case Latin letter without its accent, or `None` when it has none.
pub(super) fn without_accent(letter: char) -> Option<&'static str> {
    Some(match letter {
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'ǎ' => "a",
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => "e",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ĥ' | 'ħ' => "h",
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => "i",
        'ĵ' => "j",
        'ķ' => "k",
        'ĺ' | 'ļ' | 'ľ' | 'ŀ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' => "n",
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' | 'ơ' => "o",
        'ŕ' | 'ŗ' | 'ř' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => "s",
        'ţ' | 'ť' | 'ŧ' | 'ț' => "t",
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' | 'ư' => "u",
        'ŵ' => "w",
        'ý' | 'ÿ' | 'ŷ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'þ' => "th",
        // Vietnamese and other letters with two accents, in Unicode's own order.
        '\u{1ea0}'..='\u{1eb7}' => "a",
        '\u{1eb8}'..='\u{1ec7}' => "e",
        '\u{1ec8}'..='\u{1ecb}' => "i",
        '\u{1ecc}'..='\u{1ee3}' => "o",
        '\u{1ee4}'..='\u{1ef1}' => "u",
        '\u{1ef2}'..='\u{1ef9}' => "y",
        _ => return None,
    })
}
