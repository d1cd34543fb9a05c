//! The protocol version of a message, and whether its headers equal its body.
//!
//! From 2026-07-28 on a proxy may route by the headers while the server answers the body. A request in which they
//! differ could pass a rule it should not pass, so it is refused.

use std::borrow::Cow;

use http::{HeaderMap, HeaderName};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::header_value::decode;
use super::headers::{PROTOCOL_VERSION, SESSION_ID, display_name, single};
use super::refusal::{HttpRefusal, shorten};
use crate::jsonrpc::{Frame, Kind, may_contain, object};
use crate::protocol::meta;
use crate::protocol::{Version, method};

/// How a message relates to a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MessageScope {
    /// `initialize`, which opens a session.
    Handshake,
    /// A message in a session.
    Session,
    /// A message of 2026-07-28, which has no sessions.
    Stateless,
}

/// Checks a message against its headers.
pub(super) fn check_headers(
    frame: &Frame,
    headers: &HeaderMap,
) -> Result<MessageScope, HttpRefusal> {
    let said = single(headers, &PROTOCOL_VERSION)?;
    let version = said.and_then(Version::of);
    let is_asking = match frame.kind() {
        Kind::Request => true,
        Kind::Notification => false,
        // Only in a session does a client answer requests.
        Kind::Result | Kind::Error => return in_session(said, headers),
    };
    let method = frame.method();
    let is_initialize = is_asking && method == method::INITIALIZE;
    let is_discover = is_asking && method == method::DISCOVER;
    let has_version = names_version(frame);
    let is_plain = !is_initialize && !is_discover && !has_version;
    if is_plain && !version.is_some_and(Version::is_modern) {
        return in_session(said, headers);
    }
    let body = RepeatedParams::of(frame);
    if is_initialize && body.has_version() {
        return handshake(said, headers);
    }
    match body.meta.version() {
        None if is_asking
            && version.is_some_and(|version| !version.is_modern())
            && !is_discover =>
        {
            return in_session(said, headers);
        }
        None if is_initialize && !version.is_some_and(Version::is_modern) => {
            return Err(HttpRefusal::without_version());
        }
        None if is_asking => return Err(HttpRefusal::without_meta(&body.meta.missing())),
        None => {}
        Some(named) => check_version(&named, said)?,
    }
    check_names(&method, &body, headers)?;
    let named = body.meta.version();
    let named = named.as_deref().or(said).unwrap_or_default();
    if !Version::of(named).is_some_and(Version::is_modern) {
        return Err(HttpRefusal::version(named, false));
    }
    if is_asking && body.meta.capabilities.is_none() {
        return Err(HttpRefusal::without_meta(&body.meta.missing()));
    }
    if is_initialize {
        return Err(HttpRefusal::handshake());
    }
    Ok(MessageScope::Stateless)
}

fn in_session(said: Option<&str>, headers: &HeaderMap) -> Result<MessageScope, HttpRefusal> {
    known(said, headers)?;
    Ok(MessageScope::Session)
}

/// The handshake exists only in versions with sessions, whatever version its headers name.
fn handshake(said: Option<&str>, headers: &HeaderMap) -> Result<MessageScope, HttpRefusal> {
    known(said, headers)?;
    match single(headers, &METHOD)? {
        Some(other) if other != method::INITIALIZE => {
            Err(differs(&METHOD, other, method::INITIALIZE))
        }
        Some(_) | None => Ok(MessageScope::Handshake),
    }
}

fn known(said: Option<&str>, headers: &HeaderMap) -> Result<(), HttpRefusal> {
    match said {
        Some(said) if Version::of(said).is_none() => Err(HttpRefusal::version(
            said,
            headers.contains_key(&SESSION_ID),
        )),
        Some(_) | None => Ok(()),
    }
}

fn check_version(named: &str, said: Option<&str>) -> Result<(), HttpRefusal> {
    match said {
        None => Err(missing(&PROTOCOL_VERSION)),
        Some(said) if said != named => Err(differs(&PROTOCOL_VERSION, said, named)),
        Some(_) => Ok(()),
    }
}

