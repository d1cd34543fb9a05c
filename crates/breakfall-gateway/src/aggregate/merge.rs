//! Merges the answers of many servers. Each server that did not answer is named in a warning.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use breakfall::Warning;
use breakfall::catalog::warning::{CONTENT_DROPPED, NAMES_SHORTENED, UPSTREAM_LOST};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::UpstreamNames;
use super::list::{CachePolicy, ListMethod, ListPage, ListedItem, members, rest, unavailable};
use super::outward::{ServerView, json, text};
use super::seal::{Seal, SealPurpose};
use crate::bridge::warned;
use breakfall_mcp::protocol::meta::UPSTREAMS;
use breakfall_mcp::protocol::{MODERN, Version};

/// One server's part of a joined answer.
#[derive(Debug)]
pub(crate) enum ServerPart<T> {
    /// An answer.
    Answer(T),
    /// The server does not implement the method, and has nothing to add.
    Nothing,
    /// No answer, with the reason in a few words, and the items it listed before, if they are to be shown.
    Lost(Box<str>, Vec<ListedItem>),
}

/// What all requests of a client have in common.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Merger<'a> {
    pub(crate) names: &'a UpstreamNames,
    pub(crate) seal: &'a Seal,
    pub(crate) principal: &'a str,
    pub(crate) is_modern: bool,
}

/// Where a joined list continues.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct JoinedCursor {
    /// The number of the page that comes next; the first is 0.
    pub(crate) page: u32,
    /// The servers with more pages, and their cursors.
    pub(crate) cursors: BTreeMap<String, String>,
}

