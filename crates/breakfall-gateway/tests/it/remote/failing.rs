//! Failed responses: each becomes one reply that says whether the call may have been executed, and leaks nothing.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::{Bench, before};
use crate::relay::{ask, call, fault};

/// What the client hears of a call that is answered like this.
async fn answered(reply: &str) -> Value {
    let mut bench = Bench::new().await;
    bench.client.say(&call(1, "pay")).await;
    let came = bench.far.next().await;
    assert_eq!(came.id(), 0, "as the replies have it");
    came.write(reply);
    drop(came);
    let answer = bench.client.hear().await;
    assert_eq!(answer["id"], 1, "{reply}");
    answer
}

fn whole(status: &str, kind: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}")
}

#[tokio::test]
async fn every_failure_is_one_reply_that_says_whether_it_may_have_happened() {
    let secret = "<html><title>secret-host.internal</title>/srv/secret-path sk-secret</html>";
    let wrong = r#"{"jsonrpc":"2.0","id":"other","result":{}}"#;
    let redirect = |to: &str| {
        format!("HTTP/1.1 307 Temporary Redirect\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n")
    };
    let cases = [
        (whole("200 OK", "text/html", secret), "INTERNAL_BAD_UPSTREAM", "unknown"),
        (whole("200 OK", "application/json", secret), "INTERNAL_BAD_UPSTREAM", "unknown"),
        (whole("200 OK", "application/json", ""), "INTERNAL_BAD_UPSTREAM", "unknown"),
        (whole("200 OK", "application/json", wrong), "INTERNAL_BAD_UPSTREAM", "unknown"),
        (whole("200 OK", "application/json", r#"{"jsonrpc":"2.0","id":0,"result":"#), "INTERNAL_BAD_UPSTREAM", "unknown"),
        (whole("202 Accepted", "text/plain", ""), "INTERNAL_BAD_UPSTREAM", "unknown"),
        (whole("204 No Content", "text/plain", ""), "INTERNAL_BAD_UPSTREAM", "unknown"),
        (whole("500 Internal Server Error", "text/html", secret), "INTERNAL_ERROR", "unknown"),
        (whole("502 Bad Gateway", "text/html", secret), "UNAVAILABLE_DEPENDENCY", "unknown"),
        (whole("503 Service Unavailable", "text/plain", secret), "UNAVAILABLE_SERVICE", "unknown"),
        (whole("504 Gateway Timeout", "text/plain", secret), "UNAVAILABLE_TIMEOUT", "unknown"),
        (whole("429 Too Many Requests", "text/plain", secret), "RATE_LIMIT_EXCEEDED", "no"),
        (whole("400 Bad Request", "text/html", secret), "INTERNAL_BAD_UPSTREAM", "unknown"),
        (whole("401 Unauthorized", "text/plain", secret), "INTERNAL_CONFIGURATION", "no"),
        (whole("403 Forbidden", "text/plain", secret), "INTERNAL_CONFIGURATION", "no"),
        (whole("404 Not Found", "text/html", secret), "INTERNAL_CONFIGURATION", "no"),
        (whole("405 Method Not Allowed", "text/html", secret), "INTERNAL_CONFIGURATION", "no"),
        (redirect("https://secret-host.internal/mcp"), "INTERNAL_CONFIGURATION", "no"),
        (redirect(""), "INTERNAL_CONFIGURATION", "no"),
        ("HTTP/1.1 301 Moved Permanently\r\nLocation: /secret\r\nContent-Length: 0\r\n\r\n".to_owned(), "INTERNAL_CONFIGURATION", "unknown"),
        ("HTTP/1.1 302 Found\r\nLocation: /secret\r\nContent-Length: 0\r\n\r\n".to_owned(), "INTERNAL_CONFIGURATION", "unknown"),
        ("HTTP/1.1 303 See Other\r\nLocation: https://secret.test/\r\nContent-Length: 0\r\n\r\n".to_owned(), "INTERNAL_CONFIGURATION", "unknown"),
        ("nonsense\r\n\r\n".to_owned(), "INTERNAL_BAD_UPSTREAM", "unknown"),
        (String::new(), "UNAVAILABLE_NETWORK", "unknown"),
        ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"json".to_owned(), "UNAVAILABLE_NETWORK", "unknown"),
        ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nnone".to_owned(), "INTERNAL_BAD_UPSTREAM", "unknown"),
    ];
    for (reply, code, executed) in cases {
        let answer = answered(&reply).await;
        assert_eq!(answer["result"]["isError"], true, "{reply}: {answer}");
        assert_eq!(fault(&answer)["code"], code, "{reply}: {answer}");
        assert_eq!(
            fault(&answer)["details"]["executed"],
            executed,
            "{reply}: {answer}"
        );
        assert!(!answer.to_string().contains("secret"), "{reply}: {answer}");
        assert!(
            !answer.to_string().contains("127.0.0.1"),
            "{reply}: {answer}"
        );
    }
}

#[tokio::test]
async fn an_error_of_the_protocol_is_the_answer_whatever_the_status() {
    let error = json!({"code": -32601, "message": "no such method", "data": {"x": 1e2}});
    for status in [
        "200 OK",
        "400 Bad Request",
        "404 Not Found",
        "500 Internal Server Error",
    ] {
        let body = json!({"jsonrpc": "2.0", "id": 0, "error": error});
        let reply = whole(status, "application/json", &body.to_string());
        let answer = answered(&reply).await;
        assert_eq!(
            answer,
            json!({"jsonrpc": "2.0", "id": 1, "error": error}),
            "{status}"
        );
    }
}

#[tokio::test]
async fn an_error_without_an_id_in_a_refusal_is_the_answer_to_what_was_refused() {
    let error = json!({"code": -32600, "message": "there is nothing at this path"});
    let bodies = [
        json!({"jsonrpc": "2.0", "id": null, "error": error}),
        json!({"jsonrpc": "2.0", "error": error}),
    ];
    for body in bodies {
        let body = body.to_string();
        for status in ["400 Bad Request", "404 Not Found", "406 Not Acceptable"] {
            let answer = answered(&whole(status, "application/json", &body)).await;
            let want = json!({"jsonrpc": "2.0", "id": 1, "error": error});
            assert_eq!(answer, want, "{status}");
        }
        // The status counts where it says more than the error, and a success is not a refusal.
        for (status, code) in [
            ("401 Unauthorized", "INTERNAL_CONFIGURATION"),
            ("429 Too Many Requests", "RATE_LIMIT_EXCEEDED"),
            ("200 OK", "INTERNAL_BAD_UPSTREAM"),
        ] {
            let answer = answered(&whole(status, "application/json", &body)).await;
            assert_eq!(fault(&answer)["code"], code, "{status}: {answer}");
        }
    }
}

#[tokio::test]
async fn a_server_that_asks_to_wait_is_heeded() {
    let reply = "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n";
    let answer = answered(reply).await;
    assert_eq!(fault(&answer)["retry"]["after_ms"], 7000, "{answer}");
}

#[tokio::test]
async fn a_redirect_within_the_server_is_followed_and_a_loop_is_not() {
    let mut bench = Bench::new().await;
    bench.client.say(&call(1, "pay")).await;
    for (status, to) in [
        ("307 Temporary Redirect", "/mcp/"),
        ("308 Permanent Redirect", "other?x=1"),
    ] {
        let came = bench.far.next().await;
        came.reply(status, &[("Location", to)], "").await;
    }
    let came = bench.far.next().await;
    assert_eq!(
        (came.method.as_str(), came.path.as_str()),
        ("POST", "/mcp/other?x=1")
    );
    assert_eq!(came.body["params"]["name"], "pay");
    came.result(json!({"content": []})).await;
    assert_eq!(bench.client.hear().await["result"], json!({"content": []}));

    bench.client.say(&call(2, "pay")).await;
    for _ in 0..6 {
        let came = bench.far.next().await;
        came.reply("308 Permanent Redirect", &[("Location", "/mcp")], "")
            .await;
    }
    let answer = bench.client.hear().await;
    assert_eq!(fault(&answer)["code"], "INTERNAL_CONFIGURATION");
    assert_eq!(fault(&answer)["details"]["executed"], "no");
}

#[tokio::test]
async fn a_server_that_is_not_there_has_done_nothing_and_is_asked_again_next_time() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let (mut client, _ended) = before(&format!("http://{address}/mcp"), |_| {});
    for id in 1..3 {
        client.say(&call(id, "pay")).await;
        let answer = client.hear().await;
        assert_eq!(fault(&answer)["code"], "UNAVAILABLE_NETWORK");
        assert_eq!(fault(&answer)["details"]["executed"], "no");
        assert!(!answer.to_string().contains("127.0.0.1"), "{answer}");
    }
    // What only reads may be asked again, whatever became of it.
    client.say(&ask(3, "tools/list")).await;
    assert_eq!(
        client.hear().await["error"]["data"]["retry"]["policy"],
        "backoff"
    );
    let (mut client, _ended) = before("http://name.invalid/mcp", |_| {});
    client.say(&call(1, "pay")).await;
    let answer = client.hear().await;
    assert_eq!(
        fault(&answer)["details"]["transport_code"],
        "TRANSPORT_DNS_ERROR",
        "{answer}"
    );
    assert!(!answer.to_string().contains("name.invalid"), "{answer}");
}

#[tokio::test]
async fn a_server_that_says_nothing_is_late_and_told_so() {
    let mut bench = Bench::with(|upstream| {
        upstream.patience.idle = Duration::from_millis(100);
    })
    .await;
    bench.client.say(&call(1, "pay")).await;
    let mut came = bench.far.next().await;
    let answer = bench.client.hear().await;
    assert_eq!(fault(&answer)["code"], "UNAVAILABLE_TIMEOUT");
    assert_eq!(fault(&answer)["details"]["executed"], "unknown");
    let told = bench.far.next().await;
    assert_eq!(told.body["method"], "notifications/cancelled");
    told.reply("202 Accepted", &[], "").await;
    came.gone().await;
}
