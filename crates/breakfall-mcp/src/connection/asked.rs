//! What is asked, as far as it matters on the way.

use crate::jsonrpc::{Frame, RequestParams};

/// What is remembered of a request while it is under way.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RequestSummary {
    /// What it asked for.
    pub method: RpcMethod,
    /// The tool or prompt it named, or else the method.
    pub operation: Box<str>,
    /// It named one.
    pub is_named: bool,
    /// Its sender speaks the protocol of 2026-07-28 or later.
    pub is_modern: bool,
    /// Its sender wants a task for it, and no result of a tool.
    pub is_task: bool,
    /// The request itself, where it has to be made again after a restart.
    pub again: Option<Box<Frame>>,
}

/// The methods a relay treats in a way of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the gateway takes every part of it"
)]
pub enum RpcMethod {
    /// The handshake. It is never cancelled, and repeated after a restart.
    Initialize,
    /// A call. Nobody but its author knows whether it may be repeated.
    ToolsCall,
    /// The level of the log, repeated after a restart.
    SetLevel,
    /// A subscription, repeated after a restart.
    Subscribe,
    /// The end of a subscription.
    Unsubscribe,
    /// A stream of notifications: it has no deadline, and is made again after a restart.
    Listen,
    /// Reading, which changes nothing.
    Read,
    /// Waiting for a task, which takes as long as the task.
    Await,
    /// Everything else, known or not.
    Other,
}

impl RpcMethod {
    fn of(name: &str) -> Self {
        match name {
            "initialize" => Self::Initialize,
            "tools/call" => Self::ToolsCall,
            "logging/setLevel" => Self::SetLevel,
            "resources/subscribe" => Self::Subscribe,
            "resources/unsubscribe" => Self::Unsubscribe,
            "subscriptions/listen" => Self::Listen,
            "ping" | "server/discover" => Self::Read,
            "tasks/result" => Self::Await,
            _ if Self::is_read_again(name) => Self::Read,
            _ => Self::Other,
        }
    }

    /// Whether a method only reads what a server has, so that whoever gets no answer may ask again on its sender's behalf.
    /// Who pings wants to know how it is now.
    pub fn is_read_again(name: &str) -> bool {
        matches!(
            name,
            "tools/list"
                | "resources/list"
                | "resources/templates/list"
                | "resources/read"
                | "prompts/list"
                | "prompts/get"
                | "completion/complete"
                | "tasks/get"
                | "tasks/list"
        )
    }

    /// Whether a restarted server has to be asked again.
    fn is_repeated(self) -> bool {
        match self {
            Self::Initialize
            | Self::SetLevel
            | Self::Subscribe
            | Self::Unsubscribe
            | Self::Listen => true,
            Self::ToolsCall | Self::Read | Self::Await | Self::Other => false,
        }
    }

    /// Whether doing it twice does no harm.
    pub fn is_safe_to_repeat(self) -> bool {
        match self {
            Self::Initialize
            | Self::SetLevel
            | Self::Subscribe
            | Self::Unsubscribe
            | Self::Listen
            | Self::Read
            | Self::Await => true,
            Self::ToolsCall | Self::Other => false,
        }
    }
}

impl RequestSummary {
    /// A call of nothing.
    #[cfg(test)]
    pub(super) fn unread() -> Self {
        Self {
            method: RpcMethod::ToolsCall,
            operation: Box::default(),
            is_named: false,
            is_modern: false,
            is_task: false,
            again: None,
        }
    }

    /// Summarizes a request.
    pub fn of(frame: &Frame, params: &RequestParams) -> Self {
        Self::naming(frame, params, params.name.clone())
    }

    /// The same, with the name taken out of the parameters.
    pub(super) fn taking(frame: &Frame, params: &mut RequestParams) -> Self {
        let name = params.name.take();
        Self::naming(frame, params, name)
    }

    fn naming(frame: &Frame, params: &RequestParams, name: Option<Box<str>>) -> Self {
        let method_name = frame.method();
        let method = RpcMethod::of(&method_name);
        let is_named = name.is_some();
        // It is kept as long as the request is under way.
        let operation = match name {
            Some(name) if name.len() <= LONGEST => name,
            Some(name) => name[..name.floor_char_boundary(LONGEST)].into(),
            None => method_name[..method_name.floor_char_boundary(LONGEST)].into(),
        };
        Self {
            method,
            operation,
            is_named,
            is_task: params.is_task,
            is_modern: params.is_modern,
            again: method.is_repeated().then(|| Box::new(frame.clone())),
        }
    }
}

/// How much of the name of a tool is kept.
const LONGEST: usize = 1024;
