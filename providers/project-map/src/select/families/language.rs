//! Names of directories that are languages.

/// Languages that are translated into; a handful of these names beside each other is no accident.
const LANGUAGES: &[&str] = &[
    "ar", "az", "be", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr", "he",
    "hi", "hr", "hu", "hy", "id", "it", "ja", "ka", "ko", "lt", "lv", "nb", "nl", "pl", "pt", "ro", "ru",
    "sk", "sl", "sq", "sr", "sv", "ta", "th", "tr", "uk", "ur", "uz", "vi", "yo", "zh", "em",
];

pub(super) fn is_language(name: &str) -> bool {
    let (language, rest) = name.split_once(['-', '_']).unwrap_or((name, ""));
    LANGUAGES.contains(&language)
        && rest.len() <= 4
        && rest.chars().all(|letter| letter.is_ascii_alphabetic())
}
