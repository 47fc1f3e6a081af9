//! What a prompt asks the backend, if anything.

use ctxhost_code::words;

/// More of a prompt is a log or a file, whose words say little about what is wanted.
const LONGEST: usize = 2_000;

/// Of a longer prompt the beginning counts most, and the end is often the question.
const HEAD: usize = 1_200;

/// A question has so many words that say something: "go on" and "thanks" have none.
const FEWEST: usize = 2;

/// Words that say nothing of code, as `words::split` gives them.
const EMPTY: &[&str] = &[
    "about", "after", "again", "all", "also", "an", "and", "any", "are", "as", "at", "be", "been", "but",
    "by", "can", "continu", "could", "do", "doe", "done", "for", "from", "get", "give", "go", "good",
    "great", "had", "has", "have", "hello", "help", "here", "hey", "hi", "how", "if", "in", "into", "is",
    "it", "its", "just", "know", "let", "like", "look", "make", "me", "more", "my", "need", "next", "no",
    "not", "now", "of", "ok", "okay", "on", "one", "or", "our", "out", "pleas", "should", "show", "so",
    "some", "sure", "tell", "thank", "that", "the", "them", "then", "there", "these", "they", "thing",
    "this", "to", "too", "try", "up", "us", "want", "was", "we", "well", "what", "when", "where", "which",
    "who", "whi", "why", "will", "with", "would", "yes", "you", "your",
];

/// Gives the question; `None` where the prompt has too few words to look for.
pub(crate) fn question(prompt: &str) -> Option<String> {
    let text = prompt.trim();
    // A command of the agent's own.
    if text.starts_with('/') && !text.contains(char::is_whitespace) {
        return None;
    }
    let text = shortened(text);
    (telling(&text) >= FEWEST).then_some(text)
}

/// How many different words say something.
fn telling(text: &str) -> usize {
    let mut found: Vec<String> = Vec::new();
    words::split(text, &mut |word| {
        if found.len() < FEWEST && !EMPTY.contains(&word) && !found.iter().any(|known| known == word) {
            found.push(word.to_owned());
        }
    });
    found.len()
}

fn shortened(text: &str) -> String {
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    let head = text.floor_char_boundary(HEAD);
    let tail = text.ceil_char_boundary(text.len() - (LONGEST - HEAD));
    format!("{}\n{}", &text[..head], &text[tail..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_looked_for_is_asked() {
        let check = |prompt: &str, is_asked: bool| {
            assert_eq!(question(prompt).is_some(), is_asked, "{prompt:?}");
        };
        for prompt in
            ["where is subscription renewal handled", "renew_subscription", "サブスクリプションの更新"]
        {
            check(prompt, true);
        }
        for prompt in
            ["", " ", "hello", "Yes, please go on.", "thanks!", "now do it again", "/compact", "..."]
        {
            check(prompt, false);
        }
    }

    #[test]
    fn a_long_prompt_is_asked_by_its_beginning_and_its_end() {
        let long = format!("é where is renewal{}how is it tested", "é\n".repeat(5_000));
        let asked = question(&long).unwrap();
        assert!(asked.starts_with("é where is renewal") && asked.ends_with("how is it tested"));
        assert!(asked.len() <= LONGEST + 1 + 4, "{}", asked.len());
    }
}
