//! Tools that fail in the words of servers people run.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Call, Ends, Hints, Outcome, Tool, Try, nothing};
use crate::demo::log::Level;
use crate::demo::message::{failure, text};
use crate::demo::shop::Shop;

pub(super) const FLAKY: Tool = Tool {
    name: "flaky_stock",
    title: "Ask the warehouse",
    description: "Fails two times out of three because a warehouse does not answer in time; trying again helps.",
    hints: Hints::Reads,
    input: sku,
    output: None,
    tries: &[Try {
        arguments: r#"{"sku":"mat-01"}"#,
        ends: Ends::Failure,
        see: "a failure that goes away: the third call succeeds",
    }],
    run: flaky,
};

pub(super) const RATE_LIMITED: Tool = Tool {
    name: "rate_limited",
    title: "Ask too often",
    description: "Lets one call pass every seven seconds, and the first one comes too early.",
    hints: Hints::Reads,
    input: nothing,
    output: None,
    tries: &[Try {
        arguments: "{}",
        ends: Ends::Failure,
        see: "a rate limit that says when to come back",
    }],
    run: rate_limited,
};

pub(super) const UNAUTHORIZED: Tool = Tool {
    name: "unauthorized",
    title: "Use an expired token",
    description: "Fails because a token has expired.",
    hints: Hints::Reads,
    input: nothing,
    output: None,
    tries: &[Try {
        arguments: "{}",
        ends: Ends::Failure,
        see: "a failure that only the operator can put right",
    }],
    run: |_, _| Outcome::Answer(failure(EXPIRED)),
};

pub(super) const FORBIDDEN: Tool = Tool {
    name: "forbidden",
    title: "Do what is not allowed",
    description: "Fails because of a missing permission.",
    hints: Hints::Reads,
    input: nothing,
    output: None,
    tries: &[Try {
        arguments: "{}",
        ends: Ends::Failure,
        see: "a failure that no repetition will help",
    }],
    run: |_, _| Outcome::Answer(failure("403 Forbidden: missing scope 'orders:export'")),
};

pub(super) const CUSTOMER: Tool = Tool {
    name: "find_customer",
    title: "Find a customer",
    description: "Never finds anybody, and says so in JSON inside a text.",
    hints: Hints::Reads,
    input: nothing,
    output: None,
    tries: &[Try {
        arguments: "{}",
        ends: Ends::Failure,
        see: "an error object inside a text",
    }],
    run: |_, _| Outcome::Answer(failure(NO_CUSTOMER)),
};

pub(super) const UPSTREAM_DOWN: Tool = Tool {
    name: "upstream_down",
    title: "Ask a server that is down",
    description: "Fails because another server refuses the connection.",
    hints: Hints::Reads,
    input: nothing,
    output: None,
    tries: &[Try {
        arguments: "{}",
        ends: Ends::Failure,
        see: "somebody else's failure",
    }],
    run: |_, _| Outcome::Answer(failure(DOWN)),
};

pub(super) const DISGUISED: Tool = Tool {
    name: "disguised_failure",
    title: "Fail in disguise",
    description: "Fails, but marks the answer as a success.",
    hints: Hints::Reads,
    input: nothing,
    output: None,
    tries: &[Try {
        arguments: "{}",
        ends: Ends::Result,
        see: "a success whose text begins with \"Error:\"",
    }],
    run: |_, _| {
        Outcome::Answer(text(
            "Error: could not load the price list: no such table: prices",
        ))
    },
};

pub(super) const PYDANTIC: Tool = Tool {
    name: "pydantic_dump",
    title: "Book a courier",
    description: "Asks for more than its schema says and answers with the dump of a Python library.",
    hints: Hints::Adds,
    input: courier,
    output: None,
    tries: &[Try {
        arguments: r#"{"weight_kg":75,"day":"someday"}"#,
        ends: Ends::Failure,
        see: "two mistakes in the words of pydantic",
    }],
    run: pydantic,
};

pub(super) const ZOD: Tool = Tool {
    name: "zod_dump",
    title: "Estimate shipping",
    description: "Asks for more than its schema says and answers with the dump of a TypeScript library.",
    hints: Hints::Reads,
    input: courier,
    output: None,
    tries: &[Try {
        arguments: r#"{"weight_kg":75,"day":"someday"}"#,
        ends: Ends::Failure,
        see: "two mistakes in the words of Zod",
    }],
    run: zod,
};

fn sku() -> Value {
    json!({
        "type": "object",
        "properties": {"sku": {"type": "string"}},
        "required": ["sku"],
        "additionalProperties": false,
    })
}

fn flaky(shop: &mut Shop, call: &Call<'_>) -> Outcome {
    let sku = call.text("sku").unwrap_or_default();
    let Some(stock) = shop.product(sku).map(|product| product.stock) else {
        return Outcome::Answer(failure(format!("Product {sku} does not exist")));
    };
    shop.stock_calls += 1;
    Outcome::Answer(if shop.stock_calls.is_multiple_of(3) {
        text(format!("{stock} of {sku} in the warehouse"))
    } else {
        shop.log(Level::Warning, "the warehouse did not answer");
        failure("Upstream request timed out after 5000 ms (warehouse-2)")
    })
}

fn rate_limited(shop: &mut Shop, call: &Call<'_>) -> Outcome {
    let free = *shop.free_at.get_or_insert(call.now + PAUSE);
    if call.now >= free {
        shop.free_at = Some(call.now + PAUSE);
        return Outcome::Answer(text("You were patient."));
    }
    let wait = (free - call.now).as_millis().div_ceil(1000);
    Outcome::Answer(failure(format!(
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
fn courier_problems(call: &Call<'_>) -> (Option<f64>, Option<String>) {
    let weight = call.arguments["weight_kg"].as_f64().unwrap_or_default();
    let day = call.text("day").unwrap_or_default();
    let heavy = (weight > HEAVIEST).then_some(weight);
    let never = (!DAYS.contains(&day)).then(|| day.chars().take(40).collect());
    (heavy, never)
}

fn pydantic(_: &mut Shop, call: &Call<'_>) -> Outcome {
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
    Outcome::Answer(match problems.len() {
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

fn zod(_: &mut Shop, call: &Call<'_>) -> Outcome {
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
        return Outcome::Answer(text("Shipping takes two days and costs 7.90 EUR."));
    }
    let issues = serde_json::to_string_pretty(&issues).expect("values become JSON");
    Outcome::Answer(failure(issues))
}

const PAUSE: Duration = Duration::from_secs(7);
const HEAVIEST: f64 = 30.0;
const DAYS: [&str; 3] = ["mon", "wed", "fri"];
const EXPIRED: &str = "401 Unauthorized: the access token expired";
const NO_CUSTOMER: &str =
    r#"{"error": {"code": 404, "status": "NOT_FOUND", "message": "customer not found"}}"#;
const DOWN: &str =
    "Request failed: connect ECONNREFUSED 10.0.12.7:8443 (503 Service Unavailable from payments)";
