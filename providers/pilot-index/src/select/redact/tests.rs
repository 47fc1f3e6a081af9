//! What must go and what must stay. Probes are put together from parts, so that no scanner of a repository sees one.

use super::{
    redact, redact_without,
    rows::ROWS,
    tokens::{Piece, Set},
};

/// The text without its secrets must not hold any of these.
fn check(parts: &[&str], secrets: &[&str]) {
    let text = parts.concat();
    let out = redact(&text);
    for secret in secrets {
        assert!(!out.contains(secret), "{text:?} leaks {secret:?}: {out:?}");
    }
    assert!(out.contains("[redacted:"), "{text:?}: {out:?}");
    assert_eq!(redact(&out), out, "redacting twice changes {text:?}");
}

/// What a shape's row takes, made of few different characters, so that nothing but the row can find it.
fn probe(row: &super::rows::Row) -> (String, Vec<String>) {
    let mut text = row.start.to_owned();
    let mut secrets = Vec::new();
    for piece in row.rest {
        match *piece {
            Piece::Run(set, least) | Piece::RunWithDigit(set, least) => {
                let unit = match set {
                    Set::Digit => "12",
                    Set::Hex => "aaaaaaa1",
                    Set::Upper => "QQQQQQQ7",
                    _ => "qqqqqqq7",
                };
                let body: String = unit.chars().cycle().take(least).collect();
                if least >= 5 {
                    secrets.push(body.clone());
                }
                text.push_str(&body);
            }
            Piece::Text(part) => text.push_str(part),
            Piece::End => {}
        }
    }
    if secrets.is_empty() {
        secrets.push(text.clone());
    }
    (text, secrets)
}

#[test]
fn every_row_finds_what_nothing_else_finds() {
    assert!(ROWS.len() >= 52, "only {} rows", ROWS.len());
    let mut unneeded = Vec::new();
    for row in ROWS {
        let (probe, secrets) = probe(row);
        let text = format!("use {probe} for it");
        let out = redact(&text);
        assert!(secrets.iter().all(|secret| !out.contains(secret.as_str())), "{}: {out}", row.name);
        assert!(out.starts_with("use ") && out.ends_with(" for it"), "{}: {out}", row.name);
        assert!(out.contains(&format!("[redacted:{}]", row.name)), "{}: {out}", row.name);
        let without = redact_without(&text, Some(row.name));
        if !secrets.iter().any(|secret| without.contains(secret.as_str())) {
            unneeded.push((row.name, without));
        }
        let names: Vec<_> = ROWS.iter().filter(|other| other.name == row.name).collect();
        assert_eq!(names.len(), 1, "{} is there twice", row.name);
    }
    assert_eq!(unneeded, [], "what other rows find as well");
}

#[test]
fn the_twelve_probes_of_the_original() {
    check(&["key AK", "IAIOSFODNN7EXAMPLE here"], &["IOSFODNN7"]);
    check(&["curl -H 'Authorization: Bea", "rer abc.def-ghi123456' x"], &["abc.def", "ghi123456"]);
    check(&["ey", "JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"], &["JhbGciOi", "c2lnbmF0dXJl"]);
    check(&["sk-", "proj-abcdEFGH1234ijklMNOP5678"], &["abcdEFGH", "5678"]);
    check(&["github", "_pat_11ABCDEFG0abcdefghijkl_mnopqrstuv"], &["11ABCDEFG0", "mnopqrstuv"]);
    check(&["gl", "pat-abcdefghij0123456789"], &["abcdefghij"]);
    check(&["xo", "xb-123456789012-abcdefGHIJKL"], &["123456789012", "GHIJKL"]);
    check(&["AI", "zaSyA1234567890abcdefghijklmnopqrstuv"], &["SyA1234567890"]);
    check(
        &[
            "-----BEGIN RSA PRIV",
            "ATE KEY-----\nMIIEowIBAAKCAQEA\nabc\n-----END RSA PRIV",
            "ATE KEY----- after",
        ],
        &["MIIEow", "abc"],
    );
    check(&["postgres://app:hun", "ter2@db.example.org/x"], &["hunter2"]);
    check(&["pass", "word: \"two words\" ok"], &["two", "words"]);
    check(&["API_K", "EY=abcdef and SECRET_TOK", "EN: qwertz99"], &["abcdef", "qwertz99"]);
}

