use std::sync::Arc;

use super::*;

fn resolve(text: &str) -> Result<Settings, String> {
    let variable: Environment = Arc::new(|name| match name {
        "KEY" => Some(" k3y\n".into()),
        "EMPTY" => Some("".into()),
        _ => None,
    });
    let written: Written = toml::from_str(text).map_err(|error| error.to_string())?;
    written.resolve(&variable).map_err(|error| error.to_string())
}

#[test]
fn servers_are_named_in_three_ways() {
    for (url, endpoint) in [
        ("https://api.openai.com/v1", "https://api.openai.com/v1/embeddings"),
        ("https://x.example/", "https://x.example/v1/embeddings"),
        ("http://127.0.0.1:11434", "http://127.0.0.1:11434/v1/embeddings"),
        ("http://[::1]:1/v1/", "http://[::1]:1/v1/embeddings"),
        ("http://localhost/a/embeddings", "http://localhost/a/embeddings"),
        ("https://x.example/openai?api-version=1", "https://x.example/openai/v1/embeddings?api-version=1"),
    ] {
        let settings = resolve(&format!("url = '{url}'\nmodel = 'm'")).expect(url);
        assert_eq!(settings.model.url.as_str(), endpoint);
    }
}

#[test]
fn the_key_comes_from_the_environment_and_stays_out_of_sight() {
    let settings = resolve(
        "url = 'https://x.example'\nmodel = 'm'\napi_key_env = 'KEY'\n\
         [previous]\nurl = 'https://y.example'\nmodel = 'old'",
    )
    .expect("settings");
    assert_eq!(settings.model.api_key.as_deref(), Some("k3y"));
    assert!(!format!("{settings:?}").contains("k3y"));
    assert_eq!(settings.previous.expect("the one before").name, "old");
}

#[test]
fn what_cannot_be_used_is_named() {
    let base = "url = 'https://x.example'\nmodel = 'm'\n";
    for (text, named) in [
        ("model = 'm'".to_owned(), "url"),
        ("url = 'https://x.example'\nmodel = ' '".to_owned(), "`embedder.model`"),
        ("url = 'http://x.example'\nmodel = 'm'".to_owned(), "in the open"),
        ("url = 'ftp://localhost'\nmodel = 'm'".to_owned(), "`embedder.url`"),
        ("url = 'https://u:p@x.example'\nmodel = 'm'".to_owned(), "`embedder.url`"),
        ("url = 'here'\nmodel = 'm'".to_owned(), "`embedder.url`"),
        (format!("{base}batch = 0"), "`embedder.batch`"),
        (format!("{base}dimensions = 0"), "`embedder.dimensions`"),
        (format!("{base}api_key_env = 'NONE'"), "NONE, which is not set"),
        (format!("{base}api_key_env = 'EMPTY'"), "EMPTY, which holds no key"),
        (format!("{base}api_key = 'k'"), "api_key"),
    ] {
        let message = resolve(&text).expect_err(&text);
        assert!(message.contains(named), "{text}: {message}");
    }
}
