//! The schemas of a server's tools: shared by all its clients, and compiled by the first call that needs them.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher as _;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, OnceLock, Weak};

use breakfall::validate::Schema;
use breakfall_mcp::sync::Mutex;
use serde_json::Value;
use tracing::warn;

/// The schemas of one server. Every client lists the same tools; a schema compiled for one client serves all of them,
/// and is dropped with the last client that uses it.
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
    server: Arc<SchemaOwner>,
    random: RandomState,
    kept: Mutex<SchemaTable>,
}

/// The server of the schemas.
struct SchemaOwner {
    name: Box<str>,
    /// The size of the compiled schemas in bytes of text. Compiled, they take about twenty times the memory.
    compiled: AtomicUsize,
}

#[derive(Default)]
struct SchemaTable {
    by_hash: HashMap<u64, Weak<DeclaredSchema>>,
    /// The number of entries at which unused ones are removed.
    sweep_at: usize,
}

/// What a schema describes. An undeclared name is a typo in arguments, and an extension in results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum SchemaSide {
    Input,
    Output,
}

/// The key of a schema.
#[derive(Debug, Clone, Copy, Hash)]
enum SchemaKey<'a> {
    /// By its text.
    Text(SchemaSide, &'a str),
    /// By its tool, for a schema of which only a part was received.
    Cut(SchemaSide, &'a str),
}

impl SchemaCache {
    /// An empty cache for the server of this name.
    pub fn new(upstream: &str) -> Self {
        Self {
            server: Arc::new(SchemaOwner {
                name: upstream.into(),
                compiled: AtomicUsize::new(0),
            }),
            random: RandomState::new(),
            kept: Mutex::default(),
        }
    }

    /// The cached schema of a text.
    pub(super) fn keep(&self, side: SchemaSide, text: &str) -> Arc<DeclaredSchema> {
        self.kept(SchemaKey::Text(side, text))
    }

    /// The schema of a tool that nests too deeply to be received whole.
    pub(super) fn keep_cut(&self, side: SchemaSide, tool: &str) -> Arc<DeclaredSchema> {
        self.kept(SchemaKey::Cut(side, tool))
    }

    fn kept(&self, key: SchemaKey<'_>) -> Arc<DeclaredSchema> {
        let hash = self.random.hash_one(key);
        let mut kept = self.kept.lock();
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
    server: Arc<SchemaOwner>,
    side: SchemaSide,
    /// Empty if it is too long for the cache.
    text: Box<str>,
    length: usize,
    /// Only a part of it was received.
    is_cut: bool,
    compiled: OnceLock<Result<Schema, SchemaError>>,
}

impl DeclaredSchema {
    fn new(server: Arc<SchemaOwner>, key: SchemaKey<'_>) -> Self {
        let (side, text, is_cut) = match key {
            SchemaKey::Text(side, text) => (side, text, false),
            SchemaKey::Cut(side, tool) => {
                let (upstream, word) = (&*server.name, side.word());
                warn!(
                    upstream,
                    tool,
                    "the {word} schema was received only in part, so calls are not validated with it: {TOO_DEEP}"
                );
                (side, "", true)
            }
        };
        let kept = Some(text).filter(|text| text.len() <= MAX_SCHEMA_BYTES);
        Self {
            server,
            side,
            text: kept.unwrap_or_default().into(),
            length: text.len(),
            is_cut,
            compiled: OnceLock::new(),
        }
    }

    /// The text; empty if it is too long to be used.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is equivalent to another one, which may belong to another server.
    pub fn is_same(&self, other: &Self) -> bool {
        let read = |text: &str| serde_json::from_str::<Value>(text).ok();
        let is_whole = !self.text.is_empty() && !other.text.is_empty();
        is_whole && (self.text == other.text || read(&self.text) == read(&other.text))
    }

    /// The compiled schema. The first call compiles it and logs an error, if there is one, with the name of the `tool`.
    ///
    /// # Errors
    /// When the schema cannot be used for validation.
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
                    tool, "invalid {side} schema, so calls are not validated with it: {reason}"
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
                MAX_SCHEMA_BYTES >> 10
            )));
        }
        let others = self.server.compiled.fetch_add(self.length, Relaxed);
        if others + self.length > MAX_COMPILED_BYTES {
            return Err(SchemaError(
                "too many of the server's are in use".to_owned(),
            ));
        }
        let value: Value = serde_json::from_str(&self.text)
            .map_err(|error| SchemaError(format!("it cannot be read: {error}")))?;
        let schema = Schema::compile(&value).map_err(|fault| {
            let message = fault.public().message().into_owned();
            SchemaError(message[..message.floor_char_boundary(MAX_ERROR_CHARS)].to_owned())
        })?;
        if self.side == SchemaSide::Input && is_never_met(&value) {
            return Err(SchemaError(
                "it takes no object, which arguments are".into(),
            ));
        }
        Ok(match self.side {
            SchemaSide::Input => schema.closed(),
            SchemaSide::Output => schema,
        })
    }

    /// The number of bytes it takes until it is compiled.
    pub(super) fn bytes(&self) -> usize {
        self.text.len()
    }

    fn is(&self, key: SchemaKey<'_>) -> bool {
        match key {
            SchemaKey::Text(side, text) => {
                let is_text = *self.text == *text || self.text.is_empty();
                !self.is_cut && self.side == side && self.length == text.len() && is_text
            }
            SchemaKey::Cut(side, _) => self.is_cut && self.side == side,
        }
    }
}

/// Whether no arguments can satisfy a schema, which its author cannot have meant.
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
        // A text that is too long was not counted.
        if self.compiled.get().is_some() && self.length == self.text.len() {
            self.server.compiled.fetch_sub(self.length, Relaxed);
        }
    }
}

impl SchemaSide {
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

/// Why a schema cannot be used for validation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaError(String);

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The error of a schema of which only a part was received.
const TOO_DEEP: &str = "it nests deeper than `limits.depth` allows";

/// The longest schema in the cache. Longer ones are not compiled.
const MAX_SCHEMA_BYTES: usize = 1 << 20;

/// The size of the schemas compiled per server, in bytes of text.
const MAX_COMPILED_BYTES: usize = 4 << 20;

/// The length of an error in a message.
const MAX_ERROR_CHARS: usize = 300;

/// A cache with fewer entries is not swept.
const FEW: usize = 64;
