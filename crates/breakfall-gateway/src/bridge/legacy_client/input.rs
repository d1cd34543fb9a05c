//! Input a modern server requests before it goes on: the client is asked for each, and the request is sent again with
//! the answers.

use std::fmt;

use serde::Deserializer as _;
use serde::de::{Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::bridge::splice::{Object, with_body};
use crate::classify::text_of;
use crate::session::ClientCapabilities;
use breakfall_mcp::jsonrpc::Frame;
use breakfall_mcp::protocol::LATEST_LEGACY;
use breakfall_mcp::protocol::meta::INPUT;
use breakfall_mcp::protocol::method;

/// The input a server requests.
#[derive(Debug)]
pub(in crate::bridge) struct RequestedInput {
    pub(in crate::bridge) questions: Vec<InputQuestion>,
    /// The state to return, verbatim.
    state: Option<Box<str>>,
}

/// One question to the client.
#[derive(Debug)]
pub(in crate::bridge) struct InputQuestion {
    /// The server's key for it, verbatim.
    key: Box<str>,
    pub(in crate::bridge) about: InputKind,
    params: Option<Box<str>>,
}

/// The kinds of input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::bridge) enum InputKind {
    /// A user fills in a form.
    Form,
    /// A user opens a page.
    Page,
    /// A model generates a message.
    Sampling,
    /// The client lists its roots.
    Roots,
}

impl RequestedInput {
    /// Reads a result that requests input.
    pub(super) fn of(result: &str) -> Result<Self, &'static str> {
        let names = ["inputRequests", "requestState"];
        let result = Object::of(result, &names).ok_or("it is no object")?;
        let state = result.get("requestState").map(Into::into);
        let questions = match result.get("inputRequests") {
            Some("null") | None => Vec::new(),
            Some(all) => questions(all)?,
        };
        if questions.is_empty() && state.is_none() {
            return Err("it wants more and does not say what");
        }
        Ok(Self { questions, state })
    }

    /// The request again, with the answers in the order of the questions.
    pub(in crate::bridge) fn again(&self, request: &Frame, answers: &[Box<str>]) -> Vec<u8> {
        let names = ["inputResponses", "requestState"];
        let params = request.body().and_then(|body| Object::of(body, &names));
        let params = params.unwrap_or_else(|| Object::of("{}", &names).expect("an object"));
        let edit = params.edit().drop("inputResponses").drop("requestState");
        let edit = if self.questions.is_empty() {
            edit
        } else {
            let all = self.questions.iter().zip(answers);
            let all = all.map(|(question, answer)| format!("{}:{answer}", question.key));
            let all = all.collect::<Vec<_>>().join(",");
            edit.put("inputResponses", format!("{{{all}}}"))
        };
        let edit = match &self.state {
            Some(state) => edit.put("requestState", &**state),
            None => edit,
        };
        with_body(request, &edit.write())
    }
}

impl InputQuestion {
    /// Whether the client supports this kind of input.
    pub(in crate::bridge) fn is_for(&self, client: ClientCapabilities) -> bool {
        match self.about {
            InputKind::Form => client.fills_forms,
            InputKind::Page => client.opens_pages,
            InputKind::Sampling => client.samples,
            InputKind::Roots => client.has_roots,
        }
    }

    /// Whether the question is the gateway's, about a call that failed.
    pub(in crate::bridge) fn is_ours(&self) -> bool {
        text_of(&self.key) == INPUT
    }

    /// The request to the client. `unique` becomes the id of a page, and must not have been used before.
    pub(in crate::bridge) fn request(&self, version: &str, unique: &str) -> Vec<u8> {
        let method = self.about.method();
        let params = match (&self.params, self.about) {
            (Some(params), InputKind::Page) if version == LATEST_LEGACY.as_str() => {
                with_id(params, unique)
            }
            (Some(params), _) => Some(params.to_string()),
            (None, _) => None,
        };
        let params = params.map_or_else(String::new, |params| format!(r#","params":{params}"#));
        format!(r#"{{"jsonrpc":"2.0","id":0,"method":"{method}"{params}}}"#).into_bytes()
    }
}

impl InputKind {
    pub(in crate::bridge) fn method(self) -> &'static str {
        match self {
            Self::Form | Self::Page => method::ELICITATION_CREATE,
            Self::Sampling => method::SAMPLING_CREATE,
            Self::Roots => method::ROOTS_LIST,
        }
    }

    /// The capability that a client must have declared.
    pub(in crate::bridge) fn capability(self) -> &'static str {
        match self {
            Self::Form => r#"{"elicitation":{"form":{}}}"#,
            Self::Page => r#"{"elicitation":{"url":{}}}"#,
            Self::Sampling => r#"{"sampling":{}}"#,
            Self::Roots => r#"{"roots":{}}"#,
        }
    }
}

fn with_id(params: &str, unique: &str) -> Option<String> {
    let params = Object::of(params, &["elicitationId"])?.edit();
    let id = serde_json::Value::from(unique).to_string();
    Some(params.put_new("elicitationId", id).write())
}

fn questions(all: &str) -> Result<Vec<InputQuestion>, &'static str> {
    let read = serde_json::Deserializer::from_str(all).deserialize_map(QuestionsVisitor);
    read.map_err(|_| "what it asks the client is no list of questions a client knows")
}

struct QuestionsVisitor;

