//! One tool, as its server describes it.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::lossy_json;
use super::schemas::{DeclaredSchema, SchemaCache, Side};
use breakfall_mcp::jsonrpc::splice::Object;
use breakfall_mcp::jsonrpc::{CUT_KEY, may_mention};

/// A tool, with what matters of it on the way of a call.
#[derive(Debug)]
pub struct Tool {
    name: Box<str>,
    title: Option<Box<str>>,
    hints: Hints,
    input: Option<Arc<DeclaredSchema>>,
    output: Option<Arc<DeclaredSchema>>,
}

/// What a server says its tool does. Whether it is to be believed depends on how far the server is trusted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hints {
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// It may destroy something.
    pub destructive: Option<bool>,
    /// Calling it twice does no more than calling it once.
    pub idempotent: Option<bool>,
    /// It deals with things outside of the server.
    pub open_world: Option<bool>,
}

impl Tool {
    /// Reads one item of a list of tools; nothing if it has no name. What else it gets wrong is left aside.
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
        let item: Item<'_> = lossy_json::members(item)?;
        let annotations = item
            .annotations
            .and_then(|raw| lossy_json::members::<Annotations<'_>>(raw.get()))
            .unwrap_or_default();
        let title = item.title.or(annotations.title).and_then(text);
        let cut = Cut::of(item.meta);
        let keep = |side, is_cut, raw: Option<&RawValue>| {
            raw.map(|raw| {
                if is_cut {
                    schemas.keep_cut(side, &item.name)
                } else {
                    schemas.keep(side, raw.get())
                }
            })
        };
        let input = keep(Side::Input, cut.input, item.input);
        let output = keep(Side::Output, cut.output, item.output);
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

    /// What its server calls it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What people call it.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// What its server says it does.
    pub fn hints(&self) -> Hints {
        self.hints
    }

    /// What arguments have to fit, if anything.
    pub fn input(&self) -> Option<&DeclaredSchema> {
        self.input.as_deref()
    }

    /// What the structured content of results fits, if anything.
    pub fn output(&self) -> Option<&DeclaredSchema> {
        self.output.as_deref()
    }

    /// How many bytes it takes, near enough to count them. What several share counts for each.
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
struct Item<'a> {
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

/// Which of its schemas a tool is listed with in part only.
#[derive(Default)]
struct Cut {
    input: bool,
    output: bool,
}

impl Cut {
    fn of(meta: Option<&RawValue>) -> Self {
        let cut = meta.map(RawValue::get).and_then(|meta| {
            may_mention(meta.as_bytes(), CUT_KEY).then_some(())?;
            let cut = Object::of(meta, &[CUT_KEY])?.get(CUT_KEY)?;
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
