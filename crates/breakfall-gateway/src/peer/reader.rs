//! Reading lines.

use std::sync::Arc;

use tokio::io::AsyncRead;

use super::lines::{Line, Lines};
use super::{Listener, Peer, Side};
use crate::envelope::{Frame, Limits, Refusal};

pub(super) async fn run<R: AsyncRead + Unpin>(
    reader: R,
    peer: Peer,
    limits: Limits,
    listener: Arc<dyn Listener>,
) {
    let mut lines = Lines::new(reader, limits.size);
    let mut half = 0;
    loop {
        let line = tokio::select! {
            biased;
            line = lines.next() => line,
            () = peer.0.cut.notified() => break,
        };
        // An error of the stream is its end.
        let Ok(Some(line)) = line else { break };
        match line {
            Line::Whole(bytes) => peer.take(bytes, None, &limits, &*listener),
            Line::TooLong { scan, length } => {
                let refusal = Refusal::too_big(&scan, length, &limits);
                peer.refuse(Box::new(refusal), &*listener);
            }
            // The last line may lack only its end.
            Line::Half { start, length } => match Frame::parse(start, &limits) {
                Ok(frame) => peer.hear(frame, None, &*listener),
                Err(refusal) => {
                    half = length;
                    if peer.0.side == Side::Client {
                        peer.refuse(refusal, &*listener);
                    }
                }
            },
        }
        if peer.0.side == Side::Client {
            peer.0.outbox.room_for_answers().await;
        }
        if let Some(slower) = listener.slower() {
            tokio::select! {
                () = slower.0.outbox.room() => {}
                () = peer.0.cut.notified() => break,
            }
        }
    }
    let lost = peer.over();
    listener.end(lost, half);
}
