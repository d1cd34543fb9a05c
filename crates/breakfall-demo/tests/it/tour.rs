//! The tour, taken: every call it names ends as it says, in both eras.

use std::collections::BTreeSet;

use breakfall::validate::Schema;
use serde_json::{Value, json};

use super::client::{Client, End};

#[tokio::test(start_paused = true)]
async fn every_stop_of_the_tour_ends_as_it_says() {
    for modern in [false, true] {
        for stop in stops(&mut client(modern).await).await {
            let mut client = client(modern).await;
            let params = json!({"name": stop["tool"], "arguments": stop["arguments"]});
            let id = client.send("tools/call", params).await;
            let end = client.end_of(id).await;
            assert_eq!(words(&end), stop["ends"], "modern {modern}: {stop}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn every_tool_is_on_the_tour_and_nothing_else_is() {
    let mut client = client(false).await;
    let listed = client.result("tools/list", json!({})).await;
    let listed = listed["tools"].as_array().expect("a list").iter();
    let listed: BTreeSet<_> = listed.map(|tool| tool["name"].to_string()).collect();
    let stops = stops(&mut client).await;
    let toured: BTreeSet<_> = stops.iter().map(|stop| stop["tool"].to_string()).collect();
    assert_eq!(toured, listed);
}

#[tokio::test(start_paused = true)]
async fn schemas_compile_and_good_results_fit_them() {
    let mut client = client(false).await;
    client.call("set_sale", json!({"open": true})).await;
    let listed = client.result("tools/list", json!({})).await;
    let mut promised = 0;
    for tool in listed["tools"].as_array().expect("a list") {
        Schema::compile(&tool["inputSchema"]).unwrap_or_else(|fault| panic!("{tool}: {fault}"));
        let Some(output) = tool.get("outputSchema") else {
            continue;
        };
        let output = Schema::compile(output).unwrap_or_else(|fault| panic!("{tool}: {fault}"));
        for stop in stops(&mut client).await {
            if stop["tool"] != tool["name"] || stop["ends"] != "result" {
                continue;
            }
            let result = client
                .call(
                    stop["tool"].as_str().expect("a name"),
                    stop["arguments"].clone(),
                )
                .await;
            let fits = output.check(&result["structuredContent"]).is_empty();
            assert_eq!(fits, tool["name"] != "bad_output", "{stop}: {result}");
            promised += 1;
        }
    }
    assert!(promised >= 6, "{promised}");
}

/// A client that can ask, so that the tour shows a question too.
async fn client(modern: bool) -> Client {
    let capabilities = json!({"elicitation": {}});
    if modern {
        Client::modern(capabilities)
    } else {
        Client::legacy(capabilities).await
    }
}

pub(super) async fn stops(client: &mut Client) -> Vec<Value> {
    let tour = client.call("tour", json!({})).await;
    let stops = tour["structuredContent"]["stops"].as_array();
    let stops = stops.expect("a list").clone();
    assert!(stops.len() > 30, "{}", stops.len());
    stops
}

fn words(end: &End) -> String {
    match end {
        End::Silence => "silence".into(),
        End::Death => "end of the connection".into(),
        End::Question(_) => "question".into(),
        End::Answer(answer) => match answer["error"]["code"].as_i64() {
            Some(code) => format!("error {code}"),
            None if answer["result"]["isError"] == true => "failed result".into(),
            None => "result".into(),
        },
    }
}
