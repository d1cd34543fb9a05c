//! The kinds of values that many settings share.

use std::fmt::Display;
use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use breakfall::suggest::nearest;
use serde_json::{Value as Json, json};

use super::problem::ConfigProblem;
use super::reader::{Reader, listed};
use super::schema::Definitions;
use super::secret::Secret;
use super::setting::{Kind, Section};
use super::tree::{Node, Value};
use super::units::{self, show_duration, show_size};

/// A map of settings.
pub(super) fn section<S: Section>() -> SectionKind<S> {
    SectionKind(PhantomData)
}

pub(super) struct SectionKind<S>(PhantomData<S>);

impl<S: Section> Kind for SectionKind<S> {
    type Value = S;

    fn read(&self, node: &Node, before: Option<&S>, reader: &mut Reader<'_>) -> Option<S> {
        reader.section(node, before.cloned().unwrap_or_default())
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        definitions.reference::<S>()
    }
}

/// A setting without a default.
pub(super) fn optional<K: Kind>(kind: K) -> Optional<K> {
    Optional(kind)
}

pub(super) struct Optional<K>(K);

impl<K: Kind> Kind for Optional<K> {
    type Value = Option<K::Value>;

    fn read(
        &self,
        node: &Node,
        before: Option<&Self::Value>,
        reader: &mut Reader<'_>,
    ) -> Option<Self::Value> {
        let before = before.and_then(Option::as_ref);
        self.0.read(node, before, reader).map(Some)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        self.0.schema(definitions)
    }
}

/// A setting whose default is set elsewhere, so the schema shows another one or none.
pub(super) fn defaulting<K: Kind>(kind: K, default: Option<Json>) -> Defaulting<K> {
    Defaulting(kind, default)
}

pub(super) struct Defaulting<K>(K, Option<Json>);

impl<K: Kind> Kind for Defaulting<K> {
    type Value = K::Value;

    fn read(
        &self,
        node: &Node,
        before: Option<&Self::Value>,
        reader: &mut Reader<'_>,
    ) -> Option<Self::Value> {
        self.0.read(node, before, reader)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        self.0.schema(definitions)
    }

    fn default(&self, _: &Self::Value) -> Option<Json> {
        self.1.clone()
    }
}

/// A setting that has no effect in this version yet, which is noted under a name. The version that gives it one removes this.
pub(super) fn pending<K: Kind>(name: &'static str, kind: K) -> Pending<K> {
    Pending(name, kind)
}

