//! As little of HTTP/2 as it takes to turn a request down.

use std::io;

use super::behaviour::Behaviour;
use super::hub::Hub;
use super::stream::Stream;

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GOAWAY: u8 = 7;
const ACK: u8 = 1;
const NO_ERROR: u32 = 0;
const INTERNAL_ERROR: u32 = 2;
const REFUSED_STREAM: u32 = 7;

/// A frame, without what is in it.
struct Frame {
    kind: u8,
    flags: u8,
    stream: u32,
}

pub(super) fn serve(hub: &Hub, stream: &mut Stream, behaviour: Behaviour) -> io::Result<()> {
    if take(stream, hub, PREFACE.len())?.is_none() {
        return Ok(());
    }
    stream.say(&frame(SETTINGS, 0, 0, &[]))?;
    while let Some((frame_seen, body)) = read(stream, hub)? {
        let Frame {
            kind,
            flags,
            stream: number,
        } = frame_seen;
        match kind {
            SETTINGS if flags & ACK == 0 => stream.say(&frame(SETTINGS, ACK, 0, &[]))?,
            PING if flags & ACK == 0 => stream.say(&frame(PING, ACK, 0, &body))?,
            HEADERS if behaviour == Behaviour::GoAway => {
                // The client ends the connection: who closed it here might take back what was just said.
                let body = [0_u32.to_be_bytes(), NO_ERROR.to_be_bytes()].concat();
                stream.say(&frame(GOAWAY, 0, 0, &body))?;
            }
            HEADERS => {
                let is_refused = behaviour == Behaviour::StreamRefused;
                let code = if is_refused {
                    REFUSED_STREAM
                } else {
                    INTERNAL_ERROR
                };
                stream.say(&frame(RST_STREAM, 0, number, &code.to_be_bytes()))?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn read(stream: &mut Stream, hub: &Hub) -> io::Result<Option<(Frame, Vec<u8>)>> {
    let Some(head) = take(stream, hub, 9)? else {
        return Ok(None);
    };
    let number = |bytes: &[u8]| {
        bytes
            .iter()
            .fold(0_u32, |sum, byte| sum << 8 | u32::from(*byte))
    };
    let length = number(&head[..3]) as usize;
    let frame = Frame {
        kind: head[3],
        flags: head[4],
        stream: number(&head[5..]),
    };
    Ok(take(stream, hub, length)?.map(|body| (frame, body)))
}

fn take(stream: &mut Stream, hub: &Hub, bytes: usize) -> io::Result<Option<Vec<u8>>> {
    while stream.unread.len() < bytes {
        if stream.fill(hub)? == 0 {
            return Ok(None);
        }
    }
    Ok(Some(stream.unread.drain(..bytes).collect()))
}

fn frame(kind: u8, flags: u8, stream: u32, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).unwrap_or_default().to_be_bytes();
    let head = [length[1], length[2], length[3], kind, flags];
    [&head[..], &stream.to_be_bytes(), body].concat()
}
