//! The provider: what each question is answered with.

mod context;
mod writing;

use ctxhost_sdk::prelude::*;

use crate::settings::Settings;

/// The provider `project-map`.
pub struct ProjectMap {}

impl Provider for ProjectMap {
    type Settings = Settings;

    fn new(_setup: Setup, _settings: Settings) -> Result<Self> {
        Ok(Self {})
    }

    fn event(&self, cx: &Cx<'_>, _request: Request) -> Result<Reply> {
        cx.check()?;
        Ok(Reply::new())
    }
}
