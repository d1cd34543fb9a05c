//! Failures at protocol level: JSON-RPC errors, ours and those of handlers.

use std::sync::OnceLock;
use std::time::Duration;

use rmcp::model::{CustomRequest, ErrorCode};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::event::Event;
use super::guard::Guard;
use super::repeat;
use super::run::caught;
use super::settings::{CallerView, GuardSettings};
use crate::catalog::codes;
use crate::classify::rpc::{self, Call};
use crate::fault::Fault;
use crate::outcome::Outcome;
use crate::phrase::{Phrase, PhraseText};
use crate::redact::{Redacted, Redactor, only_markers};
use crate::suggest;
use crate::wire::native::{self, ERROR_KEY};
use crate::wire::{Dialect, Rpc, rpc_error, rpc_error_as};

impl<H: ServerHandler> Guard<H> {
    /// Passes a request through. A failure comes out as a JSON-RPC error with our object in its data, in the caller's
    /// language, in which they may read again what they sent.
    pub(super) async fn pass<T, F>(
        &self,
        method: &str,
        caller: CallerView,
        make: impl FnOnce() -> F,
    ) -> Result<T, ErrorData>
    where
        F: Future<Output = Result<T, ErrorData>>,
    {
        let place = RequestScope::of(method);
        match caught(None, make).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => Err(self.settings.enrich(error, &caller, &place)),
            Err(panic) => {
                let fault = panic.into_fault();
                let rpc = Rpc::InternalError;
                Err(self.settings.refuse(rpc, fault, &caller, &place))
            }
        }
    }

    /// The SDK takes a `tools/call` it cannot read for an unknown method. It is known, and its parameters are
    /// wrong.
    pub(super) fn malformed_call(
        &self,
        request: &CustomRequest,
        context: &RequestContext<RoleServer>,
    ) -> ErrorData {
        let place = RequestScope::of(&request.method);
        let params = request.params.as_ref();
        let fault = match (
            params.and_then(|params| params.get("name")),
            params.and_then(|params| params.get("arguments")),
        ) {
            (None, _) => Fault::missing_param("name"),
            (Some(Value::String(_)), Some(arguments)) if !arguments.is_object() => {
                Fault::invalid_type("arguments", "object", type_name(arguments))
            }
            (Some(Value::String(_)), _) => {
                Fault::new(codes::VALIDATION_INVALID_VALUE).say(Phrase::ARGUMENTS_PARAMS)
            }
            (Some(name), _) => Fault::invalid_type("name", "string", type_name(name)),
        };
        let fault = fault.in_operation("tools/call");
        let rpc = Rpc::InvalidParams;
        let caller = self.caller(Value::Null, context);
        self.settings.refuse(rpc, fault, &caller, &place)
    }
}

/// The request being answered, and when it began.
pub(super) struct RequestScope<'a> {
    method: &'a str,
    pub(super) tool: Option<&'a str>,
    since: Instant,
    /// Whether failures go unreported because the call was cancelled.
    pub(super) quiet: bool,
    /// The outcome, once known, unless it is a plain success.
    pub(super) came_to: OnceLock<Outcome>,
}

impl<'a> RequestScope<'a> {
    fn of(method: &'a str) -> Self {
        Self {
            method,
            tool: None,
            since: Instant::now(),
            quiet: false,
            came_to: OnceLock::new(),
        }
    }

    pub(super) fn of_tool(tool: &'a str) -> Self {
        Self {
            tool: Some(tool),
            ..Self::of("tools/call")
        }
    }

    pub(super) fn duration(&self) -> Duration {
        self.since.elapsed()
    }
}

impl GuardSettings {
    /// A JSON-RPC error of our own.
    pub(super) fn refuse(
        &self,
        rpc: Rpc,
        mut fault: Fault,
        caller: &CallerView,
        place: &RequestScope<'_>,
    ) -> ErrorData {
        let shown = self.shown(&mut fault, caller);
        self.tell(&fault, None, place);
        let mut error = rpc_error_as(rpc, shown.public(), self.dialect, &self.options).to_value();
        let words = error["message"].as_str().unwrap_or_default();
        let message = self.message(words, rpc.number(), &shown);
        let data = error.get_mut("data").map(Value::take);
        ErrorData::new(ErrorCode(rpc.number()), message, data)
    }

    /// A foreign JSON-RPC error: code and words are kept, and the error object is added where there is room for it.
    pub(super) fn enrich(
        &self,
        mut error: ErrorData,
        caller: &CallerView,
        place: &RequestScope<'_>,
    ) -> ErrorData {
        let redactor = self.redactor(caller);
        let fault = self.classify(&error, caller, place);
        let mut fault = repeat::reported(fault, caller.is_repeatable);
        let shown = self.shown(&mut fault, caller);
        self.tell(&fault, None, place);
        let words = redactor.text(&error.message);
        error.message = self.message(&words, error.code.0, &shown).into();
        if let Some(data) = &mut error.data {
            redact_data(redactor, error.code, data);
        }
        let object = || self.object(&shown);
        match &mut error.data {
            _ if self.options.strict => {}
            None | Some(Value::Null) => {
                error.data = Some(Map::from_iter([(ERROR_KEY.to_owned(), object())]).into());
            }
            Some(Value::Object(data)) => {
                data.entry(ERROR_KEY).or_insert_with(object);
            }
            // A text or a list cannot hold the object; the message says what has to be known.
            Some(_) => {}
        }
        error
    }