#[test]
fn values_behind_names_go() {
    for (parts, secrets) in [
        (&["export DB_PASS", "WORD=correct horse battery\nnext"][..], &["correct", "horse", "battery"][..]),
        (&["{\"api", "Key\": \"zz-top\", \"b\": 1}"], &["zz-top"]),
        (&["pass", "word = 'it\\'s me'; go"], &["it", "me"]),
        (&["client_sec", "ret => `abc def`"], &["abc def"]),
        (&["let tok", "en: &str = \"plainwords\";"], &["plainwords"]),
        (&["tok", "en = b\"raw bytes\""], &["raw bytes"]),
        (&["DefaultEndpointsProtocol=https;AccountName=a;Account", "Key=Zm9vYmFy==;Suffix=x"], &["Zm9vYmFy"]),
        (&["Server=db;User Id=sa;Pass", "word=hunter;Encrypt=1"], &["hunter"]),
        (&["heroku_api_k", "ey: 12345678-1234-1234-1234-123456789012"], &["12345678-1234"]),
        (&["DD_API_K", "EY=0123456789abcdef0123456789abcdef"], &["0123456789abcdef"]),
        (&["ALGOLIA_ADMIN_K", "EY: \"0123456789abcdef0123456789abcdef\""], &["0123456789abcdef"]),
        (&["tool --pass", "word hunter2 --verbose"], &["hunter2"]),
        (&["tool --api-k", "ey=hunter"], &["hunter"]),
        (&["tool --tok", "en 'ab cd'"], &["ab cd"]),
        (&["machine h.example\n  login me\n  pass", "word s3same\n"], &["s3same"]),
        (&["machine h login me pass", "word sesame"], &["sesame"]),
        (&["the pass", "word is hunter2, ok"], &["hunter2"]),
        (&["spring.datasource.pass", "word=hunter"], &["hunter"]),
        (&["pass", "word: hunter"], &["hunter"]),
        (&["PGPASS", "WORD=h psql"], &["h psql"]),
        (&["auth_tok", "en: pre.fix9"], &["pre.fix9"]),
        (&["pass", "word: \"never closed\nnext line"], &["never closed"]),
    ] {
        check(parts, secrets);
    }
}

#[test]
fn what_commands_are_given_goes() {
    for (parts, secrets) in [
        (&["mysql -u root -pS3cret", "Pw99 shop"][..], &["S3cretPw99"][..]),
        (&["`/usr/bin/mysqldump -phun", "ter shop`"], &["hunter"]),
        (&["run: curl -sS -u admin:hun", "ter22 https://h.example/x"], &["hunter22"]),
        (&["curl --proxy-user 'a b:two wo", "rds' x"], &["two", "words"]),
        (&["curl -sSu admin:sword", "fish x"], &["swordfish"]),
        (&["curl -uadmin:swordfish x"], &["swordfish"]),
        (&["curl -X POST \\\n  -H 'a: b' \\\n  -u me:sword", "fish x"], &["swordfish"]),
        (&["sshpass -p Tr0ub", "4dor ssh h"], &["Tr0ub4dor"]),
        (&["sshpass -p 'correct ho", "rse' ssh h"], &["correct", "horse"]),
        (&["docker login -u me -p swordfish reg.example"], &["swordfish"]),
        (&["redis-cli -h c -a swordfish PING"], &["swordfish"]),
        (&["ldapsearch -x -D cn=a -w swordfish"], &["swordfish"]),
        (&["smbclient //h/s -U me%swordfish"], &["swordfish"]),
        (&["other -pS3cret", "Pw99"], &["S3cretPw99"]),
        (&["other -u admin:hun", "ter22"], &["hunter22"]),
    ] {
        check(parts, secrets);
    }
}

