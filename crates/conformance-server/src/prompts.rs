//! The prompts, and what completes their arguments.

use rmcp::model::{
    CompleteRequestParams, CompleteResult, CompletionInfo, ContentBlock, ErrorData,
    GetPromptRequestParams, GetPromptResponse, GetPromptResult, InputRequiredResult, PromptMessage,
    Reference, ResourceContents, Role,
};
use serde_json::{Value, json};

use crate::ask::{answer, form};
use crate::tools::content::PNG;

/// The prompt of that name.
///
/// # Errors
/// When the prompt is unknown, or an argument is missing.
pub(crate) fn get(request: &GetPromptRequestParams) -> Result<GetPromptResponse, ErrorData> {
    let messages = match request.name.as_str() {
        "test_simple_prompt" => vec![text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments" => {
            let (first, second) = (argument(request, "arg1")?, argument(request, "arg2")?);
            let words = format!("Prompt with arguments: arg1='{first}', arg2='{second}'");
            vec![text(words)]
        }
        "test_prompt_with_embedded_resource" => {
            let uri = argument(request, "resourceUri")?;
            let resource = ResourceContents::text("Embedded resource content for testing.", uri)
                .with_mime_type("text/plain");
            vec![
                PromptMessage::new(Role::User, ContentBlock::resource(resource)),
                text("Please process the embedded resource above."),
            ]
        }
        "test_prompt_with_image" => vec![
            PromptMessage::new(Role::User, ContentBlock::image(PNG, "image/png")),
            text("Please analyze the image above."),
        ],
        "test_input_required_result_prompt" => return Ok(with_context(request)),
        name => {
            let message = format!("unknown prompt: {name}");
            return Err(ErrorData::invalid_params(message, None));
        }
    };
    Ok(GetPromptResult::new(messages).into())
}

/// Values that continue what was typed.
///
/// # Errors
/// When they are too many for the protocol, which they are not.
pub(crate) fn complete(request: &CompleteRequestParams) -> Result<CompleteResult, ErrorData> {
    let known: &[&str] = match (&request.r#ref, request.argument.name.as_str()) {
        (Reference::Prompt(prompt), "arg1") if prompt.name == "test_prompt_with_arguments" => {
            &["paris", "park", "party"]
        }
        (Reference::Resource(_), "id") => &["1", "12", "123"],
        _ => &[],
    };
    let typed = request.argument.value.as_str();
    let fitting = known.iter().filter(|value| value.starts_with(typed));
    let values = fitting.map(|&value| value.to_owned()).collect();
    let completion = CompletionInfo::with_all_values(values)
        .map_err(|problem| ErrorData::internal_error(problem, None))?;
    Ok(CompleteResult::new(completion))
}

/// Asks for the context first.
fn with_context(request: &GetPromptRequestParams) -> GetPromptResponse {
    let answer = answer(request.input_responses.as_ref(), "user_context");
    let context = answer.and_then(|answer| answer.get("content")?.get("context")?.as_str());
    let Some(context) = context else {
        let properties = json!({"context": {"type": "string"}});
        let question = form("What context should the prompt use?", &properties);
        let questions = [("user_context".to_owned(), question)].into();
        return InputRequiredResult::from_input_requests(questions).into();
    };
    GetPromptResult::new(vec![text(format!("Prompt with context: {context}"))]).into()
}

fn argument<'a>(request: &'a GetPromptRequestParams, name: &str) -> Result<&'a str, ErrorData> {
    let given = request.arguments.as_ref();
    let given = given
        .and_then(|given| given.get(name))
        .and_then(Value::as_str);
    given.ok_or_else(|| ErrorData::invalid_params(format!("missing argument: {name}"), None))
}

fn text(words: impl Into<String>) -> PromptMessage {
    PromptMessage::new_text(Role::User, words)
}
