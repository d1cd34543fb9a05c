//! What a server that was started again has to be told before it can go on where the one before it stopped.

use std::collections::BTreeMap;

use super::ClientCapabilities;
use breakfall_mcp::connection::{ReplayMessage, RpcMethod};
use breakfall_mcp::jsonrpc::splice::Object;
use breakfall_mcp::jsonrpc::{Frame, Kind};

/// What the client has set up, as it said it.
#[derive(Debug, Default)]
pub(super) struct ReplayState {
    initialize: Option<Frame>,
    initialized: Option<Frame>,
    level: Option<Frame>,
    /// By their parameters, which name the resource.
    subscriptions: BTreeMap<Box<str>, Frame>,
}

impl ReplayState {
    /// The server has answered a request it may have to be asked again.
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
                if self.subscriptions.len() < MOST && frame.bytes().len() < LONGEST =>
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

    /// The client has told something.
    pub(super) fn told(&mut self, frame: &Frame) {
        if frame.method() == "notifications/initialized" {
            self.initialized = Some(frame.clone());
        }
    }

    /// Whether the client can put a question to its user.
    pub(super) fn fills_forms(&self) -> bool {
        let hello = self.initialize.as_ref().and_then(Frame::body);
        let hello = hello.and_then(|hello| Object::of(hello, &["capabilities"]));
        ClientCapabilities::of(hello.and_then(|hello| hello.get("capabilities"))).fills_forms
    }

    /// Whether there is a session to go on with.
    pub(super) fn has_session(&self) -> bool {
        self.initialize.is_some()
    }

    /// What to tell a new server, in order.
    pub(super) fn again(&self) -> Vec<ReplayMessage> {
        let asked = |frame: &Option<Frame>| frame.clone().map(ReplayMessage::Ask);
        let told = self.initialized.clone().map(ReplayMessage::Tell);
        let subscriptions = self.subscriptions.values().cloned().map(ReplayMessage::Ask);
        let first = [asked(&self.initialize), told, asked(&self.level)];
        first.into_iter().flatten().chain(subscriptions).collect()
    }
}

/// How many subscriptions are remembered: a client that makes more loses those beyond when its server dies.
const MOST: usize = 10_000;
/// How long a subscription may be to be remembered: names of resources are not longer.
const LONGEST: usize = 8 << 10;
