//! Tools that break the protocol itself.

use serde_json::{Value, json};

use super::{BehaviourHints, ProtocolBreach, ShopCall, ShopOutcome, ShopTool, TourStop};
use crate::message::text;
use crate::shop::ShopState;

pub(crate) const CRASH: ShopTool = ShopTool {
    name: "crash",
    title: "Crash",
    description: "Ends the server in the middle of the call; the next connection finds the shop as it was at first.",
    hints: BehaviourHints::Removes,
    input: crash_input,
    tries: &[
        TourStop::dies("a server that dies, with every call that was under way"),
        TourStop::dies("the same in the middle of an answer").given(r#"{"half_a_line":true}"#),
    ],
    run: crash,
    ..ShopTool::READ_ONLY
};

pub(crate) const WRONG_ID: ShopTool = ShopTool {
    name: "wrong_id",
    title: "Answer somebody else",
    description: "Answers with an unknown id, so the caller waits for ever.",
    tries: &[TourStop::hangs(
        "an answer to no request, and none to this call",
    )],
    run: |_, _| ShopOutcome::Broken(ProtocolBreach::WrongId(text("This is for nobody."))),
    ..ShopTool::READ_ONLY
};

pub(crate) const TWO_ANSWERS: ShopTool = ShopTool {
    name: "two_answers",
    title: "Answer twice",
    description: "Answers the same call twice.",
    tries: &[TourStop::answers("a second answer after the first")],
    run: |_, _| {
        ShopOutcome::Broken(ProtocolBreach::Twice(
            text("The first."),
            text("The second."),
        ))
    },
    ..ShopTool::READ_ONLY
};

pub(crate) const GARBAGE: ShopTool = ShopTool {
    name: "garbage",
    title: "Write garbage",
    description: "Writes lines that are no messages, as a forgotten print does, and then answers.",
    tries: &[TourStop::answers(
        "noise on the wire in front of the answer",
    )],
    run: |_, _| ShopOutcome::Broken(ProtocolBreach::Noise(NOISE, text("Found it."))),
    ..ShopTool::READ_ONLY
};

pub(crate) const BAD_SHAPE: ShopTool = ShopTool {
    name: "bad_shape",
    title: "Answer in the wrong shape",
    description: "Answers with a result that is not what a tool may answer.",
    tries: &[TourStop::answers(
        "content that is a text where a list belongs",
    )],
    run: |_, _| ShopOutcome::Answer(json!({"content": "all good"})),
    ..ShopTool::READ_ONLY
};

pub(crate) const BAD_OUTPUT: ShopTool = ShopTool {
    name: "bad_output",
    title: "Break the promise of its output",
    description: "Promises a number in its output schema and sends a word.",
    output: Some(promise),
    tries: &[TourStop::answers(
        "structured content that does not fit the schema",
    )],
    run: bad_output,
    ..ShopTool::READ_ONLY
};

fn crash_input() -> Value {
    json!({
        "type": "object",
        "properties": {"half_a_line": {"type": "boolean", "default": false}},
        "additionalProperties": false,
    })
}

fn crash(_: &mut ShopState, call: &ShopCall<'_>) -> ShopOutcome {
    let half_a_line = call.flag("half_a_line");
    ShopOutcome::Broken(ProtocolBreach::Crash { half_a_line })
}

fn promise() -> Value {
    json!({
        "type": "object",
        "properties": {"visitors": {"type": "integer"}},
        "required": ["visitors"],
    })
}

fn bad_output(_: &mut ShopState, _: &ShopCall<'_>) -> ShopOutcome {
    let mut result = text("Many visitors today.");
    result["structuredContent"] = json!({"visitors": "many"});
    ShopOutcome::Answer(result)
}

const NOISE: &str = "\
DEBUG shop.lookup: cache miss
\u{1b}[32m\u{2714} connected to warehouse\u{1b}[0m
{\"progress\": 50}
";
