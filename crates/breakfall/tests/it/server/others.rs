//! Handlers that are written by hand, each odd in its own way.

use std::sync::{Arc, Mutex};

use breakfall::{Batch, Fault, codes};
use rmcp::handler::server::tool::IntoCallToolResult;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, ErrorCode,
    ListPromptsResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};

type Context = RequestContext<RoleServer>;

/// Lists its tools, two pages of them, and answers nothing about one.
pub(super) struct Listed;

impl ServerHandler for Listed {
    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        let second = request.is_some_and(|page| page.cursor.as_deref() == Some("two"));
        let (name, next) = if second {
            ("page_two", None)
        } else {
            ("page_one", Some("two".to_owned()))
        };
        let mut listed = ListToolsResult::with_all_items(vec![Tool::new(name, "", Arc::default())]);
        listed.next_cursor = next;
        Ok(listed)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        match request.name.as_ref() {
            "page_one" => Fault::unavailable("printer").into_call_tool_result(),
            _ => Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "no", None)),
        }
    }
}

/// Says nothing about its tools at all.
pub(super) struct Bare;

impl ServerHandler for Bare {
    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        match request.name.as_ref() {
            "fault" => Fault::internal().into_call_tool_result(),
            _ => Err(ErrorData::invalid_params("the moon is wrong", None)),
        }
    }
}

/// A tool whose schema changes, until it is taken away.
#[derive(Clone)]
pub(super) struct Changing(Arc<Mutex<Option<Value>>>);

impl Default for Changing {
    fn default() -> Self {
        let schema = json!({"type": "object", "required": ["old"]});
        Self(Arc::new(Mutex::new(Some(schema))))
    }
}

impl Changing {
    pub(super) fn set(&self, schema: Value) {
        *self.0.lock().unwrap() = Some(schema);
    }

    pub(super) fn remove(&self) {
        *self.0.lock().unwrap() = None;
    }
}

impl ServerHandler for Changing {
    fn get_tool(&self, name: &str) -> Option<Tool> {
        let schema = self.0.lock().unwrap().clone()?;
        let schema = schema.as_object().expect("an object").clone();
        (name == "changing").then(|| Tool::new("changing", "", Arc::new(schema)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        match self.get_tool(&request.name) {
            Some(_) => "fine".to_owned().into_call_tool_result(),
            None => Err(ErrorData::invalid_params("tool not found", None)),
        }
    }
}

/// Fails in methods other than calls.
pub(super) struct Faulty;

impl ServerHandler for Faulty {
    fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        _: Context,
    ) -> impl Future<Output = Result<ListToolsResult, ErrorData>> + Send + '_ {
        let cursor = page.and_then(|page| page.cursor);
        let cursor = cursor.expect("broken before it starts");
        std::future::ready(Err(ErrorData::internal_error(cursor, None)))
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        panic!("broken")
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        tokio::task::yield_now().await;
        panic!("broken after a while")
    }

    async fn on_custom_request(
        &self,
        _: CustomRequest,
        _: Context,
    ) -> Result<CustomResult, ErrorData> {
        panic!("broken")
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let message = format!("no {} below /srv/shop/files", request.uri);
        Err(ErrorData::resource_not_found(message, None))
    }
}

/// Lists tools without end, so many to a page, and counts the pages it was asked for. It has none of them.
#[derive(Clone)]
pub(super) struct Endless {
    pub(super) to_a_page: usize,
    pub(super) asked: Arc<Mutex<usize>>,
}

impl ServerHandler for Endless {
    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut asked = self.asked.lock().unwrap();
        let first = *asked * self.to_a_page;
        *asked += 1;
        let names = first..first + self.to_a_page;
        let tools = names.map(|name| Tool::new(format!("tool_{name}"), "", Arc::default()));
        let mut listed = ListToolsResult::with_all_items(tools.collect());
        listed.next_cursor = Some("more".to_owned());
        Ok(listed)
    }

    async fn call_tool(
        &self,
        _: CallToolRequestParams,
        _: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        Err(ErrorData::invalid_params("tool not found", None))
    }
}

/// Has to be told yes before it goes on.
pub(super) struct Careful;

impl ServerHandler for Careful {
    async fn call_tool(
        &self,
        _: CallToolRequestParams,
        _: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let fault = Fault::new(codes::CONFIRMATION_REQUIRED).message("empty /srv/till first");
        Batch::new("empty", "emptied")
            .done("left", 1)
            .pending("till", fault)
            .into_call_tool_result()
    }
}
