//! Tools that fail in the words of servers people run.

use std::time::Duration;

use serde_json::{Value, json};

use super::{BehaviourHints, ShopCall, ShopOutcome, ShopTool, TourStop};
use crate::log_level::ShopLogLevel;
use crate::message::{failure, text};
use crate::shop::ShopState;

pub(crate) const FLAKY: ShopTool = ShopTool {
    name: "flaky_stock",
    title: "Ask the warehouse",
    description: "Fails two times out of three because a warehouse does not answer in time; trying again helps.",
    input: sku,
    tries: &[
        TourStop::fails("a failure that goes away: the third call succeeds")
            .given(r#"{"sku":"mat-01"}"#),
    ],
    run: flaky,
    ..ShopTool::READ_ONLY
};

pub(crate) const RATE_LIMITED: ShopTool = ShopTool {
    name: "rate_limited",
    title: "Ask too often",
    description: "Lets one call pass every seven seconds, and the first one comes too early.",
    tries: &[TourStop::fails("a rate limit that says when to come back")],
    run: rate_limited,
    ..ShopTool::READ_ONLY
};

pub(crate) const UNAUTHORIZED: ShopTool = ShopTool {
    name: "unauthorized",
    title: "Use an expired token",
    description: "Fails because a token has expired.",
    tries: &[TourStop::fails(
        "a failure that only the operator can put right",
    )],
    run: |_, _| ShopOutcome::Answer(failure(EXPIRED)),
    ..ShopTool::READ_ONLY
};

pub(crate) const FORBIDDEN: ShopTool = ShopTool {
    name: "forbidden",
    title: "Do what is not allowed",
    description: "Fails because of a missing permission.",
    tries: &[TourStop::fails("a failure that no repetition will help")],
    run: |_, _| ShopOutcome::Answer(failure("403 Forbidden: missing scope 'orders:export'")),
    ..ShopTool::READ_ONLY
};

pub(crate) const CUSTOMER: ShopTool = ShopTool {
    name: "find_customer",
    title: "Find a customer",
    description: "Finds no customer, and says so in JSON inside a text.",
    tries: &[TourStop::fails("an error object inside a text")],
    run: |_, _| ShopOutcome::Answer(failure(NO_CUSTOMER)),
    ..ShopTool::READ_ONLY
};

pub(crate) const UPSTREAM_DOWN: ShopTool = ShopTool {
    name: "upstream_down",
    title: "Ask a server that is down",
    description: "Fails because another server refuses the connection.",
    tries: &[TourStop::fails("the failure of another server")],
    run: |_, _| ShopOutcome::Answer(failure(DOWN)),
    ..ShopTool::READ_ONLY
};

pub(crate) const DISGUISED: ShopTool = ShopTool {
    name: "disguised_failure",
    title: "Fail in disguise",
    description: "Fails, but marks the answer as a success.",
    tries: &[TourStop::answers(
        "a success whose text begins with \"Error:\"",
    )],
    run: |_, _| {
        ShopOutcome::Answer(text(
            "Error: could not load the price list: no such table: prices",
        ))
    },
    ..ShopTool::READ_ONLY
};

pub(crate) const PYDANTIC: ShopTool = ShopTool {
    name: "pydantic_dump",
    title: "Book a courier",
    description: "Asks for more than its schema says and answers with the dump of a Python library.",
    hints: BehaviourHints::Adds,
    input: courier,
    tries: &[TourStop::fails("two mistakes in the words of pydantic")
        .given(r#"{"weight_kg":75,"day":"someday"}"#)],
    run: pydantic,
    ..ShopTool::READ_ONLY
};

pub(crate) const ZOD: ShopTool = ShopTool {
    name: "zod_dump",
    title: "Estimate shipping",
    description: "Asks for more than its schema says and answers with the dump of a TypeScript library.",
    input: courier,
    tries: &[TourStop::fails("two mistakes in the words of Zod")
        .given(r#"{"weight_kg":75,"day":"someday"}"#)],
    run: zod,
    ..ShopTool::READ_ONLY
};

fn sku() -> Value {
    json!({
        "type": "object",
        "properties": {"sku": {"type": "string"}},
        "required": ["sku"],
        "additionalProperties": false,
    })
}

fn flaky(shop: &mut ShopState, call: &ShopCall<'_>) -> ShopOutcome {
    let sku = call.text("sku").unwrap_or_default();
    let Some(stock) = shop.product(sku).map(|product| product.stock) else {
        return ShopOutcome::Answer(failure(format!("Product {sku} does not exist")));
    };
    shop.stock_calls += 1;
    ShopOutcome::Answer(if shop.stock_calls.is_multiple_of(3) {
        text(format!("{stock} of {sku} in the warehouse"))
    } else {
        shop.log(ShopLogLevel::Warning, "the warehouse did not answer");
        failure("Upstream request timed out after 5000 ms (warehouse-2)")
    })
}

fn rate_limited(shop: &mut ShopState, call: &ShopCall<'_>) -> ShopOutcome {
    let free = *shop.free_at.get_or_insert(call.now + PAUSE);
    if call.now >= free {
        shop.free_at = Some(call.now + PAUSE);
        return ShopOutcome::Answer(text("You were patient."));
    }
    let wait = (free - call.now).as_millis().div_ceil(1000);
    ShopOutcome::Answer(failure(format!(
        "429 Too Many Requests: rate limit exceeded. Retry-After: {wait}"
    )))
}

/// A schema that promises less than the tools want, as many do.
fn courier() -> Value {
    json!({
        "type": "object",
        "properties": {"weight_kg": {"type": "number"}, "day": {"type": "string"}},
        "required": ["weight_kg", "day"],
    })
}

/// What is wrong with the weight and the day of a call.
fn courier_problems(call: &ShopCall<'_>) -> (Option<f64>, Option<String>) {
    let weight = call.arguments["weight_kg"].as_f64().unwrap_or_default();
    let day = call.text("day").unwrap_or_default();
    let heavy = (weight > HEAVIEST).then_some(weight);
    let never = (!DAYS.contains(&day)).then(|| day.chars().take(40).collect());
    (heavy, never)
}

fn pydantic(_: &mut ShopState, call: &ShopCall<'_>) -> ShopOutcome {
    let (heavy, never) = courier_problems(call);
    let entry = |place: &str, words: &str, kind: &str, value: &str| {
        let link = format!("https://errors.pydantic.dev/2.12/v/{kind}");
        let input = format!("[type={kind}, input_value={value}]");
        format!("\n{place}\n  {words} {input}\n    For further information visit {link}")
    };
    let heavy = heavy.map(|weight| {
        let words = "Input should be less than or equal to 30";
        entry(
            "weight_kg",
            words,
            "less_than_equal",
            &format!("{weight}, input_type=float"),
        )
    });
    let never = never.map(|day| {
        let words = "Input should be 'mon', 'wed' or 'fri'";
        entry(
            "day",
            words,
            "literal_error",
            &format!("'{day}', input_type=str"),
        )
    });
    let problems: Vec<_> = heavy.into_iter().chain(never).collect();
    ShopOutcome::Answer(match problems.len() {
        0 => text("The courier is booked."),
        1 => failure(format!(
            "1 validation error for CourierArguments{}",
            problems[0]
        )),
        count => failure(format!(
            "{count} validation errors for CourierArguments{}",
            problems.concat()
        )),
    })
}

fn zod(_: &mut ShopState, call: &ShopCall<'_>) -> ShopOutcome {
    let (heavy, never) = courier_problems(call);
    let heavy = heavy.map(|_| {
        json!({
            "origin": "number",
            "code": "too_big",
            "maximum": HEAVIEST,
            "inclusive": true,
            "path": ["weight_kg"],
            "message": "Too big: expected number to be <=30",
        })
    });
    let never = never.map(|_| {
        json!({
            "code": "invalid_value",
            "values": DAYS,
            "path": ["day"],
            "message": "Invalid option: expected one of \"mon\"|\"wed\"|\"fri\"",
        })
    });
    let issues: Vec<_> = heavy.into_iter().chain(never).collect();
    if issues.is_empty() {
        return ShopOutcome::Answer(text("Shipping takes two days and costs 7.90 EUR."));
    }
    let issues = serde_json::to_string_pretty(&issues).expect("values become JSON");
    ShopOutcome::Answer(failure(issues))
}

const PAUSE: Duration = Duration::from_secs(7);
const HEAVIEST: f64 = 30.0;
const DAYS: [&str; 3] = ["mon", "wed", "fri"];
const EXPIRED: &str = "401 Unauthorized: the access token expired";
const NO_CUSTOMER: &str =
    r#"{"error": {"code": 404, "status": "NOT_FOUND", "message": "customer not found"}}"#;
const DOWN: &str =
    "Request failed: connect ECONNREFUSED 10.0.12.7:8443 (503 Service Unavailable from payments)";
