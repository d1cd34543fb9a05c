//! Stage 1: a message becomes a call of a tool.

use std::sync::Arc;

use breakfall::Fault;

use super::{CallContext, CallError, Pipeline};
use breakfall_mcp::connection::client_name;
use breakfall_mcp::jsonrpc::splice::Object;
use breakfall_mcp::jsonrpc::{Frame, RequestParams};
use breakfall_mcp::list_pages::client_meta;
use breakfall_mcp::protocol::meta::{CLIENT_CAPABILITIES, CLIENT_INFO};
use breakfall_mcp::protocol::method;

/// A `tools/call` request.
#[derive(Debug)]
pub struct Call {
    frame: Frame,
    params: RequestParams,
    /// Whether it differs from what the client sent.
    is_rewritten: bool,
}

impl Pipeline {
    /// Refuses a malformed call, and turns one that brings the answer of a user into the corrected call.
    pub(super) fn receive(context: &mut CallContext) -> Result<Arc<Call>, CallError> {
        let call = Arc::clone(&context.call);
        if let Some(fault) = duplicate_member(&call.frame) {
            return Err(CallError::refused(fault));
        }
        if call.params.name.is_none() {
            let fault = Fault::missing_param("name").in_operation(method::TOOLS_CALL);
            return Err(CallError::refused(fault));
        }
        Self::resume(call, context)
    }
}

/// The fault of a message with a duplicate member: parsers differ in which of the two counts.
pub(super) fn duplicate_member(frame: &Frame) -> Option<Fault> {
    let twice = frame.duplicate_key()?;
    let fault = Fault::invalid(format!("'{twice}' stands in the same object twice"))
        .detail("param_name", &*twice)
        .remediation("Send each name once, with the value that is meant; the tool was not called.");
    Some(fault)
}

impl Call {
    /// A request as the client sent it.
    pub(super) fn new(frame: Frame) -> Self {
        let params = RequestParams::of(&frame);
        Self {
            frame,
            params,
            is_rewritten: false,
        }
    }

    /// A request that differs from what the client sent.
    fn rewritten(frame: Frame) -> Self {
        Self {
            is_rewritten: true,
            ..Self::new(frame)
        }
    }

    /// Whether it differs from what the client sent.
    pub(super) fn is_rewritten(&self) -> bool {
        self.is_rewritten
    }

    /// The tool it names; empty if it names none.
    pub(super) fn tool(&self) -> &str {
        self.params.name.as_deref().unwrap_or_default()
    }

    /// The arguments, as they were written.
    pub(super) fn arguments(&self) -> Option<&str> {
        let at = self.params.arguments.clone()?;
        Some(self.frame.part(at))
    }

    /// The parameters, as they were written.
    pub(super) fn body(&self) -> &str {
        self.frame.body().unwrap_or_default()
    }

    pub(super) fn params(&self) -> &RequestParams {
        &self.params
    }

    pub(super) fn size(&self) -> usize {
        self.frame.bytes().len()
    }

    /// The request, to be sent.
    pub(super) fn copy(&self) -> (Frame, RequestParams) {
        (self.frame.clone(), self.params.clone())
    }

    /// The same call with other arguments.
    pub(super) fn with_arguments(&self, arguments: String) -> Self {
        let Some(at) = self.params.arguments.clone() else {
            unreachable!("only arguments that exist are replaced");
        };
        Self::rewritten(self.frame.clone().edited(vec![(at, arguments)]))
    }

    /// The same call with other parameters.
    pub(super) fn with_body(&self, body: String) -> Self {
        let at = self.frame.place_of(self.body());
        Self::rewritten(self.frame.clone().edited(vec![(at, body)]))
    }

    /// The capabilities a modern client declares.
    pub(super) fn capabilities(&self) -> Option<&str> {
        let meta = self.frame.part(self.params.meta.clone()?);
        Object::of(meta, &[CLIENT_CAPABILITIES])?.get(CLIENT_CAPABILITIES)
    }

    /// The name a modern client gives itself.
    pub(super) fn client_name(&self) -> Option<String> {
        let meta = self.frame.part(self.params.meta.clone()?);
        client_name(Object::of(meta, &[CLIENT_INFO])?.get(CLIENT_INFO)?)
    }

    /// What a modern request says about its client in `_meta`, for requests of the gateway on behalf of that client.
    pub(super) fn client_meta(&self) -> Option<String> {
        self.params.is_modern.then(|| {
            let meta = self.params.meta.clone().map(|at| self.frame.part(at));
            client_meta(meta.unwrap_or_default())
        })
    }
}
