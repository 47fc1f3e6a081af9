//! A complete provider: build it with `cargo build --release -p ctxhost-sdk --example hello`.
use ctxhost_sdk::prelude::*;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Settings {
    greeting: String,
}
struct Hello(Settings);

impl Provider for Hello {
    type Settings = Settings;

    fn new(_setup: Setup, settings: Settings) -> Result<Self> {
        Ok(Hello(settings))
    }

    fn event(&self, _cx: &Cx<'_>, request: Request) -> Result<Reply> {
        let prompt: PromptData = request.data_as()?;
        let body =
            format!("{} The prompt has {} words.\n", self.0.greeting, prompt.text.split_whitespace().count());
        Ok(Reply::new().section(Section::prompt("words", Trust::Tool).title("Words").body(body)))
    }
}
export_provider!(Hello, id = "hello", title = "Counts words", spec = "envelope/v1", events = ["prompt"]);
