//! What the server lists: files in the shape of the protocol.

use std::sync::LazyLock;

use rmcp::model::{Prompt, Resource, ResourceTemplate, Tool};

pub(crate) static TOOLS: LazyLock<Vec<Tool>> =
    LazyLock::new(|| parsed(include_str!("lists/tools.json")));
pub(crate) static PROMPTS: LazyLock<Vec<Prompt>> =
    LazyLock::new(|| parsed(include_str!("lists/prompts.json")));
pub(crate) static RESOURCES: LazyLock<Vec<Resource>> =
    LazyLock::new(|| parsed(include_str!("lists/resources.json")));
pub(crate) static TEMPLATES: LazyLock<Vec<ResourceTemplate>> =
    LazyLock::new(|| parsed(include_str!("lists/templates.json")));

/// How long a client may keep a list or a resource.
pub(crate) const TTL_MS: u64 = 60_000;

fn parsed<T: serde::de::DeserializeOwned>(list: &str) -> Vec<T> {
    serde_json::from_str(list).expect("the list is in the shape of the protocol")
}
