//! What an official client does with the server, and what it has to get to see.

use serde_json::{Value, json};

use crate::clients::{Reply, Report, Step};

/// A list, a result, an error, progress and a question.
pub fn tour() -> Vec<Step> {
    let call = |tool: &str, arguments: Value| Step::Call {
        tool: tool.to_owned(),
        arguments,
        // A client may count rounds of questions as progress of its own.
        progress: tool == "test_tool_with_progress",
    };
    vec![
        Step::Tools,
        call("test_simple_text", json!({})),
        call("test_error_handling", json!({})),
        call("test_tool_with_progress", json!({})),
        call("test_elicitation", json!({"message": "Who are you?"})),
        call("test_sampling", json!({"prompt": "Say it."})),
        Step::Read {
            uri: "test://static-text".to_owned(),
        },
        Step::Prompt {
            name: "test_simple_prompt".to_owned(),
            arguments: json!({}),
        },
        // The server wants to see the argument in a header, too, where it can.
        call("test_custom_header", json!({"value": "ä x"})),
    ]
}

/// What a client saw on the tour and should not have, in words.
pub fn surprises(report: &Report) -> Vec<String> {
    let replies: Vec<_> = report.replies.iter().map(shown).collect();
    let mut surprises = Vec::new();
    for (step, pointer, wanted) in expected() {
        let found = replies.get(step).and_then(|reply| reply.pointer(pointer));
        if found != Some(&wanted) {
            let reply = replies.get(step);
            surprises.push(format!("no {wanted} at {pointer} of {reply:?}"));
        }
    }
    let tools = replies.first().and_then(|reply| reply["tools"].as_array());
    if tools.map(Vec::len) != Some(TOOLS) {
        surprises.push(format!("not {TOOLS} tools: {tools:?}"));
    }
    if report.progress != [0.0, 50.0, 100.0] {
        surprises.push(format!("progress was {:?}", report.progress));
    }
    surprises
}

fn expected() -> [(usize, &'static str, Value); 8] {
    let said = "/content/0/text";
    let answered = r#"User response: action=accept, content={"email":"text","username":"text"}"#;
    [
        (
            1,
            said,
            json!("This is a simple text response for testing."),
        ),
        (2, "/isError", json!(true)),
        (3, said, json!("Tool with progress executed successfully")),
        (4, said, json!(answered)),
        (5, said, json!("LLM response: hello")),
        (6, "/contents/0/uri", json!("test://static-text")),
        (7, "/messages/0/role", json!("user")),
        (8, said, json!("ä x")),
    ]
}

fn shown(reply: &Reply) -> Value {
    match reply {
        Reply::Result(result) => result.clone(),
        Reply::Error(error) => json!({"error": error}),
        Reply::Refused(why) => json!({"refused": why}),
    }
}

const TOOLS: usize = 36;
