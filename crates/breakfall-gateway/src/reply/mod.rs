//! The reply to a failed call: redacted, in the language of the caller, at the place and in the format that the caller
//! understands.
//!
//! ```text
//! ClassifiedFailure ──► shown    mod.rs        the redacted public half, in the language of the caller
//!                   ──► written  result.rs     a tool result: a few lines of text, then the content of the server
//!                                protocol.rs   a JSON-RPC error: code and data of the server, and the native object
//!                   ──► ReplyBody
//! ```
//!
//! The answer of a server is kept: blocks, `_meta`, `structuredContent`, code, data and unknown members, byte for byte
//! except for redactions. Additions go where the protocol has room: a few lines of text in front, since some clients
//! drop everything else; the native object in `_meta`, since some drop the text; `structuredContent` only if that
//! cannot break an output schema.
//!
//! ```
//! use breakfall::Fault;
//! use breakfall_gateway::reply::{ReplyOptions, ReplyBody, failed};
//! use breakfall_gateway::classify::ClassifiedFailure;
//!
//! let failure = ClassifiedFailure::new(Fault::unavailable("shop"));
//! let ReplyBody::Result(body) = failed(&failure, None, &ReplyOptions::default(), "{}") else {
//!     panic!("a call fails with a result");
//! };
//! let result: serde_json::Value = serde_json::from_str(&body).expect("JSON");
//! assert_eq!(result["isError"], true);
//! assert_eq!(result["_meta"]["dev.breakfall/error"]["code"], "UNAVAILABLE_SERVICE");
//! ```

mod binary;
mod blocks;
pub mod format;
mod protocol;
mod question;
mod result;
mod warned;

use std::borrow::Cow;
use std::cell::RefCell;

use breakfall::Fault;
use breakfall::redact::{Audience, Redacted, Redactor};
use breakfall::wire::Options;
use breakfall::wire::native::{self, ERROR_KEY};
use serde_json::Value;

pub use breakfall_mcp::error::{ReplyOptions, stamped};
pub(crate) use question::is_secret;
pub use question::{UserQuestion, UserResponse, asking, is_about_ids};
pub use warned::warned;

use crate::classify::{Channel, ClassifiedFailure, JudgedRequest, judge_error, value_of};
use breakfall_mcp::jsonrpc::splice::{Object, members, text};
use breakfall_mcp::jsonrpc::{Frame, Kind};

/// The body of a reply, as JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the two the protocol has")]
pub enum ReplyBody {
    /// The result of a tool.
    Result(String),
    /// A JSON-RPC error.
    Error(String),
}

impl ReplyBody {
    /// The JSON.
    pub fn body(&self) -> &str {
        match self {
            Self::Result(body) | Self::Error(body) => body,
        }
    }
}

/// The reply to a failed call.
///
/// `original` is the answer of the server; `None` if the gateway failed the call itself. `sent` are the arguments of
/// the call: the caller may read again what they contain. The fault should have been [stamped], so that the log and the
/// caller have the same id.
///
/// [stamped]: stamped
pub fn failed(
    failure: &ClassifiedFailure,
    original: Option<&Frame>,
    options: &ReplyOptions,
    sent: &str,
) -> ReplyBody {
    let context = ReplyContext::new(options, &failure.fault, sent);
    let theirs = original.and_then(|frame| Some((frame.kind(), frame.body()?)));
    match (theirs, failure.channel) {
        (Some((Kind::Result, body)), _) => {
            ReplyBody::Result(result::theirs(body, failure, &context))
        }
        (Some((Kind::Error, body)), _) => {
            ReplyBody::Error(protocol::theirs(body, failure, &context))
        }
        (_, Channel::Result) if !options.is_task => {
            ReplyBody::Result(result::ours(&failure.fault, &context))
        }
        (_, Channel::Protocol(Some(rpc))) => {
            ReplyBody::Error(protocol::ours(rpc, failure, &context))
        }
        (_, Channel::Result | Channel::Protocol(None)) => {
            let rpc = breakfall::wire::Rpc::of(failure.fault.public());
            ReplyBody::Error(protocol::ours(rpc, failure, &context))
        }
    }
}

/// The redacted fault, in the language of the caller. `sent` are the arguments of the call.
pub fn shown(fault: &Fault, options: &ReplyOptions, sent: &str) -> Redacted<Fault> {
    ReplyContext::new(options, fault, sent).shown(fault, &[])
}