impl<'a> Merger<'a> {
    pub(crate) fn view(self, at: usize) -> ServerView<'a> {
        ServerView {
            names: self.names,
            at,
            seal: self.seal,
            principal: self.principal,
        }
    }

    fn cursor(self, list: ListMethod) -> SealPurpose<'a> {
        SealPurpose {
            what: list.method(),
            upstream: "",
            principal: self.principal,
        }
    }

    /// Opens the cursor of a joined list; `None` if it was not issued by this gateway.
    pub(crate) fn open_cursor(self, list: ListMethod, cursor: &str) -> Option<JoinedCursor> {
        let text = self.seal.open(self.cursor(list), cursor)?;
        serde_json::from_str(text).ok()
    }

    /// A page of a joined list, with the servers in the order of the configuration.
    pub(crate) fn list(
        self,
        list: ListMethod,
        page: u32,
        parts: &[(usize, ServerPart<ListPage>)],
    ) -> String {
        let mut out = format!("{{\"{}\":[", list.key());
        let mut next = JoinedCursor {
            page: page.saturating_add(1),
            ..JoinedCursor::default()
        };
        let mut said = JoinedExtras::default();
        let mut cut = Vec::new();
        let mut comma = "";
        for (at, part) in parts {
            let name = self.names.upstream(*at);
            match part {
                ServerPart::Answer(page) => {
                    for item in &page.items {
                        // Writing to a `String` does not fail.
                        let _ = write!(out, "{comma}{}", item.text);
                        comma = ",";
                        if matches!(list, ListMethod::Tools | ListMethod::Prompts)
                            && !item.name.ends_with(&*item.own)
                        {
                            cut.push(item);
                        }
                    }
                    if let Some(cursor) = &page.next {
                        next.cursors.insert(name.to_owned(), cursor.clone());
                    }
                    said.cached(page.cache);
                    said.rest(name, &page.rest);
                    said.left_out(name, page.left_out);
                }
                ServerPart::Nothing => {}
                ServerPart::Lost(why, items) => {
                    for item in items {
                        let _ = write!(out, "{comma}{}", unavailable(item, name));
                        comma = ",";
                    }
                    said.lost(name, why, !items.is_empty());
                }
            }
        }
        out.push(']');
        if !next.cursors.is_empty() {
            let text = serde_json::to_string(&next).expect("texts are JSON");
            let sealed = self.seal.close(self.cursor(list), &text);
            let _ = write!(out, ",\"nextCursor\":{}", json(&sealed));
        }
        said.warnings.extend(replaced(&cut));
        said.finish(out, self.is_modern)
    }

    /// The result of `initialize`, or of `server/discover` if the client is modern.
    pub(crate) fn hello(
        self,
        parts: &[(usize, ServerPart<&str>)],
        requested: Option<&str>,
    ) -> String {
        let mut said = JoinedExtras::default();
        let mut capabilities = Value::Object(Map::new());
        let mut instructions = String::new();
        let mut versions = Vec::new();
        for (at, part) in parts {
            let name = self.names.upstream(*at);
            let body = match part {
                ServerPart::Answer(body) => *body,
                ServerPart::Nothing => continue,
                ServerPart::Lost(why, _) => {
                    said.lost(name, why, false);
                    continue;
                }
            };
            let Some(mut members) = members(body) else {
                said.lost(name, "its answer to the handshake is no object", false);
                continue;
            };
            if let Some(theirs) = members.remove("capabilities").and_then(value) {
                unite(&mut capabilities, theirs);
            }
            if let Some(text) = members.remove("instructions").and_then(text) {
                let prefix = self.names.prefix(*at);
                let _ = write!(
                    instructions,
                    "# {name}\n\n(Names of its tools and prompts begin with `{prefix}`.)\n\n{text}\n\n"
                );
            }
            let version = members.remove("protocolVersion").and_then(value);
            let supported = members.remove("supportedVersions").and_then(value);
            versions.push(supported.or(version).unwrap_or_default());
            said.cached(CachePolicy::take(&mut members));
            said.rest(name, &rest(&members));
        }
        // The joined lists change when a server is lost or comes back, and a lost server may have any list.
        for list in ["tools", "prompts", "resources"] {
            let is_there = capabilities.get(list).is_some_and(Value::is_object);
            if is_there || said.has_lost {
                unite(
                    &mut capabilities,
                    serde_json::json!({list: {"listChanged": true}}),
                );
            }
        }
        let mut out = format!("{{\"capabilities\":{capabilities},");
        if self.is_modern {
            let versions = common(&versions);
            let _ = write!(out, "\"supportedVersions\":{versions}");
        } else {
            let version = json(&newest(&versions, requested));
            let _ = write!(
                out,
                "\"protocolVersion\":{version},\"serverInfo\":{}",
                info()
            );
        }
        if !instructions.is_empty() {
            let _ = write!(out, ",\"instructions\":{}", json(instructions.trim_end()));
        }
        said.finish(out, self.is_modern)
    }
}

/// The parts of a joined answer beside the items.
#[derive(Default)]
struct JoinedExtras {
    warnings: Vec<Warning>,
    has_lost: bool,
    cache: Option<CachePolicy>,
    /// Unknown members of the results, by server.
    rests: String,
}

impl JoinedExtras {
    fn cached(&mut self, cache: CachePolicy) {
        self.cache = Some(self.cache.map_or(cache, |before| before.with(cache)));
    }

    fn rest(&mut self, name: &str, rest: &str) {
        if !rest.is_empty() {
            let comma = if self.rests.is_empty() { "" } else { "," };
            let _ = write!(self.rests, "{comma}{}:{rest}", json(name));
        }
    }

    fn left_out(&mut self, name: &str, count: usize) {
        if count > 0 {
            let what = format!(
                "Left out '{count}' item(s) of upstream '{name}' that are malformed or listed twice"
            );
            let warning = Warning::new(CONTENT_DROPPED)
                .context("dropped_count", count)
                .context("reason", "malformed or listed twice")
                .context("upstream", name)
                .message(what);
            self.warnings.push(warning);
        }
    }

