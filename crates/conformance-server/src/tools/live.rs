//! Tools that talk to the client while they work.
#![expect(
    deprecated,
    reason = "the SDK deprecates the log, which both eras still have"
)]

use std::time::Duration;

use rmcp::model::{
    CallToolResponse, ClientCapabilities, ErrorData, InputRequest, LoggingLevel,
    LoggingMessageNotificationParam, ProgressNotificationParam,
};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{Call, Reply, text};
use crate::ask::{Asked, ask, can_answer, form, form_of, said, sample};
use crate::listeners::{Change, is_modern};

pub(super) async fn slowly() -> CallToolResponse {
    sleep(Duration::from_millis(100)).await;
    text("Reconnection test completed")
}

pub(super) async fn logging(call: &Call<'_>) -> CallToolResponse {
    log(call, LoggingLevel::Info, "Tool execution started").await;
    sleep(MOMENT).await;
    log(call, LoggingLevel::Info, "Tool processing data").await;
    sleep(MOMENT).await;
    log(call, LoggingLevel::Info, "Tool execution completed").await;
    text("Tool with logging executed successfully")
}

pub(super) async fn one_line(call: &Call<'_>) -> CallToolResponse {
    log(call, LoggingLevel::Emergency, "Tool executed").await;
    text("Logged, if that was asked for")
}

/// Logs what the caller wants to see: everything from the level of its session on, or, since there are no sessions,
/// from the level its request names, which may be none.
async fn log(call: &Call<'_>, level: LoggingLevel, words: &str) {
    let least = if is_modern(call.context) {
        call.context.meta.log_level()
    } else {
        Some(call.fixture.told().level)
    };
    if least.is_none_or(|least| (level as u8) < (least as u8)) {
        return;
    }
    let message = LoggingMessageNotificationParam::new(level, json!(words)).with_logger("fixture");
    let _gone = call.context.peer.notify_logging_message(message).await;
}

pub(super) async fn progress(call: &Call<'_>) -> CallToolResponse {
    for (done, words) in [(0.0, "begun"), (50.0, "half done"), (100.0, "done")] {
        if let Some(token) = call.context.meta.get_progress_token() {
            let progress = ProgressNotificationParam::new(token, done)
                .with_total(100.0)
                .with_message(words);
            let _gone = call.context.peer.notify_progress(progress).await;
        }
        sleep(MOMENT).await;
    }
    text("Tool with progress executed successfully")
}

pub(super) async fn sampling(call: &Call<'_>) -> Reply {
    let question = sample(call.required("prompt")?);
    asked(call, question, |answer| {
        let words = said(&answer["content"]).unwrap_or("nothing");
        format!("LLM response: {words}")
    })
    .await
}

pub(super) async fn elicitation(call: &Call<'_>) -> Reply {
    let properties = json!({
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"},
    });
    let question = form(call.required("message")?, &properties);
    asked(call, question, |answer| {
        format!("User response: {}", outcome(answer))
    })
    .await
}

pub(super) async fn defaults(call: &Call<'_>) -> Reply {
    let schema = json!({"type": "object", "properties": {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": true},
    }});
    let question = form_of("Please look over what is filled in", &schema);
    asked(call, question, completed).await
}

pub(super) async fn choices(call: &Call<'_>) -> Reply {
    let plain = json!(["option1", "option2", "option3"]);
    let titled = |word: &str| {
        json!([
            {"const": "value1", "title": format!("First {word}")},
            {"const": "value2", "title": format!("Second {word}")},
            {"const": "value3", "title": format!("Third {word}")},
        ])
    };
    let schema = json!({"type": "object", "properties": {
        "untitledSingle": {"type": "string", "enum": plain},
        "titledSingle": {"type": "string", "oneOf": titled("Option")},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled("Choice")}},
    }});
    asked(call, form_of("Please choose", &schema), completed).await
}

async fn asked(
    call: &Call<'_>,
    question: InputRequest,
    say: impl FnOnce(&Value) -> String,
) -> Reply {
    let answers = call.request.input_responses.as_ref();
    match ask(question, answers, call.context).await? {
        Asked::Answer(answer) => Ok(text(say(&answer))),
        Asked::Again(result) => Ok(result.into()),
    }
}

fn completed(answer: &Value) -> String {
    format!("Elicitation completed: {}", outcome(answer))
}

fn outcome(answer: &Value) -> String {
    let action = answer["action"].as_str().unwrap_or("none");
    format!("action={action}, content={}", answer["content"])
}

pub(super) fn needs_sampling(call: &Call<'_>) -> Reply {
    if can_answer(&sample("anything"), call.context) {
        return Ok(text("The client has a model"));
    }
    let required = ClientCapabilities::builder().enable_sampling().build();
    Err(ErrorData::missing_required_client_capability(required))
}

pub(super) async fn tools_changed(call: &Call<'_>) -> CallToolResponse {
    tell(call, Change::Tools).await
}

pub(super) async fn prompts_changed(call: &Call<'_>) -> CallToolResponse {
    tell(call, Change::Prompts).await
}

pub(super) async fn resource_updated(call: &Call<'_>) -> Reply {
    let uri = call.required("uri")?.to_owned();
    Ok(tell(call, Change::Resource(uri)).await)
}

async fn tell(call: &Call<'_>, change: Change) -> CallToolResponse {
    let watched = call.fixture.told().watched.clone();
    let listeners = &call.fixture.listeners;
    listeners.tell(&change, &watched, call.context).await;
    text("Whoever listens was told")
}

const MOMENT: Duration = Duration::from_millis(50);