#[test]
fn what_prose_says_a_secret_is_goes() {
    for (parts, secrets) in [
        (&["the pass", "word for prod: Summer", "2026"][..], &["Summer2026"][..]),
        (&["The pass", "word to the old server is: hunter, thanks"], &["hunter"]),
        (&["the sec", "ret is: swordfish la", "ke"], &["swordfish", "lake"]),
        (
            &["MY_PASS", "PHRASE: correct horse battery staple\nnext"],
            &["correct", "horse", "battery", "staple"],
        ),
        (&["my pass", "phrase: correct horse battery staple"], &["correct", "horse", "battery", "staple"]),
        (&["- DB_PASS", "WORD: two words"], &["two", "words"]),
        (&["Pass", "word for prod is Summer", "2026."], &["Summer2026"]),
        (&["the PIN for the alarm is ", "4821"], &["4821"]),
        (&["the API k", "ey for prod: abc", "123def"], &["abc123def"]),
        (&["api k", "ey: abc", "123def"], &["abc123def"]),
        (&["my pass", "word: Summer 20", "26!"], &["Summer", "2026"]),
        (&["sec", "ret: swordfish la", "ke"], &["swordfish", "lake"]),
        (&["pass", "phrase = correct horse battery staple"], &["correct", "horse", "battery", "staple"]),
        (&["pin=", "4821"], &["4821"]),
        (&["card_pin: \"", "4821\""], &["4821"]),
        (&["the pin is ", "4821."], &["4821"]),
        (&["the PIN for the door: ", "4821"], &["4821"]),
        (&["pass", "code: 4821"], &["4821"]),
        (&["seed JBSWY3DP", "EHPK3PXP in it"], &["JBSWY3DP", "EHPK3PXP"]),
        (&["GEZDGNBVGY3T", "QOJQGEZDGNBVGY3TQOJQ"], &["GEZDGNBVGY3TQOJQ"]),
    ] {
        check(parts, secrets);
    }
}

#[test]
fn addresses_and_headers_lose_their_secrets() {
    for (parts, secrets) in [
        (&["https://me:p%40ss@w0rd", "@host/x"][..], &["p%40ss", "w0rd"][..]),
        (&["https://0123456789abcdef0123456789ab", "cdef@o1.ingest.example/2"], &["0123456789abcdef"]),
        (&["redis://:s3cret", "@cache:6379/0"], &["s3cret"]),
        (&["https://a.example/x?page=2&api_k", "ey=abcdefgh&sort=1"], &["abcdefgh"]),
        (&["https://b.example/x?sv=1&si", "g=abc%2Bdef%3D"], &["abc%2B"]),
        (&["https://s.example/x?X-Amz-Sig", "nature=0a1b2c3d4e&y"], &["0a1b2c3d4e"]),
        (&["Authoriz", "ation: Basic dXNlcjpwYXNz"], &["dXNlcjpwYXNz"]),
        (&["\"authoriz", "ation\": \"token abcd efgh\","], &["abcd", "efgh"]),
        (&["Coo", "kie: sid=abc123; theme=dark\nAccept: x"], &["abc123"]),
        (&["Set-Coo", "kie: sid=abc123; HttpOnly"], &["abc123"]),
        (&["Proxy-Authoriz", "ation: Basic dXNlcjpwYXNz"], &["dXNlcjpwYXNz"]),
        (&["with bea", "rer a1b2c3d4 set"], &["a1b2c3d4"]),
        (&["https://hooks.slack", ".com/services/T00/B00/XyzXyzXyz"], &["XyzXyzXyz"]),
        (&["https://discord.com/api/web", "hooks/123456789/abcdefghijkl"], &["abcdefghijkl"]),
    ] {
        check(parts, secrets);
    }
}

/// A seed that no wallet has.
const SEED: &str = "legal winner thank year wave sausage worth useful legal winner thank yellow";

