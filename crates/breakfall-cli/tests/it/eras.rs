//! Official clients behind `run` and `serve`, before servers of the other era of the protocol.

mod over_http;

use serde_json::{Value, json};
use testing::built;
use testing::clients::{Client, Era, Reply, Report, Step};
use testing::compare::is_same_but_for_failures;
use testing::servers::Server;

/// The bridge alone: what calls go through besides is shown elsewhere.
const RUN: [&str; 4] = [env!("CARGO_BIN_EXE_breakfall"), "run", "--wire-only", "--"];

#[test]
fn the_first_typescript_client_sees_a_modern_server_as_one_of_its_own_era() {
    modern_only(|through| same_as_legacy(Client::TypeScript1, through));
}

#[test]
fn the_first_python_client_sees_a_modern_server_as_one_of_its_own_era() {
    modern_only(|through| same_as_legacy(Client::Python1, through));
}

#[test]
fn the_first_typescript_client_answers_all_that_a_modern_server_wants_to_know() {
    modern_only(|through| answers_questions(Client::TypeScript1, through));
}

#[test]
fn the_first_python_client_answers_all_that_a_modern_server_wants_to_know() {
    modern_only(|through| answers_questions(Client::Python1, through));
}

#[test]
fn the_second_typescript_client_sees_a_legacy_server_as_one_of_its_own_era() {
    legacy_only(|through| same_as_modern(Client::TypeScript2, through));
}

#[test]
fn the_second_python_client_sees_a_legacy_server_as_one_of_its_own_era() {
    legacy_only(|through| same_as_modern(Client::Python2, through));
}

#[test]
fn the_second_typescript_client_hears_of_changes_of_a_legacy_server() {
    legacy_only(|through| hears_of_changes(Client::TypeScript2, through));
}

#[test]
fn the_second_python_client_hears_of_changes_of_a_legacy_server() {
    legacy_only(|through| hears_of_changes(Client::Python2, through));
}

/// What starts the fixture, which asks with requests in the one era and with results in the other.
fn fixture() -> String {
    let fixture = built::program("conformance-server", "conformance-server");
    fixture.to_str().unwrap().to_owned()
}

/// What starts the reference server.
fn everything() -> Vec<String> {
    // It needs no folder.
    Server::Everything.command(std::path::Path::new("/"))
}

/// `run` in front of a fixture that speaks the modern era only.
fn modern_only(test: impl FnOnce(&[&str])) {
    let fixture = fixture();
    test(&[&RUN[..], &[&fixture, "--stdio", "--era", "modern"]].concat());
}

/// `run` in front of the reference server, which speaks the legacy era only.
fn legacy_only(test: impl FnOnce(&[&str])) {
    let command = everything();
    let command: Vec<&str> = command.iter().map(String::as_str).collect();
    test(&[&RUN[..], &command].concat());
}

/// Direct with a server of the client's era, and through `run` with one of the other: it is the same server, which asks
/// with requests in the one and with results in the other.
fn same_as_legacy(client: Client, through: &[&str]) {
    let fixture = fixture();
    let direct = [&*fixture, "--stdio", "--era", "legacy"];
    let steps = fixture_steps();
    let want = client.perform(Era::Legacy, &direct, &steps);
    let got = client.perform(Era::Legacy, through, &steps);
    assert_eq!(got.protocol, want.protocol);
    for (step, (got, want)) in steps.iter().zip(got.replies.iter().zip(&want.replies)) {
        same(client, step, through, (got, want));
    }
    assert!(is_progress(&got.progress), "{client:?}: {:?}", got.progress);
}

