//! One broken rule of one value: where, which rule, what was expected, what came, what would do.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

#[cfg(feature = "validate")]
use crate::phrase::PhraseText;

/// A violation of an input schema. A fault carries all of them, not just the first.
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Violation {
    pointer: Box<str>,
    keyword: Option<Box<str>>,
    message: Option<Box<str>>,
    expected: Option<Value>,
    got: Option<Value>,
    suggestion: Option<Value>,
    /// What the words were made of, where they are ours.
    #[cfg(feature = "locale")]
    spoken: Option<Box<crate::phrase::RenderedPhrase>>,
}

impl Violation {
    /// A violation by the value at a JSON pointer (`/address/zip`; empty for the whole arguments).
    pub fn at(pointer: impl Into<Box<str>>) -> Self {
        Self {
            pointer: pointer.into(),
            ..Self::default()
        }
    }

    /// A violation by a field given by its dotted name (`address.zip`).
    pub fn of_field(field: &str) -> Self {
        Self::at(pointer_of(field))
    }

    /// The schema keyword or the named constraint that was broken.
    pub fn keyword(mut self, keyword: impl Into<Box<str>>) -> Self {
        self.keyword = Some(keyword.into());
        self
    }

    /// What is wrong, in words.
    pub fn message(mut self, message: impl Into<Box<str>>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// [`Self::message`], translatable.
    #[cfg(feature = "validate")]
    pub(crate) fn say(mut self, saying: PhraseText) -> Self {
        let text: Box<str> = saying.english().into();
        #[cfg(feature = "locale")]
        {
            let spoken = crate::phrase::RenderedPhrase::new(saying, text.clone());
            self.spoken = Some(Box::new(spoken));
        }
        #[cfg(not(feature = "locale"))]
        drop(saying);
        self.message = Some(text);
        self
    }

    /// Says the words again, if they are still ours.
    #[cfg(feature = "locale")]
    pub(crate) fn say_again(&mut self, say: &dyn Fn(&crate::phrase::PhraseText) -> Option<String>) {
        if let (Some(text), Some(spoken)) = (&mut self.message, &mut self.spoken)
            && let Some(now) = spoken.again(text, say)
        {
            *text = now.into();
        }
    }

    /// What would have been right.
    pub fn expected(mut self, expected: impl Into<Value>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// What came. Only put here what is safe to show.
    pub fn got(mut self, got: impl Into<Value>) -> Self {
        self.got = Some(got.into());
        self
    }

    /// A value that would do, when that is certain.
    pub fn suggestion(mut self, suggestion: impl Into<Value>) -> Self {
        self.suggestion = Some(suggestion.into());
        self
    }

    /// Where, as a JSON pointer.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// Where, as a dotted name.
    pub fn field(&self) -> String {
        field_of(&self.pointer)
    }

    /// The broken constraint.
    pub fn keyword_text(&self) -> Option<&str> {
        self.keyword.as_deref()
    }

    /// The words.
    pub fn message_text(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// How many things it says besides where.
    pub(crate) fn facts(&self) -> usize {
        let texts = [&self.keyword, &self.message].into_iter().flatten().count();
        texts
            + [&self.expected, &self.got, &self.suggestion]
                .into_iter()
                .flatten()
                .count()
    }

    /// What would have been right.
    pub fn expected_value(&self) -> Option<&Value> {
        self.expected.as_ref()
    }

    /// What came.
    pub fn got_value(&self) -> Option<&Value> {
        self.got.as_ref()
    }

    /// A value that would do.
    ///
    /// ```
    /// use breakfall::Violation;
    /// use serde_json::json;
    ///
    /// let violation = Violation::of_field("limit").expected(100).got(500).suggestion(100);
    /// assert_eq!(violation.expected_value(), Some(&json!(100)));
    /// assert_eq!(violation.got_value(), Some(&json!(500)));
    /// assert_eq!(violation.suggestion_value(), Some(&json!(100)));
    /// ```
    pub fn suggestion_value(&self) -> Option<&Value> {
        self.suggestion.as_ref()
    }

    /// Passes every part through what changes it. The values of a pointer that names a secret give way to a marker.
    pub(crate) fn redact(
        &mut self,
        pointer: impl Fn(&str) -> Option<String>,
        text: impl Fn(&str) -> Option<String>,
        value: impl Fn(&mut Value),
        secret: impl Fn(&Value) -> Option<&'static str>,
    ) {
        if let Some(clean) = pointer(&self.pointer) {
            self.pointer = clean.into();
        }
        for part in [&mut self.keyword, &mut self.message].into_iter().flatten() {
            if let Some(clean) = text(part) {
                *part = clean.into();
            }
        }
        if let Some(expected) = &mut self.expected {
            value(expected);
        }
        for part in [&mut self.got, &mut self.suggestion].into_iter().flatten() {
            match secret(part) {
                Some(marker) if !part.is_null() => *part = marker.into(),
                _ => value(part),
            }
        }
    }

    /// It as an object, as a fault has it in native, problem and the extensions of the other dialects.
    ///
    /// ```
    /// use breakfall::Violation;
    /// use serde_json::json;
    ///
    /// let violation = Violation::of_field("limit").keyword("maximum").expected(100);
    /// assert_eq!(violation.to_value(), json!({"pointer": "/limit", "keyword": "maximum", "expected": 100}));
    /// ```
    pub fn to_value(&self) -> Value {
        let mut map = Map::new();
        map.insert("pointer".into(), self.pointer.as_ref().into());
        for (key, text) in [("keyword", &self.keyword), ("message", &self.message)] {
            if let Some(text) = text {
                map.insert(key.into(), text.as_ref().into());
            }
        }
        for (key, value) in [
            ("expected", &self.expected),
            ("got", &self.got),
            ("suggestion", &self.suggestion),
        ] {
            if let Some(value) = value {
                map.insert(key.into(), value.clone());
            }
        }
        Value::Object(map)
    }

    /// Reads [`Self::to_value`]'s form and the `{field, message, received}` form of response-v2.
    pub(crate) fn from_value(value: Value) -> Option<Self> {
        let Value::Object(mut map) = value else {
            return None;
        };
        let pointer = match (map.remove("pointer"), map.remove("field")) {
            (Some(Value::String(pointer)), _) => pointer.into_boxed_str(),
            (_, Some(Value::String(field))) => pointer_of(&field),
            _ => return None,
        };
        let mut text = |keys: [&str; 2]| {
            keys.iter().find_map(|key| match map.remove(*key) {
                Some(Value::String(text)) => Some(text.into_boxed_str()),
                _ => None,
            })
        };
        let keyword = text(["keyword", "constraint"]);
        let message = text(["message", "reason"]);
        let got = map.remove("got").or_else(|| map.remove("received"));
        let (expected, suggestion) = (map.remove("expected"), map.remove("suggestion"));
        Some(Self {
            pointer,
            keyword,
            message,
            expected,
            got,
            suggestion,
            #[cfg(feature = "locale")]
            spoken: None,
        })
    }
}

/// Two violations are equal when a reader could not tell them apart.
impl PartialEq for Violation {
    fn eq(&self, other: &Self) -> bool {
        self.pointer == other.pointer
            && self.keyword == other.keyword
            && self.message == other.message
            && self.expected == other.expected
            && self.got == other.got
            && self.suggestion == other.suggestion
    }
}

/// [`Violation::to_value`], written straight away and in the same order.
pub(crate) struct ViolationObject<'a>(pub(crate) &'a Violation);

impl Serialize for ViolationObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Violation {
            pointer,
            keyword,
            message,
            expected,
            got,
            suggestion,
            ..
        } = self.0;
        let mut map = serializer.serialize_map(None)?;
        for (key, value) in [("expected", expected), ("got", got)] {
            if let Some(value) = value {
                map.serialize_entry(key, value)?;
            }
        }
        for (key, text) in [("keyword", keyword), ("message", message)] {
            if let Some(text) = text {
                map.serialize_entry(key, text)?;
            }
        }
        map.serialize_entry("pointer", pointer)?;
        if let Some(value) = suggestion {
            map.serialize_entry("suggestion", value)?;
        }
        map.end()
    }
}

