//! The id a caller and the records know a failure by.

use std::sync::Arc;

use breakfall_gateway::config::{AuditTrail, Retention};
use breakfall_gateway::record::Recorder;
use breakfall_gateway::store::{Memory, Store as _};

use super::*;

#[tokio::test(start_paused = true)]
async fn an_id_of_a_server_is_kept_unless_it_looks_like_a_credential() {
    const SECRET: &str = "sk-live-4eC39HqLyjWDarjtT1zdp7dc";
    for given in ["req-7", SECRET] {
        let store = Arc::new(Memory::default());
        let recorder = Recorder::new(store.clone(), AuditTrail::On, Retention::default());
        let mut bench = Bench::judged(None, |upstream| {
            upstream.context.recorder = recorder.clone();
        });
        let mut server = hello(&mut bench, json!({})).await;
        bench.client.say(&call("c", "pay", json!({}))).await;
        let tool = json!({"name": "pay", "inputSchema": {"type": "object"}});
        list(&mut server, json!([tool])).await;
        let object = json!({
            "category": "not_found", "code": "NOT_FOUND_RESOURCE", "message": "no order",
            "retry": {"policy": "never", "retryable": false}, "correlation_id": given,
        });
        let request = server.hear().await;
        server
            .say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": {
                "isError": true, "content": [{"type": "text", "text": "no order"}],
                "_meta": {"dev.breakfall/error": object},
            }}))
            .await;
        let answer = bench.client.hear().await;
        let told = crate::session::fault(&answer)["correlation_id"].clone();
        let told = told.as_str().expect("an id");
        assert_eq!(told == given, given != SECRET, "{answer}");
        recorder.flush().await;
        let kept = store.find(told).await.expect("memory is read");
        assert!(
            !kept.is_empty(),
            "the report has the id the caller was told"
        );
        let by_secret = store.find(SECRET).await.expect("memory is read");
        assert!(by_secret.is_empty(), "{by_secret:?}");
        assert!(!answer.to_string().contains(SECRET), "{answer}");
    }
}
