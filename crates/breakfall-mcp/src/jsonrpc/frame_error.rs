//! Why bytes are not a message, and to whom that is told.

use breakfall::wire::Rpc;
use breakfall::{Fault, LimitType};
use memchr::memmem;

use super::FrameLimits;
use super::id::Id;
use super::scan::FrameScan;

/// Why bytes are not a message.
#[derive(Debug)]
#[non_exhaustive]
pub struct FrameError {
    /// The JSON-RPC code.
    pub rpc: Rpc,
    /// What is wrong.
    pub fault: Fault,
    /// The id, if it could be parsed.
    pub id: Option<Id>,
    /// It was meant as an answer, so its id is that of a request of this process.
    pub is_answer: bool,
    /// It has a method, so it is not an answer, and its id is its sender's.
    pub has_method: bool,
    /// It was clearly meant as a message, not as other JSON with an id.
    pub is_meant: bool,
    /// The limit it exceeds.
    pub beyond: Option<LimitExceeded>,
}

/// A limit that is exceeded.
#[derive(Debug, Clone, Copy)]
pub struct LimitExceeded {
    limit: LimitType,
    value: u64,
    actual: u64,
}

impl LimitExceeded {
    /// The value, the limit and its setting, in words.
    pub fn words(self) -> String {
        let Self {
            limit,
            value,
            actual,
        } = self;
        let (unit, setting) = (limit.unit(), setting_of(limit));
        format!("{actual} {unit}, and `{setting}` of the gateway allows {value}")
    }
}

/// An error, boxed to keep results small.
pub type BoxedFrameError = Box<FrameError>;

/// An error, and the bytes that are not a message.
pub type RejectedFrame = (BoxedFrameError, Vec<u8>);

impl FrameError {
    fn new(rpc: Rpc, fault: Fault) -> Self {
        Self {
            rpc,
            fault,
            id: None,
            is_answer: false,
            has_method: false,
            is_meant: false,
            beyond: None,
        }
    }

    /// With what a look at the message could make out.
    pub(super) fn seen(self, scan: &FrameScan) -> Self {
        Self {
            id: scan.id().cloned(),
            has_method: scan.has_method(),
            is_meant: scan.is_meant(),
            ..self
        }
    }

    /// A message whose bytes were not kept.
    pub fn too_big(scan: &FrameScan, size: usize, limits: &FrameLimits) -> Self {
        let (limit, actual) = (limits.size as u64, size as u64);
        Self::beyond(limits.side, limit, actual).seen(scan)
    }

    pub(super) fn too_deep(scan: &FrameScan, limits: &FrameLimits) -> Self {
        let (limit, actual) = (limits.depth as u64, scan.deepest() as u64);
        Self::beyond(LimitType::NestingDepth, limit, actual).seen(scan)
    }

    fn beyond(limit: LimitType, value: u64, actual: u64) -> Self {
        let (unit, setting) = (limit.unit(), setting_of(limit));
        let fault = Fault::payload_too_large(limit, value, actual).remediation(format!(
            "Ask for less or send less: stay within {value} {unit} (`{setting}` of the gateway)."
        ));
        Self {
            beyond: Some(LimitExceeded {
                limit,
                value,
                actual,
            }),
            ..Self::new(Rpc::InvalidRequest, fault)
        }
    }

    pub(super) fn not_utf8(offset: usize) -> Self {
        let fault = Fault::invalid_encoding("message", offset as u64);
        Self::new(Rpc::ParseError, fault)
    }

    /// Invalid JSON, or JSON of another shape.
    pub(super) fn not_a_message(error: &serde_json::Error, bytes: &[u8]) -> Self {
        if error.is_data() {
            return Self::invalid(if error.to_string().starts_with("duplicate field") {
                "a member of the message stands there twice"
            } else {
                "a message is one JSON object"
            });
        }
        let what = match no_number(bytes, error.column()) {
            Some(name) => format!("The message is not JSON, which has no {name}"),
            None => "The message is not JSON".to_owned(),
        };
        let fault = Fault::invalid(what)
            .detail("column", error.column())
            .remediation("Send one JSON object on a line of its own, with nothing else on it.");
        Self::new(Rpc::ParseError, fault)
    }

    /// An answer whose error is neither an object nor a string.
    pub(super) fn bad_error() -> Self {
        Self {
            is_answer: true,
            ..Self::invalid("`error` must have a whole number as `code` and a text as `message`")
        }
    }

    pub(super) fn invalid(why: &'static str) -> Self {
        let fault = Fault::invalid(format!("The message is not a JSON-RPC 2.0 message: {why}"))
            .remediation("Correct the message; the method was not called.");
        Self::new(Rpc::InvalidRequest, fault)
    }
}

/// What many libraries write for NaN and infinity, if it stands around a column.
fn no_number(bytes: &[u8], column: usize) -> Option<&'static str> {
    let around = bytes.get(column.saturating_sub(3)..)?;
    let around = &around[..around.len().min(12)];
    let names = ["NaN", "Infinity"];
    let is_there = |name: &&str| memmem::find(around, name.as_bytes()).is_some();
    names.into_iter().find(is_there)
}

/// The setting of a limit.
const fn setting_of(limit: LimitType) -> &'static str {
    match limit {
        LimitType::NestingDepth => "limits.depth",
        LimitType::ResponseSize => "limits.response",
        LimitType::RequestSize | LimitType::StringLength | LimitType::ArrayElements => {
            "limits.request"
        }
    }
}

pub(super) const NO_LISTS: &str =
    "a message is one JSON object; send several one by one, each on a line of its own";

pub(super) const BAD_ID: &str = "`id` must be a string or an integer of at most 1024 bytes";

#[cfg(test)]
mod tests {
    use super::super::Frame;
    use super::*;

    #[test]
    fn numbers_that_json_does_not_have_are_named() {
        for (line, name) in [
            (r#"{"jsonrpc":"2.0","id":1,"result":{"x":NaN}}"#, "no NaN"),
            (
                r#"{"jsonrpc":"2.0","id":1,"result":{"x":-Infinity}}"#,
                "no Infinity",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"result":{"x":"NaN","y":]}}"#,
                "is not JSON",
            ),
        ] {
            let refusal = Frame::parse(line.into(), &FrameLimits::RESPONSE).expect_err(line);
            let words = refusal.fault.public().message().into_owned();
            assert!(words.ends_with(name), "{words}");
        }
    }
}
