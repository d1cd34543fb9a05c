//! Shutdown: open requests get time to finish, and are answered with a fault after it.

use std::time::Duration;

use breakfall::Fault;
use tokio::time::timeout;

use super::supervisor::Supervisor;
use breakfall_mcp::http_server::{McpService, ServerHandle};

/// The parts of a gateway that take part in its shutdown.
pub(super) struct Shutdown<'a> {
    pub(super) server: &'a ServerHandle,
    pub(super) mcp: &'a McpService,
    pub(super) supervisor: &'a Supervisor,
}

impl Shutdown<'_> {
    /// Waits until no request is open, for at most `drain` and until `hurry` completes. What is open then is answered
    /// with a fault; `give_up` does so for requests without a session.
    pub(super) async fn run(
        &self,
        drain: Duration,
        hurry: impl Future<Output = ()>,
        give_up: impl FnOnce(&Fault),
    ) {
        // Before connections close: streams without an end would keep them busy.
        self.mcp.start_drain();
        self.server.start_drain();
        let is_drained = tokio::select! {
            drained = timeout(drain, self.server.drained()) => drained.is_ok(),
            () = hurry => false,
        };
        if is_drained {
            return;
        }
        // First what waits for a server: its answer tells whether the call may have been executed.
        self.supervisor.give_up();
        if timeout(LAST_ANSWERS, self.server.drained()).await.is_ok() {
            return;
        }
        let fault = ended();
        self.mcp.give_up(&fault);
        give_up(&fault);
        // A client that does not read its answer is not waited for.
        let _ = timeout(LAST_ANSWERS, self.server.drained()).await;
    }
}

/// The fault of requests that are open when the gateway ends.
fn ended() -> Fault {
    Fault::unavailable("gateway")
        .detail("executed", "unknown")
        .message("The gateway has ended before there was an answer")
        .remediation("Find out whether the call has taken effect before you make it again.")
}

/// How long the last answers may take to be read.
const LAST_ANSWERS: Duration = Duration::from_secs(1);
