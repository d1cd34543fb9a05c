//! The schemas of a server's tools: one of each, whoever lists them, compiled when the first call needs it.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher as _;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, OnceLock, Weak};

use breakfall::validate::Schema;
use serde_json::Value;
use tracing::warn;

/// The schemas of one server. Every client lists the same tools again; what was compiled for one serves all of them, and
/// is forgotten with the last who has it.
///
/// ```
/// use breakfall_gateway::tools::{SchemaCache, Tool};
///
/// let schemas = SchemaCache::new("shop");
/// let item = r#"{"name": "find", "inputSchema": {"type": "object"}}"#;
/// let (one, other) = (Tool::read(item, &schemas), Tool::read(item, &schemas));
/// let input = |tool: &Option<Tool>| tool.as_ref().and_then(Tool::input).map(std::ptr::from_ref);
/// assert_eq!(input(&one), input(&other));
/// ```
pub struct SchemaCache {
    server: Arc<Server>,
    random: RandomState,
    kept: Mutex<SchemaTable>,
}

/// Whose they are.
struct Server {
    name: Box<str>,
    /// How many bytes of text are compiled. That takes some twenty times their memory.
    compiled: AtomicUsize,
}

#[derive(Default)]
struct SchemaTable {
    by_hash: HashMap<u64, Weak<DeclaredSchema>>,
    /// How many there may be before those nobody has any more are looked for.
    sweep_at: usize,
}

/// What a schema is about. A name the arguments do not have room for is a slip of the caller; in a result it is what
/// the schema leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Side {
    Input,
    Output,
}

/// What a schema is known by.
#[derive(Debug, Clone, Copy, Hash)]
enum Key<'a> {
    /// By how it is written.
    Text(Side, &'a str),
    /// By its tool, since nobody has the whole of it.
    Cut(Side, &'a str),
}

impl SchemaCache {
    /// None yet, of a server by this name.
    pub fn new(upstream: &str) -> Self {
        Self {
            server: Arc::new(Server {
                name: upstream.into(),
                compiled: AtomicUsize::new(0),
            }),
            random: RandomState::new(),
            kept: Mutex::default(),
        }
    }

    /// The one that is kept for a text.
    pub(super) fn keep(&self, side: Side, text: &str) -> Arc<DeclaredSchema> {
        self.kept(Key::Text(side, text))
    }

    /// The one of a tool whose own nests too deeply to be passed on whole.
    pub(super) fn keep_cut(&self, side: Side, tool: &str) -> Arc<DeclaredSchema> {
        self.kept(Key::Cut(side, tool))
    }

    fn kept(&self, key: Key<'_>) -> Arc<DeclaredSchema> {
        let hash = self.random.hash_one(key);
        let mut kept = self
            .kept
            .lock()
            .expect("nobody panics while holding this lock");
        let known = kept.by_hash.get(&hash).and_then(Weak::upgrade);
        if let Some(known) = known.filter(|known| known.is(key)) {
            return known;
        }
        if kept.by_hash.len() >= kept.sweep_at {
            kept.by_hash
                .retain(|_, declared| declared.strong_count() > 0);
            kept.sweep_at = (kept.by_hash.len() * 2).max(FEW);
        }
        let declared = Arc::new(DeclaredSchema::new(Arc::clone(&self.server), key));
        kept.by_hash.insert(hash, Arc::downgrade(&declared));
        declared
    }
}

impl fmt::Debug for SchemaCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SchemaCache")
            .field(&self.server.name)
            .finish()
    }
}

/// A schema as a server declares it.
pub struct DeclaredSchema {
    server: Arc<Server>,
    side: Side,
    /// Empty if it is too long to be kept.
    text: Box<str>,
    length: usize,
    /// The whole of it was never seen.
    is_cut: bool,
    compiled: OnceLock<Result<Schema, SchemaError>>,
}

impl DeclaredSchema {
    fn new(server: Arc<Server>, key: Key<'_>) -> Self {
        let (side, text, is_cut) = match key {
            Key::Text(side, text) => (side, text, false),
            Key::Cut(side, tool) => {
                let (upstream, word) = (&*server.name, side.word());
                warn!(
                    upstream,
                    tool,
                    "the {word} schema is listed in part, and nothing is checked with it: {TOO_DEEP}"
                );
                (side, "", true)
            }
        };
        let kept = Some(text).filter(|text| text.len() <= LONGEST);
        Self {
            server,
            side,
            text: kept.unwrap_or_default().into(),
            length: text.len(),
            is_cut,
            compiled: OnceLock::new(),
        }
    }

