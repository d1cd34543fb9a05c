//! One connection: request after request, until one of them ends it.

use std::io;
use std::net::TcpStream;

use super::behaviour::Behaviour;
use super::exchange::{End, Exchange, Then, response};
use super::http2;
use super::hub::Hub;
use super::protocol;
use super::request::Request;
use super::stream::Stream;
use super::tls::is_http2;

pub(super) fn serve(hub: &Hub, tcp: TcpStream) -> io::Result<()> {
    let start = hub.options.start;
    // Who stalls or cuts the handshake does so before TLS has begun on our side.
    let is_raw = matches!(start, Some(Behaviour::TlsStalls | Behaviour::TlsCut));
    let mut stream = Stream::new(tcp, hub.tls.as_ref().filter(|_| !is_raw))?;
    if let Some(start) = start.filter(|start| is_http2(*start)) {
        return http2::serve(hub, &mut stream, start);
    }
    let mut then = at_once(hub);
    loop {
        then = match then {
            Then::Next => match Request::head(&mut stream, hub) {
                Ok(Some(request)) => one(hub, &mut stream, request)?,
                Ok(None) => return Ok(()),
                // A greeting of TLS, for example.
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    stream.say(&response("400 Bad Request", &[], b"what?"))?;
                    Then::Close
                }
                Err(error) => return Err(error),
            },
            Then::Close => {
                stream.close(hub);
                return Ok(());
            }
            Then::Reset => {
                stream.reset();
                return Ok(());
            }
            Then::Hold => {
                hold(hub, &mut stream);
                return Ok(());
            }
            Then::Deaf => {
                let _over = hub.wait(|_| None::<()>);
                return Ok(());
            }
            Then::OnNext(end) => {
                if stream.fill(hub)? == 0 {
                    return Ok(());
                }
                end.then()
            }
        };
    }
}

/// What becomes of a connection before it has said anything.
fn at_once(hub: &Hub) -> Then {
    match hub.options.start {
        Some(Behaviour::ClosesAtOnce) => Then::Close,
        Some(Behaviour::ResetsAtOnce) => Then::Reset,
        Some(Behaviour::NeverSpeaks | Behaviour::TlsStalls) => Then::Hold,
        Some(Behaviour::TlsCut) => Then::OnNext(End::Close),
        _ => Then::Next,
    }
}

fn one(hub: &Hub, stream: &mut Stream, mut request: Request) -> io::Result<Then> {
    if request.header("expect").is_some() {
        stream.say(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    // Who does not read a request has to know that this is the one.
    request.read(stream, hub, BEGINNING)?;
    let beginning = String::from_utf8_lossy(&request.body);
    if beginning.contains(r#""reset-unread""#) {
        return Ok(Then::Reset);
    }
    if beginning.contains(r#""stops-reading""#) {
        return Ok(Then::Deaf);
    }
    request.read(stream, hub, usize::MAX)?;
    let message = serde_json::from_slice(&request.body).unwrap_or_default();
    hub.saw(&request, &message);
    protocol::answer(&mut Exchange {
        hub,
        stream,
        request,
        message,
    })
}

/// Waits for the client to go.
fn hold(hub: &Hub, stream: &mut Stream) {
    while stream.fill(hub).is_ok_and(|read| read > 0) {
        stream.unread.clear();
    }
    if !hub.is_over() {
        hub.note(|notes| notes.abandoned += 1);
    }
}

/// Enough for the head of a message and the name of a behaviour.
const BEGINNING: usize = 1024;
