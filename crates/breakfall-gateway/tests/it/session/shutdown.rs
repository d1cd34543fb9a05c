//! The end of it all: what is under way has its answer before the client sees the end.

use breakfall_gateway::resilience::bulkhead;

use super::*;
use crate::pipeline::{hello, list};

/// A client and a server that have shaken hands, and the calls of the client are judged or not.
async fn met(is_judged: bool) -> (Bench, End) {
    let mut bench = Bench::judged(None, |upstream| {
        upstream.context.is_judged = is_judged;
        upstream.concurrency = Some(bulkhead::ConcurrencyPolicy::new(2));
    });
    let server = hello(&mut bench, json!({})).await;
    (bench, server)
}

/// The server is asked for its tools first, if calls are judged.
async fn called(server: &mut End, is_judged: bool) -> Value {
    if is_judged {
        let tool = json!({"name": "pay", "inputSchema": {"type": "object"}});
        list(server, json!([tool])).await;
    }
    server.hear().await
}

/// The client disconnects, or the session is stopped; returns what the client gets until then.
async fn ended(bench: Bench, hangs_up: bool) -> Vec<Value> {
    let Bench {
        mut client,
        stop,
        ended,
        ..
    } = bench;
    if hangs_up {
        let shut = client.writer.shutdown().await;
        shut.expect("memory does not fail");
    } else {
        stop.now();
    }
    let said = client.rest().await;
    assert!(matches!(ended.await, Ok(SessionEnd::Well)));
    let answers = said.lines().map(serde_json::from_str);
    let mut answers: Vec<Value> = answers.collect::<Result<_, _>>().expect("JSON");
    answers.sort_by_key(|answer| answer["id"].to_string());
    answers
}

#[tokio::test(start_paused = true)]
async fn what_is_under_way_at_the_end_is_told_what_is_known_of_it() {
    for (is_judged, hangs_up) in [(false, false), (false, true), (true, false), (true, true)] {
        let (mut bench, mut server) = met(is_judged).await;
        bench.client.say(&call(1, "pay")).await;
        called(&mut server, is_judged).await;
        bench.client.say(&ask(2, "resources/list")).await;
        server.hear().await;
        // The server holds its output, as something it has started may.
        let answers = ended(bench, hangs_up).await;
        let [paying, listing] = answers.as_slice() else {
            panic!("{answers:?}");
        };
        let told = fault(paying);
        assert_eq!(paying["result"]["isError"], true, "{paying}");
        assert_eq!(told["code"], "UNAVAILABLE_SERVICE");
        assert_eq!(told["details"]["executed"], "unknown");
        assert_eq!(told["retry"]["retryable"], false);
        assert_eq!(fault(listing)["retry"]["retryable"], true, "{listing}");
        drop(server);
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_server_answers_on_its_way_out_is_an_answer() {
    let (mut bench, mut server) = met(true).await;
    bench.client.say(&call(1, "pay")).await;
    let request = called(&mut server, true).await;
    let server = tokio::spawn(async move {
        assert_eq!(server.rest().await, "");
        server
            .say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": {"content": []}}))
            .await;
    });
    let answers = ended(bench, false).await;
    assert_eq!(answers[0]["result"], json!({"content": []}), "{answers:?}");
    server.await.expect("it has said so");
}

#[tokio::test(start_paused = true)]
async fn what_waits_for_room_at_the_end_is_told_that_nothing_was_done() {
    let (mut bench, mut server) = met(true).await;
    for id in 1..=3 {
        bench.client.say(&call(id, "pay")).await;
    }
    called(&mut server, true).await;
    // No time has passed, so the next one asks for the tools again.
    called(&mut server, true).await;
    let answers = ended(bench, false).await;
    let executed = answers
        .iter()
        .map(|answer| &fault(answer)["details"]["executed"]);
    let executed: Vec<_> = executed.collect();
    assert_eq!(executed, ["unknown", "unknown", "no"], "{answers:?}");
}
