//! What there is to try.

use serde_json::{Value, json};

use super::{ExpectedEnd, ShopCall, ShopOutcome, ShopTool, TOOLS, TourStop};
use crate::message::text;
use crate::shop::ShopState;

pub(crate) const TOUR: ShopTool = ShopTool {
    name: "tour",
    title: "Tour",
    description: "Lists calls to make and what each of them shows; start here.",
    output: Some(output),
    tries: &[TourStop::answers("this list")],
    run: tour,
    ..ShopTool::READ_ONLY
};

fn output() -> Value {
    let stop = json!({
        "type": "object",
        "properties": {
            "tool": {"type": "string"},
            "arguments": {"type": "object"},
            "ends": {"type": "string"},
            "see": {"type": "string"},
        },
        "required": ["tool", "arguments", "ends", "see"],
    });
    json!({
        "type": "object",
        "properties": {"stops": {"type": "array", "items": stop}},
        "required": ["stops"],
    })
}

fn tour(_: &mut ShopState, _: &ShopCall<'_>) -> ShopOutcome {
    let (mut lines, mut stops) = (Vec::new(), Vec::new());
    for tool in TOOLS {
        for TourStop {
            arguments,
            ends,
            see,
        } in tool.tries
        {
            lines.push(format!("{} {arguments}: {see}", tool.name));
            let arguments: Value = serde_json::from_str(arguments).expect("a test reads them all");
            stops.push(json!({
                "tool": tool.name,
                "arguments": arguments,
                "ends": ends.to_string(),
                "see": see,
            }));
        }
    }
    let mut result = text(lines.join("\n"));
    result["structuredContent"] = json!({"stops": stops});
    ShopOutcome::Answer(result)
}

impl std::fmt::Display for ExpectedEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Result => f.write_str("result"),
            Self::Failure => f.write_str("failed result"),
            Self::Refusal(code) => write!(f, "error {code}"),
            Self::Question => f.write_str("question"),
            Self::Silence => f.write_str("silence"),
            Self::Death => f.write_str("end of the connection"),
        }
    }
}
