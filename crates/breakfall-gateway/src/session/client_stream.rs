//! A client on a pair of streams.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{sleep, timeout};

use super::answer;
use breakfall_mcp::connection::{Listener, Peer, PeerRole};
use breakfall_mcp::jsonrpc::FrameLimits;

/// The client end of a session over lines.
#[derive(Debug)]
pub(crate) struct ClientStream(Peer);

impl ClientStream {
    /// Starts to read the messages of the client.
    pub(crate) fn start<R, W>(
        reader: R,
        writer: W,
        limits: FrameLimits,
        listener: Arc<dyn Listener>,
    ) -> Self
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        Self(Peer::start(
            PeerRole::Client,
            reader,
            writer,
            limits,
            listener,
        ))
    }

    pub(crate) fn peer(&self) -> &Peer {
        &self.0
    }

    /// Waits until the client has closed its output, or has stopped reading.
    pub(crate) async fn ended(&self) {
        tokio::select! {
            () = self.0.hung_up() => {}
            () = self.0.closed() => {}
        }
    }

    /// Waits until every request is answered, at most for `longest` and until `hurry`. A client that has closed its
    /// output may still read the answers.
    pub(crate) async fn drain(&self, longest: Duration, hurry: impl Future<Output = ()>) {
        tokio::select! {
            () = self.0.idle() => {}
            () = sleep(longest) => {}
            () = self.0.closed() => {}
            () = hurry => {}
        }
    }

    /// Answers the requests that are still open and closes the stream. A client that does not read cannot delay that.
    pub(crate) async fn finish(self) {
        let Self(client) = self;
        client.dismiss();
        // Prefer answers that are ready to the failures below.
        let _ = timeout(LAST_ANSWERS, client.idle()).await;
        client.fail_open_requests(&answer::ended().maybe_executed());
        client.close();
        let _ = timeout(LAST_ANSWERS, client.closed()).await;
    }
}

/// How long the last answers to a client may take.
const LAST_ANSWERS: Duration = Duration::from_secs(1);