#[test]
fn secrets_of_plain_words_lose_all_of_them() {
    let words: Vec<&str> = SEED.split(' ').collect();
    let grouped = words.chunks(4).map(|group| group.join(" ")).collect::<Vec<_>>().join("\n");
    let numbered: String =
        words.iter().enumerate().map(|(at, word)| format!("{}. {word}\n", at + 1)).collect();
    let quoted = format!("[\"{}\"]", words.join("\", \""));
    for (name, phrase) in [
        ("my seed phrase: ", SEED),
        ("The Recovery Phrase is ", SEED),
        ("MNEMONIC=", SEED),
        ("the seed words of the test wallet are\n", &grouped),
        ("recovery words:\n", &numbered),
        ("let mnemonic = ", &quoted),
        ("mnemonic twice: ", &format!("{SEED} {SEED}")),
    ] {
        check(&[name, phrase, "\nand then go on"], &["legal", "winner", "thank", "yellow", "useful"]);
        assert!(redact(&[name, phrase, "\nand then go on"].concat()).contains("go on"), "{name}");
    }
    for text in
        ["the password is correct horse battery staple", "My passphrase was correct horse battery staple."]
    {
        check(&[text], &["correct", "horse", "battery", "staple"]);
    }
}

#[test]
fn tokens_without_a_name_go_by_their_form() {
    for (parts, secrets) in [
        (&["bot 123456789", ":AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"][..], &["AAHdqTcv"][..]),
        (&["MTIzNDU2Nzg5MDEyMzQ1Njc4", ".Gabc12.abcdefghijklmnopqrstuvwxyz0"], &["Gabc12", "vwxyz0"]),
        (&["0123456789abcdef0123456789ab", "cdef-us12"], &["0123456789abcdef"]),
        (&["abc8Q~dEfGhIjKlMnOpQ", "rStUvWxYz0123456789"], &["dEfGhIjKl"]),
        (&["aws wJ4lrXUt2FEMi/K7MDeNG", "/bPxRf1CYzq8MplEk3Y now"], &["wJ4lrX", "MplEk3Y"]),
        (&["use 9fK2mQ7xW4vB8nT1", "cR6yH3zL5 there"], &["9fK2mQ7x"]),
        (&["use k3x9w2m5q8z1v7t4", "p6r0j2n5h8g3 there"], &["k3x9w2m5"]),
        (&["PuTTY-User-Key-File-3: x\nPrivate-", "Lines: 1\nAAAAQ\nPrivate-", "MAC: ff"], &["AAAAQ"]),
        (&["-----BEGIN PGP PRIV", "ATE KEY BLOCK-----\nlQOYBF cut off"], &["lQOYBF"]),
        (
            &["-----BEGIN OPENSSH PRIV", "ATE KEY-----\\nb3BlbnNz\\n-----END OPENSSH PRIV", "ATE KEY-----"],
            &["b3Blbn"],
        ),
    ] {
        check(parts, secrets);
    }
}

