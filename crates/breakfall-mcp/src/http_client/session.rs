//! The session with a server of the older protocol: what its answer to the handshake said of it.

use std::borrow::Cow;
use std::sync::Arc;

use http::{HeaderMap, HeaderValue};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::heads::{SESSION, VERSION};
use crate::jsonrpc::Id;

/// What goes beside everything that is said now.
#[derive(Debug, Clone)]
pub(super) struct Session {
    /// The headers.
    pub(super) heads: Arc<HeaderMap>,
    /// Which session it is, counted from the first.
    pub(super) generation: u64,
    /// The handshake is done: there are no messages of the protocol without sessions.
    pub(super) is_open: bool,
}

impl Session {
    /// Before any handshake.
    pub(super) fn none(basic: &Arc<HeaderMap>) -> Self {
        Self {
            heads: Arc::clone(basic),
            generation: 0,
            is_open: false,
        }
    }

    /// The server has a name for it, and wants to hear it every time.
    pub(super) fn is_named(&self) -> bool {
        self.heads.contains_key(SESSION)
    }

    /// The one an answer begins, if it is one to the handshake of this id.
    pub(super) fn begun(
        &self,
        basic: &HeaderMap,
        id: &Id,
        answer: &[u8],
        headers: &HeaderMap,
    ) -> Option<Self> {
        let answer: Answer<'_> = serde_json::from_slice(answer).ok()?;
        if answer.id.get() != id.as_json() {
            return None;
        }
        let version = HeaderValue::from_str(&answer.result.version).ok()?;
        let mut heads = basic.clone();
        heads.insert(VERSION, version);
        if let Some(name) = headers.get(SESSION) {
            let mut name = name.clone();
            name.set_sensitive(true);
            heads.insert(SESSION, name);
        }
        Some(Self {
            heads: Arc::new(heads),
            generation: self.generation + 1,
            is_open: true,
        })
    }
}

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
    #[serde(borrow)]
    result: Begun<'a>,
}

#[derive(Deserialize)]
struct Begun<'a> {
    #[serde(borrow, rename = "protocolVersion")]
    version: Cow<'a, str>,
}
