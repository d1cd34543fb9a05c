//! The server and the official clients, over either transport.

use serde_json::{Value, json};
use testing::clients::{Client, Era, Reply, Report, Step};
use testing::conformance::{Server, program};

#[test]
fn official_clients_of_either_era_are_served_over_either_transport() {
    let program = program();
    let program = program.to_str().expect("target/ has a plain name");
    let server = Server::http(&[]);
    for (client, era) in Client::ALL {
        for command in [&[program, "--stdio"][..], &[server.url()]] {
            let report = client.perform(era, command, &steps());
            assert_eq!(wrong(&report), [""; 0], "{client:?} {era:?} {command:?}");
        }
    }
}

#[test]
fn a_client_of_the_era_that_is_left_out_notices() {
    let server = Server::http(&["--era", "modern"]);
    let refused = std::panic::catch_unwind(|| {
        Client::TypeScript1.perform(Era::Legacy, &[server.url()], &steps())
    });
    assert!(refused.is_err());
}

fn steps() -> [Step; 5] {
    let call = |tool: &str, arguments: Value| Step::Call {
        tool: tool.to_owned(),
        arguments,
        // A client may count rounds of questions as progress of its own.
        progress: tool == "test_tool_with_progress",
    };
    [
        Step::Tools,
        call("test_simple_text", json!({})),
        call("test_error_handling", json!({})),
        call("test_tool_with_progress", json!({})),
        call("test_elicitation", json!({"message": "Who are you?"})),
    ]
}

/// What is not as it should be.
fn wrong(report: &Report) -> Vec<String> {
    let results = report.replies.iter().map(|reply| match reply {
        Reply::Result(result) => result.clone(),
        Reply::Error(error) => error.clone(),
        Reply::Refused(why) => json!(why),
    });
    let [tools, simple, failed, progress, asked] = results
        .collect::<Vec<_>>()
        .try_into()
        .expect("a reply for each step");
    let text = |result: &Value| result["content"][0]["text"].clone();
    let expected = [
        (json!(tools["tools"].as_array().map(Vec::len)), json!(36)),
        (
            text(&simple),
            json!("This is a simple text response for testing."),
        ),
        (failed["isError"].clone(), json!(true)),
        (
            text(&progress),
            json!("Tool with progress executed successfully"),
        ),
        (
            text(&asked),
            json!(r#"User response: action=accept, content={"email":"text","username":"text"}"#),
        ),
        (json!(report.progress), json!([0.0, 50.0, 100.0])),
    ];
    let wrong = expected
        .into_iter()
        .filter(|(found, wanted)| found != wanted);
    wrong
        .map(|(found, wanted)| format!("{found} instead of {wanted}"))
        .collect()
}