    fn lost(&mut self, name: &str, why: &str, is_listed: bool) {
        self.has_lost = true;
        let mut warning = Warning::new(UPSTREAM_LOST)
            .context("upstream", name)
            .context("reason", why);
        if is_listed {
            warning = warning.message(format!(
                "No answer from upstream '{name}'; what it had before is listed as unavailable"
            ));
        }
        self.warnings.push(warning);
    }

    fn finish(self, mut out: String, is_modern: bool) -> String {
        let mut meta = Vec::new();
        if is_modern {
            let cache = self.cache.filter(|_| !self.has_lost).unwrap_or_default();
            let scope = if cache.is_public { "public" } else { "private" };
            let time = cache.milliseconds;
            let _ = write!(
                out,
                ",\"resultType\":\"complete\",\"ttlMs\":{time},\"cacheScope\":\"{scope}\""
            );
            meta.push(format!("\"io.modelcontextprotocol/serverInfo\":{}", info()));
        }
        if !self.rests.is_empty() {
            meta.push(format!("\"{UPSTREAMS}\":{{{}}}", self.rests));
        }
        meta.extend(told(self.warnings));
        if !meta.is_empty() {
            let _ = write!(out, ",\"_meta\":{{{}}}", meta.join(","));
        }
        out.push('}');
        out
    }
}

/// Warnings as members of `_meta`, in the same place and words as on the result of a tool.
fn told(warnings: Vec<Warning>) -> Vec<String> {
    let members = warned(warnings).into_iter();
    members
        .map(|(key, value)| format!("{}:{value}", json(&key)))
        .collect()
}

fn replaced(names: &[&ListedItem]) -> Option<Warning> {
    let told = |name: fn(&ListedItem) -> &str| -> Vec<String> {
        let names = names.iter().take(MAX_WARNED_NAMES);
        names.map(|item| name(item).to_owned()).collect()
    };
    let warning = Warning::new(NAMES_SHORTENED)
        .context("shortened_count", names.len())
        .context("names", told(|item| &item.name))
        .context("original_names", told(|item| &item.own));
    let is_only_long = names.iter().all(|item| UpstreamNames::is_usable(&item.own));
    match names.len() {
        0 => None,
        _ if is_only_long => Some(warning),
        count => Some(warning.message(format!(
            "Replaced '{count}' name(s) that are too long or have characters models do not take"
        ))),
    }
}

/// Adds the capabilities of another server.
fn unite(all: &mut Value, more: Value) {
    match (all, more) {
        (Value::Object(all), Value::Object(more)) => {
            for (key, more) in more {
                match all.get_mut(&key) {
                    Some(one) => unite(one, more),
                    None => drop(all.insert(key, more)),
                }
            }
        }
        (Value::Bool(all), Value::Bool(more)) => *all |= more,
        // Of two values of different types, the first is kept.
        _ => {}
    }
}

/// The newest of the versions the servers chose; a server with an older one just uses fewer features.
fn newest(versions: &[Value], requested: Option<&str>) -> String {
    let chosen = versions.iter().filter_map(Value::as_str).max();
    let known = || Version::negotiated(requested.unwrap_or_default()).as_str();
    chosen.unwrap_or_else(known).to_owned()
}

/// The versions that all servers support.
fn common(versions: &[Value]) -> Value {
    let mut all = versions.iter().filter_map(Value::as_array).cloned();
    let first = all.next().unwrap_or_default();
    let common = all.fold(first, |common, versions| {
        let both = common.into_iter().filter(|one| versions.contains(one));
        both.collect()
    });
    if common.is_empty() {
        return vec![MODERN.as_str()].into();
    }
    common.into()
}

fn value(raw: &RawValue) -> Option<Value> {
    serde_json::from_str(raw.get()).ok()
}

/// The `serverInfo` of the gateway.
fn info() -> Value {
    serde_json::json!({"name": "breakfall", "version": env!("CARGO_PKG_VERSION")})
}

/// How many names a warning lists.
const MAX_WARNED_NAMES: usize = 50;
