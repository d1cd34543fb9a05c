//! The tree → tables, keeping every problem on the way instead of stopping at the first.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use breakfall::suggest::nearest;
use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::mask::{SECRETIVE, hide};
use super::problem::Problem;
use super::tree::{Key, Node, Value};
use super::yaml::Missing;

/// What can be read from a value of the tree.
pub(super) trait Read: Sized {
    /// The value, or nothing and a problem told.
    fn read(node: &Node, reader: &mut Reader) -> Option<Self>;
}

/// Reads values and keeps what is wrong with them.
#[derive(Debug, Default)]
pub(super) struct Reader {
    pub(super) problems: Vec<Problem>,
    /// Values nobody should see in a message, because nobody knows what they are.
    pub(super) hidden: Vec<Range<usize>>,
    /// What the file does not have, as was told.
    pub(super) missing: Missing,
    /// Keys that are there, or were meant to be, and could not be read.
    failed: BTreeSet<String>,
    path: Vec<String>,
}

/// Something the file gives, and where.
#[derive(Debug, Clone)]
pub(super) struct Given<T> {
    pub(super) value: T,
    pub(super) at: At,
}

/// Where something is given.
#[derive(Debug, Clone)]
pub(super) struct At {
    /// Its key; for an item of a list, the item.
    pub(super) key: Range<usize>,
    /// Its value.
    pub(super) span: Range<usize>,
    /// Its keys from the top, with dots.
    pub(super) path: String,
}

impl At {
    /// A problem of the value.
    pub(super) fn problem(&self, message: impl Into<String>) -> Problem {
        Problem::new(message)
            .at(self.span.clone())
            .of(self.path.clone())
    }

    /// A problem of the key, or of there being no more below it.
    pub(super) fn key_problem(&self, message: impl Into<String>) -> Problem {
        self.problem(message).at(self.key.clone())
    }
}

impl Reader {
    /// The entries of a map.
    pub(super) fn entries<'n>(&mut self, node: &'n Node) -> Option<&'n [(Key, Node)]> {
        match &node.value {
            Value::Map(entries) => Some(entries),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => {
                self.wrong(node, "a map of keys and values")
            }
        }
    }

    /// The value of a key; nothing is the same as no key.
    pub(super) fn entry<T: Read>(&mut self, key: &Key, node: &Node) -> Option<Given<T>> {
        if node.is_null() && !self.missing.has(&node.span) {
            return None;
        }
        self.item(key.text.clone(), key.span.clone(), node)
    }

    pub(super) fn item<T: Read>(
        &mut self,
        name: String,
        key: Range<usize>,
        node: &Node,
    ) -> Option<Given<T>> {
        self.path.push(name);
        let is_missing = self.missing.has(&node.span);
        let value = (!is_missing).then(|| T::read(node, self)).flatten();
        let at = At {
            key,
            span: node.span.clone(),
            path: self.path(),
        };
        self.path.pop();
        if value.is_none() {
            self.failed.insert(at.path.clone());
        }
        value.map(|value| Given { value, at })
    }

    /// Whether a key is missing only because it could not be read.
    pub(super) fn failed(&self, path: &str) -> bool {
        self.failed.contains(path)
    }

    /// Whether something below a key could not be read.
    pub(super) fn failed_below(&self, path: &str) -> bool {
        let below = format!("{path}.");
        let mut after = self.failed.range(below.clone()..);
        after.next().is_some_and(|path| path.starts_with(&below))
    }

    /// Tells of a key that is none.
    pub(super) fn unknown(&mut self, key: &Key, node: &Node, known: &[&str]) {
        let problem = Problem::new(format!("unknown key '{}'", key.text));
        let problem = problem.at(key.span.clone()).of(self.path_to(&key.text));
        if let Some(foreign) = FOREIGN
            .iter()
            .find(|foreign| foreign.key == key.text && known.contains(&foreign.here))
        {
            hide(node, &mut self.hidden);
            let path = self.path_to(foreign.here);
            self.failed.insert(path);
            let problem = problem.label(foreign.label);
            return self.problems.push(problem.hint(foreign.hint));
        }
        let meant = nearest(&key.text, known.iter().copied());
        if meant.is_none_or(|meant| SECRETIVE.contains(&meant)) {
            hide(node, &mut self.hidden);
        }
        let problem = match meant {
            Some(meant) => {
                let path = self.path_to(meant);
                self.failed.insert(path);
                problem.label(format!("did you mean '{meant}'?"))
            }
            None => problem,
        };
        self.problems
            .push(problem.hint(format!("the keys here are {}", listed(known))));
    }

    /// Tells of a value of the wrong kind.
    pub(super) fn wrong<T>(&mut self, node: &Node, expected: &str) -> Option<T> {
        self.refuse(node, format!("expected {expected}, got {}", node.kind()))
    }

    /// Tells of a wrong value.
    pub(super) fn refuse<T>(&mut self, node: &Node, message: impl Into<String>) -> Option<T> {
        self.add(node, Problem::new(message));
        None
    }

    /// Tells of a problem of a value.
    pub(super) fn add(&mut self, node: &Node, problem: Problem) {
        let mut problem = problem.at(node.span.clone()).of(self.path());
        if matches!(&node.value, Value::Text(text) if text.contains("${")) {
            problem = problem.hint(NO_REFERENCE);
        }
        self.problems.push(problem);
    }

    fn path(&self) -> String {
        let mut path = String::new();
        for part in &self.path {
            if !path.is_empty() && !part.starts_with('[') {
                path.push('.');
            }
            path.push_str(part);
        }
        path
    }

    fn path_to(&mut self, key: &str) -> String {
        self.path.push(key.to_owned());
        let path = self.path();
        self.path.pop();
        path
    }
}

