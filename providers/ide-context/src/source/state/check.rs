//! What `state.schema.json` asks, written by hand: a JSON pointer and a reason where a document fails it.
//!
//! The host has the schema and a validator; a provider has neither, and must not take a state that the host will then
//! refuse. A test holds both against the same examples.

use std::fmt;

use serde_json::Value;

use crate::error::OffSpec;

type Checked = Result<(), OffSpec>;
type Check = fn(&Value, Place<'_>) -> Checked;

/// Where in the document a check is, as a chain up to the root.
#[derive(Clone, Copy)]
struct Place<'a>(Option<(&'a Place<'a>, Step<'a>)>);

#[derive(Clone, Copy)]
enum Step<'a> {
    // Only fields of the schema are named here, and none of them needs escaping in a pointer.
    Field(&'a str),
    Item(usize),
}

impl<'a> Place<'a> {
    fn field(&'a self, name: &'a str) -> Self {
        Self(Some((self, Step::Field(name))))
    }

    fn item(&'a self, index: usize) -> Self {
        Self(Some((self, Step::Item(index))))
    }

    fn fails(self, reason: impl Into<String>) -> OffSpec {
        OffSpec { pointer: self.to_string(), reason: reason.into() }
    }

    fn expected(self, what: &str, found: &Value) -> OffSpec {
        self.fails(format!("it should be {what} and is {}", kind(found)))
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => Ok(()),
            Some((above, Step::Field(name))) => write!(out, "{above}/{name}"),
            Some((above, Step::Item(index))) => write!(out, "{above}/{index}"),
        }
    }
}

pub(super) fn state(document: &Value) -> Checked {
    object(
        document,
        Place(None),
        &[
            ("pid", process_id),
            ("cwd", text),
            ("timestamp", number),
            ("app", name),
            ("active_buffer", buffer),
        ],
        &[("product", text), ("argv", texts), ("database", database)],
    )
}

fn buffer(value: &Value, place: Place<'_>) -> Checked {
    object(
        value,
        place,
        &[("name", text)],
        &[
            ("file", text),
            ("language", text),
            ("cursor", position),
            ("selection", selection),
            ("modified", boolean),
            ("lines_total", count),
        ],
    )
}

fn position(value: &Value, place: Place<'_>) -> Checked {
    object(value, place, &[], &[("line", count), ("column", count)])
}

fn selection(value: &Value, place: Place<'_>) -> Checked {
    object(
        value,
        place,
        &[("start", position), ("end", position), ("text", text)],
        &[("selected_at", number)],
    )
}

fn database(value: &Value, place: Place<'_>) -> Checked {
    object(
        value,
        place,
        &[("table", text)],
        &[
            ("data_source", text),
            ("schema", text),
            ("primary_key", texts),
            ("columns", columns),
            ("columns_total", count),
            ("foreign_keys", foreign_keys),
            ("filter", text),
            ("row_count", count),
            ("cell", cell),
        ],
    )
}

fn columns(value: &Value, place: Place<'_>) -> Checked {
    list(value, place, |value, place| object(value, place, &[("name", text)], &[("type", text)]))
}

fn foreign_keys(value: &Value, place: Place<'_>) -> Checked {
    let optional: &[(&str, Check)] = &[("columns", texts), ("ref_columns", texts), ("on_delete", text)];
    list(value, place, |value, place| object(value, place, &[("ref_table", text)], optional))
}

fn cell(value: &Value, place: Place<'_>) -> Checked {
    object(value, place, &[], &[("row", count), ("column", text), ("type", text), ("value", text)])
}

/// An object with these fields; an optional one may be absent or `null`, and others may be there.
fn object(
    value: &Value,
    place: Place<'_>,
    required: &[(&str, Check)],
    optional: &[(&str, Check)],
) -> Checked {
    let fields = value.as_object().ok_or_else(|| place.expected("an object", value))?;
    for (name, check) in required {
        let value = fields.get(*name).ok_or_else(|| place.fails(format!("`{name}` is missing")))?;
        check(value, place.field(name))?;
    }
    for (name, check) in optional {
        match fields.get(*name) {
            None | Some(Value::Null) => {}
            Some(value) => check(value, place.field(name))?,
        }
    }
    Ok(())
}

fn list(value: &Value, place: Place<'_>, check: impl Fn(&Value, Place<'_>) -> Checked) -> Checked {
    let items = value.as_array().ok_or_else(|| place.expected("a list", value))?;
    items.iter().enumerate().try_for_each(|(index, item)| check(item, place.item(index)))
}

fn texts(value: &Value, place: Place<'_>) -> Checked {
    list(value, place, text)
}

fn text(value: &Value, place: Place<'_>) -> Checked {
    value.as_str().map(|_| ()).ok_or_else(|| place.expected("a text", value))
}

fn name(value: &Value, place: Place<'_>) -> Checked {
    match value.as_str() {
        Some("") => Err(place.fails("it is empty")),
        _ => text(value, place),
    }
}

fn boolean(value: &Value, place: Place<'_>) -> Checked {
    value.as_bool().map(|_| ()).ok_or_else(|| place.expected("true or false", value))
}

fn number(value: &Value, place: Place<'_>) -> Checked {
    finite(value, place).map(|_| ())
}

fn count(value: &Value, place: Place<'_>) -> Checked {
    match finite(value, place)? {
        number if number < 0.0 => Err(place.fails("it is negative")),
        _ => Ok(()),
    }
}

fn process_id(value: &Value, place: Place<'_>) -> Checked {
    match finite(value, place)? {
        number if number.fract() != 0.0 => Err(place.fails("it is not a whole number")),
        number if !(1.0..=f64::from(u32::MAX)).contains(&number) => {
            Err(place.fails("no process has this id"))
        }
        _ => Ok(()),
    }
}

fn finite(value: &Value, place: Place<'_>) -> Result<f64, OffSpec> {
    value.as_f64().filter(|number| number.is_finite()).ok_or_else(|| place.expected("a number", value))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
