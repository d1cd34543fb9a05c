//! What a caller is told: redacted, in their language, in the place and format they understand.
//!
//! ```text
//! Failure ──► shown      mod.rs        its public half without what is nobody's business, in the caller's language
//!         ──► written    result.rs     a result of a tool: our few lines, then what the server said
//!                        protocol.rs   a JSON-RPC error: the server's code and data, and our object beside them
//!         ──► Said
//! ```
//!
//! What a server said is kept: blocks, `_meta`, `structuredContent`, code, data and members nobody knows, byte for byte but
//! for what must not be seen. What we add is added where the protocol has room: few lines of text in front, since some
//! clients drop everything else; the whole object in `_meta`, since some drop the text; `structuredContent` only where no
//! schema could be broken by it.
//!
//! ```
//! use breakfall::Fault;
//! use breakfall_gateway::reply::{ReplyOptions, Said, failed};
//! use breakfall_gateway::classify::Failure;
//!
//! let failure = Failure::new(Fault::unavailable("shop"));
//! let Said::Result(body) = failed(&failure, None, &ReplyOptions::default(), "{}") else {
//!     panic!("a call fails with a result");
//! };
//! let result: serde_json::Value = serde_json::from_str(&body).expect("JSON");
//! assert_eq!(result["isError"], true);
//! assert_eq!(result["_meta"]["dev.breakfall/error"]["code"], "UNAVAILABLE_SERVICE");
//! ```

mod blocks;
pub mod format;
mod protocol;
mod question;
mod result;
mod warned;

use std::borrow::Cow;
use std::cell::RefCell;

use breakfall::Fault;
use breakfall::disclose::Redactor;
use breakfall::wire::Options;
use breakfall::wire::native::{self, ERROR_KEY};
use serde_json::Value;

pub use breakfall_mcp::error::{
    DIALECT_KEY, FORMAT_KEY, LOCALE_KEY, ReplyOptions, STRICT_KEY, stamped,
};
pub(crate) use question::is_secret;
pub use question::{Answered, Question, asking, is_about_ids};
pub use warned::warned;

use crate::classify::{About, Channel, Failure, judge_error, value_of};
use breakfall_mcp::error::public_copy;
use breakfall_mcp::jsonrpc::splice::{Object, members, text};
use breakfall_mcp::jsonrpc::{Frame, Kind};

/// The body of an answer, as JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the two the protocol has")]
pub enum Said {
    /// The result of a tool.
    Result(String),
    /// A JSON-RPC error.
    Error(String),
}

impl Said {
    /// The JSON.
    pub fn body(&self) -> &str {
        match self {
            Self::Result(body) | Self::Error(body) => body,
        }
    }
}

/// What a caller is told of a failure.
///
/// `original` is the answer of the server, if it is the server's failure; without one it is ours. `sent` are the arguments of
/// the call: what stands in them, their sender may read again. The fault should have been [stamped], so that the log and the
/// caller know it by the same id.
///
/// [stamped]: stamped
pub fn failed(
    failure: &Failure,
    original: Option<&Frame>,
    manner: &ReplyOptions,
    sent: &str,
) -> Said {
    let teller = Teller::new(manner, &failure.fault, sent);
    let theirs = original.and_then(|frame| Some((frame.kind(), frame.body()?)));
    match (theirs, failure.channel) {
        (Some((Kind::Result, body)), _) => Said::Result(result::theirs(body, failure, &teller)),
        (Some((Kind::Error, body)), _) => Said::Error(protocol::theirs(body, failure, &teller)),
        (_, Channel::Result) if !manner.is_task => {
            Said::Result(result::ours(&failure.fault, &teller))
        }
        (_, Channel::Protocol(Some(rpc))) => Said::Error(protocol::ours(rpc, failure, &teller)),
        (_, Channel::Result | Channel::Protocol(None)) => {
            let rpc = breakfall::wire::Rpc::of(failure.fault.public());
            Said::Error(protocol::ours(rpc, failure, &teller))
        }
    }
}

/// A fault without what its caller must not see, in the caller's language. `sent` are the arguments of the call.
pub fn shown(fault: &Fault, manner: &ReplyOptions, sent: &str) -> Fault {
    Teller::new(manner, fault, sent).shown(fault)
}

