//! Hearing of changes, in both eras.

use serde_json::{Value, json};

use super::client::{Client, End};

const UPDATED: &str = "notifications/resources/updated";
const RESOURCES: &str = "notifications/resources/list_changed";
const TOOLS: &str = "notifications/tools/list_changed";
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

#[tokio::test(start_paused = true)]
async fn a_subscriber_hears_of_its_order_until_it_unsubscribes() {
    let mut client = Client::legacy(json!({})).await;
    let uri = json!({"uri": "shop://orders/ord-1001"});
    client.result("resources/subscribe", uri.clone()).await;
    cancel(&mut client, "ord-1004").await;
    assert_eq!(client.heard(), [""; 0], "another order");
    refund(&mut client).await;
    assert_eq!(client.notifications[0]["params"], uri);
    assert_eq!(client.heard(), [UPDATED]);
    client.result("resources/unsubscribe", uri).await;
    refund(&mut client).await;
    assert_eq!(client.heard(), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_subscription_to_nothing_is_refused() {
    let mut client = Client::legacy(json!({})).await;
    let uri = json!({"uri": "shop://orders/ord-9999"});
    assert_eq!(client.refused("resources/subscribe", uri).await, -32002);
    assert_eq!(
        client.refused("resources/subscribe", json!({})).await,
        -32602
    );
}

#[tokio::test(start_paused = true)]
async fn older_clients_hear_of_changed_lists_without_asking() {
    let mut client = Client::legacy(json!({})).await;
    place(&mut client).await;
    assert_eq!(client.heard(), [RESOURCES]);
    let resources = client.result("resources/list", json!({})).await;
    assert_eq!(resources["resources"][9]["uri"], "shop://orders/ord-1007");
    client.call("set_sale", json!({"open": true})).await;
    assert_eq!(client.heard(), [TOOLS]);
    client.call("sale_offer", json!({})).await;
    client.call("set_sale", json!({"open": true})).await;
    assert_eq!(client.heard(), [""; 0], "nothing changed");
    client.call("set_sale", json!({"open": false})).await;
    assert_eq!(client.heard(), [TOOLS]);
    let offer = json!({"name": "sale_offer"});
    assert_eq!(client.refused("tools/call", offer).await, -32602);
}

#[tokio::test(start_paused = true)]
async fn a_stream_is_acknowledged_and_carries_what_it_asked_for() {
    let mut client = Client::modern(json!({}));
    let wanted = json!({
        "toolsListChanged": true,
        "promptsListChanged": true,
        "resourcesListChanged": false,
        "resourceSubscriptions": ["shop://orders/ord-1001", "shop://orders/ord-9999"],
    });
    let listen = client
        .send("subscriptions/listen", json!({"notifications": wanted}))
        .await;
    let acknowledged = client.message().await;
    assert_eq!(
        acknowledged["method"],
        "notifications/subscriptions/acknowledged"
    );
    assert_eq!(acknowledged["params"]["_meta"][SUBSCRIPTION], listen);
    assert_eq!(
        acknowledged["params"]["notifications"],
        json!({"toolsListChanged": true, "resourceSubscriptions": ["shop://orders/ord-1001"]})
    );
    place(&mut client).await;
    assert_eq!(client.heard(), [""; 0], "resources were not asked for");
    client.call("set_sale", json!({"open": true})).await;
    refund(&mut client).await;
    for message in &client.notifications {
        assert_eq!(message["params"]["_meta"], json!({SUBSCRIPTION: listen}));
    }
    assert_eq!(client.heard(), [TOOLS, UPDATED]);
    client.cancel(listen).await;
    refund(&mut client).await;
    assert_eq!(client.heard(), [""; 0]);
    assert!(
        matches!(client.end_of(listen).await, End::Silence),
        "cancelled"
    );
}

#[tokio::test(start_paused = true)]
async fn a_stream_carries_nothing_it_did_not_ask_for() {
    let wishes = [
        (json!({"toolsListChanged": true}), vec![TOOLS]),
        (json!({"resourcesListChanged": true}), vec![RESOURCES]),
        (
            json!({"resourceSubscriptions": ["shop://catalog"]}),
            vec![UPDATED],
        ),
        (json!({"promptsListChanged": true}), vec![]),
    ];
    for (wanted, heard) in wishes {
        let mut client = Client::modern(json!({}));
        let params = json!({"notifications": wanted});
        client.send("subscriptions/listen", params).await;
        client.message().await;
        client.call("set_sale", json!({"open": true})).await;
        place(&mut client).await;
        refund(&mut client).await;
        assert_eq!(client.heard(), heard, "{wanted}");
    }
}

#[tokio::test(start_paused = true)]
async fn two_streams_are_told_apart() {
    let mut client = Client::modern(json!({}));
    let mut ids = Vec::new();
    for _ in 0..2 {
        let params = json!({"notifications": {"toolsListChanged": true}});
        ids.push(client.send("subscriptions/listen", params).await);
        client.message().await;
    }
    client.call("set_sale", json!({"open": true})).await;
    let heard: Vec<&Value> = client
        .notifications
        .iter()
        .map(|message| &message["params"]["_meta"][SUBSCRIPTION])
        .collect();
    assert_eq!(heard, [&json!(ids[0]), &json!(ids[1])]);
}

#[tokio::test(start_paused = true)]
async fn streams_are_answered_when_the_connection_closes() {
    let mut client = Client::modern(json!({}));
    let params = json!({"notifications": {}});
    let listen = client.send("subscriptions/listen", params).await;
    client.message().await;
    let rest = client.hang_up().await;
    let [answer] = rest.as_slice() else {
        panic!("{rest:?}");
    };
    assert_eq!(answer["id"], listen);
    assert_eq!(answer["result"]["resultType"], "complete");
    assert_eq!(answer["result"]["_meta"][SUBSCRIPTION], listen);
}

#[tokio::test(start_paused = true)]
async fn a_stream_of_nothing_in_particular_is_refused() {
    let mut client = Client::modern(json!({}));
    assert_eq!(
        client.refused("subscriptions/listen", json!({})).await,
        -32602
    );
}

#[tokio::test(start_paused = true)]
async fn subscriptions_are_bounded() {
    let mut client = Client::modern(json!({}));
    let params = json!({"notifications": {}});
    for _ in 0..1000 {
        client.send("subscriptions/listen", params.clone()).await;
        client.message().await;
    }
    assert_eq!(client.refused("subscriptions/listen", params).await, -32603);
}

async fn place(client: &mut Client) {
    let items = json!([{"sku": "belt-02", "quantity": 1}]);
    let order = json!({"customer": "you@example.com", "items": items});
    client.call("place_order", order).await;
}

async fn refund(client: &mut Client) {
    let arguments = json!({"order_id": "ord-1001", "amount_cents": 100, "reason": "late"});
    client.call("refund_order", arguments).await;
}

async fn cancel(client: &mut Client, id: &str) {
    client.call("cancel_order", json!({"order_id": id})).await;
}
