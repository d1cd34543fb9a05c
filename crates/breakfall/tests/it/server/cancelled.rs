//! A cancelled call is answered by nobody, and counted.

use breakfall::server::Guard;
use serde_json::json;

use super::log::Log;
use super::shop::Shop;
use super::wire::Wire;

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_is_not_answered_but_told() {
    let log = Log::default();
    let mut wire = Wire::legacy(log.on(Guard::new(Shop))).await;
    for tool in ["until_cancelled", "fails_when_cancelled"] {
        let params = json!({"name": tool, "arguments": {}});
        let id = wire.send("tools/call", params).await;
        // Its turn to start comes before the ping's answer.
        wire.request("ping", json!({})).await;
        let cancel = json!({"requestId": id, "reason": "enough"});
        wire.notify("notifications/cancelled", cancel).await;
        // Whatever it had to say would come before this.
        wire.request("ping", json!({})).await;
        wire.request("ping", json!({})).await;
        let told = log.all().pop().expect("the hook is told");
        assert_eq!(
            (told.method.as_str(), told.tool.as_deref()),
            ("cancelled", Some(tool))
        );
    }
    assert_eq!(log.all().len(), 2, "and nothing is told as a failure");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_goes_down_answers_what_it_has_begun() {
    let log = Log::default();
    let mut wire = Wire::legacy(log.on(Guard::new(Shop))).await;
    let params = json!({"name": "until_cancelled", "arguments": {}});
    wire.send("tools/call", params).await;
    wire.request("ping", json!({})).await;
    wire.stop().await;
    let answer = wire.receive().await;
    let text = &answer["result"]["content"][0]["text"];
    assert_eq!(text, "never mind", "{answer}");
    assert_eq!(log.only().method, "cancelled");
}
