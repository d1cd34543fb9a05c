//! The declaration of a setting, from which its reading, its JSON Schema and the list of known keys are derived.

use serde_json::{Map, Value as Json};

use super::problem::ConfigProblem;
use super::reader::{Position, Reader};
use super::schema::Definitions;
use super::tree::Node;

/// How the value of a setting is written: how it is read and checked, and what the JSON Schema says about it.
pub(super) trait Kind {
    /// What the configuration holds.
    type Value;

    /// Reads a value. `before` holds without the key: parts that a map leaves out stay as they are there. `None` is returned
    /// after a problem was reported.
    fn read(
        &self,
        node: &Node,
        before: Option<&Self::Value>,
        reader: &mut Reader<'_>,
    ) -> Option<Self::Value>;

    /// The JSON Schema of a value.
    fn schema(&self, definitions: &mut Definitions) -> Json;

    /// A default as the schema shows it, if it shows one.
    fn default(&self, _value: &Self::Value) -> Option<Json> {
        None
    }
}

/// A map of settings.
pub(super) trait Section: Clone + Default {
    /// The name of its definition in the schema.
    const NAME: &'static str;
    /// What it is about, in the schema.
    const TEXT: &'static str;
    /// Keys that have to be there.
    const REQUIRED: &'static [&'static str] = &[];
    /// What a problem calls it.
    const SUBJECT: &'static str = "";
    /// One that is right, for hints.
    const EXAMPLE: &'static str = "";

    /// Declares each setting: its key, its text, where its value goes, and its kind. The value there is the default.
    fn settings(&mut self, visitor: &mut impl Visitor);

    /// Checks that settings fit together, after all were read.
    fn check(&mut self, _reader: &mut Reader<'_>) {}

    /// What is wrong where a required key is missing.
    fn missing(key: &str, position: &Position) -> ConfigProblem {
        let problem = position.key_problem(format!("{} needs '{key}'", Self::SUBJECT));
        problem.hint(format!("for example {}", Self::EXAMPLE))
    }

    /// Adds what the settings alone do not say to the schema.
    fn describe(_schema: &mut Map<String, Json>) {}
}

/// What is done with each setting of a section: read it, describe it, or list its key.
pub(super) trait Visitor {
    /// One setting.
    fn setting<K: Kind>(
        &mut self,
        key: &'static str,
        text: &'static str,
        value: &mut K::Value,
        kind: K,
    );

    /// A check between settings. Runs only where a file is read.
    fn check(&mut self, _check: impl FnOnce(&mut Reader<'_>)) {}
}

/// The keys of a section, in order.
pub(super) fn keys<S: Section>() -> Vec<&'static str> {
    struct Keys(Vec<&'static str>);

    impl Visitor for Keys {
        fn setting<K: Kind>(&mut self, key: &'static str, _: &'static str, _: &mut K::Value, _: K) {
            self.0.push(key);
        }
    }

    let mut keys = Keys(Vec::new());
    S::default().settings(&mut keys);
    keys.0
}

/// Declares a section: a struct with its default and its settings.
///
/// A field is one of
/// - `name: Type = default => kind;`, a setting of that key;
/// - `name: Type = default, from |section| kind;`, a setting whose kind depends on those above it;
/// - `name: Type = default, in function;`, with settings that the function declares;
/// - `name: Type = default;`, which no key sets.
///
/// Its comment is the text in the schema, so it is one line. What stands in `impl Section` is added to the implementation.
macro_rules! settings {
    (
        #[doc = $text:literal]
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $(
                #[doc = $about:literal]
                pub $field:ident $(as $key:literal)?: $type:ty = $default:expr
                $(=> $kind:expr)? $(, from |$section:ident| $derived:expr)? $(, in $function:path)?;
            )+
        }
        $(impl Section { $($items:tt)* })?
    ) => {
        #[doc = $text]
        $(#[$meta])*
        $vis struct $name {
            $(#[doc = $about] pub $field: $type,)+
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)+ }
            }
        }

        impl $crate::config::setting::Section for $name {
            const NAME: &'static str = stringify!($name);
            const TEXT: &'static str = $text.trim_ascii();

            fn settings(&mut self, visitor: &mut impl $crate::config::setting::Visitor) {
                $(
                    let key = $crate::config::setting::key!($field $($key)?);
                    let text = $about.trim_ascii();
                    let _ = (key, text);
                    $(visitor.setting(key, text, &mut self.$field, $kind);)?
                    $(
                        let kind = { let $section = &*self; $derived };
                        visitor.setting(key, text, &mut self.$field, kind);
                    )?
                    $($function(&mut self.$field, visitor);)?
                )+
            }

            $($($items)*)?
        }
    };
}

macro_rules! key {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $key:literal) => {
        $key
    };
}

pub(super) use {key, settings};
