//! The token to ask with.

use std::{fs, path::Path};

use ctxhost_protocol::codebase_index::{DEVELOPMENT_FILE, Development};
use url::Url;

use super::Call;
use crate::{private, surroundings::Surroundings};

/// The token of the command line, of the file that it names, or of the development backend of this user, where the
/// address is its.
pub(super) fn find(call: &Call, surroundings: &Surroundings) -> Result<String, String> {
    if let Some(token) = &call.token {
        return Ok(token.trim().to_owned());
    }
    if let Some(path) = &call.token_file {
        return read(path);
    }
    development(&call.url, surroundings).ok_or_else(|| {
        format!("there is no token for {}; give `--token-file FILE` or `--token TOKEN`", call.url)
    })
}

/// The token in a file.
pub(super) fn read(path: &Path) -> Result<String, String> {
    let text = fs::read_to_string(path)
        .map_err(|error| format!("cannot read the token in {}: {error}", path.display()))?;
    Ok(text.trim().to_owned())
}

fn development(url: &str, surroundings: &Surroundings) -> Option<String> {
    let folder = surroundings.state_home()?.join("ctxhost").join("providers").join("codebase-index");
    let text = private::read(&folder.join(DEVELOPMENT_FILE)).ok()??;
    let development: Development = serde_json::from_str(&text).ok()?;
    let same = Url::parse(url).ok()?.origin() == Url::parse(&development.url).ok()?.origin();
    same.then_some(development.token)
}
