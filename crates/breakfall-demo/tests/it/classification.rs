//! What the library makes of the shop's failures: nearly every category there is, out of ordinary words.

use std::collections::BTreeSet;

use breakfall::classify::Classifier;
use breakfall::read::read_by;
use breakfall::wire::Options;
use breakfall::{Category, Code, Fault};
use serde_json::{Value, json};

use super::client::{Client, End};
use super::tour::stops;

#[tokio::test(start_paused = true)]
async fn the_tour_shows_every_category_but_the_one_that_is_ours() {
    let mut shown = BTreeSet::new();
    for stop in stops(&mut Client::legacy(json!({})).await).await {
        if let Some(code) = code_of(&stop).await {
            shown.insert(code.category().as_str());
        }
    }
    let all = Category::ALL.iter().map(|category| category.as_str());
    let missing: Vec<_> = all.filter(|category| !shown.contains(category)).collect();
    assert_eq!(
        missing,
        ["confirmation"],
        "the gateway asks for that, not a server"
    );
}

#[tokio::test(start_paused = true)]
async fn two_failures_say_nothing_that_could_be_understood() {
    let mut unknown = Vec::new();
    for stop in stops(&mut Client::legacy(json!({})).await).await {
        let code = code_of(&stop).await;
        if code.is_some_and(|code| code.name() == "INTERNAL_UNKNOWN") {
            unknown.push(stop["arguments"].clone());
        }
    }
    assert_eq!(
        unknown,
        [json!({"kind": "shrug"}), json!({"kilobytes": 256})]
    );
}

/// What a failure of the tour is read as, also one that calls itself a success.
pub(super) async fn code_of(stop: &Value) -> Option<Code> {
    let mut client = Client::legacy(json!({"elicitation": {}})).await;
    let params = json!({"name": stop["tool"], "arguments": stop["arguments"]});
    let id = client.send("tools/call", params).await;
    let End::Answer(answer) = client.end_of(id).await else {
        return None;
    };
    let reading = read_by(answer, &Options::new(), &Classifier::new().unmask(true));
    reading.outcome.fault().map(Fault::code)
}