/// `a.b.0` → `/a/b/0`, with the two escapes of RFC 6901.
fn pointer_of(field: &str) -> Box<str> {
    let mut pointer = String::with_capacity(field.len() + 1);
    for segment in field.split('.').filter(|_| !field.is_empty()) {
        pointer.push('/');
        for c in segment.chars() {
            match c {
                '~' => pointer.push_str("~0"),
                '/' => pointer.push_str("~1"),
                other => pointer.push(other),
            }
        }
    }
    pointer.into()
}

fn field_of(pointer: &str) -> String {
    let dotted = pointer
        .strip_prefix('/')
        .unwrap_or(pointer)
        .replace('/', ".");
    if dotted.contains('~') {
        dotted.replace("~1", "/").replace("~0", "~")
    } else {
        dotted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_straight_away_it_is_the_same() {
        let bare = Violation::at("/a");
        let full = Violation::at("/a")
            .keyword("type")
            .message("no")
            .expected("string")
            .got(7)
            .suggestion("x");
        for violation in [bare, full] {
            let straight = serde_json::to_string(&ViolationObject(&violation)).expect("JSON");
            assert_eq!(straight, violation.to_value().to_string());
        }
    }

    #[test]
    fn dotted_names_and_pointers_are_each_others_inverse() {
        for field in ["", "email", "order.customer.email", "items.0.a/b", "x~y"] {
            assert_eq!(Violation::of_field(field).field(), field);
        }
        assert_eq!(Violation::of_field("a/b.c~d").pointer(), "/a~1b/c~0d");
    }
}
