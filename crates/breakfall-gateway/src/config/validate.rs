//! `validate` as written: one word for all rules, or a map of words.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::kinds::{Choice, One};
use super::read::{Read, Reader, in_place, table};
use super::tree::{Node, Value};
use super::validation::{Mode, Rule, Validation};

/// One word, or several.
#[derive(Debug)]
pub(super) enum Validate {
    All(Mode),
    Each(Box<Rules>),
}

impl Validate {
    pub(super) fn meant(&self) -> Validation {
        match self {
            Self::All(mode) => Validation::word(*mode),
            Self::Each(rules) => rules.meant(),
        }
    }
}

impl Read for Validate {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        match &node.value {
            Value::Text(_) => One::read(node, reader).map(|One(mode)| Self::All(mode)),
            Value::Map(_) => Rules::read(node, reader).map(|rules| Self::Each(Box::new(rules))),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) => reader.wrong(
                node,
                "one of reject, warn, strip, coerce, off, or a map of rules",
            ),
        }
    }
}

in_place!(Validate, generator => json_schema!({
    "anyOf": [generator.subschema_for::<One<Mode>>(), generator.subschema_for::<Rules>()],
}));

table! {
    /// What happens to a call where a rule of the tool's schema is broken. What is left out stays as it is.
    Rules {
        /// A required parameter is missing.
        #[schemars(extend("default" = "reject"))]
        missing: One<Usual>,

        /// A value has the wrong type, and does not plainly stand for one of the right type.
        #[schemars(extend("default" = "reject"))]
        kind as "type": One<Usual>,

        /// A value has the wrong type and plainly stands for one of the right type: `"50"` for 50, `null` for what may be left out. `coerce` writes it as that.
        #[schemars(extend("default" = "warn"))]
        coercible: One<OfCoercible>,

        /// A parameter the tool does not have. `strip` removes it. Names that begin with `_` are nobody's business.
        #[schemars(extend("default" = "warn"))]
        unknown: One<OfUnknown>,

        /// A value that is none of those allowed.
        #[schemars(extend("default" = "reject"))]
        allowed as "enum": One<Usual>,

        /// A number beyond a bound.
        #[schemars(extend("default" = "reject"))]
        range: One<Usual>,

        /// A text, list or object that is too short or too long.
        #[schemars(extend("default" = "reject"))]
        size: One<Usual>,

        /// A text that does not match a regular expression.
        #[schemars(extend("default" = "reject"))]
        pattern: One<Usual>,

        /// A text that is not written as a date, an address or another well-known format. The standard takes formats for notes, and many servers do.
        #[schemars(extend("default" = "warn"))]
        format: One<Usual>,

        /// Any other rule: multiples, repeated items, alternatives, rules across parameters.
        #[schemars(extend("default" = "reject"))]
        other: One<Usual>,

        /// The structured content of a result does not fit the tool's output schema. With `reject` the caller gets an error for what the server has done.
        #[schemars(extend("default" = "warn"))]
        output: One<Usual>,
    }
}

impl Rules {
    fn meant(&self) -> Validation {
        let usual = [
            (Rule::Missing, &self.missing),
            (Rule::Type, &self.kind),
            (Rule::Enum, &self.allowed),
            (Rule::Range, &self.range),
            (Rule::Size, &self.size),
            (Rule::Pattern, &self.pattern),
            (Rule::Format, &self.format),
            (Rule::Other, &self.other),
            (Rule::Output, &self.output),
        ];
        let usual = usual
            .into_iter()
            .filter_map(|(rule, given)| Some((rule, given.as_ref()?.value.0.0)));
        let unknown = self.unknown.as_ref();
        let unknown = unknown.map(|given| (Rule::Unknown, given.value.0.0));
        let coercible = self.coercible.as_ref();
        let coercible = coercible.map(|given| (Rule::Coercible, given.value.0.0));
        usual
            .chain(unknown)
            .chain(coercible)
            .fold(Validation::default(), |said, (rule, mode)| {
                said.with(rule, mode)
            })
    }
}

macro_rules! modes {
    ($($(#[$doc:meta])* $name:ident: $($mode:ident),+;)+) => {
        $($(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub(super) struct $name(Mode);

        impl Choice for $name {
            const WHAT: &'static str = "ways to treat this rule";

            fn all() -> &'static [Self] {
                &[$(Self(Mode::$mode),)+]
            }

            fn word(self) -> &'static str {
                self.0.as_str()
            }
        })+
    };
}

modes! {
    /// What can happen where a rule is broken.
    Usual: Reject, Warn, Off;
    /// A name can be removed besides.
    OfUnknown: Reject, Warn, Strip, Off;
    /// A value can be written otherwise besides.
    OfCoercible: Reject, Warn, Coerce, Off;
}
