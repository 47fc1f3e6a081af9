use std::fs;

use serde_json::json;
use tempfile::TempDir;

use super::*;

struct Case {
    folder: TempDir,
    surroundings: Surroundings,
}

impl Case {
    fn new(user: &str, project: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut surroundings = Surroundings::empty();
        surroundings.home = Some(folder.path().join("home"));
        fs::create_dir_all(folder.path().join("home/.config/ctxhost")).unwrap();
        fs::create_dir_all(folder.path().join("work/sub")).unwrap();
        fs::write(folder.path().join("home/.config/ctxhost/config.toml"), user).unwrap();
        fs::write(folder.path().join("work").join(PROJECT_FILE), project).unwrap();
        Self { folder, surroundings }
    }

    fn env(mut self, name: &str, value: &str) -> Self {
        self.surroundings.env.insert(name.to_owned(), value.to_owned());
        self
    }

    fn read(&self) -> (Settings, Vec<String>) {
        self.read_with(&Flags::default())
    }

    fn read_with(&self, flags: &Flags) -> (Settings, Vec<String>) {
        let (settings, findings) =
            Settings::read(&self.surroundings, &self.folder.path().join("work/sub"), flags);
        (settings, findings.into_iter().map(|finding| finding.code).collect())
    }
}

fn manifest() -> Manifest {
    Manifest {
        id: "my-provider".to_owned(),
        settings_schema: Some(json!({"properties": {
            "free": {PROJECT_KEY: "always"}, "known": {PROJECT_KEY: "trusted"}, "url": {},
        }})),
        ..Manifest::default()
    }
}

#[test]
fn the_first_layer_that_says_something_wins() {
    let case = Case::new("max_tokens = 500\nrepeat = \"always\"\norder = [\"b\"]", "max_tokens = 400");
    assert_eq!(case.read().0.max_tokens, Some(400));
    let case = case.env("CTXHOST_MAX_TOKENS", "450");
    assert_eq!(case.read().0.max_tokens, Some(450));
    let flags = Flags { max_tokens: Some(7), repeat: Some(Repeat::OnChange), ..Flags::default() };
    let (settings, codes) = case.read_with(&flags);
    assert_eq!(
        (settings.max_tokens, settings.repeat, settings.order),
        (Some(7), Repeat::OnChange, vec!["b".to_owned()])
    );
    assert!(codes.is_empty());
}

#[test]
fn a_project_narrows_and_never_widens() {
    let user = "max_tokens = 500\n[deadline_caps]\nprompt = 200\n[providers.a]\nenabled = false\n";
    let project = "max_tokens = 600\nrepeat = \"always\"\ntrusted = [\"/\"]\norder = []\n\
                   [deadline_caps]\nprompt = 300\n\"tool.before\" = 100\n\
                   [providers.a]\nenabled = true\n[providers.b]\nenabled = false\npowers = [\"block\"]\n";
    let (settings, codes) = Case::new(user, project).read();
    assert_eq!(settings.max_tokens, Some(500));
    assert_eq!(settings.repeat, Repeat::OnChange);
    assert!(!settings.trusted);
    assert_eq!(
        (settings.deadline_ms(None, "prompt"), settings.deadline_ms(None, "tool.before")),
        (Some(200), Some(100))
    );
    assert_eq!(
        (settings.is_enabled("a"), settings.is_enabled("b"), settings.is_enabled("c")),
        (false, false, true)
    );
    assert!(settings.granted_powers("b").is_empty());
    assert_eq!(codes, vec!["project-refused"; 7]);
}

#[test]
fn a_project_sets_what_a_provider_calls_harmless() {
    let user = "[providers.my-provider]\nfree = 1\nurl = \"mine\"\n";
    let project = "[providers.my-provider]\nfree = 2\nknown = 2\nurl = \"theirs\"\nother = 2\n";
    let (settings, _) = Case::new(user, project).read();
    let (table, findings) = settings.provider_table(&manifest());
    assert_eq!(table, json!({"free": 2, "url": "mine"}));
    assert_eq!(findings.len(), 3);
    assert!(findings.iter().all(|finding| finding.code == "project-refused" && finding.hint.is_some()));

    let case = Case::new("trusted = [\"~/../work\"]", project);
    let trusted = format!("trusted = [\"{}\"]", case.folder.path().join("work").display());
    let (settings, _) = Case { ..case }.with_user(&trusted).read();
    assert!(settings.trusted);
    assert_eq!(settings.provider_table(&manifest()).0, json!({"free": 2, "known": 2}));
}

impl Case {
    fn with_user(self, user: &str) -> Self {
        fs::write(self.folder.path().join("home/.config/ctxhost/config.toml"), user).unwrap();
        self
    }
}

#[test]
fn the_environment_reaches_a_providers_table() {
    let case = Case::new("[providers.my-provider]\nfree = 1\n", "")
        .env("CTXHOST_MY_PROVIDER_FREE", "3")
        .env("CTXHOST_MY_PROVIDER_NAME", "a b")
        .env("CTXHOST_MY_PROVIDER_ON", "true");
    assert_eq!(case.read().0.provider_table(&manifest()).0, json!({"free": 3, "name": "a b", "on": true}));
}

#[test]
fn a_bad_file_is_one_finding_and_the_rest_holds() {
    let (settings, codes) = Case::new("max_tokens = [", "max_tokens = 400").read();
    assert_eq!((settings.max_tokens, codes), (Some(400), vec!["settings-unreadable".to_owned()]));
    let (settings, codes) = Case::new("max_tokens = \"many\"\nno_such = 1\nrepeat = \"never\"", "").read();
    assert_eq!(settings.max_tokens, None);
    assert_eq!(codes, ["setting-type", "unknown-setting", "setting-type"]);
    let case = Case::new("", "");
    fs::remove_file(case.folder.path().join("work").join(PROJECT_FILE)).unwrap();
    fs::create_dir(case.folder.path().join("work").join(PROJECT_FILE)).unwrap();
    assert_eq!(case.read().1, ["settings-unreadable"]);
}

#[test]
fn a_manifest_asks_and_the_users_cap_bounds() {
    let asks = |ms| Manifest { deadlines: [("prompt".to_owned(), ms)].into(), ..Manifest::default() };
    let (settings, _) = Case::new("", "").read();
    assert_eq!(settings.deadline_ms(None, "prompt"), Some(300));
    assert_eq!(settings.deadline_ms(Some(&asks(15_000)), "prompt"), Some(15_000));
    assert_eq!(settings.deadline_ms(Some(&asks(50_000)), "prompt"), Some(20_000));
    assert_eq!(settings.deadline_ms(None, "command"), None);
    let (settings, _) = Case::new("[deadlines]\nprompt = 700", "").read();
    assert_eq!(settings.deadline_ms(Some(&asks(15_000)), "prompt"), Some(700));
    let (settings, _) = Case::new("[deadline_caps]\nprompt = 100\ncommand = 5", "").read();
    assert_eq!(settings.deadline_ms(Some(&asks(15_000)), "prompt"), Some(100));
    assert_eq!(settings.deadline_ms(None, "command"), Some(5));
}

#[test]
fn a_project_file_is_looked_for_up_to_the_repository_and_not_in_the_home() {
    let case = Case::new("", "max_tokens = 400");
    fs::create_dir(case.folder.path().join("work/sub/.git")).unwrap();
    assert_eq!(case.read().0.max_tokens, None, "the file lies above the repository");
    let mut case = Case::new("", "max_tokens = 400");
    case.surroundings.home = Some(case.folder.path().join("work"));
    assert_eq!(case.read().0.max_tokens, None, "the file lies in the home folder");
}
