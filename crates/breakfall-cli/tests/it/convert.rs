//! Documents from one format to another.

use serde_json::{Value, json};
use snapbox::{IntoData, str};

use crate::{breakfall, convert, json, run, stdout};

const FORMATS: [&str; 7] = [
    "native",
    "response-v2",
    "mcp-error",
    "error-model",
    "tool-error",
    "mcp-aql",
    "problem",
];

/// Ids and times that do not change from run to run.
const FIXED: [&str; 4] = [
    "--correlation-id",
    "req-1",
    "--timestamp",
    "2026-01-31T12:00:00Z",
];

const MISSING: &str = r#"{"success": false, "error": {"code": "VALIDATION_MISSING_PARAM",
    "message": "Missing required parameter 'owner'", "details": {"param_name": "owner"}}}"#;

const RICH: &str = r#"{"code": "DEPENDENCY_FAILED", "message": "The ledger is down", "retry_after_ms": 1500,
    "recovery_actions": ["use_cached_data"], "fallback_tool": "cached_orders", "correlation_id": "req-7",
    "timestamp": "2026-01-31T12:00:00.800Z", "recovery_hint": "TRY_ALTERNATIVE"}"#;

fn to<'a>(format: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["--to", format], &FIXED[..], more].concat()
}

fn stderr(command: snapbox::cmd::Command) -> String {
    String::from_utf8_lossy(&run(command).stderr).into_owned()
}

#[test]
fn a_document_becomes_one_of_another_format() {
    let args = [
        "--from",
        "mcp-aql",
        "--to",
        "response-v2",
        "--correlation-id",
        "req-1",
    ];
    convert(MISSING, &args)
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
{
  "success": false,
  "data": {
    "error_code": "MISSING_REQUIRED",
    "error_type": "validation",
    "field": "owner",
    "details": {
      "field": "owner"
    },
    "remediation": "Add 'owner' to the arguments, then call again."
  },
  "error": "Missing required parameter 'owner'",
  "meta": {
    "version": "response-v2",
    "request_id": "req-1"
  }
}

"#]]);
}

