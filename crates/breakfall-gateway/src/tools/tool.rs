//! One tool, as its server describes it.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::lossy_json;
use super::schemas::{DeclaredSchema, SchemaCache, SchemaSide};
use breakfall_mcp::jsonrpc::may_contain;
use breakfall_mcp::jsonrpc::splice::Object;
use breakfall_mcp::protocol::meta::SCHEMA_CUT;

/// A tool, with the parts of its description that calls need.
#[derive(Debug)]
pub struct Tool {
    name: Box<str>,
    title: Option<Box<str>>,
    hints: Hints,
    input: Option<Arc<DeclaredSchema>>,
    output: Option<Arc<DeclaredSchema>>,
}

/// The behaviour that a server declares for its tool. Whether to believe it depends on the trust level of the server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hints {
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// It may destroy data.
    pub destructive: Option<bool>,
    /// Repeating a call has no further effect.
    pub idempotent: Option<bool>,
    /// It interacts with systems outside the server.
    pub open_world: Option<bool>,
}

impl Hints {
    /// Whether the tool may be called twice, as its server says. One that says it only reads, and that it destroys,
    /// contradicts itself.
    pub fn may_repeat(self) -> bool {
        let reads = self.read_only == Some(true) && self.destructive != Some(true);
        reads || self.idempotent == Some(true)
    }
}

impl Tool {
    /// Reads one item of a tool list; `None` if it has no name. Other invalid parts are skipped.
    ///
    /// ```
    /// use breakfall_gateway::tools::{SchemaCache, Tool};
    ///
    /// let item = r#"{"name": "find", "annotations": {"readOnlyHint": true}, "outputSchema": {"type": "object"}}"#;
    /// let tool = Tool::read(item, &SchemaCache::new("shop")).expect("it has a name");
    /// assert_eq!((tool.name(), tool.hints().read_only), ("find", Some(true)));
    /// assert!(tool.input().is_none() && tool.output().is_some());
    /// ```
    pub fn read(item: &str, schemas: &SchemaCache) -> Option<Self> {
        let item: ToolItem<'_> = lossy_json::members(item)?;
        let annotations = item
            .annotations
            .and_then(|raw| lossy_json::members::<Annotations<'_>>(raw.get()))
            .unwrap_or_default();
        let title = item.title.or(annotations.title).and_then(text);
        let cut = CutSchemas::of(item.meta);
        let keep = |side, is_cut, raw: Option<&RawValue>| {
            raw.map(|raw| {
                if is_cut {
                    schemas.keep_cut(side, &item.name)
                } else {
                    schemas.keep(side, raw.get())
                }
            })
        };
        let input = keep(SchemaSide::Input, cut.input, item.input);
        let output = keep(SchemaSide::Output, cut.output, item.output);
        Some(Self {
            name: item.name.into(),
            title: title.map(Into::into),
            hints: Hints {
                read_only: annotations.read_only.and_then(truth),
                destructive: annotations.destructive.and_then(truth),
                idempotent: annotations.idempotent.and_then(truth),
                open_world: annotations.open_world.and_then(truth),
            },
            input,
            output,
        })
    }

    /// The server's name for it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name for people.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The declared behaviour.
    pub fn hints(&self) -> Hints {
        self.hints
    }

    /// Takes the hints of another tool of the same name over that say more danger.
    pub(super) fn restrain(&mut self, other: Hints) {
        let hints = &mut self.hints;
        if other.destructive == Some(true) {
            hints.destructive = Some(true);
        }
        for (mine, others) in [
            (&mut hints.read_only, other.read_only),
            (&mut hints.idempotent, other.idempotent),
        ] {
            if others != Some(true) {
                *mine = mine.filter(|is_harmless| !is_harmless);
            }
        }
    }

    /// The schema of its arguments, if it declares one.
    pub fn input(&self) -> Option<&DeclaredSchema> {
        self.input.as_deref()
    }

    /// The schema of its structured content, if it declares one.
    pub fn output(&self) -> Option<&DeclaredSchema> {
        self.output.as_deref()
    }

    /// Its approximate size in bytes. A shared schema counts for each tool.
    pub(super) fn bytes(&self) -> usize {
        let schemas = [&self.input, &self.output];
        let schemas = schemas.into_iter().flatten();
        let title = self.title.as_ref().map_or(0, |title| title.len());
        self.name.len() + title + schemas.map(|declared| declared.bytes()).sum::<usize>()
    }
}

fn text(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}

fn truth(raw: &RawValue) -> Option<bool> {
    serde_json::from_str(raw.get()).ok()
}

#[derive(Deserialize)]
struct ToolItem<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    title: Option<&'a RawValue>,
    #[serde(borrow, default)]
    annotations: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "inputSchema")]
    input: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "outputSchema")]
    output: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "_meta")]
    meta: Option<&'a RawValue>,
}

/// Which schemas of a tool were received only in part.
#[derive(Default)]
struct CutSchemas {
    input: bool,
    output: bool,
}

impl CutSchemas {
    fn of(meta: Option<&RawValue>) -> Self {
        let cut = meta.map(RawValue::get).and_then(|meta| {
            may_contain(meta.as_bytes(), SCHEMA_CUT).then_some(())?;
            let cut = Object::of(meta, &[SCHEMA_CUT])?.get(SCHEMA_CUT)?;
            Object::of(cut, &["inputSchema", "outputSchema"])
        });
        cut.map_or_else(Self::default, |cut| Self {
            input: cut.get("inputSchema").is_some(),
            output: cut.get("outputSchema").is_some(),
        })
    }
}

#[derive(Deserialize, Default)]
struct Annotations<'a> {
    #[serde(borrow, default)]
    title: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "readOnlyHint")]
    read_only: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "destructiveHint")]
    destructive: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "idempotentHint")]
    idempotent: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "openWorldHint")]
    open_world: Option<&'a RawValue>,
}
