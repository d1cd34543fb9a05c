//! Whatever comes: no panic, bounded text, no control characters, and a rule that says why.

use breakfall::classify::exit::{self, Exit};
use breakfall::classify::http::{Failure, fault, graphql, unreadable};
use breakfall::classify::rpc::{self, Call};
use breakfall::{Confidence, Fault, Timestamp};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use serde_json::{Value, json};

fn config() -> Config {
    Config {
        cases: 512,
        rng_seed: RngSeed::Fixed(20_260_728),
        failure_persistence: None,
        ..Config::default()
    }
}

fn check(fault: &Fault) -> Result<(), TestCaseError> {
    let public = fault.public();
    let message = public.message();
    prop_assert!(!message.trim().is_empty());
    // A document of ours says what it says.
    let sure = public.provenance().map(|from| from.confidence);
    if sure.is_some_and(|sure| sure != Confidence::Exact) {
        prop_assert!(message.chars().count() <= 1001);
        let hidden = |c: char| c.is_control() && c != '\n' && c != '\t';
        prop_assert!(!message.contains(hidden), "{message:?}");
        prop_assert!(public.violations().len() <= 50);
    }
    prop_assert!(fault.report().to_string().chars().count() <= 20_000);
    Ok(())
}

/// Keys and words that error bodies are made of, so that chance finds the shapes.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(
            [
                "error",
                "errors",
                "message",
                "detail",
                "code",
                "type",
                "status",
                "title",
                "data",
                "loc",
                "msg",
                "path",
                "field",
                "extensions",
                "details",
                "@type",
                "retryDelay",
                "fieldViolations",
                "source",
                "pointer",
                "jsonrpc",
                "success",
                "kind",
                "toolError:v1",
                "retry_after",
                "__type",
                "Code",
                "Message",
                "input",
                "uri",
                "supported",
                "type.googleapis.com/google.rpc.BadRequest",
                "NOT_FOUND",
                "missing",
                "MCP error -32602: x",
                "rate limit exceeded",
                "error_description",
                "category",
                "retry",
            ]
            .as_slice()
        )
        .prop_map(str::to_owned),
        "\\PC{0,20}",
        any::<String>(),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-33_000_i64..6000).prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((word(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn header_name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(
        [
            "retry-after",
            "retry-after-ms",
            "x-ratelimit-reset",
            "x-ratelimit-remaining",
            "x-ratelimit-limit",
            "ratelimit",
            "ratelimit-policy",
            "x-ratelimit-reset-tokens",
            "www-authenticate",
            "content-type",
            "x-request-id",
            "anthropic-ratelimit-tokens-reset",
        ]
        .as_slice(),
    )
}

fn header_value() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..40),
        "[0-9.,;=\"rtqwhms -]{0,40}".prop_map(String::into_bytes),
        "[A-Z][a-z]{2}, [0-9]{1,2} [A-Z][a-z]{2} [0-9]{1,5} [0-9:]{1,9} GMT"
            .prop_map(String::into_bytes),
    ]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_http_answer_becomes_a_fault(
        status in any::<u16>().prop_map(|n| if n % 3 == 0 { n } else { 400 + n % 200 }),
        headers in prop::collection::vec((header_name(), header_value()), 0..6),
        body in prop_oneof![
            value().prop_map(|body| body.to_string().into_bytes()),
            prop::collection::vec(any::<u8>(), 0..200),
            "(<html>)?<(title|h1|code|Message)[ >]\\PC{0,40}(</title>)?".prop_map(String::into_bytes),
        ],
        now in -9_000_000_000_i64..9_000_000_000,
    ) {
        let now = Timestamp::from_second(now).expect("within the calendar");
        let mut failure = Failure::new(status).body(&body);
        for (name, value) in &headers {
            failure = failure.header(name, value);
        }
        let fault = fault(&failure, now);
        check(&fault)?;
        prop_assert!(fault.public().provenance().is_some());
        check(&unreadable(&failure, now))?;
        if let Some(fault) = graphql(&failure, now) {
            check(&fault)?;
        }
    }

    #[test]
    fn any_rpc_error_becomes_a_fault(error in value(), code in any::<i64>(), data in value(), message in word()) {
        for error in [error, json!({"code": code % 40_000, "message": message, "data": data})] {
            let call = Call::new().method("tools/call").name("x");
            check(&rpc::fault(&error, &call))?;
        }
    }

    #[test]
    fn any_end_of_a_process_becomes_a_fault(code in any::<i32>(), stderr in prop::collection::vec(any::<u8>(), 0..300)) {
        check(&exit::fault(&Exit::code(code).stderr(&stderr)))?;
        check(&exit::fault(&Exit::signal(code).stderr(&stderr).during_start()))?;
    }
}
