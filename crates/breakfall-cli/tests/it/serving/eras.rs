//! Clients and servers of different eras, with `serve` in between.

use serde_json::{Value, json};
use testing::clients::{Client, Era, Reply, Report, Step};
use testing::conformance::{self, program, surprises, tour};
use testing::servers;

use super::Gateway;

#[test]
fn a_legacy_client_sees_all_of_a_modern_server_over_http() {
    let server = conformance::Server::http(&["--era", "modern"]);
    legacy_tour(&Gateway::before(&json!({"url": server.url()})));
}

#[test]
fn a_legacy_client_sees_all_of_a_modern_server_over_stdio() {
    let command = json!([program(), "--stdio", "--era", "modern"]);
    legacy_tour(&Gateway::before(&json!({"command": command})));
}

/// Questions included: what the server wants to know is asked the way the client knows.
fn legacy_tour(gateway: &Gateway) {
    for (client, era) in Client::ALL {
        if era == Era::Legacy {
            let report = client.perform(era, &[&gateway.it()], &tour());
            assert_eq!(surprises(&report), [""; 0], "{client:?}");
        }
    }
}

#[test]
fn a_modern_client_is_served_by_a_legacy_server() {
    let folder = tempfile::tempdir().unwrap();
    let command = servers::Server::Everything.command(folder.path());
    let gateway = Gateway::before(&json!({"command": command}));
    for (client, era) in Client::ALL {
        if era == Era::Modern {
            let report = client.perform(era, &[&gateway.it()], &everything());
            assert_eq!(wrong(&report), [""; 0], "{client:?}");
        }
    }
}

/// Tools, resources, prompts, completion, progress; and no tool that would ask, because no user could be asked.
fn everything() -> Vec<Step> {
    let call = |tool: &str, arguments: Value, progress| Step::Call {
        tool: tool.to_owned(),
        arguments,
        progress,
    };
    vec![
        Step::Tools,
        call("echo", json!({"message": "ä 𝄞"}), false),
        call("echo", json!({}), false),
        call(
            "trigger-long-running-operation",
            json!({"duration": 0.03, "steps": 3}),
            true,
        ),
        Step::Resources,
        Step::Read {
            uri: "demo://resource/dynamic/text/1".to_owned(),
        },
        Step::Prompt {
            name: "args-prompt".to_owned(),
            arguments: json!({"city": "Ulm"}),
        },
        Step::Complete {
            prompt: "completable-prompt".to_owned(),
            argument: "department".to_owned(),
            value: "S".to_owned(),
        },
    ]
}

fn wrong(report: &Report) -> Vec<String> {
    let said = "/content/0/text";
    let expected = [
        (1, said, json!("Echo: ä 𝄞")),
        (2, "/isError", json!(true)),
        (
            3,
            said,
            json!("Long running operation completed. Duration: 0.03 seconds, Steps: 3."),
        ),
        (4, "/resources/0/mimeType", json!("text/markdown")),
        (5, "/contents/0/mimeType", json!("text/plain")),
        (6, "/messages/0/role", json!("user")),
        (7, "/completion/values/0", json!("Sales")),
    ];
    let mut wrong = Vec::new();
    for (step, pointer, wanted) in expected {
        let reply = &report.replies[step];
        match reply {
            Reply::Result(result) if result.pointer(pointer) == Some(&wanted) => {}
            Reply::Result(_) | Reply::Error(_) | Reply::Refused(_) => {
                wrong.push(format!("no {wanted} at {pointer} of {reply:?}"));
            }
        }
    }
    if let Reply::Result(list) = &report.replies[0] {
        let tools = list["tools"].as_array().unwrap();
        let names: Vec<_> = tools
            .iter()
            .filter_map(|tool| tool["name"].as_str())
            .collect();
        if !names.contains(&"echo") || names.contains(&"trigger-elicitation-request") {
            wrong.push(format!("the tools are {names:?}"));
        }
    }
    // The last of it may come too late for a client that has the result.
    if !report.progress.starts_with(&[1.0, 2.0]) {
        wrong.push(format!("progress was {:?}", report.progress));
    }
    wrong
}
