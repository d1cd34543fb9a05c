//! What a client of the web service receives, and what the log keeps.

use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::http::{Request, Response};
use breakfall::Timestamp;
use breakfall::classify::http::{Failure, fault};
use http_body_util::BodyExt;
use serde_json::Value;
use tower_service::Service;

struct Client {
    app: axum::Router,
    log: Arc<Mutex<Vec<String>>>,
}

impl Client {
    fn new() -> Self {
        let log = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&log);
        let app = web::app(Arc::new(move |line| {
            kept.lock().expect("a lock").push(line.to_owned());
        }));
        Self { app, log }
    }

    async fn send(&mut self, method: &str, path: &str, body: &'static str) -> Response<Vec<u8>> {
        let request = Request::builder().method(method).uri(path);
        let request = request.body(Body::from(body)).expect("a request");
        let response = self.app.call(request).await.expect("never fails");
        let (head, body) = response.into_parts();
        let body = body.collect().await.expect("a body").to_bytes();
        Response::from_parts(head, body.to_vec())
    }
}

fn problem(response: &Response<Vec<u8>>) -> Value {
    assert_eq!(
        response.headers()["content-type"],
        "application/problem+json"
    );
    serde_json::from_slice(response.body()).expect("JSON")
}

#[tokio::test]
async fn a_success_is_plain_and_a_failure_is_a_problem() {
    let mut client = Client::new();
    let found = client.send("GET", "/orders/1", "").await;
    assert_eq!(
        (found.status().as_u16(), &found.body()[..]),
        (200, &b"tea"[..])
    );
    for (path, status, code) in [
        ("/orders/9", 404, "NOT_FOUND_RESOURCE"),
        ("/orders/x", 400, "VALIDATION_INVALID_TYPE"),
    ] {
        let failed = client.send("GET", path, "").await;
        assert_eq!(failed.status().as_u16(), status, "{path}");
        let problem = problem(&failed);
        assert_eq!(problem["code"], code, "{problem}");
        let id = &failed.headers()["x-correlation-id"];
        assert_eq!(problem["correlation_id"], id.to_str().expect("text"));
        let log = client.log.lock().expect("a lock").pop().expect("a line");
        assert!(log.contains(id.to_str().expect("text")), "{log}");
    }
}

#[tokio::test]
async fn the_cause_is_in_the_log_and_nowhere_else() {
    let mut client = Client::new();
    let failed = client.send("PUT", "/orders/2", "").await;
    assert_eq!(failed.status(), 500);
    let body = String::from_utf8_lossy(failed.body()).into_owned();
    assert!(!body.contains("journal"), "{body}");
    let log = client.log.lock().expect("a lock").pop().expect("a line");
    assert!(log.contains("/var/lib/orders/journal"), "{log}");
}

#[tokio::test]
async fn a_client_reads_back_when_to_come_again() {
    let mut client = Client::new();
    client.send("PUT", "/orders/2", "cake").await;
    let limited = client.send("PUT", "/orders/3", "milk").await;
    assert_eq!(limited.status(), 429);
    assert_eq!(limited.headers()["retry-after"], "20");
    let read = fault(&Failure::of(&limited), Timestamp::UNIX_EPOCH);
    assert_eq!(read.code().name(), "RATE_LIMIT_EXCEEDED");
    assert_eq!(read.public().retry_after_seconds(), Some(20));
}
