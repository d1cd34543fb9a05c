//! Reading lines.

use std::sync::Arc;

use tokio::io::AsyncRead;

use super::lines::{Line, Lines};
use super::{Inner, Listener, Peer, PeerRole};
use crate::jsonrpc::{Frame, FrameError, FrameLimits};

pub(super) async fn run<R: AsyncRead + Unpin>(
    reader: R,
    peer: Peer,
    limits: FrameLimits,
    listener: Arc<dyn Listener>,
) {
    let mut lines = Lines::new(reader, limits.size);
    let mut half = 0;
    loop {
        // What has come already is taken without looking up.
        let line = match lines.ready() {
            Some(line) => line,
            None => match next(&mut lines, &peer, &*listener).await {
                Some(line) => line,
                None => break,
            },
        };
        match line {
            Line::Whole(bytes) => peer.take(bytes, None, &limits, &*listener),
            Line::TooLong { scan, length } => {
                let refusal = FrameError::too_big(&scan, length, &limits);
                peer.refuse(Box::new(refusal), &[], &*listener);
            }
            // The last line may lack only its end.
            Line::Half { start, length } => match Frame::read(start, &limits) {
                Ok(frame) => peer.hear(frame, None, &*listener),
                Err(unread) => {
                    let found = peer.take_behind(unread, None, &limits, &*listener);
                    if let Err((refusal, line)) = found {
                        let is_of_client = peer.0.side == PeerRole::Client;
                        let is_noise = !is_of_client && !refusal.is_meant && !line.is_empty();
                        if !is_noise {
                            half = length;
                        }
                        if is_of_client || is_noise {
                            peer.refuse(refusal, &line, &*listener);
                        }
                    }
                }
            },
        }
    }
    let lost = peer.over();
    listener.end(lost, half);
    peer.0.reading_ended.notify_one();
}

/// Reads on as soon as there is room for what comes of it; nothing at the end. An error of the stream is its end.
async fn next<R: AsyncRead + Unpin>(
    lines: &mut Lines<R>,
    peer: &Peer,
    listener: &dyn Listener,
) -> Option<Line> {
    let Inner { outbox, cut, .. } = &*peer.0;
    if peer.0.side == PeerRole::Client {
        outbox.room_for_answers().await;
    }
    if let Some(slower) = listener.slower() {
        tokio::select! {
            () = slower.0.outbox.room() => {}
            () = cut.notified() => return None,
        }
    }
    tokio::select! {
        biased;
        line = lines.next() => line.ok().flatten(),
        () = cut.notified() => None,
    }
}
