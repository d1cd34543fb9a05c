//! The fault server over HTTP does what its table says, and nothing else.

use std::io::{self, ErrorKind};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use testing::faulty_http::{Behaviour, Effect, Eras, Options, Server, When, Yields};
use testing::http::{Client, Connection, Request, Response};
use testing::wire::Wire;

#[test]
fn it_is_well_behaved_in_both_eras() {
    let server = Server::start();
    let legacy = Client::legacy(server.address(), "/mcp");
    let modern = Client::modern(server.address(), "/mcp");
    assert_eq!(legacy.greeting["result"]["protocolVersion"], "2025-11-25");
    let found = modern.ask(1, "server/discover", &json!({}));
    assert_eq!(found["result"]["supportedVersions"], json!(["2026-07-28"]));
    for client in [legacy, modern] {
        let tools = client.ask("list", "tools/list", &json!({}));
        assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), 6);
        let echo = client.call("echo", "echo", &json!({"a": [1, "b"]}));
        assert_eq!(echo["result"]["structuredContent"], json!({"a": [1, "b"]}));
        client.call("do", "do", &json!({"key": "one"}));
        assert_eq!(
            client.call(2, "nothing", &json!({}))["error"]["code"],
            -32602
        );
    }
    assert_eq!(server.executed("one"), 2);
}

#[test]
fn it_is_strict_with_its_clients() {
    let server = Server::start();
    let mut client = Client::legacy(server.address(), "/mcp");
    let message = client.message(1, "ping", &json!({}));
    let good = client.post(&message);
    let status = |request: &Request| {
        let response = Connection::open(server.address()).ask(request);
        response.unwrap().status
    };
    assert_eq!(status(&good), 200);
    assert_eq!(status(&good.clone().without("Mcp-Session-Id")), 400);
    assert_eq!(status(&good.clone().header("Mcp-Session-Id", "x")), 404);
    assert_eq!(status(&good.clone().header("Accept", "*/*")), 406);
    assert_eq!(
        status(&good.clone().header("Content-Type", "text/plain")),
        415
    );
    assert_eq!(status(&good.clone().body("{")), 400);
    server.forget_sessions();
    assert_eq!(status(&good), 404);
    client = Client::modern(server.address(), "/mcp");
    let message = client.message(1, "tools/call", &json!({"name": "echo"}));
    let good = client.post(&message);
    assert_eq!(status(&good), 200);
    assert_eq!(status(&good.header("Mcp-Name", "do")), 400);
    let modern = Server::of(Options::default().eras(Eras::Modern));
    let refused = Client::silent(modern.address(), "/mcp", "2025-11-25").initialize();
    assert_eq!(refused.json()["error"]["code"], -32022);
}

#[test]
fn a_body_in_chunks_and_one_that_waits_to_be_wanted_are_read() {
    let server = Server::start();
    let client = Client::modern(server.address(), "/mcp");
    let message = client.message(1, "ping", &json!({}));
    let request = client.post(&message).header("Expect", "100-continue");
    let mut connection = Connection::open(server.address());
    connection.request(&request).unwrap();
    assert_eq!(connection.head().unwrap().status, 100);
    assert_eq!(connection.response().unwrap().status, 200);
    let body = message.to_string();
    let body = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let request = client.post(&message).header("Transfer-Encoding", "chunked");
    assert_eq!(connection.ask(&request.body(body)).unwrap().status, 200);
}

#[test]
fn parked_calls_wait_until_they_are_released() {
    let server = Server::start();
    let client = Client::modern(server.address(), "/mcp");
    let call = |id: u64| {
        let params = json!({"name": "park", "arguments": {"n": id}});
        client.open(&client.message(id, "tools/call", &params))
    };
    let mut parked = [call(1), call(2)];
    let released = client.call(3, "release", &json!({"count": 2}));
    assert_eq!(released["result"]["structuredContent"]["released"], 2);
    for (connection, id) in parked.iter_mut().zip([1_u64, 2]) {
        let answer = connection.response().unwrap().answer(id);
        assert_eq!(answer["result"]["structuredContent"]["n"], id);
    }
}

