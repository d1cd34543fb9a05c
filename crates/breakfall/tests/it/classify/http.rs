//! HTTP: the status, refined by body and headers.

use std::time::Duration;

use breakfall::classify::http::{Failure, fault, graphql, unreadable};
use breakfall::classify::status::code_for_status;
use breakfall::wire::{Dialect, Options};
use breakfall::{Confidence, Fault, Origin, Outcome, Retry, codes};
use serde_json::{Value, json};

use super::{now, verdict};
use Confidence::{Default as Guess, Exact, Structural, Textual};

use crate::sample::document_of;

fn of(status: u16, body: &str) -> Fault {
    fault(&Failure::new(status).body(body), now())
}

#[test]
fn without_a_body_the_status_decides() {
    for status in 400..600 {
        let fault = of(status, "");
        let (code, rule, sure) = verdict(&fault);
        assert_eq!(code, code_for_status(status).name());
        assert_eq!(rule, format!("http.{status}"));
        assert!(matches!(sure, Structural | Guess), "{status}");
        assert_eq!(fault.public().http_status(), Some(status));
    }
    assert_eq!(verdict(&of(418, "")).2, Guess);
    assert_eq!(of(418, "").public().message(), "418 I'm a Teapot");
    assert_eq!(of(400, "").public().message(), "400 Bad Request");
    assert_eq!(of(404, "").public().message(), "Resource not found");
    assert_eq!(of(404, "null").public().message(), "Resource not found");
    assert_eq!(
        of(407, "").public().message(),
        "407 Proxy Authentication Required"
    );
    for strange in [0, 99, 200, 302, 600, u16::MAX] {
        assert_eq!(of(strange, "").code(), codes::INTERNAL_UNKNOWN, "{strange}");
    }
}

