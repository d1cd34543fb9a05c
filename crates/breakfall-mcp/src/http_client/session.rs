//! The session with a server of the older protocol, as its answer to `initialize` describes it.

use std::borrow::Cow;
use std::sync::Arc;

use http::{HeaderMap, HeaderValue};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::message_headers::{PROTOCOL_VERSION, SESSION_ID};
use crate::jsonrpc::Id;

/// A session, or its absence.
#[derive(Debug, Clone)]
pub(super) struct UpstreamSession {
    /// The headers of every request in it.
    pub(super) headers: Arc<HeaderMap>,
    /// Counts sessions, from the first.
    pub(super) generation: u64,
    /// `initialize` was answered: there are no messages of the protocol without sessions.
    pub(super) is_open: bool,
}

impl UpstreamSession {
    /// Before any handshake.
    pub(super) fn none(basic: &Arc<HeaderMap>) -> Self {
        Self {
            headers: Arc::clone(basic),
            generation: 0,
            is_open: false,
        }
    }

    /// Whether the server gave it an id.
    pub(super) fn has_id(&self) -> bool {
        self.headers.contains_key(SESSION_ID)
    }

    /// The session that follows this one, if `answer` is the result of `initialize` with this id.
    pub(super) fn begin(
        &self,
        basic: &HeaderMap,
        id: &Id,
        answer: &[u8],
        headers: &HeaderMap,
    ) -> Option<Self> {
        let answer: InitializeAnswer<'_> = serde_json::from_slice(answer).ok()?;
        if answer.id.get() != id.as_json() {
            return None;
        }
        let version = HeaderValue::from_str(&answer.result.version).ok()?;
        let mut all = basic.clone();
        all.insert(PROTOCOL_VERSION, version);
        if let Some(session_id) = headers.get(SESSION_ID) {
            let mut session_id = session_id.clone();
            session_id.set_sensitive(true);
            all.insert(SESSION_ID, session_id);
        }
        Some(Self {
            headers: Arc::new(all),
            generation: self.generation + 1,
            is_open: true,
        })
    }
}

#[derive(Deserialize)]
struct InitializeAnswer<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
    #[serde(borrow)]
    result: InitializeOutcome<'a>,
}

#[derive(Deserialize)]
struct InitializeOutcome<'a> {
    #[serde(borrow, rename = "protocolVersion")]
    version: Cow<'a, str>,
}
