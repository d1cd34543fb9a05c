//! What is known of a request while it is in flight.

use crate::jsonrpc::{Frame, RequestParams};
use crate::protocol::method;

/// What is kept of a request while it is in flight.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RequestSummary {
    /// The method.
    pub method: RpcMethod,
    /// The name of its tool or prompt, or else the method.
    pub operation: Box<str>,
    /// Whether it names a tool or prompt.
    pub is_named: bool,
    /// Whether its sender speaks the protocol of 2026-07-28 or later.
    pub is_modern: bool,
    /// Whether its sender wants a task instead of a result.
    pub is_task: bool,
    /// The request itself, if it is repeated after a restart of the server.
    pub again: Option<Box<Frame>>,
}

/// The methods that are treated differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the gateway takes every part of it"
)]
pub enum RpcMethod {
    /// The handshake. It is never cancelled, and repeated after a restart.
    Initialize,
    /// A call. Whether it may be repeated depends on the tool.
    ToolsCall,
    /// The level of log messages, repeated after a restart.
    SetLevel,
    /// A subscription, repeated after a restart.
    Subscribe,
    /// The end of a subscription.
    Unsubscribe,
    /// A stream of notifications: it has no deadline, and is repeated after a restart.
    Listen,
    /// A request that changes nothing.
    Read,
    /// A wait for a task, which takes as long as the task.
    Await,
    /// Any other method, known or not.
    Other,
}

impl RpcMethod {
    fn of(name: &str) -> Self {
        match name {
            method::INITIALIZE => Self::Initialize,
            method::TOOLS_CALL => Self::ToolsCall,
            method::LOGGING_SET_LEVEL => Self::SetLevel,
            method::RESOURCES_SUBSCRIBE => Self::Subscribe,
            method::RESOURCES_UNSUBSCRIBE => Self::Unsubscribe,
            method::SUBSCRIPTIONS_LISTEN => Self::Listen,
            method::PING | method::DISCOVER => Self::Read,
            method::TASKS_RESULT => Self::Await,
            _ if Self::is_read_again(name) => Self::Read,
            _ => Self::Other,
        }
    }

    /// Whether a method only reads what a server has, so that it may be retried. A ping is not: it asks how the server is
    /// now.
    pub fn is_read_again(name: &str) -> bool {
        matches!(
            name,
            method::TOOLS_LIST
                | method::RESOURCES_LIST
                | method::RESOURCES_TEMPLATES_LIST
                | method::RESOURCES_READ
                | method::PROMPTS_LIST
                | method::PROMPTS_GET
                | method::COMPLETION_COMPLETE
                | method::TASKS_GET
                | method::TASKS_LIST
        )
    }

    /// Whether it is repeated after a restart of the server.
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

    /// Whether executing it twice does no harm.
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
    /// A call without a name.
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
    /// The summary of a request with these parameters.
    pub fn of(frame: &Frame, params: &RequestParams) -> Self {
        Self::naming(frame, params, params.name.clone())
    }

    /// Like [`Self::of`], with the name taken out of the parameters.
    pub(super) fn taking(frame: &Frame, params: &mut RequestParams) -> Self {
        let name = params.name.take();
        Self::naming(frame, params, name)
    }

    fn naming(frame: &Frame, params: &RequestParams, name: Option<Box<str>>) -> Self {
        let method_name = frame.method();
        let method = RpcMethod::of(&method_name);
        let is_named = name.is_some();
        let operation = match name {
            Some(name) if name.len() <= MAX_NAME_BYTES => name,
            Some(name) => name[..name.floor_char_boundary(MAX_NAME_BYTES)].into(),
            None => method_name[..method_name.floor_char_boundary(MAX_NAME_BYTES)].into(),
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

/// How much of a name is kept while its request is in flight.
const MAX_NAME_BYTES: usize = 1024;
