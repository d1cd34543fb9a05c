//! The members of a message, and the kind of message they make.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::{Kind, strict};

/// The members of a message as they are written. Unknown ones are ignored; one that stands there twice is refused, since
/// parsers disagree on which of them counts.
#[derive(Default)]
pub(super) struct MessageMembers<'a> {
    pub(super) jsonrpc: Option<&'a str>,
    pub(super) id: Option<&'a str>,
    pub(super) method: Option<&'a str>,
    pub(super) params: Option<&'a str>,
    pub(super) result: Option<&'a str>,
    pub(super) error: Option<&'a str>,
}

impl<'a> MessageMembers<'a> {
    /// The members of a valid message, by the strict parser.
    pub(super) fn plain(text: &'a str, depth: usize) -> Option<Self> {
        let mut all = Self::default();
        strict::members(text, depth, |key, value| {
            let slot = match key {
                "jsonrpc" => &mut all.jsonrpc,
                "id" => &mut all.id,
                "method" => &mut all.method,
                "params" => &mut all.params,
                "result" => &mut all.result,
                "error" => &mut all.error,
                _ => return Some(()),
            };
            slot.replace(value).is_none().then_some(())
        })?;
        Some(all)
    }

    /// The members of any message, by serde.
    ///
    /// # Errors
    /// When it is not JSON, or of another shape.
    pub(super) fn of(text: &'a str) -> serde_json::Result<Self> {
        let read: SerdeMembers<'a> = serde_json::from_str(text)?;
        let written = |slot: OptionalMember<'a>| slot.0.map(RawValue::get);
        Ok(Self {
            jsonrpc: written(read.jsonrpc),
            id: written(read.id),
            method: written(read.method),
            params: written(read.params),
            result: written(read.result),
            error: written(read.error),
        })
    }

    pub(super) fn is_answer(&self) -> bool {
        self.method.is_none() && (self.result.is_some() || self.error.is_some())
    }

    pub(super) fn kind(&self) -> Result<(Kind, Option<&'a str>), &'static str> {
        if self.jsonrpc != Some("\"2.0\"") {
            return Err("`jsonrpc` must be \"2.0\"");
        }
        let is = |value: Option<&str>, opening: &[char]| {
            value.is_none_or(|value| value.starts_with(opening))
        };
        match (self.method, self.result, self.error) {
            (Some(_), None, None) => {
                if !is(self.method, &['"']) {
                    return Err("`method` must be a string");
                }
                let kind = match self.id {
                    Some(_) => Kind::Request,
                    None => Kind::Notification,
                };
                // JSON-RPC allows a list, MCP does not, and no server answers one.
                let openings: &[char] = match kind {
                    Kind::Request => &['{'],
                    Kind::Notification | Kind::Result | Kind::Error => &['{', '['],
                };
                // Some senders write `null` for none, and servers may take it.
                let has_params = self.params.is_some_and(|params| params != "null");
                if has_params && !is(self.params, openings) {
                    return Err("`params` must be an object");
                }
                Ok((kind, self.params))
            }
            (None, Some(_), None) if self.id.is_none() => Err("a result needs the `id` it answers"),
            (None, Some(result), None) => {
                if !is(self.result, &['{']) {
                    return Err("`result` must be an object");
                }
                Ok((Kind::Result, Some(result)))
            }
            (None, None, Some(error)) => Ok((Kind::Error, Some(error))),
            (None, None, None) => Err("one of `method`, `result` and `error` must be there"),
            (_, Some(_), Some(_)) | (Some(_), Some(_), _) | (Some(_), _, Some(_)) => {
                Err("only one of `method`, `result` and `error` may be there")
            }
        }
    }
}

/// Whether an error has the shape that clients require: they ignore a message with another, and wait on.
pub(super) fn is_error(error: &str) -> bool {
    #[derive(Deserialize)]
    struct RequiredMembers<'a> {
        #[serde(borrow)]
        code: &'a RawValue,
        #[serde(borrow)]
        message: &'a RawValue,
    }
    let needed: Result<RequiredMembers<'_>, _> = serde_json::from_str(error);
    needed.is_ok_and(|error| {
        let is_text = error.message.get().starts_with('"');
        is_text && error.code.get().parse::<i64>().is_ok()
    })
}

/// The members as serde parses them.
#[derive(Deserialize)]
struct SerdeMembers<'a> {
    #[serde(borrow, default)]
    jsonrpc: OptionalMember<'a>,
    #[serde(borrow, default)]
    id: OptionalMember<'a>,
    #[serde(borrow, default)]
    method: OptionalMember<'a>,
    #[serde(borrow, default)]
    params: OptionalMember<'a>,
    #[serde(borrow, default)]
    result: OptionalMember<'a>,
    #[serde(borrow, default)]
    error: OptionalMember<'a>,
}

/// A member that may be absent, which differs from `null`.
#[derive(Default, Clone, Copy)]
struct OptionalMember<'a>(Option<&'a RawValue>);

impl<'de: 'a, 'a> Deserialize<'de> for OptionalMember<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&RawValue>::deserialize(deserializer).map(|raw| Self(Some(raw)))
    }
}
