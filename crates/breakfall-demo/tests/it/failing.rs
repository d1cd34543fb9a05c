//! The tools that fail, hang, leak and misbehave.

use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, advance};

use super::client::{Client, End, text};

#[tokio::test(start_paused = true)]
async fn the_warehouse_answers_every_third_time() {
    let mut client = Client::legacy(json!({})).await;
    let arguments = json!({"sku": "mat-01"});
    for _ in 0..3 {
        for _ in 0..2 {
            let told = client.failure("flaky_stock", arguments.clone()).await;
            assert!(told.contains("timed out after 5000 ms"), "{told}");
        }
        let result = client.call("flaky_stock", arguments.clone()).await;
        assert_eq!(text(&result), "30 of mat-01 in the warehouse");
    }
    let told = client.failure("flaky_stock", json!({"sku": "x"})).await;
    assert_eq!(told, "Product x does not exist");
}

#[tokio::test(start_paused = true)]
async fn a_rate_limit_says_how_long_and_means_it() {
    let mut client = Client::legacy(json!({})).await;
    let told = client.failure("rate_limited", json!({})).await;
    assert!(
        told.starts_with("429 ") && told.ends_with("Retry-After: 7"),
        "{told}"
    );
    advance(Duration::from_millis(6500)).await;
    let told = client.failure("rate_limited", json!({})).await;
    assert!(told.ends_with("Retry-After: 1"), "{told}");
    advance(Duration::from_secs(1)).await;
    let result = client.call("rate_limited", json!({})).await;
    assert_eq!(result.get("isError"), None);
    client.failure("rate_limited", json!({})).await;
}