#[test]
fn what_was_recognised_is_said() {
    convert(MISSING, &to("native", &[]))
        .assert()
        .success()
        .stderr_eq("recognised: mcp-aql\n")
        .stdout_eq(str![[r#"
{
  "content": [
    {
      "type": "text",
      "text": "[VALIDATION_MISSING_PARAM] Missing required parameter 'owner'\nFix: Add 'owner' to the arguments, then call again.\nRetry: not before something changes\nReference: req-1"
    }
  ],
  "isError": true,
  "_meta": {
    "dev.breakfall/error": {
      "code": "VALIDATION_MISSING_PARAM",
      "category": "validation",
      "message": "Missing required parameter 'owner'",
      "details": {
        "param_name": "owner"
      },
      "retry": {
        "policy": "after_change",
        "retryable": false
      },
      "remediation": "Add 'owner' to the arguments, then call again.",
      "recovery_actions": [
        "check_input_format",
        "get_schema_info"
      ],
      "recovery_hint": "CHECK_INPUT",
      "user_message": "Some required information is missing.",
      "origin": "caller",
      "correlation_id": "req-1",
      "timestamp": "2026-01-31T12:00:00Z"
    }
  }
}

"#]].raw());
}

#[test]
fn what_the_format_cannot_carry_is_said() {
    convert(RICH, &to("mcp-aql", &["--strict"]))
        .assert()
        .success()
        .stderr_eq(str![[r#"
recognised: mcp-error
lost: wait (1.5s becomes 2s)
lost: recovery actions
lost: hint (TRY_ALTERNATIVE becomes RETRY_LATER)
lost: fallback tool
lost: correlation id
lost: timestamp

"#]])
        .stdout_eq(str![[r#"
{
  "success": false,
  "error": {
    "code": "INTERNAL_ERROR",
    "message": "The ledger is down",
    "details": {
      "http_status": 502,
      "retry_after_seconds": 2
    }
  }
}

"#]]);
}

#[test]
fn quiet_means_quiet() {
    convert(RICH, &to("mcp-aql", &["--quiet"]))
        .assert()
        .success()
        .stderr_eq("");
}

#[test]
fn a_code_survives_every_pair_of_formats() {
    for first in FORMATS {
        let there = stdout(convert(MISSING, &to(first, &["--quiet"])));
        for second in FORMATS {
            let back = stdout(convert(&there, &to(second, &["--from", first, "--quiet"])));
            let native = json(convert(
                &back,
                &to("native", &["--from", second, "--quiet"]),
            ));
            let error = &native["_meta"]["dev.breakfall/error"];
            // Two formats know no more than "the client was wrong", each in a word of its own.
            let merged = [first, second]
                .iter()
                .any(|f| ["mcp-error", "tool-error"].contains(f));
            let code = if merged {
                "VALIDATION_INVALID_VALUE"
            } else {
                "VALIDATION_MISSING_PARAM"
            };
            assert_eq!(error["code"], code, "{first} to {second}");
            assert_eq!(
                error["message"], "Missing required parameter 'owner'",
                "{first} to {second}"
            );
            assert_eq!(
                error["details"]["param_name"], "owner",
                "{first} to {second}"
            );
        }
    }
}

#[test]
fn a_wrapper_makes_no_difference() {
    for format in FORMATS {
        let bare = stdout(convert(MISSING, &to(format, &["--quiet"])));
        let wrapped = stdout(convert(
            MISSING,
            &to(format, &["--quiet", "--as", "tool-result"]),
        ));
        let message = format!(r#"{{"jsonrpc": "2.0", "id": 1, "result": {wrapped}}}"#);
        let expected = json(convert(
            &bare,
            &to("native", &["--from", format, "--quiet"]),
        ));
        for from in [format, "auto"] {
            for document in [&bare, &wrapped, &message] {
                let read = json(convert(
                    document,
                    &to("native", &["--from", from, "--quiet"]),
                ));
                assert_eq!(read, expected, "{format} as {from}: {document}");
            }
        }
    }
}

#[test]
fn an_envelope_without_marks_is_what_the_caller_says() {
    let success = r#"{"success": true, "data": {"id": 7}}"#;
    let text = serde_json::Value::from(success);
    let wrapped = format!(r#"{{"content": [{{"type": "text", "text": {text}}}]}}"#);
    for document in [success, &wrapped] {
        for from in ["response-v2", "mcp-aql"] {
            let read = json(convert(document, &["--from", from, "--to", "mcp-error"]));
            assert_eq!(read, json!({"id": 7}), "{from}: {document}");
        }
    }
}

#[test]
fn a_payload_without_marks_is_a_success_and_said_to_be() {
    convert(
        r#"{"id": 7}"#,
        &["--from", "error-model", "--to", "mcp-aql", "--compact"],
    )
    .assert()
    .success()
    .stdout_eq("{\"success\":true,\"data\":{\"id\":7}}\n")
    .stderr_eq("note: nothing in it is an error of error-model, so it counts as a success\n");
}

#[test]
fn results_and_errors_in_no_known_format_are_read_by_what_they_have() {
    let cases = [
        (
            r#"{"content": [{"type": "text", "text": "hello"}]}"#,
            "recognised: a result without an error\n",
            json!({"success": true, "data": "hello"}),
        ),
        (
            r#"{"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "no such method"}}"#,
            "recognised: a JSON-RPC error in no known format\n",
            json!({"success": false, "error": {"code": "NOT_FOUND_OPERATION", "message": "no such method"}}),
        ),
        (
            r#"{"error": {"code": 404}}"#,
            "recognised: a JSON-RPC error in no known format\n",
            json!({"success": false, "error": {
                "code": "NOT_FOUND_RESOURCE", "message": "Resource not found", "details": {"domain_code": "404"},
            }}),
        ),
    ];
    for (document, said, expected) in &cases {
        let command = || convert(document, &["--to", "mcp-aql", "--strict"]);
        assert_eq!(stderr(command()), *said);
        assert_eq!(json(command()), *expected);
    }
    let rpc = cases[1].0;
    let stated = ["--from", "error-model", "--to", "mcp-aql", "--strict"];
    assert_eq!(json(convert(rpc, &stated)), cases[1].2);
    let failed = r#"{"isError": true, "content": [{"type": "text", "text": "no luck"}]}"#;
    let said = stderr(convert(failed, &["--to", "native"]));
    assert_eq!(
        said,
        "recognised: a failed tool result in no known format\n"
    );
}

#[test]
fn where_it_stood_is_said() {
    let result = stdout(convert(
        MISSING,
        &["--to", "mcp-aql", "--as", "tool-result", "-q"],
    ));
    assert_eq!(
        stderr(convert(&result, &["--to", "native"])),
        "recognised: mcp-aql, in a text block\n"
    );
    let rpc = stdout(convert(
        MISSING,
        &["--to", "native", "--as", "rpc-error", "-q"],
    ));
    let message = format!(r#"{{"jsonrpc": "2.0", "id": 1, "error": {rpc}}}"#);
    for document in [&rpc, &message] {
        let said = stderr(convert(document, &["--to", "native"]));
        assert_eq!(said, "recognised: native, in a JSON-RPC error\n");
    }
}

#[test]
fn a_json_rpc_error_says_what_it_loses() {
    convert(RICH, &to("native", &["--as", "rpc-error"]))
        .assert()
        .success()
        .stderr_eq("recognised: mcp-error\n");
    let strict = ["--as", "rpc-error", "--strict", "--compact"];
    convert(MISSING, &to("error-model", &strict))
        .assert()
        .success()
        .stdout_eq(str![[r#"
{"code":-32602,"message":"Missing required parameter 'owner'","data":{"field":"owner"}}

"#]])
        .stderr_eq(str![[r#"
recognised: mcp-aql
note: --correlation-id changes nothing here: error-model has no place for it
note: --timestamp changes nothing here: error-model has no place for it

"#]]);
    convert(RICH, &to("error-model", &strict))
        .assert()
        .success()
        .stderr_eq(str![[r#"
recognised: mcp-error
lost: code (UNAVAILABLE_DEPENDENCY becomes INTERNAL_ERROR)
lost: retry (after becomes once)
lost: wait
lost: remediation
lost: recovery actions
lost: hint (TRY_ALTERNATIVE becomes RETRY_LATER)
lost: user message
lost: fallback tool
lost: origin (upstream becomes tool)
lost: correlation id
lost: timestamp

"#]]);
}

#[test]
fn arguments_a_json_rpc_error_has_no_use_for_are_told() {
    let notes = |args: &[&str]| {
        let said = stderr(convert(MISSING, &[&["--as", "rpc-error"], args].concat()));
        let notes = said.lines().filter_map(|line| line.strip_prefix("note: "));
        let arguments = notes.filter_map(|note| note.split_once(" changes nothing here: "));
        let arguments = arguments.map(|(argument, _)| argument.to_owned());
        arguments.collect::<Vec<String>>()
    };
    assert!(notes(&["--to", "native"]).is_empty());
    assert!(notes(&["--to", "error-model"]).is_empty());
    assert!(notes(&["--to", "error-model", "--strict"]).is_empty());
    assert_eq!(notes(&["--to", "native", "--strict"]), ["--strict"]);
    for format in [
        "response-v2",
        "mcp-error",
        "tool-error",
        "mcp-aql",
        "problem",
    ] {
        let to = format!("--to {format}");
        assert_eq!(
            notes(&["--to", format, "--strict", "--format", "json"]),
            [&to, "--strict", "--format"]
        );
        // And they are right.
        let written = |args: &[&str]| {
            let args = [&["--as", "rpc-error", "-q"], &FIXED[..], args].concat();
            stdout(convert(MISSING, &args))
        };
        assert_eq!(
            written(&["--to", format, "--strict", "--format", "json"]),
            written(&["--to", "native"])
        );
    }
}

/// A success has to survive a format without an envelope.
#[test]
fn formats_without_an_envelope_read_what_they_wrote() {
    let question = r#"{"kind": "needsInput:v1", "type": "elicitation", "message": "Which one?"}"#;
    let successes = ["null", "7", "\"seven\"", "[1, {\"a\": 2}]", "{\"id\": 7}"];
    let successes = successes.map(|data| format!(r#"{{"success": true, "data": {data}}}"#));
    let documents = successes
        .iter()
        .map(|document| (document.as_str(), "mcp-aql"))
        .chain([(question, "tool-error")]);
    for (document, from) in documents {
        let expected = stdout(convert(
            document,
            &["--from", from, "--to", "mcp-aql", "-q"],
        ));
        for format in ["mcp-error", "error-model"] {
            for shape in ["document", "tool-result"] {
                let to = ["--from", from, "--to", format, "--as", shape, "-q"];
                let there = stdout(convert(document, &to));
                let back = stdout(convert(
                    &there,
                    &["--from", format, "--to", "mcp-aql", "-q"],
                ));
                assert_eq!(back, expected, "{document} as {format}, {shape}: {there}");
            }
        }
    }
}

#[test]
fn json_that_cannot_be_kept_exactly_is_noted() {
    let document = r#"{"success": true, "data": {"id": 12345678901234567890123, "a": 1, "a": 2}}"#;
    convert(document, &["--to", "mcp-aql", "--compact"])
        .assert()
        .success()
        .stdout_eq("{\"success\":true,\"data\":{\"a\":2,\"id\":1.2345678901234568e+22}}\n")
        .stderr_eq(str![[r#"
note: /data/id: number 12345678901234567890123 becomes 1.2345678901234568e+22
note: /data: key 'a' occurs more than once, the last one counts
recognised: mcp-aql

"#]]);
}

#[test]
fn an_output_that_cannot_be_read_back_is_told() {
    let deep = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    let note = "note: the output is nested deeper than 127 levels, too deep to be read back\n";
    for (format, shape) in [("mcp-aql", "document"), ("mcp-aql", "tool-result")] {
        let said = |depth| {
            let args = ["--from", "mcp-error", "--to", format, "--as", shape];
            stderr(convert(&deep(depth), &args))
        };
        assert!(!said(126).contains(note), "{format} as {shape}");
        assert!(said(127).contains(note), "{format} as {shape}");
    }
}

#[test]
fn an_id_and_a_time_are_written_where_there_is_a_place_and_told_where_not() {
    for (format, shape, id, time) in [
        ("native", "document", true, true),
        ("response-v2", "document", true, false),
        ("mcp-error", "document", true, true),
        ("error-model", "document", true, false),
        ("tool-error", "document", true, false),
        ("mcp-aql", "document", false, false),
        ("mcp-aql", "tool-result", true, false),
        ("problem", "document", true, true),
    ] {
        let output = run(convert(MISSING, &to(format, &["--as", shape])));
        let written = String::from_utf8_lossy(&output.stdout);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(written.contains("req-1"), id, "{format}: {written}");
        assert_eq!(
            written.contains("2026-01-31T12:00"),
            time,
            "{format}: {written}"
        );
        let told =
            |argument: &str| said.contains(&format!("note: {argument} changes nothing here"));
        assert_eq!(told("--correlation-id"), !id, "{format}: {said}");
        assert_eq!(told("--timestamp"), !time, "{format}: {said}");
        assert!(!said.contains("lost: correlation id") && !said.contains("lost: timestamp"));
    }
    let success = r#"{"success": true, "data": {}}"#;
    let said = stderr(convert(success, &to("mcp-error", &[])));
    assert!(
        said.contains("note: --timestamp changes nothing here: it is for failures"),
        "{said}"
    );
}

#[test]
fn an_id_beside_the_document_is_not_lost() {
    let losses = |shape| stderr(convert(RICH, &to("mcp-aql", &["--as", shape])));
    assert!(losses("document").contains("lost: correlation id\n"));
    assert!(!losses("tool-result").contains("correlation id"));
}

#[test]
fn the_format_gates_the_blocks_of_tool_error() {
    for (format, kinds) in [
        ("markdown", vec!["text/markdown"]),
        ("json", vec!["application/json"]),
        ("both", vec!["text/markdown", "application/json"]),
    ] {
        let result = json(convert(MISSING, &to("tool-error", &["--format", format])));
        let blocks = result["content"].as_array().unwrap();
        let found: Vec<&Value> = blocks.iter().map(|block| &block["mimeType"]).collect();
        assert_eq!(found, kinds, "{format}");
    }
    let said = stderr(convert(MISSING, &["--to", "problem", "--format", "json"]));
    assert!(
        said.contains("note: --format changes nothing here"),
        "{said}"
    );
}

#[test]
fn ids_and_times_are_made_up_only_where_they_are_missing() {
    let fresh = json(convert(MISSING, &["--to", "mcp-error"]));
    assert_ne!(fresh["correlation_id"], json!("req-1"));
    assert_eq!(fresh["correlation_id"].as_str().map(str::len), Some(36));
    let given = json(convert(MISSING, &to("mcp-error", &[])));
    assert_eq!(given["correlation_id"], "req-1");
    assert_eq!(given["timestamp"], "2026-01-31T12:00:00.000Z");
    let kept = json(convert(RICH, &to("mcp-error", &[])));
    assert_eq!(kept["correlation_id"], "req-7");
    assert_eq!(kept["timestamp"], "2026-01-31T12:00:00.800Z");
    let id_only = json(convert(
        MISSING,
        &["--to", "mcp-error", "--correlation-id", "req-1"],
    ));
    assert_eq!(id_only["correlation_id"], "req-1");
}

#[test]
fn compact_is_one_line() {
    let line = stdout(convert(MISSING, &to("problem", &["--compact"])));
    assert_eq!(line.lines().count(), 1);
    assert!(line.ends_with("}\n"));
    let pretty = stdout(convert(MISSING, &to("problem", &[])));
    assert!(pretty.ends_with("}\n") && pretty.starts_with("{\n  \"type\""));
}

#[test]
fn words_of_the_input_never_reach_the_terminal_raw_or_at_length() {
    let message = format!("\u{1b}[2J{}", "x".repeat(5000));
    let document = json!({"code": "NOT_FOUND", "message": "m", "recovery_actions": [],
        "details": {"domain_code": message}});
    let command = convert(&document.to_string(), &["--to", "problem", "--strict"]);
    let said = stderr(command.env("CLICOLOR_FORCE", "1"));
    assert!(!said.contains("\u{1b}[2J") && said.len() < 2000, "{said:?}");
}

#[test]
fn every_example_of_the_manual_runs() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("error.json"), MISSING).unwrap();
    let help = ["--help", "explain --help", "convert --help"];
    let help = help.map(|args| stdout(breakfall(&args.split(' ').collect::<Vec<_>>())));
    let mut count = 0;
    for line in help.iter().flat_map(|help| help.lines()) {
        let Some(example) = line.strip_prefix("  breakfall ") else {
            continue;
        };
        // Servers others wrote are not for every machine, what serves does not end, and nothing has happened here yet.
        let is_left = [
            "run ",
            "call ",
            "serve",
            "init",
            "doctor",
            "explain 019",
            "explain --last",
        ];
        if is_left.iter().any(|words| example.starts_with(words)) {
            continue;
        }
        let example = example.split("  ").next().unwrap_or_default();
        let args: Vec<&str> = example.split(' ').take_while(|word| *word != "<").collect();
        breakfall(&args)
            .stdin(MISSING)
            .current_dir(directory.path())
            .assert()
            .success();
        count += 1;
    }
    assert_eq!(count, 10);
}

#[test]
fn secrets_and_internals_are_taken_out_unless_they_are_asked_for() {
    const LEAKY: &str = r#"{"success": false, "error": {"code": "INTERNAL_ERROR",
        "message": "cannot open '/srv/app/db.key': password=hunter2"}}"#;
    let words = |more: &[&str]| {
        let document = convert(LEAKY, &to("mcp-error", more));
        let notes = stderr(convert(LEAKY, &to("mcp-error", more)));
        let message = json(document)["message"].as_str().map(str::to_owned);
        (message.expect("a message"), notes.contains("--redact off"))
    };
    let client = "cannot open '[path]': password=[redacted:password]";
    assert_eq!(words(&[]), (client.to_owned(), true));
    assert_eq!(words(&["--redact", "full"]), (client.to_owned(), true));
    let operator = "cannot open '/srv/app/db.key': password=[redacted:password]";
    assert_eq!(words(&["--redact", "secrets"]), (operator.to_owned(), true));
    let all = "cannot open '/srv/app/db.key': password=hunter2";
    assert_eq!(words(&["--redact", "off"]), (all.to_owned(), false));
}
