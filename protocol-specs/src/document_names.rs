//! Names with capital letters in tables that environment variables add to.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// Reads a table in which names may also be written in lower case, as the names of environment variables give them. Where
/// both are there, the lower-case one counts, because the environment goes before files.
pub(crate) fn in_document_case<'de, D: Deserializer<'de>>(
    reader: D,
    names: &[&str],
) -> Result<Value, D::Error> {
    let mut table = Map::deserialize(reader)?;
    for name in names {
        if let Some(value) = table.remove(&name.to_ascii_lowercase()) {
            table.insert((*name).to_owned(), value);
        }
    }
    Ok(Value::Object(table))
}
