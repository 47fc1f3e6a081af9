//! Whole numbers as JSON Schema understands them: `2.0` is the integer `2`, and some languages write it so.

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Up to here a double still tells every whole number from its neighbours; the schemas allow no larger one.
const EXACT: f64 = 9_007_199_254_740_991.0;

/// Reads a value whose whole numbers may be written with an empty fraction.
pub(crate) fn whole<'de, D: Deserializer<'de>, T: DeserializeOwned>(reader: D) -> Result<T, D::Error> {
    let mut value = Value::deserialize(reader)?;
    drop_empty_fractions(&mut value);
    T::deserialize(value).map_err(D::Error::custom)
}

/// Reads the same, and `null` as the default.
pub(crate) fn whole_or_default<'de, D, T>(reader: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + DeserializeOwned,
{
    Ok(whole::<D, Option<T>>(reader)?.unwrap_or_default())
}

fn drop_empty_fractions(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(drop_empty_fractions),
        Value::Object(fields) => fields.values_mut().for_each(drop_empty_fractions),
        _ => {
            if let Some(float) = value.as_f64().filter(|_| value.is_f64())
                && float.fract() == 0.0
                && float.abs() <= EXACT
            {
                *value = Value::from(float as i64);
            }
        }
    }
}
