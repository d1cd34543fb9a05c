//! Reads the body of a request, within its size and time.

use std::fmt::Debug;
use std::time::Duration;

use breakfall::Fault;
use breakfall::wire::Rpc;
use http::StatusCode;
use hyper::body::{Body, Bytes};
use tokio::time::{Instant, timeout_at};

use super::body_budget::BodyShare;
use super::refusal::HttpRefusal;
use crate::jsonrpc::{FrameError, FrameLimits, FrameScan};

/// Reads a whole body.
pub(super) async fn read_body<B>(
    mut body: B,
    limits: &FrameLimits,
    timeout: Duration,
    mut share: BodyShare,
) -> Result<Vec<u8>, HttpRefusal>
where
    B: Body<Data = Bytes> + Unpin + Send + 'static,
    B::Error: Debug + Send,
{
    let pace = BodyPace {
        start: Instant::now(),
        timeout,
    };
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    // A big Content-Length alone gets no memory.
    let expected = announced.min(limits.size).min(MAX_INITIAL_BYTES);
    // With room for the line end that stdio needs.
    let mut bytes = Vec::with_capacity(expected + 1);
    while let Some(piece) = next(&mut body, pace, bytes.len()).await? {
        let read = bytes.len() + piece.len();
        let length = read.max(announced);
        if length > limits.size {
            let mut scan = FrameScan::of(&bytes);
            scan.feed(&piece);
            let refusal = HttpRefusal::message(FrameError::too_big(&scan, length, limits));
            discard_later(body, read, limits, pace);
            return Err(refusal.closing());
        }
        share.at_least(bytes.len() + piece.len())?;
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

/// Reads and discards the rest of a refused body beside the response. A connection that is closed while bytes arrive is
/// reset, and many clients read no response before they have sent the body.
fn discard_later<B>(mut body: B, mut read: usize, limits: &FrameLimits, pace: BodyPace)
where
    B: Body<Data = Bytes> + Unpin + Send + 'static,
    B::Error: Debug + Send,
{
    let more = limits.size.saturating_mul(DISCARD_FACTOR);
    let most = read.saturating_add(more.min(MAX_DISCARDED));
    tokio::spawn(async move {
        while read < most
            && let Ok(Some(piece)) = next(&mut body, pace, read).await
        {
            read += piece.len();
        }
    });
}

async fn next<B>(body: &mut B, pace: BodyPace, so_far: usize) -> Result<Option<Bytes>, HttpRefusal>
where
    B: Body<Data = Bytes> + Unpin,
    B::Error: Debug,
{
    let until = pace.until(so_far);
    loop {
        let frame =
            std::future::poll_fn(|context| std::pin::Pin::new(&mut *body).poll_frame(context));
        let Ok(frame) = timeout_at(until, frame).await else {
            return Err(too_slow(until - pace.start));
        };
        match frame.transpose() {
            Ok(None) => return Ok(None),
            // Trailers are ignored.
            Ok(Some(frame)) => {
                if let Ok(piece) = frame.into_data() {
                    return Ok(Some(piece));
                }
            }
            Err(error) => return Err(truncated(&error)),
        }
    }
}

/// How fast a body must arrive.
#[derive(Debug, Clone, Copy)]
struct BodyPace {
    start: Instant,
    /// The time for a body that hardly arrives.
    timeout: Duration,
}

impl BodyPace {
    fn until(self, so_far: usize) -> Instant {
        self.start + self.timeout + Duration::from_secs((so_far / BYTES_PER_SECOND) as u64)
    }
}

fn too_slow(after: Duration) -> HttpRefusal {
    let fault = Fault::timeout("reading the request", after)
        .detail("executed", "no")
        .remediation("Send the whole body at once; the method was not called.");
    HttpRefusal::new(StatusCode::REQUEST_TIMEOUT, Rpc::InvalidRequest, fault).closing()
}

/// The connection is usually gone.
fn truncated(error: &impl Debug) -> HttpRefusal {
    let fault = Fault::invalid("The body ended before its end, or is not framed as HTTP wants it")
        .remediation(
            "Send the body whole, as long as 'Content-Length' says; the method was not called.",
        )
        .note(format!("{error:?}"));
    HttpRefusal::new(StatusCode::BAD_REQUEST, Rpc::ParseError, fault).closing()
}

/// The rate that extends the time.
const BYTES_PER_SECOND: usize = 64 << 10;
/// The memory taken before the first byte.
const MAX_INITIAL_BYTES: usize = 64 << 10;
/// How many times the limit is read and discarded, and how much at most.
const DISCARD_FACTOR: usize = 3;
const MAX_DISCARDED: usize = 8 << 20;
