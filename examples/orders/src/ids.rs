//! Ids that cannot be mixed up. Each kind is a type of its own, and there is no way to one but through its check, so
//! the rest of the server never asks whether an id is one.
//!
//! The pattern is in the schema of every tool that takes such an id. The guard holds arguments against it before a
//! tool is called, and tells of all that do not fit.

use std::borrow::Cow;
use std::fmt;

use breakfall::Fault;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// Declares kinds of ids by their prefix: a prefix and 24 lower-case letters or digits.
macro_rules! branded {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String")]
        pub struct $name(Box<str>);

        impl $name {
            /// What every such id looks like.
            pub const PATTERN: &str = concat!("^", $prefix, "[a-z0-9]{24}$");

            /// Checks a text.
            pub fn new(text: &str) -> Result<Self, InvalidId> {
                match text.strip_prefix($prefix) {
                    Some(rest) if is_body(rest) => Ok(Self(text.into())),
                    _ => Err(InvalidId { pattern: Self::PATTERN }),
                }
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidId;

            fn try_from(text: String) -> Result<Self, InvalidId> {
                Self::new(&text)
            }
        }

        impl From<Body> for $name {
            fn from(body: Body) -> Self {
                Self(format!("{}{body}", $prefix).into())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({"type": "string", "pattern": Self::PATTERN})
            }

            fn inline_schema() -> bool {
                true
            }
        }
    )+};
}

branded! {
    /// Who orders.
    UserId = "usr_";
    /// What was ordered.
    OrderId = "ord_";
    /// Who is calling.
    SessionId = "ses_";
}

/// A text that is no id of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidId {
    pattern: &'static str,
}

impl fmt::Display for InvalidId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the id does not match '{}'", self.pattern)
    }
}

impl std::error::Error for InvalidId {}

/// The part of an id after its prefix.
#[derive(Debug)]
pub struct Body(String);

impl Body {
    /// One nobody can guess.
    pub fn random() -> Result<Self, Fault> {
        const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
        let mut bytes = [0; 24];
        getrandom::fill(&mut bytes).map_err(|error| Fault::internal().caused_by(error))?;
        let letter = |byte: u8| char::from(LETTERS[usize::from(byte % 32)]);
        Ok(Self(bytes.into_iter().map(letter).collect()))
    }
}

impl fmt::Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_body(text: &str) -> bool {
    text.len() == 24
        && text
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
}
