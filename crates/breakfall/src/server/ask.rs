//! Questions to the user behind a client that can elicit. In the legacy protocol the server sends a request of its own
//! and waits; in the modern one the call is answered with what is needed, and the client calls again with it.

use std::collections::BTreeMap;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, ClientResult, ElicitRequest, ElicitRequestParams, InputRequest,
    InputRequiredResult, JsonObject, ServerRequest, Tool,
};
use rmcp::service::RequestContext;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::fault::Fault;
use crate::outcome::Elicitation;
use crate::redact::Redactor;

/// The values a user has given in the course of a call. The modern protocol keeps them at the client between two
/// rounds. The client may send any arguments anyway, so they need no seal.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Answers {
    /// The fields that were asked for last.
    fields: Vec<String>,
    /// The values so far.
    values: JsonObject,
    /// How many questions were asked.
    count: usize,
}

/// What became of a question.
pub(super) enum UserReply {
    /// The user gave values.
    Values,
    /// The client asks the user and calls again.
    Later(InputRequiredResult),
    /// The user does not want to give any.
    Declined(Fault),
    /// The user was not asked, or did not answer: the question stands.
    Unasked,
}

impl Answers {
    /// Takes the answer to an earlier question out of a request, and the fault where the user declined.
    pub(super) fn of(request: &mut CallToolRequestParams) -> (Self, Option<Fault>) {
        let responses = request.input_responses.as_mut();
        let Some(response) = responses.and_then(|all| all.remove(QUESTION_KEY)) else {
            return (Self::default(), None);
        };
        request.input_responses.take_if(|all| all.is_empty());
        let state = request.request_state.take();
        let state = state.and_then(|state| serde_json::from_str(&state).ok());
        let mut answers: Self = state.unwrap_or_default();
        let fault = match answers.take(&response) {
            UserReply::Declined(fault) => Some(fault),
            UserReply::Values | UserReply::Later(_) => None,
            UserReply::Unasked => {
                // The user closed the form: it is not shown again.
                answers.count = MAX_QUESTIONS;
                None
            }
        };
        (answers, fault)
    }

    /// Arguments with the values in place of their own.
    pub(super) fn filled(&self, arguments: &JsonObject) -> JsonObject {
        let mut filled = arguments.clone();
        filled.extend(self.values.clone());
        filled
    }

    /// Puts a question to the user, if there is a form for it and the client can show it.
    pub(super) async fn ask(
        &mut self,
        question: &Elicitation,
        tool: Option<&Tool>,
        context: &RequestContext<RoleServer>,
    ) -> UserReply {
        if self.count >= MAX_QUESTIONS || !shows_forms(context) {
            return UserReply::Unasked;
        }
        let Some(params) = form(question, tool) else {
            return UserReply::Unasked;
        };
        self.count += 1;
        self.fields = question.fields().to_vec();
        let request = ElicitRequest::new(params);
        if is_modern(context) {
            return self.required(request);
        }
        let asked = context
            .peer
            .send_request(ServerRequest::ElicitRequest(request));
        match context.ct.run_until_cancelled(asked).await {
            Some(Ok(ClientResult::ElicitResult(result))) => self.take(&json!(result)),
            // The client is gone, refused, or took the call back.
            Some(_) | None => UserReply::Unasked,
        }
    }

    fn required(&self, request: ElicitRequest) -> UserReply {
        let request = InputRequest::Elicitation(request);
        let requests = BTreeMap::from([(QUESTION_KEY.to_owned(), request)]);
        let state = serde_json::to_string(self).unwrap_or_default();
        UserReply::Later(InputRequiredResult::new(Some(requests), Some(state)))
    }

    /// Takes the response to a form. Values that were not asked for are dropped.
    fn take(&mut self, response: &Value) -> UserReply {
        match response["action"].as_str() {
            Some("accept") => {
                let given = response["content"].as_object().into_iter().flatten();
                let is_plain =
                    |value: &Value| !value.is_array() && !value.is_object() && !value.is_null();
                let asked = |(name, value): &(&String, &Value)| {
                    self.fields.contains(*name) && is_plain(value)
                };
                let given: Vec<_> = given.filter(asked).collect();
                if given.is_empty() {
                    return UserReply::Unasked;
                }
                let given = given
                    .into_iter()
                    .map(|(name, value)| (name.clone(), value.clone()));
                self.values.extend(given);
                UserReply::Values
            }
            Some("decline") => {
                UserReply::Declined(Fault::declined(&self.fields).detail("executed", "no"))
            }
            Some(_) | None => UserReply::Unasked,
        }
    }
}

/// Whether the client can show a form.
fn shows_forms(context: &RequestContext<RoleServer>) -> bool {
    let capabilities = context.client_capabilities();
    let modes = capabilities.and_then(|capabilities| capabilities.elicitation);
    // Before there were other modes than forms, there was no name for forms.
    modes.is_some_and(|modes| modes.form.is_some() || modes.url.is_none())
}

/// Whether the client is one that calls again with what was needed.
fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    let version = context.protocol_version();
    version.is_some_and(|version| version.as_str() >= FIRST_MODERN)
}

/// The question as a form. Forms never ask for secrets.
fn form(question: &Elicitation, tool: Option<&Tool>) -> Option<ElicitRequestParams> {
    let schema = tool.map(|tool| Value::Object((*tool.input_schema).clone()));
    let form = question.form(&schema.unwrap_or_default())?;
    if question.fields().iter().any(|field| is_secret(field)) {
        return None;
    }
    let params = json!({"mode": "form", "message": question.message(), "requestedSchema": form});
    serde_json::from_value(params).ok()
}

/// Whether a value under this name is taken for a secret.
fn is_secret(name: &str) -> bool {
    let mut probe = Value::Object(Map::from_iter([(name.to_owned(), "x".into())]));
    let before = probe.clone();
    Redactor::client().value(&mut probe);
    probe != before
}

/// The name of the question among the inputs a call requires.
const QUESTION_KEY: &str = "dev.breakfall/question";

/// How often a user is asked in the course of one call.
const MAX_QUESTIONS: usize = 3;

/// The first protocol version in which a server does not send requests.
const FIRST_MODERN: &str = "2026-07-28";
