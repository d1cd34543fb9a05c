//! Slow and idle clients, and that they do not slow others down.

use std::net::TcpStream;
use std::time::Duration;

use breakfall_mcp::http_server::Settings;
use h2::RecvStream;
use h2::client::SendRequest;
use hyper::body::Bytes;
use serde_json::{Value, json};
use testing::http::{Client, Connection, MODERN, Request};
use tokio::runtime::Runtime;

use super::{Gateway, until};

fn hurried(settings: &mut Settings) {
    settings.read_timeout = Duration::from_millis(200);
}

#[test]
fn headers_that_do_not_arrive_end_the_connection() {
    let gateway = Gateway::with(hurried);
    let mut slow = Connection::open(gateway.address);
    slow.send(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        .expect("it is taken");
    let mut quick = Connection::open(gateway.address);
    assert_eq!(
        quick
            .ask(&Request::new("PUT", "/mcp"))
            .expect("a response")
            .status,
        405
    );
    slow.ended().expect("it is cut off");
}

#[test]
fn a_partial_http2_preface_counts_as_headers() {
    let gateway = Gateway::with(hurried);
    for beginning in ["P", "PR"] {
        // A client that disconnects is removed at once.
        let mut gone = Connection::open(gateway.address);
        gone.send(beginning.as_bytes()).expect("it is taken");
        gone.hang_up().expect("it is told");
        gone.ended().expect("it is closed");
        // One that stays is disconnected.
        let mut slow = Connection::open(gateway.address);
        slow.send(beginning.as_bytes()).expect("it is taken");
        slow.ended().expect("it is cut off");
    }
    until("all are gone", || gateway.handle.connections() == 0);
    // In pieces it is the same request.
    let request = Request::new("PUT", "/mcp").bytes("localhost");
    let mut piecemeal = Connection::open(gateway.address);
    piecemeal.send(&request[..1]).expect("it is taken");
    piecemeal.send(&request[1..2]).expect("it is taken");
    piecemeal.send(&request[2..]).expect("it is taken");
    assert_eq!(piecemeal.response().expect("a response").status, 405);
}

#[test]
fn headers_byte_by_byte_do_not_extend_the_timeout() {
    let gateway = Gateway::with(hurried);
    let mut slow = Connection::open(gateway.address);
    slow.send(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        .expect("it is taken");
    until("it is cut off", || slow.send(b"a").is_err());
}

#[test]
fn a_body_that_hardly_arrives_is_refused_before_its_end() {
    let gateway = Gateway::with(hurried);
    let head = Request::post("/mcp", &json!({}))
        .header("Content-Length", "1000")
        .head("localhost");
    let mut slow = Connection::open(gateway.address);
    slow.send(&head).expect("it is taken");
    let response = slow.response().expect("a response");
    assert_eq!(response.status, 408);
    assert!(response.json()["error"]["data"]["remediation"].is_string());
    assert_eq!(response.header("Connection"), Some("close"));
    slow.ended().expect("it is cut off");
}

#[test]
fn a_chunked_body_over_the_limit_is_answered_at_the_limit() {
    let gateway = Gateway::with(|settings| {
        settings.limits.size = 100_000;
        // The end of the body does not come in the time of this test.
        settings.read_timeout = Duration::from_hours(1);
    });
    let head = Request::post("/mcp", &json!({})).header("Transfer-Encoding", "chunked");
    let head = head.head("localhost");
    let chunk = format!("8000\r\n{}\r\n", " ".repeat(0x8000)).into_bytes();
    let mut endless = Connection::open(gateway.address);
    endless.send(&head).expect("it is taken");
    for _ in 0..4 {
        endless.send(&chunk).expect("it is taken");
    }
    let response = endless.response().expect("a response");
    assert_eq!(response.status, 413, "{}", response.text());
    assert_eq!(response.header("Connection"), Some("close"));
    // A client that sends the whole body before it reads gets the response too.
    let mut late = Connection::open(gateway.address);
    late.send(&head).expect("it is taken");
    for _ in 0..10 {
        late.send(&chunk).expect("it is taken");
    }
    late.send(b"0\r\n\r\n").expect("it is taken");
    assert_eq!(late.response().expect("a response").status, 413);
    late.ended().expect("it is closed");
    // One that never ends its body is cut off.
    for _ in 0..10 {
        if endless.send(&chunk).is_err() {
            break;
        }
    }
    endless.ended().expect("it is cut off");
}

#[test]
fn a_body_that_announces_more_than_the_limit_is_answered_at_once() {
    let gateway = Gateway::with(|settings| {
        settings.limits.size = 100_000;
        // The end of the body does not come in the time of this test.
        settings.read_timeout = Duration::from_hours(1);
    });
    let head = |length: usize| {
        let request = Request::post("/mcp", &json!({}));
        let request = request.header("Content-Length", &length.to_string());
        request.head("localhost")
    };
    let start = br#"{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":""#;
    let mut endless = Connection::open(gateway.address);
    endless.send(&head(10_000_000_000)).expect("it is taken");
    endless.send(start).expect("it is taken");
    let response = endless.response().expect("a response");
    assert_eq!(response.status, 413, "{}", response.text());
    assert_eq!(response.json()["id"], 7);
    let actual = &response.json()["error"]["data"]["details"]["actual_value"];
    assert_eq!(*actual, 10_000_000_000_u64, "{}", response.text());
    assert_eq!(response.header("Connection"), Some("close"));
    // A client that sends the whole body before it reads gets the response too.
    let mut late = Connection::open(gateway.address);
    late.send(&head(300_000)).expect("it is taken");
    late.send(start).expect("it is taken");
    for _ in 0..3 {
        late.send(&vec![b' '; 90_000]).expect("it is taken");
    }
    let rest = vec![b' '; 30_000 - start.len()];
    late.send(&rest).expect("it is taken");
    assert_eq!(late.response().expect("a response").status, 413);
    late.ended().expect("it is closed");
    // One that goes on is cut off.
    let piece = vec![b' '; 100_000];
    for _ in 0..10 {
        if endless.send(&piece).is_err() {
            break;
        }
    }
    endless.ended().expect("it is cut off");
}

#[test]
fn a_client_that_does_not_read_its_response_is_disconnected() {
    let gateway = Gateway::with(hurried);
    let (client, server) = gateway.session();
    let stuck = client.open(&client.message("x", "ping", &json!({})));
    // More than the socket buffers hold.
    server.answer(&json!({"much": "x".repeat(32 << 20)}));
    until("it is given up", || gateway.handle.connections() == 0);
    drop(stuck);
    let mut response = client.open(&client.message("y", "ping", &json!({})));
    server.answer(&json!({}));
    assert_eq!(response.response().expect("a response").status, 200);
}

#[test]
fn beyond_the_budget_the_session_with_the_most_unread_answers_is_closed() {
    let gateway = Gateway::with(|settings| {
        hurried(settings);
        settings.sessions.unread = 40 << 20;
    });
    let (modest, its_server) = gateway.session();
    let (greedy, server) = gateway.session();
    let ask = |client: &Client, id: u64| client.open(&client.message(id, "ping", &json!({})));
    let mut late = ask(&modest, 1);
    its_server.answer(&json!({"much": "x".repeat(8 << 20)}));
    let mut unanswered = ask(&greedy, 0);
    let running = server.hear();
    // Each is more than the socket buffers hold, and both are more than the budget.
    let unread = [1, 2].map(|id| {
        let response = ask(&greedy, id);
        server.answer(&json!({"much": "x".repeat(24 << 20)}));
        response
    });
    until("it is removed", || gateway.mcp.sessions() == 1);
    let read = unread.map(|mut connection| connection.response().ok());
    // The answer that was too much is refused; the connection of the other one is closed.
    let read = read.map(|response| response.map(|response| response.status));
    assert_eq!(read, [None, Some(503)]);
    assert_eq!(
        greedy.send(&greedy.message(3, "ping", &json!({}))).status,
        404
    );
    // A request that still runs is answered, and cancelled upstream.
    let response = unanswered.response().expect("a response");
    assert_eq!(response.status, 503, "{}", response.text());
    let error = &response.json()["error"]["data"];
    assert_eq!(error["details"]["executed"], "unknown", "{error}");
    let cancelled = server.hear();
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], running["id"]);
    server.ended();
    let late = late.response().expect("the other session is not closed");
    assert_eq!(late.status, 200);
    let mut next = ask(&modest, 2);
    its_server.answer(&json!({}));
    assert_eq!(next.response().expect("a response").status, 200);
    // Without a session it is the request.
    let stateless = Client::modern(gateway.address, "/mcp");
    let mut unread = Vec::new();
    let mut shared = None;
    for id in 0..2 {
        unread.push(ask(&stateless, id));
        let server = shared.get_or_insert_with(|| gateway.server());
        server.answer(&json!({"resultType": "complete", "much": "x".repeat(24 << 20)}));
    }
    let read = unread.iter_mut().map(Connection::response);
    let read: Vec<bool> = read.map(|response| response.is_ok()).collect();
    assert_eq!(read, [false, true], "the later one is kept");
}

