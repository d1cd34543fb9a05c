//! Tools that need answers first, and are called again with them.

use rmcp::model::{
    CallToolResponse, ErrorData, InputRequest, InputRequiredResult, JsonObject, SealOptions,
};
use serde_json::json;

use super::{Call, Reply, text};
use crate::ask::{self, can_answer, form, said, sample};

pub(super) fn value(call: &Call<'_>) -> CallToolResponse {
    let question = form("Provide a value", &json!({"value": {"type": "string"}}));
    match filled(call, "value", "value") {
        Some(value) => text(format!("Value: {value}")),
        None => first([("value", question)]),
    }
}

pub(super) fn name(call: &Call<'_>) -> CallToolResponse {
    match filled(call, "user_name", "name") {
        Some(name) => text(format!("Hello, {name}!")),
        None => first([("user_name", who())]),
    }
}

pub(super) fn capital(call: &Call<'_>) -> CallToolResponse {
    match sampled(call, "capital_question") {
        Some(words) => text(format!("The model says: {words}")),
        None => first([("capital_question", sample("What is the capital of France?"))]),
    }
}

pub(super) fn roots(call: &Call<'_>) -> CallToolResponse {
    let answer = answered(call, "client_roots");
    let Some(roots) = answer.and_then(|answer| answer.get("roots")?.as_array()) else {
        return first([("client_roots", ask::roots())]);
    };
    let uris: Vec<_> = roots
        .iter()
        .filter_map(|root| root["uri"].as_str())
        .collect();
    text(format!("Roots: {}", uris.join(", ")))
}

pub(super) fn confirmed(call: &Call<'_>) -> Reply {
    let begun = round(call)?.is_some();
    if begun && answered(call, "confirm").is_some() {
        return Ok(text("Confirmed: state-ok"));
    }
    let question = form("Please confirm", &json!({"ok": {"type": "boolean"}}));
    next(call, 1, [("confirm", question)])
}

pub(super) fn three_at_once(call: &Call<'_>) -> Reply {
    let begun = round(call)?.is_some();
    let name = filled(call, "user_name", "name");
    let greeting = sampled(call, "greeting");
    let roots = answered(call, "client_roots");
    if let (true, Some(name), Some(greeting), Some(_)) = (begun, name, greeting, roots) {
        return Ok(text(format!("{greeting} {name}, all answers are in")));
    }
    let questions = [
        ("user_name", who()),
        ("greeting", sample("Generate a greeting")),
        ("client_roots", ask::roots()),
    ];
    next(call, 1, questions)
}

pub(super) fn two_rounds(call: &Call<'_>) -> Reply {
    let round = round(call)?;
    if round == Some(2) && filled(call, "step2", "color").is_some() {
        return Ok(text("Both rounds are done"));
    }
    let again = round == Some(2);
    if again || (round == Some(1) && filled(call, "step1", "name").is_some()) {
        let properties = json!({"color": {"type": "string"}});
        let question = form("Step 2: What is your favorite color?", &properties);
        return next(call, 2, [("step2", question)]);
    }
    let properties = json!({"name": {"type": "string"}});
    let question = form("Step 1: What is your name?", &properties);
    next(call, 1, [("step1", question)])
}

pub(super) fn what_it_can(call: &Call<'_>) -> CallToolResponse {
    if call.request.input_responses.is_some() {
        return text("Asked what could be answered");
    }
    let all = [
        ("user_name", who()),
        ("greeting", sample("Generate a greeting")),
        ("client_roots", ask::roots()),
    ];
    let possible = all
        .into_iter()
        .filter(|(_, question)| can_answer(question, call.context));
    let possible: Vec<_> = possible.collect();
    if possible.is_empty() {
        return text("The client can answer nothing");
    }
    first(possible)
}

/// Asks for a name: half of the tools do.
pub(super) fn who() -> InputRequest {
    form("What is your name?", &json!({"name": {"type": "string"}}))
}

/// What the user put into a field of a form it accepted.
pub(super) fn filled<'a>(call: &'a Call<'_>, key: &str, field: &str) -> Option<&'a str> {
    let answer = answered(call, key)?;
    let accepted = answer.get("action")? == "accept";
    let value = answer.get("content")?.get(field)?.as_str()?;
    accepted.then_some(value)
}

/// Asks, and keeps nothing.
pub(super) fn first(
    questions: impl IntoIterator<Item = (&'static str, InputRequest)>,
) -> CallToolResponse {
    let questions = questions
        .into_iter()
        .map(|(key, question)| (key.to_owned(), question));
    InputRequiredResult::from_input_requests(questions.collect()).into()
}

/// Asks, with the number of the round in the state.
fn next(
    call: &Call<'_>,
    round: u8,
    questions: impl IntoIterator<Item = (&'static str, InputRequest)>,
) -> Reply {
    let of_this_tool = SealOptions::new().associated_data(call.request.name.as_bytes());
    let state = call.fixture.states.seal_json_with(&round, &of_this_tool);
    let state = state.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    let questions = questions
        .into_iter()
        .map(|(key, question)| (key.to_owned(), question));
    Ok(InputRequiredResult::new(Some(questions.collect()), Some(state)).into())
}

/// The round of the call, from its state. A state that this server did not seal is refused.
fn round(call: &Call<'_>) -> Result<Option<u8>, ErrorData> {
    let Some(state) = &call.request.request_state else {
        return Ok(None);
    };
    let tool = call.request.name.as_bytes();
    let round = call.fixture.states.open_json_with(state, tool);
    let refused = |_| ErrorData::invalid_params("requestState is not ours", None);
    round.map(Some).map_err(refused)
}

fn answered<'a>(call: &'a Call<'_>, key: &str) -> Option<&'a JsonObject> {
    ask::answer(call.request.input_responses.as_ref(), key)
}

/// What the client's model said.
fn sampled<'a>(call: &'a Call<'_>, key: &str) -> Option<&'a str> {
    said(answered(call, key)?.get("content")?)
}
