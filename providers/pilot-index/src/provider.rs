//! The provider: what each question is answered with.

use ctxhost_sdk::prelude::*;

use crate::settings::{Limits, Settings};

/// The provider `pilot-index`.
pub struct PilotIndex {
    limits: Limits,
}

impl Provider for PilotIndex {
    type Settings = Settings;

    fn new(_setup: Setup, settings: Settings) -> Result<Self> {
        Ok(Self { limits: Limits::of(&settings) })
    }

    fn event(&self, cx: &Cx<'_>, _request: Request) -> Result<Reply> {
        cx.check()?;
        Ok(Reply::new().data(json!({"mode": self.limits.mode}))?)
    }
}
