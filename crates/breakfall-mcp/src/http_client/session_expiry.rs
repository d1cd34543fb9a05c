//! Whether a refusal says that the server does not know the session.

use memchr::memmem;
use serde::Deserialize;
use serde_json::Value;

/// Whether a server refuses a request because it does not know the session. Some say so with 400. A JSON-RPC error under
/// the id of the request usually comes from behind the session check, and a tool may have sessions of its own: there only
/// the exact words of the official SDKs count.
pub(super) fn is_session_expired(status: u16, body: &[u8], is_answer: bool) -> bool {
    let says = |words: &&[u8]| memmem::find(body, words).is_some();
    match status {
        404 if is_answer => error_message(body).is_some_and(|words| words == SDK_MESSAGE),
        404 => true,
        400 => !is_answer && KNOWN_MESSAGES.iter().any(says),
        _ => false,
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