/// Every way to ask, several at once and one after the other, with a state that must not change.
fn answers_questions(client: Client, through: &[&str]) {
    let cases = [
        ("test_input_required_result_elicitation", "Hello, text!"),
        (
            "test_input_required_result_sampling",
            "The model says: hello",
        ),
        ("test_input_required_result_list_roots", "Roots: "),
        (
            "test_input_required_result_request_state",
            "Confirmed: state-ok",
        ),
        (
            "test_input_required_result_multiple_inputs",
            "hello text, all answers are in",
        ),
        (
            "test_input_required_result_multi_round",
            "Both rounds are done",
        ),
        (
            "test_input_required_result_capabilities",
            "Asked what could be answered",
        ),
    ];
    let steps: Vec<Step> = cases
        .iter()
        .map(|(tool, _)| call(tool, json!({})))
        .collect();
    let report = client.perform(Era::Legacy, through, &steps);
    for ((tool, want), reply) in cases.iter().zip(&report.replies) {
        assert_eq!(words(reply), Some(*want), "{client:?}: {tool}: {reply:?}");
    }
    // One that can answer nothing is not asked.
    let calls = [("test_elicitation", json!({"message": "m"}))];
    let report = client.drive(Era::Legacy, through, &calls);
    let Reply::Error(error) = &report.replies[0] else {
        panic!("{client:?}: {:?}", report.replies);
    };
    assert_eq!(error["code"], -32021);
}

/// The reference server, which knows nothing of the client's era: what it answers reads as it does in its own.
fn same_as_modern(client: Client, through: &[&str]) {
    let command = everything();
    let command: Vec<&str> = command.iter().map(String::as_str).collect();
    let steps = everything_steps();
    let want = client.perform(Era::Legacy, &command, &steps);
    let got = client.perform(Era::Modern, through, &steps);
    assert_eq!(got.protocol.as_deref(), Some("2026-07-28"));
    for (step, (got, want)) in steps.iter().zip(got.replies.iter().zip(&want.replies)) {
        same(client, step, through, (got, want));
    }
    assert!(is_progress(&got.progress), "{client:?}: {:?}", got.progress);
    // It was not offered what the client could not have been asked, so it does not have the tools for it.
    let names = |report: &Report| -> Vec<Value> {
        let Reply::Result(tools) = &report.replies[0] else {
            panic!("{:?}", report.replies[0]);
        };
        let tools = tools["tools"].as_array().unwrap().iter();
        tools.map(|tool| tool["name"].clone()).collect()
    };
    let tools = [Step::Tools];
    let offered = names(&client.perform(Era::Legacy, &command, &tools));
    let bridged = names(&client.perform(Era::Modern, through, &tools));
    for asking in [
        "trigger-sampling-request",
        "trigger-elicitation-request",
        "get-roots-list",
    ] {
        assert!(offered.contains(&json!(asking)), "{offered:?}");
        assert!(!bridged.contains(&json!(asking)), "{bridged:?}");
    }
}

/// What judges, which is what has an address here, changes failures.
fn same(client: Client, step: &Step, through: &[&str], (got, want): (&Reply, &Reply)) {
    let (got, want) = (stripped(got), stripped(want));
    let is_judged = through[0].starts_with("http://");
    if !(is_judged && is_same_but_for_failures(&want, &got)) {
        assert_eq!(got, want, "{client:?}: {step:?}");
    }
}

fn hears_of_changes(client: Client, through: &[&str]) {
    let uri = "demo://resource/dynamic/text/1";
    let steps = [
        Step::Listen {
            uri: uri.to_owned(),
        },
        call("toggle-subscriber-updates", json!({})),
        Step::Hear {
            method: "notifications/resources/updated".to_owned(),
        },
    ];
    let report = client.perform(Era::Modern, through, &steps);
    let Reply::Result(honoured) = &report.replies[0] else {
        panic!("{client:?}: {:?}", report.replies);
    };
    assert_eq!(honoured["resourceSubscriptions"], json!([uri]));
    let Reply::Result(updated) = &report.replies[2] else {
        panic!("{client:?}: {:?}", report.replies);
    };
    assert_eq!(updated["uri"], uri);
}

fn call(tool: &str, arguments: Value) -> Step {
    Step::Call {
        tool: tool.to_owned(),
        arguments,
        progress: false,
    }
}

