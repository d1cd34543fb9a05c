//! One page of one server's list, as it stands in the list of all.

use std::collections::{BTreeMap, HashSet};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::outward::{View, json, parse, text};
use super::{UpstreamNames, uris};
use breakfall_mcp::jsonrpc::{Edit, edited};

/// What can be listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum List {
    Tools,
    Prompts,
    Resources,
    Templates,
    Tasks,
}

impl List {
    pub(crate) const ALL: [Self; 5] = [
        Self::Tools,
        Self::Prompts,
        Self::Resources,
        Self::Templates,
        Self::Tasks,
    ];

    /// The list a method asks for.
    pub(crate) fn of(method: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|list| list.method() == method)
    }

    pub(crate) fn method(self) -> &'static str {
        match self {
            Self::Tools => "tools/list",
            Self::Prompts => "prompts/list",
            Self::Resources => "resources/list",
            Self::Templates => "resources/templates/list",
            Self::Tasks => "tasks/list",
        }
    }

    /// What a server says it can do that has such a list.
    pub(super) fn capability(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Prompts => "prompts",
            Self::Resources | Self::Templates => "resources",
            Self::Tasks => "tasks",
        }
    }

    /// The member of a result that has the items.
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

/// Something listed, as clients see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) text: Box<str>,
    /// What clients call it.
    pub(crate) name: Box<str>,
    /// What its server calls it.
    pub(crate) own: Box<str>,
}

/// A page of a list.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) items: Vec<Item>,
    /// How many of its items are none, or stand there twice: a client would throw the whole list away for them.
    pub(crate) left_out: usize,
    /// Where the server goes on.
    pub(crate) next: Option<String>,
    pub(crate) cache: Cache,
    /// Members of the result nobody here knows, as an object; empty if there are none.
    pub(crate) rest: String,
}

/// For how long, and for whom, an answer may be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Cache {
    pub(crate) milliseconds: u64,
    pub(crate) is_public: bool,
}

impl Page {
    /// Reads the result of a server; nothing if it has no such list.
    pub(crate) fn read(view: View<'_>, list: List, result: &str) -> Option<Self> {
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
            cache: Cache::take(&mut members),
            rest: rest(&members),
        })
    }
}

impl Cache {
    /// Takes what a result says about it out of its members.
    pub(super) fn take(members: &mut BTreeMap<String, &RawValue>) -> Self {
        // Ours says that for all of them.
        members.remove("resultType");
        let time = members.remove("ttlMs");
        let scope = members.remove("cacheScope");
        Self {
            milliseconds: time.and_then(|raw| raw.get().parse().ok()).unwrap_or(0),
            is_public: scope.is_some_and(|raw| raw.get() == "\"public\""),
        }
    }

    /// What holds for both.
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

/// An item with the names clients are to use. One without a name is none.
fn item(view: View<'_>, list: List, raw: &str) -> Option<Item> {
    let (names, at) = (view.names, view.at);
    let named: Named<'_> = parse(raw).filter(|_| raw.starts_with('{'))?;
    let (field, joined): (_, fn(&UpstreamNames, usize, &str) -> String) = match list {
        List::Tools | List::Prompts => (named.name, UpstreamNames::join),
        List::Resources => (named.uri, addressed),
        List::Templates => (named.template, addressed),
        List::Tasks => (named.task, UpstreamNames::tag),
    };
    let field = field?;
    let own = text(field)?;
    let name = joined(names, at, &own);
    let start = field.get().as_ptr().addr() - raw.as_ptr().addr();
    let place = start..start + field.get().len();
    Some(Item {
        text: edited(raw, &[(place, json(&name))]).into(),
        own: own.into(),
        name: name.into(),
    })
}

fn addressed(names: &UpstreamNames, at: usize, uri: &str) -> String {
    uris::front(names, at) + uri
}

/// An item of a server that is away, which says so to whoever chooses.
pub(crate) fn unavailable(item: &Item, upstream: &str) -> String {
    let raw = &*item.text;
    let told = format!("[Unavailable now: the server '{upstream}' does not answer.]");
    let described: Described<'_> = parse(raw).unwrap_or_default();
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
struct Named<'a> {
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
struct Described<'a> {
    #[serde(borrow, default)]
    description: Option<&'a RawValue>,
}