#[test]
fn every_behaviour_of_a_call_shows_as_the_table_says() {
    for behaviour in Behaviour::of(When::Call) {
        let server = Server::start();
        let client = Client::legacy(server.address(), "/mcp");
        let seen = misbehave(&server, &client, behaviour);
        let what = format!("{behaviour:?}: {seen:.2000?}");
        let right = |message: &Value| message["id"] == "it" && message["result"].is_object();
        match (behaviour.yields(), &seen) {
            // This reader knows one version only.
            (Yields::Answer, _) if behaviour == Behaviour::OldVersion => {}
            (Yields::Answer, Ok(response)) => {
                let twice = behaviour == Behaviour::EventsTwice;
                let times = response
                    .messages()
                    .iter()
                    .filter(|each| right(each))
                    .count();
                assert_eq!(times, if twice { 2 } else { 1 }, "{what}");
            }
            (Yields::Answer, Err(_)) => panic!("{what}"),
            (Yields::Nothing, Ok(response)) => {
                let right =
                    |message: &Value| message["id"] == "it" && message["result"].is_object();
                // Small enough for a test they are answers; it is the size that makes them none.
                let is_big = matches!(
                    behaviour,
                    Behaviour::HugeBody
                        | Behaviour::HugeLength
                        | Behaviour::Deep
                        | Behaviour::ManyHeaders
                );
                let found = response.messages().iter().any(&right);
                assert_eq!(found && response.status == 200, is_big, "{what}");
            }
            (Yields::Nothing | Yields::Doubtful, _) => {}
        }
        assert_eq!(sees(&seen), expected(behaviour), "{what}");
        let times = u64::from(behaviour.effect() == Effect::Done);
        assert_eq!(server.executed("one"), times, "{what}");
        let client = Client::legacy(server.address(), "/mcp");
        let next = client.call("next", "echo", &json!({"n": 1}));
        assert_eq!(next["result"]["structuredContent"], json!({"n": 1}));
    }
}

/// A call of the behaviour by a client that does what servers may expect: it begins a new session, follows a redirect, comes
/// back for events. Sizes are such that a test can bear them.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the others want nothing more of a client"
)]
fn misbehave(server: &Server, client: &Client, behaviour: Behaviour) -> io::Result<Response> {
    let how = json!({"how": behaviour.name(), "key": "one", "bytes": 100_000, "count": 200, "depth": 100, "ms": 1});
    let meta = json!({"progressToken": "token"});
    let params = json!({"name": "misbehave", "arguments": how, "_meta": meta});
    let message = client.message("it", "tools/call", &params);
    let request = client.post(&message);
    let patience = Duration::from_millis(if behaviour.yields() == Yields::Answer {
        30_000
    } else {
        300
    });
    let mut connection = Connection::open(server.address()).patience(patience);
    let endless = [
        Behaviour::EndlessHead,
        Behaviour::EndlessBody,
        Behaviour::EndlessComments,
        Behaviour::EndlessInterim,
    ];
    connection.request(&request)?;
    if endless.contains(&behaviour) {
        // Every byte comes in time, and there is always another one.
        assert_eq!(connection.raw(200)?.len(), 200);
        return Err(ErrorKind::TimedOut.into());
    }
    if behaviour == Behaviour::EventsStayOpen {
        let head = connection.head()?;
        let event = connection.event()?.expect("an event");
        let mut response = client.send(&client.message("other", "ping", &json!({})));
        (response.head, response.body) = (head, format!("data: {}\n\n", event.data).into());
        return Ok(response);
    }
    let response = connection.response()?;
    match behaviour {
        Behaviour::SessionGoneOnce => {
            assert_eq!(response.status, 404);
            Ok(Client::legacy(server.address(), "/mcp").send(&message))
        }
        Behaviour::RedirectWithin => {
            let mut moved = client.clone();
            moved.path = response.header("Location").unwrap().to_owned();
            Ok(moved.send(&message))
        }
        Behaviour::EventsResumed | Behaviour::EventsNotResumed => {
            let id = response.events()[0].id.clone().expect("an id");
            client
                .clone()
                .with_header("Last-Event-ID", &id)
                .listen()
                .response()
        }
        _ => Ok(response),
    }
}

/// What a raw client sees of it: a status, or an error.
fn sees(seen: &io::Result<Response>) -> Result<u16, ErrorKind> {
    match seen {
        Ok(response) => Ok(response.status),
        Err(error) if error.kind() == ErrorKind::WouldBlock => Err(ErrorKind::TimedOut),
        Err(error) => Err(error.kind()),
    }
}

fn expected(behaviour: Behaviour) -> Result<u16, ErrorKind> {
    let row = EXPECTED.iter().find(|(_, all)| all.contains(&behaviour));
    row.map_or(Ok(200), |(expected, _)| *expected)
}

