//! The log of a service.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::json;

use super::Gateway;

#[test]
fn every_call_has_a_line_with_its_time_tool_server_outcome_and_duration() {
    let mut gateway = Gateway::of("store: memory\nupstreams: { shop: { demo: true } }\n");
    let client = gateway.modern("/mcp");
    client.call("x", "get_order", &json!({"order_id": "ord-1001"}));
    client.call("y", "get_order", &json!({"order_id": "ord-9999"}));
    for start in [
        "breakfall: info: call success ",
        "breakfall: warn: NOT_FOUND_RESOURCE: ",
    ] {
        let line = gateway.says(start);
        let (time, rest) = line.split_once(' ').expect("a time");
        assert!(rest.starts_with(start), "{line}");
        assert_eq!(time.len(), "2026-01-27T13:37:18.075Z".len(), "{line}");
        for field in [r#"upstream="shop""#, r#"operation="get_order""#, "took_ms="] {
            assert!(line.contains(field), "{line}");
        }
    }
}

#[test]
fn a_failure_has_its_whole_message_below_the_line_of_its_call() {
    let mut gateway = Gateway::of("store: memory\nupstreams: { shop: { demo: true } }\n");
    let client = gateway.modern("/mcp");
    client.call("x", "leaky_lookup", &json!({}));
    let line = gateway.says("Traceback (most recent call last):");
    assert!(
        line.contains("Z breakfall: warn: ") && line.contains("took_ms="),
        "{line}"
    );
    let last = gateway.says("demodb.OperationalError: could not connect");
    assert!(
        last.starts_with("  ") && !last.contains("not-a-real"),
        "{last}"
    );
}

#[test]
fn connections_without_a_key_cannot_fill_the_log() {
    let mut gateway = Gateway::of("store: memory\nupstreams: { shop: { demo: true } }\n");
    for _ in 0..CONNECTIONS {
        let mut stream = TcpStream::connect(gateway.address()).expect("it listens");
        stream.write_all(&resets()).expect("it reads");
        // The server closes a connection with so many resets.
        let _ = stream.read_to_end(&mut Vec::new());
    }
    gateway.signal("TERM");
    let line = gateway.says("more lines of h2");
    let left_out = line
        .split_whitespace()
        .find_map(|word| word.parse::<usize>().ok());
    let written = gateway
        .log
        .iter()
        .filter(|line| line.contains("reached limit"));
    let written = written.count();
    assert_eq!(written, 100, "{line}");
    assert_eq!(left_out, Some(CONNECTIONS - 100), "{line}");
}

const CONNECTIONS: usize = 130;

/// An HTTP/2 connection that resets many requests as soon as it has sent them.
fn resets() -> Vec<u8> {
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    let mut frame = |kind: u8, flags: u8, stream: u32, payload: &[u8]| {
        let length = u32::try_from(payload.len()).expect("it is short");
        bytes.extend_from_slice(&length.to_be_bytes()[1..]);
        bytes.extend_from_slice(&[kind, flags]);
        bytes.extend_from_slice(&stream.to_be_bytes());
        bytes.extend_from_slice(payload);
    };
    frame(4, 0, 0, &[]);
    for stream in (1..200).step_by(2) {
        // GET http://… /, and the end of the headers.
        frame(1, 0x4, stream, &[0x82, 0x86, 0x84, 0x41, 1, b'x']);
        frame(3, 0, stream, &8_u32.to_be_bytes());
    }
    bytes
}
