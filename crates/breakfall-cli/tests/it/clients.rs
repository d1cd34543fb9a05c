//! Whichever official client calls through `run`, and however the call fails, the caller learns what to do; no client
//! throws anything but its error for errors of the protocol.

use std::path::Path;

use serde_json::{Value, json};
use testing::clients::{Client, Era, Reply, Step};
use testing::{faulty, inspector};

/// A way to fail, and what it is called. The order counts: the last call of `misbehave` finds it left alone.
const FAILURES: &[(&str, &str, &str, &str)] = &[
    (
        "arguments that do not fit",
        "say",
        "{}",
        "VALIDATION_MISSING_PARAM",
    ),
    ("an unknown tool", "sai", "{}", "NOT_FOUND_OPERATION"),
    (
        "no answer in time",
        "wait",
        r#"{"ms":60000}"#,
        "UNAVAILABLE_TIMEOUT",
    ),
    ("the domain says no", "fail", "{}", "INTERNAL_UNKNOWN"),
    (
        "the same where results have a schema",
        "typed",
        r#"{"with":"a failure"}"#,
        "NOT_FOUND_RESOURCE",
    ),
    (
        "a failure whose data breaks the schema",
        "typed",
        r#"{"with":"a failure with data"}"#,
        "NOT_FOUND_RESOURCE",
    ),
    (
        "a failure with data that is not ours",
        "say",
        r#"{"what":"everything"}"#,
        "CONFLICT_INVALID_STATE",
    ),
    (
        "an error of the protocol",
        "say",
        r#"{"what":"a quota"}"#,
        "RATE_LIMIT_QUOTA_EXHAUSTED",
    ),
    (
        "a limit that says when it ends",
        "say",
        r#"{"what":"a limit"}"#,
        "RATE_LIMIT_EXCEEDED",
    ),
    (
        "a failure told as a success",
        "say",
        r#"{"what":"a table"}"#,
        "NOT_FOUND_RESOURCE",
    ),
    (
        "the same where results have a schema",
        "typed",
        r#"{"with":"a table"}"#,
        "NOT_FOUND_RESOURCE",
    ),
    (
        "a result that does not fit its schema",
        "typed",
        r#"{"with":"what does not fit"}"#,
        "INTERNAL_BAD_UPSTREAM",
    ),
    (
        "a server that dies",
        "misbehave",
        r#"{"how":"exit-3"}"#,
        "UNAVAILABLE_SERVICE",
    ),
    (
        "a tool that is left alone",
        "misbehave",
        r#"{"how":"exit-3"}"#,
        "UNAVAILABLE_CIRCUIT_OPEN",
    ),
];

