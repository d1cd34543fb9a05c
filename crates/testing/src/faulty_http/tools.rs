//! The tools.

use std::io;

use serde_json::{Value, json};

use super::behaviour::{Behaviour, When};
use super::exchange::{Exchange, Then, told};
use super::hub::Hub;
use super::{misbehave, protocol};

pub(super) fn call(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let arguments = exchange.message["params"]["arguments"].clone();
    match exchange.message["params"]["name"].as_str() {
        Some("echo") => exchange.succeed(told(&arguments)),
        Some("do") => {
            let key = exchange.key();
            let times = execute(exchange);
            exchange.succeed(told(&json!({"key": key, "times": times})))
        }
        Some("executed") => {
            let executed = exchange.hub.look().executed.clone();
            exchange.succeed(told(&json!(executed)))
        }
        Some("park") => {
            exchange.hub.note(|notes| notes.parked += 1);
            let _over = exchange.hub.wait(|notes| {
                let may_go = notes.released > 0;
                notes.released -= u64::from(may_go);
                may_go.then_some(())
            });
            exchange.succeed(told(&arguments))
        }
        Some("release") => {
            let wanted = exchange.number("count", 1);
            release(exchange.hub, wanted);
            exchange.succeed(told(&json!({"released": wanted})))
        }
        Some("misbehave") => misbehave::call(exchange),
        _ => protocol::refuse(exchange, "200 OK", -32602, "Unknown tool"),
    }
}

/// Waits until so many calls are parked, and lets them go.
pub(super) fn release(hub: &Hub, calls: u64) {
    let _over = hub.wait(|notes| {
        notes.parked = notes.parked.checked_sub(calls)?;
        notes.released += calls;
        Some(())
    });
    // The others wait for what has just been noted.
    hub.note(|_| ());
}

/// The effect, and how often there was one.
pub(super) fn execute(exchange: &Exchange<'_>) -> u64 {
    let key = exchange.key();
    exchange.hub.note(|notes| {
        let times = notes.executed.entry(key).or_default();
        *times += 1;
        *times
    })
}

pub(super) fn list() -> Vec<Value> {
    let names = Behaviour::of(When::Call).map(Behaviour::name);
    let how = json!({"type": "string", "enum": names.collect::<Vec<_>>()});
    let key = json!({"type": "string"});
    let count = json!({"type": "integer", "minimum": 0});
    #[rustfmt::skip]
    let table = [
        ("echo", "Returns its arguments.", json!({})),
        ("do", "Has an effect.", json!({"key": key})),
        ("executed", "Tells what had effects, and how often.", json!({})),
        ("park", "Returns its arguments when it is released.", json!({})),
        ("release", "Waits for so many parked calls and lets them go.", json!({"count": count})),
        ("misbehave", "Has an effect, and misbehaves.", json!({"how": how, "key": key})),
    ];
    let tool = |(name, about, properties): &(&str, &str, Value)| {
        let schema = json!({"type": "object", "properties": properties});
        json!({"name": name, "description": about, "inputSchema": schema})
    };
    table.iter().map(tool).collect()
}