    /// The message of a JSON-RPC error, with code, fix and id: many clients show nothing else.
    fn message(&self, words: &str, code: i32, shown: &Redacted<Fault>) -> String {
        // The message of the fault has the sentence of its code in front.
        if only_markers(words) && !only_markers(&shown.public().message()) {
            return self.message(&shown.public().message(), code, shown);
        }
        if self.options.strict || native::is_acted_on(code.into()) {
            return words.to_owned();
        }
        native::rpc_message(words, shown.public(), &self.options)
    }

    fn classify(&self, error: &ErrorData, caller: &CallerView, place: &RequestScope<'_>) -> Fault {
        let mut call = Call::new().method(place.method);
        // A tool, a prompt, or the address of a resource.
        if let Some(name) = caller.sent.get("name").unwrap_or(&caller.sent).as_str() {
            call = call.name(name);
        }
        let value = json!({"code": error.code.0, "message": error.message, "data": error.data});
        let fault = rpc::read(&value, &call, &self.options).fault;
        // For an unknown method the SDK reports only the name.
        if error.code == ErrorCode::METHOD_NOT_FOUND && error.message == place.method {
            let shown: String = place.method.chars().take(LONGEST_NAME).collect();
            return fault.say(PhraseText::from(Phrase::UNKNOWN_METHOD).with("method", shown));
        }
        fault
    }

    /// The native object of a fault.
    pub(super) fn object(&self, shown: &Redacted<Fault>) -> Value {
        rpc_error(shown.public(), Dialect::Native, &self.options).to_value()["data"].take()
    }

    /// Tells the hook of a fault that has its id.
    pub(super) fn tell(&self, fault: &Fault, item: Option<usize>, place: &RequestScope<'_>) {
        if item.is_none() && self.on_call.is_some() {
            let copy = || Outcome::Fault(Fault::from_public(fault.public().clone()));
            place.came_to.get_or_init(copy);
        }
        let id = fault.public().correlation_id();
        if let Some(id) = id.filter(|_| !place.quiet) {
            self.tell_fault(&Event {
                method: place.method,
                tool: place.tool,
                item,
                fault,
                correlation_id: id,
                duration: place.duration(),
            });
        }
    }
}

/// Redacts the data of an error, apart from what a client acts on.
fn redact_data(redactor: &Redactor, code: ErrorCode, data: &mut Value) {
    let mut kept = Vec::new();
    for pointer in acted_on(code, data) {
        let value = data.pointer_mut(&pointer).map(Value::take);
        kept.extend(value.map(|value| (pointer, value)));
    }
    redactor.value(data);
    for (pointer, value) in kept {
        if let Some(place) = data.pointer_mut(&pointer) {
            *place = value;
        }
    }
}

/// Where the data of an error of the protocol holds what works only as it is: an address to open and the id of that
/// question, versions, capabilities.
fn acted_on(code: ErrorCode, data: &Value) -> Vec<String> {
    match code {
        ErrorCode(-32042) => {
            let questions = data["elicitations"].as_array().map_or(0, Vec::len);
            let fields = |question: usize| {
                ["mode", "elicitationId", "url"]
                    .map(|field| format!("/elicitations/{question}/{field}"))
            };
            let is_text = |pointer: &String| data.pointer(pointer).is_some_and(Value::is_string);
            (0..questions).flat_map(fields).filter(is_text).collect()
        }
        ErrorCode::UNSUPPORTED_PROTOCOL_VERSION => vec!["/supported".into(), "/requested".into()],
        ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY => vec!["/requiredCapabilities".into()],
        _ => Vec::new(),
    }
}

/// No such tool. The nearest name goes into the message too: many clients show nothing else of a JSON-RPC error.
pub(super) fn unknown_tool(name: &str, mut names: Vec<String>) -> Fault {
    let shown: String = name.chars().take(LONGEST_NAME).collect();
    let nearest = suggest::nearest(&shown, names.iter().map(String::as_str)).map(str::to_owned);
    let omitted = names.len().saturating_sub(MOST_NAMES);
    names.truncate(MOST_NAMES);
    let fault = Fault::unknown_among(&shown, &names, omitted);
    let said = |phrase: Phrase| PhraseText::from(phrase).with("tool", &*shown);
    match nearest {
        Some(nearest) => fault
            .say(said(Phrase::UNKNOWN_TOOL_NEAR).with("nearest", &*nearest))
            .advise(PhraseText::from(Phrase::CALL_NEAREST).with("nearest", &*nearest))
            .fallback_tool(nearest),
        None => fault.say(said(Phrase::UNKNOWN_TOOL)),
    }
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// The longest name that is repeated to its sender.
const LONGEST_NAME: usize = 128;

/// The most names that are offered instead of an unknown one.
const MOST_NAMES: usize = 100;
