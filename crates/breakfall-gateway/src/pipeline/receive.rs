//! A message becomes a call: what is asked of which tool.

use std::sync::Arc;

use breakfall::Fault;
use serde_json::{Map, Value, json};

use super::Pipeline;
use super::life::{Life, Stop};
use breakfall_mcp::jsonrpc::splice::Object;
use breakfall_mcp::jsonrpc::{Frame, RequestParams};

/// A request for a tool, as it came.
#[derive(Debug)]
pub struct Raw {
    frame: Frame,
    is_rewritten: bool,
}

/// A call that can be read.
#[derive(Debug)]
pub struct Call {
    frame: Frame,
    params: RequestParams,
    /// It does not say any more what came.
    is_rewritten: bool,
}

impl Raw {
    pub(super) fn new(frame: Frame) -> Self {
        Self {
            frame,
            is_rewritten: false,
        }
    }

    /// The request with other arguments than came.
    pub(super) fn rewritten(frame: Frame) -> Self {
        Self {
            frame,
            is_rewritten: true,
        }
    }
}

impl Pipeline {
    /// Reads a call.
    pub(super) fn receive(&self, raw: Raw, life: &mut Life) -> Result<Arc<Call>, Stop> {
        let call = life.read(Call::of(raw), self.upstream());
        if let Some(fault) = twice(&call.frame) {
            return Err(Stop::refused(fault));
        }
        if call.params.name.is_none() {
            let fault = Fault::missing_param("name").in_operation("tools/call");
            return Err(Stop::refused(fault));
        }
        self.resume(call, life)
    }
}

/// What is wrong with a message that has something twice: nobody can say which of them the server would take.
pub(super) fn twice(frame: &Frame) -> Option<Fault> {
    let twice = frame.duplicate_key()?;
    let fault = Fault::invalid(format!("'{twice}' stands in the same object twice"))
        .detail("param_name", &*twice)
        .remediation("Send each name once, with the value that is meant; the tool was not called.");
    Some(fault)
}

impl Call {
    pub(super) fn of(raw: Raw) -> Self {
        let Raw {
            frame,
            is_rewritten,
        } = raw;
        let params = RequestParams::of(&frame);
        Self {
            frame,
            params,
            is_rewritten,
        }
    }

    /// Whether it does not say any more what came.
    pub(super) fn is_rewritten(&self) -> bool {
        self.is_rewritten
    }

    /// The tool it names; empty if it names none.
    pub(super) fn tool(&self) -> &str {
        self.params.name.as_deref().unwrap_or_default()
    }

    /// What it wants of the tool, as it was written.
    pub(super) fn arguments(&self) -> Option<&str> {
        let at = self.params.arguments.clone()?;
        Some(self.frame.part(at))
    }

    /// Everything it says.
    pub(super) fn body(&self) -> &str {
        self.frame.body().unwrap_or_default()
    }

    pub(super) fn params(&self) -> &RequestParams {
        &self.params
    }

    pub(super) fn size(&self) -> usize {
        self.frame.bytes().len()
    }

    /// To be sent, once more or for the first time.
    pub(super) fn copy(&self) -> (Frame, RequestParams) {
        (self.frame.clone(), self.params.clone())
    }

    /// The same call with other arguments.
    pub(super) fn with_arguments(&self, arguments: String) -> Self {
        let Some(at) = self.params.arguments.clone() else {
            unreachable!("only what is there is written otherwise");
        };
        Self::of(Raw::rewritten(
            self.frame.clone().edited(vec![(at, arguments)]),
        ))
    }

    /// The same request with other parameters.
    pub(super) fn with_body(&self, body: String) -> Raw {
        let at = self.frame.place_of(self.body());
        Raw::rewritten(self.frame.clone().edited(vec![(at, body)]))
    }

    /// What a modern client says it can do.
    pub(super) fn capabilities(&self) -> Option<&str> {
        let meta = self.frame.part(self.params.meta.clone()?);
        Object::of(meta, &[CAPABILITIES])?.get(CAPABILITIES)
    }

    /// The request for a page of the list of tools, by the same caller.
    pub(super) fn list_of_tools(&self, cursor: Option<&str>) -> String {
        let mut params = Map::new();
        if let Some(cursor) = cursor {
            params.insert("cursor".to_owned(), cursor.into());
        }
        if self.params.is_modern {
            params.insert("_meta".to_owned(), self.about_caller());
        }
        json!({"jsonrpc": "2.0", "id": 0, "method": "tools/list", "params": params}).to_string()
    }

    /// What a modern request has to say about its sender.
    fn about_caller(&self) -> Value {
        let meta = self.params.meta.clone().map(|at| self.frame.part(at));
        let meta: Map<String, Value> = meta
            .and_then(|meta| serde_json::from_str(meta).ok())
            .unwrap_or_default();
        let is_about = |(key, _): &(String, Value)| key.starts_with("io.modelcontextprotocol/");
        meta.into_iter().filter(is_about).collect()
    }
}

/// Where a modern client says what it can do.
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
