//! Bytes → events: any cutting gives the same messages, and no message is above the limit.
#![no_main]

use breakfall_mcp::http_client::sse::{SseEvent, SseReader};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // The first bytes say how the rest is cut.
    let (sizes, stream) = bytes.split_at(bytes.len().min(4));
    let whole = read(&[stream]);
    let mut pieces = Vec::new();
    let mut rest = stream;
    for size in sizes.iter().cycle().map(|size| usize::from(*size) + 1) {
        if rest.is_empty() {
            break;
        }
        let (piece, behind) = rest.split_at(size.min(rest.len()));
        pieces.push(piece);
        rest = behind;
    }
    assert_eq!(read(&pieces), whole);
});

type Said = (Vec<(Vec<u8>, usize)>, Vec<u8>);

fn read(pieces: &[&[u8]]) -> Said {
    let mut events = SseReader::new(LIMIT);
    let mut said = Vec::new();
    for piece in pieces {
        let mut piece = *piece;
        while let Some(event) = events.next_event(&mut piece) {
            said.push(match event {
                SseEvent::Message(message) => {
                    assert!(!message.is_empty() && message.len() <= LIMIT);
                    (message, 0)
                }
                SseEvent::Oversized(long) => {
                    assert!(long.length() > LIMIT);
                    let id = long.id().map(|id| id.as_json().as_bytes().to_vec());
                    (id.unwrap_or_default(), long.length())
                }
            });
        }
    }
    said.extend(events.finish().map(|last| (last, 0)));
    (said, events.last_id().to_vec())
}

const LIMIT: usize = 64;