impl<'a> Visitor<'a> for QuestionsVisitor {
    type Value = Vec<InputQuestion>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("questions")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut questions: Vec<InputQuestion> = Vec::new();
        while let Some((key, value)) = members.next_entry::<&'a RawValue, &'a RawValue>()? {
            if questions.len() == MAX_QUESTIONS
                || questions.iter().any(|other| *other.key == *key.get())
            {
                return Err(A::Error::custom("too many questions, or one twice"));
            }
            let question = question(key.get(), value.get());
            questions.push(question.ok_or_else(|| A::Error::custom("an odd question"))?);
        }
        Ok(questions)
    }
}

fn question(key: &str, value: &str) -> Option<InputQuestion> {
    let value = Object::of(value, &["method", "params"])?;
    let params = value.get("params").filter(|params| *params != "null");
    let about = match &*value.text("method")? {
        method::ELICITATION_CREATE => {
            let mode = Object::of(params?, &["mode"])?;
            match mode.text("mode").as_deref() {
                None | Some("form") => InputKind::Form,
                Some("url") => InputKind::Page,
                Some(_) => return None,
            }
        }
        method::SAMPLING_CREATE => InputKind::Sampling,
        method::ROOTS_LIST => InputKind::Roots,
        _ => return None,
    };
    Some(InputQuestion {
        key: key.into(),
        about,
        params: params.map(Into::into),
    })
}

/// How many questions one result may have.
const MAX_QUESTIONS: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;
    use breakfall_mcp::jsonrpc::FrameLimits;

    const RESULT: &str = r#"{"resultType":"input_required","inputRequests":{"n\u0061me":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object"},"x":1.0}},"page":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://example.test/"}},"roots":{"method":"roots/list"},"say":{"method":"sampling/createMessage","params":{"maxTokens":1e2}}},"requestState":"s\u0041"}"#;

    #[test]
    fn questions_are_asked_as_they_are_written() {
        let wanted = RequestedInput::of(RESULT).expect("questions");
        let ask = |at: usize, version| {
            let question: &InputQuestion = &wanted.questions[at];
            String::from_utf8(question.request(version, "u")).expect("text")
        };
        assert_eq!(
            ask(0, "2025-06-18"),
            r#"{"jsonrpc":"2.0","id":0,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object"},"x":1.0}}"#
        );
        assert_eq!(
            ask(1, "2025-11-25"),
            r#"{"jsonrpc":"2.0","id":0,"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://example.test/","elicitationId":"u"}}"#
        );
        assert_eq!(
            ask(2, "2025-11-25"),
            r#"{"jsonrpc":"2.0","id":0,"method":"roots/list"}"#
        );
        assert_eq!(
            ask(3, "2025-11-25"),
            r#"{"jsonrpc":"2.0","id":0,"method":"sampling/createMessage","params":{"maxTokens":1e2}}"#
        );
    }

    #[test]
    fn answers_go_back_under_the_names_of_the_questions_with_the_state() {
        let wanted = RequestedInput::of(RESULT).expect("questions");
        let request = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","requestState":"old","arguments":{"n":1.0}}}"#;
        let request = Frame::parse(request.into(), &FrameLimits::REQUEST).expect("a request");
        let answers = ["{\"action\":\"decline\"}", "{}", "{\"roots\":[]}", "{}"];
        let again = wanted.again(&request, &answers.map(Into::into));
        assert_eq!(
            String::from_utf8(again).expect("text"),
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"n":1.0},"inputResponses":{"n\u0061me":{"action":"decline"},"page":{},"roots":{"roots":[]},"say":{}},"requestState":"s\u0041"}}"#
        );
        let only_state = RequestedInput::of(r#"{"requestState":"s"}"#).expect("a state");
        let again = only_state.again(&request, &[]);
        assert_eq!(
            String::from_utf8(again).expect("text"),
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"n":1.0},"requestState":"s"}}"#
        );
    }

    #[test]
    fn odd_questions_are_not_asked() {
        let odd = [
            "{}",
            r#"{"inputRequests":[]}"#,
            r#"{"inputRequests":{}}"#,
            r#"{"inputRequests":{"a":{"method":"tools/call"}}}"#,
            r#"{"inputRequests":{"a":{"method":"elicitation/create"}}}"#,
            r#"{"inputRequests":{"a":{"method":"elicitation/create","params":{"mode":"x"}}}}"#,
            r#"{"inputRequests":{"a":{"method":"roots/list"},"a":{"method":"roots/list"}}}"#,
        ];
        for odd in odd {
            assert!(RequestedInput::of(odd).is_err(), "{odd}");
        }
        let many = (0..1000).map(|at| format!(r#""{at}":{{"method":"roots/list"}}"#));
        let many = many.collect::<Vec<_>>().join(",");
        assert!(RequestedInput::of(&format!(r#"{{"inputRequests":{{{many}}}}}"#)).is_err());
    }

    #[test]
    fn a_client_is_asked_only_what_it_can() {
        let wanted = RequestedInput::of(RESULT).expect("questions");
        let client = ClientCapabilities {
            fills_forms: true,
            has_roots: true,
            ..ClientCapabilities::default()
        };
        let can: Vec<bool> = wanted
            .questions
            .iter()
            .map(|one| one.is_for(client))
            .collect();
        assert_eq!(can, [true, false, true, false]);
    }
}
