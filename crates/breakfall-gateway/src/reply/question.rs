//! Elicitation in place of a failure: an id names nothing, or is ambiguous, and the user can correct it.

use breakfall::code::Hint;
use breakfall::redact::Redactor;
use breakfall::{Category, Elicitation, Fault, Public, codes};
use serde_json::{Map, Value, json};

use crate::classify::{text_of, value_of};
use breakfall_mcp::jsonrpc::splice::{Object, members, put_all};

/// Adds the question for the user to a fault about a parameter that a user can correct.
///
/// `tool` is the caller's name for the tool, `correctable` are the names of such parameters, `sent` the arguments of
/// the call. Formats that can ask do so then; [`UserQuestion`] is for clients that support elicitation.
///
/// ```
/// use breakfall::Fault;
/// use breakfall_gateway::reply::asking;
///
/// let fault = Fault::not_found("order", "7");
/// let fault = asking(fault, "cancel", &["id".to_owned()], r#"{"id":"7"}"#);
/// let question = fault.public().elicitation().expect("a question");
/// assert_eq!(question.fields(), ["id"]);
/// assert_eq!(
///     question.message(),
///     "'cancel' cannot go on: order '7' not found. What should 'id' be instead of '7'?"
/// );
/// ```
pub fn asking(fault: Fault, tool: &str, correctable: &[String], sent: &str) -> Fault {
    let public = fault.public();
    if public.elicitation().is_some() {
        return fault;
    }
    let fields = fields(public, correctable, sent);
    if fields.is_empty() {
        return fault;
    }
    let before = before(&fields, sent);
    let mut question = Elicitation::correcting(&public.message(), tool, &fields, before.as_deref());
    for field in fields {
        let values = suggested(public, field);
        question = question.suggest(field, values);
    }
    fault.ask(question).hint(Hint::CheckInput)
}

/// The value sent for the only parameter in question, if people can read it.
fn before(fields: &[&str], sent: &str) -> Option<String> {
    let [field] = fields else {
        return None;
    };
    let mut before = None;
    members(sent, |key, value| {
        let is_plain = !value.starts_with(['{', '[']) && value != "null";
        if is_plain && value.len() <= MAX_VALUE_CHARS && text_of(key) == *field {
            before = Some(text_of(value));
        }
    });
    before
}

/// The parameters of the failure that the user can correct.
fn fields<'a>(public: &Public, correctable: &'a [String], sent: &str) -> Vec<&'a str> {
    let ask = correctable.iter().map(String::as_str);
    let ask: Vec<&str> = ask.filter(|name| !is_secret(name)).collect();
    let named = public.details().text("param_name");
    let is_named = |name: &str| {
        let mut violations = public.violations().iter();
        named == Some(name) || violations.any(|violation| violation.field() == name)
    };
    let about: Vec<&str> = ask.iter().copied().filter(|name| is_named(name)).collect();
    if !about.is_empty() && public.category() != Category::Authorization {
        return about;
    }
    if !is_about_ids(public) {
        return Vec::new();
    }
    let mut given = Vec::new();
    members(sent, |key, value| {
        let key = text_of(key);
        let known = ask.iter().find(|name| **name == key);
        given.extend(
            known
                .filter(|_| value != "null")
                .map(|name| (*name, text_of(value))),
        );
    });
    // The message may name the parameter.
    let message = public.message();
    let told = given
        .iter()
        .filter(|(_, value)| value.len() > 1 && message.contains(value.as_str()));
    let told: Vec<&str> = told.map(|(name, _)| *name).collect();
    match (told.is_empty(), given.is_empty()) {
        (false, _) => told,
        (true, false) => given.into_iter().map(|(name, _)| name).collect(),
        (true, true) => ask,
    }
}

/// Whether a failure says that an id names nothing, or is ambiguous: then the call had no effect.
///
/// ```
/// use breakfall::Fault;
/// use breakfall_gateway::reply::is_about_ids;
///
/// assert!(is_about_ids(Fault::not_found("order", "7").public()));
/// assert!(!is_about_ids(Fault::unavailable("shop").public()));
/// ```
pub fn is_about_ids(public: &Public) -> bool {
    let is_gone =
        public.category() == Category::NotFound && public.code() != codes::NOT_FOUND_OPERATION;
    is_gone || is_ambiguous(public)
}

/// Whether a failure says that a name is ambiguous.
fn is_ambiguous(public: &Public) -> bool {
    let is_about_input = matches!(
        public.category(),
        Category::Validation | Category::Conflict | Category::Business | Category::Internal
    );
    let words = public.message().to_lowercase();
    let says = |phrase: &str| words.contains(phrase);
    is_about_input
        && (says("ambiguous")
            || says("more than one match")
            || says("multiple match")
            || says("matches multiple")
            || says("matches more than one")
            || says("be more specific")
            || (says("multiple ") && says(" match"))
            || (says("more than one ") && says(" found")))
}

