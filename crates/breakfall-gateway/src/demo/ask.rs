//! Asking the person behind the client: by a request of ours in the older versions, by an unfinished result in the
//! newest one. Either way the tool is called again from the start, with the answer.

use serde_json::{Value, json};

use super::message::{Outbox, Refused, failure};
use super::request::Request;
use super::server::is;
use breakfall_mcp::jsonrpc::Id;

/// What a tool wants to know before it goes on.
#[derive(Debug, Clone)]
pub(super) struct Question {
    pub(super) key: &'static str,
    pub(super) message: String,
    pub(super) schema: Value,
    /// Which call it belongs to. It comes back from the client and is believed only if it is what we would write
    /// now, so a forged one can do nothing but fail.
    pub(super) state: String,
    /// What to say to a client that cannot ask.
    pub(super) otherwise: &'static str,
}

/// What came back.
#[derive(Debug, Clone, Default)]
pub(super) struct Answers {
    given: Option<Value>,
    state: Option<Value>,
}

/// One answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Said {
    /// Nothing yet.
    Nothing,
    /// Yes, with the fields of the form.
    Yes(Value),
    /// No, or the form was closed.
    No,
}

impl Answers {
    pub(super) fn new(given: Option<Value>, state: Option<Value>) -> Self {
        Self { given, state }
    }

    /// The answer to a question.
    ///
    /// # Errors
    /// When it belongs to another call.
    pub(super) fn to(&self, key: &str, state: &str) -> Result<Said, Refused> {
        if self.state.as_ref().is_some_and(|given| given != state) {
            let message = "Invalid requestState: it does not belong to this call";
            return Err(Refused::invalid_params(message));
        }
        let answer = self.given.as_ref().and_then(|given| given.get(key));
        let (Some(answer), Some(_)) = (answer, &self.state) else {
            return Ok(Said::Nothing);
        };
        Ok(match answer.get("action").and_then(Value::as_str) {
            Some("accept") => Said::Yes(answer.get("content").cloned().unwrap_or_default()),
            Some("decline" | "cancel") => Said::No,
            Some(_) | None => Said::Nothing,
        })
    }
}

/// Questions the client has not answered yet.
#[derive(Debug, Default)]
pub(super) struct Asks {
    open: Vec<(Id, Asked)>,
    asked: u64,
}

/// A call that waits for an answer.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) request: Request,
    question: Question,
}

impl Asked {
    /// The result of the client as the answer the tool looks for.
    pub(super) fn answers(&self, result: &Value) -> Answers {
        let given = json!({ self.question.key: result });
        Answers::new(Some(given), Some(self.question.state.clone().into()))
    }
}

impl Asks {
    /// Asks; the result is what the call is answered with for now, if it is.
    pub(super) fn ask(
        &mut self,
        request: &Request,
        question: &Question,
        out: &mut Outbox,
    ) -> Result<Option<Value>, Refused> {
        let params = json!({"message": question.message, "requestedSchema": question.schema});
        if request.era.is_modern() {
            return unfinished(request, question, params).map(Some);
        }
        if !request.era.can_ask() || self.open.len() >= MOST_OPEN {
            return Ok(Some(failure(question.otherwise)));
        }
        self.asked += 1;
        let text = format!("\"shop-asks-{}\"", self.asked);
        let id = Id::from_json(&text).expect("a short string is an id");
        out.request(&id, "elicitation/create", &params);
        let asked = Asked {
            request: request.clone(),
            question: question.clone(),
        };
        self.open.push((id, asked));
        Ok(None)
    }

    /// The call that waits for the answer with this id.
    pub(super) fn take(&mut self, id: &Id) -> Option<Asked> {
        let place = self.open.iter().position(|(open, _)| open == id)?;
        Some(self.open.remove(place).1)
    }

    /// A call was given up; so is the question.
    pub(super) fn cancel(&mut self, request: &Value, out: &mut Outbox) {
        self.open.retain(|(id, asked)| {
            let given_up = is(&asked.request.id, request);
            if given_up {
                let question = super::message::value_of(id);
                let params = json!({"requestId": question, "reason": "the call was cancelled"});
                out.notification("notifications/cancelled", &params);
            }
            !given_up
        });
    }
}

fn unfinished(request: &Request, question: &Question, mut params: Value) -> Result<Value, Refused> {
    if !request.era.can_ask() {
        let data = json!({"requiredCapabilities": {"elicitation": {"form": {}}}});
        return Err(Refused::new(-32021, question.otherwise).with_data(data));
    }
    params["mode"] = "form".into();
    let asks = json!({"method": "elicitation/create", "params": params});
    Ok(request.era.dress(json!({
        "resultType": "input_required",
        "inputRequests": { question.key: asks },
        "requestState": question.state,
    })))
}

const MOST_OPEN: usize = 1000;
