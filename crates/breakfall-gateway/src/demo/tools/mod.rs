//! The tools: one row each, with what to call it with and what to see.

mod check;
mod failing;
mod lasting;
mod leaking;
mod misbehaving;
mod orders;
mod products;
mod refund;
mod sale;
mod tour;
mod words;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::ask::{Answers, Question};
use super::message::Refused;
use super::running::Job;
use super::shop::Shop;
pub(super) use check::check;

/// A tool.
pub(super) struct Tool {
    pub(super) name: &'static str,
    title: &'static str,
    /// One sentence: what it does, or what it shows.
    description: &'static str,
    hints: Hints,
    input: fn() -> Value,
    output: Option<fn() -> Value>,
    /// Calls worth making, for the tour.
    tries: &'static [Try],
    pub(super) run: fn(&mut Shop, &Call<'_>) -> Outcome,
}

/// What may be thought of a tool before it is called; true here, as far as a hint can be.
#[derive(Clone, Copy)]
enum Hints {
    /// Changes nothing.
    Reads,
    /// Adds something, every time.
    Adds,
    /// Changes something, and the same once more changes nothing.
    Sets,
    /// Takes something away that does not come back; twice takes it away twice.
    Takes,
    /// Takes something away; the same once more changes nothing.
    Removes,
}

/// A call to make, and what comes of it.
struct Try {
    arguments: &'static str,
    ends: Ends,
    see: &'static str,
}

/// How a call ends, on the wire.
#[derive(Clone, Copy)]
enum Ends {
    /// A result.
    Result,
    /// A result with `isError`.
    Failure,
    /// An error of JSON-RPC with this code.
    Refusal(i64),
    /// A question to the person behind the client.
    Question,
    /// No answer, ever.
    Silence,
    /// The end of the connection.
    Death,
}

/// One call.
#[derive(Debug)]
pub(super) struct Call<'a> {
    pub(super) arguments: &'a Value,
    pub(super) answers: &'a Answers,
    pub(super) now: Instant,
}

/// What a call comes to.
#[derive(Debug)]
pub(super) enum Outcome {
    /// A result, good or bad.
    Answer(Value),
    /// An error of the protocol.
    Refused(Refused),
    /// Never anything.
    Silence,
    /// A result after some time.
    Later(Job),
    /// A question first.
    Ask(Question),
    /// Something no server should do.
    Broken(Break),
}

/// Things no server should do.
#[derive(Debug)]
pub(super) enum Break {
    /// Dies.
    Crash {
        /// In the middle of its answer.
        half_a_line: bool,
    },
    /// Writes what is not protocol, then answers.
    Noise(&'static str, Value),
    /// Answers somebody else.
    WrongId(Value),
    /// Answers twice.
    Twice(Value, Value),
}

/// `tools/list`.
pub(super) fn list(shop: &Shop) -> Value {
    let tools: Vec<_> = all(shop).map(Tool::to_value).collect();
    json!({"tools": tools})
}

/// The tool of that name.
pub(super) fn find(name: &str, shop: &Shop) -> Option<&'static Tool> {
    all(shop).find(|tool| tool.name == name)
}

/// Those that are there now.
fn all(shop: &Shop) -> impl Iterator<Item = &'static Tool> {
    let sale = shop.sale;
    let rows = TOOLS.iter().copied();
    rows.filter(move |tool| sale || tool.name != sale::OFFER.name)
}

impl Tool {
    fn to_value(&self) -> Value {
        let mut tool = json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": (self.input)(),
            "annotations": self.hints.to_value(),
        });
        if let Some(output) = self.output {
            tool["outputSchema"] = output();
        }
        tool
    }
}

impl Hints {
    fn to_value(self) -> Value {
        let (read_only, destructive, idempotent) = match self {
            Self::Reads => (true, false, true),
            Self::Adds => (false, false, false),
            Self::Sets => (false, false, true),
            Self::Takes => (false, true, false),
            Self::Removes => (false, true, true),
        };
        json!({
            "readOnlyHint": read_only,
            "destructiveHint": destructive,
            "idempotentHint": idempotent,
            "openWorldHint": false,
        })
    }
}

impl Call<'_> {
    fn text(&self, name: &str) -> Option<&str> {
        self.arguments.get(name)?.as_str()
    }

    fn number(&self, name: &str) -> Option<u64> {
        let value = self.arguments.get(name)?;
        // `5.0` is an integer to JSON Schema.
        value.as_u64().or_else(|| whole(value.as_f64()?))
    }

    fn flag(&self, name: &str) -> bool {
        self.arguments.get(name) == Some(&Value::Bool(true))
    }
}

/// A number without a fraction. Every number in our schemas has a bound that keeps it exact.
fn whole(number: f64) -> Option<u64> {
    format!("{number}").parse().ok()
}

/// The schema of a tool that takes nothing.
fn nothing() -> Value {
    json!({"type": "object", "properties": {}, "additionalProperties": false})
}

/// In the order of the tour: what works, what fails, what misbehaves.
const TOOLS: &[&Tool] = &[
    &tour::TOUR,
    &products::SEARCH,
    &orders::GET,
    &orders::LIST,
    &orders::PLACE,
    &refund::REFUND,
    &orders::CANCEL,
    &sale::SALE,
    &sale::OFFER,
    &words::FAIL,
    &failing::FLAKY,
    &failing::RATE_LIMITED,
    &failing::UNAUTHORIZED,
    &failing::FORBIDDEN,
    &failing::CUSTOMER,
    &failing::UPSTREAM_DOWN,
    &failing::DISGUISED,
    &failing::PYDANTIC,
    &failing::ZOD,
    &leaking::LEAKY,
    &leaking::PANIC,
    &leaking::BIG,
    &lasting::SLOW,
    &lasting::HANG,
    &lasting::DEAF,
    &misbehaving::CRASH,
    &misbehaving::WRONG_ID,
    &misbehaving::TWO_ANSWERS,
    &misbehaving::GARBAGE,
    &misbehaving::BAD_SHAPE,
    &misbehaving::BAD_OUTPUT,
];