#[test]
fn what_is_no_secret_stays() {
    for text in [
        "fixed in 9f2c4e1 and 3d1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f",
        "sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 of it",
        "id 123e4567-e89b-12d3-a456-426614174000",
        "sdk/provider/src/export.rs and /home/u/projects/tool/v2/src/Main.java",
        "shouldReturnTheFirstMatchingSymbolWhenSeveralAreThere2",
        "AbstractSingletonProxyFactoryBeanImplV2Test",
        "MAX_NUMBER_OF_RETRIEVED_TOKENS_PER_REQUEST_2",
        "an_updated_index_ranks_the_same_as_a_fresh_one_after_500_edits",
        "https://example.org/a/b?page=2&sort=asc#part",
        "git@github.com:owner/repo.git and user@example.org",
        "pub struct Login { password: String, token: Option<Token> }",
        "fn login(user: &str, password: &str) -> Token",
        "const token = await getToken(request);",
        "password = os.environ[\"HOME_DIR\"]",
        "let secret = load_secret(path)?;",
        "self.token = config.token",
        "maxRetrievedTokens: 30000, max_tokens = 4096, token_count: 12",
        "Fix the tokenizer: it drops words after a password field",
        "the token must not be empty; token: null, password: None",
        "API_KEY=${API_KEY} and password: <your password>",
        ".sk-fading-circle-animated-loader { color: red }",
        "the bearer of bad news, basic authentication is used",
        "authorization: the middleware checks the role",
        "primary_key = \"id\", foreignKey: 'user_id', cache_key=\"a:b\"",
        "the cookie: parser drops it",
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        "version 1.2.3-beta.4+build.567 of 2026-12-01T08:00:00.000Z",
        "fe80::1ff:fe23:4567:890a and 192.168.0.1:8080",
        "npm_config_registry, hf_hub_download, key-value, pul-request",
        "token: Token, secret: Secret, password: Password",
        "pwd=/home/user/project",
        "AKIA is how such keys begin, and ghp_ too",
        "größe: 12, Überprüfung der Passwörter für die Prüfung",
        "docker run -p 8080:80 -u 1000:1000 -p3000:3000 img, find . -print -path x, gcc -pthread -pedantic",
        "mysql -p shop, mkdir -p a/b/c, cp -pr a b, psql -p 5432, ssh -p 2222 h, chown -u me:staff, curl -u me x",
        "curl -u $USER:$PASSWORD and sshpass -p \"$PW\" and mysql -p${PW} and docker login -p <token>",
        "the password for admins: it must be rotated, the secret is: never log it",
        "PASS: all tests pass, FAIL: token: 3 of 4, TOKEN: the name of the token",
        "the token in line 3: unexpected, a pass in phase two: inline calls, the token at offset: 12",
        "password in config: read it from env, the key for the map: user id, the secret of good code is: simplicity",
        "DB_PASSWORD: process.env.DB_PASSWORD",
        "the token for retries: renew it, the api key for the map is optional, password is set in step 3",
        "the password is wrong, the password is too short for this, the password is checked twice before login",
        "the password is validated server side before login works, the password was empty all day long yesterday",
        "the mnemonic for the seed phrase has to be twelve words from the list, and a seed phrase never leaves the wallet",
        "recovery phrase screen: show words, hide words, copy words",
        "gpio pin=13 and pin: left, Pin<Box<T>>, the pin is 13, pinned: 20260101",
        "AUTHENTICATIONV2 BASE64ENCODEDSTRING INTERNATIONALIZATION ISO8859CHARSETNAME EXPERIMENTAL2FEATURES",
        "import { createServer } from '@company/http-server-v2/lib/createServer'",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn hostile_texts_are_read_in_one_pass() {
    for unit in [
        "a",
        "sk-",
        "sk-proj-",
        "ghp_",
        "password=\"",
        "password='x password=\"",
        "://",
        "://a:b",
        "?key=",
        "Bearer ",
        "-----BEGIN RSA PRIV",
        "-----BEGIN x-----",
        "eyJ",
        "é",
        "\u{1F600}",
        "Private-Lines:",
        "cookie:",
        "login ",
        "AAAA",
        "\"",
        "[redacted ",
        "EAA",
        "authorization: bearer ",
        "--token ",
        "token:a::",
        "password:$",
        "PASSPHRASE: <",
        "PASSPHRASE: a::",
        "the secret is: it ",
        "password for ",
        "password for:",
        "curl ",
        "curl -u ",
        "curl -u a:",
        "sshpass -p '",
        "-p",
        "pin is ",
        "password is ",
        "mnemonic ",
        "mnemonic word ",
        "JBSWY3",
    ] {
        let text = unit.repeat(100_000 / unit.len());
        let out = redact(&text);
        assert!(out.len() <= text.len() * 12, "{unit}");
    }
}

#[test]
fn cuts_fall_between_characters() {
    let text = ["päss password: \"ß", "ü😀\" x://ü:ß", "@ü?key=ß", "ßßßß Bearer ", "ü"].concat();
    for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
        let _ = redact(&text[..end]);
    }
}