/// `Mcp-Method` is always required, `Mcp-Name` if the body has a name.
fn check_names(
    method: &str,
    body: &RepeatedParams<'_>,
    headers: &HeaderMap,
) -> Result<(), HttpRefusal> {
    match single(headers, &METHOD)? {
        None => return Err(missing(&METHOD)),
        Some(said) if said != method => return Err(differs(&METHOD, said, method)),
        Some(_) => {}
    }
    let Some(name) = body.name(method) else {
        return Ok(());
    };
    let Some(said) = single(headers, &NAME)? else {
        return Err(missing(&NAME));
    };
    match decode(said) {
        Some(decoded) if decoded == name => Ok(()),
        Some(decoded) => Err(differs(&NAME, &decoded, &name)),
        None => Err(HttpRefusal::mismatch(format!(
            "The header '{}' begins as '=?base64?' and is not Base64 of UTF-8",
            display_name(&NAME)
        ))),
    }
}

fn missing(header: &HeaderName) -> HttpRefusal {
    HttpRefusal::mismatch(format!("The header '{}' is missing", display_name(header)))
}

fn differs(header: &HeaderName, said: &str, meant: &str) -> HttpRefusal {
    let (header, said, meant) = (display_name(header), shorten(said), shorten(meant));
    HttpRefusal::mismatch(format!(
        "The header '{header}' says '{said}' where the body says '{meant}'"
    ))
}

/// Whether `_meta` names a version. In a session hardly any message does.
fn names_version(frame: &Frame) -> bool {
    let body = frame.body().unwrap_or_default();
    may_contain(body.as_bytes(), meta::PROTOCOL_VERSION)
        && RepeatedParams::of(frame).meta.version.is_some()
}

/// The parameters that headers repeat.
#[derive(Deserialize, Default)]
struct RepeatedParams<'a> {
    #[serde(skip)]
    meta: RequestMeta<'a>,
    #[serde(borrow, default, rename = "_meta")]
    raw_meta: Option<&'a RawValue>,
    #[serde(borrow, default)]
    name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    uri: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "taskId")]
    task: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "protocolVersion")]
    version: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
struct RequestMeta<'a> {
    #[serde(borrow, default, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<&'a RawValue>,
}

impl<'a> RepeatedParams<'a> {
    fn of(frame: &'a Frame) -> Self {
        let mut body: Self = frame.body().and_then(object).unwrap_or_default();
        let meta = body.raw_meta.and_then(|meta| object(meta.get()));
        body.meta = meta.unwrap_or_default();
        body.meta.capabilities = body
            .meta
            .capabilities
            .filter(|raw| raw.get().starts_with('{'));
        body
    }

    fn has_version(&self) -> bool {
        self.version.and_then(text).is_some()
    }

    /// The parameter that `Mcp-Name` repeats.
    fn name(&self, method: &str) -> Option<Cow<'a, str>> {
        let raw = match method {
            method::TOOLS_CALL | method::PROMPTS_GET => self.name,
            method::RESOURCES_READ
            | method::RESOURCES_SUBSCRIBE
            | method::RESOURCES_UNSUBSCRIBE => self.uri,
            method::TASKS_GET | method::TASKS_UPDATE | method::TASKS_CANCEL => self.task,
            _ => None,
        };
        raw.and_then(text)
    }
}

impl<'a> RequestMeta<'a> {
    fn version(&self) -> Option<Cow<'a, str>> {
        self.version.and_then(text)
    }

    fn missing(&self) -> Vec<&'static str> {
        let version = self.version().is_none().then_some(meta::PROTOCOL_VERSION);
        let capabilities = self
            .capabilities
            .is_none()
            .then_some(meta::CLIENT_CAPABILITIES);
        version.into_iter().chain(capabilities).collect()
    }
}

fn text(raw: &RawValue) -> Option<Cow<'_, str>> {
    let quoted = raw.get();
    let plain = quoted.strip_prefix('"')?.strip_suffix('"')?;
    if plain.contains('\\') {
        serde_json::from_str(quoted).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(plain))
    }
}

pub(super) const METHOD: HeaderName = HeaderName::from_static("mcp-method");
pub(super) const NAME: HeaderName = HeaderName::from_static("mcp-name");
