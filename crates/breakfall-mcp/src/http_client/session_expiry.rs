//! Whether a refusal says that the server does not know the session.

use memchr::memmem;
use serde::Deserialize;
use serde_json::Value;

/// How a server says that it does not know the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LostSession {
    /// By 404, as the protocol demands.
    Status,
    /// By the words of a 400. They prove nothing: a tool may have sessions of its own.
    Words,
}

/// Whether a server refuses a request because it does not know the session, and how it says so. A JSON-RPC error under
/// the id of the request usually comes from behind the session check: there only the exact words of the official SDKs
/// count.
pub(super) fn lost_session(status: u16, body: &[u8], is_answer: bool) -> Option<LostSession> {
    let says = |words: &&[u8]| memmem::find(body, words).is_some();
    let is_sdk = || error_message(body).is_some_and(|words| words == SDK_MESSAGE);
    match status {
        404 if !is_answer || is_sdk() => Some(LostSession::Status),
        400 if !is_answer && KNOWN_MESSAGES.iter().any(says) => Some(LostSession::Words),
        _ => None,
    }
}

/// The message of a JSON error, of the protocol or of a common other form.
pub(super) fn error_message(body: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct ErrorBody {
        error: Option<Value>,
        message: Option<String>,
    }
    let body: ErrorBody = serde_json::from_slice(body).ok()?;
    let words = match body.error {
        Some(Value::String(words)) => Some(words),
        Some(error) => error["message"].as_str().map(str::to_owned),
        None => None,
    };
    let words = words.or(body.message)?;
    (!words.trim().is_empty()).then_some(words)
}

/// The message of the official SDKs.
const SDK_MESSAGE: &str = "Session not found";

/// The messages of known servers, without the first letter, whose case differs.
const KNOWN_MESSAGES: [&[u8]; 7] = [
    b"ession not found",
    b"ession does not exist",
    b"ession has been terminated",
    b"nvalid session ID",
    b"nvalid or expired session",
    b"nknown session",
    b"o valid session ID",
];