/// The reply to a JSON-RPC error of the server, for any method. `name` is the prompt or the URI of the resource, if
/// there is one; `sent` are the parameters.
///
/// ```
/// use breakfall_gateway::reply::{ReplyOptions, error};
/// use breakfall_gateway::classify::{JudgedRequest, Rules};
///
/// let rules = Rules::new();
/// let about = JudgedRequest::request("resources/read", "file:///a", &rules);
/// let told = error(r#"{"code":-32002,"message":"Resource not found"}"#, &about, &ReplyOptions::default(), "{}");
/// let told: serde_json::Value = serde_json::from_str(&told).expect("JSON");
/// assert_eq!(told["code"], -32002);
/// assert_eq!(told["data"]["dev.breakfall/error"]["code"], "NOT_FOUND_RESOURCE");
/// ```
pub fn error(error: &str, about: &JudgedRequest<'_>, options: &ReplyOptions, sent: &str) -> String {
    told_error(error, &mut judge_error(error, about), options, sent)
}

/// The reply to a JSON-RPC error that was judged and has an id.
pub(crate) fn told_error(
    error: &str,
    failure: &mut ClassifiedFailure,
    options: &ReplyOptions,
    sent: &str,
) -> String {
    let fault = std::mem::replace(&mut failure.fault, Fault::internal());
    failure.fault = stamped(fault, &options.stamp);
    let context = ReplyContext::new(options, &failure.fault, sent);
    protocol::theirs(error, failure, &context)
}

/// The settings shared by all parts of one reply.
struct ReplyContext<'a> {
    options: &'a ReplyOptions,
    redactor: Redactor,
    /// The last text that redaction changed, with its result: the fault usually repeats the text of the server.
    cleaned: RefCell<Option<(String, String)>>,
    /// Texts of blocks that were replaced for what they hold together with others, or beneath base64: the fault repeats
    /// them.
    replaced: RefCell<Vec<(String, String)>>,
}

impl<'a> ReplyContext<'a> {
    fn new(options: &'a ReplyOptions, fault: &Fault, sent: &str) -> Self {
        let mut redactor = options.redactor().limit(options.text_limit);
        // Larger arguments are not searched.
        if sent.len() <= MAX_SEARCHED_BYTES && sent.len() > 2 {
            redactor = redactor.sparing_json(sent);
        }
        // A confirmation token is made for the caller, who must send it back.
        let public = fault.public();
        let asks = public.code().entry().names.needs_input.is_some();
        if let (true, Some(token)) = (asks, public.details().text("confirmation_token")) {
            redactor = redactor.presenting(token);
        }
        Self {
            options,
            redactor,
            cleaned: RefCell::default(),
            replaced: RefCell::default(),
        }
    }

    /// Whether anything is redacted for this caller.
    fn redacts(&self) -> bool {
        self.redactor.audience() != Audience::Unredacted
    }

    /// The redacted text.
    fn clean(&self, text: &str) -> String {
        let clean = self.redactor.text(text);
        if let Cow::Owned(clean) = &clean
            && text.len() <= MAX_TEXT_BYTES
        {
            self.cleaned.replace(Some((text.to_owned(), clean.clone())));
        }
        clean.into_owned()
    }