    /// As it was written; empty if it is too long to be of any use.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it asks for the same as another, which may be another server's.
    pub fn is_same(&self, other: &Self) -> bool {
        let read = |text: &str| serde_json::from_str::<Value>(text).ok();
        let is_whole = !self.text.is_empty() && !other.text.is_empty();
        is_whole && (self.text == other.text || read(&self.text) == read(&other.text))
    }

    /// Ready to check with, compiled if nobody has asked before. What is wrong with it goes to the log once; `tool` is
    /// for that.
    ///
    /// # Errors
    /// When nobody can check with it.
    pub fn compiled(&self, tool: &str) -> Result<&Schema, &SchemaError> {
        let compiled = self.compiled.get_or_init(|| {
            if self.is_cut {
                return Err(SchemaError(TOO_DEEP.to_owned()));
            }
            let compiled = self.compile();
            if let Err(SchemaError(reason)) = &compiled {
                let (upstream, side) = (&*self.server.name, self.side.word());
                warn!(
                    upstream,
                    tool,
                    "the {side} schema cannot be used, so nothing is checked with it: {reason}"
                );
            }
            compiled
        });
        compiled.as_ref()
    }

    fn compile(&self) -> Result<Schema, SchemaError> {
        if self.length > self.text.len() {
            return Err(SchemaError(format!(
                "it is larger than {} KiB",
                LONGEST >> 10
            )));
        }
        let others = self.server.compiled.fetch_add(self.length, Relaxed);
        if others + self.length > MOST_COMPILED {
            return Err(SchemaError(
                "too many of the server's are in use".to_owned(),
            ));
        }
        let value: Value = serde_json::from_str(&self.text)
            .map_err(|error| SchemaError(format!("it cannot be read: {error}")))?;
        let schema = Schema::compile(&value).map_err(|fault| {
            let message = fault.public().message().into_owned();
            SchemaError(message[..message.floor_char_boundary(MOST_WORDS)].to_owned())
        })?;
        if self.side == Side::Input && is_never_met(&value) {
            return Err(SchemaError(
                "it takes no object, which arguments are".into(),
            ));
        }
        Ok(match self.side {
            Side::Input => schema.closed(),
            Side::Output => schema,
        })
    }

    /// How many bytes are kept of it as long as nobody has compiled it.
    pub(super) fn bytes(&self) -> usize {
        self.text.len()
    }

    fn is(&self, key: Key<'_>) -> bool {
        match key {
            Key::Text(side, text) => {
                let is_text = *self.text == *text || self.text.is_empty();
                !self.is_cut && self.side == side && self.length == text.len() && is_text
            }
            Key::Cut(side, _) => self.is_cut && self.side == side,
        }
    }
}

/// Whether a schema is one that no arguments fit, whatever they are: its author cannot have meant that.
fn is_never_met(schema: &Value) -> bool {
    match (schema, schema.get("type")) {
        (Value::Bool(takes), _) => !takes,
        (_, Some(Value::String(only))) => only != "object",
        (_, Some(Value::Array(types))) => types.iter().all(|word| *word != "object"),
        (_, _) => false,
    }
}

impl Drop for DeclaredSchema {
    fn drop(&mut self) {
        // What was too long was never counted.
        if self.compiled.get().is_some() && self.length == self.text.len() {
            self.server.compiled.fetch_sub(self.length, Relaxed);
        }
    }
}

impl Side {
    const fn word(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
        }
    }
}

impl fmt::Debug for DeclaredSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeclaredSchema")
            .field("side", &self.side)
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}

/// Why nobody can check with a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaError(String);

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why there is no more than a part of a schema.
const TOO_DEEP: &str = "it nests deeper than `limits.depth` allows";

/// The longest schema that is kept. None that is longer compiles.
const LONGEST: usize = 1 << 20;

/// How many bytes of schemas are compiled of one server at the same time.
const MOST_COMPILED: usize = 4 << 20;

/// As much as a message needs of what is wrong with a schema.
const MOST_WORDS: usize = 300;

/// So few that nobody need be looked for.
const FEW: usize = 64;
