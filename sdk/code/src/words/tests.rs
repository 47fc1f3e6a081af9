use super::*;

fn check(text: &str, expected: &str) {
    let mut words = Vec::new();
    split(text, &mut |word| words.push(word.to_owned()));
    assert_eq!(words.join(" "), expected, "of {text:?}");
}

#[test]
fn names_are_cut_into_parts_and_kept_whole() {
    for (text, expected) in [
        ("readTimeout", "read timeout readtimeout"),
        ("read_timeout", "read timeout readtimeout"),
        ("READ_TIMEOUT", "read timeout readtimeout"),
        ("read-timeout", "read timeout"),
        ("HTTPServer", "http server httpserver"),
        ("parseURLs", "pars url parseurl"),
        ("URLsOf", "url of urlsof"),
        ("_private", "privat"),
        ("__init__", "init"),
        ("a.b/cd.rs", "cd rs"),
        ("std::fs", "std fs"),
        ("", ""),
        ("_ __ - !", ""),
        ("x", ""),
        ("oAuth", "auth oauth"),
        ("iOS", "os io"),
    ] {
        check(text, expected);
    }
}

#[test]
fn digits_part_names_but_numbers_stay_whole() {
    for (text, expected) in [
        ("utf8", "utf utf8"),
        ("sha256Sum", "sha 256 sum sha256sum"),
        ("base64_url", "base 64 url base64url"),
        ("10ms", "10ms"),
        ("0xFF_u8", "0xff 0xffu8"),
        ("1_000", "000 1000"),
        ("404_page", "404 page 404page"),
        ("٣٤", "٣٤"),
    ] {
        check(text, expected);
    }
}

#[test]
fn letters_of_other_scripts_are_kept() {
    for (text, expected) in [
        ("Größe straße", "gross strass"),
        ("validarEndereço", "validar endereco validarendereco"),
        ("e\u{301}tat état", "etat etat"),
        ("cafe\u{301}", "cafe"),
        ("ПочтовыйИндекс", "почтовый индекс почтовыйиндекс"),
        ("解析器", "解析 析器"),
        ("表", "表"),
        ("parse解析器now", "pars 解析 析器 now"),
        ("İstanbul", "istanbul"),
        ("🚀 launch🚀pad", "launch pad"),
        ("naïve", "naiv"),
        ("\u{301}", ""),
        ("한국어", "한국 국어"),
    ] {
        check(text, expected);
    }
}

#[test]
fn ways_to_write_a_name_meet() {
    for name in ["maxRetryCount", "MaxRetryCount", "max_retry_count", "MAX_RETRY_COUNT"] {
        check(name, "max retri count maxretrycount");
    }
}

#[test]
fn data_is_left_out_but_not_what_stands_beside_it() {
    check(&format!("{} name", "a".repeat(65)), "name");
    check(&format!("{} name", "a".repeat(100_000)), "name");
    check(&"q".repeat(64), &"q".repeat(64));
    check(&format!("first_{}_last", "a".repeat(65)), "first last");
    let long = ["part"; 200].join("_");
    check(&long, &["part"; 200].join(" "));
    check(&format!("{}_tail", "é".repeat(400)), "tail");
}

#[test]
fn identifiers_stay_as_they_are() {
    let mut names = Vec::new();
    identifiers("let $x = self.readTimeout(42, 3d, größe_2);", &mut |name| names.push(name));
    assert_eq!(names, ["let", "$x", "self", "readTimeout", "größe_2"]);
}

#[test]
fn words_are_brought_to_their_stem() {
    for (word, expected) in [
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("ties", "tie"),
        ("cats", "cat"),
        ("gas", "gas"),
        ("agreed", "agre"),
        ("feed", "feed"),
        ("plastered", "plaster"),
        ("hopping", "hop"),
        ("hoping", "hope"),
        ("sing", "sing"),
        ("happy", "happi"),
        ("say", "say"),
        ("by", "by"),
        ("relational", "relat"),
        ("conditional", "condit"),
        ("digitizer", "digit"),
        ("vietnamization", "vietnam"),
        ("operator", "oper"),
        ("hopefulness", "hope"),
        ("sensibility", "sensibl"),
        ("triplicate", "triplic"),
        ("formative", "format"),
        ("electricity", "electr"),
        ("revival", "reviv"),
        ("replacement", "replac"),
        ("adoption", "adopt"),
        ("effective", "effect"),
        ("controlling", "control"),
        ("generate", "generat"),
        ("generic", "generic"),
        ("communication", "communic"),
        ("proceeds", "proceed"),
        ("lying", "lie"),
        ("timeouts", "timeout"),
        ("parsing", "pars"),
        ("parser", "parser"),
        ("youth", "youth"),
        ("yes", "yes"),
        ("utf8s", "utf8s"),
        ("größen", "größen"),
        ("as", "as"),
    ] {
        assert_eq!(stem(word), expected, "of {word}");
    }
}

proptest::proptest! {
    #[test]
    fn any_text_gives_short_lower_case_words(text in ".{0,200}") {
        split(&text, &mut |word| {
            assert!(!word.is_empty() && word.len() <= LONGEST);
            assert!(!word.chars().any(|letter| letter.is_ascii_uppercase()));
        });
    }

    #[test]
    fn a_stem_is_no_longer_than_its_word(word in "[a-z]{0,20}") {
        assert!(stem(&word).len() <= word.len());
    }
}