fn fixture_steps() -> Vec<Step> {
    let text = "test://static-text".to_owned();
    let read = |uri: &str| Step::Read {
        uri: uri.to_owned(),
    };
    let hear = |what: &str| Step::Hear {
        method: format!("notifications/{what}"),
    };
    vec![
        Step::Ping,
        Step::Tools,
        call("test_simple_text", json!({})),
        call("test_multiple_content_types", json!({})),
        call("test_error_handling", json!({})),
        call("no-such-tool", json!({})),
        Step::Call {
            tool: "test_tool_with_progress".to_owned(),
            arguments: json!({}),
            progress: true,
        },
        call("test_sampling", json!({"prompt": "hello?"})),
        call("test_elicitation", json!({"message": "who?"})),
        call("test_elicitation_sep1034_defaults", json!({})),
        Step::Resources,
        Step::Templates,
        read("test://static-text"),
        read("test://static-binary"),
        read("test://template/7/data"),
        read("test://nothing"),
        Step::Prompts,
        Step::Prompt {
            name: "test_simple_prompt".to_owned(),
            arguments: json!({}),
        },
        Step::Prompt {
            name: "no-such-prompt".to_owned(),
            arguments: json!({}),
        },
        Step::Complete {
            prompt: "test_prompt_with_arguments".to_owned(),
            argument: "arg1".to_owned(),
            value: "te".to_owned(),
        },
        Step::Level {
            level: "debug".to_owned(),
        },
        call("test_tool_with_logging", json!({})),
        hear("message"),
        Step::Subscribe { uri: text.clone() },
        call("test_trigger_resource_update", json!({"uri": text})),
        hear("resources/updated"),
        call("test_trigger_tool_change", json!({})),
        hear("tools/list_changed"),
        call("test_trigger_prompt_change", json!({})),
        hear("prompts/list_changed"),
        Step::Unsubscribe { uri: text },
        Step::Ping,
    ]
}

fn everything_steps() -> Vec<Step> {
    let steps = vec![
        call("echo", json!({"message": "ä 𝄞 \u{2028}"})),
        call("echo", json!({})),
        call("get-sum", json!({"a": 0.1, "b": 0.2})),
        call("get-tiny-image", json!({})),
        call("get-resource-links", json!({"count": 2})),
        call("get-structured-content", json!({"location": "Chicago"})),
        call("no-such-tool", json!({})),
        Step::Call {
            tool: "trigger-long-running-operation".to_owned(),
            arguments: json!({"duration": 0.03, "steps": 3}),
            progress: true,
        },
        Step::Resources,
        Step::Templates,
        Step::Read {
            uri: "demo://resource/static/document/features.md".to_owned(),
        },
        Step::Read {
            uri: "nothing://here".to_owned(),
        },
        Step::Prompts,
        Step::Prompt {
            name: "args-prompt".to_owned(),
            arguments: json!({"city": "Ulm"}),
        },
        Step::Complete {
            prompt: "completable-prompt".to_owned(),
            argument: "department".to_owned(),
            value: "S".to_owned(),
        },
    ];
    steps
}

/// A client may have stopped listening when the last of it comes, right before the answer.
fn is_progress(seen: &[f64]) -> bool {
    !seen.is_empty() && seen.windows(2).all(|pair| pair[0] < pair[1])
}

/// Without what only one of the eras has.
fn stripped(reply: &Reply) -> Reply {
    let Reply::Result(result) = reply else {
        return reply.clone();
    };
    let mut result = result.clone();
    if let Some(result) = result.as_object_mut() {
        for key in ["resultType", "ttlMs", "cacheScope"] {
            result.remove(key);
        }
        let meta = result.get_mut("_meta").and_then(Value::as_object_mut);
        if let Some(meta) = meta {
            meta.remove("io.modelcontextprotocol/serverInfo");
            if meta.is_empty() {
                result.remove("_meta");
            }
        }
    }
    Reply::Result(result)
}

fn words(reply: &Reply) -> Option<&str> {
    match reply {
        Reply::Result(result) => result["content"][0]["text"].as_str(),
        Reply::Error(_) | Reply::Refused(_) => None,
    }
}
