//! The tool list of a server, as its clients or the gateway have fetched it.
//!
//! A list comes in pages, and a server may change it at any time. So the cache holds two: the last complete list, and
//! one that is being fetched. A name in neither is unknown only if the complete list is up to date.

use std::borrow::Borrow;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, RwLock, RwLockReadGuard, RwLockWriteGuard};

use breakfall::Fault;
use breakfall::validate::unknown_tool;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::lossy_json;
use super::schemas::SchemaCache;
use super::tool::Tool;
use breakfall_mcp::jsonrpc::Frame;
use breakfall_mcp::list_pages::ListPages;
use breakfall_mcp::protocol::method;

/// The tools of the server of one client.
///
/// ```
/// use std::sync::Arc;
/// use breakfall_gateway::tools::{ToolLookup, SchemaCache, ToolCache};
///
/// let cache = ToolCache::new(Arc::new(SchemaCache::new("shop")));
/// assert!(matches!(cache.find("find"), ToolLookup::Unlisted));
/// cache.learn(r#"{"tools": [{"name": "find", "inputSchema": {"type": "object"}}]}"#, true);
/// assert!(matches!(cache.find("find"), ToolLookup::Known(_)));
/// assert!(matches!(cache.find("fnid"), ToolLookup::Unknown));
/// cache.outdated();
/// assert!(matches!(cache.find("find"), ToolLookup::Stale(_)));
/// assert!(matches!(cache.find("fnid"), ToolLookup::Unlisted));
/// ```
#[derive(Debug)]
pub struct ToolCache {
    schemas: Arc<SchemaCache>,
    state: RwLock<State>,
}

/// The outcome of a lookup by name.
#[derive(Debug, Clone)]
#[expect(clippy::exhaustive_enums, reason = "callers must handle every outcome")]
pub enum ToolLookup {
    /// The server lists the tool.
    Known(Arc<Tool>),
    /// The server listed the tool, and has said since that its tools have changed.
    Stale(Arc<Tool>),
    /// The server does not list the tool.
    Unknown,
    /// The list was not fetched, not to its end, or not since it changed.
    Unlisted,
}

#[derive(Debug, Default)]
struct State {
    whole: Option<ToolSet>,
    draft: Option<ToolSet>,
    is_stale: bool,
    /// The number of changes of the list.
    changes: u64,
}

impl ToolCache {
    /// An empty cache.
    pub fn new(schemas: Arc<SchemaCache>) -> Self {
        Self {
            schemas,
            state: RwLock::default(),
        }
    }

    /// Reads a result of `tools/list` that passes through, the first page or a later one. Returns the cursor of the
    /// next page, if there is one.
    pub fn learn(&self, result: &str, is_first: bool) -> Option<String> {
        let page = ToolPage::read(result, &self.schemas)?;
        let mut state = self.write();
        if is_first {
            state.draft = Some(ToolSet::default());
        }
        let State { whole, draft, .. } = &mut *state;
        // A page is useless if the pages before it were not seen, or if the list has changed since.
        if let Some(list) = draft {
            list.add(page.tools, page.is_readable);
            if page.next.is_none() {
                *whole = draft.take();
                state.is_stale = false;
            }
        }
        page.next
    }

    /// Starts a listing of the gateway's own, independent of the client's. The `_meta` of its requests is JSON.
    pub fn begin(&self, meta: Option<String>) -> ToolListing {
        ToolListing {
            schemas: Arc::clone(&self.schemas),
            list: ToolSet::default(),
            changes: self.read().changes,
            pages: ListPages::new(method::TOOLS_LIST, meta),
        }
    }

    /// Stores a listing of the gateway. It is stale at once if the tools have changed meanwhile.
    pub fn replace(&self, listing: ToolListing) {
        let mut state = self.write();
        state.is_stale = state.changes != listing.changes;
        state.whole = Some(listing.list);
    }

    /// Marks the list as stale: the tools have changed, or the server was restarted.
    pub fn outdated(&self) {
        let mut state = self.write();
        state.changes += 1;
        state.draft = None;
        state.is_stale = true;
    }

    /// Whether the tools may have changed since they were listed.
    pub fn is_stale(&self) -> bool {
        let state = self.read();
        state.is_stale && state.whole.is_some()
    }

    /// Looks a tool up by name.
    pub fn find(&self, name: &str) -> ToolLookup {
        let state = self.read();
        if let Some(tool) = state.draft.as_ref().and_then(|list| list.tool(name)) {
            return ToolLookup::Known(tool);
        }
        let Some(whole) = &state.whole else {
            return ToolLookup::Unlisted;
        };
        match whole.tool(name) {
            Some(tool) if state.is_stale => ToolLookup::Stale(tool),
            Some(tool) => ToolLookup::Known(tool),
            None if state.is_stale || !whole.is_complete => ToolLookup::Unlisted,
            None => ToolLookup::Unknown,
        }
    }

    /// The names of all tools, in order.
    pub fn names(&self) -> Vec<Box<str>> {
        let state = self.read();
        state.names().into_iter().map(Into::into).collect()
    }

