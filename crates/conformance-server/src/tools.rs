//! The tools by name.

pub(crate) mod content;
mod jobs;
mod live;
mod rounds;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
};
use rmcp::service::RequestContext;
use serde_json::Value;

use crate::fixture::Fixture;

/// A call of a tool, with all that the tool may need.
pub(crate) struct Call<'a> {
    pub(crate) fixture: &'a Fixture,
    pub(crate) request: &'a CallToolRequestParams,
    pub(crate) context: &'a RequestContext<RoleServer>,
}

type Reply = Result<CallToolResponse, ErrorData>;

/// Calls the tool.
///
/// # Errors
/// When the name is unknown, or the tool fails with a JSON-RPC error.
pub(crate) async fn call(call: &Call<'_>) -> Reply {
    match call.request.name.as_ref() {
        "test_simple_text" => Ok(content::simple_text()),
        "test_image_content" => Ok(content::image()),
        "test_audio_content" => Ok(content::audio()),
        "test_embedded_resource" => Ok(content::resource()),
        "test_multiple_content_types" => Ok(content::mixed()),
        "test_error_handling" => Ok(content::failure()),
        "json_schema_2020_12_tool" => Ok(text("Fits the schema, or was not checked")),
        "test_custom_header" => content::custom_header(call),

        "test_reconnection" => Ok(live::slowly().await),
        "test_tool_with_logging" => Ok(live::logging(call).await),
        "test_logging_tool" => Ok(live::one_line(call).await),
        "test_tool_with_progress" => Ok(live::progress(call).await),
        "test_sampling" => live::sampling(call).await,
        "test_elicitation" => live::elicitation(call).await,
        "test_elicitation_sep1034_defaults" => live::defaults(call).await,
        "test_elicitation_sep1330_enums" => live::choices(call).await,
        "test_missing_capability" => live::needs_sampling(call),
        "test_trigger_tool_change" => Ok(live::tools_changed(call).await),
        "test_trigger_prompt_change" => Ok(live::prompts_changed(call).await),
        "test_trigger_resource_update" => live::resource_updated(call).await,

        "test_streaming_elicitation" => Ok(rounds::value(call)),
        "test_input_required_result_elicitation" => Ok(rounds::name(call)),
        "test_input_required_result_sampling" => Ok(rounds::capital(call)),
        "test_input_required_result_list_roots" => Ok(rounds::roots(call)),
        "test_input_required_result_request_state"
        | "test_input_required_result_tampered_state" => rounds::confirmed(call),
        "test_input_required_result_multiple_inputs" => rounds::three_at_once(call),
        "test_input_required_result_multi_round" => rounds::two_rounds(call),
        "test_input_required_result_capabilities" => Ok(rounds::what_it_can(call)),

        "greet" => Ok(jobs::greet(call)),
        "slow_compute" => jobs::slow_compute(call).await,
        "failing_job" => jobs::failing(call),
        "protocol_error_job" => jobs::protocol_error(call).await,
        "confirm_delete" => jobs::confirm_delete(call),
        "multi_input" => jobs::two_answers(call),
        "test_tool_with_task" => jobs::after_a_question(call),

        name => Err(ErrorData::invalid_params(
            format!("unknown tool: {name}"),
            None,
        )),
    }
}

impl Call<'_> {
    /// A text among the arguments.
    fn text(&self, name: &str) -> Option<&str> {
        self.argument(name)?.as_str()
    }

    fn argument(&self, name: &str) -> Option<&Value> {
        self.request.arguments.as_ref()?.get(name)
    }

    /// A text that has to be there.
    fn required(&self, name: &str) -> Result<&str, ErrorData> {
        let missing = || ErrorData::invalid_params(format!("'{name}' must be a text"), None);
        self.text(name).ok_or_else(missing)
    }
}

/// A result of one text.
fn text(words: impl Into<String>) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(words)]).into()
}
