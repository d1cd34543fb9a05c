//! Questions to the client, and how they reach it.

use rmcp::RoleServer;
use rmcp::model::{
    ClientCapabilities, ErrorData, InputRequest, InputRequiredResult, InputResponses, JsonObject,
    ServerRequest,
};
use rmcp::service::{RequestContext, ServiceError};
use serde_json::{Value, json};

use crate::listeners::is_modern;

/// A form for the user. All of its properties have to be filled in.
pub(crate) fn form(message: &str, properties: &Value) -> InputRequest {
    let names: Vec<_> = properties
        .as_object()
        .into_iter()
        .flat_map(JsonObject::keys)
        .collect();
    let schema = json!({"type": "object", "properties": properties, "required": names});
    form_of(message, &schema)
}

/// A form for the user, with a schema of its own.
pub(crate) fn form_of(message: &str, schema: &Value) -> InputRequest {
    question(json!({
        "method": "elicitation/create",
        "params": {"mode": "form", "message": message, "requestedSchema": schema},
    }))
}

/// Something for the client's model to say.
pub(crate) fn sample(prompt: &str) -> InputRequest {
    let message = json!({"role": "user", "content": {"type": "text", "text": prompt}});
    question(json!({
        "method": "sampling/createMessage",
        "params": {"messages": [message], "maxTokens": 100},
    }))
}

/// Which folders the client works in.
pub(crate) fn roots() -> InputRequest {
    question(json!({"method": "roots/list"}))
}

fn question(request: Value) -> InputRequest {
    serde_json::from_value(request).expect("the question is in the shape of the protocol")
}

/// What became of a question.
pub(crate) enum Asked {
    /// The client's answer.
    Answer(Value),
    /// The client has to answer and come again.
    Again(InputRequiredResult),
}

/// Asks in the manner of the caller's era: before 2026-07-28 with a request while the call waits, since then with
/// a result that wants the call repeated.
///
/// # Errors
/// When the client said it could not answer such a question, or does not.
pub(crate) async fn ask(
    question: InputRequest,
    answers: Option<&InputResponses>,
    context: &RequestContext<RoleServer>,
) -> Result<Asked, ErrorData> {
    if !can_answer(&question, context) {
        return Err(cannot(&question, context));
    }
    if is_modern(context) {
        let answer = answer(answers, KEY).map(|answer| Value::Object(answer.clone()));
        let again =
            || InputRequiredResult::from_input_requests([(KEY.to_owned(), question)].into());
        return Ok(answer.map_or_else(|| Asked::Again(again()), Asked::Answer));
    }
    let request = match question {
        InputRequest::CreateMessage(request) => ServerRequest::CreateMessageRequest(request),
        InputRequest::Elicitation(request) => ServerRequest::ElicitRequest(request),
        InputRequest::ListRoots(request) => ServerRequest::ListRootsRequest(request),
        _ => return Err(ErrorData::internal_error("no such question", None)),
    };
    let answer = context.peer.send_request(request).await.map_err(told)?;
    let answer = serde_json::to_value(answer).expect("what came as JSON is JSON");
    Ok(Asked::Answer(answer))
}

/// The answer under that key, if it is one: anything but an object is as good as none.
pub(crate) fn answer<'a>(answers: Option<&'a InputResponses>, key: &str) -> Option<&'a JsonObject> {
    answers?.get(key)?.as_object()
}

/// What a model said: one block, or the first of a list.
pub(crate) fn said(content: &Value) -> Option<&str> {
    let block = content.get(0).unwrap_or(content);
    block.get("text")?.as_str()
}

/// Whether the caller said that it could answer such a question.
pub(crate) fn can_answer(question: &InputRequest, context: &RequestContext<RoleServer>) -> bool {
    let declared = serde_json::to_value(context.client_capabilities());
    declared.is_ok_and(|declared| declared.get(capability(question)).is_some())
}

/// The code for it is younger than the legacy era.
fn cannot(question: &InputRequest, context: &RequestContext<RoleServer>) -> ErrorData {
    let name = capability(question);
    if !is_modern(context) {
        return ErrorData::invalid_request(format!("the client has no {name}"), None);
    }
    let required: ClientCapabilities =
        serde_json::from_value(json!({name: {}})).expect("capabilities are objects by name");
    ErrorData::missing_required_client_capability(required)
}

fn capability(question: &InputRequest) -> &'static str {
    match question {
        InputRequest::CreateMessage(_) => "sampling",
        InputRequest::Elicitation(_) => "elicitation",
        InputRequest::ListRoots(_) => "roots",
        _ => "experimental",
    }
}

/// The client's own words, if it has any.
fn told(error: ServiceError) -> ErrorData {
    if let ServiceError::McpError(error) = error {
        return error;
    }
    ErrorData::internal_error(error.to_string(), None)
}

/// Of the only question a call asks.
const KEY: &str = "answer";