/// What is no 200.
const EXPECTED: &[(Result<u16, ErrorKind>, &[Behaviour])] = {
    use Behaviour::*;
    &[
        (
            Err(ErrorKind::ConnectionReset),
            &[
                ResetUnread,
                ResetAfterReading,
                ResetInHead,
                ResetInBody,
                EventReset,
            ],
        ),
        (
            Err(ErrorKind::UnexpectedEof),
            &[
                CloseWithoutAnswer,
                CloseInHead,
                LengthTooLongClose,
                NoLastChunk,
                EventCut,
                NotHttp,
            ],
        ),
        (
            Err(ErrorKind::TimedOut),
            &[
                HalfOpen,
                StopsReading,
                LengthTooLong,
                SilentEvents,
                SwitchingProtocols,
            ],
        ),
        (
            Err(ErrorKind::TimedOut),
            &[EndlessHead, EndlessBody, EndlessComments, EndlessInterim],
        ),
        (
            Err(ErrorKind::InvalidData),
            &[
                LengthIsText,
                BadChunkSize,
                ChunkTooLong,
                OldVersion,
                BadStatusLine,
            ],
        ),
        (Ok(202), &[Accepted]),
        (Ok(204), &[NoContent]),
        (Ok(303), &[SeeOther]),
        (
            Ok(307),
            &[
                RedirectLoop,
                RedirectElsewhere,
                RedirectNowhere,
                RedirectToFile,
            ],
        ),
        (Ok(400), &[RpcErrorIn400, BadRequest, EventsNotResumed]),
        (Ok(401), &[Unauthorized]),
        (Ok(403), &[Forbidden]),
        (Ok(404), &[SessionGoneForEver]),
        (Ok(405), &[MethodNotAllowed]),
        (Ok(406), &[NotAcceptable]),
        (Ok(413), &[TooLarge]),
        (Ok(415), &[UnsupportedType]),
        (Ok(429), &[TooMany]),
        (
            Ok(500),
            &[
                ServerErrorHtml,
                ServerErrorJson,
                ServerErrorEmpty,
                HugeServerError,
            ],
        ),
        (Ok(502), &[BadGateway]),
        (Ok(503), &[Unavailable]),
        (Ok(504), &[GatewayTimeout]),
        (Ok(799), &[UnknownStatus]),
    ]
};

#[test]
fn a_reused_connection_ends_without_being_read() {
    for (behaviour, kind) in [
        ("close-on-reuse", ErrorKind::UnexpectedEof),
        ("reset-on-reuse", ErrorKind::ConnectionReset),
    ] {
        let server = Server::start();
        let client = Client::modern(server.address(), "/mcp");
        let call = |id: u64, name: &str, how: &str| {
            let params = json!({"name": name, "arguments": {"how": how}});
            client.post(&client.message(id, "tools/call", &params))
        };
        let mut connection = Connection::open(server.address());
        let first = connection.ask(&call(1, "misbehave", behaviour)).unwrap();
        assert_eq!(first.status, 200);
        let error = connection.ask(&call(2, "do", "second")).unwrap_err();
        assert_eq!(error.kind(), kind, "{behaviour}");
        assert_eq!(
            (server.executed(behaviour), server.executed("second")),
            (1, 0)
        );
    }
}

#[test]
fn every_behaviour_of_the_start_shows() {
    use ErrorKind::{ConnectionRefused, ConnectionReset, TimedOut, UnexpectedEof};
    let cases = [
        (Behaviour::ConnectionRefused, Err(ConnectionRefused)),
        (Behaviour::ClosesAtOnce, Err(UnexpectedEof)),
        (Behaviour::ResetsAtOnce, Err(ConnectionReset)),
        (Behaviour::NeverSpeaks, Err(TimedOut)),
        (Behaviour::Portal, Ok(200)),
        (Behaviour::Locked, Ok(401)),
        (Behaviour::NoStream, Ok(200)),
        (Behaviour::NoSessions, Ok(200)),
        (Behaviour::StreamEnds, Ok(200)),
    ];
    for (behaviour, expected) in cases {
        let server = Server::of(Options::default().start(behaviour));
        let client = Client::modern(server.address(), "/mcp");
        let request = client.post(&client.message(1, "ping", &json!({})));
        let seen = Connection::try_open(server.address())
            .map(|connection| connection.patience(Duration::from_millis(300)))
            .and_then(|mut connection| connection.ask(&request));
        assert_eq!(sees(&seen), expected, "{behaviour:?}: {seen:?}");
    }
}

