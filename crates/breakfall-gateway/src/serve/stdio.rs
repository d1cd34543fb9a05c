//! All servers as one for a single client, over lines.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, timeout};

use super::{Control, ServeOptions, Unserved, end, served};
use crate::config::Config;
use breakfall_mcp::access::Principal;
use breakfall_mcp::connection::{
    Listener, LostRequest, Peer, PeerRole, RelatedRequest, ReplayMessage, RequestSummary, Ticket,
};
use breakfall_mcp::jsonrpc::{Frame, Id};

/// Serves one client that speaks in lines, until it hangs up or [`Control::stop`], and ends everything that was
/// started for it.
///
/// # Errors
/// When a server of the configuration is of a kind that cannot be served.
pub async fn serve_lines<R, W>(
    config: Config,
    reader: R,
    writer: W,
    control: Control,
    options: ServeOptions,
) -> Result<(), Unserved>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let (limits, drain) = (config.limits.of_requests(), config.drain);
    let served = served(config, options)?;
    let site = served.site();
    let (listener, keep) = site.all().open(&Principal::Anybody);
    let ear = Arc::new(Ear {
        listener,
        hung_up: Notify::new(),
    });
    let listener = Arc::clone(&ear) as Arc<dyn Listener>;
    let client = Peer::start(PeerRole::Client, reader, writer, limits, listener);
    let servers = keep(&client);
    let is_left = tokio::select! {
        // Perhaps it has only nothing more to ask.
        () = ear.hung_up.notified() => false,
        () = control.stopped() => false,
        // Nobody reads what we write: whatever is under way is for nobody.
        () = client.closed() => true,
    };
    if !is_left {
        answer_all(&client, drain, &control).await;
    }
    drop(servers);
    end(&served, &control).await;
    client.close();
    // A client that does not read does not keep us.
    let _ = timeout(LAST_WORDS, client.closed()).await;
    Ok(())
}

/// What was asked is answered still, if that does not take long.
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

/// Hears when the client hangs up, and leaves everything to somebody else.
struct Ear {
    listener: Arc<dyn Listener>,
    hung_up: Notify,
}

impl Listener for Ear {
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
/// How long the last words to a client may take.
const LAST_WORDS: Duration = Duration::from_secs(1);
