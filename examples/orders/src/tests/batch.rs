//! Deletion: consent first, then one result for each.

use breakfall::{Batch, Fault, Outcome, Verdict};
use serde_json::{Value, json};

use super::{Client, ada, order};
use crate::ids::{OrderId, UserId};

fn arguments(names: &[&str], token: Option<&str>) -> Value {
    let ids: Vec<String> = names.iter().map(|name| order(name)).collect();
    json!({"session_id": ada(), "order_ids": ids, "_confirmation": token})
}

/// Asks for a token, as a person who agrees would.
async fn token(client: &Client, names: &[&str]) -> String {
    let fault = client.fault("delete_orders", arguments(names, None)).await;
    assert_eq!(fault.code().name(), "CONFIRMATION_REQUIRED");
    let details = fault.public().details();
    details
        .text("confirmation_token")
        .expect("a token")
        .to_owned()
}

async fn deleted(client: &Client, names: &[&str]) -> Batch {
    let token = token(client, names).await;
    let outcome = client
        .outcome("delete_orders", arguments(names, Some(&token)))
        .await;
    let Outcome::Batch(batch) = outcome else {
        panic!("{outcome:?}")
    };
    batch
}

#[tokio::test(start_paused = true)]
async fn some_are_deleted_and_the_others_say_why_not() {
    let client = Client::native().await;
    let batch = deleted(&client, &["open", "swift", "lost"]).await;
    assert_eq!(batch.verdict(), Verdict::Partial);
    let tally = batch.tally();
    assert_eq!((tally.succeeded, tally.failed), (1, 2));
    let faults = batch.faults().map(|(at, fault)| (at, fault.code().name()));
    let faults: Vec<_> = faults.collect();
    assert_eq!(
        faults,
        [(1, "ORDER_ALREADY_SHIPPED"), (2, "ORDER_NOT_FOUND")]
    );
    // What is deleted is gone, and what is not is still there.
    let gone = json!({"session_id": ada(), "order_id": order("open")});
    assert_eq!(
        client.fault("get_order", gone).await.code().name(),
        "ORDER_NOT_FOUND"
    );
    let kept = json!({"session_id": ada(), "order_id": order("swift")});
    let kept = client.success("get_order", kept).await;
    assert_eq!(kept.data()["status"], "shipped");
}

#[tokio::test(start_paused = true)]
async fn all_or_nothing_is_told_as_such() {
    let client = Client::native().await;
    assert_eq!(
        deleted(&client, &["open", "cancelled"]).await.verdict(),
        Verdict::Complete
    );
    let names = ["swift", "lost"];
    let token = token(&client, &names).await;
    let answer = client
        .call("delete_orders", arguments(&names, Some(&token)))
        .await;
    assert_eq!(answer["isError"], true, "{answer}");
}

#[tokio::test(start_paused = true)]
async fn consent_is_good_for_one_call_once() {
    let client = Client::native().await;
    let token = token(&client, &["open"]).await;
    let other = arguments(&["open2"], Some(&token));
    let fault = client.fault("delete_orders", other).await;
    assert_eq!(fault.code().name(), "TOKEN_SCOPE_MISMATCH");
    let same = arguments(&["open"], Some(&token));
    assert!(matches!(
        client.outcome("delete_orders", same.clone()).await,
        Outcome::Batch(_)
    ));
    let fault = client.fault("delete_orders", same).await;
    assert_eq!(fault.code().name(), "TOKEN_ALREADY_USED");
}

#[test]
fn consent_does_not_last() {
    use std::time::Duration;

    let now = super::noon();
    let mut desk = crate::desk::Desk::demo(now).expect("the demo");
    let user = UserId::new(&crate::demo::id("usr", "ada")).expect("an id");
    let orders = [OrderId::new(&order("open")).expect("an id")];
    let mut consent = |token: Option<&str>, at| {
        let refused = desk.consent(&user, &orders, token, at).map_err(Fault::from);
        refused.expect_err("nothing was agreed to in time")
    };
    let asked = consent(None, now);
    let token = asked.public().details().text("confirmation_token");
    let late = now + Duration::from_mins(5);
    let fault = consent(token, late);
    assert_eq!(fault.code().name(), "TOKEN_EXPIRED");
    let details = fault.public().details();
    assert_eq!(details.text("expired_at"), Some(&*late.to_string()));
}