/// Whether a parameter is a secret. Forms never ask for secrets.
pub(crate) fn is_secret(name: &str) -> bool {
    let mut probe = Value::Object(Map::from_iter([(name.to_owned(), "x".into())]));
    let before = probe.clone();
    Redactor::client().value(&mut probe);
    probe != before
}

/// Values that the failure suggests.
fn suggested(public: &Public, field: &str) -> Vec<String> {
    let details = OFFERS
        .iter()
        .filter_map(|key| public.details().get(key)?.as_array());
    let texts = details
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned);
    let violations = public
        .violations()
        .iter()
        .filter(|violation| violation.field() == field);
    let corrected = violations.filter_map(|violation| {
        let told = violation.to_value();
        Some(told.get("suggestion")?.as_str()?.to_owned())
    });
    let mut all: Vec<String> = Vec::new();
    for text in corrected.chain(texts) {
        if all.len() < MAX_SUGGESTIONS && text.len() <= MAX_MESSAGE_CHARS && !all.contains(&text) {
            all.push(text);
        }
    }
    all
}

/// The details in which servers suggest values.
const OFFERS: &[&str] = &[
    "suggestions",
    "candidates",
    "matches",
    "did_you_mean",
    "alternatives",
];

/// The number of suggested values.
const MAX_SUGGESTIONS: usize = 5;
const MAX_MESSAGE_CHARS: usize = 200;
/// Longer values are not shown in a question.
const MAX_VALUE_CHARS: usize = 60;

/// An elicitation for a client that supports it.
#[derive(Debug, Clone, PartialEq)]
pub struct UserQuestion {
    message: String,
    fields: Vec<String>,
    schema: Value,
}

/// The response of the user.
#[derive(Debug)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the three answers the protocol has"
)]
pub enum UserResponse {
    /// The arguments of the call with the values of the user, for another call.
    Arguments(String),
    /// The user declined.
    Declined(Fault),
    /// The user cancelled: the failure stands, with its question.
    Cancelled,
}

impl UserQuestion {
    /// The question of a fault, if it has one. `tool` is the listed tool, if it is known: it declares the types of the
    /// parameters.
    ///
    /// ```
    /// use breakfall::Fault;
    /// use breakfall_gateway::reply::UserQuestion;
    ///
    /// let fault = Fault::not_found("order", "7").or_ask("id", ["17", "70"]);
    /// let question = UserQuestion::of(fault.public(), None).expect("it has one");
    /// let params: serde_json::Value = serde_json::from_str(&question.params()).expect("JSON");
    /// assert_eq!(params["requestedSchema"]["properties"]["id"]["enum"][1], "70");
    /// ```
    pub fn of(public: &Public, tool: Option<&str>) -> Option<Self> {
        let asked = public.elicitation()?;
        let known = tool.map(value_of).unwrap_or_default();
        let schema = asked.form(&known["inputSchema"])?;
        Some(Self {
            message: asked.message().to_owned(),
            fields: asked.fields().to_vec(),
            schema,
        })
    }

    /// Whether it asks for no other parameters.
    pub(crate) fn is_only_about(&self, names: &[String]) -> bool {
        self.fields.iter().all(|field| names.contains(field))
    }

    /// The parameters of `elicitation/create`.
    pub fn params(&self) -> String {
        json!({"message": self.message, "requestedSchema": self.schema}).to_string()
    }

    /// The outcome of the client's response for a call with these arguments.
    pub fn answered(&self, result: &str, arguments: &str) -> UserResponse {
        let Some(object) = Object::of(result, &["action", "content"]) else {
            return UserResponse::Cancelled;
        };
        match object.text("action").as_deref() {
            Some("accept") => {
                let given = object.get("content").unwrap_or("{}");
                match self.filled(given, arguments) {
                    Some(arguments) => UserResponse::Arguments(arguments),
                    None => UserResponse::Cancelled,
                }
            }
            Some("decline") => {
                let fault = Fault::declined(&self.fields).detail("executed", "no");
                UserResponse::Declined(fault)
            }
            Some(_) | None => UserResponse::Cancelled,
        }
    }

    /// The arguments with the values the user filled in. Values that were not asked for are dropped.
    fn filled(&self, given: &str, arguments: &str) -> Option<String> {
        let mut values = Vec::new();
        members(given, |key, value| {
            let key = text_of(key);
            let is_plain = !value.starts_with(['{', '[']) && value != "null";
            if is_plain && self.fields.contains(&key) && values.iter().all(|(have, _)| *have != key)
            {
                values.push((key, value.to_owned()));
            }
        })?;
        if values.is_empty() {
            return None;
        }
        let arguments = if arguments.starts_with('{') {
            arguments
        } else {
            "{}"
        };
        put_all(arguments, &values)
    }
}
