//! Asks the user of the client: by an `elicitation/create` request in the legacy versions, by an `input_required` result
//! in the modern one. Either way the tool then runs again from the start, with the answer.

use serde_json::{Value, json};

use crate::message::{ShopOutbox, ShopRpcError, failure, is, value_of};
use crate::request::ShopRequest;
use breakfall_mcp::jsonrpc::Id;
use breakfall_mcp::protocol::{error_code, method};

/// What a tool wants to know before it goes on.
#[derive(Debug, Clone)]
pub(crate) struct ShopQuestion {
    pub(crate) key: &'static str,
    pub(crate) message: String,
    pub(crate) schema: Value,
    /// Which call it belongs to. It comes back from the client and is believed only if it is what we would write
    /// now, so a forged one can do nothing but fail.
    pub(crate) state: String,
    /// What to say to a client that cannot ask.
    pub(crate) otherwise: &'static str,
}

/// What came back.
#[derive(Debug, Clone, Default)]
pub(crate) struct FormAnswers {
    given: Option<Value>,
    state: Option<Value>,
}

/// One answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FormAnswer {
    /// Nothing yet.
    Nothing,
    /// Yes, with the fields of the form.
    Yes(Value),
    /// No, or the form was closed.
    No,
}

impl FormAnswers {
    pub(crate) fn new(given: Option<Value>, state: Option<Value>) -> Self {
        Self { given, state }
    }

    /// The answer to a question.
    ///
    /// # Errors
    /// When it belongs to another call.
    pub(crate) fn to(&self, key: &str, state: &str) -> Result<FormAnswer, ShopRpcError> {
        if self.state.as_ref().is_some_and(|given| given != state) {
            let message = "Invalid requestState: it does not belong to this call";
            return Err(ShopRpcError::invalid_params(message));
        }
        let answer = self.given.as_ref().and_then(|given| given.get(key));
        let (Some(answer), Some(_)) = (answer, &self.state) else {
            return Ok(FormAnswer::Nothing);
        };
        Ok(match answer.get("action").and_then(Value::as_str) {
            Some("accept") => FormAnswer::Yes(answer.get("content").cloned().unwrap_or_default()),
            Some("decline" | "cancel") => FormAnswer::No,
            Some(_) | None => FormAnswer::Nothing,
        })
    }
}

/// Questions the client has not answered yet.
#[derive(Debug, Default)]
pub(crate) struct OpenQuestions {
    open: Vec<(Id, PausedCall)>,
    asked: u64,
}

/// A call that waits for an answer.
#[derive(Debug)]
pub(crate) struct PausedCall {
    pub(crate) request: ShopRequest,
    question: ShopQuestion,
}

impl PausedCall {
    /// The result of the client as the answer the tool looks for.
    pub(crate) fn answers(&self, result: &Value) -> FormAnswers {
        let given = json!({ self.question.key: result });
        FormAnswers::new(Some(given), Some(self.question.state.clone().into()))
    }
}

impl OpenQuestions {
    /// Asks; the result is what the call is answered with for now, if it is.
    pub(crate) fn ask(
        &mut self,
        request: &ShopRequest,
        question: &ShopQuestion,
        out: &mut ShopOutbox,
    ) -> Result<Option<Value>, ShopRpcError> {
        let params = json!({"message": question.message, "requestedSchema": question.schema});
        if request.era.is_modern() {
            return unfinished(request, question, params).map(Some);
        }
        if !request.era.can_ask() || self.open.len() >= MAX_OPEN_QUESTIONS {
            return Ok(Some(failure(question.otherwise)));
        }
        self.asked += 1;
        let text = format!("\"shop-asks-{}\"", self.asked);
        let id = Id::from_json(&text).expect("a short string is an id");
        out.request(&id, method::ELICITATION_CREATE, &params);
        let asked = PausedCall {
            request: request.clone(),
            question: question.clone(),
        };
        self.open.push((id, asked));
        Ok(None)
    }

    /// The call that waits for the answer with this id.
    pub(crate) fn take(&mut self, id: &Id) -> Option<PausedCall> {
        let place = self.open.iter().position(|(open, _)| open == id)?;
        Some(self.open.remove(place).1)
    }

    /// A call was given up; so is the question.
    pub(crate) fn cancel(&mut self, request: &Value, out: &mut ShopOutbox) {
        self.open.retain(|(id, asked)| {
            let given_up = is(&asked.request.id, request);
            if given_up {
                let question = value_of(id);
                let params = json!({"requestId": question, "reason": "the call was cancelled"});
                out.notification(method::CANCELLED, &params);
            }
            !given_up
        });
    }
}

fn unfinished(
    request: &ShopRequest,
    question: &ShopQuestion,
    mut params: Value,
) -> Result<Value, ShopRpcError> {
    if !request.era.can_ask() {
        let data = json!({"requiredCapabilities": {"elicitation": {"form": {}}}});
        return Err(
            ShopRpcError::new(error_code::MISSING_CAPABILITY, question.otherwise).with_data(data),
        );
    }
    params["mode"] = "form".into();
    let asks = json!({"method": method::ELICITATION_CREATE, "params": params});
    Ok(request.era.dress(json!({
        "resultType": "input_required",
        "inputRequests": { question.key: asks },
        "requestState": question.state,
    })))
}

const MAX_OPEN_QUESTIONS: usize = 1000;
