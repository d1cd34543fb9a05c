//! Message templates: `{name}` placeholders filled from a fault's details.
//!
//! A template either formats completely or not at all. The caller then takes the plain form, so a message never
//! shows a hole where a value is missing.

use serde_json::Value;

use crate::details::Details;

/// The placeholder names of a template, in order, repetitions included.
pub(crate) fn placeholders(template: &str) -> impl Iterator<Item = &str> {
    pieces(template).filter_map(|piece| match piece {
        TemplatePiece::Name(name) => Some(name),
        TemplatePiece::Literal(_) => None,
    })
}

/// Fills a template, or gives nothing when a value is missing or empty.
pub(crate) fn format(template: &str, details: &Details) -> Option<String> {
    format_with(template, details, |_| None)
}

/// [`format`], with values that stand in for those of the details.
pub(crate) fn format_with(
    template: &str,
    details: &Details,
    instead: impl Fn(&str) -> Option<Value>,
) -> Option<String> {
    let mut out = String::with_capacity(template.len() + 32);
    for piece in pieces(template) {
        match piece {
            TemplatePiece::Literal(text) => out.push_str(text),
            TemplatePiece::Name(name) => match instead(name) {
                Some(value) => write_value(&value, SEPARATOR, &mut out)?,
                None => write_value(lookup(name, details)?, SEPARATOR, &mut out)?,
            },
        }
    }
    Some(out)
}

const SEPARATOR: &str = ", ";

/// Some templates of the registry use a name that is not a key of their details; these are the keys meant.
pub(crate) const ALIASES: &[(&str, &str)] = &[
    ("operation_name", "operation"),
    ("param_list", "unknown_params"),
    ("description", "upstream_error"),
];

pub(crate) fn lookup<'a>(name: &str, details: &'a Details) -> Option<&'a Value> {
    details.get(name).or_else(|| {
        let (_, key) = ALIASES.iter().find(|(alias, _)| *alias == name)?;
        details.get(key)
    })
}

/// Writes a value as it reads inside a sentence, a list with the separator between its items. Null and empty values
/// count as missing.
pub(crate) fn write_value(value: &Value, separator: &str, out: &mut String) -> Option<()> {
    match value {
        Value::Null => return None,
        Value::String(text) if text.is_empty() => return None,
        Value::String(text) => out.push_str(text),
        Value::Array(items) => {
            if items.is_empty() {
                return None;
            }
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(separator);
                }
                match item {
                    Value::String(text) => out.push_str(text),
                    Value::Null
                    | Value::Bool(_)
                    | Value::Number(_)
                    | Value::Array(_)
                    | Value::Object(_) => {
                        out.push_str(&item.to_string());
                    }
                }
            }
        }
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => out.push_str(&value.to_string()),
    }
    Some(())
}

/// A template in its pieces, in order.
pub(crate) fn pieces(template: &str) -> impl Iterator<Item = TemplatePiece<'_>> {
    TemplatePieces(template)
}

/// A piece of a template.
pub(crate) enum TemplatePiece<'a> {
    /// Words.
    Literal(&'a str),
    /// The place of a value.
    Name(&'a str),
}

/// An iterator over the pieces of a template. A brace that opens no placeholder is literal text.
struct TemplatePieces<'a>(&'a str);

impl<'a> Iterator for TemplatePieces<'a> {
    type Item = TemplatePiece<'a>;

    fn next(&mut self) -> Option<TemplatePiece<'a>> {
        if self.0.is_empty() {
            return None;
        }
        if let Some((name, rest)) = leading_name(self.0) {
            self.0 = rest;
            return Some(TemplatePiece::Name(name));
        }
        let first = self.0.chars().next().map_or(1, char::len_utf8);
        let end = self.0[first..]
            .find('{')
            .map_or(self.0.len(), |at| at + first);
        let (literal, rest) = self.0.split_at(end);
        self.0 = rest;
        Some(TemplatePiece::Literal(literal))
    }
}

fn leading_name(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('{')?;
    let (name, rest) = inner.split_once('}')?;
    let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    is_name.then_some((name, rest))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn details(value: Value) -> Details {
        let Value::Object(map) = value else {
            panic!("an object")
        };
        map.into_iter().collect()
    }

    #[test]
    fn values_fill_their_places() {
        let details =
            details(json!({"a": "x", "n": 5, "unknown_params": ["p", "q"], "operation": "op"}));
        let filled = format("'{a}' {n}: {param_list} of {operation_name}", &details);
        assert_eq!(filled.as_deref(), Some("'x' 5: p, q of op"));
    }

    #[test]
    fn a_missing_or_empty_value_gives_no_text_at_all() {
        for value in [
            json!({}),
            json!({"a": null}),
            json!({"a": ""}),
            json!({"a": []}),
        ] {
            assert_eq!(format("got '{a}'", &details(value)), None);
        }
    }

    #[test]
    fn braces_that_open_no_placeholder_stay() {
        assert_eq!(
            format("a {} {b c} ü{", &Details::default()).as_deref(),
            Some("a {} {b c} ü{")
        );
        assert_eq!(placeholders("{x} {y!} {x}").collect::<Vec<_>>(), ["x", "x"]);
    }
}