#[test]
fn a_client_without_an_http2_window_is_disconnected_and_one_that_waits_for_the_server_is_not() {
    let gateway = Gateway::with(hurried);
    let (client, server) = gateway.session_in("2025-06-18");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build();
    let runtime = runtime.expect("a runtime");
    // Its stream has no event yet.
    let mut patient = runtime.block_on(narrow(gateway.address, 0));
    let stream = runtime.block_on(async {
        let response = patient.send_request(request(&client, "GET"), true);
        response.expect("it is taken").0.await.expect("a head")
    });
    assert_eq!(stream.status(), 200);
    for window in [0, 1] {
        let mut narrow = runtime.block_on(narrow(gateway.address, window));
        let lying: Vec<_> = (0..3)
            .map(|id| {
                let message = client.message(id, "ping", &json!({}));
                let call = post(&runtime, &mut narrow, &client, &message);
                server.answer(&json!({"much": "x".repeat(1 << 20)}));
                runtime.block_on(call).expect("it runs")
            })
            .collect();
        assert_eq!(gateway.handle.connections(), 2);
        until("it is given up", || gateway.handle.connections() == 1);
        drop((narrow, lying));
    }
    drop((patient, stream));
}

#[test]
fn a_connection_with_many_small_unread_answers_is_closed_before_one_with_a_bigger_one() {
    // One answer of 3 MiB and five of 1 MiB fit.
    let gateway = Gateway::with(|settings| settings.sessions.unread = 17 << 19);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build();
    let runtime = runtime.expect("a runtime");
    let (client, its_server) = gateway.session_in("2025-06-18");
    let mut honest = runtime.block_on(narrow(gateway.address, 0));
    let message = client.message(0, "ping", &json!({}));
    let kept = post(&runtime, &mut honest, &client, &message);
    its_server.answer(&json!({"much": "x".repeat(3 << 20)}));
    let kept = runtime.block_on(kept).expect("it runs");
    let stateless = Client::modern(gateway.address, "/mcp");
    let mut greedy = runtime.block_on(narrow(gateway.address, 0));
    let mut shared = None;
    let mut unread = Vec::new();
    for id in 0..6 {
        let message = stateless.message(id, "ping", &json!({}));
        let call = post(&runtime, &mut greedy, &stateless, &message);
        let server = shared.get_or_insert_with(|| gateway.server());
        server.answer(&json!({"resultType": "complete", "much": "x".repeat(1 << 20)}));
        // The last one ends with its connection.
        unread.push(runtime.block_on(call).ok());
    }
    until("it is closed", || gateway.handle.connections() == 1);
    until("its client notices", || {
        runtime.block_on(greedy.clone().ready()).is_err()
    });
    let other = runtime.block_on(honest.clone().ready());
    other.expect("the other connection is open");
    drop((honest, kept, greedy, unread));
}

