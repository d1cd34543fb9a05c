//! Tool results that say they failed, as servers really send them.

use breakfall::classify::Classifier;
use breakfall::classify::rpc::{self, Call};
use breakfall::locale::Language;
use breakfall::read::Channel;
use breakfall::{Confidence, Hint, Origin, Retry, codes, read};
use serde_json::{Value, json};

use super::{failed, rule, text};

/// What public servers answer, with names changed.
#[rustfmt::skip]
const ANSWERS: &[(&str, &str, &str)] = &[
    ("MCP error -32602: Tool get_wether not found", "NOT_FOUND_OPERATION", "text.unknown-tool"),
    ("Unknown tool: 'get_wether'", "NOT_FOUND_OPERATION", "text.unknown-tool"),
    ("Access denied - path outside allowed directories: a not in b", "PERMISSION_DENIED", "text.forbidden"),
    ("ENOENT: no such file or directory, open 'a'", "NOT_FOUND_RESOURCE", "text.not-found"),
    ("Error processing mcp-server-time query: 'No time zone found with key Mars'", "NOT_FOUND_RESOURCE", "text.not-found"),
    ("Failed to fetch http://127.0.0.1:1/ - status code 429", "RATE_LIMIT_EXCEEDED", "text.http-status"),
    ("Failed to fetch robots.txt due to a connection issue: connection refused", "UNAVAILABLE_NETWORK", "text.network"),
    ("Error executing tool divide: division by zero", "VALIDATION_INVALID_VALUE", "text.division-by-zero"),
    ("Error executing tool divide", "INTERNAL_UNKNOWN", "default.unclassified"),
    ("MCP error -32603: boom", "INTERNAL_ERROR", "prefix.mcp-error"),
    ("MCP error -32603: MCP error -32602: boom", "VALIDATION_INVALID_VALUE", "prefix.mcp-error"),
    ("failed to deserialize parameters: missing field `b`", "VALIDATION_MISSING_PARAM", "dump.sentence"),
    (r#"Error: {"message":"Not Found","status":"404"}"#, "NOT_FOUND_RESOURCE", "text.http-status"),
    (r#"{"ok":false,"error":"is_archived"}"#, "CONFLICT_INVALID_STATE", "json.body"),
    (r#"{"error":{"message":"no","code":"insufficient_quota"}}"#, "RATE_LIMIT_QUOTA_EXHAUSTED", "json.body"),
    (r#"{"errors":[{"message":"Not signed in","extensions":{"code":"UNAUTHENTICATED"}}]}"#, "AUTHENTICATION_REQUIRED", "json.body"),
];

#[test]
fn what_public_servers_send_is_understood() {
    for (said, code, rule) in ANSWERS {
        let fault = Classifier::new().result(&failed(said));
        assert_eq!(
            (fault.code().name(), super::rule(&fault)),
            (*code, *rule),
            "{said}"
        );
    }
}

#[test]
fn who_gets_words_nobody_knows_is_told_to_read_them() {
    let odd = "The wheel came off\nand rolled away";
    let fault = Classifier::new().result(&failed(odd));
    assert_eq!(rule(&fault), "default.unclassified");
    let advice = "Read what the server said, and change the call or what it acts on; if that does not help, ask for help with the correlation id.";
    assert_eq!(fault.public().remediation(), advice);
    assert_eq!(fault.public().retry(), Retry::AfterChange);
    assert_eq!(fault.public().hint(), Hint::CheckInput);
    let german = fault.in_language(Language::German);
    let advice = german.public().remediation().into_owned();
    assert!(advice.starts_with("Lesen, was der Server sagt"), "{advice}");

    let silent = Classifier::new().result(&failed(" "));
    let advice = silent.public().remediation().into_owned();
    assert!(advice.starts_with("Do not retry blindly"), "{advice}");

    let error = json!({"code": -32050, "message": "no luck"});
    let fault = rpc::fault(&error, &Call::new());
    let advice = fault.public().remediation().into_owned();
    assert!(advice.starts_with("Read what the server said"), "{advice}");
}

#[test]
fn a_status_in_the_place_of_a_number_of_ours_is_a_status() {
    for (status, code) in [
        (404, "NOT_FOUND_RESOURCE"),
        (429, "RATE_LIMIT_EXCEEDED"),
        (600, "INTERNAL_UNKNOWN"),
    ] {
        let error = json!({"error": {"code": status, "message": "x", "retryable": false}});
        let reading = read(failed(&error.to_string()));
        let fault = reading.outcome.fault().expect("a failure");
        assert_eq!(fault.code().name(), code, "{error}");
        assert!(
            !fault.public().retry().is_retryable(),
            "it says so: {error}"
        );
    }
}

#[test]
fn what_a_program_prints_is_for_whoever_wrote_it() {
    let fault = text(
        "running 1 test\ntest find::not_found ... FAILED\n\ntest result: FAILED. 0 passed; 1 failed\n\n\
         error: test failed, to rerun pass `--lib`",
    );
    assert_eq!(rule(&fault), "text.build");
    let advice = fault.public().remediation().into_owned();
    assert!(advice.starts_with("Read what the server said"), "{advice}");
    assert_eq!(fault.public().retry(), Retry::AfterChange);
}

#[test]
fn the_message_of_the_upstream_is_kept() {
    testing::proves!("S4-70");
    for (said, message) in [
        (
            "API rate limit exceeded for user ID 1.",
            "API rate limit exceeded for user ID 1.",
        ),
        ("no luck\ntoday", "no luck\ntoday"),
        ("**Error:** no luck", "no luck"),
        (
            "Error executing tool x: no such table: t",
            "no such table: t",
        ),
        ("MCP error -32602: nope: never", "nope: never"),
        (
            r#"{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}"#,
            "You exceeded your quota",
        ),
        (
            r#"Error code: 429 - {"error":{"message":"slow down","code":"rate_limit_exceeded"}}"#,
            r#"Error code: 429 - {"error":{"message":"slow down","code":"rate_limit_exceeded"}}"#,
        ),
    ] {
        let reading = read(failed(said));
        let fault = reading.outcome.fault().expect("a fault");
        assert_eq!(fault.public().message(), message, "{said}");
    }
}

#[test]
fn reading_says_by_which_rule_and_how_sure() {
    for (said, rule, sure) in [
        ("Too many requests", "text.rate-limit", Confidence::Textual),
        (
            "MCP error -32603: boom",
            "prefix.mcp-error",
            Confidence::Structural,
        ),
        ("no luck", "default.unclassified", Confidence::Default),
    ] {
        let reading = read(failed(said));
        assert_eq!(
            (reading.channel, reading.confidence),
            (Channel::IsError, sure),
            "{said}"
        );
        assert_eq!(super::rule(reading.outcome.fault().expect("a fault")), rule);
    }
}

#[test]
fn structured_content_is_asked_where_the_words_say_nothing() {
    let result = |text: Value, structured: Value| {
        let content = if text.is_null() {
            json!([])
        } else {
            json!([{"type": "text", "text": text}])
        };
        Classifier::new()
            .result(&json!({"isError": true, "content": content, "structuredContent": structured}))
    };
    let body = json!({"error": {"code": "insufficient_quota", "message": "no more"}});
    let silent = result(Value::Null, body.clone());
    assert_eq!(silent.code(), codes::RATE_LIMIT_QUOTA_EXHAUSTED);
    assert_eq!(silent.public().message(), "no more");
    let vague = result(json!("Sorry"), body.clone());
    assert_eq!(vague.code(), codes::RATE_LIMIT_QUOTA_EXHAUSTED);
    assert_eq!(vague.public().message(), "Sorry");
    let told = result(json!("permission denied"), body.clone());
    assert_eq!(told.code(), codes::PERMISSION_DENIED);
    assert_eq!(
        told.public().details().get("structured_content"),
        Some(&body)
    );
    let unknown = result(Value::Null, json!({"why": "boom"}));
    assert_eq!(rule(&unknown), "default.unclassified");
}

#[test]
fn a_document_of_ours_behind_words_is_read_as_one() {
    let fault = text(
        r#"Call failed: {"success": false, "error": {"code": "NOT_FOUND_RESOURCE", "message": "gone"}}"#,
    );
    assert_eq!(fault.code(), codes::NOT_FOUND_RESOURCE);
    let by = fault.public().provenance().expect("a rule");
    assert_eq!(
        (&*by.rule, by.confidence),
        ("json.document", Confidence::Exact)
    );
}

#[test]
fn what_a_tool_tells_of_is_never_the_gateways_doing() {
    for said in [
        "circuit breaker is open",
        "Slack is not configured",
        "too many connections",
    ] {
        let fault = text(said);
        assert_ne!(fault.public().origin(), Origin::Gateway, "{said}");
    }
    assert_eq!(text("Unknown tool: x").public().origin(), Origin::Caller);
}

/// What programs and libraries behind tools say.
#[rustfmt::skip]
const BEHIND: &[(&str, &str)] = &[
    ("HTTPStatusError: Client error '404 Not Found' for url 'https://api.example.com/x'", "NOT_FOUND_RESOURCE"),
    (
        "failed to create pull request: POST https://api.github.com/repos/a/b/pulls: 422 Validation Failed [{Resource:PullRequest Field: Code:custom Message:A pull request already exists for a:b.}]",
        "CONFLICT_ALREADY_EXISTS",
    ),
    ("GraphQL: Could not resolve to a Repository with the name 'a/b'. (repository)", "NOT_FOUND_RESOURCE"),
    ("ERROR: canceling statement due to statement timeout", "UNAVAILABLE_TIMEOUT"),
    (r#"ERROR: null value in column "name" violates not-null constraint"#, "VALIDATION_MISSING_PARAM"),
    ("ERROR 1045 (28000): Access denied for user 'root'@'localhost' (using password: YES)", "AUTHENTICATION_INVALID_CREDENTIALS"),
    ("MongoServerError: E11000 duplicate key error collection: test.users", "CONFLICT_ALREADY_EXISTS"),
    ("NOAUTH Authentication required.", "AUTHENTICATION_REQUIRED"),
    ("fatal: remote origin already exists.", "CONFLICT_ALREADY_EXISTS"),
    ("docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?", "UNAVAILABLE_NETWORK"),
    (r#"Error from server (NotFound): pods "x" not found"#, "NOT_FOUND_RESOURCE"),
    (r#"Error from server (Forbidden): pods is forbidden: User "a" cannot list resource "pods""#, "PERMISSION_DENIED"),
    ("The connection to the server localhost:8080 was refused - did you specify the right host or port?", "UNAVAILABLE_NETWORK"),
    ("An error occurred (ThrottlingException) when calling the X operation: Rate exceeded", "RATE_LIMIT_EXCEEDED"),
    ("An error occurred (ExpiredToken) when calling the GetObject operation: The provided token has expired.", "AUTHENTICATION_EXPIRED"),
    (r#"Unable to locate credentials. You can configure credentials by running "aws configure"."#, "AUTHENTICATION_REQUIRED"),
    ("openai.RateLimitError: Error code: 429 - {'error': {'message': 'You exceeded your current quota'}}", "RATE_LIMIT_QUOTA_EXHAUSTED"),
    (
        "anthropic.APIStatusError: Error code: 529 - {'type': 'error', 'error': {'type': 'overloaded_error', 'message': 'Overloaded'}}",
        "UNAVAILABLE_OVERLOADED",
    ),
    ("page.goto: net::ERR_NAME_NOT_RESOLVED at https://nope.example/", "UNAVAILABLE_NETWORK"),
    ("page.goto: Timeout 30000ms exceeded.", "UNAVAILABLE_TIMEOUT"),
    ("TypeError: unsupported operand type(s) for +: 'int' and 'str'", "INTERNAL_ERROR"),
    ("IsADirectoryError: [Errno 21] Is a directory: '/tmp'", "VALIDATION_INVALID_VALUE"),
    ("ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed", "UNAVAILABLE_TLS"),
    ("panic: runtime error: invalid memory address or nil pointer dereference", "INTERNAL_ERROR"),
    ("rpc error: code = DeadlineExceeded desc = context deadline exceeded", "UNAVAILABLE_TIMEOUT"),
    ("rpc error: code = PermissionDenied desc = no access", "PERMISSION_DENIED"),
    ("Maximum call stack size exceeded", "INTERNAL_ERROR"),
    ("You have reached your API request limit. Please upgrade.", "RATE_LIMIT_QUOTA_EXHAUSTED"),
    ("API key not found", "AUTHENTICATION_REQUIRED"),
    ("Monthly limit exceeded", "RATE_LIMIT_QUOTA_EXHAUSTED"),
    ("Insufficient credits", "BUSINESS_INSUFFICIENT_BALANCE"),
    ("Received 3 errors while processing", "INTERNAL_UNKNOWN"),
    ("OK: 200 records, 0 errors", "INTERNAL_UNKNOWN"),
    ("Retry limit exceeded", "INTERNAL_UNKNOWN"),
    ("Command failed with exit code 1", "INTERNAL_UNKNOWN"),
];

#[test]
fn what_programs_behind_tools_say_is_understood() {
    let wrong = BEHIND
        .iter()
        .filter(|(said, code)| text(said).code().name() != *code)
        .map(|(said, code)| format!("{said}\n  want {code}, have {}", text(said).code().name()));
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
