//! The tools: one row each, with what to call it with and what to see.

mod arguments;
mod failing;
mod slow;
mod leaking;
mod misbehaving;
mod orders;
mod products;
mod refund;
mod sale;
mod tour;
mod fail_with;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::delayed::DelayedResult;
use crate::elicitation::{FormAnswers, ShopQuestion};
use crate::message::ShopRpcError;
use crate::shop::ShopState;
pub(crate) use arguments::check;

/// A tool.
pub(crate) struct ShopTool {
    pub(crate) name: &'static str,
    title: &'static str,
    /// One sentence: what it does, or what it shows.
    description: &'static str,
    hints: BehaviourHints,
    input: fn() -> Value,
    output: Option<fn() -> Value>,
    /// Calls worth making, for the tour.
    tries: &'static [TourStop],
    pub(crate) run: fn(&mut ShopState, &ShopCall<'_>) -> ShopOutcome,
}

/// What may be thought of a tool before it is called; true here, as far as a hint can be.
#[derive(Clone, Copy)]
enum BehaviourHints {
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
struct TourStop {
    arguments: &'static str,
    ends: ExpectedEnd,
    see: &'static str,
}

impl TourStop {
    const fn new(ends: ExpectedEnd, see: &'static str) -> Self {
        let arguments = "{}";
        Self {
            arguments,
            ends,
            see,
        }
    }

    const fn answers(see: &'static str) -> Self {
        Self::new(ExpectedEnd::Result, see)
    }

    const fn fails(see: &'static str) -> Self {
        Self::new(ExpectedEnd::Failure, see)
    }

    const fn is_refused(code: i64, see: &'static str) -> Self {
        Self::new(ExpectedEnd::Refusal(code), see)
    }

    const fn asks(see: &'static str) -> Self {
        Self::new(ExpectedEnd::Question, see)
    }

    const fn hangs(see: &'static str) -> Self {
        Self::new(ExpectedEnd::Silence, see)
    }

    const fn dies(see: &'static str) -> Self {
        Self::new(ExpectedEnd::Death, see)
    }

    /// The same with other arguments than none.
    const fn given(self, arguments: &'static str) -> Self {
        Self { arguments, ..self }
    }
}

/// How a call ends, on the wire.
#[derive(Clone, Copy)]
enum ExpectedEnd {
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
pub(crate) struct ShopCall<'a> {
    pub(crate) arguments: &'a Value,
    pub(crate) answers: &'a FormAnswers,
    pub(crate) now: Instant,
}

/// What a call comes to.
#[derive(Debug)]
pub(crate) enum ShopOutcome {
    /// A result, good or bad.
    Answer(Value),
    /// An error of the protocol.
    Refused(ShopRpcError),
    /// Never anything.
    Silence,
    /// A result after some time.
    Later(DelayedResult),
    /// A question first.
    Ask(ShopQuestion),
    /// A breach of the protocol.
    Broken(ProtocolBreach),
}

/// Breaches of the protocol.
#[derive(Debug)]
pub(crate) enum ProtocolBreach {
    /// Dies.
    Crash {
        /// In the middle of its answer.
        half_a_line: bool,
    },
    /// Writes what is not protocol, then answers.
    Noise(&'static str, Value),
    /// Answers under an id of no request.
    WrongId(Value),
    /// Answers twice.
    Twice(Value, Value),
}

/// `tools/list`.
pub(crate) fn list(shop: &ShopState) -> Value {
    let tools: Vec<_> = all(shop).map(ShopTool::to_value).collect();
    json!({"tools": tools})
}

/// The tool of that name.
pub(crate) fn find(name: &str, shop: &ShopState) -> Option<&'static ShopTool> {
    all(shop).find(|tool| tool.name == name)
}

/// Those that are there now.
fn all(shop: &ShopState) -> impl Iterator<Item = &'static ShopTool> {
    let sale = shop.sale;
    let rows = TOOLS.iter().copied();
    rows.filter(move |tool| sale || tool.name != sale::OFFER.name)
}

impl ShopTool {
    /// A tool that only reads and takes nothing. Each tool sets the rest.
    const READ_ONLY: Self = Self {
        name: "",
        title: "",
        description: "",
        hints: BehaviourHints::Reads,
        input: nothing,
        output: None,
        tries: &[],
        run: |_, _| ShopOutcome::Silence,
    };

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

impl BehaviourHints {
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

impl ShopCall<'_> {
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
const TOOLS: &[&ShopTool] = &[
    &tour::TOUR,
    &products::SEARCH,
    &orders::GET,
    &orders::LIST,
    &orders::PLACE,
    &refund::REFUND,
    &orders::CANCEL,
    &sale::SALE,
    &sale::OFFER,
    &fail_with::FAIL,
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
    &slow::SLOW,
    &slow::HANG,
    &slow::DEAF,
    &misbehaving::CRASH,
    &misbehaving::WRONG_ID,
    &misbehaving::TWO_ANSWERS,
    &misbehaving::GARBAGE,
    &misbehaving::BAD_SHAPE,
    &misbehaving::BAD_OUTPUT,
];
