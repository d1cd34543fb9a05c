//! One page of one server's list, with the names it has in the joined list.

use std::collections::{BTreeMap, HashSet};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::outward::{ServerView, json, parse, text};
use super::{UpstreamNames, uris};
use breakfall_mcp::jsonrpc::{Edit, edited};
use breakfall_mcp::protocol::method;

/// The kinds of lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ListMethod {
    Tools,
    Prompts,
    Resources,
    Templates,
    Tasks,
}

impl ListMethod {
    pub(crate) const ALL: [Self; 5] = [
        Self::Tools,
        Self::Prompts,
        Self::Resources,
        Self::Templates,
        Self::Tasks,
    ];

    /// The list a method requests.
    pub(crate) fn of(method: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|list| list.method() == method)
    }

    pub(crate) fn method(self) -> &'static str {
        match self {
            Self::Tools => method::TOOLS_LIST,
            Self::Prompts => method::PROMPTS_LIST,
            Self::Resources => method::RESOURCES_LIST,
            Self::Templates => method::RESOURCES_TEMPLATES_LIST,
            Self::Tasks => method::TASKS_LIST,
        }
    }

    /// The capability that servers with such a list declare.
    pub(super) fn capability(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Prompts => "prompts",
            Self::Resources | Self::Templates => "resources",
            Self::Tasks => "tasks",
        }
    }

    /// The member of a result that holds the items.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Prompts => "prompts",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
            Self::Tasks => "tasks",
        }
    }
}

/// A listed item as clients see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListedItem {
    pub(crate) text: Box<str>,
    /// The name clients use.
    pub(crate) name: Box<str>,
    /// The name its server uses.
    pub(crate) own: Box<str>,
}

/// A page of a list.
#[derive(Debug, Default)]
pub(crate) struct ListPage {
    pub(crate) items: Vec<ListedItem>,
    /// Malformed or repeated items that were left out: a client would reject the whole list because of them.
    pub(crate) left_out: usize,
    /// The cursor of the server's next page.
    pub(crate) next: Option<String>,
    pub(crate) cache: CachePolicy,
    /// Unknown members of the result, as a JSON object; empty if there were none.
    pub(crate) rest: String,
}

/// For how long an answer may be cached, and whether several clients may share it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CachePolicy {
    pub(crate) milliseconds: u64,
    pub(crate) is_public: bool,
}

impl ListPage {
    /// Parses the result of a server; `None` if the server has no such list.
    pub(crate) fn read(view: ServerView<'_>, list: ListMethod, result: &str) -> Option<Self> {
        let mut members = members(result)?;
        let items: Vec<&RawValue> = serde_json::from_str(members.remove(list.key())?.get()).ok()?;
        let listed = items.len();
        let mut seen = HashSet::new();
        let items = items.into_iter();
        let items = items.filter_map(|raw| item(view, list, raw.get()));
        let items: Vec<_> = items
            .filter(|item| seen.insert(item.name.clone()))
            .collect();
        let next = members.remove("nextCursor").and_then(text);
        Some(Self {
            left_out: listed - items.len(),
            items,
            next: next.map(Into::into),
            cache: CachePolicy::take(&mut members),
            rest: rest(&members),
        })
    }
}

impl CachePolicy {
    /// Removes the caching members from a result and returns their values.
    pub(super) fn take(members: &mut BTreeMap<String, &RawValue>) -> Self {
        // The joined result has its own.
        members.remove("resultType");
        let time = members.remove("ttlMs");
        let scope = members.remove("cacheScope");
        Self {
            milliseconds: time.and_then(|raw| raw.get().parse().ok()).unwrap_or(0),
            is_public: scope.is_some_and(|raw| raw.get() == "\"public\""),
        }
    }

    /// The stricter of both.
    pub(super) fn with(self, other: Self) -> Self {
        Self {
            milliseconds: self.milliseconds.min(other.milliseconds),
            is_public: self.is_public && other.is_public,
        }
    }
}

pub(super) fn members(object: &str) -> Option<BTreeMap<String, &RawValue>> {
    serde_json::from_str(object).ok()
}

pub(super) fn rest(members: &BTreeMap<String, &RawValue>) -> String {
    if members.is_empty() {
        return String::new();
    }
    serde_json::to_string(members).expect("it was JSON")
}

/// An item under the name clients use. `None` without a name.
fn item(view: ServerView<'_>, list: ListMethod, raw: &str) -> Option<ListedItem> {
    let (names, at) = (view.names, view.at);
    let named: NameFields<'_> = parse(raw).filter(|_| raw.starts_with('{'))?;
    let (field, joined): (_, fn(&UpstreamNames, usize, &str) -> String) = match list {
        ListMethod::Tools | ListMethod::Prompts => (named.name, UpstreamNames::join),
        ListMethod::Resources => (named.uri, addressed),
        ListMethod::Templates => (named.template, addressed),
        ListMethod::Tasks => (named.task, UpstreamNames::tag),
    };
    let field = field?;
    let own = text(field)?;
    let name = joined(names, at, &own);
    let start = field.get().as_ptr().addr() - raw.as_ptr().addr();
    let place = start..start + field.get().len();
    Some(ListedItem {
        text: edited(raw, &[(place, json(&name))]).into(),
        own: own.into(),
        name: name.into(),
    })
}

fn addressed(names: &UpstreamNames, at: usize, uri: &str) -> String {
    uris::front(names, at) + uri
}

/// An item of an unavailable server, with a description that says so.
pub(crate) fn unavailable(item: &ListedItem, upstream: &str) -> String {
    let raw = &*item.text;
    let told = format!("[Unavailable now: the server '{upstream}' does not answer.]");
    let described: DescriptionField<'_> = parse(raw).unwrap_or_default();
    let place = |part: &str| part.as_ptr().addr() - raw.as_ptr().addr();
    let edit: Edit = match described.description {
        Some(old) if old.get().starts_with('"') => {
            let at = place(old.get()) + 1;
            (at..at, told + " ")
        }
        Some(old) => {
            let at = place(old.get());
            (at..at + old.get().len(), json(&told))
        }
        None if raw.starts_with('{') => {
            let is_empty = raw[1..].trim_ascii_start().starts_with('}');
            let comma = if is_empty { "" } else { "," };
            (1..1, format!("\"description\":{}{comma}", json(&told)))
        }
        None => return raw.to_owned(),
    };
    edited(raw, &[edit])
}

#[derive(Deserialize, Default)]
struct NameFields<'a> {
    #[serde(borrow, default)]
    name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    uri: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "uriTemplate")]
    template: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "taskId")]
    task: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
struct DescriptionField<'a> {
    #[serde(borrow, default)]
    description: Option<&'a RawValue>,
}