    /// The redacted fault with further details, in the language of the caller.
    fn shown(&self, fault: &Fault, details: &[(&'static str, i64)]) -> Redacted<Fault> {
        let limit = self.options.text_limit.min(MAX_TEXT_BYTES);
        let redactor = self.redactor.clone().limit(limit);
        let mut copy = unredacted_copy(fault);
        // Redacting a clean text again would change nothing, and costs much more than this comparison.
        if let Some((text, clean)) = &*self.cleaned.borrow()
            && *text == fault.public().message()
        {
            copy = copy.message(clean.clone());
        }
        for (text, clean) in &*self.replaced.borrow() {
            if copy.public().message().contains(text) {
                let message = copy.public().message().replace(text, clean);
                copy = copy.message(message);
            }
        }
        for (key, value) in details {
            copy = copy.detail(*key, *value);
        }
        // The language comes first: where only markers are left, the sentence in front is in it, too.
        if let Some(language) = self.options.language {
            copy = copy.in_language(language);
        }
        // Redaction removes an id that looks like a secret.
        self.options.finished(redactor.fault(copy)).or_ask_user()
    }
}

/// The public half of a fault once more.
fn unredacted_copy(fault: &Fault) -> Fault {
    Redactor::new(Audience::Unredacted)
        .shown(fault)
        .into_inner()
}

/// The native object of a fault, as JSON.
pub(crate) fn object(shown: &Redacted<Fault>) -> String {
    native::object(shown.public(), &Options::new()).to_json()
}

/// The detail for the size of a text that was cut.
const CUT_FROM: &str = "text_cut_from_bytes";

/// A number of bytes as a detail.
fn count(bytes: usize) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// Larger arguments are not searched for text that the caller may read again.
const MAX_SEARCHED_BYTES: usize = 256 << 10;

/// The longest text inside the native object. The answer of the server contains the text in full.
const MAX_TEXT_BYTES: usize = 16 << 10;

/// A native object of another gateway or server, with missing members added, in its details too. A value that is not an
/// object is replaced.
fn completed(given: &str, own: &Value) -> String {
    let mut have = Vec::new();
    let mut details = None;
    let is_object = members(given, |key, value| {
        let name = text(key).unwrap_or_default();
        if name == "details" {
            details = Some(value);
        }
        have.push(name);
    });
    let (Some(()), Value::Object(own)) = (is_object, own) else {
        return own.to_string();
    };
    let mut out = given.trim_ascii_end().to_owned();
    if let (Some(theirs), Some(more @ Value::Object(_))) = (details, own.get("details"))
        && theirs.starts_with('{')
        && let Some(start) = theirs.as_ptr().addr().checked_sub(given.as_ptr().addr())
    {
        let counted = counted(theirs, more);
        out.replace_range(start..start + theirs.len(), &completed(&counted, more));
    }
    out.pop();
    let mut comma = if have.is_empty() { "" } else { "," };
    for (key, value) in own
        .iter()
        .filter(|(key, _)| !have.iter().any(|have| have == *key))
    {
        out.push_str(comma);
        out.push_str(&quoted(key));
        out.push(':');
        out.push_str(&value.to_string());
        comma = ",";
    }
    out.push('}');
    out
}

/// Details of another gateway or server, with the totals of all gateways: attempts, waits, and whether the call was
/// executed.
fn counted(given: &str, own: &Value) -> String {
    let Some(object) = Object::of(given, &COUNTED) else {
        return given.to_owned();
    };
    let is_ours = |key: &&&str| object.get(key).is_some() && !own[**key].is_null();
    let ours: Vec<&'static str> = COUNTED.iter().filter(is_ours).copied().collect();
    let edit = object.edit();
    let edit = ours
        .into_iter()
        .fold(edit, |edit, key| edit.put(key, own[key].to_string()));
    edit.write()
}

/// Details to which each gateway on the path adds.
const COUNTED: [&str; 3] = ["attempts", "waits_ms", "executed"];

/// A native object of another gateway or server, whose invalid members are replaced by the decided ones: text, log and
/// record have these, too.
fn agreed(given: &str, own: &Value) -> String {
    let Some(object) = Object::of(given, &DECISIVE) else {
        return given.to_owned();
    };
    let differs = |key: &&&str| {
        let theirs = object.get(key).map(value_of);
        let (theirs, ours) = (theirs.unwrap_or_default(), &own[**key]);
        let is_said =
            |value: &Value| ["policy", "retryable", "after_ms"].map(|key| value[key].clone());
        let is_same = match theirs {
            Value::Object(_) => is_said(&theirs) == is_said(ours),
            // A code of their own is kept if its name is valid.
            Value::String(name) if **key == "code" => is_name(&name),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => theirs == *ours,
        };
        object.get(key).is_some() && !ours.is_null() && !is_same
    };
    let changed: Vec<&'static str> = DECISIVE.iter().filter(differs).copied().collect();
    let edit = object.edit();
    let edit = changed
        .into_iter()
        .fold(edit, |edit, key| edit.put(key, own[key].to_string()));
    edit.write()
}

/// Members that are decided once, and must agree everywhere.
const DECISIVE: [&str; 4] = ["category", "code", "correlation_id", "retry"];

/// Whether a text is a valid name of a code.
fn is_name(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.:/".contains(&byte);
    !text.is_empty() && text.bytes().all(is_part)
}

/// An object with the native object under its key: inserted, or completed if a matching one is there. An unreadable one
/// is replaced.
fn with_object(object: &str, own: &str) -> Option<String> {
    let found = Object::of(object, &[ERROR_KEY])?;
    let new = found.get(ERROR_KEY).and_then(|given| {
        let code = Object::of(given, &["code"]).and_then(|given| given.text("code"));
        let own = value_of(own);
        let is_code = |key: &str| own.get(key).and_then(Value::as_str) == code.as_deref();
        (code.is_some() && (is_code("code") || is_code("domain_code")))
            .then(|| Cow::Owned(completed(&agreed(given, &own), &own)))
    });
    let new = new.unwrap_or(Cow::Borrowed(own));
    Some(found.edit().put(ERROR_KEY, new).write())
}

/// A text as JSON.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a text is JSON")
}
