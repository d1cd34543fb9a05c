//! The guard is a handler: every method of the trait goes to the one inside. A method that were missing here would
//! be answered by the trait's default instead, so a test compares the list with the SDK's.

use std::borrow::Cow;

#[expect(deprecated, reason = "the SDK is about to remove it, and has not yet")]
use rmcp::model::SetLevelRequestParams;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelTaskParams, CancelledNotificationParam,
    CompleteRequestParams, CompleteResult, CustomNotification, CustomRequest, CustomResult,
    DiscoverResult, GetPromptRequestParams, GetPromptResponse, GetTaskParams, GetTaskResult,
    InitializeRequestParams, InitializeResult, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam,
    ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, ServerConfig,
    SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams, UpdateTaskParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};

use super::guard::Guard;

type ServerContext = RequestContext<RoleServer>;
type NoticeContext = NotificationContext<RoleServer>;

#[expect(
    deprecated,
    reason = "what the SDK is about to remove passes through until it has"
)]
impl<H: ServerHandler> ServerHandler for Guard<H> {
    // What has a treatment of its own.

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: ServerContext,
    ) -> Result<CallToolResponse, ErrorData> {
        self.call(request, context).await
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: ServerContext,
    ) -> Result<ListToolsResult, ErrorData> {
        let caller = self.caller(Value::Null, &context);
        let list = || self.handler.list_tools(request, context);
        let listed = self.pass("tools/list", caller, list).await?;
        self.tools.learn(&listed.tools);
        Ok(listed)
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: ServerContext,
    ) -> Result<CustomResult, ErrorData> {
        if request.method == "tools/call" {
            return Err(self.malformed_call(&request, &context));
        }
        let method = request.method.clone();
        let caller = self.caller(json!(request.params), &context);
        let ask = || self.handler.on_custom_request(request, context);
        self.pass(&method, caller, ask).await
    }

    // What passes through, except that failures are converted.

    async fn ping(&self, context: ServerContext) -> Result<(), ErrorData> {
        let caller = self.caller(Value::Null, &context);
        self.pass("ping", caller, || self.handler.ping(context))
            .await
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: ServerContext,
    ) -> Result<InitializeResult, ErrorData> {
        let caller = self.caller(Value::Null, &context);
        let initialize = || self.handler.initialize(request, context);
        self.pass("initialize", caller, initialize).await
    }

    async fn discover(&self, context: ServerContext) -> Result<DiscoverResult, ErrorData> {
        let caller = self.caller(Value::Null, &context);
        let discover = || self.handler.discover(context);
        self.pass("server/discover", caller, discover).await
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: ServerContext,
    ) -> Result<CompleteResult, ErrorData> {
        let caller = self.caller(Value::Null, &context);
        let complete = || self.handler.complete(request, context);
        self.pass("completion/complete", caller, complete).await
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        context: ServerContext,
    ) -> Result<(), ErrorData> {
        let caller = self.caller(Value::Null, &context);
        let set = || self.handler.set_level(request, context);
        self.pass("logging/setLevel", caller, set).await
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: ServerContext,
    ) -> Result<GetPromptResponse, ErrorData> {
        let caller = self.caller(
            json!({"name": request.name, "arguments": request.arguments}),
            &context,
        );
        let get = || self.handler.get_prompt(request, context);
        self.pass("prompts/get", caller, get).await
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: ServerContext,
    ) -> Result<ListPromptsResult, ErrorData> {
        let caller = self.caller(Value::Null, &context);
        let list = || self.handler.list_prompts(request, context);
        self.pass("prompts/list", caller, list).await
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: ServerContext,
    ) -> Result<ListResourcesResult, ErrorData> {
        let caller = self.caller(Value::Null, &context);
        let list = || self.handler.list_resources(request, context);
        self.pass("resources/list", caller, list).await
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: ServerContext,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let caller = self.caller(Value::Null, &context);
        let list = || self.handler.list_resource_templates(request, context);
        self.pass("resources/templates/list", caller, list).await
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: ServerContext,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let caller = self.caller(json!(request.uri), &context);
        let read = || self.handler.read_resource(request, context);
        self.pass("resources/read", caller, read).await
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let caller = self.caller(Value::Null, context.request_context());
        let listen = || self.handler.listen(context);
        self.pass("subscriptions/listen", caller, listen).await
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: ServerContext,
    ) -> Result<(), ErrorData> {
        let caller = self.caller(Value::Null, &context);
        let subscribe = || self.handler.subscribe(request, context);
        self.pass("resources/subscribe", caller, subscribe).await
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        context: ServerContext,
    ) -> Result<(), ErrorData> {
        let caller = self.caller(Value::Null, &context);
        let unsubscribe = || self.handler.unsubscribe(request, context);
        self.pass("resources/unsubscribe", caller, unsubscribe)
            .await
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        context: ServerContext,
    ) -> Result<GetTaskResult, ErrorData> {
        let caller = self.caller(Value::Null, &context);
        let get = || self.handler.get_task(request, context);
        self.pass("tasks/get", caller, get).await
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        context: ServerContext,
    ) -> Result<(), ErrorData> {
        let caller = self.caller(Value::Null, &context);
        let update = || self.handler.update_task(request, context);
        self.pass("tasks/update", caller, update).await
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        context: ServerContext,
    ) -> Result<(), ErrorData> {
        let caller = self.caller(Value::Null, &context);
        let cancel = || self.handler.cancel_task(request, context);
        self.pass("tasks/cancel", caller, cancel).await
    }

    // What cannot fail, or has no receiver for a failure.

    fn negotiate_initialize(
        &self,
        request: &InitializeRequestParams,
    ) -> Result<InitializeResult, ErrorData> {
        self.handler.negotiate_initialize(request)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        self.handler.supported_protocol_versions()
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        self.handler.accepted_subscription_filter(requested)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.handler.get_tool(name)
    }

    fn get_info(&self) -> ServerConfig {
        self.handler.get_info()
    }

    fn on_cancelled(
        &self,
        notification: CancelledNotificationParam,
        context: NoticeContext,
    ) -> impl Future<Output = ()> + rmcp::service::MaybeSendFuture + '_ {
        self.handler.on_cancelled(notification, context)
    }

    fn on_progress(
        &self,
        notification: ProgressNotificationParam,
        context: NoticeContext,
    ) -> impl Future<Output = ()> + rmcp::service::MaybeSendFuture + '_ {
        self.handler.on_progress(notification, context)
    }

    fn on_initialized(
        &self,
        context: NoticeContext,
    ) -> impl Future<Output = ()> + rmcp::service::MaybeSendFuture + '_ {
        self.handler.on_initialized(context)
    }

    fn on_roots_list_changed(
        &self,
        context: NoticeContext,
    ) -> impl Future<Output = ()> + rmcp::service::MaybeSendFuture + '_ {
        self.handler.on_roots_list_changed(context)
    }

    fn on_custom_notification(
        &self,
        notification: CustomNotification,
        context: NoticeContext,
    ) -> impl Future<Output = ()> + rmcp::service::MaybeSendFuture + '_ {
        self.handler.on_custom_notification(notification, context)
    }
}
