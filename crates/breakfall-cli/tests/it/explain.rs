//! Pages of rows.

use std::time::Duration;

use breakfall::Fault;
use serde_json::{Value, json};
use snapbox::str;

use crate::{breakfall, json, run, stdout};

#[test]
fn a_code_has_a_page() {
    breakfall(&["explain", "VALIDATION_MISSING_PARAM"])
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
VALIDATION_MISSING_PARAM  validation

The call lacks a parameter the operation cannot do without.

When      A parameter the schema marks as required is absent from the arguments.
Message   Missing required parameter '{param_name}'
          without values: Missing required parameter
Details   param_name  string, required  The name of the missing parameter.
          operation   string            The operation that needs it.
Fix       Add '{param_name}' to the arguments, then call again.
          without values: Add the missing parameter to the arguments, then call again.
User      Some required information is missing.
Retry     after_change: only when something about the call, or around it, has changed
Unless    retry_after  after: when that wait is over
Recovery  CHECK_INPUT: check_input_format, get_schema_info
Origin    caller
Protocol  HTTP 400, JSON-RPC -32602, gRPC INVALID_ARGUMENT
Status    mvp since 0.1.0: in MCP-AQL's first registry, stable here
Names     response-v2  MISSING_REQUIRED, type validation
          mcp-error    VALIDATION_FAILED
          error-model  2002 MISSING_REQUIRED_FIELD
          tool-error   CLIENT_ERROR
          mcp-aql      VALIDATION_MISSING_PARAM
          problem      urn:breakfall:code:VALIDATION_MISSING_PARAM

"#]]);
}

#[test]
fn a_number_leads_to_every_code_it_stands_for() {
    breakfall(&["explain", "3001"])
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
3001  stands for
  error-model  RATE_LIMIT_EXCEEDED; also RATE_LIMIT_QUOTA_PAUSE, RATE_LIMIT_QUOTA_EXHAUSTED

RATE_LIMIT_EXCEEDED  rate_limit

Too many calls in too short a time. The same call will work once the window has moved on.

When      The limiter in between or the target itself refuses a call, usually with HTTP 429.
Message   Rate limit exceeded: {limit} requests per {window}
          in mcp-aql: API rate limit exceeded
Details   limit                integer, required    How many calls the window allows.
          remaining            integer, required    How many are left, usually none.
          window               string, required     The length of the window. One of second, minute,
                                                    hour, day.
          resets_at            timestamp, required  When the window resets.
          retry_after_seconds  integer, required    Whole seconds to wait before the next try.
Fix       Wait {retry_after_seconds} seconds before retrying.
          without values: Wait for the limit to reset before retrying.
User      Too many requests were made; please try again in a moment.
Retry     after: after the wait the error states; with backoff if it states none
Unless    executed: unknown  never: The call may or may not have taken effect. Look first, and call
                             again only if it has not.
Recovery  RETRY_LATER: wait_and_retry, use_cached_data
Origin    caller
Protocol  HTTP 429, gRPC RESOURCE_EXHAUSTED
Status    phase1 since 0.1.0: in MCP-AQL's registry of trust, limits and tokens, stable here
Names     response-v2  RATE_LIMIT_EXCEEDED, type rate_limit
          mcp-error    RATE_LIMITED
          error-model  3001 RATE_LIMIT_EXCEEDED
          tool-error   CLIENT_ERROR
          mcp-aql      RATE_LIMIT_EXCEEDED
          problem      urn:breakfall:code:RATE_LIMIT_EXCEEDED

"#]]);
}

