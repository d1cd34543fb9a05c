//! Detects a server that hangs: a deadlock, an endless loop, a stopped process.
//!
//! A server may block while it works, so it is suspected only once the oldest request it has not answered is past its
//! deadline. An answer shows that it does not hang on earlier requests. Then it has `stuck_after`: if it sends nothing for half of that, it is asked for a sign of life, and if nothing
//! comes for the other half, it is stuck.

use std::future::pending;
use std::sync::atomic::Ordering;
use std::time::Duration;

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
        let _suspected = Suspicion::raise(shared);
        tokio::select! {
            biased;
            () = answer_to_probe(shared, server) => server.forget_overdue(),
            () = server.silent_for(wait.saturating_sub(half)) => return wait,
        }
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
