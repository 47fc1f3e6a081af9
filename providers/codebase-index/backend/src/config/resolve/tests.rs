use std::{fs, os::unix::fs::PermissionsExt, sync::Arc};

use tempfile::TempDir;

use super::*;

fn surroundings() -> Surroundings {
    let variable = |name: &str| match name {
        "HOME" => Some("/home/me".into()),
        // Relative ones are as if they were not set.
        "XDG_DATA_HOME" => Some("data".into()),
        "XDG_STATE_HOME" => Some("/state".into()),
        _ => None,
    };
    Surroundings { variable: Arc::new(variable), clock: Arc::new(|| 0) }
}

struct Files(TempDir);

impl Files {
    fn new(settings: &str) -> Self {
        let files = Self(tempfile::tempdir().expect("a folder"));
        fs::write(files.0.path().join("index.toml"), settings).expect("settings");
        files.secret("s3cret\n", 0o600);
        files
    }

    fn secret(&self, text: &str, mode: u32) {
        let path = self.0.path().join("secret");
        fs::write(&path, text).expect("a secret");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("a mode");
    }

    fn resolve(&self) -> Result<Config, String> {
        let given = Given { config: Some(self.0.path().join("index.toml")), ..Given::default() };
        Config::resolve(&given, &surroundings()).map_err(|error| error.to_string())
    }
}

const GITHUB: &str = "[auth.github]\nclient_id = 'id'\nclient_secret_file = 'secret'\norgs = ['Acme']\n";

#[test]
fn without_settings_it_is_for_one_person_on_this_machine() {
    let config = Config::resolve(&Given::default(), &surroundings()).expect("a config");
    assert_eq!(config.listen.to_string(), "127.0.0.1:7171");
    assert_eq!(config.database, Path::new("/home/me/.local/share/ctxhost-index/index.sqlite"));
    assert_eq!(config.base_path, "/codebase-index");
    let file = "/state/ctxhost/providers/codebase-index/development.json";
    assert_eq!(config.development_file.as_deref(), Some(Path::new(file)));
    let dev = config.auth.dev.expect("dev is on");
    assert_eq!((dev.user.as_str(), dev.login), ("dev", false));
    assert!(config.auth.github.is_none());
}

#[test]
fn a_team_logs_in_by_github_and_has_no_development_file() {
    let files = Files::new(&format!(
        "listen = '0.0.0.0:80'\nbase_path = '/x/y/'\npublic_url = 'https://index.example.org/'\n\
         database = 'sub/i.sqlite'\n{GITHUB}"
    ));
    let config = files.resolve().expect("a config");
    assert_eq!((config.base_path.as_str(), config.https), ("/x/y", true));
    assert_eq!(config.database, files.0.path().join("sub/i.sqlite"));
    assert!(config.auth.dev.is_none() && config.development_file.is_none());
    let github = config.auth.github.expect("github is on");
    assert_eq!(github.callback_url.as_str(), "https://index.example.org/auth/github/callback");
    assert_eq!((github.orgs, github.client_secret), (vec!["acme".to_owned()], "s3cret".to_owned()));
    assert_eq!(github.token_url.as_str(), "https://github.com/login/oauth/access_token");
}

#[test]
fn the_command_line_goes_before_the_file() {
    let files = Files::new("listen = '127.0.0.1:1'\ndatabase = 'a.sqlite'\n");
    let given = Given {
        config: Some(files.0.path().join("index.toml")),
        listen: Some("localhost:2".to_owned()),
        database: Some("/b.sqlite".into()),
    };
    let config = Config::resolve(&given, &surroundings()).expect("a config");
    assert_eq!((config.listen.port(), config.database.as_path()), (2, Path::new("/b.sqlite")));
}

#[test]
fn what_cannot_be_used_is_named() {
    for (settings, named) in [
        ("lisen = 'x'", "lisen"),
        ("listen = 'here'", "`listen`"),
        ("listen = '0.0.0.0:7171'", "`auth.dev`"),
        ("listen = '[::]:7171'\n[auth.dev]\n", "`auth.dev`"),
        ("base_path = 'x'", "`base_path`"),
        ("base_path = '/auth/x'", "`base_path`"),
        ("base_path = '/a/../b'", "`base_path`"),
        ("base_path = '/{a}'", "`base_path`"),
        ("public_url = 'ftp://x'", "`public_url`"),
        ("public_url = 'https://u:p@x/'", "`public_url`"),
        ("max_in_flight = 0", "`max_in_flight`"),
        ("[embedder]\nurl = 'http://x.example'\nmodel = 'm'", "`embedder.url`"),
        ("[auth.dev]\nuser = ''", "`auth.dev.user`"),
        ("[auth.github]\nclient_id = 'id'\nclient_secret_file = 'secret'\norgs = []", "`auth.github.orgs`"),
        ("[auth.github]\nclient_id = 'id'\norgs = ['a']", "client_secret_file"),
        (&format!("{GITHUB}api_url = 'github'"), "`auth.github.api_url`"),
    ] {
        let message = Files::new(settings).resolve().expect_err(settings);
        assert!(message.contains(named), "{settings}: {message}");
    }
}

#[test]
fn a_secret_that_others_can_read_or_that_is_empty_is_refused() {
    let files = Files::new(GITHUB);
    assert!(files.resolve().is_ok());
    files.secret("s3cret", 0o644);
    let message = files.resolve().expect_err("others can read it");
    assert!(message.contains("0600") && !message.contains("s3cret"), "{message}");
    files.secret(" \n", 0o600);
    assert!(files.resolve().expect_err("it is empty").contains("empty"));
    fs::remove_file(files.0.path().join("secret")).expect("removed");
    assert!(files.resolve().expect_err("it is gone").contains("not there"));
}