#[test]
fn a_name_that_means_two_things_shows_both_and_says_where() {
    breakfall(&["explain", "token_expired"])
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
TOKEN_EXPIRED  stands for several codes
  native, mcp-aql  TOKEN_EXPIRED
  response-v2      AUTHENTICATION_EXPIRED

TOKEN_EXPIRED  confirmation

The confirmation token was real and its time is over. Expired credentials are
AUTHENTICATION_EXPIRED.

When      A token is presented after its expiry, clock tolerance included.
Message   Confirmation token has expired
Details   token         string, required     The token that was presented.
          expired_at    timestamp, required  When it expired.
          current_time  timestamp, required  The server's time when it was presented.
Fix       Drop the expired token, ask a person to approve once more, and use the new token in time.
User      The approval came too late; please approve again.
Retry     after_change: only when something about the call, or around it, has changed
Unless    retry_after  after: when that wait is over
Recovery  REPORT_TO_USER: escalate_to_human
Origin    caller
Protocol  HTTP 403, gRPC FAILED_PRECONDITION
Status    phase1 since 0.1.0: in MCP-AQL's registry of trust, limits and tokens, stable here
Names     response-v2  PERMISSION_DENIED, type authorization
          mcp-error    OPERATION_NOT_ALLOWED
          error-model  4001 ADAPTER_ERROR
          tool-error   CLIENT_ERROR
          mcp-aql      TOKEN_EXPIRED
          problem      urn:breakfall:code:TOKEN_EXPIRED

AUTHENTICATION_EXPIRED  authentication

The credentials were good once and are no longer. Not to be confused with TOKEN_EXPIRED, which is
about confirmation tokens.

When      An access token or session is past its end of life.
Message   Authentication expired: credentials for '{service}' are no longer valid
          without values: Authentication expired: credentials are no longer valid
Details   service      string     The service that was called.
          expired_at   timestamp  When the credentials expired.
          http_status  integer    The HTTP status the target answered with.
Fix       Refresh the access token or sign in again, then call again.
User      Your sign-in has expired; please sign in again.
Retry     after_change: only when something about the call, or around it, has changed
Unless    retry_after  after: when that wait is over
Recovery  REPORT_TO_USER: refresh_token, reauthenticate
Origin    caller
Protocol  HTTP 401, gRPC UNAUTHENTICATED
Status    extension since 0.1.0: an extension of Breakfall, stable
Names     response-v2  TOKEN_EXPIRED, type authentication
          mcp-error    UNAUTHORIZED
          error-model  4001 ADAPTER_ERROR
          tool-error   AUTHENTICATION_ERROR
          mcp-aql      PERMISSION_DENIED
          problem      urn:breakfall:code:AUTHENTICATION_EXPIRED

"#]]);
}

#[test]
fn a_native_name_others_use_for_more_tells_so_at_the_end() {
    breakfall(&["explain", "CONFLICT_ALREADY_EXISTS"])
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
CONFLICT_ALREADY_EXISTS  conflict

What the call wants to create is there already.

When      A creation meets an existing resource with the same name or key.
Message   Resource '{resource_type}' already exists: '{resource_id}'
          without values: Resource already exists
Details   resource_type  string   What kind of thing it is.
          resource_id    string   Its identifier.
          http_status    integer  The HTTP status the target answered with.
Fix       Use the existing {resource_type} '{resource_id}', or create one under another name.
          without values: Use the existing resource, or create one under another name.
User      This already exists.
Retry     never: the same call will not succeed
Unless    retry_after  after: when that wait is over
Recovery  TRY_ALTERNATIVE: get_existing_result, skip_operation
Origin    caller
Protocol  HTTP 409, gRPC ALREADY_EXISTS
Status    future since 0.1.0: announced by MCP-AQL, stable here
Names     response-v2  RESOURCE_ALREADY_EXISTS, type conflict
          mcp-error    DUPLICATE_OPERATION
          error-model  4001 ADAPTER_ERROR
          tool-error   CLIENT_ERROR
          mcp-aql      CONFLICT_ALREADY_EXISTS, strict VALIDATION_INVALID_TYPE
          problem      urn:breakfall:code:CONFLICT_ALREADY_EXISTS
Also      mcp-aql  CONFLICT_DUPLICATE_OPERATION

"#]]);
}

#[test]
fn a_code_that_is_a_question_says_so() {
    breakfall(&["explain", "RATE_LIMIT_QUOTA_PAUSE"])
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
RATE_LIMIT_QUOTA_PAUSE  rate_limit

A quota has reached the point where a person should decide whether to go on.

When      Usage reaches the pause threshold and stays below the hard stop.
Message   Quota pause threshold reached
Details   metric               string, required     The metric that is counted, for example
                                                    requests_per_hour.
          current              number, required     Usage so far.
          pause_threshold      number, required     Where the pause begins.
          hard_stop_threshold  number               Where everything stops, if there is such a
                                                    point.
          confirmation_token   string, required     The token to send along once a person has
                                                    agreed.
          expires_at           timestamp, required  When the token expires.
Fix       Ask a person whether to go on; then send the same call with the token in '_quota_continue'
          before {expires_at}.
          without values: Ask a person whether to go on; then send the same call with the token in
          '_quota_continue'.
User      Your usage budget is nearly spent; do you want to go on?
Retry     after_change: only when something about the call, or around it, has changed
Recovery  REPORT_TO_USER: escalate_to_human
Origin    caller
Protocol  HTTP 429, gRPC RESOURCE_EXHAUSTED
Status    phase1 since 0.1.0: in MCP-AQL's registry of trust, limits and tokens, stable here
Names     response-v2  QUOTA_EXCEEDED, type rate_limit
          mcp-error    RATE_LIMITED
          error-model  3001 RATE_LIMIT_EXCEEDED
          tool-error   needsInput:v1, field _quota_continue
          mcp-aql      RATE_LIMIT_QUOTA_PAUSE
          problem      urn:breakfall:code:RATE_LIMIT_QUOTA_PAUSE

"#]]);
}

