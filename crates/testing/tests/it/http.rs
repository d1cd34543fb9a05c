//! The raw client reads what is there, and says so where something is missing.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::thread;

use serde_json::json;
use testing::http::{Connection, Request};

#[test]
fn a_request_is_written_as_it_was_meant() {
    let request = Request::post("/mcp", &json!({"id": 1}))
        .header("accept", "text/plain")
        .one_more("X", "1")
        .one_more("X", "2");
    let bytes = String::from_utf8(request.bytes("here:1")).unwrap();
    let head = "POST /mcp HTTP/1.1\r\nHost: here:1\r\nContent-Length: 8\r\n\
                Content-Type: application/json\r\naccept: text/plain\r\nX: 1\r\nX: 2\r\n\r\n";
    assert_eq!(bytes, format!("{head}{{\"id\":1}}"));
    let bare = Request::new("GET", "/").without("Host").bytes("here:1");
    assert_eq!(bare, b"GET / HTTP/1.1\r\n\r\n");
}

#[test]
fn a_body_ends_where_its_head_says() {
    let cases = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab", "ab"),
        ("HTTP/1.1 200 OK\r\n\r\nall of it", "all of it"),
        (
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\
             1\r\na\r\n2;x=y\r\nbc\r\n0\r\n\r\n",
            "abc",
        ),
        ("HTTP/1.1 204 No Content\r\n\r\n", ""),
    ];
    for (told, body) in cases {
        let response = Connection::open(server(told)).response().unwrap();
        assert_eq!(response.text(), body, "{told:?}");
    }
}

#[test]
fn what_is_cut_or_nonsense_is_an_error() {
    use ErrorKind::{InvalidData, UnexpectedEof};
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    let cases = [
        ("HTTP/1.1 200 OK\r\nContent-".to_owned(), UnexpectedEof),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab".to_owned(),
            UnexpectedEof,
        ),
        (format!("{chunked}5\r\nab"), UnexpectedEof),
        (format!("{chunked}1\r\nabc\r\n0\r\n\r\n"), InvalidData),
        (format!("{chunked}size\r\nab\r\n"), InvalidData),
        ("<html>\r\n\r\n".to_owned(), InvalidData),
    ];
    for (told, kind) in cases {
        let error = Connection::open(server(&told)).response().unwrap_err();
        assert_eq!(error.kind(), kind, "{told:?}");
    }
}

#[test]
fn events_are_read_one_by_one() {
    let stream = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n\
                  9\r\n: alive\n\n\r\n1a\r\nid: 7\nretry: 50\ndata: {\"a\"\r\n13\r\n\ndata: :1}\n\ndata: x\r\n0\r\n\r\n";
    let mut connection = Connection::open(server(stream));
    assert_eq!(connection.head().unwrap().status, 200);
    assert_eq!(connection.event().unwrap().unwrap().comments, ["alive"]);
    let event = connection.event().unwrap().unwrap();
    assert_eq!((event.id.as_deref(), event.retry), (Some("7"), Some(50)));
    assert_eq!(event.message(), Some(json!({"a": 1})));
    assert_eq!(connection.event().unwrap(), None, "half an event is none");
}

/// A server that says the same to everybody, and ends.
fn server(told: &str) -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let told = told.to_owned();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(told.as_bytes()).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let _end = stream.read(&mut [0]);
    });
    address
}
