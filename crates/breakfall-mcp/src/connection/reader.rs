//! The task that reads the lines of a connection.

use std::sync::Arc;

use tokio::io::AsyncRead;

use super::{Connection, Listener, Peer, PeerRole};
use crate::jsonrpc::{Frame, FrameError, FrameLimits, FrameScan};
use crate::lines::{Line, LineReader};

pub(super) async fn run<R: AsyncRead + Unpin>(
    reader: R,
    peer: Peer,
    limits: FrameLimits,
    listener: Arc<dyn Listener>,
) {
    let mut lines = LineReader::new(reader, limits.size);
    let mut long = LongLine::default();
    let mut half = 0;
    loop {
        // Lines that are read already are handled without waiting for room.
        let line = match lines.ready() {
            Some(line) => line,
            None => match next(&mut lines, &peer, &*listener).await {
                Some(line) => line,
                None => break,
            },
        };
        match line {
            Line::Whole(bytes) => peer.take(bytes, None, &limits, &*listener),
            Line::Start(bytes) | Line::More(bytes) => long.add(&bytes),
            Line::End(bytes) => {
                long.add(&bytes);
                let LongLine { scan, length } = std::mem::take(&mut long);
                let error = FrameError::too_big(&scan, length, &limits);
                peer.refuse(Box::new(error), &[], &*listener);
            }
            Line::Unfinished(bytes) if long.length > 0 => half = long.length + bytes.len(),
            Line::Unfinished(bytes) => half = take_last(bytes, &peer, &limits, &*listener),
        }
    }
    let lost = peer.over();
    listener.end(lost, half);
    peer.0.reading_ended.notify_one();
}

/// Takes a last line without a line end, which may be all it lacks. Gives the length of one that is not a message.
fn take_last(line: Vec<u8>, peer: &Peer, limits: &FrameLimits, listener: &dyn Listener) -> usize {
    let length = line.len();
    let rejected = match Frame::read(line, limits) {
        Ok(frame) => {
            peer.hear(frame, None, listener);
            return 0;
        }
        Err(rejected) => rejected,
    };
    let Err((error, line)) = peer.take_behind(rejected, None, limits, listener) else {
        return 0;
    };
    let is_of_client = peer.0.side == PeerRole::Client;
    let is_stray = !is_of_client && !error.is_meant && !line.is_empty();
    if is_of_client || is_stray {
        peer.refuse(error, &line, listener);
    }
    if is_stray { 0 } else { length }
}

/// What is known of a line that is over the limit: it is read to its end, and only its id and its length are kept.
#[derive(Default)]
struct LongLine {
    scan: FrameScan,
    length: usize,
}

impl LongLine {
    fn add(&mut self, bytes: &[u8]) {
        self.scan.feed(bytes);
        self.length += bytes.len();
    }
}

/// Reads the next line once there is room for what it causes; `None` at the end. An error of the stream is its end.
async fn next<R: AsyncRead + Unpin>(
    lines: &mut LineReader<R>,
    peer: &Peer,
    listener: &dyn Listener,
) -> Option<Line> {
    let Connection {
        outbox,
        cut,
        reading,
        ..
    } = &*peer.0;
    if peer.0.side == PeerRole::Client {
        outbox.room_for_answers().await;
    }
    if let Some(slower) = listener.slower() {
        tokio::select! {
            () = slower.0.outbox.room() => {}
            () = cut.notified() => return None,
        }
    }
    reading.resume();
    let line = tokio::select! {
        biased;
        line = lines.next() => line.ok().flatten(),
        () = cut.notified() => None,
    };
    reading.pause();
    line
}
