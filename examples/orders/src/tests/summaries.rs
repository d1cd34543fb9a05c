//! Summaries that do not fit: shortened, cut, left out and archived, and each of it announced.

use breakfall::catalog::warning::{self, Phase, WARNINGS};
use breakfall::{Fidelity, Success, Warning};
use serde_json::json;

use super::{Client, ada, order};

async fn summary(client: &Client, budget: Option<u32>) -> Success {
    let sent = json!({"session_id": ada(), "token_budget": budget, "style": "prose"});
    client.success("summarize_orders", sent).await
}

fn phases(success: &Success) -> Vec<Phase> {
    let codes = success.warnings().iter().filter_map(Warning::code);
    let rows = codes.filter_map(|code| WARNINGS.iter().find(|row| row.name() == code));
    rows.filter_map(|row| row.entry().phase).collect()
}

fn text(success: &Success) -> String {
    success.data()["summary"]
        .as_str()
        .expect("a text")
        .to_owned()
}

#[tokio::test(start_paused = true)]
async fn the_warnings_of_every_phase_come_in_the_order_of_the_phases() {
    let client = Client::native().await;
    let success = summary(&client, Some(10)).await;
    let mut phases = phases(&success);
    assert!(phases.is_sorted(), "{phases:?}");
    phases.dedup();
    assert_eq!(phases.len(), 7, "{phases:?}");
}

#[tokio::test(start_paused = true)]
async fn the_more_room_the_more_is_there() {
    let client = Client::native().await;
    let full = summary(&client, Some(4000)).await;
    assert_eq!(full.content_fidelity(), Some(Fidelity::Full));
    assert!(text(&full).contains("the neighbours"));
    let shorter = summary(&client, Some(200)).await;
    assert_eq!(shorter.content_fidelity(), Some(Fidelity::Summary));
    let least = summary(&client, Some(60)).await;
    assert_eq!(least.content_fidelity(), Some(Fidelity::Partial));
    let lengths = [&full, &shorter, &least].map(|success| text(success).chars().count());
    assert!(lengths.is_sorted_by(|a, b| a > b), "{lengths:?}");
    assert!(lengths[1] <= 800 && lengths[2] <= 240, "{lengths:?}");
}

#[tokio::test(start_paused = true)]
async fn what_is_open_is_never_left_out() {
    let client = Client::native().await;
    let success = summary(&client, Some(1)).await;
    for name in ["open", "open2"] {
        assert!(text(&success).contains(&order(name)), "{}", text(&success));
    }
    let dropped = success
        .warnings()
        .iter()
        .find(|warning| warning.code() == Some("CONTENT_DROPPED"));
    let facts = dropped.expect("something is left out").facts();
    let ids = facts
        .get("dropped_ids")
        .and_then(|ids| ids.as_array())
        .expect("ids");
    assert_eq!(facts.get("dropped_count"), Some(&json!(ids.len())));
    assert!(!ids.contains(&json!(order("open"))));
}

#[tokio::test(start_paused = true)]
async fn an_archive_without_room_is_announced_and_nothing_more() {
    let client = Client::native().await;
    let success = summary(&client, Some(1)).await;
    let lost = success
        .warnings()
        .iter()
        .find(|warning| warning.code() == Some(warning::ARCHIVE_WRITE_FAILED.name()));
    let lost = lost
        .expect("it has room for three")
        .facts()
        .get("lost_ids")
        .cloned();
    let lost = lost
        .and_then(|ids| ids[0].as_str().map(str::to_owned))
        .expect("an id");
    // It can still be had, which is why this is a warning.
    let sent = json!({"session_id": ada(), "order_id": lost});
    let found = client.success("get_order", sent).await;
    assert_eq!(found.data()["id"], lost);
}
