//! Tools that break the protocol itself.

use serde_json::{Value, json};

use super::{Break, Call, Ends, Hints, Outcome, Tool, Try, nothing};
use crate::demo::message::text;
use crate::demo::shop::Shop;

pub(super) const CRASH: Tool = Tool {
    name: "crash",
    title: "Crash",
    description: "Ends the server in the middle of the call; the next connection finds the shop as it was at first.",
    hints: Hints::Removes,
    input: crash_input,
    output: None,
    tries: &[
        Try {
            arguments: "{}",
            ends: Ends::Death,
            see: "a server that dies, with every call that was under way",
        },
        Try {
            arguments: r#"{"half_a_line":true}"#,
            ends: Ends::Death,
            see: "the same in the middle of an answer",
        },
    ],
    run: crash,
};

pub(super) const WRONG_ID: Tool = Tool {
    name: "wrong_id",
    title: "Answer somebody else",
    description: "Answers under an id nobody used, so the caller waits for ever.",
    hints: Hints::Reads,
    input: nothing,
    output: None,
    tries: &[Try {
        arguments: "{}",
        ends: Ends::Silence,
        see: "an answer that belongs to nobody, and none to this call",
    }],
    run: |_, _| Outcome::Broken(Break::WrongId(text("This is for nobody."))),
};

pub(super) const TWO_ANSWERS: Tool = Tool {
    name: "two_answers",
    title: "Answer twice",
    description: "Answers the same call twice.",
    hints: Hints::Reads,
    input: nothing,
    output: None,
    tries: &[Try {
        arguments: "{}",
        ends: Ends::Result,
        see: "a second answer after the first",
    }],
    run: |_, _| Outcome::Broken(Break::Twice(text("The first."), text("The second."))),
};

pub(super) const GARBAGE: Tool = Tool {
    name: "garbage",
    title: "Write garbage",
    description: "Writes lines that are no messages, as a forgotten print does, and then answers.",
    hints: Hints::Reads,
    input: nothing,
    output: None,
    tries: &[Try {
        arguments: "{}",
        ends: Ends::Result,
        see: "noise on the wire in front of the answer",
    }],
    run: |_, _| Outcome::Broken(Break::Noise(NOISE, text("Found it."))),
};

pub(super) const BAD_SHAPE: Tool = Tool {
    name: "bad_shape",
    title: "Answer in the wrong shape",
    description: "Answers with a result that is not what a tool may answer.",
    hints: Hints::Reads,
    input: nothing,
    output: None,
    tries: &[Try {
        arguments: "{}",
        ends: Ends::Result,
        see: "content that is a text where a list belongs",
    }],
    run: |_, _| Outcome::Answer(json!({"content": "all good"})),
};

pub(super) const BAD_OUTPUT: Tool = Tool {
    name: "bad_output",
    title: "Break the promise of its output",
    description: "Promises a number in its output schema and sends a word.",
    hints: Hints::Reads,
    input: nothing,
    output: Some(promise),
    tries: &[Try {
        arguments: "{}",
        ends: Ends::Result,
        see: "structured content that does not fit the schema",
    }],
    run: bad_output,
};

fn crash_input() -> Value {
    json!({
        "type": "object",
        "properties": {"half_a_line": {"type": "boolean", "default": false}},
        "additionalProperties": false,
    })
}

fn crash(_: &mut Shop, call: &Call<'_>) -> Outcome {
    let half_a_line = call.flag("half_a_line");
    Outcome::Broken(Break::Crash { half_a_line })
}

fn promise() -> Value {
    json!({
        "type": "object",
        "properties": {"visitors": {"type": "integer"}},
        "required": ["visitors"],
    })
}

fn bad_output(_: &mut Shop, _: &Call<'_>) -> Outcome {
    let mut result = text("Many visitors today.");
    result["structuredContent"] = json!({"visitors": "many"});
    Outcome::Answer(result)
}

const NOISE: &str = "\
DEBUG shop.lookup: cache miss
\u{1b}[32m\u{2714} connected to warehouse\u{1b}[0m
{\"progress\": 50}
";