/// An HTTP/2 connection with a small flow-control window.
async fn narrow(address: std::net::SocketAddr, window: u32) -> SendRequest<Bytes> {
    let stream = tokio::net::TcpStream::connect(address).await;
    let mut builder = h2::client::Builder::new();
    builder.initial_window_size(window);
    let connected = builder.handshake(stream.expect("it listens")).await;
    let (sender, connection) = connected.expect("HTTP/2");
    tokio::spawn(connection);
    sender.ready().await.expect("a connection")
}

fn request(client: &Client, method: &str) -> http::Request<()> {
    let (name, value) = match client.session.as_deref() {
        Some(session) => ("Mcp-Session-Id", session),
        None => ("MCP-Protocol-Version", MODERN),
    };
    http::Request::builder()
        .method(method)
        .uri("http://localhost/mcp")
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, text/event-stream")
        .header(name, value)
        .body(())
        .expect("a request")
}

/// Sends a message, and leaves its response unread.
fn post(
    runtime: &Runtime,
    sender: &mut SendRequest<Bytes>,
    client: &Client,
    message: &Value,
) -> tokio::task::JoinHandle<RecvStream> {
    let mut request = request(client, "POST");
    let method = message["method"].as_str().expect("a method");
    let method = method.parse().expect("a header");
    request.headers_mut().insert("Mcp-Method", method);
    let sent = sender.send_request(request, false);
    let (response, mut body) = sent.expect("it is taken");
    body.send_data(message.to_string().into(), true)
        .expect("it is taken");
    runtime.spawn(async { response.await.expect("a head").into_body() })
}