/// The fault server, with little patience. Its results are held against their schema, as clients do.
fn config(folder: &Path) -> String {
    let tools = json!({
        "wait": {"timeout": "300ms"},
        "park": {"concurrency": {"limit": 1, "queue": 0}},
        "typed": {"validate": {"output": "reject"}},
        "misbehave": {"breaker": {"minimum": 1}},
    });
    let config = json!({"upstreams": {"it": {"command": [faulty::program()], "tools": tools}}});
    let file = folder.join("breakfall.yaml");
    std::fs::write(&file, config.to_string()).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn the_first_python_client_is_told_what_to_do() {
    told(Client::Python1, Era::Legacy);
}

#[test]
fn the_second_python_client_is_told_what_to_do() {
    told(Client::Python2, Era::Legacy);
    told(Client::Python2, Era::Modern);
}

#[test]
fn the_first_typescript_client_is_told_what_to_do() {
    told(Client::TypeScript1, Era::Legacy);
}

#[test]
fn the_second_typescript_client_is_told_what_to_do() {
    told(Client::TypeScript2, Era::Legacy);
    told(Client::TypeScript2, Era::Modern);
}

fn told(client: Client, era: Era) {
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path());
    let run = [env!("CARGO_BIN_EXE_breakfall"), "run", "--config", &config];
    let call = |tool: &str, arguments: &str| Step::Call {
        tool: tool.to_owned(),
        arguments: serde_json::from_str(arguments).unwrap(),
        progress: false,
    };
    let failures = FAILURES.iter().map(|(_, tool, with, _)| call(tool, with));
    // Results are checked against their schemas, and of two concurrent calls one is admitted.
    let first = [
        Step::Tools,
        call("typed", r#"{"with":"what fits"}"#),
        Step::Begin {
            tool: "park".to_owned(),
            arguments: json!({}),
        },
        call("park", "{}"),
        call("release", "{}"),
    ];
    let steps: Vec<_> = first.into_iter().chain(failures).collect();
    let report = client.perform(era, &run, &steps);
    let Reply::Result(fits) = &report.replies[1] else {
        panic!("{client:?} in {era:?}: {:?}", report.replies[1]);
    };
    assert_eq!(fits["structuredContent"], json!({"degrees": 21.5}));
    let crowded = ("no room", &report.replies[3], "UNAVAILABLE_OVERLOADED");
    let released = &report.replies[4];
    assert!(matches!(released, Reply::Result(_)), "{released:?}");
    let failures = FAILURES.iter().zip(&report.replies[5..]);
    let failures = failures.map(|((about, _, _, code), reply)| (*about, reply, *code));
    for (about, reply, code) in failures.chain([crowded]) {
        let missing = missing(reply, code);
        assert!(
            missing.is_empty(),
            "{client:?} in {era:?}, {about}: {missing:?} in {reply:?}"
        );
    }
}

/// What the caller does not learn.
fn missing(reply: &Reply, code: &str) -> Vec<String> {
    let (words, object) = match reply {
        Reply::Result(result) if result["isError"] == true => {
            let object = &result["_meta"]["dev.breakfall/error"];
            (result["content"][0]["text"].as_str(), object)
        }
        Reply::Error(error) if error["code"].is_number() => {
            let data = &error["data"];
            let object = data.get("dev.breakfall/error").unwrap_or(data);
            (error["message"].as_str(), object)
        }
        Reply::Result(_) | Reply::Error(_) | Reply::Refused(_) => {
            return vec!["that it failed".to_owned()];
        }
    };
    let mut missing = unsaid(words.unwrap_or_default(), code);
    let texts = ["code", "category", "remediation", "correlation_id"];
    let is_text = |key: &&&str| !object[**key].is_string();
    missing.extend(
        texts
            .iter()
            .filter(is_text)
            .map(|key| format!("{key} as data")),
    );
    if !object["retry"]["retryable"].is_boolean() {
        missing.push("retry as data".to_owned());
    }
    let id = object["correlation_id"].as_str().unwrap_or("?");
    if !words.is_some_and(|words| words.contains(id)) {
        missing.push("the id".to_owned());
    }
    missing
}

/// What the words do not say.
fn unsaid(words: &str, code: &str) -> Vec<String> {
    let code = format!("[{code}]");
    let parts = [&*code, "Fix: ", "Retry: ", "Reference: "];
    let unsaid = parts.iter().filter(|part| !words.contains(**part));
    unsaid.map(|part| (*part).to_owned()).collect()
}

/// It makes one call a run, so nothing is left alone; and it calls no tool that is not listed.
#[test]
fn the_inspector_shows_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path());
    let run = [env!("CARGO_BIN_EXE_breakfall"), "run", "--config", &config];
    let server = inspector::server(folder.path(), &run);
    let reached = |code: &str| !["NOT_FOUND_OPERATION", "UNAVAILABLE_CIRCUIT_OPEN"].contains(&code);
    let failures = FAILURES.iter().filter(|(.., code)| reached(code));
    std::thread::scope(|scope| {
        for (about, tool, with, code) in failures {
            let server = &server;
            scope.spawn(move || {
                let arguments: Value = serde_json::from_str(with).unwrap();
                let shown = inspector::call(server, tool, &arguments);
                let unsaid = unsaid(&shown, code);
                assert!(unsaid.is_empty(), "{about}: {unsaid:?} in {shown}");
            });
        }
    });
}

#[test]
fn what_a_client_is_not_told_is_missed() {
    let object = json!({"code": "A", "category": "b", "remediation": "c", "correlation_id": "d-17", "retry": {"retryable": false}});
    let words = "[A] m\nFix: c\nRetry: no\nReference: d-17";
    let failed = |words: &str, object: &Value| {
        Reply::Result(
            json!({"isError": true, "content": [{"text": words}], "_meta": {"dev.breakfall/error": object}}),
        )
    };
    assert_eq!(missing(&failed(words, &object), "A"), [""; 0]);
    assert_eq!(missing(&failed("it failed", &object), "A").len(), 5);
    assert_eq!(missing(&failed(words, &json!({})), "A").len(), 6);
    let error = |data: &Value| Reply::Error(json!({"code": 1, "message": words, "data": data}));
    assert_eq!(missing(&error(&object), "A"), [""; 0]);
    assert_eq!(missing(&error(&json!(null)), "A").len(), 6);
    for thrown in [
        Reply::Refused("thrown".to_owned()),
        Reply::Result(json!({"content": []})),
    ] {
        assert_eq!(missing(&thrown, "A"), ["that it failed"]);
    }
}