#[test]
fn a_warning_has_a_page() {
    breakfall(&["explain", "content_dropped"])
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
CONTENT_DROPPED  warning, rides on a success

Whole items were left out of the result.

When      Single items are dropped because the result would be too large with them.
Phase     Content Assembly
Message   Left out '{dropped_count}' item(s) to fit the size limit
          without values: Some items were left out to fit the size limit
Severity  info: Log it; no action is needed.
Context   dropped_count  integer, required  How many items are missing.
          dropped_ids    strings            Which ones, to fetch them singly.
          reason         string             Why, for example token_budget_exceeded.
Names     response-v2  CONTENT_DROPPED
          mcp-aql      CONTENT_DROPPED, severity low
Source    response-v2

"#]]);
}

#[test]
fn numbers_of_protocols_are_understood() {
    for (number, code) in [
        ("-32602", "VALIDATION_INVALID_VALUE"),
        ("-32601", "NOT_FOUND_OPERATION"),
        ("429", "RATE_LIMIT_EXCEEDED"),
        ("504", "UNAVAILABLE_TIMEOUT"),
    ] {
        let answer = json(breakfall(&["explain", number, "--json"]));
        assert_eq!(answer["rows"][0]["name"], code, "{number}");
    }
}

#[test]
fn a_parse_error_says_what_could_not_be_read() {
    let page = stdout(breakfall(&["explain", "-32700"]));
    let head: Vec<&str> = page.lines().take(2).collect();
    assert_eq!(
        head,
        [
            "-32700  JSON-RPC parse error: the frame is not JSON, or not UTF-8; stands for",
            "  JSON-RPC  VALIDATION_INVALID_VALUE; also VALIDATION_INVALID_ENCODING",
        ]
    );
}

#[test]
fn a_page_names_the_fields_with_which_an_answer_says_otherwise() {
    let page = stdout(breakfall(&["explain", "UNAVAILABLE_TIMEOUT"]));
    let unless = "Unless    executed: unknown  never: The call may or may not have taken effect.";
    assert!(page.contains(unless), "{page}");
    let answer = json(breakfall(&["explain", "--json", "UNAVAILABLE_TIMEOUT"]));
    let timeout = Fault::timeout("pay", Duration::from_secs(30)).maybe_executed();
    let exception = &answer["rows"][0]["retry_exceptions"][0];
    assert_eq!(exception["field"], "executed: unknown");
    assert_eq!(exception["retry"], timeout.public().retry().as_str());
    assert_eq!(exception["remediation"], &*timeout.public().remediation());
    let answer = json(breakfall(&["explain", "--json", "CONFIRMATION_REQUIRED"]));
    assert_eq!(answer["rows"][0]["retry_exceptions"], json!([]));
}

#[test]
fn json_has_everything_the_page_has() {
    let answer = json(breakfall(&["explain", "--json", "2002"]));
    let row = &answer["rows"][0];
    assert_eq!(answer["query"], "2002");
    assert_eq!(
        answer["meanings"],
        json!([{"formats": ["error-model"], "code": "VALIDATION_MISSING_PARAM", "also": []}])
    );
    let keys: Vec<&String> = row
        .as_object()
        .map(|row| row.keys().collect())
        .unwrap_or_default();
    assert_eq!(
        keys,
        [
            "category",
            "details",
            "grpc_status",
            "http_status",
            "json_rpc_code",
            "kind",
            "meaning",
            "message",
            "name",
            "names",
            "origin",
            "recovery_actions",
            "recovery_hint",
            "recovery_hint_with_fallback",
            "remediation",
            "retry",
            "retry_exceptions",
            "retryable",
            "severity",
            "since",
            "status",
            "user_message",
            "when"
        ]
    );
    assert_eq!(
        row["names"],
        json!({
            "native": "VALIDATION_MISSING_PARAM",
            "response-v2": {"error_code": "MISSING_REQUIRED", "error_type": "validation"},
            "mcp-error": "VALIDATION_FAILED",
            "error-model": {"code": 2002, "name": "MISSING_REQUIRED_FIELD"},
            "tool-error": {"kind": "toolError:v1", "code": "CLIENT_ERROR"},
            "mcp-aql": {"code": "VALIDATION_MISSING_PARAM", "strict": "VALIDATION_MISSING_PARAM"},
            "problem": "urn:breakfall:code:VALIDATION_MISSING_PARAM"
        })
    );
    assert_eq!(row["details"][0]["required"], true);
    assert_eq!(row["json_rpc_code"], -32602);
}