#[test]
fn an_idle_connection_is_closed_and_an_open_stream_is_not() {
    let gateway = Gateway::with(|settings| {
        hurried(settings);
        settings.keep = Duration::from_millis(100);
    });
    let (client, server) = gateway.session();
    let mut stream = client.listen();
    stream.head().expect("a head");
    let mut idle = Connection::open(gateway.address);
    assert_eq!(
        idle.ask(&Request::new("PUT", "/mcp"))
            .expect("a response")
            .status,
        405
    );
    idle.ended().expect("it is closed");
    let mut silent = Connection::open(gateway.address);
    silent.ended().expect("it is closed");
    let changed = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
    server.say(changed.clone());
    stream.event().expect("a stream").expect("an event");
    assert_eq!(
        stream
            .event()
            .expect("a stream")
            .expect("an event")
            .message(),
        Some(changed)
    );
}

#[test]
fn beyond_the_maximum_the_longest_idle_connection_is_closed() {
    let gateway = Gateway::with(|settings| settings.connections = 3);
    let mut first = Connection::open(gateway.address);
    first.ask(&Request::new("PUT", "/mcp")).expect("a response");
    let mut others: Vec<_> = (0..3).map(|_| Connection::open(gateway.address)).collect();
    for other in &mut others {
        assert_eq!(
            other
                .ask(&Request::new("PUT", "/mcp"))
                .expect("a response")
                .status,
            405
        );
    }
    first.ended().expect("it made room");
    assert_eq!(gateway.handle.connections(), 3);
}

#[test]
fn thousands_of_idle_connections_do_not_hurt_the_others() {
    testing::many_files();
    let gateway = Gateway::start();
    // Both ends of each are in this process.
    let count = (testing::most_files().saturating_sub(500) / 2).min(10_000);
    let before = memory();
    let mut idle = Vec::new();
    while idle.len() < count {
        let connection = TcpStream::connect(gateway.address);
        idle.push(connection.unwrap_or_else(|error| panic!("{} of {count}: {error}", idle.len())));
        // Not faster than they are accepted, or the system delays them by a second.
        if idle.len() % 500 == 0 {
            until("they are let in", || {
                gateway.handle.connections() == idle.len()
            });
        }
    }
    until("all are let in", || gateway.handle.connections() == count);
    let each = (memory().saturating_sub(before)) / count;
    assert!(each < 4096, "{each} bytes for each of {count}");
    let (client, server) = gateway.session();
    for id in 0..100 {
        let mut response = client.open(&client.message(id, "ping", &json!({})));
        server.answer(&json!({}));
        assert_eq!(response.response().expect("a response").status, 200);
    }
    drop(idle);
    until("all are gone", || gateway.handle.connections() == 0);
    assert!(count >= 1000, "only {count} connections");
}

/// The resident memory of this process.
fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
    kilobytes
        .and_then(|text| text.parse::<usize>().ok())
        .expect("a number")
        * 1024
}
