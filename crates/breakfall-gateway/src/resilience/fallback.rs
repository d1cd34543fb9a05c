//! Which other tool a caller is told of when one does not work.
//!
//! Nobody but the caller calls it: another tool does something else, and only who knows what for can say whether that will
//! do. So a tool is named if the operator has named it, or if there can hardly be a difference: another server has a tool of
//! the same name that takes the same arguments, and neither of them changes anything.

use serde_json::Value;

/// A tool as far as it matters here.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "whoever asks says all of it")]
pub struct Offer<'a> {
    /// What the server calls it.
    pub tool: &'a str,
    /// What the caller would have to call.
    pub name: &'a str,
    /// Its input schema, as the server wrote it.
    pub schema: &'a str,
    /// Whether it is known to change nothing.
    pub is_read_only: bool,
}

/// What a caller may use in place of a tool, by the name it would call. `configured` is what the operator has named, if
/// anything; `others` are tools of other servers that the caller can reach and that are not known to fail too.
///
/// ```
/// use breakfall_gateway::resilience::fallback::{Offer, choose};
///
/// let schema = r#"{"type": "object"}"#;
/// let failing = Offer { tool: "search", name: "one__search", schema, is_read_only: true };
/// let other = Offer { tool: "search", name: "two__search", schema, is_read_only: true };
/// assert_eq!(choose(&failing, None, [other]), Some("two__search"));
/// assert_eq!(choose(&failing, Some("one__list"), [other]), Some("one__list"));
/// let writes = Offer { is_read_only: false, ..other };
/// assert_eq!(choose(&failing, None, [writes]), None);
/// ```
pub fn choose<'a>(
    failing: &Offer<'_>,
    configured: Option<&'a str>,
    others: impl IntoIterator<Item = Offer<'a>>,
) -> Option<&'a str> {
    if let Some(configured) = configured {
        // A pattern may fit the very tool it names.
        return Some(configured).filter(|name| *name != failing.name);
    }
    let is_like_it = |other: &Offer<'a>| {
        other.is_read_only
            && other.tool == failing.tool
            && other.name != failing.name
            && is_same(other.schema, failing.schema)
    };
    let mut others = others.into_iter().filter(|_| failing.is_read_only);
    others.find(is_like_it).map(|other| other.name)
}

/// Whether two schemas are the same, however they are written.
fn is_same(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    if one.len().max(other.len()) > LARGEST {
        return false;
    }
    let read = |schema| serde_json::from_str::<Value>(schema).ok();
    matches!((read(one), read(other)), (Some(one), Some(other)) if one == other)
}

/// Larger ones are not looked into: a failure is told without delay.
const LARGEST: usize = 64 << 10;
