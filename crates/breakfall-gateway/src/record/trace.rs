//! The W3C trace context of a call: `traceparent` in the `_meta` of a request, or in a header.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use memchr::memmem;
use serde::Deserialize;
use serde_json::value::RawValue;

/// A position in a trace: the trace id and the parent span.
///
/// ```
/// use breakfall_gateway::record::Trace;
///
/// let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
/// let trace: Trace = text.parse()?;
/// assert_eq!(trace.to_string(), text);
/// assert_eq!(trace.trace_id().to_string(), "4bf92f3577b34da6a3ce929d0e0e4736");
/// assert_eq!(trace.child(7).to_string(), "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000007-01");
/// # Ok::<_, breakfall_gateway::record::NoTrace>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trace {
    id: TraceId,
    parent: u64,
    flags: u8,
}

/// The id of a trace.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TraceId(u128);

impl Trace {
    /// The id of the trace.
    pub const fn trace_id(self) -> TraceId {
        self.id
    }

    /// The span of the caller.
    pub const fn parent(self) -> u64 {
        self.parent
    }

    /// The same trace with another parent span. The span id 0 is invalid, and becomes 1.
    #[must_use]
    pub const fn child(self, span: u64) -> Self {
        let parent = if span == 0 { 1 } else { span };
        Self { parent, ..self }
    }

    /// The trace in the `_meta` of a request's parameters, and the place of its text in them, quotes included.
    ///
    /// ```
    /// use breakfall_gateway::record::Trace;
    ///
    /// let params = r#"{"name":"x","_meta":{"traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}}"#;
    /// let (trace, place) = Trace::of_params(params).expect("it has one");
    /// assert_eq!(params[place], format!("\"{trace}\""));
    /// assert_eq!(Trace::of_params(r#"{"name":"traceparent"}"#), None);
    /// ```
    pub fn of_params(params: &str) -> Option<(Self, Range<usize>)> {
        // Few requests have one, and searching is much cheaper than parsing.
        memmem::find(params.as_bytes(), b"\"traceparent\"")?;
        let all: Params<'_> = serde_json::from_str(params).ok()?;
        let meta: Meta<'_> = serde_json::from_str(all.meta?.get()).ok()?;
        let raw = meta.traceparent?.get();
        let text: std::borrow::Cow<'_, str> = serde_json::from_str(raw).ok()?;
        let start = raw.as_ptr().addr() - params.as_ptr().addr();
        Some((text.parse().ok()?, start..start + raw.len()))
    }
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow, default, rename = "_meta")]
    meta: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Meta<'a> {
    #[serde(borrow, default)]
    traceparent: Option<&'a RawValue>,
}

impl FromStr for Trace {
    type Err = NoTrace;

    /// Parses `00-TRACE-PARENT-FLAGS`; of later versions, the part they share with version 00.
    fn from_str(text: &str) -> Result<Self, NoTrace> {
        let mut parts = text.splitn(5, '-');
        let mut part = |length| hex(parts.next(), length).ok_or(NoTrace);
        let (version, id, parent, flags) = (part(2)?, part(32)?, part(16)?, part(2)?);
        let is_more = parts.next().is_some();
        if version == 0xff || id == 0 || parent == 0 || (version == 0 && is_more) {
            return Err(NoTrace);
        }
        let narrow = || Some((u64::try_from(parent).ok()?, u8::try_from(flags).ok()?));
        let (parent, flags) = narrow().ok_or(NoTrace)?;
        Ok(Self {
            id: TraceId(id),
            parent,
            flags,
        })
    }
}

/// Lower-case hexadecimal digits of exactly this length.
fn hex(text: Option<&str>, length: usize) -> Option<u128> {
    let text = text.filter(|text| text.len() == length)?;
    let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let is_all = text.bytes().all(is_hex);
    is_all.then(|| u128::from_str_radix(text, 16).ok())?
}

/// The text for a request or a header, always in version 00.
impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "00-{}-{:016x}-{:02x}", self.id, self.parent, self.flags)
    }
}

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a `traceparent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoTrace;

impl fmt::Display for NoTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a traceparent is 00-TRACE-PARENT-FLAGS, in hexadecimal digits")
    }
}

impl std::error::Error for NoTrace {}