/// A key of the files of clients, which are pasted here.
struct Foreign {
    key: &'static str,
    /// What is known where it stands, and says the same.
    here: &'static str,
    label: &'static str,
    hint: &'static str,
}

const FOREIGN: [Foreign; 4] = [
    Foreign {
        key: "mcpServers",
        here: "upstreams",
        label: SERVERS,
        hint: RENAME,
    },
    Foreign {
        key: "servers",
        here: "upstreams",
        label: SERVERS,
        hint: RENAME,
    },
    Foreign {
        key: "type",
        here: "command",
        label: "leave it out",
        hint: "a server with a 'command' is a program, and one with a 'url' is at an address",
    },
    Foreign {
        key: "serverUrl",
        here: "url",
        label: "here it is called 'url'",
        hint: "rename it",
    },
];

const SERVERS: &str = "here it is called 'upstreams'";
const RENAME: &str = "rename it: 'command', 'args', 'env', 'url' and 'headers' of a server are the same as in the file of a client; leave out 'type'";

const NO_REFERENCE: &str = "references like ${NAME} are not replaced here: only in listen, tls, keys, hosts, origins, store, command, args, env, cwd, url, headers, ca and adapter";

/// Words in a sentence.
pub(super) fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Declares a table of the file once: its keys with their documentation, how they are read, and their schema. A key that
/// is no name in Rust stands behind another one.
macro_rules! table {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $key:ident $(as $word:literal)?: $type:ty,)+ }) => {
        #[derive(Debug, Default, schemars::JsonSchema)]
        #[schemars(deny_unknown_fields)]
        $(#[$meta])*
        #[allow(
            clippy::allow_attributes,
            clippy::struct_field_names,
            reason = "what they are called is for whoever writes the file"
        )]
        pub(in crate::config) struct $name {
            $($(#[$doc])* $(#[schemars(rename = $word)])? pub(in crate::config) $key: Option<$crate::config::read::Given<$type>>,)+
        }

        impl $crate::config::read::Read for $name {
            fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
                let mut table = Self::default();
                for (key, node) in reader.entries(node)? {
                    match key.text.as_str() {
                        $($crate::config::read::word!($key $($word)?) => table.$key = reader.entry(key, node),)+
                        _ => reader.unknown(key, node, &[$($crate::config::read::word!($key $($word)?)),+]),
                    }
                }
                Some(table)
            }
        }
    };
}
pub(super) use table;

macro_rules! word {
    ($key:ident) => {
        stringify!($key)
    };
    ($key:ident $word:literal) => {
        $word
    };
}
pub(super) use word;

impl<T: JsonSchema> JsonSchema for Given<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// Implements the schema of a value that is written in place.
macro_rules! in_place {
    ($name:ty $(where $param:ident)?, $generator:ident => $schema:expr) => {
        impl$(<$param: JsonSchema>)? JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    };
}
pub(super) use in_place;