/// What a caller is told of the JSON-RPC error of a server, whatever was asked. `name` is the prompt or the address of the
/// resource, if there is one; `sent` are the parameters.
///
/// ```
/// use breakfall_gateway::reply::{ReplyOptions, error};
/// use breakfall_gateway::classify::{About, Rules};
///
/// let rules = Rules::new();
/// let about = About::request("resources/read", "file:///a", &rules);
/// let told = error(r#"{"code":-32002,"message":"Resource not found"}"#, &about, &ReplyOptions::default(), "{}");
/// let told: serde_json::Value = serde_json::from_str(&told).expect("JSON");
/// assert_eq!(told["code"], -32002);
/// assert_eq!(told["data"]["dev.breakfall/error"]["code"], "NOT_FOUND_RESOURCE");
/// ```
pub fn error(error: &str, about: &About<'_>, manner: &ReplyOptions, sent: &str) -> String {
    told_error(error, &mut judge_error(error, about), manner, sent)
}

/// What a caller is told of a JSON-RPC error that was judged; its fault has the id then.
pub(crate) fn told_error(
    error: &str,
    failure: &mut Failure,
    manner: &ReplyOptions,
    sent: &str,
) -> String {
    let fault = std::mem::replace(&mut failure.fault, Fault::internal());
    failure.fault = stamped(fault, &manner.stamp);
    let teller = Teller::new(manner, &failure.fault, sent);
    protocol::theirs(error, failure, &teller)
}

/// What is the same for all parts of an answer.
struct Teller<'a> {
    manner: &'a ReplyOptions,
    redactor: Redactor,
    /// The last text that had to be changed, and what became of it: a fault mostly says what the server said.
    cleaned: RefCell<Option<(String, String)>>,
}

impl<'a> Teller<'a> {
    fn new(manner: &'a ReplyOptions, fault: &Fault, sent: &str) -> Self {
        let mut redactor = Redactor::client().limit(manner.text_limit);
        // Who sends more than this does not need it echoed.
        if sent.len() <= MOST_SENT && sent.len() > 2 {
            redactor = redactor.sparing_json(sent);
        }
        // The token of a confirmation was made for whoever is asked to send it back.
        let public = fault.public();
        let asks = public.code().entry().names.needs_input.is_some();
        if let (true, Some(token)) = (asks, public.details().text("confirmation_token")) {
            redactor = redactor.presenting(token);
        }
        Self {
            manner,
            redactor,
            cleaned: RefCell::default(),
        }
    }

    /// A text without what its reader must not see.
    fn clean(&self, text: &str) -> String {
        let clean = self.redactor.text(text);
        if let Cow::Owned(clean) = &clean
            && text.len() <= LONGEST_TEXT
        {
            self.cleaned.replace(Some((text.to_owned(), clean.clone())));
        }
        clean.into_owned()
    }

    /// What the caller may see of a fault, in their language.
    fn shown(&self, fault: &Fault) -> Fault {
        let limit = self.manner.text_limit.min(LONGEST_TEXT);
        let redactor = self.redactor.clone().limit(limit);
        let shown = match &*self.cleaned.borrow() {
            // Cleaning what is clean changes nothing and finds nothing, which takes much less time.
            Some((text, clean)) if *text == fault.public().message() => {
                redactor.fault(public_copy(fault).message(clean.clone()))
            }
            _ => redactor.shown(fault),
        };
        // Redaction takes an id out that looks like a secret.
        self.manner.finished(shown).or_ask_user()
    }
}

/// The native object of a fault, as JSON.
pub(crate) fn object(shown: &Fault) -> String {
    native::object(shown.public(), &Options::new()).to_json()
}

/// Arguments beyond this are not looked through for what their sender may read again.
const MOST_SENT: usize = 256 << 10;

/// The longest text inside our own object. What a server said stands in full beside it.
const LONGEST_TEXT: usize = 16 << 10;

/// An object of ours that somebody else has written, with what it lacks; its details too. What is no object is none.
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

/// Details somebody else has written, with what we know better: what was tried, and whether it was done, by all of us together.
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

/// What each gateway on the way adds to.
const COUNTED: [&str; 3] = ["attempts", "waits_ms", "executed"];

/// An object of ours that somebody else has written, with what nobody could take from it as it was decided instead: text, log
/// and record say that, too.
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
            // A name of their own is theirs to give, as long as it is one.
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

/// What is decided about a failure once, for everybody who is told of it.
const DECISIVE: [&str; 4] = ["category", "code", "correlation_id", "retry"];

/// Whether a text can be the name of a code.
fn is_name(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.:/".contains(&byte);
    !text.is_empty() && text.bytes().all(is_part)
}

/// An object with our own under our key: put in, or completed if there is one that says the same. One nobody could read says
/// nothing.
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
