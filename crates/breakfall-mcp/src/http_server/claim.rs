//! Which era of the protocol a message belongs to, and whether its headers say the same as its body.
//!
//! In the modern era whoever stands between client and server goes by the headers and whoever answers goes by the
//! body, so a request in which they differ is refused: it would pass for something it is not.

use std::borrow::Cow;

use http::{HeaderMap, HeaderName};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::encoded::decode;
use super::head::{PROTOCOL_VERSION, SESSION_ID, single, written};
use super::refused::{Refused, cut};
use crate::jsonrpc::{Frame, Kind, may_contain, object};
use crate::protocol::Version;

/// What a message wants to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Claim {
    /// The beginning of a session.
    Opening,
    /// Part of a session.
    Session,
    /// A request that stands for itself.
    Modern,
}

/// Looks at a message and at the headers it came with.
pub(super) fn claim(frame: &Frame, headers: &HeaderMap) -> Result<Claim, Refused> {
    let said = single(headers, &PROTOCOL_VERSION)?;
    let version = said.and_then(Version::of);
    let is_asking = match frame.kind() {
        Kind::Request => true,
        Kind::Notification => false,
        // An answer belongs to a session, in which alone a client is asked anything.
        Kind::Result | Kind::Error => return in_session(said, headers),
    };
    let method = frame.method();
    let is_opening = is_asking && method == "initialize";
    let is_discover = is_asking && method == "server/discover";
    let has_version = names_version(frame);
    let is_plain = !is_opening && !is_discover && !has_version;
    if is_plain && !version.is_some_and(Version::is_modern) {
        return in_session(said, headers);
    }
    let body = Body::of(frame);
    if is_opening && body.is_opening() {
        return opening(said, headers);
    }
    match body.meta.version() {
        None if is_asking
            && version.is_some_and(|version| !version.is_modern())
            && !is_discover =>
        {
            return in_session(said, headers);
        }
        None if is_opening && !version.is_some_and(Version::is_modern) => {
            return Err(Refused::without_version());
        }
        None if is_asking => return Err(Refused::without_meta(&body.meta.missing())),
        None => {}
        Some(named) => check_version(&named, said)?,
    }
    check_names(&method, &body, headers)?;
    let named = body.meta.version();
    let named = named.as_deref().or(said).unwrap_or_default();
    if !Version::of(named).is_some_and(Version::is_modern) {
        return Err(Refused::version(named, false));
    }
    if is_asking && body.meta.capabilities.is_none() {
        return Err(Refused::without_meta(&body.meta.missing()));
    }
    if is_opening {
        return Err(Refused::handshake());
    }
    Ok(Claim::Modern)
}

fn in_session(said: Option<&str>, headers: &HeaderMap) -> Result<Claim, Refused> {
    known(said, headers)?;
    Ok(Claim::Session)
}

/// The handshake exists in older versions only, whatever its headers say of the version.
fn opening(said: Option<&str>, headers: &HeaderMap) -> Result<Claim, Refused> {
    known(said, headers)?;
    match single(headers, &METHOD)? {
        Some(other) if other != "initialize" => Err(differs(&METHOD, other, "initialize")),
        Some(_) | None => Ok(Claim::Opening),
    }
}

fn known(said: Option<&str>, headers: &HeaderMap) -> Result<(), Refused> {
    match said {
        Some(said) if Version::of(said).is_none() => {
            Err(Refused::version(said, headers.contains_key(&SESSION_ID)))
        }
        Some(_) | None => Ok(()),
    }
}

fn check_version(named: &str, said: Option<&str>) -> Result<(), Refused> {
    match said {
        None => Err(missing(&PROTOCOL_VERSION)),
        Some(said) if said != named => Err(differs(&PROTOCOL_VERSION, said, named)),
        Some(_) => Ok(()),
    }
}

/// `Mcp-Method` always, `Mcp-Name` for what has a name.
fn check_names(method: &str, body: &Body<'_>, headers: &HeaderMap) -> Result<(), Refused> {
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
        None => Err(Refused::mismatch(format!(
            "The header '{}' begins as '=?base64?' and is not Base64 of UTF-8",
            written(&NAME)
        ))),
    }
}

fn missing(header: &HeaderName) -> Refused {
    Refused::mismatch(format!("The header '{}' is missing", written(header)))
}

fn differs(header: &HeaderName, said: &str, meant: &str) -> Refused {
    let (header, said, meant) = (written(header), cut(said), cut(meant));
    Refused::mismatch(format!(
        "The header '{header}' says '{said}' where the body says '{meant}'"
    ))
}

/// Whether a message says its version itself; hardly any of a session does.
fn names_version(frame: &Frame) -> bool {
    let body = frame.body().unwrap_or_default();
    may_contain(body.as_bytes(), VERSION_KEY) && Body::of(frame).meta.version.is_some()
}

/// What parameters say that headers repeat.
#[derive(Deserialize, Default)]
struct Body<'a> {
    #[serde(skip)]
    meta: Meta<'a>,
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
struct Meta<'a> {
    #[serde(borrow, default, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<&'a RawValue>,
}

impl<'a> Body<'a> {
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

    fn is_opening(&self) -> bool {
        self.version.and_then(text).is_some()
    }

    /// What the header `Mcp-Name` repeats.
    fn name(&self, method: &str) -> Option<Cow<'a, str>> {
        let raw = match method {
            "tools/call" | "prompts/get" => self.name,
            "resources/read" | "resources/subscribe" | "resources/unsubscribe" => self.uri,
            "tasks/get" | "tasks/update" | "tasks/cancel" => self.task,
            _ => None,
        };
        raw.and_then(text)
    }
}

impl<'a> Meta<'a> {
    fn version(&self) -> Option<Cow<'a, str>> {
        self.version.and_then(text)
    }

    fn missing(&self) -> Vec<&'static str> {
        let version = self.version().is_none().then_some(VERSION_KEY);
        let capabilities = self.capabilities.is_none().then_some(CAPABILITIES_KEY);
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

const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";

pub(super) const METHOD: HeaderName = HeaderName::from_static("mcp-method");
pub(super) const NAME: HeaderName = HeaderName::from_static("mcp-name");
