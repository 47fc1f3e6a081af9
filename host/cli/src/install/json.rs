//! JSON with the order of its members, as it is written into another's file.

use jsonc_parser::{CollectOptions, ParseOptions, ast, parse_to_ast};
use serde_json::Value;

/// A value whose members keep their order.
#[derive(Clone, Debug)]
pub(crate) enum Json {
    /// A text.
    Text(String),
    /// A number, a truth value or null, as it is written.
    Word(String),
    /// A list.
    List(Vec<Json>),
    /// Members in their order.
    Object(Vec<(String, Json)>),
}

/// Parses JSON with comments and trailing commas, and nothing looser; an empty text has no value.
pub(crate) fn parse(text: &str) -> Result<Option<ast::Value<'_>>, String> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options);
    parsed.map(|result| result.value).map_err(|error| error.to_string())
}

impl Json {
    /// A template of ours.
    ///
    /// # Panics
    /// It is not JSON; a test parses each.
    pub(crate) fn template(text: &str) -> Self {
        let value = parse(text).ok().flatten().expect("a template is JSON");
        Self::of(&value)
    }

    /// What stands in a document.
    pub(crate) fn of(value: &ast::Value<'_>) -> Self {
        match value {
            ast::Value::StringLit(text) => Self::Text(text.value.to_string()),
            ast::Value::NumberLit(number) => Self::Word(number.value.to_owned()),
            ast::Value::BooleanLit(truth) => Self::Word(truth.value.to_string()),
            ast::Value::NullKeyword(_) => Self::Word("null".to_owned()),
            ast::Value::Array(list) => Self::List(list.elements.iter().map(Self::of).collect()),
            ast::Value::Object(object) => {
                let member =
                    |member: &ast::ObjectProp<'_>| (member.name.as_str().to_owned(), Self::of(&member.value));
                Self::Object(object.properties.iter().map(member).collect())
            }
        }
    }

    /// The member of this name; the last one, as readers of JSON have it.
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The member of this name, to be changed.
    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut Self> {
        let Self::Object(members) = self else { return None };
        members.iter_mut().rev().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The text that it is.
    pub(crate) fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The elements of a list; none of anything else.
    pub(crate) fn elements(&self) -> &[Self] {
        if let Self::List(elements) = self { elements } else { &[] }
    }

    /// The members of an object; none of anything else.
    pub(crate) fn members(&self) -> &[(String, Self)] {
        if let Self::Object(members) = self { members } else { &[] }
    }

    /// Whether both mean the same, in whatever order.
    pub(crate) fn means(&self, other: &Self) -> bool {
        self.value() == other.value()
    }

    /// As other code wants it.
    pub(crate) fn value(&self) -> Value {
        match self {
            Self::Text(text) => Value::String(text.clone()),
            Self::Word(word) => serde_json::from_str(word).unwrap_or(Value::Null),
            Self::List(elements) => elements.iter().map(Self::value).collect(),
            Self::Object(members) => {
                Value::Object(members.iter().map(|(name, value)| (name.clone(), value.value())).collect())
            }
        }
    }

    /// On one line.
    pub(crate) fn on_one_line(&self) -> String {
        match self {
            Self::Text(text) => quoted(text),
            Self::Word(word) => word.clone(),
            Self::List(elements) => {
                format!("[{}]", elements.iter().map(Self::on_one_line).collect::<Vec<_>>().join(", "))
            }
            Self::Object(members) => {
                let member =
                    |(name, value): &(String, Self)| format!("{}: {}", quoted(name), value.on_one_line());
                format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// On lines of their own, each behind `indent` and as many `unit`s as it is deep.
    pub(crate) fn on_lines(&self, indent: &str, unit: &str, newline: &str) -> String {
        let inner = format!("{indent}{unit}");
        let (open, close, items): (_, _, Vec<String>) = match self {
            Self::List(elements) if elements.iter().any(|element| !element.members().is_empty()) => {
                let items = elements.iter().map(|element| element.on_lines(&inner, unit, newline));
                ('[', ']', items.collect())
            }
            Self::Object(members) if !members.is_empty() => {
                let item = |(name, value): &(String, Self)| {
                    format!("{}: {}", quoted(name), value.on_lines(&inner, unit, newline))
                };
                ('{', '}', members.iter().map(item).collect())
            }
            _ => return self.on_one_line(),
        };
        let separator = format!(",{newline}{inner}");
        format!("{open}{newline}{inner}{}{newline}{indent}{close}", items.join(&separator))
    }
}

/// A text as JSON writes it.
pub(crate) fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}
