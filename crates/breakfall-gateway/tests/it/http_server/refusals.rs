//! Malformed requests: each has its status, its code, and a body that says what to do.

use breakfall_gateway::serve;
use breakfall_gateway::upstream::{Origin, Upstream};
use breakfall_mcp::http_server::Settings;
use serde_json::{Value, json};
use testing::http::{Client, Connection, Request};

use super::Gateway;

/// A request and its refusal: status, JSON-RPC code, id, and a word of the advice.
struct Edge(&'static str, Request, u16, i64, Option<i64>, &'static str);

fn list(id: u64) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/list", "params": {}})
}

fn post(message: &Value) -> Request {
    Request::post("/mcp", message)
}

fn modern(method: &str, mut params: Value) -> Request {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    bare(method, &params)
        .header("MCP-Protocol-Version", "2026-07-28")
        .header("Mcp-Method", method)
}

fn bare(method: &str, params: &Value) -> Request {
    post(&json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}))
}

#[rustfmt::skip]
fn heads() -> Vec<Edge> {
    let good = || post(&list(7));
    vec![
        Edge("PUT", Request::new("PUT", "/mcp"), 405, -32600, None, "POST"),
        Edge("OPTIONS", Request::new("OPTIONS", "/mcp"), 405, -32600, None, "POST"),
        Edge("PATCH with a body", Request::new("PATCH", "/mcp").body("{}"), 405, -32600, None, "POST"),
        Edge("another path", Request::post("/mcp/other", &list(7)), 404, -32600, None, "/mcp"),
        Edge("HTTP+SSE at the endpoint", Request::new("GET", "/mcp").header("Accept", "text/event-stream"), 400, -32600, None, "Streamable HTTP"),
        Edge("no Accept", good().without("Accept"), 406, -32600, Some(7), "text/event-stream"),
        Edge("half an Accept", good().header("Accept", "application/json"), 406, -32600, Some(7), "text/event-stream"),
        Edge("GET without events", Request::new("GET", "/mcp").header("Accept", "application/json"), 406, -32600, None, "text/event-stream"),
        Edge("no content type", good().without("Content-Type"), 415, -32600, None, "application/json"),
        Edge("a form", good().header("Content-Type", "application/x-www-form-urlencoded"), 415, -32600, None, "application/json"),
        Edge("compressed", good().header("Content-Encoding", "gzip"), 415, -32600, None, "Content-Encoding"),
        Edge("no host", good().without("Host"), 400, -32600, None, "Host"),
        Edge("a host that is not in the address", Request::post("http://evil.example/mcp", &list(7)), 400, -32600, None, "address of the request"),
        Edge("a foreign host", good().header("Host", "evil.example"), 403, -32600, None, "hosts"),
        Edge("a foreign site", good().header("Origin", "https://evil.example"), 403, -32600, None, "origins"),
        Edge("two sites", good().header("Origin", "http://localhost:3000").one_more("Origin", "https://evil.example"), 400, -32600, None, "once"),
        Edge("one site twice", good().header("Origin", "http://localhost:3000").one_more("Origin", "http://localhost:3000"), 400, -32600, None, "once"),
        Edge("no site in particular", good().header("Origin", "null"), 403, -32600, None, "origins"),
    ]
}

