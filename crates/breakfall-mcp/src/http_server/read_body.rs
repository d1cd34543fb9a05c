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
    let expected = body.size_hint().lower();
    // A big Content-Length alone gets no memory.
    let expected = usize::try_from(expected)
        .unwrap_or(usize::MAX)
        .min(limits.size)
        .min(MAX_INITIAL_BYTES);
    // With room for the line end that stdio needs.
    let mut bytes = Vec::with_capacity(expected + 1);
    while let Some(piece) = next(&mut body, pace, bytes.len()).await? {
        if bytes.len() + piece.len() > limits.size {
            let mut scan = FrameScan::of(&bytes);
            scan.feed(&piece);
            let length = bytes.len() + piece.len();
            drop(bytes);
            // In chunks the end may be far away, or never come.
            return Err(match body.size_hint().exact() {
                Some(_) => discard_rest(body, scan, length, limits, pace).await,
                None => discard_later(body, &scan, length, limits, pace),
            });
        }
        share.at_least(bytes.len() + piece.len())?;
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

/// Reads on after the limit of a body of known length: the id may follow, and many clients read no response before they have sent the body.
async fn discard_rest<B>(
    mut body: B,
    mut scan: FrameScan,
    mut length: usize,
    limits: &FrameLimits,
    pace: BodyPace,
) -> HttpRefusal
where
    B: Body<Data = Bytes> + Unpin,
    B::Error: Debug,
{
    let most = limits.size.saturating_mul(DISCARD_FACTOR);
    while length < most {
        match next(&mut body, pace, length).await {
            Ok(Some(piece)) => {
                scan.feed(&piece);
                length += piece.len();
            }
            Ok(None) => return HttpRefusal::message(FrameError::too_big(&scan, length, limits)),
            Err(_) => break,
        }
    }
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    let length = length.saturating_add(announced);
    HttpRefusal::message(FrameError::too_big(&scan, length, limits)).closing()
}

/// Refuses a body of unknown length at the limit. What follows is read and discarded beside the response, because a
/// connection that is closed while bytes arrive is reset, and the client would lose the response.
fn discard_later<B>(
    mut body: B,
    scan: &FrameScan,
    mut length: usize,
    limits: &FrameLimits,
    pace: BodyPace,
) -> HttpRefusal
where
    B: Body<Data = Bytes> + Unpin + Send + 'static,
    B::Error: Debug + Send,
{
    let refusal = HttpRefusal::message(FrameError::too_big(scan, length, limits)).closing();
    let most = limits.size.saturating_mul(DISCARD_FACTOR);
    tokio::spawn(async move {
        while length < most
            && let Ok(Some(piece)) = next(&mut body, pace, length).await
        {
            length += piece.len();
        }
    });
    refusal
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
/// How many times the limit is read and discarded.
const DISCARD_FACTOR: usize = 4;
