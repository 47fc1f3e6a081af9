//! Options that name what a command writes.

/// A command, the letter and the name of the option, and the other letters that a value follows.
const OUTPUTS: [(&str, char, &str, &str); 3] = [
    ("sort", 'o', "output", "kStT"),
    ("curl", 'o', "output", "AbcCdDeEFhHKmPQrtTuUwxXyYz"),
    ("wget", 'O', "output-document", "oaeitTwQPUlADRIXB"),
];

/// Whether a command writes what an option names.
pub(super) fn names_output(program: &str) -> bool {
    OUTPUTS.iter().any(|(known, ..)| *known == program)
}

/// What the options of such a command name.
pub(super) fn outputs<'a>(program: &str, arguments: &'a [String]) -> Vec<&'a str> {
    let Some((_, letter, long, valued)) = OUTPUTS.iter().find(|(known, ..)| *known == program) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut words = arguments.iter().map(String::as_str);
    while let Some(word) = words.next() {
        if let Some(name) = word.strip_prefix("--") {
            match name.split_once('=') {
                Some((name, value)) if name == *long => found.push(value),
                None if name == *long => found.extend(words.next()),
                _ => {}
            }
        } else if let Some(letters) = word.strip_prefix('-') {
            let Some(at) = letters.find(|flag| flag == *letter || valued.contains(flag)) else { continue };
            let (flag, rest) = letters[at..].split_at(1);
            let value = if rest.is_empty() { words.next() } else { Some(rest) };
            found.extend(value.filter(|_| flag.starts_with(*letter)));
        }
    }
    // A dash is the output that everybody has.
    found.retain(|path| *path != "-");
    found
}

/// Options of `awk` that a value follows.
const AWK_VALUES: [&str; 10] =
    ["-i", "--include", "-f", "--file", "-v", "--assign", "-F", "-e", "--source", "-l"];

/// Whether `awk` writes the files that it reads.
pub(super) fn is_awk_in_place(arguments: &[String]) -> bool {
    let is = |value: &str| value == "inplace";
    let next = |at: usize| arguments.get(at + 1).is_some_and(|value| is(value));
    arguments.iter().enumerate().any(|(at, word)| match word.as_str() {
        "-i" | "--include" => next(at),
        word => word.strip_prefix("-i").or_else(|| word.strip_prefix("--include=")).is_some_and(is),
    })
}

/// The files that `awk` writes again.
pub(super) fn awk_in_place(arguments: &[String]) -> Vec<&str> {
    if !is_awk_in_place(arguments) {
        return Vec::new();
    }
    let given = arguments
        .iter()
        .any(|word| ["-f", "--file", "-e", "--source"].iter().any(|flag| word.starts_with(flag)));
    // Without a program among the options the first word is it.
    super::files(arguments, &AWK_VALUES).skip(usize::from(!given)).map(String::as_str).collect()
}

/// The files that an editor is opened with.
pub(super) fn edited(arguments: &[String]) -> Vec<&str> {
    // A command, a script, a tag and so on is the next word, also behind other letters.
    let takes = |word: &str| {
        word.starts_with('-')
            && !word.starts_with("--")
            && word.ends_with(['c', 'S', 't', 'T', 'u', 'i', 'p'])
    };
    let is_value = |at: usize| at > 0 && takes(&arguments[at - 1]);
    let words = arguments.iter().map(String::as_str).enumerate();
    words.filter(|(at, word)| !word.starts_with(['-', '+']) && !is_value(*at)).map(|(_, word)| word).collect()
}