#[tokio::test(start_paused = true)]
async fn a_report_tells_its_progress_every_second() {
    let mut client = Client::legacy(json!({})).await;
    let begun = Instant::now();
    let meta = json!({"progressToken": "t-1"});
    let params = json!({"name": "slow_report", "arguments": {"seconds": 3}, "_meta": meta});
    let result = client.result("tools/call", params).await;
    assert_eq!(begun.elapsed(), Duration::from_secs(3));
    assert!(text(&result).starts_with("There are "), "{result}");
    let progress: Vec<_> = client
        .notifications
        .iter()
        .map(|it| &it["params"])
        .collect();
    assert_eq!(progress.len(), 3);
    for (done, params) in (1..).zip(progress) {
        assert_eq!(params["progressToken"], "t-1");
        assert_eq!(
            (&params["progress"], &params["total"]),
            (&json!(done), &json!(3))
        );
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_token_there_is_no_progress() {
    let mut client = Client::legacy(json!({})).await;
    client.call("slow_report", json!({"seconds": 2})).await;
    assert_eq!(client.heard(), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_report_is_not_answered_and_others_go_on() {
    for mut client in [Client::legacy(json!({})).await, Client::modern(json!({}))] {
        let report = json!({"name": "slow_report", "arguments": {"seconds": 5}});
        let first = client.send("tools/call", report.clone()).await;
        let second = client.send("tools/call", report).await;
        client.cancel(first).await;
        assert!(matches!(client.end_of(second).await, End::Answer(_)));
        assert!(matches!(client.end_of(first).await, End::Silence));
        assert_eq!(client.heard(), [""; 0]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_cancellation_of_nothing_is_ignored() {
    let mut client = Client::legacy(json!({})).await;
    for params in [
        json!({"requestId": 99}),
        json!({"requestId": null}),
        json!({}),
    ] {
        client.notify("notifications/cancelled", params).await;
    }
    client.call("tour", json!({})).await;
}

#[tokio::test(start_paused = true)]
async fn one_tool_answers_after_it_was_cancelled() {
    let mut client = Client::legacy(json!({})).await;
    let params = json!({"name": "ignores_cancel", "arguments": {"seconds": 2}});
    let id = client.send("tools/call", params).await;
    client.cancel(id).await;
    assert!(matches!(client.end_of(id).await, End::Answer(_)));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_hangs_leaves_others_alone() {
    let mut client = Client::legacy(json!({})).await;
    let hung = client.send("tools/call", json!({"name": "hang"})).await;
    client.call("tour", json!({})).await;
    assert!(matches!(client.end_of(hung).await, End::Silence));
}

#[tokio::test(start_paused = true)]
async fn a_crash_takes_everything_with_it() {
    let mut client = Client::legacy(json!({})).await;
    let report = json!({"name": "slow_report", "arguments": {"seconds": 5}});
    let waiting = client.send("tools/call", report).await;
    client.send("tools/call", json!({"name": "crash"})).await;
    assert!(matches!(client.end_of(waiting).await, End::Death));
}

#[tokio::test(start_paused = true)]
async fn a_leak_has_everything_that_must_not_leave() {
    let mut client = Client::legacy(json!({})).await;
    let told = client.failure("leaky_lookup", json!({})).await;
    for part in [
        "Traceback (most recent call last)",
        "/srv/demo-shop/app/private/customers.py",
        "SELECT id, email",
        "sk-demo-FAKE",
        "AKIAIOSFODNN7EXAMPLE",
        "not-a-real-password@",
        "jane.doe@example.com",
    ] {
        assert!(told.contains(part), "{part}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_is_as_long_as_it_was_wanted() {
    let mut client = Client::legacy(json!({})).await;
    for kilobytes in [1, 3, 2048] {
        let told = client
            .failure("big_error", json!({"kilobytes": kilobytes}))
            .await;
        assert_eq!(told.len(), kilobytes << 10);
    }
}

#[tokio::test(start_paused = true)]
async fn lines_that_are_no_messages_come_before_the_answer() {
    let mut client = Client::legacy(json!({})).await;
    let id = client.send("tools/call", json!({"name": "garbage"})).await;
    let mut noise = 0;
    let answer = loop {
        let line = client.line().await.expect("an answer comes");
        match serde_json::from_str::<serde_json::Value>(&line) {
            Ok(message) if message["jsonrpc"] == "2.0" => break message,
            Ok(_) | Err(_) => noise += 1,
        }
    };
    assert_eq!((noise, &answer["id"]), (3, &json!(id)));
}

#[tokio::test(start_paused = true)]
async fn one_tool_answers_twice_and_one_with_an_unknown_id() {
    let mut client = Client::legacy(json!({})).await;
    let id = client
        .send("tools/call", json!({"name": "two_answers"}))
        .await;
    let (first, second) = (client.message().await, client.message().await);
    assert_eq!((&first["id"], &second["id"]), (&json!(id), &json!(id)));
    assert_ne!(first["result"], second["result"]);
    let id = client.send("tools/call", json!({"name": "wrong_id"})).await;
    let answer = client.message().await;
    assert!(
        answer["result"].is_object() && answer["id"] != id,
        "{answer}"
    );
}

#[tokio::test(start_paused = true)]
async fn dumps_name_every_mistake_and_only_those() {
    let mut client = Client::legacy(json!({})).await;
    let cases = [
        (json!({"weight_kg": 75, "day": "someday"}), 2),
        (json!({"weight_kg": 75, "day": "mon"}), 1),
        (json!({"weight_kg": 3, "day": "x"}), 1),
    ];
    for (arguments, count) in cases {
        let told = client.failure("pydantic_dump", arguments.clone()).await;
        assert!(
            told.starts_with(&format!("{count} validation error")),
            "{told}"
        );
        assert_eq!(told.matches("[type=").count(), count, "{told}");
        let told = client.failure("zod_dump", arguments).await;
        let issues: Vec<serde_json::Value> = serde_json::from_str(&told).expect("a list");
        assert_eq!(issues.len(), count);
    }
    let good = json!({"weight_kg": 3, "day": "fri"});
    for tool in ["pydantic_dump", "zod_dump"] {
        assert_eq!(client.call(tool, good.clone()).await.get("isError"), None);
    }
}

#[tokio::test(start_paused = true)]
async fn plain_failures_use_the_words_of_ordinary_servers() {
    let mut client = Client::legacy(json!({})).await;
    let cases = [
        ("unauthorized", "401 Unauthorized"),
        ("forbidden", "403 Forbidden"),
        ("find_customer", r#"{"error": {"code": 404"#),
        ("upstream_down", "Request failed: connect ECONNREFUSED"),
    ];
    for (tool, words) in cases {
        let told = client.failure(tool, json!({})).await;
        assert!(told.starts_with(words), "{told}");
    }
    let result = client.call("disguised_failure", json!({})).await;
    assert!(text(&result).starts_with("Error: "));
    assert_eq!(result.get("isError"), None);
    let answer = client.request("tools/call", json!({"name": "panic"})).await;
    assert_eq!(answer["error"]["message"], "Internal error");
    assert!(answer["error"]["data"]["panic"].is_string());
}

#[tokio::test(start_paused = true)]
async fn nothing_speaks_our_own_dialect() {
    let mut client = Client::legacy(json!({})).await;
    for stop in super::tour::stops(&mut client).await {
        let mut client = Client::legacy(json!({})).await;
        let params = json!({"name": stop["tool"], "arguments": stop["arguments"]});
        let id = client.send("tools/call", params).await;
        if let End::Answer(answer) = client.end_of(id).await {
            assert!(!answer.to_string().contains("dev.breakfall"), "{answer}");
        }
    }
}