#[rustfmt::skip]
fn bodies() -> Vec<Edge> {
    let raw = |body: &[u8]| post(&json!(0)).body(body);
    vec![
        Edge("nothing", raw(b""), 400, -32700, None, "JSON"),
        Edge("no JSON", raw(b"hello"), 400, -32700, None, "JSON"),
        Edge("a byte order mark", raw(b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}"), 400, -32700, Some(7), "byte order mark"),
        Edge("half a message", raw(br#"{"jsonrpc":"2.0","id":7,"method":"#), 400, -32700, Some(7), "JSON"),
        Edge("not UTF-8", raw(b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\xff\"}"), 400, -32700, Some(7), "UTF-8"),
        Edge("a break in a string", raw(b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"a\nb\"}"), 400, -32700, Some(7), "JSON"),
        Edge("a batch", raw(br#" [{"jsonrpc":"2.0","id":7,"method":"ping"}]"#), 400, -32600, None, "one by one"),
        Edge("an empty batch", raw(b"[]"), 400, -32600, None, "one by one"),
        Edge("a number", raw(b"7"), 400, -32600, None, "Correct"),
        Edge("another version of JSON-RPC", raw(br#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#), 400, -32600, Some(7), "2.0"),
        Edge("no method", raw(br#"{"jsonrpc":"2.0","id":7}"#), 400, -32600, Some(7), "method"),
        Edge("parameters in a list", raw(br#"{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}"#), 400, -32600, Some(7), "object"),
        Edge("an id that is null", raw(br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#), 400, -32600, None, "id"),
        Edge("too deep", raw(format!(r#"{{"jsonrpc":"2.0","id":7,"method":"x","params":{{"a":{}}}}}"#, "[".repeat(1000)).as_bytes()), 413, -32600, Some(7), "nest"),
        Edge("too big", raw(format!(r#"{{"jsonrpc":"2.0","id":7,"method":"x","params":{{"a":"{}"}}}}"#, "a".repeat(LIMIT)).as_bytes()), 413, -32600, Some(7), "bytes"),
    ]
}

const LIMIT: usize = 100_000;

#[rustfmt::skip]
fn eras() -> Vec<Edge> {
    let discover = || modern("server/discover", json!({}));
    let call = || modern("tools/call", json!({"name": "tür"})).header("Mcp-Name", "=?base64?dMO8cg==?=");
    let meta = |key: &str| json!({"_meta": {format!("io.modelcontextprotocol/{key}"): if key == "protocolVersion" { json!("2026-07-28") } else { json!({}) }}});
    let told = |request: Request| request.header("MCP-Protocol-Version", "2026-07-28").header("Mcp-Method", "tools/list");
    vec![
        Edge("no session", post(&list(7)), 400, -32600, Some(7), "initialize"),
        Edge("an unknown session", post(&list(7)).header("Mcp-Session-Id", "unknown"), 404, -32600, Some(7), "initialize"),
        Edge("two sessions", post(&list(7)).header("Mcp-Session-Id", "a").one_more("Mcp-Session-Id", "b"), 400, -32600, Some(7), "given to you"),
        Edge("a notification without a session", post(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})), 400, -32600, None, "initialize"),
        Edge("an answer without a session", post(&json!({"jsonrpc": "2.0", "id": 7, "result": {}})), 400, -32600, None, "initialize"),
        Edge("DELETE without a session", Request::new("DELETE", "/mcp"), 400, -32600, None, "initialize"),
        Edge("DELETE of an unknown session", Request::new("DELETE", "/mcp").header("Mcp-Session-Id", "unknown"), 404, -32600, None, "initialize"),
        Edge("GET of an unknown session", Request::new("GET", "/mcp").header("Accept", "text/event-stream").header("Mcp-Session-Id", "unknown"), 404, -32600, None, "initialize"),
        Edge("an unknown version", post(&list(7)).header("MCP-Protocol-Version", "1999-01-01"), 400, -32022, Some(7), "supported"),
        Edge("an unknown version in a session", post(&list(7)).header("MCP-Protocol-Version", "1999-01-01").header("Mcp-Session-Id", "a"), 400, -32602, Some(7), "supported"),
        Edge("an unknown version of a handshake", bare("initialize", &json!({"protocolVersion": "2025-11-25"})).header("MCP-Protocol-Version", "x"), 400, -32022, Some(7), "supported"),
        Edge("a handshake of no version", bare("initialize", &json!({})), 400, -32602, Some(7), "'params.protocolVersion' is missing"),
        Edge("a handshake under another name", bare("initialize", &json!({"protocolVersion": "2025-11-25"})).header("Mcp-Method", "tools/list"), 400, -32020, Some(7), "Mcp-Method"),
        Edge("modern GET", Request::new("GET", "/mcp").header("MCP-Protocol-Version", "2026-07-28").header("Accept", "text/event-stream"), 405, -32600, None, "POST"),
        Edge("modern DELETE", Request::new("DELETE", "/mcp").header("MCP-Protocol-Version", "2026-07-28"), 405, -32600, None, "POST"),
        Edge("no _meta", told(bare("tools/list", &json!({}))), 400, -32602, Some(7), "_meta"),
        Edge("no params", told(post(&json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list"}))), 400, -32602, Some(7), "_meta"),
        Edge("no version in _meta", told(bare("tools/list", &meta("clientCapabilities"))), 400, -32602, Some(7), "protocolVersion"),
        Edge("no capabilities in _meta", told(bare("tools/list", &meta("protocolVersion"))), 400, -32602, Some(7), "clientCapabilities"),
        Edge("_meta twice", told(post(&json!(0)).body(r#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":{},"_meta":{}}}"#)), 400, -32602, Some(7), "_meta"),
        Edge("_meta in a list", told(bare("tools/list", &json!({"_meta": ["2026-07-28", {}]}))), 400, -32602, Some(7), "_meta"),
        Edge("a version in other letters", post(&json!(0)).body(r#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol\/\u0070rotocolVersion":"2026-07-28"}}}"#), 400, -32020, Some(7), "MCP-Protocol-Version"),
        Edge("discovery without anything", bare("server/discover", &json!({})), 400, -32602, Some(7), "_meta"),
        Edge("no version header", discover().without("MCP-Protocol-Version"), 400, -32020, Some(7), "'MCP-Protocol-Version' "),
        Edge("another version header", discover().header("MCP-Protocol-Version", "2025-11-25"), 400, -32020, Some(7), "'MCP-Protocol-Version' "),
        Edge("an unknown version header", discover().header("MCP-Protocol-Version", "v999"), 400, -32020, Some(7), "'MCP-Protocol-Version' "),
        Edge("two version headers", discover().one_more("MCP-Protocol-Version", "2026-07-28"), 400, -32020, Some(7), "once"),
        Edge("no Mcp-Method", discover().without("Mcp-Method"), 400, -32020, Some(7), "'Mcp-Method' "),
        Edge("another Mcp-Method", discover().header("Mcp-Method", "tools/list"), 400, -32020, Some(7), "'Mcp-Method' "),
        Edge("Mcp-Method in other letters", discover().header("Mcp-Method", "Server/Discover"), 400, -32020, Some(7), "'Mcp-Method' "),
        Edge("no Mcp-Name", call().without("Mcp-Name"), 400, -32020, Some(7), "'Mcp-Name' "),
        Edge("another Mcp-Name", call().header("Mcp-Name", "tor"), 400, -32020, Some(7), "'Mcp-Name' "),
        Edge("Mcp-Name badly encoded", call().header("Mcp-Name", "=?base64?dMO8cg=?="), 400, -32020, Some(7), "Base64"),
        Edge("Mcp-Name not plain", call().header("Mcp-Name", "tür"), 400, -32020, Some(7), "plain"),
        Edge("another uri", modern("resources/read", json!({"uri": "a:b"})).header("Mcp-Name", "a:c"), 400, -32020, Some(7), "'Mcp-Name' "),
        Edge("another task", modern("tasks/get", json!({"taskId": "1"})).header("Mcp-Name", "2"), 400, -32020, Some(7), "'Mcp-Name' "),
        Edge("a handshake", modern("initialize", json!({})), 404, -32601, Some(7), "server/discover"),
        Edge("an answer to nothing", post(&json!({"jsonrpc": "2.0", "id": 7, "result": {}})).header("MCP-Protocol-Version", "2026-07-28"), 400, -32600, None, "initialize"),
    ]
}

#[test]
fn every_bad_request_has_its_status_its_code_and_advice() {
    let gateway = Gateway::with(|settings| settings.limits.size = LIMIT);
    for Edge(name, request, status, code, id, advice) in
        heads().into_iter().chain(bodies()).chain(eras())
    {
        let response = gateway.ask(&request);
        let text = response.text();
        assert_eq!(response.status, status, "{name}: {text}");
        assert!(
            response.head.is("application/json"),
            "{name}: {:?}",
            response.head
        );
        let body = response.json();
        assert_eq!(body["jsonrpc"], "2.0", "{name}: {text}");
        assert_eq!(body["error"]["code"], code, "{name}: {text}");
        assert_eq!(body.get("id").and_then(Value::as_i64), id, "{name}: {text}");
        assert!(text.contains(advice), "{name}: {advice} in {text}");
        let object = &body["error"]["data"];
        assert!(
            object["remediation"]
                .as_str()
                .is_some_and(|text| text.len() > 10),
            "{name}: {text}"
        );
        assert!(object["correlation_id"].is_string(), "{name}: {text}");
        let allow = response.header("Allow");
        assert_eq!(allow.is_some(), status == 405, "{name}: {allow:?}");
    }
    assert_eq!(gateway.mcp.sessions(), 0, "no session was opened");
}

#[test]
fn a_refusal_at_a_path_that_is_not_mcp_is_a_problem() {
    let gateway = Gateway::start();
    let page = || Request::new("GET", "/");
    for (request, status, advice) in [
        (Request::post("/other", &list(7)), 404, "/mcp"),
        (page(), 404, "/mcp"),
        (
            Request::new("GET", "/sse").header("Accept", "text/event-stream"),
            404,
            "Streamable HTTP",
        ),
        (
            Request::post("/messages?session_id=1", &list(7)),
            404,
            "Streamable HTTP",
        ),
        (Request::new("GET", "/mcpx"), 404, "/mcp"),
        (page().without("Host"), 400, "Host"),
        (
            page().header("Origin", "https://evil.example"),
            403,
            "origins",
        ),
    ] {
        let response = gateway.ask(&request);
        let text = response.text();
        assert_eq!(response.status, status, "{text}");
        assert!(
            response.head.is("application/problem+json"),
            "{:?}",
            response.head
        );
        assert_eq!(response.json()["status"], status, "{text}");
        let remediation = response.json()["remediation"].to_string();
        assert!(remediation.contains(advice), "{text}");
    }
}

#[test]
fn a_transfer_coding_other_than_chunked_is_refused() {
    let gateway = Gateway::start();
    let mut connection = Connection::open(gateway.address);
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n";
    connection.send(head.as_bytes()).expect("it is taken");
    connection
        .send(b"2\r\n{}\r\n0\r\n\r\n")
        .expect("it is taken");
    let response = connection.response().expect("a response");
    assert_eq!(response.status, 501, "{}", response.text());
    assert_eq!(response.header("Connection"), Some("close"));
    assert!(response.text().contains("Content-Length"));
}

#[test]
fn a_client_that_speaks_tls_to_a_plain_address_is_told_so() {
    let gateway = Gateway::start();
    let mut connection = Connection::open(gateway.address);
    connection
        .send(&[0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
        .expect("it is taken");
    let response = connection.response().expect("a response");
    assert_eq!(response.status, 400);
    assert!(response.text().contains("'http://'"), "{}", response.text());
}

#[test]
fn an_unsupported_version_is_answered_with_the_supported_ones() {
    let gateway = Gateway::start();
    let mut params = json!({});
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "v999.0.0",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let request = bare("server/discover", &params)
        .header("MCP-Protocol-Version", "v999.0.0")
        .header("Mcp-Method", "server/discover");
    let response = gateway.ask(&request);
    assert_eq!(response.status, 400);
    let error = &response.json()["error"];
    assert_eq!(error["code"], -32022);
    assert_eq!(error["data"]["supported"], json!(["2026-07-28"]));
    assert_eq!(error["data"]["requested"], "v999.0.0");
}

#[test]
fn an_error_that_answers_no_request_has_an_id_only_in_old_versions() {
    let gateway = Gateway::start();
    let broken = || Request::post("/mcp", &json!(0)).body("{");
    for (version, want) in [
        ("2025-06-18", true),
        ("2025-11-25", false),
        ("2026-07-28", false),
    ] {
        let response = gateway.ask(&broken().header("MCP-Protocol-Version", version));
        assert_eq!(response.json().get("id").is_some(), want, "{version}");
    }
    assert_eq!(gateway.ask(&broken()).json().get("id"), Some(&Value::Null));
}

#[test]
fn a_valid_request_of_either_era_reaches_the_server_unchanged() {
    let gateway = Gateway::start();
    let (client, server) = gateway.session();
    std::thread::scope(|scope| {
        let answer = scope.spawn(|| client.ask("x", "tools/list", &json!({"odd": 1.50})));
        let heard = server.answer(&json!({"tools": [], "kept": 1e2}));
        assert_eq!(heard["params"], json!({"odd": 1.5}));
        assert_eq!(answer.join().expect("an answer")["result"]["kept"], 1e2);
    });
    let modern = Client::modern(gateway.address, "/mcp");
    std::thread::scope(|scope| {
        let answer = scope.spawn(|| modern.ask("x", "server/discover", &json!({})));
        let server = gateway.server();
        server.answer(&json!({"supportedVersions": ["2026-07-28"]}));
        assert_eq!(answer.join().expect("an answer")["id"], "x");
    });
}

#[test]
fn a_page_of_a_configured_origin_may_call_and_read_the_answer() {
    let gateway =
        Gateway::with(|settings| settings.origins = vec!["https://app.example".to_owned()]);
    let question = |site: &str| {
        Request::new("OPTIONS", "/mcp")
            .header("Origin", site)
            .header("Access-Control-Request-Method", "POST")
            .header(
                "Access-Control-Request-Headers",
                "content-type,mcp-param-city",
            )
    };
    let permitted = gateway.ask(&question("https://app.example"));
    assert_eq!((permitted.status, permitted.body.len()), (204, 0));
    for (name, value) in [
        ("Access-Control-Allow-Origin", "https://app.example"),
        ("Access-Control-Allow-Methods", "GET, POST, DELETE"),
        (
            "Access-Control-Allow-Headers",
            "content-type,mcp-param-city",
        ),
        ("Vary", "Origin"),
    ] {
        assert_eq!(permitted.header(name), Some(value), "{name}");
    }
    let refused = gateway.ask(&post(&list(7)).header("Origin", "https://app.example"));
    assert_eq!(refused.status, 400);
    assert_eq!(
        refused.header("Access-Control-Allow-Origin"),
        Some("https://app.example")
    );
    let seen = refused
        .header("Access-Control-Expose-Headers")
        .expect("a list");
    assert!(seen.contains("Mcp-Session-Id"));
    let twice = question("https://app.example").one_more("Origin", "https://app.example");
    let twice = gateway.ask(&twice);
    assert_eq!(twice.status, 400);
    assert_eq!(twice.header("Access-Control-Allow-Origin"), None);
    // Pages of this machine may call, but get no CORS headers.
    for (site, status) in [
        ("http://localhost:3000", 405),
        ("https://evil.example", 403),
    ] {
        let response = gateway.ask(&question(site));
        assert_eq!(response.status, status, "{site}");
        assert_eq!(
            response.header("Access-Control-Allow-Origin"),
            None,
            "{site}"
        );
    }
}

#[test]
fn a_port_in_use_is_told_with_what_to_do() {
    let gateway = Gateway::start();
    let shop = Upstream::new("shop", Origin::in_process(breakfall_demo::spawn));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let _entered = runtime.as_ref().expect("a runtime").enter();
    let error =
        serve::single(gateway.address, &Settings::default(), shop).expect_err("it is taken");
    let address = gateway.address;
    assert_eq!(
        error.to_string(),
        format!("cannot listen at {address}: address already in use")
    );
    assert!(error.fix().contains("--listen"), "{}", error.fix());
}