#[test]
fn json_of_a_name_with_two_meanings_has_both_rows() {
    let answer = json(breakfall(&["explain", "--json", "TOKEN_EXPIRED"]));
    let names: Vec<&Value> = answer["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row["name"])
        .collect();
    assert_eq!(names, ["TOKEN_EXPIRED", "AUTHENTICATION_EXPIRED"]);
    assert_eq!(answer["meanings"][1]["formats"], json!(["response-v2"]));
}

#[test]
fn json_of_a_warning_is_marked_as_one() {
    let answer = json(breakfall(&[
        "explain",
        "--json",
        "rate_limit_quota_warning",
    ]));
    let row = &answer["rows"][0];
    assert_eq!(
        (&row["kind"], &row["severity"]),
        (&json!("warning"), &json!("warning"))
    );
    assert_eq!(row["names"]["response-v2"], "RATE_LIMIT_APPROACHING");
}

#[test]
fn a_typo_gets_a_suggestion() {
    breakfall(&["explain", "VALIDATION_MISING_PARAM"])
        .assert()
        .code(2)
        .stdout_eq("")
        .stderr_eq(str![[r#"
error: unknown code 'VALIDATION_MISING_PARAM'; did you mean VALIDATION_MISSING_PARAM?
  hint: list the codes with: breakfall explain --list

"#]]);
}

#[test]
fn colour_is_for_those_who_ask() {
    let page = |key: &str| run(breakfall(&["explain", "TIMEOUT"]).env(key, "1")).stdout;
    let escape = b'\x1b';
    assert!(page("CLICOLOR_FORCE").contains(&escape));
    assert!(!page("NO_COLOR").contains(&escape));
    let plain = run(breakfall(&["explain", "TIMEOUT"])).stdout;
    assert!(!plain.contains(&escape));
}

#[test]
fn no_line_of_a_page_is_wider_than_a_hundred_characters() {
    let list = json(breakfall(&["explain", "--list", "--json"]));
    let rows = list.as_array().unwrap();
    // The widest pages are those with the longest keys and texts; any will do, so take one of each category.
    let mut seen: Vec<&Value> = Vec::new();
    for row in rows {
        if seen.contains(&&row["category"]) {
            continue;
        }
        seen.push(&row["category"]);
        let page = run(breakfall(&["explain", row["name"].as_str().unwrap()])).stdout;
        let page = String::from_utf8(page).unwrap();
        for line in page.lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }
    assert_eq!(seen.len(), 10);
}

#[test]
fn a_page_shows_what_callers_who_read_a_language_are_told() {
    let page = stdout(breakfall(&[
        "explain",
        "VALIDATION_MISSING_PARAM",
        "--language",
        "es",
    ]));
    let lines: Vec<&str> = page.lines().collect();
    let at = lines
        .iter()
        .position(|line| line.starts_with("In es "))
        .unwrap();
    assert_eq!(
        lines[at..at + 3],
        [
            "In es     Falta el parámetro requerido '{param_name}'",
            "          Añadir '{param_name}' a los argumentos y repetir la llamada.",
            "          Faltan datos necesarios.",
        ]
    );
    let english = stdout(breakfall(&["explain", "VALIDATION_MISSING_PARAM"]));
    let rest: Vec<&str> = lines[..at]
        .iter()
        .chain(&lines[at + 3..])
        .copied()
        .collect();
    assert_eq!(
        rest,
        english.lines().collect::<Vec<_>>(),
        "the operator's text is English"
    );
}

#[test]
fn json_has_the_language_beside_the_row() {
    let answer = json(breakfall(&[
        "explain",
        "STALE_CACHE",
        "--json",
        "--language",
        "ja",
    ]));
    let translation = &answer["rows"][0]["translation"];
    assert_eq!(
        *translation,
        json!({
            "language": "ja",
            "message": "結果が古い可能性があります：キャッシュは'{age_seconds}'秒前のものです",
        })
    );
    let answer = json(breakfall(&["explain", "STALE_CACHE", "--json"]));
    assert_eq!(answer["rows"][0].get("translation"), None);
}

#[test]
fn a_language_we_do_not_have_is_refused_with_those_we_have() {
    let output = run(breakfall(&["explain", "STALE_CACHE", "--language", "fr"]));
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("[possible values: en, es, de, ja]"), "{said}");
}