pub(super) struct Pending<K>(&'static str, K);

impl<K: Kind> Kind for Pending<K> {
    type Value = K::Value;

    fn read(
        &self,
        node: &Node,
        before: Option<&Self::Value>,
        reader: &mut Reader<'_>,
    ) -> Option<Self::Value> {
        let start = reader.here().key.start;
        reader.pending.push((self.0, start));
        self.1.read(node, before, reader)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        self.1.schema(definitions)
    }
}

/// A kind that is another one, with other values.
pub(super) struct Mapped<K, F> {
    kind: K,
    schema: Json,
    map: F,
}

/// Values of another kind, as something else. `None` is returned after a problem was reported. The schema has a few members
/// more.
pub(super) fn mapped<K, F, T>(kind: K, schema: Json, map: F) -> Mapped<K, F>
where
    K: Kind,
    F: Fn(K::Value, &mut Reader<'_>) -> Option<T>,
{
    Mapped { kind, schema, map }
}

impl<K, F, T> Kind for Mapped<K, F>
where
    K: Kind,
    F: Fn(K::Value, &mut Reader<'_>) -> Option<T>,
{
    type Value = T;

    fn read(&self, node: &Node, _: Option<&T>, reader: &mut Reader<'_>) -> Option<T> {
        let value = self.kind.read(node, None, reader)?;
        (self.map)(value, reader)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        extended(self.kind.schema(definitions), &self.schema)
    }
}

/// A schema with more members.
fn extended(mut schema: Json, more: &Json) -> Json {
    if let (Json::Object(schema), Json::Object(more)) = (&mut schema, more) {
        schema.extend(more.clone());
    }
    schema
}

/// A value under a key that is checked too.
pub(super) fn keyed<K: Kind>(kind: K, check: fn(&mut Reader<'_>)) -> Keyed<K> {
    Keyed(kind, check)
}

pub(super) struct Keyed<K>(K, fn(&mut Reader<'_>));

impl<K: Kind> Kind for Keyed<K> {
    type Value = K::Value;

    fn read(
        &self,
        node: &Node,
        before: Option<&Self::Value>,
        reader: &mut Reader<'_>,
    ) -> Option<Self::Value> {
        (self.1)(reader);
        self.0.read(node, before, reader)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        self.0.schema(definitions)
    }
}

/// Names and values of a kind, in the order of the file.
pub(super) fn entries<K: Kind>(kind: K) -> Entries<K> {
    Entries(kind, None)
}

/// Names and values of a kind that all start from the same value.
pub(super) fn entries_from<K: Kind>(kind: K, before: K::Value) -> Entries<K> {
    Entries(kind, Some(before))
}

pub(super) struct Entries<K: Kind>(K, Option<K::Value>);

impl<K: Kind> Kind for Entries<K> {
    type Value = Vec<(String, K::Value)>;

    fn read(
        &self,
        node: &Node,
        _: Option<&Self::Value>,
        reader: &mut Reader<'_>,
    ) -> Option<Self::Value> {
        let mut out = Vec::new();
        for (key, node) in reader.entries(node)? {
            let (name, span) = (key.text.clone(), key.span.clone());
            if let Some(value) = reader.item(name, span, node, self.1.as_ref(), &self.0) {
                out.push((key.text.clone(), value));
            }
        }
        Some(out)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        json!({"type": "object", "additionalProperties": self.0.schema(definitions)})
    }
}

/// Items of a kind.
pub(super) fn list<K: Kind>(kind: K) -> List<K> {
    List(kind)
}

pub(super) struct List<K>(K);

impl<K: Kind> Kind for List<K> {
    type Value = Vec<K::Value>;

    fn read(
        &self,
        node: &Node,
        _: Option<&Self::Value>,
        reader: &mut Reader<'_>,
    ) -> Option<Self::Value> {
        let Value::List(items) = &node.value else {
            return reader.wrong(node, "a list");
        };
        let items = items.iter().enumerate();
        let read = items.filter_map(|(index, node)| {
            reader.item(format!("[{index}]"), node.span.clone(), node, None, &self.0)
        });
        Some(read.collect())
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        json!({"type": "array", "items": self.0.schema(definitions)})
    }
}

/// A text.
pub(super) fn text() -> Text {
    Text
}

/// A text that is not empty, in the schema.
pub(super) fn filled_text() -> impl Kind<Value = String> {
    mapped(text(), json!({"minLength": 1}), |text, _| Some(text))
}

pub(super) struct Text;

impl Kind for Text {
    type Value = String;

    fn read(&self, node: &Node, _: Option<&String>, reader: &mut Reader<'_>) -> Option<String> {
        match &node.value {
            Value::Text(text) => Some(text.clone()),
            Value::Bool(_) | Value::Number(_) => reader.wrong(node, "a text (in quotes)"),
            Value::Null | Value::List(_) | Value::Map(_) => reader.wrong(node, "a text"),
        }
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        json!({"type": "string"})
    }
}

/// A text, or a number or boolean taken for the text it is written as: `PORT: 8080` needs no quotes.
pub(super) fn scalar() -> Scalar {
    Scalar
}

pub(super) struct Scalar;

impl Kind for Scalar {
    type Value = String;

    fn read(&self, node: &Node, _: Option<&String>, reader: &mut Reader<'_>) -> Option<String> {
        match &node.value {
            Value::Text(text) | Value::Number(text) => Some(text.clone()),
            Value::Bool(value) => Some(value.to_string()),
            Value::Null => {
                let problem = "nothing is given; write \"\" for an empty text";
                reader.refuse(node, ConfigProblem::new(problem))
            }
            Value::List(_) | Value::Map(_) => reader.wrong(node, "a text"),
        }
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        json!({"type": ["string", "number", "boolean"]})
    }
}

/// A scalar with references that no message shows.
pub(super) fn secret() -> impl Kind<Value = Secret> {
    mapped(scalar(), json!({}), |text, reader| reader.secret(&text))
}

/// A path, of a `file` or `directory`. One that does not exist is a warning: where the file is used it may.
pub(super) fn path(what: &'static str) -> impl Kind<Value = PathBuf> {
    mapped(text(), json!({"minLength": 1}), move |text, reader| {
        let path = reader.file_path(&text)?;
        if !reader.environment.exists(&path) {
            let key = reader.here().path().to_owned();
            reader.warn(format!(
                "{key}: there is no {what} '{text}' on this machine"
            ));
        }
        Some(path)
    })
}

/// True or false.
pub(super) fn flag() -> Flag {
    Flag
}

pub(super) struct Flag;

impl Kind for Flag {
    type Value = bool;

    fn read(&self, node: &Node, _: Option<&bool>, reader: &mut Reader<'_>) -> Option<bool> {
        if let Value::Bool(value) = &node.value {
            return Some(*value);
        }
        let kind = node.kind();
        let problem = ConfigProblem::new(format!("expected true or false, got {kind}"));
        reader.refuse(
            node,
            match as_flag(node) {
                Some(flag) => problem.label(format!("did you mean {flag}?")),
                None => problem,
            },
        )
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        json!({"type": "boolean"})
    }

    fn default(&self, value: &bool) -> Option<Json> {
        Some(json!(value))
    }
}

/// What a word meant before YAML 1.2, in which it is a text.
fn as_flag(node: &Node) -> Option<bool> {
    let Value::Text(text) = &node.value else {
        return None;
    };
    match &*text.to_ascii_lowercase() {
        "yes" | "on" | "y" => Some(true),
        "no" | "off" | "n" => Some(false),
        _ => None,
    }
}

/// A duration.
pub(super) fn duration() -> DurationKind {
    DurationKind {
        shortest: Duration::ZERO,
    }
}

/// A duration of a millisecond or more.
pub(super) fn positive_duration() -> DurationKind {
    DurationKind {
        shortest: Duration::from_millis(1),
    }
}

pub(super) struct DurationKind {
    shortest: Duration,
}

impl Kind for DurationKind {
    type Value = Duration;

    fn read(&self, node: &Node, _: Option<&Duration>, reader: &mut Reader<'_>) -> Option<Duration> {
        let (Value::Text(text) | Value::Number(text)) = &node.value else {
            let problem = ConfigProblem::new(format!("expected a duration, got {}", node.kind()));
            return reader.refuse(node, problem.hint(units::DURATION_HINT));
        };
        let problem = match units::duration(text) {
            Ok(time) if time > units::LONGEST_TIME => {
                ConfigProblem::new(format!("'{text}' is too long")).hint("the longest is 30d")
            }
            Ok(time) if time < self.shortest => {
                ConfigProblem::new("no time at all is too short").hint("the shortest is 1ms")
            }
            Ok(time) => return Some(time),
            Err(_) if matches!(node.value, Value::Number(_)) => {
                ConfigProblem::new(format!("{text} has no unit"))
                    .label(format!("did you mean {text}s?"))
                    .hint(units::DURATION_HINT)
            }
            Err(reason) => ConfigProblem::new(format!("'{text}' is no duration: {reason}"))
                .hint(units::DURATION_HINT),
        };
        reader.refuse(node, problem)
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        json!({
            "type": "string",
            "pattern": units::DURATION_PATTERN,
            "examples": ["250ms", "30s", "5m", "1h30m"],
        })
    }

    fn default(&self, value: &Duration) -> Option<Json> {
        Some(json!(show_duration(*value)))
    }
}

/// A number of bytes within bounds.
pub(super) fn size(bounds: RangeInclusive<u64>) -> Size {
    Size(bounds)
}

pub(super) struct Size(RangeInclusive<u64>);

impl Kind for Size {
    type Value = usize;

    fn read(&self, node: &Node, _: Option<&usize>, reader: &mut Reader<'_>) -> Option<usize> {
        let bytes = match &node.value {
            Value::Number(text) => text
                .parse()
                .map_err(|_| format!("{text} is no number of bytes")),
            Value::Text(text) => {
                units::size(text).map_err(|reason| format!("'{text}' is no size: {reason}"))
            }
            Value::Null | Value::Bool(_) | Value::List(_) | Value::Map(_) => {
                Err(format!("expected a size, got {}", node.kind()))
            }
        };
        let problem = match bytes {
            Ok(bytes) if self.0.contains(&bytes) => return usize::try_from(bytes).ok(),
            Ok(_) => {
                let (least, most) = (show_size(*self.0.start()), show_size(*self.0.end()));
                ConfigProblem::new("this limit is out of bounds")
                    .hint(format!("it is between {least} and {most}"))
            }
            Err(message) => ConfigProblem::new(message).hint(units::SIZE_HINT),
        };
        reader.refuse(node, problem)
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        json!({
            "type": ["string", "integer"],
            "pattern": units::SIZE_PATTERN,
            "minimum": 0,
            "examples": ["512KiB", "16MiB", "64 MB"],
        })
    }

    fn default(&self, value: &usize) -> Option<Json> {
        Some(json!(show_size(u64::try_from(*value).unwrap_or(u64::MAX))))
    }
}

/// A whole number that limits something, within bounds.
pub(super) fn limit<T>(bounds: RangeInclusive<u64>) -> Number<T> {
    Number {
        bounds,
        what: "limit",
        hint: None,
        kind: PhantomData,
    }
}

/// A whole number within bounds, with a hint for those beyond.
pub(super) fn number<T>(bounds: RangeInclusive<u64>, hint: &'static str) -> Number<T> {
    Number {
        bounds,
        what: "number",
        hint: Some(hint),
        kind: PhantomData,
    }
}

pub(super) struct Number<T> {
    bounds: RangeInclusive<u64>,
    what: &'static str,
    hint: Option<&'static str>,
    kind: PhantomData<T>,
}

impl<T: TryFrom<u64> + Display> Kind for Number<T> {
    type Value = T;

    fn read(&self, node: &Node, _: Option<&T>, reader: &mut Reader<'_>) -> Option<T> {
        let Value::Number(text) = &node.value else {
            return reader.wrong(node, "a whole number");
        };
        let Ok(number) = text.parse::<u64>() else {
            let problem = format!("expected a whole number that is not negative, got {text}");
            return reader.refuse(node, ConfigProblem::new(problem));
        };
        let number = Some(number).filter(|number| self.bounds.contains(number));
        if let Some(number) = number.and_then(|number| T::try_from(number).ok()) {
            return Some(number);
        }
        let (least, most) = (self.bounds.start(), self.bounds.end());
        let problem = ConfigProblem::new(format!("this {} is out of bounds", self.what))
            .hint(format!("it is between {least} and {most}"));
        reader.refuse(
            node,
            match self.hint {
                Some(hint) => problem.hint(hint),
                None => problem,
            },
        )
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        let (least, most) = (self.bounds.start(), self.bounds.end());
        json!({"type": "integer", "minimum": least, "maximum": most})
    }

    fn default(&self, value: &T) -> Option<Json> {
        serde_json::from_str(&value.to_string()).ok()
    }
}

/// A number that is not negative.
pub(super) fn amount() -> Amount {
    Amount
}

/// A share, above 0 and up to 1.
pub(super) fn share() -> Share {
    Share
}

pub(super) struct Amount;

pub(super) struct Share;

impl Kind for Amount {
    type Value = f64;

    fn read(&self, node: &Node, _: Option<&f64>, reader: &mut Reader<'_>) -> Option<f64> {
        let Value::Number(text) = &node.value else {
            return reader.wrong(node, "a number");
        };
        match text.parse::<f64>() {
            Ok(amount) if amount.is_finite() && amount >= 0.0 => Some(amount),
            _ => {
                let problem = format!("expected a number that is not negative, got {text}");
                reader.refuse(node, ConfigProblem::new(problem))
            }
        }
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        json!({"type": "number", "minimum": 0})
    }
}

impl Kind for Share {
    type Value = f64;

    fn read(&self, node: &Node, _: Option<&f64>, reader: &mut Reader<'_>) -> Option<f64> {
        let share = Amount.read(node, None, reader)?;
        if share > 0.0 && share <= 1.0 {
            return Some(share);
        }
        let problem = ConfigProblem::new("this is no share of calls")
            .hint("it is above 0, and 1 at most: 0.5 is half of them");
        reader.refuse(
            node,
            if share > 1.0 && share <= 100.0 {
                problem.label(format!("did you mean {}?", share / 100.0))
            } else {
                problem
            },
        )
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        extended(
            Amount.schema(definitions),
            &json!({"exclusiveMinimum": 0, "maximum": 1}),
        )
    }

    fn default(&self, value: &f64) -> Option<Json> {
        Some(json!(value))
    }
}

/// A word of a closed set.
pub(super) trait Word: Copy + 'static {
    /// What the words are, in the plural.
    const PLURAL: &'static str;
    /// All of them.
    const WORDS: &'static [Self];

    /// The word of one.
    fn word(self) -> &'static str;
}

/// One of the words of a type.
pub(super) fn word<T: Word>() -> OneOf<T> {
    one_of(T::WORDS, T::PLURAL)
}

/// One of some words.
pub(super) fn one_of<T: Word>(words: &'static [T], plural: &'static str) -> OneOf<T> {
    OneOf { words, plural }
}

pub(super) struct OneOf<T: 'static> {
    words: &'static [T],
    plural: &'static str,
}

impl<T: Word> OneOf<T> {
    fn names(&self) -> Vec<&'static str> {
        self.words.iter().map(|choice| choice.word()).collect()
    }
}

impl<T: Word> Kind for OneOf<T> {
    type Value = T;

    fn read(&self, node: &Node, _: Option<&T>, reader: &mut Reader<'_>) -> Option<T> {
        let names = self.names();
        let (Value::Text(text) | Value::Number(text)) = &node.value else {
            return reader.wrong(node, &format!("one of {}", names.join(", ")));
        };
        let found = self.words.iter().find(|choice| choice.word() == text);
        if let Some(found) = found {
            return Some(*found);
        }
        let problem = ConfigProblem::new(format!("'{text}' is none of the {}", self.plural));
        let problem = match nearest(text, names.iter().copied()) {
            Some(nearest) => problem.label(format!("did you mean '{nearest}'?")),
            None => problem,
        };
        reader.refuse(node, problem.hint(format!("they are {}", listed(&names))))
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        json!({"type": "string", "enum": self.names()})
    }

    fn default(&self, value: &T) -> Option<Json> {
        Some(json!(value.word()))
    }
}

/// Declares a closed set of words, and what they are in the plural.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident: $plural:literal { $(#[doc = $doc:literal] $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[expect(clippy::exhaustive_enums, reason = "a closed set of words, matched in full")]
        pub enum $name { $(#[doc = $doc] $variant,)+ }

        impl $name {
            /// All of them, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// Its word.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        $crate::config::kinds::word_of!($name, $plural);
    };
}

macro_rules! word_of {
    ($name:ty, $plural:literal) => {
        impl $crate::config::kinds::Word for $name {
            const PLURAL: &'static str = $plural;
            const WORDS: &'static [Self] = Self::ALL;

            fn word(self) -> &'static str {
                self.as_str()
            }
        }
    };
}

pub(super) use {word_of, words};
