//! Detects a server that hangs: a deadlock, an endless loop, a stopped process.
//!
//! A server may block while it works. So once a request is past its deadline and the server has sent nothing for half of
//! `stuck_after`, it is asked for a sign of life. It is stuck if none has come when everything sent before that question
//! is past its deadline, and for the other half of `stuck_after`. It cannot be busy with what was sent after the question,
//! because it has not read that far.

use std::future::pending;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::Instant;

use super::link::LinkShared;
use crate::upstream::Origin;
use breakfall_mcp::connection::{AskOutcome, LossReason, Peer};
use breakfall_mcp::jsonrpc::{Frame, FrameLimits};
use breakfall_mcp::protocol::meta::{CLIENT_CAPABILITIES, PROTOCOL_VERSION};
use breakfall_mcp::protocol::{MODERN, method};
use breakfall_mcp::timeouts::Timeouts;

/// Waits until a server is stuck. Returns how long it has been silent.
pub(super) async fn until_stuck(shared: &LinkShared, server: &Peer) -> Duration {
    let Some(wait) = shared.upstream.stuck_after.filter(|_| can_be_ended(shared)) else {
        return pending().await;
    };
    let half = wait / 2;
    loop {
        server.overdue().await;
        server.silent_for(half).await;
        if !server.is_overdue() {
            continue;
        }
        let sent = server.sent_so_far();
        tokio::select! {
            biased;
            () = answer_to_probe(shared, server) => server.forget_overdue(),
            () = no_sign_of_life(shared, server, sent, wait.saturating_sub(half)) => return wait,
        }
    }
}

/// Waits until all requests with lower numbers than `sent` are past their deadlines, and the server has sent nothing for
/// some time. What it sends meanwhile shows that it may be busy with any request until then.
async fn no_sign_of_life(shared: &LinkShared, server: &Peer, mut sent: u64, wait: Duration) {
    let mut since = Instant::now();
    loop {
        server.past_deadlines(sent).await;
        let _suspected = Suspicion::raise(shared);
        if server.silent_for(wait).await <= since {
            return;
        }
        since = Instant::now();
        sent = server.sent_so_far();
    }
}

/// A server over HTTP has no process, and may serve others.
fn can_be_ended(shared: &LinkShared) -> bool {
    match &shared.upstream.origin {
        Origin::Program(_) | Origin::Inside(_) => true,
        Origin::Remote(_) => false,
    }
}

/// Waits for any answer to a request that every server answers, with a result or an error.
async fn answer_to_probe(shared: &LinkShared, server: &Peer) {
    let probe = probe(shared.replay().has_session());
    server.room_for(probe.bytes().len()).await;
    let timeouts = Timeouts {
        idle: MAX_PROBE_TIME,
        total: MAX_PROBE_TIME,
    };
    match server.ask(probe, timeouts).await {
        AskOutcome::Reply(_) | AskOutcome::Lost(LossReason::Unreadable(_)) => {}
        // The end of the server is noticed elsewhere.
        AskOutcome::Lost(
            LossReason::Late(_) | LossReason::Gone | LossReason::Unsent(_) | LossReason::Refused(_),
        ) => pending().await,
    }
}

/// `ping` in a session, `server/discover` without.
fn probe(has_session: bool) -> Frame {
    let text = if has_session {
        format!(r#"{{"jsonrpc":"2.0","id":0,"method":"{}"}}"#, method::PING)
    } else {
        format!(
            r#"{{"jsonrpc":"2.0","id":0,"method":"{}","params":{{"_meta":{{"{PROTOCOL_VERSION}":"{MODERN}","{CLIENT_CAPABILITIES}":{{}}}}}}}}"#,
            method::DISCOVER
        )
    };
    Frame::parse(text.into_bytes(), &FrameLimits::REQUEST).expect("it is a request")
}

/// The server is suspected to be stuck while this lives.
struct Suspicion<'a>(&'a LinkShared);

impl<'a> Suspicion<'a> {
    fn raise(shared: &'a LinkShared) -> Self {
        shared.is_suspected.store(true, Ordering::Relaxed);
        Self(shared)
    }
}

impl Drop for Suspicion<'_> {
    fn drop(&mut self) {
        self.0.is_suspected.store(false, Ordering::Relaxed);
    }
}

/// The silence of the server decides, not the time of the probe.
const MAX_PROBE_TIME: Duration = Duration::from_hours(24 * 30);