#[test]
fn only_a_good_certificate_is_trusted() {
    use Behaviour as B;
    for (behaviour, expected) in [
        (B::Tls, ""),
        (B::SelfSigned, "UnknownIssuer"),
        (B::Expired, "Expired"),
        (B::WrongName, "NotValidForName"),
        (B::TlsCut, "UnexpectedEof"),
        (B::TlsStalls, "WouldBlock"),
    ] {
        let server = Server::of(Options::default().start(behaviour));
        assert!(server.url().starts_with("https://"));
        let connection = Connection::open(server.address()).patience(Duration::from_millis(300));
        let client = Client::modern(server.address(), "/mcp");
        let request = client.post(&client.message(1, "ping", &json!({})));
        let seen = connection
            .sealed("127.0.0.1", server.authority())
            .and_then(|mut connection| {
                // The second request shows that the first one left the connection in order.
                connection.ask(&request)?;
                connection.ask(&request)
            });
        let problem = seen
            .err()
            .map(|error| format!("{error:?}"))
            .unwrap_or_default();
        assert!(problem.contains(expected), "{behaviour:?}: {problem}");
        assert_eq!(
            problem.is_empty(),
            expected.is_empty(),
            "{behaviour:?}: {problem}"
        );
    }
    let plain = Server::of(Options::default().start(B::NotTls));
    assert!(plain.url().starts_with("https://"));
    let authority = Server::of(Options::default().start(B::Tls));
    let problem = Connection::open(plain.address()).sealed("127.0.0.1", authority.authority());
    assert_eq!(problem.unwrap_err().kind(), ErrorKind::InvalidData);
}

#[test]
fn http_2_is_turned_down_in_three_ways() {
    const SETTINGS: &[u8] = &[0, 0, 0, 4, 0, 0, 0, 0, 0];
    const ACK: &[u8] = &[0, 0, 0, 4, 1, 0, 0, 0, 0];
    const HEADERS: &[u8] = &[0, 0, 1, 1, 5, 0, 0, 0, 1, 0x82];
    for (behaviour, answer) in [
        (
            Behaviour::GoAway,
            &[0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0][..],
        ),
        (
            Behaviour::StreamRefused,
            &[0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 7],
        ),
        (
            Behaviour::StreamFailed,
            &[0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 2],
        ),
    ] {
        let server = Server::of(Options::default().start(behaviour));
        let connection = Connection::open(server.address());
        let connection = connection.sealed("127.0.0.1", server.authority());
        let mut connection = connection.unwrap();
        connection
            .send(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            .unwrap();
        connection.send(&[SETTINGS, HEADERS].concat()).unwrap();
        let expected = [SETTINGS, ACK, answer].concat();
        assert_eq!(connection.raw(expected.len()).unwrap(), expected);
    }
}

#[test]
fn every_behaviour_of_the_start_is_named_above() {
    let source = include_str!("faulty_http.rs");
    for behaviour in Behaviour::of(When::Start) {
        assert!(
            source.contains(&format!("::{behaviour:?}")),
            "{behaviour:?}"
        );
    }
}

#[test]
fn the_stream_of_a_session_is_there_or_not() {
    let stream = |start: Option<Behaviour>| {
        let options = Options::default();
        let server = Server::of(start.map_or(options, |start| options.start(start)));
        let client = Client::legacy(server.address(), "/mcp");
        let mut stream = client.listen().patience(Duration::from_millis(300));
        let head = stream.head().unwrap();
        (head.status, stream.event().map(|event| event.is_some()))
    };
    let (status, event) = stream(None);
    assert!(status == 200 && event.is_err(), "it stays open");
    let (status, event) = stream(Some(Behaviour::StreamEnds));
    assert_eq!((status, event.unwrap()), (200, false));
    assert_eq!(stream(Some(Behaviour::NoStream)).0, 405);
}

#[test]
fn a_client_that_goes_away_is_missed() {
    let server = Server::start();
    let client = Client::modern(server.address(), "/mcp");
    let params = json!({"name": "misbehave", "arguments": {"how": "half-open"}});
    let connection = client.open(&client.message(1, "tools/call", &params));
    drop(connection);
    server.wait_for_abandoned(1);
    server.wait_for_silence();
}

#[test]
fn the_program_serves_until_its_input_ends_and_tells_what_was_done() {
    let mut wire = Wire::start(&mut Command::new(env!("CARGO_BIN_EXE_fault-http")));
    let line: Value = serde_json::from_slice(&wire.line().unwrap()).unwrap();
    let address = line["url"].as_str().unwrap();
    let address = address.strip_prefix("http://").unwrap();
    let address = address.strip_suffix("/mcp").unwrap().parse().unwrap();
    Client::legacy(address, "/mcp").call(1, "do", &json!({"key": "one"}));
    let seen = wire.end();
    assert!(seen.status.success());
    let last = seen.messages().last().unwrap();
    assert_eq!(last, json!({"executed": {"one": 1}}));
}