/// Status, body, code, rule, confidence.
#[rustfmt::skip]
const REFINED: &[(u16, &str, &str, &str, Confidence)] = &[
    (
        400,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}"#,
        "BUSINESS_INSUFFICIENT_BALANCE",
        "http.400.text.balance",
        Textual,
    ),
    (400, r#"{"__type":"com.amazonaws.x#ThrottlingException","message":"Rate exceeded"}"#, "RATE_LIMIT_EXCEEDED", "http.400.amazon", Structural),
    (400, r#"{"error":"invalid_grant","error_description":"Bad code"}"#, "AUTHENTICATION_INVALID_CREDENTIALS", "http.400.oauth", Structural),
    (400, r#"{"error":{"code":"ORDER_NOT_FOUND","message":"no order 7"}}"#, "NOT_FOUND_RESOURCE", "http.400.name", Textual),
    (
        422,
        r#"{"detail":[{"type":"missing","loc":["body","email"],"msg":"Field required"}]}"#,
        "VALIDATION_MISSING_PARAM",
        "http.422.fastapi",
        Structural,
    ),
    (
        422,
        r#"{"detail":[{"type":"int_parsing","loc":["query","n"],"msg":"not an integer"}]}"#,
        "VALIDATION_INVALID_TYPE",
        "http.422.fastapi",
        Structural,
    ),
    (
        422,
        r#"{"message":"Validation Failed","errors":[{"resource":"Label","field":"name","code":"already_exists"}]}"#,
        "CONFLICT_ALREADY_EXISTS",
        "http.422.errors",
        Structural,
    ),
    (
        403,
        r#"{"error":{"errors":[{"reason":"userRateLimitExceeded"}],"code":403,"message":"Limit"}}"#,
        "RATE_LIMIT_EXCEEDED",
        "http.403.google-rpc",
        Structural,
    ),
    (403, r#"{"message":"API rate limit exceeded for user 7."}"#, "RATE_LIMIT_EXCEEDED", "", Textual),
    (
        429,
        r#"{"error":{"message":"You exceeded your quota","type":"insufficient_quota","code":"insufficient_quota"}}"#,
        "RATE_LIMIT_QUOTA_EXHAUSTED",
        "http.429.error-object",
        Structural,
    ),
    (429, r#"{"type":"error","error":{"type":"api_error","message":"Try later"}}"#, "RATE_LIMIT_EXCEEDED", "http.429", Structural),
    (
        529,
        r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
        "UNAVAILABLE_OVERLOADED",
        "http.529.error-object",
        Structural,
    ),
    (
        404,
        r#"<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Message>No such key</Message></Error>"#,
        "NOT_FOUND_RESOURCE",
        "http.404.xml",
        Structural,
    ),
    (502, "<html><head><title>502 Bad Gateway</title></head></html>", "UNAVAILABLE_DEPENDENCY", "http.502", Structural),
    (500, r#"{"message":"Invalid value for field email"}"#, "INTERNAL_ERROR", "http.500", Structural),
    (404, r#"{"success":false,"error":"User not found"}"#, "NOT_FOUND_RESOURCE", "http.404", Structural),
    (404, r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}"#, "NOT_FOUND_OPERATION", "rpc.-32601", Structural),
    (400, r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"Header mismatch"}}"#, "VALIDATION_INVALID_VALUE", "rpc.-32020", Structural),
    (
        413,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Payload too big"}}"#,
        "VALIDATION_PAYLOAD_TOO_LARGE",
        "http.413",
        Structural,
    ),
    (407, "<html><title>Invalid credentials</title></html>", "INTERNAL_CONFIGURATION", "http.407", Structural),
    (421, r#"{"error":{"code":"INVALID_REQUEST","message":"Invalid value for field host"}}"#, "INTERNAL_CONFIGURATION", "http.421", Structural),
    (426, r#"{"message":"Missing required parameter: upgrade"}"#, "INTERNAL_CONFIGURATION", "http.426", Structural),
    (431, "Request header or cookie too large", "INTERNAL_CONFIGURATION", "http.431", Structural),
    (404, r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Session not found"}}"#, "NOT_FOUND_RESOURCE", "http.404", Structural),
];

#[test]
fn the_body_refines_the_status() {
    testing::proves!("S4-64");
    let mut wrong = Vec::new();
    for (status, body, code, rule, sure) in REFINED {
        let fault = of(*status, body);
        let have = verdict(&fault);
        // The name of a rule for words belongs to those rules.
        let rule = if rule.is_empty() { have.1 } else { rule };
        if have != (*code, rule, *sure) {
            wrong.push(format!(
                "{status} {body}\n  want {code} {rule} {sure:?}\n  have {have:?}"
            ));
        }
        assert_eq!(fault.public().http_status(), Some(*status));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Status, words of the body, code: what only words can tell.
#[rustfmt::skip]
const WORDED: &[(u16, &str, &str)] = &[
    (409, "A user with this name already exists", "CONFLICT_ALREADY_EXISTS"),
    (409, "Version conflict: the document was modified", "CONFLICT_VERSION_MISMATCH"),
    (409, "Order is being shipped", "CONFLICT_INVALID_STATE"),
    (400, "Missing required parameter: email", "VALIDATION_MISSING_PARAM"),
    (400, "status must be one of: open, closed", "VALIDATION_INVALID_ENUM"),
    (400, "limit must be less than or equal to 100", "VALIDATION_OUT_OF_RANGE"),
    (400, "limit must be an integer", "VALIDATION_INVALID_TYPE"),
    (400, "Unknown parameter: foo", "VALIDATION_UNKNOWN_PARAM"),
    (400, "Order 7 not found", "NOT_FOUND_RESOURCE"),
    (400, "Nope", "VALIDATION_INVALID_VALUE"),
    (401, "Token has expired", "AUTHENTICATION_EXPIRED"),
    (401, "Invalid API key", "AUTHENTICATION_INVALID_CREDENTIALS"),
    (401, "Order 7 not found", "AUTHENTICATION_REQUIRED"),
    (403, "Request was throttled. Expected available in 7 seconds.", "RATE_LIMIT_EXCEEDED"),
    (403, "You have exceeded a secondary rate limit", "RATE_LIMIT_EXCEEDED"),
    (403, "Resource not accessible by integration", "PERMISSION_DENIED"),
    (404, "Too many requests", "NOT_FOUND_RESOURCE"),
    (429, "You exceeded your current quota, please check your plan", "RATE_LIMIT_QUOTA_EXHAUSTED"),
    (500, "connection to the database timed out", "UNAVAILABLE_TIMEOUT"),
    (500, "email is required", "INTERNAL_ERROR"),
    (503, "upstream connect error or disconnect/reset before headers", "UNAVAILABLE_DEPENDENCY"),
];

#[test]
fn words_refine_the_status_within_its_frame() {
    testing::proves!("S4-64");
    let mut wrong = Vec::new();
    for (status, words, code) in WORDED {
        for body in [json!({"message": words}).to_string(), (*words).to_owned()] {
            let fault = of(*status, &body);
            if fault.code().name() != *code {
                wrong.push(format!(
                    "{status} {body}: want {code}, have {:?}",
                    verdict(&fault)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn words_names_and_broken_rules_of_the_upstream_are_kept() {
    testing::proves!("S4-70");
    let fault = of(
        409,
        r#"{"errorCode":"CART_LOCKED","message":"The cart is being paid"}"#,
    );
    let public = fault.public();
    assert_eq!(public.message(), "The cart is being paid");
    assert_eq!(public.domain_code(), Some("CART_LOCKED"));
    assert_eq!(public.http_status(), Some(409));
    let fault = of(
        422,
        r#"{"detail":[{"type":"missing","loc":["body","user","email"],"msg":"Field required"},
            {"type":"missing","loc":["body","user","name"],"msg":"Field required"}]}"#,
    );
    let pointers: Vec<_> = fault
        .public()
        .violations()
        .iter()
        .map(breakfall::Violation::pointer)
        .collect();
    assert_eq!(pointers, ["/user/email", "/user/name"]);
    assert_eq!(
        fault.public().message(),
        "'user.email': Field required; 'user.name': Field required"
    );
    let page = of(
        503,
        "<html><title>Down for &amp; maintenance</title><body>a page of internals</body>",
    );
    assert_eq!(
        page.public().message(),
        "Down for & maintenance",
        "of a page its title, no more"
    );
    let plain = of(503, "no healthy upstream\nstack line 1\nstack line 2");
    assert_eq!(plain.public().message(), "no healthy upstream");
}

#[test]
fn what_else_was_answered_is_for_the_operator() {
    let fault = of(
        500,
        r#"{"message":"boom","stack":"at /srv/app/index.js:3"}"#,
    );
    let shown = document_of(&fault.into(), Dialect::Native, &Options::new()).to_string();
    assert!(!shown.contains("/srv/app"), "{shown}");
    let fault = of(
        500,
        r#"{"message":"boom","stack":"at /srv/app/index.js:3"}"#,
    );
    assert!(fault.report().to_string().contains("/srv/app/index.js:3"));
}

#[test]
fn a_document_of_ours_is_read_exactly_in_every_dialect() {
    let sent = Outcome::from(Fault::missing_param("owner").in_operation("get_repo"));
    for &dialect in Dialect::ALL {
        let body = document_of(&sent, dialect, &Options::new()).to_string();
        let read = of(400, &body);
        let (code, rule, sure) = verdict(&read);
        assert_eq!((rule, sure), ("http.400.document", Exact), "{dialect}");
        let wanted = breakfall::read(serde_json::from_str(&body).expect("JSON"));
        let wanted = wanted.outcome.fault().expect("a failure").code().name();
        assert_eq!(code, wanted, "{dialect}: as precise as the dialect is");
    }
}

type Headers = &'static [(&'static str, &'static str)];

/// Status, headers, the wait in milliseconds.
#[rustfmt::skip]
const WAITS: &[(u16, Headers, Option<u64>)] = &[
    (429, &[("Retry-After", "7")], Some(7000)),
    (429, &[("Retry-After", "1.5")], Some(1500)),
    (503, &[("retry-after", "Wed, 28 Jan 2026 12:02:00 GMT")], Some(120_000)),
    (503, &[("retry-after", "Wednesday, 28-Jan-26 12:02:00 GMT")], Some(120_000)),
    (503, &[("retry-after", "Wed Jan 28 12:02:00 2026")], Some(120_000)),
    (503, &[("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")], None),
    (429, &[("retry-after", "0")], None),
    (429, &[("retry-after", "-3")], None),
    (429, &[("retry-after", "NaN")], None),
    (429, &[("retry-after", "1769601660")], Some(60_000)),
    (429, &[("x-ms-retry-after-ms", "250"), ("retry-after", "1")], Some(250)),
    (429, &[("X-RateLimit-Reset", "1769601660")], Some(60_000)),
    (429, &[("X-RateLimit-Reset", "1769601660000")], Some(60_000)),
    (429, &[("X-RateLimit-Reset", "60")], Some(60_000)),
    (429, &[("X-RateLimit-Remaining", "12"), ("X-RateLimit-Reset", "60")], None),
    (429, &[("RateLimit", "\"default\";r=0;t=50")], Some(50_000)),
    (429, &[("RateLimit-Reset", "50")], Some(50_000)),
    (429, &[("x-ratelimit-reset-requests", "1m30s")], Some(90_000)),
    (404, &[("X-RateLimit-Reset", "60"), ("X-RateLimit-Remaining", "0")], None),
    (404, &[("Retry-After", "60")], None),
    (403, &[("Retry-After", "60")], Some(60_000)),
    (409, &[("Retry-After", "2")], Some(2000)),
    (413, &[("Retry-After", "2")], Some(2000)),
];

#[test]
fn the_wait_the_headers_ask_for_is_kept_where_waiting_helps() {
    for (status, headers, millis) in WAITS {
        let mut failure = Failure::new(*status);
        for (name, value) in *headers {
            failure = failure.header(name, value);
        }
        let fault = fault(&failure, now());
        let want = millis.map(Duration::from_millis);
        assert_eq!(fault.public().retry_after(), want, "{status} {headers:?}");
        assert_eq!(
            fault.public().retry() == Retry::After,
            want.is_some() || *status == 429,
            "{status} {headers:?}"
        );
    }
}

#[test]
fn an_absurd_wait_is_bounded() {
    let failure = Failure::new(429).header("retry-after", "999999999");
    let wait = fault(&failure, now()).public().retry_after();
    assert_eq!(wait, Some(Duration::from_secs(999_999_999)));
    let failure = Failure::new(429).header("retry-after-ms", "99999999999999999999");
    let wait = fault(&failure, now()).public().retry_after();
    assert_eq!(wait, Some(Duration::from_hours(100 * 365 * 24)));
    let failure = Failure::new(429).header("x-ratelimit-reset", "99999999999999999999999");
    assert_eq!(fault(&failure, now()).public().retry_after(), None);
}

#[test]
fn a_rate_limit_says_which_limit_it_was() {
    let failure = Failure::new(403)
        .header("X-RateLimit-Limit", "60")
        .header("X-RateLimit-Remaining", "0")
        .header("X-RateLimit-Reset", "1769601660")
        .header("RateLimit-Policy", "\"default\";q=60;w=3600")
        .header("X-GitHub-Request-Id", "E9D8:1F3A");
    let fault = fault(&failure, now());
    assert_eq!(
        verdict(&fault),
        ("RATE_LIMIT_EXCEEDED", "http.403.remaining", Structural)
    );
    let public = fault.public();
    assert_eq!(
        public.message(),
        "Rate limit exceeded: 60 requests per hour"
    );
    let detail = |key: &str| public.details().get(key).cloned().unwrap_or_default();
    assert_eq!(detail("limit"), 60);
    assert_eq!(detail("remaining"), 0);
    assert_eq!(detail("window"), "hour");
    assert_eq!(detail("resets_at"), "2026-01-28T12:01:00Z");
    assert_eq!(detail("upstream_request_id"), "E9D8:1F3A");
    assert_eq!(public.retry_after_seconds(), Some(60));
}

#[test]
fn headers_of_a_limit_that_was_not_hit_say_nothing() {
    let failure = Failure::new(404)
        .header("X-RateLimit-Limit", "60")
        .header("X-RateLimit-Remaining", "0");
    let fault = fault(&failure, now());
    assert_eq!(fault.code(), codes::NOT_FOUND_RESOURCE);
    assert!(
        fault.public().details().is_empty(),
        "{:?}",
        fault.public().details()
    );
}

#[test]
fn a_challenge_shows_its_scheme_and_tells_expired_from_missing() {
    let failure = Failure::new(401).header(
        "WWW-Authenticate",
        "Bearer realm=\"private.internal\", error=\"invalid_token\", error_description=\"The access token expired\"",
    );
    let fault = fault(&failure, now());
    assert_eq!(verdict(&fault).0, "AUTHENTICATION_EXPIRED");
    assert_eq!(fault.public().details().text("scheme"), Some("Bearer"));
    let shown = format!("{:?}", fault.public());
    assert!(!shown.contains("private.internal"), "{shown}");
    let basic = breakfall::classify::http::fault(
        &Failure::new(401).header("www-authenticate", "Basic realm=x"),
        now(),
    );
    assert_eq!(basic.code(), codes::AUTHENTICATION_REQUIRED);
}

#[test]
fn a_name_in_the_headers_is_as_good_as_one_in_the_body() {
    let of = |name: &str, value: &str, body: &str| {
        let failure = Failure::new(400).header(name, value).body(body);
        let fault = fault(&failure, now());
        let name = fault.public().domain_code().map(str::to_owned);
        (fault.code(), name)
    };
    let throttled = "ThrottlingException:http://internal.amazon.com/coral/";
    assert_eq!(
        of(
            "X-Amzn-ErrorType",
            throttled,
            r#"{"message":"Rate exceeded"}"#
        ),
        (
            codes::RATE_LIMIT_EXCEEDED,
            Some("ThrottlingException".to_owned())
        )
    );
    assert_eq!(
        of("x-ms-error-code", "BlobNotFoundX", ""),
        (codes::NOT_FOUND_RESOURCE, Some("BlobNotFoundX".to_owned())),
        "a name nobody knows, by its words"
    );
    let (code, name) = of(
        "x-amzn-errortype",
        throttled,
        r#"{"__type":"AccessDeniedException"}"#,
    );
    assert_eq!(
        (code, name.as_deref()),
        (codes::PERMISSION_DENIED, Some("AccessDeniedException"))
    );
}

#[test]
fn who_answers_is_the_upstream() {
    let fault = of(
        529,
        r#"{"error":{"type":"overloaded_error","message":"Overloaded"}}"#,
    );
    assert_eq!(fault.code(), codes::UNAVAILABLE_OVERLOADED);
    assert_eq!(fault.public().origin(), Origin::Upstream);
}

#[test]
fn what_is_locked_may_be_tried_again() {
    let fault = of(423, "");
    assert_eq!(fault.code(), codes::CONFLICT_INVALID_STATE);
    assert_eq!(fault.public().retry(), Retry::Backoff);
}

#[test]
fn details_of_google_become_ours() {
    let fault = of(
        429,
        r#"{"error":{"code":429,"message":"Quota exceeded","status":"RESOURCE_EXHAUSTED","details":[
            {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"7.5s"},
            {"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"subject":"project:1"}]},
            {"@type":"type.googleapis.com/google.rpc.Help","links":[{"url":"https://example.test/quota"}]}]}}"#,
    );
    let public = fault.public();
    assert_eq!(public.retry_after(), Some(Duration::from_millis(7500)));
    assert_eq!(public.details().text("metric"), Some("project:1"));
    assert_eq!(public.docs_url(), Some("https://example.test/quota"));
}

#[test]
fn an_answer_nobody_can_read_is_a_failure_of_the_upstream() {
    testing::proves!("S1-41");
    let body = format!("<html><body>{}</body></html>", "x".repeat(1000));
    let answer = Failure::new(200)
        .header("content-type", "text/html; charset=utf-8")
        .body(&body);
    let fault = unreadable(&answer, now());
    assert_eq!(
        verdict(&fault),
        ("INTERNAL_BAD_UPSTREAM", "http.unreadable", Structural)
    );
    let details = fault.public().details();
    assert_eq!(details.text("content_type"), Some("text/html"));
    let preview = details.text("preview").expect("a preview");
    assert_eq!(
        preview.chars().count(),
        201,
        "200 characters and a mark that there was more"
    );
    assert_eq!(fault.public().http_status(), Some(200));
}

#[test]
fn errors_of_graphql_come_with_a_successful_status() {
    let read = |body: &str| graphql(&Failure::new(200).body(body), now());
    let fault = read(
        r#"{"data":{"a":1},"errors":[{"message":"Not allowed","path":["b"],"extensions":{"code":"FORBIDDEN"}}]}"#,
    )
    .expect("an error");
    assert_eq!(
        verdict(&fault),
        ("PERMISSION_DENIED", "http.200.graphql", Structural)
    );
    let details = fault.public().details();
    assert_eq!(details.get("partial"), Some(&Value::Bool(true)));
    assert_eq!(details.get("path"), Some(&json!(["b"])));
    assert_eq!(fault.public().domain_code(), Some("FORBIDDEN"));
    for fine in [
        r#"{"data":{}}"#,
        r#"{"data":{},"errors":[]}"#,
        "[]",
        "no json",
        "",
    ] {
        assert!(read(fine).is_none(), "{fine}");
    }
    let silent = read(r#"{"errors":[{"message":"mystery","locations":[]}]}"#).expect("an error");
    assert_eq!(verdict(&silent), ("INTERNAL_UNKNOWN", "http.200", Guess));
}

/// Bodies and headers nobody should send.
#[test]
fn hostile_answers_are_read_in_bounded_time_and_never_shown_whole() {
    let huge = vec![b'{'; 50 << 20];
    let mut json = b"{\"message\":\"".to_vec();
    json.resize(50 << 20, b'x');
    json.extend(b"\"}");
    let deep = "[".repeat(60_000).into_bytes();
    let page = "<title".repeat(10_000_000).into_bytes();
    let tags = "<code>".repeat(10_000).into_bytes();
    let bytes: Vec<u8> = (0..=255).cycle().take(1 << 20).collect();
    let many = format!("{{\"errors\":[{}1]}}", "{\"message\":\"x\"},".repeat(3000)).into_bytes();
    let fields: Vec<_> = (0..2000)
        .map(|n| format!("\"f{n}\":[\"is bad\"]"))
        .collect();
    let fields = format!("{{{}}}", fields.join(","));
    for body in [
        huge,
        json,
        deep,
        page,
        tags,
        bytes,
        many,
        fields.into_bytes(),
    ] {
        for status in [400, 422, 500, 200] {
            let fault = fault(&Failure::new(status).body(&body), now());
            assert!(fault.public().message().chars().count() <= 1001, "{status}");
            assert!(fault.public().violations().len() <= 50);
            assert!(fault.report().to_string().len() <= 4 * 6000, "{status}");
            let _ = unreadable(&Failure::new(200).body(&body), now());
        }
    }
}
