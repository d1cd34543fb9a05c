//! The fallback tool that a caller is told of when a tool is unavailable.
//!
//! The gateway never calls it: another tool differs, and only the caller knows whether that matters. So a fallback is
//! named if the operator configures it, or if the difference is small: another server has a tool of the same name and
//! input schema, and both are read-only.

use serde_json::Value;

/// A tool, with the properties that matter here.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "callers supply every property")]
pub struct FallbackCandidate<'a> {
    /// The server's name for it.
    pub tool: &'a str,
    /// The caller's name for it.
    pub name: &'a str,
    /// Its input schema, as the server wrote it.
    pub schema: &'a str,
    /// Whether it is known to be read-only.
    pub is_read_only: bool,
}

/// The fallback of a tool, by the caller's name. `configured` is the choice of the operator, if there is one; `others`
/// are tools of other servers that the caller can reach and that are not known to fail too.
///
/// ```
/// use breakfall_gateway::resilience::fallback::{FallbackCandidate, choose};
///
/// let schema = r#"{"type": "object"}"#;
/// let failing = FallbackCandidate { tool: "search", name: "one__search", schema, is_read_only: true };
/// let other = FallbackCandidate { tool: "search", name: "two__search", schema, is_read_only: true };
/// assert_eq!(choose(&failing, None, [other]), Some("two__search"));
/// assert_eq!(choose(&failing, Some("one__list"), [other]), Some("one__list"));
/// let writes = FallbackCandidate { is_read_only: false, ..other };
/// assert_eq!(choose(&failing, None, [writes]), None);
/// ```
pub fn choose<'a>(
    failing: &FallbackCandidate<'_>,
    configured: Option<&'a str>,
    others: impl IntoIterator<Item = FallbackCandidate<'a>>,
) -> Option<&'a str> {
    if let Some(configured) = configured {
        // A pattern may match the very tool it names.
        return Some(configured).filter(|name| *name != failing.name);
    }
    let is_like_it = |other: &FallbackCandidate<'a>| {
        other.is_read_only
            && other.tool == failing.tool
            && other.name != failing.name
            && is_same(other.schema, failing.schema)
    };
    let mut others = others.into_iter().filter(|_| failing.is_read_only);
    others.find(is_like_it).map(|other| other.name)
}

/// Whether two schemas are equivalent, however they are formatted.
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

/// Larger schemas are not compared: a failure is answered without delay.
const LARGEST: usize = 64 << 10;
