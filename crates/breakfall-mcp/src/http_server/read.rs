//! Reading the body of a request: so much at most, and not too slowly.

use std::fmt::Debug;
use std::time::Duration;

use breakfall::Fault;
use breakfall::wire::Rpc;
use http::StatusCode;
use hyper::body::{Body, Bytes};
use tokio::time::{Instant, timeout_at};

use super::budget::Share;
use super::refused::Refused;
use crate::jsonrpc::{FrameError as NoMessage, FrameLimits, FrameScan};

/// Takes a whole body, or says why not.
pub(super) async fn read<B>(
    mut body: B,
    limits: &FrameLimits,
    patience: Duration,
    mut share: Share,
) -> Result<Vec<u8>, Refused>
where
    B: Body<Data = Bytes> + Unpin,
    B::Error: Debug,
{
    let pace = Pace {
        begun: Instant::now(),
        patience,
    };
    let expected = body.size_hint().lower();
    // Whoever only says that it is big does not get the memory for it.
    let expected = usize::try_from(expected)
        .unwrap_or(usize::MAX)
        .min(limits.size)
        .min(AT_ONCE);
    // With room for the line end it may be written with.
    let mut bytes = Vec::with_capacity(expected + 1);
    while let Some(piece) = next(&mut body, pace, bytes.len()).await? {
        if bytes.len() + piece.len() > limits.size {
            return Err(read_past(body, bytes, &piece, limits, pace).await);
        }
        share.at_least(bytes.len() + piece.len())?;
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

/// A body that is too big is read on for a while, for its id and because a client that is still writing does not hear
/// an answer.
async fn read_past<B>(
    mut body: B,
    bytes: Vec<u8>,
    piece: &[u8],
    limits: &FrameLimits,
    pace: Pace,
) -> Refused
where
    B: Body<Data = Bytes> + Unpin,
    B::Error: Debug,
{
    let mut scan = FrameScan::of(&bytes);
    scan.feed(piece);
    let mut length = bytes.len() + piece.len();
    drop(bytes);
    let most = limits.size.saturating_mul(PAST);
    while length < most {
        match next(&mut body, pace, length).await {
            Ok(Some(piece)) => {
                scan.feed(&piece);
                length += piece.len();
            }
            Ok(None) => return Refused::message(NoMessage::too_big(&scan, length, limits)),
            Err(_) => break,
        }
    }
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    let length = length.saturating_add(announced);
    Refused::message(NoMessage::too_big(&scan, length, limits)).closing()
}

async fn next<B>(body: &mut B, pace: Pace, so_far: usize) -> Result<Option<Bytes>, Refused>
where
    B: Body<Data = Bytes> + Unpin,
    B::Error: Debug,
{
    let until = pace.until(so_far);
    loop {
        let frame =
            std::future::poll_fn(|context| std::pin::Pin::new(&mut *body).poll_frame(context));
        let Ok(frame) = timeout_at(until, frame).await else {
            return Err(too_slow(until - pace.begun));
        };
        match frame.transpose() {
            Ok(None) => return Ok(None),
            // What is no data are trailers.
            Ok(Some(frame)) => {
                if let Ok(piece) = frame.into_data() {
                    return Ok(Some(piece));
                }
            }
            Err(error) => return Err(cut_off(&error)),
        }
    }
}

/// How fast a body has to come.
#[derive(Debug, Clone, Copy)]
struct Pace {
    begun: Instant,
    /// How long it may take while it is hardly there.
    patience: Duration,
}

impl Pace {
    fn until(self, so_far: usize) -> Instant {
        self.begun + self.patience + Duration::from_secs((so_far / PACE) as u64)
    }
}

fn too_slow(after: Duration) -> Refused {
    let fault = Fault::timeout("reading the request", after)
        .detail("executed", "no")
        .remediation("Send the whole body at once; the method was not called.");
    Refused::new(StatusCode::REQUEST_TIMEOUT, Rpc::InvalidRequest, fault).closing()
}

/// Hardly anybody hears it.
fn cut_off(error: &impl Debug) -> Refused {
    let fault = Fault::invalid("The body ended before its end, or is not framed as HTTP wants it")
        .remediation(
            "Send the body whole, as long as 'Content-Length' says; the method was not called.",
        )
        .note(format!("{error:?}"));
    Refused::new(StatusCode::BAD_REQUEST, Rpc::ParseError, fault).closing()
}

/// How many bytes of it buy another second.
const PACE: usize = 64 << 10;
/// How much memory is taken before anything has come.
const AT_ONCE: usize = 64 << 10;
/// How many times the limit is read past.
const PAST: usize = 4;