    /// The fault for a call of a tool that the server does not list, with similar names.
    pub fn unknown(&self, name: &str) -> Fault {
        unknown_tool(name, &self.read().names())
    }

    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state
            .read()
            .expect("no code panics while it holds this lock")
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.state
            .write()
            .expect("no code panics while it holds this lock")
    }
}

impl State {
    fn names(&self) -> Vec<&str> {
        let lists = [&self.draft, &self.whole].into_iter().flatten();
        let mut names: Vec<&str> = lists.flat_map(ToolSet::names).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// A listing by the gateway, page by page.
///
/// ```
/// use std::sync::Arc;
/// use breakfall_gateway::tools::{ToolLookup, SchemaCache, ToolCache};
///
/// let cache = ToolCache::new(Arc::new(SchemaCache::new("shop")));
/// let mut listing = cache.begin(None);
/// assert_eq!(listing.add(r#"{"tools": [{"name": "a"}], "nextCursor": "2"}"#), Some(true));
/// assert!(listing.request().is_some_and(|request| request.body() == Some(r#"{"cursor":"2"}"#)));
/// assert_eq!(listing.add(r#"{"tools": [{"name": "b"}]}"#), Some(false));
/// cache.replace(listing);
/// assert!(matches!(cache.find("a"), ToolLookup::Known(_)));
/// ```
#[derive(Debug)]
pub struct ToolListing {
    schemas: Arc<SchemaCache>,
    list: ToolSet,
    changes: u64,
    pages: ListPages,
}

impl ToolListing {
    /// The request for the current page; `None` if it cannot be written.
    pub fn request(&self) -> Option<Frame> {
        self.pages.request()
    }

    /// Adds the current page; true if another one follows. `None` if the result is not a list of tools.
    pub fn add(&mut self, result: &str) -> Option<bool> {
        let page = ToolPage::read(result, &self.schemas)?;
        let has_room = self.list.add(page.tools, page.is_readable);
        let has_next = self.pages.advance(page.next);
        self.list.is_complete &= has_next || self.pages.is_complete();
        Some(has_room && has_next)
    }
}

/// Tools by name.
#[derive(Debug)]
struct ToolSet {
    tools: HashSet<ToolByName>,
    bytes: usize,
    /// Whether it contains every tool of the server.
    is_complete: bool,
}

impl Default for ToolSet {
    fn default() -> Self {
        Self {
            tools: HashSet::new(),
            bytes: 0,
            is_complete: true,
        }
    }
}

impl ToolSet {
    /// Adds tools, as long as there is room.
    fn add(&mut self, tools: Vec<Tool>, is_readable: bool) -> bool {
        self.is_complete &= is_readable;
        for mut tool in tools {
            if let Some(other) = self.tools.get(tool.name()) {
                tool.restrain(other.0.hints());
            }
            self.bytes += tool.bytes();
            if self.tools.len() >= MAX_TOOLS || self.bytes > MAX_CACHED_BYTES {
                self.is_complete = false;
                return false;
            }
            // If a name is repeated, the last tool counts, as in most servers, but no hint of another is lost that warns.
            self.tools.replace(ToolByName(Arc::new(tool)));
        }
        true
    }

    fn tool(&self, name: &str) -> Option<Arc<Tool>> {
        self.tools
            .get(name)
            .map(|ToolByName(tool)| Arc::clone(tool))
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|ToolByName(tool)| tool.name())
    }
}

/// A tool, compared by its name.
#[derive(Debug)]
struct ToolByName(Arc<Tool>);

impl Borrow<str> for ToolByName {
    fn borrow(&self) -> &str {
        self.0.name()
    }
}

impl Hash for ToolByName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name().hash(state);
    }
}

impl PartialEq for ToolByName {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}

impl Eq for ToolByName {}

/// One page of a list.
struct ToolPage {
    tools: Vec<Tool>,
    /// Whether every item of it could be read.
    is_readable: bool,
    next: Option<String>,
}

impl ToolPage {
    fn read(result: &str, schemas: &SchemaCache) -> Option<Self> {
        let result: ToolPageJson<'_> = lossy_json::members(result)?;
        let count = result.tools.len();
        let items = result.tools.into_iter().take(MAX_TOOLS + 1);
        let tools: Vec<Tool> = items
            .filter_map(|item| Tool::read(item.get(), schemas))
            .collect();
        let next = result
            .next
            .and_then(|raw| serde_json::from_str(raw.get()).ok());
        Some(Self {
            is_readable: tools.len() == count,
            tools,
            // Some servers send an empty cursor at the end of a list.
            next: next.filter(|next: &String| !next.is_empty()),
        })
    }
}

#[derive(Deserialize)]
struct ToolPageJson<'a> {
    #[serde(borrow)]
    tools: Vec<&'a RawValue>,
    #[serde(borrow, default, rename = "nextCursor")]
    next: Option<&'a RawValue>,
}

/// The number of tools cached per server.
const MAX_TOOLS: usize = 10_000;

/// The size of names and schemas cached per server, in bytes.
const MAX_CACHED_BYTES: usize = 32 << 20;
