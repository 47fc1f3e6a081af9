//! Commands about the memory.

use std::path::Path;

use ctxhost_sdk::prelude::*;

use super::Asked;
use crate::source::memory::Store;

impl Asked<'_> {
    /// Whether it is on, how many episodes it has, and where.
    pub(super) fn memory_stats(&self) -> CommandReply {
        let session = &self.request.session;
        let switches = self.provider.board.read(Path::new(&session.cwd));
        let off = self.provider.memory_off(session, switches);
        let store = Store::at(Path::new(&session.cwd));
        let enabled = off.map_or("yes".to_owned(), |why| format!("no, {why}"));
        let path = store.file().display().to_string();
        match self.provider.episodes(session, self.request.now) {
            Ok((episodes, corrupt)) => {
                let broken = if corrupt == 0 {
                    String::new()
                } else {
                    format!("\nlines that are no episode: {corrupt}")
                };
                let text = format!("enabled: {enabled}\nepisodes: {episodes}\npath: {path}{broken}");
                let data =
                    json!({"enabled": off.is_none(), "episodes": episodes, "path": path, "corrupt": corrupt});
                CommandReply::said(exit::OK, text).structured(data)
            }
            Err(problem) => {
                CommandReply::said(exit::FINDINGS, format!("enabled: {enabled}\n{path} {problem}"))
            }
        }
    }

    /// Deletes the episodes.
    pub(super) fn memory_clear(&self) -> CommandReply {
        match self.provider.forget(&self.request.session) {
            Ok(number) => CommandReply::said(exit::OK, format!("{number} episodes deleted"))
                .structured(json!({"deleted": number})),
            Err(problem) => CommandReply::said(exit::FINDINGS, format!("the memory {problem}")),
        }
    }
}
