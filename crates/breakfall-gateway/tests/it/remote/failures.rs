//! Failed responses: each becomes one reply that says whether the call may have been executed, and leaks nothing.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::{RemoteFixture, before};
use crate::session::{ask, call, fault};

/// The reply to a call that gets this response.
async fn answered(reply: &str) -> Value {
    let mut fixture = RemoteFixture::new().await;
    fixture.client.say(&call(1, "pay")).await;
    let request = fixture.server.next().await;
    assert_eq!(request.id(), 0, "as the replies have it");
    request.write(reply);
    drop(request);
    let answer = fixture.client.hear().await;
    assert_eq!(answer["id"], 1, "{reply}");
    answer
}

fn response(status: &str, kind: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}")
}

#[tokio::test]
async fn every_failure_is_one_reply_that_says_whether_the_call_may_have_been_executed() {
    let secret = "<html><title>secret-host.internal</title>/srv/secret-path sk-secret</html>";
    let wrong = r#"{"jsonrpc":"2.0","id":"other","result":{}}"#;
    let redirect = |to: &str| {
        format!("HTTP/1.1 307 Temporary Redirect\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n")
    };
    let cases = [
        (response("200 OK", "text/html", secret), "INTERNAL_BAD_UPSTREAM", "unknown"),
        (response("200 OK", "application/json", secret), "INTERNAL_BAD_UPSTREAM", "unknown"),
        (response("200 OK", "application/json", ""), "INTERNAL_BAD_UPSTREAM", "unknown"),
        (response("200 OK", "application/json", wrong), "INTERNAL_BAD_UPSTREAM", "unknown"),
        (response("200 OK", "application/json", r#"{"jsonrpc":"2.0","id":0,"result":"#), "INTERNAL_BAD_UPSTREAM", "unknown"),
        (response("202 Accepted", "text/plain", ""), "INTERNAL_BAD_UPSTREAM", "unknown"),
        (response("204 No Content", "text/plain", ""), "INTERNAL_BAD_UPSTREAM", "unknown"),
        (response("500 Internal Server Error", "text/html", secret), "INTERNAL_ERROR", "unknown"),
        (response("502 Bad Gateway", "text/html", secret), "UNAVAILABLE_DEPENDENCY", "unknown"),
        (response("503 Service Unavailable", "text/plain", secret), "UNAVAILABLE_SERVICE", "unknown"),
        (response("504 Gateway Timeout", "text/plain", secret), "UNAVAILABLE_TIMEOUT", "unknown"),
        (response("429 Too Many Requests", "text/plain", secret), "RATE_LIMIT_EXCEEDED", "no"),
        (response("400 Bad Request", "text/html", secret), "INTERNAL_BAD_UPSTREAM", "unknown"),
        (response("401 Unauthorized", "text/plain", secret), "INTERNAL_CONFIGURATION", "no"),
        (response("403 Forbidden", "text/plain", secret), "INTERNAL_CONFIGURATION", "no"),
        (response("404 Not Found", "text/html", secret), "INTERNAL_CONFIGURATION", "no"),
        (response("405 Method Not Allowed", "text/html", secret), "INTERNAL_CONFIGURATION", "no"),
        (response("407 Proxy Authentication Required", "text/html", secret), "INTERNAL_CONFIGURATION", "no"),
        (response("421 Misdirected Request", "application/json", r#"{"error":"the arguments are invalid"}"#), "INTERNAL_CONFIGURATION", "no"),
        (response("426 Upgrade Required", "text/plain", secret), "INTERNAL_CONFIGURATION", "no"),
        (response("431 Request Header Fields Too Large", "text/plain", secret), "INTERNAL_CONFIGURATION", "no"),
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
        let reply = response(status, "application/json", &body.to_string());
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
            let answer = answered(&response(status, "application/json", &body)).await;
            let want = json!({"jsonrpc": "2.0", "id": 1, "error": error});
            assert_eq!(answer, want, "{status}");
        }
        // The status counts where it says more than the error, and a success is not a refusal.
        for (status, code) in [
            ("401 Unauthorized", "INTERNAL_CONFIGURATION"),
            ("421 Misdirected Request", "INTERNAL_CONFIGURATION"),
            ("426 Upgrade Required", "INTERNAL_CONFIGURATION"),
            (
                "431 Request Header Fields Too Large",
                "INTERNAL_CONFIGURATION",
            ),
            ("429 Too Many Requests", "RATE_LIMIT_EXCEEDED"),
            ("200 OK", "INTERNAL_BAD_UPSTREAM"),
        ] {
            let answer = answered(&response(status, "application/json", &body)).await;
            assert_eq!(fault(&answer)["code"], code, "{status}: {answer}");
        }
    }
}

#[tokio::test]
async fn retry_after_is_passed_on() {
    let reply = "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n";
    let answer = answered(reply).await;
    assert_eq!(fault(&answer)["retry"]["after_ms"], 7000, "{answer}");
}

#[tokio::test]
async fn a_redirect_within_the_server_is_followed_and_a_loop_is_not() {
    let mut fixture = RemoteFixture::new().await;
    fixture.client.say(&call(1, "pay")).await;
    let request = fixture.server.next().await;
    let headers = [("Location", "/mcp/other?x=1")];
    request.reply("307 Temporary Redirect", &headers, "").await;
    let request = fixture.server.next().await;
    assert_eq!(
        (request.method.as_str(), request.path.as_str()),
        ("POST", "/mcp/other?x=1")
    );
    assert_eq!(request.body["params"]["name"], "pay");
    request.result(json!({"content": []})).await;
    assert_eq!(
        fixture.client.hear().await["result"],
        json!({"content": []})
    );

    fixture.client.say(&call(2, "pay")).await;
    for _ in 0..2 {
        let request = fixture.server.next().await;
        request
            .reply("308 Permanent Redirect", &[("Location", "/mcp")], "")
            .await;
    }
    let answer = fixture.client.hear().await;
    assert_eq!(fault(&answer)["code"], "INTERNAL_CONFIGURATION");
    assert_eq!(fault(&answer)["details"]["executed"], "no");
}

#[tokio::test]
async fn an_unreachable_server_has_executed_nothing_and_is_tried_again_by_the_next_call() {
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
    // A read may always be retried.
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
async fn a_silent_server_times_out_and_the_call_is_cancelled() {
    let mut fixture = RemoteFixture::with(|upstream| {
        upstream.timeouts.idle = Duration::from_millis(100);
    })
    .await;
    fixture.client.say(&call(1, "pay")).await;
    let mut request = fixture.server.next().await;
    let answer = fixture.client.hear().await;
    assert_eq!(fault(&answer)["code"], "UNAVAILABLE_TIMEOUT");
    assert_eq!(fault(&answer)["details"]["executed"], "unknown");
    let told = fixture.server.next().await;
    assert_eq!(told.body["method"], "notifications/cancelled");
    told.reply("202 Accepted", &[], "").await;
    request.gone().await;
}
