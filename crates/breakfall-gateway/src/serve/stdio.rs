//! All servers as one for a single client over stdio.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, timeout};

use super::{Control, ServeOptions, StartError, end_servers, new_state};
use crate::config::Config;
use breakfall_mcp::access::Principal;
use breakfall_mcp::connection::{
    Listener, LostRequest, Peer, PeerRole, RelatedRequest, ReplayMessage, RequestSummary, Ticket,
};
use breakfall_mcp::jsonrpc::{Frame, Id};

/// Serves one client that sends lines, until it closes its end or [`Control::stop`], and ends every server that was
/// started.
///
/// # Errors
/// When a server of the configuration cannot be used.
pub async fn serve_lines<R, W>(
    config: Config,
    reader: R,
    writer: W,
    control: Control,
    options: ServeOptions,
) -> Result<(), StartError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let (limits, drain) = (config.limits.of_requests(), config.drain);
    let state = new_state(config, options)?;
    let site = state.site();
    let (listener, run) = site.all().connect(&Principal::Anonymous, None);
    let client_end = Arc::new(HangUpListener {
        listener,
        hung_up: Notify::new(),
    });
    let listener = Arc::clone(&client_end) as Arc<dyn Listener>;
    let client = Peer::start(PeerRole::Client, reader, writer, limits, listener);
    let servers = run(&client);
    let is_left = tokio::select! {
        // It may only have nothing more to ask.
        () = client_end.hung_up.notified() => false,
        () = control.stopped() => false,
        // The client does not read any more, so no answer can reach it.
        () = client.closed() => true,
    };
    if !is_left {
        answer_all(&client, drain, &control).await;
    }
    drop(servers);
    end_servers(&state, &control).await;
    client.close();
    // A client that does not read is not waited for.
    let _ = timeout(LAST_WRITES, client.closed()).await;
    Ok(())
}

/// Waits until every open request is answered, for at most `drain`.
async fn answer_all(client: &Peer, drain: Duration, control: &Control) {
    let until = Instant::now() + drain;
    while client.owed() > 0 && Instant::now() < until {
        tokio::select! {
            () = sleep(STEP) => {}
            () = client.closed() => return,
            () = control.hurried() => return,
        }
    }
}

/// Passes everything on, and notices when the client closes its end.
struct HangUpListener {
    listener: Arc<dyn Listener>,
    hung_up: Notify,
}

impl Listener for HangUpListener {
    fn request(&self, frame: Frame, ticket: Ticket, about: RelatedRequest) {
        self.listener.request(frame, ticket, about);
    }

    fn notification(&self, frame: Frame, from: &Peer, about: RelatedRequest) {
        self.listener.notification(frame, from, about);
    }

    fn cancelled(&self, key: &Id) {
        self.listener.cancelled(key);
    }

    fn answered(&self, asked: &RequestSummary, frame: &Frame) {
        self.listener.answered(asked, frame);
    }

    fn lost(&self, lost: LostRequest) {
        self.listener.lost(lost);
    }

    fn end(&self, lost: Vec<LostRequest>, half: usize) {
        self.listener.end(lost, half);
        self.hung_up.notify_one();
    }

    fn slower(&self) -> Option<Peer> {
        self.listener.slower()
    }

    fn again(&self) -> Vec<ReplayMessage> {
        self.listener.again()
    }
}

const STEP: Duration = Duration::from_millis(10);
/// How long the last answers may take to be written.
const LAST_WRITES: Duration = Duration::from_secs(1);
