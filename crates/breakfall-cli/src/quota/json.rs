//! The status of quotas as JSON.

use breakfall_gateway::resilience::quota::shown_number;
use serde_json::{Map, Value, json};

use super::status::{CountedUse, PlaceStatus, QuotaStatusReport};

pub(super) fn answer(report: &QuotaStatusReport<'_>) -> String {
    let places: Vec<Value> = report.places.iter().map(place).collect();
    format!("{:#}\n", json!({ "places": places }))
}

fn place(status: &PlaceStatus<'_>) -> Value {
    let place = status.place;
    let rate = place.rate.iter().map(|rate| {
        json!({
            "scope": place.name,
            "limit": rate.requests,
            "window": rate.per.window().as_str(),
        })
    });
    json!({
        "adapter": place.upstream,
        "scope": place.name,
        "api_limits": rate.collect::<Vec<_>>(),
        "quotas": status.uses.iter().map(quota).collect::<Vec<_>>(),
        "next_reset": status.next_reset().map(|at| at.to_string()),
    })
}

fn quota(counted: &CountedUse) -> Value {
    let CountedUse { principal, used } = counted;
    let quota = &used.quota;
    let members = [
        ("metric", Some(quota.metric.as_str().into())),
        ("current", Some(shown_number(used.used.of(quota.metric)))),
        ("warn", Some(shown_number(quota.warn))),
        ("pause", quota.pause.map(shown_number)),
        ("hard_stop", quota.hard_stop.map(shown_number)),
        ("status", Some(used.status().as_str().into())),
        ("currency", quota.currency.as_deref().map(Value::from)),
        ("principal", principal.as_deref().map(Value::from)),
        ("resets_at", Some(used.resets_at.to_string().into())),
    ];
    let members = members.into_iter();
    let members = members.filter_map(|(key, value)| Some((key.to_owned(), value?)));
    Value::Object(members.collect::<Map<_, _>>())
}
