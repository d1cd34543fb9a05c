//! The session state that a restarted server must be given before it gets requests.

use std::collections::BTreeMap;

use super::ClientCapabilities;
use breakfall_mcp::connection::{ReplayMessage, RpcMethod};
use breakfall_mcp::jsonrpc::splice::Object;
use breakfall_mcp::jsonrpc::{Frame, Kind};
use breakfall_mcp::protocol::method;

/// The handshake, log level and subscriptions of the client, as it sent them.
#[derive(Debug, Default)]
pub(super) struct ReplayState {
    initialize: Option<Frame>,
    initialized: Option<Frame>,
    level: Option<Frame>,
    /// By their parameters, which name the resource.
    subscriptions: BTreeMap<Box<str>, Frame>,
}

impl ReplayState {
    /// Remembers an answered request that a restarted server has to be sent again.
    pub(super) fn answered(&mut self, method: RpcMethod, frame: &Frame, answer: &Frame) {
        if answer.kind() != Kind::Result {
            return;
        }
        let what = || frame.body().unwrap_or_default().into();
        match method {
            RpcMethod::Initialize => {
                *self = Self {
                    initialize: Some(frame.clone()),
                    ..Self::default()
                };
            }
            RpcMethod::SetLevel => self.level = Some(frame.clone()),
            RpcMethod::Subscribe
                if self.subscriptions.len() < MAX_SUBSCRIPTIONS
                    && frame.bytes().len() < MAX_SUBSCRIPTION_BYTES =>
            {
                self.subscriptions.insert(what(), frame.clone());
            }
            RpcMethod::Unsubscribe => {
                let what: Box<str> = what();
                self.subscriptions.remove(&what);
            }
            RpcMethod::Subscribe
            | RpcMethod::Listen
            | RpcMethod::ToolsCall
            | RpcMethod::Read
            | RpcMethod::Await
            | RpcMethod::Other => {}
        }
    }

    /// Remembers `notifications/initialized`.
    pub(super) fn told(&mut self, frame: &Frame) {
        if frame.method() == method::INITIALIZED {
            self.initialized = Some(frame.clone());
        }
    }

    /// Whether the client can ask its user.
    pub(super) fn fills_forms(&self) -> bool {
        let hello = self.initialize.as_ref().and_then(Frame::body);
        let hello = hello.and_then(|hello| Object::of(hello, &["capabilities"]));
        ClientCapabilities::of(hello.and_then(|hello| hello.get("capabilities"))).fills_forms
    }

    /// Whether there was a handshake.
    pub(super) fn has_session(&self) -> bool {
        self.initialize.is_some()
    }

    /// The messages for a restarted server, in order.
    pub(super) fn again(&self) -> Vec<ReplayMessage> {
        let asked = |frame: &Option<Frame>| frame.clone().map(ReplayMessage::Ask);
        let told = self.initialized.clone().map(ReplayMessage::Tell);
        let subscriptions = self.subscriptions.values().cloned().map(ReplayMessage::Ask);
        let first = [asked(&self.initialize), told, asked(&self.level)];
        first.into_iter().flatten().chain(subscriptions).collect()
    }
}

/// How many subscriptions are remembered. A client with more loses the rest when its server ends.
const MAX_SUBSCRIPTIONS: usize = 10_000;
/// The longest subscription that is remembered, in bytes.
const MAX_SUBSCRIPTION_BYTES: usize = 8 << 10;
